/* Private to the own-row engine: what its parts share while a slice is solved.
 *
 * own_row.c opens, goes through thresholds and closes; own_row_sure.c lets X grow by single moves;
 * own_row_held.c finds Z. A side is looked at in two planes, positions where it is to move and where the
 * other is: whose turn it is changes with every move, so an edge leads from one plane to the other. The two
 * sides need not be told apart, since a position does not say who its mover is.
 */
#ifndef SOLVER_OWN_ROW_WORK_H
#define SOLVER_OWN_ROW_WORK_H

#include <stdatomic.h>

#include "solver/crew.h"
#include "solver/own_row.h"

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

enum { OWN_ROW_BLOCK = 4096, OWN_ROW_BATCH = 1024, OWN_ROW_EDGES = 2048 };

typedef struct own_row own_row;

/* What a member of the crew keeps to itself. */
typedef struct {
  own_row *all;
  int plane;       /* of the positions whose moves are at hand */
  uint64_t news;   /* marked in this round */
  int64_t staying; /* more in this round, or less */
  bool leaves;     /* see own_row */
  game_edge edges[OWN_ROW_EDGES];
  uint64_t index[OWN_ROW_BATCH];
  int16_t ended[OWN_ROW_BATCH];
  uint8_t bad[OWN_ROW_BATCH], count[OWN_ROW_BATCH];
} own_row_member;

struct own_row {
  const solve_job *job;
  uint32_t slice;
  uint64_t n;
  int largest, threshold;
  /* What the side is guaranteed where that is known; before, what its converting moves give it at best, or
   * leave it at worst. */
  int8_t *cells[SOLVE_PLANES];
  uint16_t *stages[SOLVE_PLANES]; /* or NULL */
  uint8_t *states[SOLVE_PLANES];
  int8_t *pays; /* the mover, if it repeats */
  /* A bit each: positions of this round, and of the next. */
  uint64_t *marked[SOLVE_PLANES], *following[SOLVE_PLANES];
  own_row_member *members;
  uint16_t stage;
  _Atomic uint64_t news;              /* positions marked for the next round */
  _Atomic int64_t staying;            /* positions that may stay and are not dropped */
  _Atomic bool leaves;                /* X took in positions that pay less than t since Z was last found */
  _Atomic bool levels[UINT8_MAX + 1]; /* INT8_MIN …: somebody ends, converts or is paid for exactly this */
  _Atomic int failed;
  tauler_message message;
};

static inline uint64_t own_row_blocks(const own_row *all) {
  return (all->n + OWN_ROW_BLOCK - 1) / OWN_ROW_BLOCK;
}

/* What a repetition pays the side. */
static inline int own_row_pays(const own_row *all, int plane, uint64_t i) {
  return plane == SIDE_MOVES ? all->pays[i] : -all->pays[i];
}

static inline uint8_t own_row_state(const own_row *all, int plane, uint64_t i) {
  return __atomic_load_n(&all->states[plane][i], __ATOMIC_RELAXED);
}

static inline void own_row_mark(own_row_member *member, int plane, uint64_t i) {
  __atomic_fetch_or(&member->all->following[plane][i / 64], UINT64_C(1) << (i % 64), __ATOMIC_RELAXED);
  member->news++;
}

/* Puts a position into X whose state says so already. */
static inline void own_row_settle(own_row_member *member, int plane, uint64_t i) {
  own_row *all = member->all;
  all->cells[plane][i] = (int8_t)all->threshold;
  if (all->stages[plane]) all->stages[plane][i] = all->stage;
  if (own_row_pays(all, plane, i) < all->threshold) member->leaves = true;
  own_row_mark(member, plane, i);
}

/* The threshold at hand is worked off if anything hangs on it that did not on the one before. */
static inline bool own_row_is_level(const own_row *all) {
  return all->levels[all->threshold - INT8_MIN];
}

/* The first failure counts. */
void own_row_note(own_row *all, tauler_error error);

/* Adds up what members have to say, has a new round begin, and says whether anything is marked for it. */
bool own_row_meet(own_row_member *member, crew_member *crew);

typedef tauler_error own_row_visit(void *user, const game_edge *edges, size_t n);

/* The moves of the first n positions of member->index, or their quiet predecessors. */
tauler_error own_row_moves(own_row_member *member, size_t n, own_row_visit *visit);

/* Tells the predecessors of all marked positions, in all blocks. */
void own_row_tell(own_row_member *member, crew_member *crew, own_row_visit *visit);

/* All moves of all positions, once; fills cells and states. */
void own_row_look(own_row_member *member, crew_member *crew);
/* What settles at a new threshold by conversions and ends alone, and what may stay. */
void own_row_begin(own_row_member *member, crew_member *crew);
/* X grows until no single move adds to it. */
void own_row_grow(own_row_member *member, crew_member *crew);
/* Finds Z and adds it to X, marked to be told. */
void own_row_hold(own_row_member *member, crew_member *crew);

#endif
