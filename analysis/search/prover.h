/* Questions of the kind "does the side to move get at least so much?", answered by play to a limited depth
 * and down to the tables: yes and no are proven, whatever is open stays open. README.md has the proof.
 * Private to analysis/search/.
 *
 * Where infinite play is worth 0, a side gets a threshold of 0 or less when a position repeats. Such an
 * answer leans on that of the repeated position, so it is set aside until that one is known, and is proven
 * only then.
 *
 * A prover is one search by one thread; the tables may be asked by others meanwhile.
 */
#ifndef ANALYSIS_SEARCH_PROVER_H
#define ANALYSIS_SEARCH_PROVER_H

#include "analysis/probe/probe_tables.h"
#include "analysis/search/memo.h"
#include "games/game_play.h"

enum { PROVER_MOST_DEPTH = 250 };

typedef enum { PROVER_NO, PROVER_YES, PROVER_OPEN } prover_answer;

static inline prover_answer prover_opposite(prover_answer answer) {
  return answer == PROVER_OPEN ? PROVER_OPEN : answer == PROVER_YES ? PROVER_NO : PROVER_YES;
}

typedef struct {
  double until;             /* of clock_wall; 0: no end */
  uint64_t nodes;           /* 0: no end */
  uint64_t memory;          /* bytes for what is proven */
  bool (*stop)(void *user); /* or NULL */
  void *user;
} prover_limits;

/* Inside a prover; see prover.c. */
typedef struct prover_step prover_step;
typedef struct prover_leaning prover_leaning;
typedef struct prover_todo prover_todo;

typedef struct {
  tauler_tables *tables;
  prover_limits limits;
  size_t words;
  bool cycles_are_drawn; /* else infinite play proves nothing to anybody */
  memory_budget budget;
  memo *memo;
  game_play_list list;

  uint64_t nodes, table_probes;
  uint64_t pause_at; /* nodes at which prover_ask gives up; 0: never */
  bool over;         /* a limit is reached */
  bool cut;          /* a line was not played on for its depth since this was last false */

  prover_step *path;
  uint64_t *path_states;
  prover_leaning *leaning;
  uint64_t *leaning_states;
  size_t leaning_used, leaning_room;
  prover_todo *todo;
  size_t todo_used, todo_room;
  uint64_t numbered;
  uint8_t *slices; /* by number: whether there are tables */
  tauler_message *message;
} prover;

/* For positions that play reaches from this one. `prover` may be closed after an error too.
 * Errors: TAULER_NO_MEMORY. */
tauler_error prover_open(prover *prover, tauler_tables *tables, const game_position *position,
                         const prover_limits *limits, tauler_message *message);
void prover_close(prover *prover);

/* The greatest possible |value| in the position's slice. */
int prover_largest(const prover *prover, const game_position *position);

/* Asks with so many plies to look ahead, 1 … PROVER_MOST_DEPTH, the position being one that nothing has
 * led to. Only the `wanted` answer is tried for; whatever else comes out is as true. Errors: TAULER_STOPPED
 * (a limit, or pause_at), as slice_table, TAULER_NO_MEMORY. */
tauler_error prover_ask(prover *prover, const game_position *position, int at_least, prover_answer wanted,
                        int depth, prover_answer *answer);

/* Tightens bounds by what is proven of the position already. */
void prover_recall(prover *prover, const game_position *position, int *lower, int *upper);

/* --- keep.c: answers that are kept ---
 *
 * A proven answer goes to the memo; one that leans on an earlier position of the same line is set aside until
 * that position is answered. README.md says why both are true. */

/* A position on the way to the one that is being looked at. */
struct prover_step {
  uint64_t hash, number;
  size_t first; /* the first step since a converting move */
  int at_least, largest;
  prover_answer wanted;
};

static inline const uint64_t *path_state(const prover *p, size_t ply) {
  return p->path_states + ply * p->words;
}

/* Infinite play being worth 0. */
static inline prover_answer if_it_repeats(int at_least) {
  return at_least <= 0 ? PROVER_YES : PROVER_NO;
}

/* In all of these `best` is the move that mattered most, in the game's order, or SIZE_MAX. */

/* `answer`, yes or no, is proven of a state. */
void keep_proven(prover *p, const prover_step *step, const uint64_t *state, prover_answer answer,
                 size_t best);

/* The question of `step` stayed open with `depth` plies. */
void keep_open(prover *p, const prover_step *step, const uint64_t *state, int depth, size_t best);

/* The position at `ply` has the answer that it has if it repeats, leaning on an earlier one of the line.
 * Errors: TAULER_NO_MEMORY. */
tauler_error keep_aside(prover *p, size_t ply, size_t best);

/* The position at `ply` has its answer, and with it those that leaned on it, set aside from `mark` on. */
void keep_with_aside(prover *p, size_t ply, size_t mark, prover_answer answer, size_t best);

/* True if the question of `step` has been set aside; *number: of that answer. */
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
  bounds child; /* for the side to move after it; meaningless if the move ends the game */
} searched_move;

/* Narrows *worth and those of the moves until they are exact or a limit is reached; *depth as in
 * tauler_searched. All hold what is known on entry. Errors: as slice_table, TAULER_NO_MEMORY; reaching a
 * limit is none. */
tauler_error bounds_narrow(prover *prover, const game_position *position, searched_move *moves, size_t n,
                           bounds *worth, int *depth);

#endif
