/* The owner of each cell of a slice that is solved in shards.
 *
 * Every rank of a build has the same number of shards: rank s ÷ shards_per_rank holds shard s. A tile is
 * never cut. In a game with a grid the tiles are those of its groups. In other games a tile is a range of
 * indexes, and its size depends on the number of positions alone.
 *
 * Shards have about equal size. They divide the bands of a game (game_grid.h) in rising order. Within a band
 * a shard takes the same fraction of the columns of every group, so that few moves lead to another shard. The
 * part of a group that a shard owns is its slab: some columns, or none, of all blocks of the group. In memory
 * a shard has its slabs one after the other, each block by block. A game without a grid has one group of one
 * block, so its slab is a range of indexes.
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
  /* Elements of the arrays. `changed` is in bytes. */
  uint64_t cells, bounds, changed;
  uint64_t tiles;
} shard_size;

/* Cuts a slice by the tiles of the game's grid, or, if `by_grid` is false, by ranges of indexes. shards ≥ 1.
 * Errors: TAULER_NO_MEMORY. */
tauler_error layout_open(const game *game, const game_rules *rules, uint32_t slice, bool by_grid,
                         uint32_t shards, uint32_t shards_per_rank, slice_layout **out,
                         tauler_message *message);
/* A layout of one shard whose cells are not positions. It has `items` cells in runs of `run_items`, which
 * divides `items`, and each run in tiles of `tile_items`. The last tile of a run may be smaller. */
tauler_error layout_open_items(uint32_t slice, uint64_t items, uint64_t run_items, uint64_t tile_items,
                               slice_layout **out, tauler_message *message);
void layout_close(slice_layout *layout);
uint64_t layout_bytes(const slice_layout *layout);

const game_grid_slab *layout_slabs(const slice_layout *layout, uint32_t shard);
/* The place of a slab's columns in the cells and changed cells of the whole slice. */
game_grid_slab layout_place_in_slice(const game_grid_group *group, const game_grid_slab *slab);
shard_size layout_shard_size(const slice_layout *layout, uint32_t shard);

/* The tiles of a group that a shard owns. */
uint64_t layout_slab_tiles(const slice_layout *layout, uint32_t shard, size_t group);
/* The i-th tile that a shard owns, i < shard_size.tiles. */
uint64_t layout_tile(const slice_layout *layout, uint32_t shard, uint64_t i);
/* The shard that owns a tile. */
uint32_t layout_owner_of_tile(const slice_layout *layout, uint64_t tile);

/* Sets the owner of each chunk of chunk_cells cells to the rank that holds most of it. So that no store grows
 * far beyond its shards, the chunks of a rank have at most a sixteenth more cells than its shards, and one
 * chunk more. A chunk that would exceed this goes to the rank with most room. */
tauler_error layout_chunk_owners(const slice_layout *layout, uint64_t chunk_cells, uint32_t *owners,
                                 tauler_message *message);

/* Visits the cells that a shard owns among first … first + count − 1, in rising order of index. Cells [index,
 * index + n) are at `own` in the shard's cells. */
typedef void layout_visit(void *user, uint64_t index, uint64_t own, uint64_t n);
void layout_visit_range(const slice_layout *layout, uint32_t shard, uint64_t first, uint64_t count,
                        layout_visit *visit, void *user);

/* An array of the cells of a range of indexes, of a shard, or of both at once, one after the other. */
typedef enum { CELLS_OF_RANGE, CELLS_OF_SHARD, CELLS_OF_BOTH } layout_order;
typedef struct {
  void *cells;
  layout_order order;
} layout_array;

/* Copies the cells that a shard owns among first … first + count − 1. Returns their number. If to.cells is
 * NULL, they are only counted. */
uint64_t layout_copy_range(const slice_layout *layout, uint32_t shard, uint64_t first, uint64_t count,
                           size_t cell_bytes, layout_array to, layout_array from);

#endif
