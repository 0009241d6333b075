/* A player's search, which values a position by play to a limited depth, and by tables and guesses beyond it.
 * Private to analysis/uci/.
 *
 * Values are for the side to move. They are hundredths of a seed; or, in games of wins, draws and losses,
 * LOOK_WIN less the plies to a win, LOOK_TABLE_WIN less the plies to a position that tables call a win, or
 * the negative of such a number for a loss, or a guess of less than GAME_PLAY_SURE. A repetition is worth
 * what the rules say. A `looker` is one search by one thread; several may share a `seen`.
 */
#ifndef ANALYSIS_UCI_LOOK_H
#define ANALYSIS_UCI_LOOK_H

#include <stdatomic.h>

#include "analysis/search/search.h"
#include "base/memory.h"

/* Results of a player's search about positions, for all of its threads. Private to analysis/uci/.
 *
 * Threads share a fixed number of entries without locks. If two threads write an entry at once, it may be
 * lost. Positions differ by 64 bits of a hash, so an entry may be wrong: a move in it may be no legal move.
 * Any number of threads may call seen_find and seen_add at once, but no other function meanwhile.
 */

typedef enum { SEEN_NOTHING, SEEN_AT_LEAST, SEEN_AT_MOST, SEEN_EXACT } seen_bound;

typedef struct {
  int value;
  int depth; /* plies searched from the position, 0 … 255 */
  seen_bound bound;
  size_t best; /* ordinal of the best move in the game's order, or SEEN_NO_MOVE */
} seen_position;

enum { SEEN_NO_MOVE = 0xFFFF };

typedef struct seen seen;

/* Opens entries of this many bytes in all. Errors: TAULER_NO_MEMORY. */
tauler_error seen_open(uint64_t bytes, seen **out, tauler_message *message);
void seen_close(seen *seen);
void seen_clear(seen *seen);

/* Begins a search. Entries of earlier searches are replaced sooner than those of this one. */
void seen_next_search(seen *seen);

bool seen_find(const seen *seen, uint64_t hash, seen_position *out);
void seen_add(seen *seen, uint64_t hash, const seen_position *position);

enum {
  LOOK_WIN = 30000,
  LOOK_TABLE_WIN = 20000,
  LOOK_INFINITE = 32000,
  LOOK_MOST_DEPTH = 120, /* largest depth of a search in plies */
  LOOK_MOST_PLIES = 200, /* longest line in plies, with the converting moves after the depth */
  LOOK_KEYS = 4096,
  LOOK_KILLERS = 2
};

/* Limits of a search. Other threads may change `stop` and `until` while it runs. */
typedef struct {
  atomic_bool stop;
  _Atomic double until; /* time of clock_wall, or 0 for no limit */
  uint64_t nodes;       /* largest number of positions per thread, or 0 for no limit */
} look_limits;

typedef struct {
  uint64_t hash;
  size_t first; /* place on the line of the first position since the last converting move */
} look_step;

typedef struct {
  int rank;
  size_t move;
} look_choice;

typedef struct {
  tauler_tables *tables;
  states states;
  known_tables known;
  seen *seen;
  look_limits *limits;
  game_play_list list;
  look_choice *choices; /* choices in all positions on the line */
  size_t choices_used, choices_room;
  look_step *line;
  uint64_t *line_states;
  arena arrays;
  size_t root; /* place of the root on the line, after the positions met */
  uint64_t nodes;
  bool over;              /* true after a limit, when values mean nothing */
  bool guessed;           /* true if a value since its last reset may rest on a guess */
  tauler_error error;     /* TAULER_NO_MEMORY, which also sets `over`, or TAULER_OK */
  tauler_message trouble; /* reason why tables are not used, or "" */
  uint32_t history[LOOK_KEYS];
  uint16_t killers[LOOK_MOST_PLIES][LOOK_KILLERS];
} looker;

/* Opens a search from a position. `met` are the positions since the last converting move, in the order of
 * play. The caller closes the looker, after an error too. Errors: TAULER_NO_MEMORY. */
tauler_error look_open(looker *l, tauler_tables *tables, seen *seen, look_limits *limits,
                       const game_position *position, const game_past *met, tauler_message *message);
void look_close(looker *l);

/* Returns the value of a move in the position of look_open, for the mover, by a search of `depth` plies after
 * it. If the value is not between alpha and beta, returns a bound on that side. */
int look_value_after(looker *l, const game_move *move, int depth, int alpha, int beta);

#endif
