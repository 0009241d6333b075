/* The engine for rules under which the first repetition ends play and pays what the position says
 * (game->repeated). It finds bounds for a fresh history, that is right after a converting move, or for every
 * history.
 *
 * Such a rule makes values depend on the history, so values cannot be settled one position at a time. The
 * engine therefore finds, for a side and a threshold t, a set X of positions from which the side gets t. X
 * grows from nothing: by positions from which the side forces X or an end worth t or more in one move, and by
 * whole regions Z of positions that pay the side t or more if they repeat, in which it can keep play or leave
 * it for X only. docs/proofs.md, "Own row", says why this is enough and for which histories. The cells are
 * those of one least fixpoint over greatest ones, and rounds do not depend on threads, ranks or shards.
 * Neither do cells and stages.
 *
 * Stages are the depths of the slice, one for each guarantee. A side with guarantee t can force, in one move,
 * a position with a greater guarantee, a position with guarantee t and a smaller stage, or an end worth t. Or
 * it keeps play in stages up to its own, on a position that pays it t. A stage is SOLVE_NO_DEPTH if nothing
 * is guaranteed.
 *
 * A slice has one shard per rank, all of them in memory. A position may have up to 31 quiet moves.
 *
 * own_row.c evaluates all moves once, runs thresholds and rounds, and grows X by single moves. safe.c
 * finds Z. any_history.c is the program for every history. Marked
 * positions send updates to their predecessors (frontier.h), one lane for each plane. A side has two planes:
 * positions where it is to move and positions where the other side is. The turn changes with every move, so
 * an edge leads from one plane to the other. The two sides need no planes of their own, since a position does
 * not say which side its mover is.
 *
 * Ranks run the same rounds and agree at their ends on whether a loop ends. A rank that fails only takes part
 * in collective calls.
 */
#ifndef SOLVER_ENGINES_REPETITION_WORK_H
#define SOLVER_ENGINES_REPETITION_WORK_H

#include "solver/checkpoint/checkpointer.h"
#include "solver/checkpoint/unit_arrays.h"
#include "solver/engines/engine.h"
#include "solver/propagate/frontier.h"
#include "solver/propagate/remote_lookup.h"

/* Planes: SIDE_MOVES if the side that guarantees is to move, OTHER_MOVES if the other one is. */
enum { SIDE_MOVES = 0, OTHER_MOVES = 1 };

/* A byte of state per position and plane. */
enum {
  STATE_IN_X = 0x80,    /* is in X */
  STATE_STAYS = 0x40,   /* was chosen for Z */
  STATE_DROPPED = 0x20, /* was dropped from Z */
  /* SIDE_MOVES: number of moves that keep play in what is left of Z. OTHER_MOVES: number of quiet moves that
   * do not lead to X. */
  STATE_COUNT = 0x1F
};

enum { OWN_ROW_BLOCK = 4096 };

/* The program: guarantees on a fresh history (own_row.c), or on every history (any_history.c). */
typedef enum { OWN_ROW_FRESH, OWN_ROW_ANY } own_row_program;

typedef struct own_row own_row;

/* The private state of a worker. */
typedef struct {
  own_row *all;
  int number;
  int64_t staying; /* change of the number that stay, in this round */
  bool leaves;     /* as own_row.leaves, for this worker */
} own_row_member;

struct own_row {
  const solve_job *job;
  comm *comm; /* NULL if there is one process */
  uint32_t slice, shard;
  /* First index and number of positions of this rank. All other numbers of positions count from `first`. */
  uint64_t first, n;
  own_row_program program;
  bool with_stages;
  int largest;
  sharded_slice *sharded;
  const slice_layout *layout;
  /* The guarantee of the side if it is known. Before, the best that converting moves give it, or the worst
   * that they leave it. */
  int8_t *cells[SOLVE_PLANES];
  uint16_t *stages[SOLVE_PLANES]; /* NULL without stages */
  arena lists;                    /* memory of pays, next, members and states */
  int8_t *pays;                   /* worth of a repetition to the mover */
  void *next;                     /* next set of the frontier */
  own_row_member *members;        /* [threads] */
  uint8_t *states[SOLVE_PLANES];  /* [plane][n] */
  frontier frontier;
  remote_lookup lookup;
  lookup_round first_pass;
  uint16_t stage;
  /* Sums that workers add up before a barrier. The fields below have the sums of all ranks after it. */
  _Atomic int64_t staying_here;
  _Atomic bool leaves_here;
  uint64_t changed; /* positions marked for this round */
  int64_t staying;  /* positions that were chosen for Z and not dropped */
  bool leaves;      /* X received positions that pay less than t since Z was last found */
  bool any_failed;  /* some rank failed */
  /* The state of the run, saved in checkpoints as it is. */
  struct {
    /* One bit per value from INT8_MIN on: 1 if a side ends, converts or is paid for exactly this. */
    _Atomic uint64_t levels[4];
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

/* The payment of a repetition to the side. */
static inline int own_row_pays(const own_row *all, int plane, uint64_t i) {
  return plane == SIDE_MOVES ? all->pays[i] : -all->pays[i];
}

/* Adds a position to X. Its state must say so already. */
static inline void own_row_settle(own_row_member *mine, int plane, uint64_t i) {
  own_row *all = mine->all;
  all->cells[plane][i] = (int8_t)all->run.threshold;
  if (all->stages[plane]) all->stages[plane][i] = all->stage;
  if (own_row_pays(all, plane, i) < all->run.threshold) mine->leaves = true;
  frontier_mark(&all->frontier, mine->number, plane, i);
}

/* Runs a round: marked positions send their updates, and ranks add up what their workers have marked and
 * counted. Returns true if any position was marked. Collective. */
bool own_row_run_round(own_row_member *mine, worker *self, frontier_receive *receive);
frontier_use_sums own_row_receive_sums;
/* Runs rounds until nothing is marked. Collective. */
void own_row_propagate(own_row_member *mine, worker *self, frontier_receive *receive);

/* Calls `work` for all positions, block by block, in all workers, until something fails. */
typedef void own_row_block(own_row_member *mine, uint64_t first, uint64_t end);
void own_row_each_block(own_row_member *mine, worker *self, own_row_block *work);

/* The program for every history. Y is the set that any_history.c finds for each threshold.
 * own_row_any_threshold solves a threshold and is collective. After the last, own_row_any_finish gives
 * positions still in Y the greatest value and turns the guarantees of all positions into bounds. */
void own_row_any_threshold(own_row_member *mine, worker *self);
own_row_block own_row_any_finish;
/* Finds Z, adds it to X and marks its positions. Collective. */
void own_row_hold(own_row_member *mine, worker *self);

#endif
