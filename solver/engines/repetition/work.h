/* Declares the state of the engine for rules under which the first repetition ends play and pays a worth that
 * depends on the repeated position (game->repeated). The engine finds bounds for a fresh history, that is
 * right after a converting move, or for every history.
 *
 * Under such a rule values depend on the history, so they cannot be settled one position at a time. The
 * engine therefore finds, for a side and a threshold t, a set X of positions from which the side gets t or
 * more. X grows by positions from which the side forces X or a worth of t or more by an end or a conversion
 * in one move, and by regions Z of positions that pay the side t or more if they repeat: in Z the side can
 * always move within Z, and the other side can leave Z only for X. docs/proofs.md, "Own row", proves that
 * this is enough and for which histories. X is a least fixpoint over greatest fixpoints, so cells do not
 * depend on threads, ranks or shards. Nor do rounds and stages.
 *
 * Stages are the depths of the slice, one for each guarantee. A side with guarantee t can force, in one move,
 * a position with a greater guarantee, a position with guarantee t and a smaller stage, or an end or a
 * conversion worth t. Otherwise the position pays the side t or more if it repeats, and the side can keep
 * play in stages up to this one. If a side has no guarantee, its stage is SOLVE_NO_DEPTH.
 *
 * A slice has one shard per rank, all of them in memory. A position may have up to 31 quiet moves.
 *
 * Marked positions send updates to their predecessors (frontier.h), in one lane for each plane. A side has
 * two planes: positions where the side is to move, and positions where the other side is. The turn changes
 * with every move, so an edge leads from one plane to the other. The same planes serve both sides, since an
 * index does not contain which of them is to move.
 *
 * Ranks run the same rounds, and at the end of a round they agree on whether a loop ends. A rank that has
 * failed only takes part in collective calls.
 */
#ifndef SOLVER_ENGINES_REPETITION_WORK_H
#define SOLVER_ENGINES_REPETITION_WORK_H

#include "solver/checkpoint/checkpointer.h"
#include "solver/checkpoint/unit_arrays.h"
#include "solver/engines/engine.h"
#include "solver/propagate/frontier.h"
#include "solver/propagate/remote_lookup.h"

/* Planes. The side whose guarantees are computed is to move in SIDE_MOVES, the other side in OTHER_MOVES. */
enum { SIDE_MOVES = 0, OTHER_MOVES = 1 };

/* Parts of the byte of state of a position and plane. */
enum {
  STATE_IN_X = 0x80,    /* set if the position is in X */
  STATE_STAYS = 0x40,   /* set if the position was chosen for Z */
  STATE_DROPPED = 0x20, /* set if the position was dropped from Z or Y */
  /* In SIDE_MOVES, the number of moves into the rest of Z or Y. In OTHER_MOVES, the number of quiet moves
   * that do not lead to X. */
  STATE_COUNT = 0x1F
};

enum { OWN_ROW_BLOCK = 4096 };

/* The two programs: guarantees on a fresh history (own_row.c), or on every history (any_history.c). */
typedef enum { OWN_ROW_FRESH, OWN_ROW_ANY } own_row_program;

typedef struct own_row own_row;

/* The state of a worker that other workers do not read. */
typedef struct {
  own_row *all;
  int number;
  int64_t staying; /* change of the number of staying positions in this round */
  bool leaves;     /* true if this worker added a position to X that pays less than t */
} own_row_member;

struct own_row {
  const solve_job *job;
  comm *comm;
  uint32_t slice, shard;
  /* First index and number of positions of this rank. Other members count positions from `first` on. */
  uint64_t first, n;
  own_row_program program;
  bool with_stages;
  int largest;
  sharded_slice *sharded;
  const slice_layout *layout;
  /* The guarantee of the side or, before it is known, the worth for the side of an end or of the best
   * converting move (if the other side moves, of the worst). Finally the bounds. */
  int8_t *cells[SOLVE_PLANES];
  uint16_t *stages[SOLVE_PLANES]; /* NULL without stages */
  arena lists;
  int8_t *pays;                  /* [n] worth of a repetition for the mover */
  void *next;                    /* next set of the frontier */
  own_row_member *members;       /* [threads] */
  uint8_t *states[SOLVE_PLANES]; /* [plane][n] */
  frontier frontier;
  remote_lookup lookup;
  lookup_round first_pass;
  uint16_t stage;
  /* Sums over the workers of this rank, before a barrier. */
  _Atomic int64_t staying_here;
  _Atomic bool leaves_here;
  /* Sums over all ranks, after a barrier. */
  uint64_t changed; /* positions marked for this round */
  int64_t staying;  /* positions that were chosen for Z and not dropped */
  bool leaves;      /* true if X received positions that pay less than t since the last search of Z */
  bool any_failed;
  /* The state of the run, which checkpoints save as bytes. */
  struct {
    /* One bit per value from INT8_MIN on, set if an end, a conversion or a payment is worth exactly this
     * value. */
    _Atomic uint64_t worths[4];
    int64_t threshold;
  } run;

  unit_arrays arrays;
  checkpoint_units units;
  checkpointer checkpointer;
  bool resumed;
};

static inline bool own_row_has_failed(const own_row *all) {
  return all->any_failed || all->frontier.broken;
}

/* Returns the worth of a repetition for the side. */
static inline int own_row_pays(const own_row *all, int plane, uint64_t i) {
  return plane == SIDE_MOVES ? all->pays[i] : -all->pays[i];
}

/* Adds a position, whose state has STATE_IN_X already, to X: sets its cell and stage, and marks it. */
static inline void own_row_settle(own_row_member *mine, int plane, uint64_t i) {
  own_row *all = mine->all;
  all->cells[plane][i] = (int8_t)all->run.threshold;
  if (all->stages[plane]) all->stages[plane][i] = all->stage;
  if (own_row_pays(all, plane, i) < all->run.threshold) mine->leaves = true;
  frontier_mark(&all->frontier, mine->number, plane, i);
}

/* Runs a round: marked positions send their updates, and ranks add up the sums of their workers. Returns true
 * if any position of any rank was marked. Collective. */
bool own_row_run_round(own_row_member *mine, worker *self, frontier_receive *receive);
/* Runs rounds until no position is marked. Collective. */
void own_row_propagate(own_row_member *mine, worker *self, frontier_receive *receive);

/* Visits the positions in blocks, with all workers, and stops after a failure. */
typedef void own_row_block(own_row_member *mine, uint64_t first, uint64_t end);
void own_row_each_block(own_row_member *mine, worker *self, own_row_block *work);

/* The program for every history, with the set Y of any_history.c. own_row_solve_any_threshold solves one
 * threshold and is collective. After the last threshold, own_row_any_finish gives positions from which the
 * side still forces Y the greatest value and turns the guarantees of all positions into bounds. */
void own_row_solve_any_threshold(own_row_member *mine, worker *self);
own_row_block own_row_any_finish;
/* Finds Z, adds it to X and marks its positions. Collective. */
void own_row_find_region(own_row_member *mine, worker *self);

#endif
