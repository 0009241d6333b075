/* The owner of each cell of a slice that is solved in shards.
 *
 * A slice is cut into shards, the same number for each rank of a build: rank s ÷ shards_per_rank holds shard
 * s. The smallest part that is never cut is the tile: for a game with a grid, a tile of its groups; for other
 * games a range of indexes whose size depends on the number of positions only. Shards of equal size take the
 * bands of a game in rising order, and within a band the same part of each group's columns, so that few moves
 * lead to another shard. The part of a group that a shard owns is its slab: some columns, or none, of all
 * blocks of the group. In memory a shard keeps its slabs one after the other, each block by block. Games
 * without a grid have one group of one block, so a slab is a range of indexes.
 *
 * Nothing here depends on the number of workers: a tile is the same for any number of shards. A layout is
 * immutable once made and shared by threads.
 */
#ifndef SOLVER_SHARDS_LAYOUT_H
#define SOLVER_SHARDS_LAYOUT_H

#include "games/game.h"

typedef struct {
  uint32_t slice;
  uint64_t positions, tiles, blocks;
  uint32_t shards, shards_per_rank;
  size_t groups_n;
  game_grid_group *groups;
  game_grid_slab *slabs; /* [shard][group] */
} slice_layout;

/* Sizes of a shard's arrays. */
typedef struct {
  uint64_t cells, bounds, changed; /* cells, bounds, bytes of changed cells */
  uint64_t tiles;
} shard_size;

/* `by_grid` says which grain. shards ≥ 1. Errors: TAULER_NO_MEMORY. */
tauler_error layout_open(const game *game, const game_rules *rules, uint32_t slice, bool by_grid,
                         uint32_t shards, uint32_t shards_per_rank, slice_layout **out,
                         tauler_message *message);
/* One shard of all, whose cells are something else: `items` of them, in runs of so many, a divisor, and these
 * in tiles; the last tile of a run may have fewer. */
tauler_error layout_open_items(uint32_t slice, uint64_t items, uint64_t run_items, uint64_t tile_items,
                               slice_layout **out, tauler_message *message);
void layout_close(slice_layout *layout);
uint64_t layout_bytes(const slice_layout *layout);

const game_grid_slab *layout_slabs(const slice_layout *layout, uint32_t shard);
/* The same columns where cells and changed cells of the whole slice stand. */
game_grid_slab layout_place_in_slice(const game_grid_group *group, const game_grid_slab *slab);
shard_size layout_shard_size(const slice_layout *layout, uint32_t shard);

/* The i-th tile that a shard owns, i < shard_size.tiles, and the owner of a tile. */
uint64_t layout_tile(const slice_layout *layout, uint32_t shard, uint64_t i);
uint32_t layout_owner_of_tile(const slice_layout *layout, uint64_t tile);

/* Gives each chunk of chunk_cells cells an owner: the rank that holds most of it. A rank whose chunks already
 * have a sixteenth more cells than its shards gets no more. */
tauler_error layout_chunk_owners(const slice_layout *layout, uint64_t chunk_cells, uint32_t *owners,
                                 tauler_message *message);

/* The parts of cells first … first + count − 1 that a shard owns, in rising order of index: cells
 * [index, index + n) stand at `own` in the shard's cells. */
typedef void layout_visit(void *user, uint64_t index, uint64_t own, uint64_t n);
void layout_visit_range(const slice_layout *layout, uint32_t shard, uint64_t first, uint64_t count,
                        layout_visit *visit, void *user);

#endif
