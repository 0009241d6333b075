/* Finds the blocks that each shard reads and the memory that a run needs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/engines/cells.h"
#include "solver/engines/tiles/tiles.h"
#include "solver/shards/store_talk.h"

enum { PAGE = 4096 };

tauler_error tiles_find_readers(tiles_run *run, tauler_message *message) {
  const slice_layout *layout = run->layout;
  uint8_t *blocks = malloc(layout->blocks);
  if (!blocks)
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory for the lists of shards that read each other");
  for (uint32_t shard = 0; shard < layout->shards; shard++) {
    const uint64_t tiles = layout_shard_size(layout, shard).tiles;
    if (tiles == 0) continue;
    memset(blocks, 0, layout->blocks);
    for (uint64_t i = 0; i < tiles; i++)
      run->grid->reads(run->job->grid_tables, layout->slice, layout_tile(layout, shard, i), blocks);
    uint8_t *bits = run->reads + shard * run->reads_width;
    for (uint64_t b = 0; b < layout->blocks; b++) bits[b / 8] |= (uint8_t)((blocks[b] != 0) << (b % 8));
  }
  free(blocks);
  return TAULER_OK;
}

/* The bytes of the pages that a shard touches in an array of cells and in one of changed cells, and the
 * number of cells that it reads. A shard touches the blocks that it reads and, if a rank has one shard, its
 * own columns of all blocks. */
typedef struct {
  uint64_t cells, changed, read;
} halo_size;

static uint64_t count_new_pages(uint64_t from, uint64_t to, uint64_t *counted) {
  const uint64_t first = from / PAGE < *counted ? *counted : from / PAGE, end = (to + PAGE - 1) / PAGE;
  if (end <= first) return 0;
  *counted = end;
  return end - first;
}

static halo_size measure_halo(const tiles_run *run, uint32_t shard) {
  const slice_layout *layout = run->layout;
  const game_grid_slab *slabs = layout_slabs(layout, shard);
  halo_size pages = {0, 0, 0};
  uint64_t cells_counted = 0, changed_counted = 0;
  for (size_t g = 0; g < layout->groups_n; g++) {
    const game_grid_group *group = &layout->groups[g];
    const uint64_t width = (group->columns + 7) / 8;
    for (uint64_t row = 0; row < group->blocks; row++) {
      const uint64_t block = group->first_block + row;
      const bool read = tiles_reads_block(run, shard, block);
      const uint64_t from = read ? 0 : slabs[g].from, columns = read ? group->columns : slabs[g].columns;
      const uint64_t cell = group->first_cell + row * group->columns + from,
                     changed = group->first_changed + row * width + from / 8;
      if (columns == 0 || (!read && layout->shards_per_rank > 1)) continue;
      if (read) pages.read += columns;
      pages.cells += count_new_pages(cell, cell + columns, &cells_counted);
      pages.changed += count_new_pages(changed, changed + (columns + 7) / 8, &changed_counted);
    }
  }
  return (halo_size){(pages.cells + 2) * PAGE, (pages.changed + 2) * PAGE, pages.read};
}

/* Guesses the halo if the blocks that shards read are not known. Rows of bits are short compared with a page,
 * so their pages have a little more than an eighth of the bytes of cells. */
static halo_size guess_halo(const halo_guess *guess, const slice_layout *layout, uint64_t own) {
  const double times = guess ? guess->base + guess->more * log2((double)layout->shards) : 0;
  uint64_t cells = layout->positions;
  if (layout->shards > 1 && guess && guess->base > 0 && times * (double)own < (double)cells)
    cells = (uint64_t)(times * (double)own);
  return (halo_size){cells + 4 * PAGE, cells / 7 + 4 * PAGE, cells};
}

static uint64_t choose_larger(uint64_t a, uint64_t b) {
  return a > b ? a : b;
}

