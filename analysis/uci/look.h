/* A player's search: what a position is worth by play to a limited depth, where tables and guesses answer for
 * what is beyond. Private to analysis/uci/.
 *
 * Values are for the side to move: in hundredths of a seed, or, for wins, draws and losses, LOOK_WIN less the
 * plies to a win, LOOK_TABLE_WIN less the plies to a table that says so, and guesses of less than
 * GAME_PLAY_SURE. A repetition is worth what the rules say. A `looker` is one search by one thread; several
 * may share a `seen`.
 */
#ifndef ANALYSIS_UCI_LOOK_H
#define ANALYSIS_UCI_LOOK_H

#include <stdatomic.h>

#include "analysis/search/search.h"
#include "base/memory.h"

/* Results of a player's search about positions, for all of its threads. Private to analysis/uci/.
 *
 * A fixed number of entries is shared without locks: an entry that two threads write at once is found by
 * none. Positions are told apart by 64 bits of a hash, so an entry is advice, which may be wrong; a move that
 * it names must be looked for among the moves. All functions but seen_open, seen_close and seen_clear may be
 * called by any threads at once.
 */

typedef enum { SEEN_NOTHING, SEEN_AT_LEAST, SEEN_AT_MOST, SEEN_EXACT } seen_bound;

typedef struct {
  int value;
  int depth; /* plies that were looked ahead, 0 … 255 */
  seen_bound bound;
  size_t best; /* ordinal of the best move in the game's order, or SEEN_NO_MOVE */
} seen_position;

enum { SEEN_NO_MOVE = 0xFFFF };

typedef struct seen seen;

/* Errors: TAULER_NO_MEMORY. */
tauler_error seen_open(uint64_t bytes, seen **out, tauler_message *message);
void seen_close(seen *seen);
void seen_clear(seen *seen);

/* Entries of earlier searches are then replaced first. */
void seen_next_search(seen *seen);

bool seen_find(const seen *seen, uint64_t hash, seen_position *out);
void seen_add(seen *seen, uint64_t hash, const seen_position *position);

enum {
  LOOK_WIN = 30000,
  LOOK_TABLE_WIN = 20000,
  LOOK_INFINITE = 32000,
  LOOK_MOST_DEPTH = 120, /* plies that may be asked for */
  LOOK_MOST_PLIES = 200, /* longest line, with the captures that follow it */
  LOOK_KEYS = 4096,
  LOOK_KILLERS = 2
};

/* Shared by all threads of a search. */
typedef struct {
  atomic_bool stop;
  _Atomic double until; /* time of clock_wall, or 0 for no limit */
  uint64_t nodes;       /* positions per thread, or 0 for no limit */
} look_limits;

/* A position on the line to the one under examination. */
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
  arena arrays; /* those of the line, and of `known` */
  size_t root;  /* its place on the line, after the positions met */
  uint64_t nodes;
  bool over;              /* a limit is reached: values mean nothing */
  bool guessed;           /* a guess answered since this was last set to false */
  tauler_error error;     /* TAULER_NO_MEMORY: so is it then */
  tauler_message trouble; /* reason for which tables were not used, or "" */
  uint32_t history[LOOK_KEYS];
  uint16_t killers[LOOK_MOST_PLIES][LOOK_KILLERS];
} looker;

/* `met` are the positions since the last converting move, in the order of play. The looker may be closed
 * after an error too. Errors: TAULER_NO_MEMORY. */
tauler_error look_open(looker *l, tauler_tables *tables, seen *seen, look_limits *limits,
                       const game_position *position, const game_past *met, tauler_message *message);
void look_close(looker *l);

/* The value for the mover of a move in the position given to look_open, if it is between alpha and beta;
 * otherwise a bound on that side. `depth` plies follow the move. */
int look_after(looker *l, const game_move *move, int depth, int alpha, int beta);

#endif
