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

#endif
