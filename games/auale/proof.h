/* Private to the proof of aualé: boards in strips.
 *
 * A group is all boards whose mover's row has k of the n seeds. A strip is up to 64 boards of one mover's row
 * a whose opponent's rows z are neighbours: they are neighbours in the index as well. A move from a leaves
 * one row, the same for all of the strip, and adds the same seeds to each z; so the children are in few runs
 * of neighbours if the mover's rows are innermost. `worths` has this order, in blocks of 64 rows. A worth is
 * 128 minus the child's value, so bytes are compared without a sign.
 *
 * The places of rows begin with the open rows, in the order of their ranks, so that a move inside the own row
 * leads to one run. A strip is marked until it is first computed, when its values are held, and when a child
 * of it is proven or dropped. Only marked strips are computed, so a missing mark could leave a held value
 * that does not follow. Threads write bytes that others read; old and new bytes are both correct.
 */
#ifndef GAMES_AUALE_PROOF_H
#define GAMES_AUALE_PROOF_H

#include "games/auale/position.h"
#include "games/game_grid.h"
#include "games/game_proof.h"
#include "indexers/row_pair.h"

enum { STRIP = 64, NO_PROOF_MOVE = -1, NO_WORTH = 0, ZERO_WORTH = 128 };

/* Marks of a strip. MARKED_FIRST: it was never computed, so values that conversions prove count as new. */
enum { MARKED = 1, MARKED_FIRST = 2 };

/* A move as the mover's row alone determines it. `after` is the open rank of the row that it leaves. */
typedef struct {
  uint32_t after;
  uint8_t landed; /* seeds that land in the opponent's row */
  int8_t pit;     /* pit of the move, or NO_PROOF_MOVE behind the last move */
  bool last;      /* true if the last seed lands in the opponent's row */
} proof_move;

/* Opponent's rows [z, z + n) of a strip that become mover's rows of neighbouring places, from `to` on. */
typedef struct {
  uint32_t to;
  uint8_t z, n;
  bool quiet; /* true if the last seed captures nothing in these rows, so that moves ending there are quiet,
                 too */
} proof_run;

/* A capture from row z of a strip: its seeds, and the rank of the row that is left. */
typedef struct {
  uint32_t left;
  uint8_t z, captured;
} proof_capture;

/* The runs and captures of opponent's rows of s seeds in which u seeds land. The runs of strip i are
 * numbered first_run[i] … first_run[i + 1] − 1, its captures likewise. */
typedef struct {
  uint32_t *first_run, *first_capture;
  proof_run *runs;
  proof_capture *captures;
} proof_landing;

/* The mover's rows whose moves land u seeds and leave a row of s seeds, as places. Those that leave the row
 * of open rank r are numbered first[r] … first[r + 1] − 1. */
typedef struct {
  uint32_t *first, *rows;
} proof_origins;

/* Rows with k seeds, and the group of boards with these mover's rows. `filled` marks the cells that
 * PROOF_VALUES filled, and from PROOF_HOLD on the held ones. */
typedef struct {
  uint32_t rows, open;
  uint32_t *rank;                /* [place] rank of the row */
  uint32_t *place;               /* [rank] place of the row */
  uint8_t (*pits)[ROW_PITS];     /* [place] */
  proof_move (*moves)[ROW_PITS]; /* [place] moves of the row */
  proof_landing *landings;       /* [seeds that land] for opponent's rows of k seeds */
  proof_origins *origins;        /* [seeds that landed] for moves that leave a row of k seeds */
  uint32_t blocks;               /* number of blocks of mover's rows */
  uint32_t strips;               /* number of strips of opponent's rows */
  uint32_t columns;              /* number of opponent's rows */
  uint8_t *worths[GRID_PLANES];  /* [block][opponent's row][64 mover's rows] */
  uint64_t *proven[GRID_PLANES], *filled[GRID_PLANES]; /* [strip][mover's row] a bit per board */
  uint8_t *marks[GRID_PLANES];                         /* [strip][mover's row] */
  uint8_t *marked_blocks[GRID_PLANES];                 /* [strip][block] */
} proof_group;

struct game_proof_run {
  game_proof_job job;
  unsigned seeds;
  row_pair_groups index[AUALE_MAX_SEEDS + 1]; /* [seeds] */
  proof_group groups[AUALE_MAX_SEEDS + 1];
};

game_proof_run *auale_proof_open(const game_proof_job *job, arena *arrays);

/* A strip: boards of group k with the mover's row at `place`. */
typedef struct {
  unsigned k;
  uint32_t place, strip;
  uint32_t n; /* number of boards, up to 64 */
  uint64_t index;
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

proof_strip auale_proof_find_strip(const game_proof_run *run, unsigned k, uint32_t place, uint32_t strip);
/* Raise the worths that moves exceed. auale_proof_raise_converting: converting moves or, if the boards have
 * ended, their end. auale_proof_raise_quiet: moves that stay in the slice. */
void auale_proof_raise_converting(const game_proof_run *run, const proof_strip *at, int plane,
                                  uint8_t worths[STRIP]);
void auale_proof_raise_quiet(const game_proof_run *run, const proof_strip *at, int plane,
                             uint8_t worths[STRIP]);

/* Return a bit for each lane, 1 if the byte of `a` is greater than that of `b`, or if the two are equal. */
uint64_t auale_proof_greater_lanes(const uint8_t a[STRIP], const uint8_t b[STRIP]);
uint64_t auale_proof_equal_lanes(const uint8_t a[STRIP], const uint8_t b[STRIP]);

void auale_proof_begin(game_proof_run *run, unsigned k, uint32_t block);
uint64_t auale_proof_work_on_band(game_proof_run *run, unsigned band, uint32_t item, bool drops);
/* auale_proof_hold holds the unproven values for which a repetition pays enough. auale_proof_mark_before_held
 * marks the predecessors of held values that were not dropped. Both return the number of held values. */
uint64_t auale_proof_hold(game_proof_run *run, const proof_strip *at, int plane);
uint64_t auale_proof_mark_before_held(game_proof_run *run, const proof_strip *at, int plane);
uint64_t auale_proof_count_unproven(game_proof_run *run, const proof_strip *at, int plane);
/* The lanes whose value the mover must be able to force, and those whose value the other side must. */
typedef struct {
  uint64_t mover, other;
  uint8_t values[STRIP]; /* values plus 128 */
} proof_forced;
proof_forced auale_proof_find_forced(const game_proof_run *run, const proof_strip *at, int plane);

#endif
