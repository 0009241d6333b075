/* Searches positions above the tables, and proves values and bounds. Private to analysis/. */
#ifndef ANALYSIS_SEARCH_SEARCH_H
#define ANALYSIS_SEARCH_SEARCH_H

#include "analysis/probe/probe_tables.h"
#include "base/memory.h"
#include "games/game_play.h"

/* --- states.c: states of positions, and the moves between them. Private to analysis/ ---
 *
 * They use the fast functions of a game (game_play.h) or, if it has none, those for single positions.
 * `states` owns nothing, and any number of threads may use one.
 */

typedef struct {
  const game *game;
  const game_rules *rules;
  size_t words; /* words of a state */
} states;

/* Returns a form of states in which this position and all to which play leads can be written. */
states states_of(const game *game, const game_rules *rules, const game_position *position);

void states_read(const states *s, const game_position *position, uint64_t *state);
void states_write(const states *s, const uint64_t *state, game_position *position);
uint64_t states_hash(size_t words, const uint64_t *state);

/* Adds the moves of a state to a list. `state` must not lie in this list. Errors: those of game_play_add. */
tauler_error states_add_moves(const states *s, const uint64_t *state, game_play_list *list);

/* Returns the value, for the side to move, of a state without moves. */
int states_end_value(const states *s, const uint64_t *state);

/* --- known.c: bounds that tables have. Private to analysis/ ---
 *
 * The caller allocates `slices`, all zero. Slices from number KNOWN_SLICES on count as having no tables. A
 * known_tables belongs to one search and one thread. Other threads may use the tables at the same time.
 */

enum { KNOWN_SLICES = 1 << 20 };

typedef struct {
  tauler_tables *tables;
  uint8_t *slices; /* [KNOWN_SLICES] state of a slice: not asked, has tables, has none */
  uint64_t probes; /* number of positions found in tables */
  tauler_message *message;
} known_tables;

/* Bounds are for the side to move. Errors: those of slice_table except TAULER_TABLE_MISSING. */
tauler_error known_bounds(known_tables *known, const game_position *position, bool *is_known, int bounds[2]);

/* --- memo.c: bounds that a search has proven, in limited memory. Private to analysis/search/ ---
 *
 * Each entry has all words of its state, so no two positions are ever confused. Its bounds are proven for
 * every play that leads to the position, and only become tighter. The rest of an entry is advice that may be
 * wrong. If a bucket is full, an entry of an early pass or of little depth is replaced, which costs time but
 * never makes an answer wrong. A memo belongs to one search and one thread.
 */

typedef struct {
  int16_t lower, upper; /* proven bounds, for the side to move */
  /* [prover_answer] threshold for which this answer was not proven in this pass, with `depth` plies to look
   * ahead, or depth 0 if none was tried. */
  int16_t asked[2];
  uint8_t depth[2];
  uint16_t best;         /* most important move, as its place in the game's order */
  uint32_t pass : 8;     /* pass of the last use, or 0 if the entry is free */
  uint32_t leaning : 24; /* 1 + place in the list of leaning answers, or 0 */
} memo_entry;

typedef struct memo memo;

/* Makes a memo for states of `words` words. It begins small, and its entries grow to at most two thirds of
 * `bytes` bytes. While it grows, old and new entries together take at most `bytes` bytes. Errors:
 * TAULER_NO_MEMORY. */
tauler_error memo_open(memory_budget *budget, uint64_t bytes, size_t words, memo **out,
                       tauler_message *message);
void memo_close(memo *memo);

/* Returns the entry of a state, or NULL. The entry is valid until the next memo_add or memo_grow. */
memo_entry *memo_find(memo *memo, uint64_t hash, const uint64_t *state);

/* Returns the entry of a state. If there is none, makes one with the bounds ±largest, perhaps in place of
 * another entry. */
memo_entry *memo_add(memo *memo, uint64_t hash, const uint64_t *state, int largest);

/* Makes the memo larger if half of it is in use and its limit allows more. Entries that the caller holds
 * become invalid. */
void memo_grow(memo *memo);

void memo_prefetch(const memo *memo, uint64_t hash);

/* Begins a pass. Entries of earlier passes are then replaced sooner. */
void memo_next_pass(memo *memo);

/* --- prover.c: answers to "does the side to move get at least t?". Private to analysis/search/ ---
 *
 * Answers are found by play to a limited depth and down to the tables. The answers yes and no are proven; any
 * other question stays open. README.md has the proof.
 *
 * If infinite play is worth 0, a side gets a threshold of 0 or less when a position repeats. Such an answer
 * leans on the answer for the repeated position. It is set aside, and only proven if the repeated position
 * gets the answer that a repetition gives.
 *
 * A prover is one search by one thread. Other threads may use the tables at the same time.
 */

enum { PROVER_MOST_DEPTH = 250 };

typedef enum { PROVER_NO, PROVER_YES, PROVER_OPEN } prover_answer;

static inline prover_answer prover_opposite(prover_answer answer) {
  return answer == PROVER_OPEN ? PROVER_OPEN : answer == PROVER_YES ? PROVER_NO : PROVER_YES;
}

typedef struct {
  double until;   /* time of clock_wall, or 0 for no limit */
  uint64_t nodes; /* 0 for no limit */
  uint64_t memory;
  bool (*stop)(void *user); /* if it returns true, the search stops. May be NULL */
  void *user;
} prover_limits;

/* The types below are private to prover.c. */
typedef struct prover_step prover_step;
typedef struct prover_leaning prover_leaning;
typedef struct prover_todo prover_todo;

typedef struct {
  tauler_tables *tables;
  prover_limits limits;
  states states;
  size_t words;
  known_tables known;
  bool cycles_are_drawn; /* infinite play is worth 0. If false, it proves nothing */
  memory_budget budget;
  arena arrays;
  memo *memo;
  game_play_list list;

  uint64_t nodes;
  uint64_t pause_at; /* number of nodes at which prover_ask gives up, or 0 for never */
  bool over;
  bool cut; /* true if a question stayed open at its depth since the caller last set this to false */

  prover_step *path;
  uint64_t *path_states;
  prover_leaning *leaning;
  uint64_t *leaning_states;
  size_t leaning_used, leaning_room;
  prover_todo *todo;
  size_t todo_used, todo_room;
  uint64_t numbered;
  tauler_message *message;
} prover;

/* The caller closes the prover, also after an error. Errors: TAULER_NO_MEMORY. */
tauler_error prover_open(prover *prover, tauler_tables *tables, const game_position *position,
                         const prover_limits *limits, tauler_message *message);
void prover_close(prover *prover);

/* Returns the largest absolute value in the slice of the position, or 1 if the position is in no slice. */
int prover_largest(const prover *prover, const game_position *position);

/* Asks whether the side to move gets `at_least`, with `depth` plies to look ahead, 1 … PROVER_MOST_DEPTH, and
 * without a history. Only the `wanted` answer is searched for, but *answer may become the other one, which is
 * then also proven. Errors: TAULER_STOPPED (a limit, or pause_at), those of slice_table, TAULER_NO_MEMORY. */
tauler_error prover_ask(prover *prover, const game_position *position, int at_least, prover_answer wanted,
                        int depth, prover_answer *answer);

void prover_recall(prover *prover, const game_position *position, int *lower, int *upper);

#endif
