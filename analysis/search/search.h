/* A search above the tables that proves values and bounds. Private to analysis/search, and to players. */
#ifndef ANALYSIS_SEARCH_SEARCH_H
#define ANALYSIS_SEARCH_SEARCH_H

#include "analysis/probe/probe_tables.h"
#include "base/memory.h"
#include "games/game_play.h"

/* States of positions and the moves between them, for search: by the game's play level (game_play.h) or, if
 * it has none, by its text level. Private to analysis/.
 *
 * `states` owns nothing; any number of threads may use one.
 */

typedef struct {
  const game *game;
  const game_rules *rules;
  size_t words; /* words per state */
} states;

/* For this position and all that play leads to. */
states states_of(const game *game, const game_rules *rules, const game_position *position);

void states_read(const states *s, const game_position *position, uint64_t *state);
void states_write(const states *s, const uint64_t *state, game_position *position);
uint64_t states_hash(size_t words, const uint64_t *state);

/* Adds the moves of a state, which must not be in the list. Errors: those of game_play_add. */
tauler_error states_moves(const states *s, const uint64_t *state, game_play_list *list);

/* The value for the side to move of a state without moves. */
int states_ended(const states *s, const uint64_t *state);

/* Bounds that tables have for the positions that a search meets. Private to analysis/.
 *
 * The caller allocates `slices`, all zero. A known_tables belongs to one search and one thread; other threads
 * may use the tables meanwhile.
 */

enum { KNOWN_SLICES = 1 << 20 };

typedef struct {
  tauler_tables *tables;
  uint8_t *slices; /* [KNOWN_SLICES] whether there are tables of a slice */
  uint64_t probes; /* number of bounds that tables gave */
  tauler_message *message;
} known_tables;

/* Sets *is_known, and the bounds for the side to move if tables have the position. Errors: those of
 * slice_table except TAULER_TABLE_MISSING. */
tauler_error known_bounds(known_tables *known, const game_position *position, bool *is_known, int bounds[2]);

/* Bounds of positions that a search has proven so far, in a fixed amount of memory. Private to
 * analysis/search/.
 *
 * Each entry has all words of its state, so no two positions are ever mixed up. Its bounds are proven
 * whatever play led to the position, and only get tighter; the rest of an entry is advice that may be wrong.
 * If the memory is full, entries that cost less effort are replaced: that costs time, but never makes an
 * answer wrong. A memo belongs to one search and one thread.
 */

typedef struct {
  int16_t lower, upper; /* proven, for the side to move */
  /* By prover_answer: in this pass `asked` could not be shown to be no, or yes, within `depth` plies; 0:
   * nothing was tried. */
  int16_t asked[2];
  uint8_t depth[2];
  uint16_t best;         /* the most important move, as its ordinal in the game's order */
  uint32_t pass : 8;     /* pass in which it was last used, or 0 if the entry is free */
  uint32_t leaning : 24; /* 1 + place among the answers that lean on others (keep.c), or 0 */
} memo_entry;

typedef struct memo memo;

/* Makes a memo for states of `words` words that begins small and grows to at most `bytes` of the budget;
 * while it grows, both sizes are charged. Errors: TAULER_NO_MEMORY. */
tauler_error memo_open(memory_budget *budget, uint64_t bytes, size_t words, memo **out,
                       tauler_message *message);
void memo_close(memo *memo);

/* The entry of a state, or NULL. It is valid until the next memo_add. */
memo_entry *memo_find(memo *memo, uint64_t hash, const uint64_t *state);

/* The entry of a state. If there is none, it is made with the bounds ±largest. */
memo_entry *memo_add(memo *memo, uint64_t hash, const uint64_t *state, int largest);

/* Grows the memo if many entries are in use. The caller calls it now and then, while it holds no entry. If
 * there is no memory, nothing changes. */
void memo_grow(memo *memo);

/* Prefetches the bucket of a hash that memo_find or memo_add will soon use. */
void memo_expect(const memo *memo, uint64_t hash);

/* Begins a pass; entries of earlier passes are then replaced sooner. */
void memo_next_pass(memo *memo);

/* Answers questions of the kind "does the side to move get at least t?" by play to a limited depth and down
 * to the tables. Yes and no are proven; any other question stays open. README.md has the proof. Private to
 * analysis/search/.
 *
 * If infinite play is worth 0, a side gets a threshold of 0 or less when a position repeats. Such an answer
 * leans on that of the repeated position. It is set aside until that one is known, and only then is it
 * proven.
 *
 * A prover is one search by one thread; other threads may use the tables meanwhile.
 */

enum { PROVER_MOST_DEPTH = 250 };

typedef enum { PROVER_NO, PROVER_YES, PROVER_OPEN } prover_answer;