tiles_shard_needs tiles_find_needs(const tiles_run *run, uint32_t first, uint32_t count) {
  tiles_shard_needs needs = {.halo_cells = 0};
  for (uint32_t shard = first; shard < first + count; shard++) {
    const shard_size own = layout_shard_size(run->layout, shard);
    if (own.tiles == 0 && shard > first) continue; /* an empty shard does not need more than the first */
    const halo_size halo =
        run->reads ? measure_halo(run, shard) : guess_halo(run->job->planning, run->layout, own.cells);
    needs.own.cells = choose_larger(needs.own.cells, own.cells);
    needs.own.bounds = choose_larger(needs.own.bounds, own.bounds);
    needs.own.changed = choose_larger(needs.own.changed, own.changed);
    needs.halo_cells = choose_larger(needs.halo_cells, halo.cells);
    needs.halo_changed = choose_larger(needs.halo_changed, halo.changed);
    needs.read_cells = choose_larger(needs.read_cells, halo.read);
  }
  return needs;
}

/* Returns the bytes of gathered finished cells. The earlier slices together are about as large as this one,
 * so the shard reads about as many of their cells. */
static uint64_t finished_bytes(const tiles_run *run) {
  const slice_layout *layout = run->layout;
  if (solve_has_local(run->job)) return 0;
  const uint64_t read = tiles_is_alone(run) ? run->needs.own.cells : run->needs.read_cells;
  const uint64_t limit = tiles_finished_limit(layout, run->plan.planes),
                 all = (uint64_t)run->plan.planes * read * 5 / 4;
  const uint64_t finished = limit < all ? limit : all;
  const int ranks = (int)(layout->shards / layout->shards_per_rank);
  return finished + finished / 4 + (ranks > 1 ? store_talk_bytes(ranks, finished) : 0);
}

/* Returns the bytes of a run on one rank without the arrays of tiles_list_own, including `cells` bytes for
 * the cells of the loaded shard. If a rank has several shards, one that it reads is never in memory together
 * with gathered cells. If a rank has one shard of several, values are in the halo, and `cells` has room for
 * the lookups or, after the bounds are freed, for the values. */
static uint64_t run_bytes(tiles_run *run, uint64_t cells) {
  const slice_layout *layout = run->layout;
  const uint64_t bytes = cells + tiles_arrays_bytes(run, false) + layout_bytes(layout) +
                         choose_larger(finished_bytes(run), tiles_neighbour_bytes(run)) +
                         (tiles_is_alone(run) ? 0 : layout->blocks);
  if (layout->shards == layout->shards_per_rank) return bytes;
  return bytes + exchange_bytes(&run->job->work, layout->shards, layout->shards_per_rank) +
         (uint64_t)run->threads * tiles_sender_bytes(EXCHANGE_PACKET, layout);
}

uint64_t tiles_bytes(const solve_job *job, uint32_t slice, bool depths, uint32_t shards,
                     uint32_t shards_per_rank, uint64_t *waiting) {
  slice_layout *layout;
  if (layout_open(job->problem.game, job->problem.rules, slice, true, shards, shards_per_rank, &layout, NULL))
    return UINT64_MAX;
  tiles_run run = tiles_run_of(job, layout, depths ? RUN_DEPTHS : RUN_VALUES);
  const uint64_t own = arena_bytes(tiles_list_own, &run);
  run.reads = !job->planning && shards > 1 ? calloc(shards, run.reads_width) : NULL;
  if (run.reads && tiles_find_readers(&run, NULL)) {
    free(run.reads);
    run.reads = NULL;
  }
  run.needs = tiles_find_needs(&run, 0, shards);
  const uint64_t cells = (uint64_t)run.plan.planes * (depths ? 3 : 1) * run.needs.own.cells;
  const uint64_t bytes = own + run_bytes(&run, cells);
  if (waiting) *waiting = cells + tiles_arrays_bytes(&run, true);
  free(run.reads);
  layout_close(layout);
  return bytes;
}
