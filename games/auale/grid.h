/* Private to the grid kernels of aualé: the row of boards on which a kernel works. (z, a) is the board with
 * the opponent's row z and the own row a, and (z, ·) are all boards of a group with the opponent's row z.
 *
 * Cells stand in index order: free row by free row. While values are solved, the bounds of a tile are stored
 * as strips (grid_values.c). While depths are solved, bounds are stored in the order opposite to that of
 * cells: open row by open row, so that all boards with the opponent's row z are neighbours. After the bounds
 * of each open row one more is stored, for a parent that does not exist. A group is all boards whose free row
 * has k seeds, and a block is all cells of a free row. A tile is up to 64 open rows, with up to eight bytes
 * of changed cells in every free row of its group. Kernels read children from the cells of the whole slice.
 */
#ifndef GAMES_AUALE_GRID_H
#define GAMES_AUALE_GRID_H

#include <string.h>

#include "games/auale/sowing.h"
#include "games/game_grid.h"

enum { PLANE_SCORE = 0, PLANE_LOWER = 0, PLANE_UPPER = 1, CHANGED_RISEN = 0, CHANGED_FALLEN = 1 };
#define NO_BOUND INT8_MIN

static inline int8_t cell_load(const int8_t *cell) {
  return __atomic_load_n(cell, __ATOMIC_RELAXED);
}
static inline void cell_store(int8_t *cell, int8_t value) {
  __atomic_store_n(cell, value, __ATOMIC_RELAXED);
}

/* The open rows [from, to) of the group whose free rows have k seeds. */
typedef struct {
  unsigned seeds, k;
  uint32_t from, to;
} grid_tile;

grid_tile grid_find_tile(const sowing_tables *tables, uint32_t slice, uint64_t tile);

typedef struct {
  const sowing_tables *tables;
  const game_grid_state *state;
  const game_grid_slab *slab;
  const sowing_rows *own, *others; /* rows with k seeds, and rows with the other seeds */
  unsigned seeds, k, z_seeds;
  uint32_t z;
  const uint8_t *z_pits;
  const uint32_t *landed; /* [u] rank of z after u seeds landed in it */
  uint64_t quiet;         /* a bit for each pattern in use that captures nothing and leaves a seed in z */
  /* places in the owner's arrays, by slabs: */
  uint64_t bounds; /* place of the bounds of (z, 0), in the kernel's order. Those of (z, a): bounds + a */
  uint64_t column; /* place of the cell of (z, 0). That of (z, a): column + a · width */
  uint64_t width;
  uint64_t next_changed, next_changed_width; /* byte of the next changed cells of (z, 0), and distance to the
                                                byte of the next free row */
  uint8_t bit;                               /* bit of (z, ·) in these bytes */
} grid_row;

/* Moves to another row of the same tile. Slabs begin at the border of a tile, so the bit of a column in its
 * byte of changed cells is z % 8 in every slab. */
static inline void grid_go_to_row(grid_row *row, uint32_t z) {
  const sowing_rows *others = row->others;
  const uint64_t column = z - row->slab->from;
  row->z = z;
  row->z_pits = others->pits[others->open[z]];
  row->landed = others->landed + (size_t)z * (row->tables->seeds - row->z_seeds + 1);
  row->quiet = others->quiet[z] & row->own->patterns_in_use;
  row->bounds = row->slab->first_bound + column * (row->own->rows + 1);
  row->column = row->slab->first_cell + column;
  row->next_changed = row->slab->first_changed + column / 8;
  row->bit = (uint8_t)(1u << (column % 8));
}

/* If `state` is NULL, places by slabs are undefined. */
grid_row grid_open_row(const sowing_tables *tables, const game_grid_state *state, const grid_tile *tile,
                       uint32_t z);

/* The effect of a pattern on the opponent's row z. */
typedef enum { LANDS_QUIETLY, LANDS_CAPTURING, LANDS_SLAMMING, LANDS_NOWHERE } landing_kind;