static inline prover_answer prover_opposite(prover_answer answer) {
  return answer == PROVER_OPEN ? PROVER_OPEN : answer == PROVER_YES ? PROVER_NO : PROVER_YES;
}

typedef struct {
  double until;             /* time of clock_wall, or 0 for no limit */
  uint64_t nodes;           /* 0: no limit */
  uint64_t memory;          /* bytes for proven positions */
  bool (*stop)(void *user); /* may be NULL */
  void *user;
} prover_limits;

/* Private to prover.c and keep.c. */
typedef struct prover_step prover_step;
typedef struct prover_leaning prover_leaning;
typedef struct prover_todo prover_todo;

typedef struct {
  tauler_tables *tables;
  prover_limits limits;
  states states;
  size_t words; /* states.words */
  known_tables known;
  bool cycles_are_drawn; /* if false, infinite play proves nothing for either side */
  memory_budget budget;
  arena arrays; /* those whose size is known from the beginning */
  memo *memo;
  game_play_list list;

  uint64_t nodes;
  uint64_t pause_at; /* number of nodes at which prover_ask gives up, or 0 for never */
  bool over;         /* a limit is reached */
  bool cut;          /* some line was not played to its full depth since this was last set to false */

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

/* Opens a prover for positions that play reaches from this one. `prover` may be closed after an error too.
 * Errors: TAULER_NO_MEMORY. */
tauler_error prover_open(prover *prover, tauler_tables *tables, const game_position *position,
                         const prover_limits *limits, tauler_message *message);
void prover_close(prover *prover);

/* The largest possible |value| in the position's slice. */
int prover_largest(const prover *prover, const game_position *position);

/* Asks with `depth` plies to look ahead, 1 … PROVER_MOST_DEPTH, as if nothing had led to the position. It
 * only tries to prove the `wanted` answer; if it proves the other one, that is also true. Errors:
 * TAULER_STOPPED (a limit, or pause_at), those of slice_table, TAULER_NO_MEMORY. */
tauler_error prover_ask(prover *prover, const game_position *position, int at_least, prover_answer wanted,
                        int depth, prover_answer *answer);

/* Narrows bounds by what has been proven about the position. */
void prover_recall(prover *prover, const game_position *position, int *lower, int *upper);

/* --- keep.c: answers that are kept ---
 *
 * A proven answer is written into the memo. One that leans on an earlier position of the same line is set
 * aside until that position is answered. README.md says why both are true.
 */

/* A position on the path to the one under examination. */
struct prover_step {
  uint64_t hash, number;
  size_t first; /* first step since a converting move */
  int at_least, largest;
  prover_answer wanted;
};

static inline const uint64_t *path_state(const prover *p, size_t ply) {
  return p->path_states + ply * p->words;
}

/* The answer for a repeated position if infinite play is worth 0. */
static inline prover_answer if_it_repeats(int at_least) {
  return at_least <= 0 ? PROVER_YES : PROVER_NO;
}

/* In all of these functions `best` is the most important move, in the game's order, or SIZE_MAX. */

/* `answer`, yes or no, is proven for a state. */
void keep_proven(prover *p, const prover_step *step, const uint64_t *state, prover_answer answer,
                 size_t best);

/* The question of `step` stayed open with `depth` plies. */
void keep_open(prover *p, const prover_step *step, const uint64_t *state, int depth, size_t best);

/* The position at `ply` has the answer of a repetition, leaning on an earlier one of the line. Errors:
 * TAULER_NO_MEMORY. */
tauler_error keep_aside(prover *p, size_t ply, size_t best);

/* The position at `ply` has its answer; if they hold, so have those set aside from `mark` on, which leaned on
 * it. */
void keep_with_aside(prover *p, size_t ply, size_t mark, prover_answer answer, size_t best);

/* True if the question of `step` has been set aside; *number is the number of that answer. */
bool keep_is_aside(const prover *p, const memo_entry *entry, const prover_step *step, const uint64_t *state,
                   uint64_t *number);

/* --- bounds.c: bounds of a position and of its moves, narrowed depth by depth --- */

typedef struct {
  int lower, upper;
} bounds;

/* A move of the position that is searched. */
typedef struct {
  const game_move *move;
  bool settled; /* bounds will not change: the game is over, or tables know the child */
  bounds worth; /* for the mover, gain included */
  bounds child; /* for the side to move after it, meaningless if the move ends the game */
} searched_move;

/* Narrows *worth and the bounds of the moves until they are exact or a limit is reached; *depth is as in
 * tauler_searched. On entry all contain known bounds. Errors: those of slice_table, TAULER_NO_MEMORY;
 * reaching a limit is no error. */
tauler_error bounds_narrow(prover *prover, const game_position *position, searched_move *moves, size_t n,
                           bounds *worth, int *depth);

#endif
