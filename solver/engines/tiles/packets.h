/* Private to the grid engine: what a share tells, as its teller packs it (grid_tell.c) and its readers take
 * it in (grid_hear.c).
 *
 * A piece is a head, rows, and values. A row is a segment of a block's strip: how many blocks after the
 * last row's, which segment, how many cells, then the cells as gaps or as a bitmap, whichever is shorter;
 * the values stand apart, since both compress better among their kind.
 */
#ifndef SOLVER_ENGINES_TILES_PACKETS_H
#define SOLVER_ENGINES_TILES_PACKETS_H

#include <zstd.h>

#include "solver/engines/tiles/tiles.h"
#include "solver/parallel/varint.h"

enum { GRID_MOST_SEGMENT = 8192, GRID_PORTION_BLOCKS = 256, GRID_ROW_HEAD = 24 };

typedef struct {
  uint8_t plane, telling;
  uint8_t packed_rows, packed_values;
  uint32_t rows_raw, rows_n, values_raw, values_n;
} grid_piece_head;

/* Blocks of one group for one reader, worked through by one thread. */
typedef struct {
  uint32_t to;
  int plane;
  size_t group;
  uint64_t first, end, from; /* next block, the last one's successor, next column of it */
} grid_portion;

struct grid_teller {
  ZSTD_CCtx *compressor;
  ZSTD_DCtx *decompressor;
  grid_portion portion;
  bool busy;
  uint32_t to; /* reader and plane of the piece under work */
  int plane;
  uint64_t last_block;
  uint8_t *rows, *values, *piece; /* piece_bytes each */
  size_t rows_n, values_n, limit;
  exchange_taker taker;
};

static inline bool grid_has_values(grid_telling what) {
  return what == TELL_CHANGES || what == TELL_CELLS;
}

static inline bool grid_is_news(grid_telling what) {
  return what == TELL_CHANGES || what == TELL_DECISIONS;
}

static inline int grid_cell_plane(const grid_spread_run *run, int plane) {
  return plane == 0 ? 0 : run->plan.planes - 1;
}

/* So long that a segment of which every cell is told fits a piece, a multiple of 64 columns. */
static inline uint64_t grid_segment_columns(size_t limit) {
  const uint64_t most = (limit - GRID_ROW_HEAD) * 8 / 9 / 64 * 64;
  return most < 64 ? 64 : most < GRID_MOST_SEGMENT ? most : GRID_MOST_SEGMENT;
}

static inline uint64_t grid_portions_of(const game_grid_group *group) {
  return (group->blocks + GRID_PORTION_BLOCKS - 1) / GRID_PORTION_BLOCKS;
}

static inline uint64_t grid_portions(const slice_layout *layout) {
  uint64_t portions = 0;
  for (size_t g = 0; g < layout->groups_n; g++) portions += grid_portions_of(&layout->groups[g]);
  return portions;
}

static inline int grid_planes_told(const grid_spread_run *run, grid_telling what) {
  return what == TELL_KNOWN ? 1 : what == TELL_CELLS ? run->plan.planes : GRID_PLANES;
}

/* Takes in what has come for the share at work; by all members, who do not meet. */
void grid_take_pieces(grid_spread_run *run, crew_member *member);

#endif
