/* Private to the grid kernels of aualé: one row of boards (z, ·) while it is worked on.
 *
 * Cells stand in index order: free row by free row. Bounds stand in the other order: open row by
 * open row, so that all boards with the opponent's row z are neighbours. A block is a free row of
 * cells; a tile is up to 64 open rows, one word of news in every free row of its group.
 */
#ifndef GAMES_AUALE_GRID_H
#define GAMES_AUALE_GRID_H

#include <string.h>

#include "games/auale/sowing.h"
#include "games/game.h"

enum { PLANE_SCORE = 0, PLANE_LOWER = 0, PLANE_UPPER = 1 };
#define NO_BOUND INT8_MIN

static inline int8_t cell_load(const int8_t *cell) { return __atomic_load_n(cell, __ATOMIC_RELAXED); }
static inline void cell_store(int8_t *cell, int8_t value) { __atomic_store_n(cell, value, __ATOMIC_RELAXED); }

/* The open rows [from, to) of the group whose free rows have k seeds. */
typedef struct {
  unsigned seeds, k;
  uint32_t from, to;
} grid_tile;

grid_tile grid_find_tile(const sowing_tables *tables, uint32_t slice, uint64_t tile);

typedef struct {
  const sowing_tables *tables;
  const game_grid_state *state;
  const sowing_rows *own; /* rows with k seeds */
  unsigned seeds, k, z_seeds;
  uint32_t z;
  const uint8_t *z_pits;
  const uint32_t *landed; /* rank of z after u seeds landed in it */
  uint64_t bounds;        /* of (z, 0), kernel's order; (z, a) is a places on */
  uint64_t column;        /* index of (z, 0); (z, a) is a · width places on */
  uint64_t width;
  uint64_t word, words; /* news of (z, 0), and how far apart the free rows are */
  uint64_t bit;
} grid_row;

grid_row grid_open_row(const sowing_tables *tables, const game_grid_state *state, const grid_tile *tile, uint32_t z);

/* What a pattern does to the opponent's row z. */
typedef enum { LANDS_QUIETLY, LANDS_CAPTURING, LANDS_SLAMMING, LANDS_NOWHERE } landing_kind;

typedef struct {
  landing_kind kind;
  int captured;
  unsigned left;      /* seeds of the opponent's row afterwards */
  uint32_t left_rank; /* its rank */
} landing;

landing grid_land(const grid_row *row, unsigned pattern);

/* Whether the pattern stays in the slice and is always legal, without working out captures. */
static inline bool grid_is_quiet(const grid_row *row, unsigned pattern) {
  const unsigned u = sowing_landing(pattern);
  if (row->own->by_pattern_n[pattern] == 0 || (u == 0 && row->z_seeds == 0)) return false;
  if (!sowing_last_lands(pattern)) return true;
  const unsigned last = sowing_last_pit(pattern);
  const unsigned there = row->z_pits[last] + (u + ROW_PITS - 1 - last) / ROW_PITS;
  if (there != 2 && there != 3) return true;
  return row->tables->grand_slam == GRAND_SLAM_KEEPS && grid_land(row, pattern).kind == LANDS_QUIETLY;
}

/* Where the children by a quiet pattern stand in the cells: at this index plus their open rank. */
static inline uint64_t grid_child_row(const grid_row *row, unsigned pattern) {
  const unsigned u = sowing_landing(pattern), m = row->z_seeds + u;
  return row->tables->slices[row->seeds].first[m] +
         (uint64_t)row->landed[u] * row->tables->rows[row->k - u].open_rows;
}

static inline uint64_t grid_child_block(const grid_row *row, unsigned pattern) {
  const unsigned u = sowing_landing(pattern);
  return row->tables->slices[row->seeds].blocks[row->z_seeds + u] + row->landed[u];
}

/* Whether any free row that a quiet move leads to has news. */
bool grid_has_news(const grid_row *row);

/* Says in this round's news that the cell of own row a has changed. */
static inline void grid_announce(const grid_row *row, int plane, uint32_t a) {
  const game_grid_state *state = row->state;
  state->fresh[plane][row->word + a * row->words] |= row->bit;
  const uint64_t block = row->tables->slices[row->seeds].blocks[row->k] + a;
  __atomic_store_n(&state->stirring[plane][block], 1, __ATOMIC_RELAXED);
}

/* The worth of the best converting move of all boards (z, ·), as a lower and an upper bound (planes
 * of the slices that captures lead to; the same where there is one). NO_BOUND where there is none;
 * ended boards have their value. Boards that end without a move and boards whose mover gets all
 * seeds by force of the rules are `settled` (depth in plies, else UINT8_MAX). Each array holds one
 * entry per own row; `spare` as many again plus a free row of cells. */
typedef struct {
  int8_t *best[GRID_PLANES];
  uint8_t *settled;
  int8_t *spare;
} grid_conversions;

tauler_error grid_convert(const grid_row *row, const grid_conversions *out);

/* As grid_convert, but only of moves that convert: for those settled boards whose mover gets all by
 * a quiet move, NO_BOUND. */
tauler_error grid_convert_strictly(const grid_row *row, const grid_conversions *out);

/* best[a] = max(best[a], −cells[plane][child]) over all quiet moves. */
void grid_relax_densely(const grid_row *row, int plane, int8_t *best);

game_grid_kernel grid_begin, grid_relax, grid_begin_depths, grid_relax_depths, grid_look;
tauler_error grid_recover(const void *tables, game_grid_state *state, uint64_t tile, void *scratch,
                          game_look pass, const int8_t *reserved);
uint64_t grid_scratch_bytes(unsigned seeds);

/* Changed cells of one round and one row, and what is worked out for them; carved out of scratch. */
typedef struct {
  uint32_t *lost, *won; /* open ranks of children with news, by what they mean for the parent */
  size_t lost_n, won_n;
  uint32_t *raised; /* own rows */
  size_t raised_n;
  uint32_t *doubtful;
  size_t doubtful_n;
  uint64_t *marked;  /* a bit per own row: stands in doubtful; all clear between rows */
  int8_t *best;      /* per entry of doubtful */
  int8_t *bounds[2]; /* a copy of the row's bounds and one sentinel cell */
} grid_news;

grid_news grid_carve_news(const grid_row *row, void *scratch);

/* Fills lost and won with the children by a quiet pattern that have news. */
void grid_gather(const grid_row *row, unsigned pattern, grid_news *news);

/* Calls for each list of origins of a pattern: origin[o] is the own row before the move that left
 * own row o, or own->rows. Patterns that are not listed directly go through laps. */
static inline unsigned grid_origin_lists(const grid_row *row, unsigned pattern, const uint32_t *lists[ROW_PITS]) {
  const unsigned u = sowing_landing(pattern);
  const sowing_rows *left = &row->tables->rows[row->k - u];
  if (pattern == 0) {
    for (int end = 0; end < ROW_PITS - 1; end++) lists[end] = left->within[end];
    return ROW_PITS - 1;
  }
  if (sowing_last_lands(pattern) && u <= ROW_PITS) {
    lists[0] = left->beyond[u];
    return 1;
  }
  return 0;
}

#endif
