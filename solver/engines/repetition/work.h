/* Private to the own-row engine: what its parts shard while a slice is solved.
 *
 * own_row.c goes through thresholds, in rounds; arrays.c opens and closes; begin.c looks at all moves once;
 * attract.c lets X grow by single moves; safe.c finds Z; any_history.c is the program for every history.
 * Marked positions send updates to their predecessors (frontier.h), a lane for each plane. A side is looked
 * at in two planes, positions where it is to move and where the other is: whose turn it is changes with every
 * move, so an edge leads from one plane to the other. The two sides need not be told apart, since a position
 * does not say who its mover is.
 *
 * Ranks go through the same rounds. What they go by, whether a loop ends, they have agreed on when they met;
 * a rank that fails does nothing more but come to the meetings.
 */
#ifndef SOLVER_ENGINES_REPETITION_WORK_H
#define SOLVER_ENGINES_REPETITION_WORK_H

#include "solver/checkpoint/checkpointer.h"
#include "solver/engines/repetition/own_row.h"
#include "solver/propagate/frontier.h"
#include "solver/propagate/remote_lookup.h"

/* Planes by whose move it is: the side that guarantees, or the other one. */
enum { SIDE_MOVES = 0, OTHER_MOVES = 1 };

/* A byte of state per position and plane. */
enum {
  STATE_SURE = 0x80,    /* in X */
  STATE_STAYS = 0x40,   /* perhaps in Z */
  STATE_DROPPED = 0x20, /* no, not in Z */
  /* SIDE_MOVES: moves that keep play in what is left of Z. OTHER_MOVES: quiet moves that do not lead to X. */
  STATE_COUNT = 0x1F
};

enum { OWN_ROW_BLOCK = 4096 };

/* The fixpoints: what a side guarantees on a fresh history (own_row.c), and on every one (any_history.c). */
typedef enum { OWN_ROW_FRESH, OWN_ROW_ANY } own_row_program;

typedef struct own_row own_row;

/* What a worker keeps to itself. */
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
  sharded_slice *spread;
  const slice_layout *layout;
  /* What the side is guaranteed where that is known; before, what its converting moves give it at best, or
   * leave it at worst. */
  int8_t *cells[SOLVE_PLANES];
  uint16_t *stages[SOLVE_PLANES]; /* or NULL */
  uint8_t *states[SOLVE_PLANES];
  int8_t *pays; /* the mover, if it repeats */
  void *next;   /* of the frontier: positions marked for the next round */
  own_row_member *members;
  frontier frontier;
  inquiry inquiry;
  inquiry_round look;
  uint16_t stage;
  /* What workers say before a barrier; what ranks have agreed on then. */
  _Atomic int64_t staying_here;
  _Atomic bool leaves_here;
  uint64_t changed;           /* positions marked for this round */
  int64_t staying;            /* positions that may stay and are not dropped */
  bool leaves;                /* X took in positions that pay less than t since Z was last found */
  bool over;                  /* some rank failed */
  _Atomic uint64_t levels[4]; /* bits, INT8_MIN …: somebody ends, converts or is paid for exactly this */

  checkpoint_units units;
  checkpointer checkpointer;
  bool resumed;
  struct {
    uint64_t levels[4];
    int64_t threshold;
  } kept; /* of the fields above, in a checkpoint */
};

static inline uint64_t own_row_blocks(const own_row *all) {
  return (all->n + OWN_ROW_BLOCK - 1) / OWN_ROW_BLOCK;
}

static inline uint64_t own_row_block_end(const own_row *all, uint64_t block) {
  const uint64_t end = (block + 1) * OWN_ROW_BLOCK;
  return end < all->n ? end : all->n;
}

/* What a repetition pays the side. */
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

/* Adds up what workers of all ranks have marked and counted, has a new round begin, and says whether anything
 * is marked for it. Collective. */
bool own_row_meet(own_row_member *mine, worker *self);

/* All moves of all positions, once; fills cells, states, pays and levels. Collective. */
void own_row_look(own_row *all, worker *self);
/* What settles at a new threshold by conversions and ends alone, and what may stay. */
void own_row_begin(own_row_member *mine, worker *self);
/* Every history: thresholds from the least up, and bounds of what has been kept. Collective. */
void own_row_any_threshold(own_row_member *mine, worker *self);
void own_row_any_finish(own_row *all, worker *self);
/* X grows until no single move adds to it. Collective. */
void own_row_grow(own_row_member *mine, worker *self);
/* Finds Z and adds it to X, marked to be told. Collective. */
void own_row_hold(own_row_member *mine, worker *self);

/* Opens what a shard needs, and takes a checkpoint up; to be closed also after an
 * error. */
tauler_error own_row_open(own_row *all, tauler_message *message);
void own_row_close(own_row *all);
/* Before a checkpoint is written. */
void own_row_fill_kept(void *user);

#endif
