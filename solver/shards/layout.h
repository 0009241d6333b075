/* Says which shard owns each cell of a slice, and where the cell is in the arrays of the shard.
 *
 * Every rank of a build has the same number of shards: shard s is on rank s ÷ shards_per_rank. A slice is cut
 * by the grid of the game or by ranges of indexes. The grid consists of bands, and a band of groups. A group
 * is a rectangle of cells (game_grid.h has a picture): a block is a row of neighbouring cells, and a tile has
 * some columns of all blocks. If a slice is cut by ranges, it has one group of one block, and a tile is a
 * range, whose size depends on the number of positions alone. A tile is never cut.
 *
 * Shards have about equal size. The bands are dealt out in rising order: a shard has a run of bands, of which
 * the first and the last may be shared with its neighbours. If shards share a band, each group of the band is
 * cut at about the same fractions of its columns, so that few moves lead to another shard. The part of a
 * group that a shard owns is its slab: some columns, or none, of all blocks of the group. In memory a shard
 * has its slabs one after the other, each block by block.
 *
 * Nothing here depends on the number of workers, and tiles are the same for any number of shards. A layout
 * does not change once it is made, so threads share it. */
#ifndef SOLVER_SHARDS_LAYOUT_H
#define SOLVER_SHARDS_LAYOUT_H

#include "games/game_grid.h"

typedef struct {
  uint32_t slice;
  uint64_t positions, tiles, blocks;
  uint32_t shards, shards_per_rank;
  size_t groups_n;
  game_grid_group *groups; /* [groups_n] */
  game_grid_slab *slabs;   /* [shards][groups_n] */
} slice_layout;

typedef struct {
  /* cells: number of cells. bounds: number of bounds (game_grid.h). changed: bytes of the bits of changed
   * cells. */
  uint64_t cells, bounds, changed;
  uint64_t tiles;
} shard_size;

/* Cuts a slice by the tiles of the game's grid, or, if `by_grid` is false, by ranges of indexes. shards ≥ 1.
 * Errors: TAULER_NO_MEMORY. */
tauler_error layout_open(const game *game, const game_rules *rules, uint32_t slice, bool by_grid,
                         uint32_t shards, uint32_t shards_per_rank, slice_layout **out,
                         tauler_message *message);
/* Opens a layout of one shard for items of any kind, for example blocks. Every `run_items` of the `items` are
 * a group of one block, with tiles of `tile_items`, of which the last may be smaller. `run_items` divides
 * `items`. */
tauler_error layout_open_items(uint32_t slice, uint64_t items, uint64_t run_items, uint64_t tile_items,
                               slice_layout **out, tauler_message *message);
void layout_close(slice_layout *layout);
uint64_t layout_bytes(const slice_layout *layout);

/* Returns the slabs of a shard, one for each group. */
const game_grid_slab *layout_slabs(const slice_layout *layout, uint32_t shard);
/* Returns a copy of the slab for arrays that have the whole slice: first_cell, first_changed, width and
 * changed_width say where the cells of the slab are in them. */
game_grid_slab layout_place_in_slice(const game_grid_group *group, const game_grid_slab *slab);
shard_size layout_shard_size(const slice_layout *layout, uint32_t shard);

uint64_t layout_slab_tiles(const slice_layout *layout, uint32_t shard, size_t group);
/* Returns the i-th tile that a shard owns, i < shard_size.tiles. */
uint64_t layout_tile(const slice_layout *layout, uint32_t shard, uint64_t i);
uint32_t layout_owner_of_tile(const slice_layout *layout, uint64_t tile);

/* Sets the owner of each chunk of chunk_cells cells to the rank that holds most of it and has room for it. A
 * rank has room for a sixteenth more cells than its shards have, plus one chunk, so that no rank stores far
 * more than it solves. If no rank that holds cells of the chunk has room, the rank with most room gets it. */
tauler_error layout_chunk_owners(const slice_layout *layout, uint64_t chunk_cells, uint32_t *owners,
                                 tauler_message *message);

/* Visits the cells that a shard owns among first … first + count − 1, run by run, in rising order. The n
 * cells of a run begin at `index` in the slice and at `own` in the shard. */
typedef void layout_visit(void *user, uint64_t index, uint64_t own, uint64_t n);
void layout_visit_range(const slice_layout *layout, uint32_t shard, uint64_t first, uint64_t count,
                        layout_visit *visit, void *user);

/* The cells that an array has: all of a range of indexes, all of a shard, or only those of the range that the
 * shard owns, without gaps. */
typedef enum { CELLS_OF_RANGE, CELLS_OF_SHARD, CELLS_OF_BOTH } layout_order;
typedef struct {
  void *cells;
  layout_order order;
} layout_array;

/* Copies the cells that a shard owns among first … first + count − 1. Returns their number. If to.cells is
 * NULL, only counts them. */
uint64_t layout_copy_range(const slice_layout *layout, uint32_t shard, uint64_t first, uint64_t count,
                           size_t cell_bytes, layout_array to, layout_array from);

#endif
