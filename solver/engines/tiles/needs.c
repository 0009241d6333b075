/* Finds the blocks that each shard reads and the memory that a run needs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solver/engines/cells.h"
#include "solver/engines/tiles/tiles.h"
#include "solver/shards/store_talk.h"

/* WINDOW: most bytes around a page that the system maps with it. */
enum { PAGE = 4096, WINDOW = 1 << 16 };

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
 * number of cells that it reads. A shard touches the blocks that it reads and its own columns of all blocks.
 */
typedef struct {
  uint64_t cells, changed, read;
} halo_size;

static uint64_t count_new_pages(uint64_t from, uint64_t to, uint64_t page, uint64_t *counted) {
  const uint64_t first = from / page < *counted ? *counted : from / page, end = (to + page - 1) / page;
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
      if (columns == 0) continue;
      if (read) pages.read += columns;
      pages.cells += count_new_pages(cell, cell + columns, PAGE, &cells_counted);
      pages.changed += count_new_pages(changed, changed + (columns + 7) / 8, PAGE, &changed_counted);
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

/* Returns the bytes of the pages that tiles with `columns` columns of a group touch if they read the marked
 * blocks. */
static uint64_t measure_tiles(const tiles_run *run, const game_grid_group *group, uint64_t columns,
                              const uint8_t *blocks) {
  const slice_layout *layout = run->layout;
  const uint64_t near = columns + WINDOW, planes = (uint64_t)run->plan.planes;
  const uint64_t own = group->blocks * (near < group->columns ? near : group->columns) + WINDOW;
  uint64_t windows = 0, counted = 0;
  for (size_t g = 0; g < layout->groups_n; g++) {
    const game_grid_group *read = &layout->groups[g];
    for (uint64_t row = 0;; row++) {
      row = tiles_next_marked(blocks + read->first_block, row, read->blocks);
      if (row == read->blocks) break;
      const uint64_t from = read->first_cell + row * read->columns;
      windows += count_new_pages(from, from + read->columns, WINDOW, &counted);
    }
  }
  const uint64_t cells = windows * WINDOW + own;
  const uint64_t values = planes * (cells + group->bounds * columns + WINDOW);
  if (run->purpose != RUN_DEPTHS) return values;
  return values + planes * 2 * own + 5 * (cells / 8 + WINDOW);
}

/* Guesses tile_room if the blocks that tiles read are not known, from the square root of positions × threads.
 * Measured factors for aualé of 13 to 24 seeds: 1220 to 1430 for a plane, with depths 2000. */
static void guess_tile_room(tiles_run *run) {
  const double positions = (double)run->layout->positions, planes = run->plan.planes;
  const double room = (run->purpose == RUN_DEPTHS ? 2000 : 1400) * sqrt(positions * run->threads);
  run->tile_room = (uint64_t)(planes * (room < positions ? room : positions));
}

tauler_error tiles_find_room(tiles_run *run, tauler_message *message) {
  const slice_layout *layout = run->layout;
  const uint64_t at_once = (uint64_t)run->threads;
  uint8_t *blocks = run->job->planning ? NULL : malloc(layout->blocks);
  run->tile_room = 0;
  if (run->job->planning) guess_tile_room(run);
  if (!blocks && !run->job->planning)
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory for the list of blocks that tiles read");
  for (size_t g = 0; g < layout->groups_n && blocks; g++) {
    const game_grid_group *group = &layout->groups[g];
    for (uint64_t i = 0; i < group->tiles; i++) {
      if (i % at_once == 0) memset(blocks, 0, layout->blocks);
      run->grid->reads(run->job->grid_tables, layout->slice, group->first_tile + i, blocks);
      if (i + 1 < group->tiles && (i + 1) % at_once != 0) continue;
      const uint64_t most = at_once * group->tile_columns,
                     columns = most < group->columns ? most : group->columns;
      run->tile_room = choose_larger(run->tile_room, measure_tiles(run, group, columns, blocks));
    }
  }
  free(blocks);
  return TAULER_OK;
}

/* Returns the bytes of gathered finished cells. The earlier slices together are about as large as this one,
 * so the shard reads about as many of their cells as of this slice. */
static uint64_t finished_bytes(const tiles_run *run, uint64_t parts) {
  const slice_layout *layout = run->layout;
  if (solve_has_local(run->job)) return 0;
  const uint64_t read = tiles_has_one_shard(run) ? run->needs.own.cells : run->needs.read_cells;
  const uint64_t limit = tiles_finished_limit(layout, run->plan.planes, parts),
                 all = (uint64_t)run->plan.planes * read * 5 / 4;
  const uint64_t finished = limit < all ? limit : all;
  return finished + finished / 4 + (layout->shards > 1 ? store_talk_bytes((int)layout->shards, finished) : 0);
}

/* Returns the bytes of a run on one rank that are never in pages. */
static uint64_t run_bytes(tiles_run *run, uint64_t parts) {
  const slice_layout *layout = run->layout;
  const uint64_t bytes = tiles_arrays_bytes(run, false) + layout_bytes(layout) + finished_bytes(run, parts) +
                         (tiles_has_one_shard(run) && parts == 1 ? 0 : layout->blocks);
  if (tiles_has_one_shard(run)) return bytes;
  return bytes + exchange_bytes(&run->job->work, layout->shards, 1) +
         (uint64_t)run->threads * tiles_sender_bytes(EXCHANGE_PACKET, layout);
}

/* Of the arrays that may be in pages, a rank has 1 / parts in memory, but no less than the tiles at work
 * touch. If a slice has several shards, values are in the halo while they are solved. The bytes counted for
 * cells are then those of the lookups, and the cells later take those of the freed bounds. */
uint64_t tiles_bytes(const solve_job *job, uint32_t slice, bool depths, uint32_t shards, uint32_t parts,
                     uint64_t *waiting) {
  slice_layout *layout;
  shards /= parts;
  if (layout_open(job->problem.game, job->problem.rules, slice, true, shards, 1, &layout, NULL))
    return UINT64_MAX;
  tiles_run run = tiles_run_of(job, layout, depths ? RUN_DEPTHS : RUN_VALUES);
  const uint64_t own = arena_bytes(tiles_list_own, &run);
  run.reads = !job->planning && shards > 1 ? calloc(shards, run.reads_width) : NULL;
  if (run.reads && tiles_find_readers(&run, NULL)) {
    free(run.reads);
    run.reads = NULL;
  }
  run.needs = tiles_find_needs(&run, 0, shards);
  const uint64_t paged =
      (uint64_t)run.plan.planes * (depths ? 3 : 1) * run.needs.own.cells + tiles_arrays_bytes(&run, true);
  if (parts > 1 && tiles_find_room(&run, NULL)) run.tile_room = paged;
  const uint64_t bytes =
      own + run_bytes(&run, parts) + (parts > 1 ? choose_larger(paged / parts, run.tile_room) : paged);
  if (waiting) *waiting = paged / parts;
  free(run.reads);
  layout_close(layout);
  return bytes;
}
