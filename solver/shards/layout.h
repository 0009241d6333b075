/* Who owns which cells of a slice that is solved in shares.
 *
 * A slice is cut into shares, one after the other held by the ranks of a team, as many by each
 * (share s is at home at rank s ÷ shares_per_rank). The grain is the tile: for a game with a grid, the
 * tiles of its groups; for the others ranges of indexes of a size that depends on the number of
 * positions only. Every group's tiles are cut into `shares` runs whose lengths differ by one at most,
 * the longer ones where shares have least of other groups; what a share owns of a group is its strip:
 * some columns of all blocks of the group. In memory a share keeps
 * its strips one after the other, each block by block. Games without a grid have one group of one
 * block, so a strip is a range of indexes.
 *
 * Nothing here depends on who works: a tile is the same for any number of shares. A layout is
 * immutable once made and shared by threads.
 */
#ifndef SOLVER_SHARDS_LAYOUT_H
#define SOLVER_SHARDS_LAYOUT_H

#include "games/game.h"

typedef struct {
  uint32_t slice;
  uint64_t positions, tiles, blocks;
  uint32_t shares, shares_per_rank;
  size_t groups_n;
  game_grid_group *groups;
  game_grid_strip *strips; /* [share][group] */
} slice_layout;

/* What a share's arrays hold. */
typedef struct {
  uint64_t cells, bounds, news; /* cells, bounds, bytes of news */
  uint64_t tiles;
} share_size;

/* `by_grid` says which grain. shares ≥ 1. Errors: TAULER_NO_MEMORY. */
tauler_error layout_open(const game *game, const game_rules *rules, uint32_t slice, bool by_grid,
                         uint32_t shares, uint32_t shares_per_rank, slice_layout **out,
                         tauler_message *message);
/* One share of all, whose cells are something else: `items` of them, in tiles of so many. */
tauler_error layout_open_items(uint32_t slice, uint64_t items, uint64_t tile_items, slice_layout **out,
                               tauler_message *message);
void layout_close(slice_layout *layout);
uint64_t layout_bytes(const slice_layout *layout);

const game_grid_strip *layout_strips(const slice_layout *layout, uint32_t share);
share_size layout_share_size(const slice_layout *layout, uint32_t share);

/* The i-th tile that a share owns, i < share_size.tiles, and the owner of a tile. */
uint64_t layout_tile(const slice_layout *layout, uint32_t share, uint64_t i);
uint32_t layout_owner_of_tile(const slice_layout *layout, uint64_t tile);
/* The owner of a cell, and where it stands in the owner's cells. */
uint32_t layout_owner(const slice_layout *layout, uint64_t index, uint64_t *own);

/* The parts of cells first … first + count − 1 that a share owns, in rising order of index: cells
 * [index, index + n) stand at `own` in the share's cells. */
typedef void layout_visit(void *user, uint64_t index, uint64_t own, uint64_t n);
void layout_visit_range(const slice_layout *layout, uint32_t share, uint64_t first, uint64_t count,
                        layout_visit *visit, void *user);

#endif
