/* The engine for rules under which the first repetition ends play and pays what the position says
 * (game->repeated): bounds for a fresh history, that is right after a converting move, or for every history.
 *
 * For a side and a threshold t, X grows from nothing: positions from which the side forces X or an end worth
 * t or more in one move; and whole regions Z of positions that pay the side t or more if they repeat, in
 * which it can keep play or leave it for X only. A side that follows that from a position of X gets t; why,
 * and for which histories, is in docs/proofs.md, "Own row". The cells are those of one least fixpoint over
 * greatest ones, and rounds do not depend on threads, ranks or shards, so neither do cells and stages.
 *
 * Stages are the depths of the slice, one for each guarantee: for t or more, the side forces a position with
 * a greater guarantee, or an equal one and a smaller stage, or an end worth t; or it keeps play in stages up
 * to its own, on a position that pays it t. SOLVE_NO_DEPTH where nothing is guaranteed.
 *
 * A slice has one shard per rank, all of them in memory. A position may have up to 31 quiet moves.
 *
 * own_row.c goes through thresholds, in rounds; arrays.c opens and closes; begin.c evaluates all moves once;
 * attract.c lets X grow by single moves; safe.c finds Z; any_history.c is the program for every history.
 * Marked positions send updates to their predecessors (frontier.h), a lane for each plane. A side has two
 * planes, positions where it is to move and where the other is: whose turn it is changes with every move, so
 * an edge leads from one plane to the other. The two sides need no planes of their own, since a position does
 * not say which side its mover is.
 *
 * Ranks go through the same rounds, and agree at their ends on whether a loop ends. A rank that fails only
 * takes part in what is collective.
 */
#ifndef SOLVER_ENGINES_REPETITION_WORK_H
#define SOLVER_ENGINES_REPETITION_WORK_H

#include "solver/checkpoint/checkpointer.h"
#include "solver/checkpoint/unit_arrays.h"
#include "solver/engines/engine.h"
#include "solver/propagate/frontier.h"
#include "solver/propagate/remote_lookup.h"

/* Planes by whose move it is: the side that guarantees, or the other one. */
enum { SIDE_MOVES = 0, OTHER_MOVES = 1 };

/* A byte of state per position and plane. */
enum {
  STATE_IN_X = 0x80,    /* in X */
  STATE_STAYS = 0x40,   /* perhaps in Z */
  STATE_DROPPED = 0x20, /* no, not in Z */
  /* SIDE_MOVES: moves that keep play in what is left of Z. OTHER_MOVES: quiet moves that do not lead to X. */
  STATE_COUNT = 0x1F
};

enum { OWN_ROW_BLOCK = 4096 };

/* The fixpoints: what a side guarantees on a fresh history (own_row.c), and on every one (any_history.c). */
typedef enum { OWN_ROW_FRESH, OWN_ROW_ANY } own_row_program;

typedef struct own_row own_row;

/* The private state of a worker. */
typedef struct {
  own_row *all;
  int number;
  int64_t staying; /* more in this round, or less */
  bool leaves;     /* see own_row */
} own_row_member;

struct own_row {
  const solve_job *job;
  comm *comm; /* or NULL */
  uint32_t slice, shard;
  uint64_t first, n; /* the positions here, by index; elsewhere they are counted from the first */
  own_row_program program;
  bool with_stages;
  int largest, threshold;
  sharded_slice *sharded;
  const slice_layout *layout;
  /* The guarantee of the side where it is known; before, the best that its converting moves give, or leave it
   * at worst. */
  int8_t *cells[SOLVE_PLANES];
  uint16_t *stages[SOLVE_PLANES]; /* or NULL */
  arena lists;                    /* of the four below */
  int8_t *pays;                   /* the mover, if it repeats */
  void *next;                     /* of the frontier: positions marked for the next round */
  own_row_member *members;
  uint8_t *states[SOLVE_PLANES];
  frontier frontier;
  remote_lookup lookup;
  lookup_round first_pass;
  uint16_t stage;
  /* Sums that workers add up before a barrier; after it, the sums that ranks agreed on. */
  _Atomic int64_t staying_here;
  _Atomic bool leaves_here;
  uint64_t changed;           /* positions marked for this round */
  int64_t staying;            /* positions that may stay and are not dropped */
  bool leaves;                /* X took in positions that pay less than t since Z was last found */
  bool over;                  /* some rank failed */
  _Atomic uint64_t levels[4]; /* bits, INT8_MIN …: a side ends, converts or is paid for exactly this */

  unit_arrays arrays;
  checkpoint_units units;
  checkpointer checkpointer;
  bool resumed;
  struct {
    uint64_t levels[4];
    int64_t threshold;
  } kept; /* of the fields above, in a checkpoint */
};

static inline bool own_row_is_over(const own_row *all) {
  return all->over || all->frontier.broken;
}

/* The payment of a repetition to the side. */
static inline int own_row_pays(const own_row *all, int plane, uint64_t i) {
  return plane == SIDE_MOVES ? all->pays[i] : -all->pays[i];
}

/* Puts a position into X whose state says so already. */
static inline void own_row_settle(own_row_member *mine, int plane, uint64_t i) {
  own_row *all = mine->all;
  all->cells[plane][i] = (int8_t)all->threshold;
  if (all->stages[plane]) all->stages[plane][i] = all->stage;
  if (own_row_pays(all, plane, i) < all->threshold) mine->leaves = true;
  frontier_mark(&all->frontier, mine->number, plane, i);
}

/* Marked positions send their updates; the ranks add up what their workers have marked and counted until
 * then. True if anything was marked. Collective. */
bool own_row_run_round(own_row_member *mine, worker *self, frontier_receive *receive);
frontier_take_sums own_row_take_sums;
/* Rounds until nothing is marked any more. Collective. */
void own_row_propagate(own_row_member *mine, worker *self, frontier_receive *receive);

/* All positions, block by block, by all workers, unless something has failed. */
typedef void own_row_block(own_row_member *mine, uint64_t first, uint64_t end);
void own_row_each_block(own_row_member *mine, worker *self, own_row_block *work);

/* All moves of all positions, once; fills cells, states, pays and levels. Collective. */
void own_row_first_pass(own_row_member *mine, worker *self);
/* Settles positions at a new threshold by conversions and ends alone. */
own_row_block own_row_begin;
/* Every history: thresholds from the least up, and bounds of what has been kept. Collective. */
void own_row_any_threshold(own_row_member *mine, worker *self);
own_row_block own_row_any_finish;
/* X grows until no single move adds to it. Collective. */
void own_row_grow(own_row_member *mine, worker *self);
/* Finds Z and adds it to X, marked. Collective. */
void own_row_hold(own_row_member *mine, worker *self);

/* Opens what a shard needs, and resumes a checkpoint; to be closed also after an error. */
tauler_error own_row_open(own_row *all, tauler_message *message);
void own_row_close(own_row *all);
/* Before a checkpoint is written. */
void own_row_fill_kept(void *user);
/* A member of cell_engine. */
uint64_t own_row_bytes(const solve_job *job, uint32_t slice, bool stages, uint32_t shards,
                       uint32_t shards_per_rank, uint64_t *waiting);

#endif
