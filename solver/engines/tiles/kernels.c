/* Calls kernels on the tiles of a shard and gathers the finished cells that they read. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "solver/engines/tiles/tiles.h"

/* Works on the tiles [run->first_tile, run->end_tile) of the shard. After a failure, touches nothing,
 * since arrays may be missing or have no room on the disk. */
static void work_on_tiles(tiles_run *run, worker *self, game_grid_kernel *kernel) {
  char *scratch = run->scratch + (size_t)self->number * run->scratch_bytes;
  const uint32_t shard = tiles_shard_number(run);
  uint64_t i, n_changed = 0;
  while (!run->failed.error && worker_next(self, run->end_tile - run->first_tile, &i)) {
    const uint64_t tile = layout_tile(run->layout, shard, run->first_tile + i);
    tiles_limit_pages(run);
    const tauler_error error = kernel ? kernel(run->job->grid_tables, &run->state, tile, scratch, &n_changed)
                                      : run->grid->recover(run->job->grid_tables, &run->state, tile, scratch,
                                                           run->pass, run->reserved);
    failure_note(&run->failed, error, NULL);
    comm_note_progress(run->job->work.comm);
  }
  atomic_fetch_add(&run->n_changed, n_changed);
}

void tiles_work_on_tiles(tiles_run *run, worker *self, game_grid_kernel *kernel) {
  work_on_tiles(run, self, kernel);
  worker_barrier(self, NULL, NULL);
}

/* Selects the tiles of the next group of the band. After the last group of a band, repeats the band or begins
 * the next. After the last band, selects all tiles. */
static void select_next_tiles(void *user) {
  enum { BAND_PASSES = 3 };
  tiles_run *run = user;
  const slice_layout *layout = run->layout;
  const uint32_t band = layout->groups[run->group].band;
  size_t next = run->group + 1;
  while (next < layout->groups_n && layout->groups[next].band != band) next++;
  if (next == layout->groups_n) {
    const bool again = run->n_changed != run->changed_before && ++run->passes < BAND_PASSES;
    const uint32_t sought = again ? band : band + 1;
    if (!again) run->passes = 0;
    run->changed_before = run->n_changed;
    for (next = 0; next < layout->groups_n && layout->groups[next].band != sought;) next++;
  }
  run->more = next < layout->groups_n;
  tiles_select_all(run);
  if (!run->more) return;
  run->group = next;
  run->end_tile = 0;
  for (size_t g = 0; g <= next; g++) {
    run->first_tile = run->end_tile;
    run->end_tile += layout_slab_tiles(layout, tiles_shard_number(run), g);
  }
}

static void begin_pass(void *user) {
  tiles_run *run = user;
  run->group = 0;
  run->passes = 0;
  run->changed_before = run->n_changed;
  run->first_tile = 0;
  run->end_tile = layout_slab_tiles(run->layout, tiles_shard_number(run), 0);
  run->more = true;
}

void tiles_relax(tiles_run *run, worker *self) {
  worker_barrier(self, begin_pass, run);
  while (run->more) {
    work_on_tiles(run, self, run->grid->relax);
    worker_barrier(self, select_next_tiles, run);
  }
}

static void clear_visits(void *user) {
  tiles_run *run = user;
  memset(run->clock.visited, 0, run->layout->tiles * sizeof *run->clock.visited);
}

void tiles_make_all_stale(tiles_run *run, worker *self) {
  worker_barrier(self, clear_visits, run);
}

void tiles_select_all(tiles_run *run) {
  run->first_tile = 0;
  run->end_tile = layout_shard_size(run->layout, tiles_shard_number(run)).tiles;
}

/* Least and most bytes of gathered cells; LEAST_PAGED if arrays are mapped. */
enum { LEAST_FINISHED = 1 << 22, LEAST_PAGED = 1 << 20, MOST_FINISHED = 1 << 28 };

uint64_t tiles_finished_limit(const slice_layout *layout, int planes, uint64_t parts) {
  const uint64_t shard = layout->positions / layout->shards * (uint64_t)planes / 4 / parts;
  const uint64_t least = parts > 1 ? LEAST_PAGED : LEAST_FINISHED;
  return shard < least ? least : shard > MOST_FINISHED ? MOST_FINISHED : shard;
}

static uint64_t count_cells(const game_runs *runs, size_t from) {
  uint64_t cells = 0;
  for (size_t i = from; i < runs->used; i++) cells += runs->runs[i].count;
  return cells;
}

/* Returns the most bytes of gathered cells. If arrays are mapped, it is a sixth of the memory that tile_room
 * leaves, from LEAST_PAGED to what they are in memory. The lists of runs may take as much again. */