typedef struct {
  landing_kind kind;
  int captured;
  unsigned left;      /* seeds of the opponent's row after the move */
  uint32_t left_rank; /* rank of that row */
} landing;

landing grid_find_landing(const grid_row *row, unsigned pattern);

/* Removes the least pattern from a set and returns it. */
static inline unsigned grid_next_pattern(uint64_t *patterns) {
  const unsigned pattern = (unsigned)__builtin_ctzll(*patterns);
  *patterns &= *patterns - 1;
  return pattern;
}

static inline bool grid_is_quiet(const grid_row *row, unsigned pattern) {
  return row->quiet >> pattern & 1;
}

/* Returns the first index of the free row of children by a quiet pattern. An open rank is added to it. */
static inline uint64_t grid_child_row(const grid_row *row, unsigned pattern) {
  const unsigned u = sowing_landing(pattern), m = row->z_seeds + u;
  return row->tables->slices[row->seeds].first[m] +
         (uint64_t)row->landed[u] * row->tables->rows[row->k - u].open_rows;
}

static inline uint64_t grid_child_block(const grid_row *row, unsigned pattern) {
  const unsigned u = sowing_landing(pattern);
  return row->tables->slices[row->seeds].blocks[row->z_seeds + u] + row->landed[u];
}

/* Returns the first byte of the changed cells of the children by a quiet pattern. */
static inline uint64_t grid_child_changed(const grid_row *row, unsigned pattern) {
  const unsigned u = sowing_landing(pattern);
  return row->tables->slices[row->seeds].changed[row->z_seeds + u] +
         row->landed[u] * sowing_changed_width(row->tables->rows[row->k - u].open_rows);
}

static inline void grid_mark_changed(const grid_row *row, int plane, uint32_t a) {
  const game_grid_state *state = row->state;
  state->next_changed[plane][row->next_changed + a * row->next_changed_width] |= row->bit;
  const uint64_t block = row->tables->slices[row->seeds].blocks[row->k] + a;
  __atomic_store_n(&state->next_dirty[plane][block], 1, __ATOMIC_RELAXED);
}

/* Values of the boards (z, ·) that follow without other boards of the slice, one entry per own row. `best`
 * has a lower and an upper bound, or a score: that of the best capture, of an ended board, or of a board
 * whose mover gets all seeds because a legal move leaves the opponent none. Otherwise it has NO_BOUND.
 * `settled` has the depth in plies of boards of the last two kinds, otherwise UINT8_MAX. `quiet` is space for
 * another bound per own row, `spare` for finished cells. */
typedef struct {
  int8_t *best[GRID_PLANES];
  uint8_t *settled;
  int8_t *quiet, *spare;
} grid_conversions;

/* Returns arrays in scratch. */
grid_conversions grid_carve_conversions(const grid_row *row, void *scratch);

tauler_error grid_find_conversions(const grid_row *row, const grid_conversions *out);

/* Returns the run of finished cells that grid_find_conversions reads for a capturing landing. */
game_run grid_captured_run(const grid_row *row, const landing *lands);

/* Does what grid_find_conversions does, for converting moves alone: a settled board whose mover gets all
 * seeds by a quiet move has NO_BOUND. */
tauler_error grid_find_converting_moves(const grid_row *row, const grid_conversions *out);

/* Sets best[a] = max(best[a], −cells[plane][child]) over all quiet moves. */
void grid_raise_by_quiet_moves(const grid_row *row, int plane, int8_t *best);

game_grid_kernel grid_begin, grid_relax, grid_begin_depths, grid_relax_depths, grid_lookup;
tauler_error grid_recover(const void *tables, game_grid_state *state, uint64_t tile, void *scratch,
                          game_lookup pass, const int8_t *reserved);
uint64_t grid_scratch_bytes(unsigned seeds);

/* Returns the part of scratch behind the marks, which stay clear from one row to the next. */
static inline void *grid_working_space(const sowing_tables *tables, unsigned seeds, void *scratch) {
  return (char *)scratch + (tables->rows[seeds].rows + 127) / 64 * 64;
}

#endif
