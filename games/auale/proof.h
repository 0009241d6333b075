/* Private to the proof of aualé: boards in strips.
 *
 * A group is all boards whose mover's row has k of the n seeds. A strip is 64 boards of one mover's row a
 * whose opponent's rows z are neighbours: they are neighbours in the index as well. A move from a leaves one
 * row, the same for all of the strip, and adds the same seeds to each z; so the children stand in few runs of
 * neighbours, if they are kept with the mover's rows innermost. `worths` keeps them so, in blocks of 64 rows,
 * as 128 less the child's value: what the move is worth, where bytes are compared without a sign.
 *
 * Rows have a place that puts open rows first, in the order of their ranks: a move that stays in the own row
 * then leads to one run. Marks say which strips have a child that was proven; they save work, no proof rests
 * on them. Threads write bytes that others read; each value that can be read is true.
 */
#ifndef GAMES_AUALE_PROOF_H
#define GAMES_AUALE_PROOF_H

#include "games/auale/position.h"
#include "games/game_grid.h"
#include "games/game_proof.h"
#include "indexers/row_pair.h"

enum { STRIP = 64, NO_PROOF_MOVE = -1, NO_WORTH = 0, ZERO_WORTH = 128 };

/* MARKED_FIRST: the strip was never computed, so its converting moves must be evaluated, too. */
enum { MARKED = 1, MARKED_FIRST = 2 };

/* A move by the mover's row alone. `after` is the open rank of the row that it leaves. */
typedef struct {
  uint32_t after;
  uint8_t landed; /* seeds in the opponent's row */
  int8_t pit;     /* or NO_PROOF_MOVE, behind the last */
  bool last;      /* the last seed lands in the opponent's row */
} proof_move;

/* Opponent's rows [z, z + n) of a strip that become mover's rows of neighbouring places, from `to` on. */
typedef struct {
  uint32_t to;
  uint8_t z, n;
  bool quiet; /* the last seed captures nothing in these rows, so a move that ends there is quiet, too */
} proof_run;

/* Seeds that the last seed captures from row z of a strip, and the rank of the row that is left. */
typedef struct {
  uint32_t left;
  uint8_t z, captured;
} proof_capture;

/* For s seeds in the opponent's row and u more, by strip: first[i] … first[i + 1] − 1. */
typedef struct {
  uint32_t *first_run, *first_capture;
  proof_run *runs;
  proof_capture *captures;
} proof_landing;

/* Mover's rows, by place, whose moves of u seeds leave a row of s seeds: those of open rank r are
 * first[r] … first[r + 1] − 1. */
typedef struct {
  uint32_t *first, *rows;
} proof_origins;

/* Rows with k seeds, and the group of boards whose mover's row they are. Until all cells agree, `filled` are
 * the cells that were reserved. Afterwards they are the cells that are held. */
typedef struct {
  uint32_t rows, open;
  uint32_t *rank;                /* by place */
  uint32_t *place;               /* by rank */
  uint8_t (*pits)[ROW_PITS];     /* by place */
  proof_move (*moves)[ROW_PITS]; /* by place */
  proof_landing *landings;       /* by seeds that land, these being the opponent's rows */
  proof_origins *origins;        /* by seeds that landed, these being the rows left */
  uint32_t blocks;               /* blocks of mover's rows */
  uint32_t strips;               /* strips of opponent's rows */
  uint32_t columns;              /* opponent's rows */
  uint8_t *worths[GRID_PLANES];  /* [block][opponent's row][64 mover's rows] */
  uint64_t *proven[GRID_PLANES], *filled[GRID_PLANES]; /* [strip][mover's row]: a bit per board */
  uint8_t *marks[GRID_PLANES];                         /* [strip][mover's row] */
  uint8_t *marked_blocks[GRID_PLANES];                 /* [strip][block] */
} proof_group;

struct game_proof_run {
  game_proof_job job;
  unsigned seeds;
  row_pair_groups index[AUALE_MAX_SEEDS + 1]; /* by seeds */
  proof_group groups[AUALE_MAX_SEEDS + 1];
};

/* proof_tables.c */
game_proof_run *auale_proof_open(const game_proof_job *job, arena *arrays);

/* One strip: the boards of group k with the mover's row at `place`. */
typedef struct {
  unsigned k;
  uint32_t place, strip;
  uint32_t n;     /* boards, up to 64 */
  uint64_t index; /* index of the first board */
} proof_strip;

static inline uint64_t *proof_bits(uint64_t *const bits[GRID_PLANES], const proof_group *group, int plane,
                                   const proof_strip *at) {
  return &bits[plane][(uint64_t)at->strip * group->rows + at->place];
}

static inline uint64_t proof_lanes(const proof_strip *at) {
  return at->n == STRIP ? ~UINT64_C(0) : (UINT64_C(1) << at->n) - 1;
}

static inline int8_t *proof_cell(const game_proof_run *run, const proof_strip *at, int plane, uint32_t z) {
  const int planes = run->job.planes;
  return &run->job.cells[run->seeds][(at->index + z) * (unsigned)planes + (unsigned)plane];
}

proof_strip auale_proof_strip(const game_proof_run *run, unsigned k, uint32_t place, uint32_t strip);
/* Raises worths to those of the moves of a plane that convert, or that stay in the slice. */
void auale_proof_convert(const game_proof_run *run, const proof_strip *at, int plane, uint8_t worths[STRIP]);
void auale_proof_stay(const game_proof_run *run, const proof_strip *at, int plane, uint8_t worths[STRIP]);

/* Lanes whose byte is greater, or the same: a bit each. */
uint64_t auale_proof_above(const uint8_t a[STRIP], const uint8_t b[STRIP]);
uint64_t auale_proof_same(const uint8_t a[STRIP], const uint8_t b[STRIP]);

/* proof_ends.c */
void auale_proof_begin(game_proof_run *run, unsigned k, uint32_t block);
uint64_t auale_proof_band(game_proof_run *run, unsigned band, uint32_t item, bool drops);
/* auale_proof_hold holds the unproven values for which a repetition pays enough. auale_proof_keep marks the
 * predecessors of held values that were not dropped. Both return the number of held values. */
uint64_t auale_proof_hold(game_proof_run *run, const proof_strip *at, int plane);
uint64_t auale_proof_keep(game_proof_run *run, const proof_strip *at, int plane);
/* Values of a strip that are not proven. */
uint64_t auale_proof_left(game_proof_run *run, const proof_strip *at, int plane);
/* Lanes whose value the mover must be able to force, and those for the other side. */
typedef struct {
  uint64_t mover, other;
  uint8_t values[STRIP]; /* 128 more than they are */
} proof_forced;
proof_forced auale_proof_forced(const game_proof_run *run, const proof_strip *at, int plane);

#endif