static uint64_t find_finished_limit(const tiles_run *run) {
  const uint64_t most = tiles_finished_limit(run->layout, run->plan.planes, 1);
  if (!run->slice->mapped) return most;
  const uint64_t left = memory_left(run->job->work.memory);
  const uint64_t part = left > run->tile_room ? (left - run->tile_room) / 6 : 0;
  return part < LEAST_PAGED ? LEAST_PAGED : part < most ? part : most;
}

/* Lists the finished cells that the tiles [first, *end) read. Chooses *end: adds tiles until the cells reach
 * the limit or no tile is left. */
static tauler_error list_finished_cells(tiles_run *run, uint64_t first, uint64_t tiles, game_runs *runs,
                                        uint64_t *end) {
  const uint64_t limit = find_finished_limit(run) / (uint64_t)run->plan.planes;
  uint64_t cells = 0;
  runs->used = 0;
  for (*end = first; *end < tiles && cells < limit;) {
    const size_t before = runs->used;
    const uint64_t tile = layout_tile(run->layout, tiles_shard_number(run), (*end)++);
    const tauler_error error =
        run->grid->reads_finished(run->job->grid_tables, run->slice->slice, tile, runs);
    if (error) return error;
    cells += count_cells(runs, before);
    if (cells < limit) continue;
    runs->used = store_merge_runs(runs->runs, runs->used);
    cells = count_cells(runs, 0);
  }
  return TAULER_OK;
}

static void set_finished_reader(tiles_run *run, game_finished finished) {
  run->finished = finished;
  if (tiles_finds_regions(run)) tiles_swap_finished(run);
  run->state.finished = &run->finished;
}

/* Gathers the finished cells of the next batch of tiles. A rank that has failed or has no tiles left still
 * makes the collective calls. */
static void gather_finished_cells(void *user) {
  tiles_run *run = user;
  if (solve_has_local(run->job)) {
    set_finished_reader(run, store_plain_reader(run->job->store));
    run->more = false;
    tiles_select_all(run);
    return;
  }
  const uint64_t tiles = layout_shard_size(run->layout, tiles_shard_number(run)).tiles;
  game_runs runs = {NULL, 0, 0};
  sharded_drop_pages(run->slice);
  store_cells_free(run->cells);
  run->cells = NULL;
  run->first_tile = run->end_tile;
  failure_note(&run->failed, list_finished_cells(run, run->first_tile, tiles, &runs, &run->end_tile), NULL);
  if (run->failed.error) {
    runs.used = 0;
    run->first_tile = run->end_tile = tiles;
  }
  uint64_t more = run->end_tile < tiles;
  tauler_error error = store_gather(run->job->store, runs.runs, runs.used, run->plan.planes, &run->cells,
                                    &run->failed.message);
  if (!error) error = comm_allreduce(run->job->work.comm, COMM_OR, &more, 1, &run->failed.message);
  free(runs.runs);
  failure_note(&run->failed, error, NULL);
  if (error) run->first_tile = run->end_tile;
  run->more = more && !error;
  set_finished_reader(run, store_reader(run->cells));
}

static void free_finished_cells(void *user) {
  tiles_run *run = user;
  store_cells_free(run->cells);
  run->cells = NULL;
  run->state.finished = NULL;
  tiles_select_all(run);
}

static void begin_batches(void *user) {
  tiles_run *run = user;
  run->first_tile = run->end_tile = 0;
}

/* Makes kernels write lookups instead of bounds, in the layout of the slice's arrays. */
static void point_at_lookups(void *user) {
  tiles_run *run = user;
  run->state.slabs = layout_slabs(run->layout, tiles_shard_number(run));
  for (int plane = 0; plane < run->plan.planes; plane++)
    run->state.bounds[plane] = run->slice->shards[0].parts[SHARD_LOOKUPS + plane];
}

static void point_at_bounds(void *user) {
  tiles_run *run = user;
  run->state.slabs = run->joined;
  for (int plane = 0; plane < run->plan.planes; plane++) run->state.bounds[plane] = run->bounds[plane];
}

static void allocate_lookups(void *user) {
  tiles_run *run = user;
  tauler_error error = TAULER_OK;
  for (int plane = 0; plane < run->plan.planes && !error; plane++)
    error = sharded_allocate(run->slice, 0, SHARD_LOOKUPS + plane, &run->failed.message);
  failure_note(&run->failed, error, NULL);
}

/* Works on the tiles batch by batch. If `lookups`, also fills the lookups of the slice from the same finished
 * cells. */
static void work_in_batches(tiles_run *run, worker *self, game_grid_kernel *kernel, bool lookups) {
  worker_barrier(self, begin_batches, run);
  bool more = true;
  while (more) {
    worker_barrier_main(self, gather_finished_cells, run);
    more = run->more;
    work_on_tiles(run, self, kernel);
    if (!lookups) continue;
    worker_barrier(self, point_at_lookups, run);
    work_on_tiles(run, self, run->grid->lookup);
    worker_barrier(self, point_at_bounds, run);
  }
  worker_barrier(self, free_finished_cells, run);
}

void tiles_begin_with_lookups(tiles_run *run, worker *self) {
  worker_barrier(self, allocate_lookups, run);
  work_in_batches(run, self, run->grid->begin, true);
}

void tiles_work_with_finished(tiles_run *run, worker *self, game_grid_kernel *kernel) {
  work_in_batches(run, self, kernel, false);
}

static void clear_block(tiles_run *run, int plane, const game_grid_group *group, uint64_t row) {
  const uint64_t width = (group->columns + 7) / 8;
  memset(run->changed[plane] + group->first_changed + row * width, 0, width);
  run->dirty[plane][group->first_block + row] = 0;
}

static void add_block_to_known(tiles_run *run, int plane, const game_grid_group *group, uint64_t row) {
  const uint64_t width = (group->columns + 7) / 8, at = group->first_changed + row * width;
  for (uint64_t i = 0; i < width; i++) run->known[at + i] |= run->changed[plane][at + i];
}

void tiles_work_on_blocks(tiles_run *run, int plane, const uint8_t *marks, uint64_t span,
                          tiles_block_work *work) {
  const slice_layout *layout = run->layout;
  tiles_limit_pages(run);
  const uint64_t from = span * TILES_SPAN;
  const uint64_t to = from + TILES_SPAN < layout->blocks ? from + TILES_SPAN : layout->blocks;
  size_t g = 0;
  for (uint64_t block = from; block < to; block++) {
    if (marks) block = tiles_next_marked(marks, block, to);
    if (block == to) return;
    while (block >= layout->groups[g].first_block + layout->groups[g].blocks) g++;
    work(run, plane, &layout->groups[g], block - layout->groups[g].first_block);
  }
}

void tiles_note_known(tiles_run *run, worker *self) {
  uint64_t item;
  while (!run->failed.error && worker_next(self, tiles_spans(run), &item))
    tiles_work_on_blocks(run, 0, run->dirty[0], item, add_block_to_known);
  worker_barrier(self, NULL, NULL);
}

/* True if so many cells have changed that clearing all blocks costs less than finding those with changes. */
static bool is_dense(const tiles_run *run) {
  return tiles_has_one_shard(run) && run->changed_now > run->layout->blocks / 4;
}

enum { BYTES_AT_ONCE = 1 << 19 };

static void clear_sent_row(tiles_run *run, int plane, const game_grid_group *group, uint64_t row) {
  const size_t g = (size_t)(group - run->layout->groups);
  const game_grid_slab *slab = &layout_slabs(run->layout, tiles_shard_number(run))[g];
  const uint64_t width = (slab->columns + 7) / 8;
  memset(run->sent[plane] + slab->first_changed + row * width, 0, width);
  run->sent_blocks[plane][group->first_block + row] = 0;
}

void tiles_clear_sent(tiles_run *run, worker *self) {
  const uint64_t spans = tiles_spans(run);
  uint64_t item;
  while (run->sent[0] && !run->failed.error && worker_next(self, GRID_PLANES * spans, &item)) {
    const int plane = (int)(item / spans);
    uint8_t *sent = tiles_sent_spans(run, plane) + item % spans;
    if (*sent) tiles_work_on_blocks(run, plane, run->sent_blocks[plane], item % spans, clear_sent_row);
    *sent = 0;
  }
  worker_barrier(self, NULL, NULL);
}

static void clear_changed_item(tiles_run *run, int plane, uint64_t item) {
  if (!is_dense(run)) {
    tiles_work_on_blocks(run, plane, run->dirty[plane], item, clear_block);
    return;
  }
  const uint64_t from = item * BYTES_AT_ONCE, rest = run->plan.changed_bytes - from;
  memset(run->changed[plane] + from, 0, rest < BYTES_AT_ONCE ? rest : BYTES_AT_ONCE);
  if (from == 0) memset(run->dirty[plane], 0, run->layout->blocks);
}

void tiles_clear_changed(tiles_run *run, worker *self) {
  const uint64_t items = is_dense(run) ? run->plan.changed_bytes / BYTES_AT_ONCE + 1 : tiles_spans(run);
  uint64_t item;
  while (!run->failed.error && worker_next(self, 2 * items, &item))
    clear_changed_item(run, (int)(item / items), item % items);
  worker_barrier(self, NULL, NULL);
}

void tiles_send_state(tiles_run *run, worker *self) {
  tiles_send_self(run, self, SEND_CELLS);
  tiles_send(run, self, SEND_CELLS);
  if (run->purpose != RUN_DEPTHS) return;
  tiles_send_self(run, self, SEND_KNOWN);
  tiles_send(run, self, SEND_KNOWN);
}

void tiles_send_self_again(tiles_run *run, worker *self) {
  if (run->sent[0]) tiles_send_self(run, self, SEND_DECISIONS);
}
