/* Allocates, maps and fills the arrays of a run. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "solver/engines/cells.h"
#include "solver/engines/tiles/packets.h"

/* An array of the run, other than those of the slice. paged: mapped if the slice is. sparse: laid out as the
 * whole slice, although the shard touches only parts of it. changed: sparse, with a bit for each cell. */
typedef struct {
  void *slot; /* address of the pointer to the array */
  uint64_t bytes, touched;
  bool paged, sparse, changed;
} shard_array;

enum { MOST_ARRAYS = 2 * SOLVE_PLANES + 6 * GRID_PLANES + 4 };

typedef struct {
  size_t n;
  shard_array list[MOST_ARRAYS];
} shard_arrays;

static void add_array(shard_arrays *arrays, void *slot, uint64_t bytes, bool paged) {
  arrays->list[arrays->n++] = (shard_array){.slot = slot, .bytes = bytes, .touched = bytes, .paged = paged};
}

static void add_sparse_array(shard_arrays *arrays, void *slot, uint64_t bytes, uint64_t touched,
                             bool changed) {
  arrays->list[arrays->n++] = (shard_array){slot, bytes, touched, true, true, changed};
}

static void list_change_arrays(tiles_run *run, int plane, shard_arrays *arrays) {
  const uint64_t blocks = run->layout->blocks, all = run->plan.changed_bytes;
  if (tiles_has_one_shard(run)) {
    if (run->purpose != RUN_DEPTHS) return;
    add_array(arrays, &run->changed[plane], all, true);
    add_array(arrays, &run->dirty[plane], blocks, false);
    add_array(arrays, &run->next_changed[plane], all, true);
    add_array(arrays, &run->next_dirty[plane], blocks, false);
    return;
  }
  add_sparse_array(arrays, &run->changed[plane], all, run->needs.halo_changed, true);
  add_array(arrays, &run->dirty[plane], blocks, false);
  if (tiles_is_joined(run)) return;
  add_array(arrays, &run->sent[plane], run->needs.own.changed + 8, true);
  add_array(arrays, &run->sent_blocks[plane], blocks, false);
}

/* The bounds of a plane come before its halo: tiles read them once in a pass, so their pages are dropped
 * earlier. */
static shard_arrays list_arrays(tiles_run *run) {
  const bool alone = tiles_has_one_shard(run);
  const bool solves = run->purpose == RUN_VALUES || run->purpose == RUN_DEPTHS;
  const tiles_shard_needs *needs = &run->needs;
  shard_arrays arrays = {0};
  for (int plane = 0; plane < run->plan.planes && run->purpose != RUN_LOOKUPS; plane++) {
    if (solves) add_array(&arrays, &run->bounds[plane], needs->own.bounds, true);
    if (!alone)
      add_sparse_array(&arrays, &run->halo[plane], run->layout->positions, needs->halo_cells, false);
  }
  for (int plane = 0; plane < GRID_PLANES && solves; plane++) list_change_arrays(run, plane, &arrays);
  if (run->purpose == RUN_VALUES) {
    add_array(&arrays, &run->clock.changed, run->layout->blocks * sizeof *run->clock.changed, false);
    add_array(&arrays, &run->clock.visited, run->layout->tiles * sizeof *run->clock.visited, false);
  }
  if (run->purpose != RUN_DEPTHS) return arrays;
  if (alone) {
    add_array(&arrays, &run->known, run->plan.changed_bytes, true);
  } else {
    add_sparse_array(&arrays, &run->known, run->plan.changed_bytes, needs->halo_changed, true);
    add_array(&arrays, &run->known_own, needs->own.changed + 8, true);
  }
  return arrays;
}

uint64_t tiles_arrays_bytes(tiles_run *run, bool paged) {
  const shard_arrays arrays = list_arrays(run);
  uint64_t bytes = 0;
  for (size_t i = 0; i < arrays.n; i++) {
    if (arrays.list[i].paged == paged) bytes += arrays.list[i].touched;
  }
  return bytes;
}

static bool is_mapped(const tiles_run *run, const shard_array *array) {
  return run->slice->mapped && array->paged;
}

static tauler_error allocate_array(tiles_run *run, const shard_array *array, tauler_message *message) {
  memory_budget *memory = run->job->work.memory;
  return array->sparse
             ? memory_allocate_sparse(memory, array->bytes, array->touched, "what a shard reads", array->slot,
                                      message)
             : memory_allocate(memory, array->bytes, "the working space of a shard", array->slot, message);
}

typedef struct {
  void *bytes;
  uint64_t n;
} byte_range;

typedef struct {
  byte_range *ranges;
  size_t n, room;
} range_list;

static tauler_error add_range(range_list *list, uint8_t *bytes, uint64_t n) {
  if (list->n > 0) {
    byte_range *last = &list->ranges[list->n - 1];
    if ((uint8_t *)last->bytes + last->n == bytes) {
      last->n += n;
      return TAULER_OK;
    }
  }
  if (!memory_make_room(&list->ranges, &list->room, list->n + 1, sizeof *list->ranges))
    return TAULER_NO_MEMORY;
  list->ranges[list->n++] = (byte_range){bytes, n};
  return TAULER_OK;
}

static tauler_error list_halo_ranges(const tiles_run *run, void *array, bool changed, range_list *list) {
  tauler_error error = TAULER_OK;
  list->n = 0;
  for (size_t g = 0; g < run->layout->groups_n && !error; g++) {
    const game_grid_group *group = &run->layout->groups[g];
    const uint64_t first = changed ? group->first_changed : group->first_cell;
    const uint64_t width = changed ? (group->columns + 7) / 8 : group->columns;
    for (uint64_t row = 0; row < group->blocks && !error; row++) {
      if (tiles_reads_block(run, tiles_shard_number(run), group->first_block + row))
        error = add_range(list, (uint8_t *)array + first + row * width, width);
      else if (run->joined && run->joined[g].columns > 0)
        error = add_range(list, (uint8_t *)array + run->joined[g].first_cell + row * width,
                          run->joined[g].columns);
    }
  }
  return error;
}

/* Returns the number of an array in the file, which is above those of the slice's own arrays. Runs of
 * different purposes have different numbers, so that no number has two sizes. */
static uint32_t part_number(const tiles_run *run, size_t i) {
  return SHARD_PARTS + (uint32_t)run->purpose * MOST_ARRAYS + (uint32_t)i;
}

/* Maps an array, and reserves room in the file for all that a run may write, so that a full disk is noticed
 * now. */
static tauler_error map_array(tiles_run *run, const shard_array *array, uint32_t part,
                              tauler_message *message) {
  mapped_arrays *mapped = run->slice->mapped;
  const uint32_t shard = tiles_shard_number(run);
  range_list list = {NULL, 0, 0};
  uint8_t *start;
  tauler_error error = mapped_map(mapped, shard, part, array->bytes, 0, array->slot, message);
  memcpy(&start, array->slot, sizeof start);
  if (!error)
    error = array->sparse ? list_halo_ranges(run, start, array->changed, &list)
                          : add_range(&list, start, array->bytes);
  for (size_t r = 0; r < list.n && !error; r++)
    error = mapped_reserve(mapped, shard, part, (uint64_t)((uint8_t *)list.ranges[r].bytes - start),
                           list.ranges[r].n, message);
  free(list.ranges);
  return error;
}

static tauler_error open_arrays(tiles_run *run, tauler_message *message) {
  const shard_arrays arrays = list_arrays(run);
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < arrays.n && !error; i++) {
    error = is_mapped(run, &arrays.list[i]) ? map_array(run, &arrays.list[i], part_number(run, i), message)
                                            : allocate_array(run, &arrays.list[i], message);
  }
  return error;
}

static void free_arrays(tiles_run *run) {
  const shard_arrays arrays = list_arrays(run);
  for (size_t i = 0; i < arrays.n; i++) {
    void *array;
    memcpy(&array, arrays.list[i].slot, sizeof array);
    if (!is_mapped(run, &arrays.list[i])) {
      memory_free(run->job->work.memory, array);
      continue;
    }
    mapped_unmap(run->slice->mapped, tiles_shard_number(run), part_number(run, i));
    mapped_clear(run->slice->mapped, tiles_shard_number(run), part_number(run, i));
  }
}

void tiles_list_own(arena *a, void *of) {
  tiles_run *run = of;
  const slice_layout *layout = run->layout;
  run->scratch = arena_allocate(a, (uint64_t)run->threads, run->scratch_bytes);
  if (tiles_has_one_shard(run) || run->purpose == RUN_LOOKUPS) return;
  run->reads = arena_allocate(a, layout->shards, run->reads_width);
  run->sent_spans = arena_allocate(a, GRID_PLANES, tiles_spans(run));
  if (tiles_is_joined(run)) run->joined = arena_allocate(a, layout->groups_n, sizeof *run->joined);
}

/* Opens the arrays of the shard and the exchange. Lookups need neither, since they read finished
 * cells only. */
static tauler_error open_arrays_and_exchange(tiles_run *run, tauler_message *message) {
  const slice_layout *layout = run->layout;
  if (tiles_has_one_shard(run)) {
    run->needs.own = layout_shard_size(layout, 0);
    return open_arrays(run, message);
  }
  tauler_error error = tiles_find_readers(run, message);
  if (error) return error;
  run->needs = tiles_find_needs(run, tiles_shard_number(run), 1);
  for (size_t g = 0; run->joined && g < layout->groups_n; g++)
    run->joined[g] =
        layout_place_in_slice(&layout->groups[g], &layout_slabs(layout, tiles_shard_number(run))[g]);
  error = open_arrays(run, message);
  if (!error) error = exchange_open(&run->job->work, layout->shards, 1, &run->exchange, message);
  return error ? error : tiles_senders_open(run, message);
}

tiles_run tiles_run_of(const solve_job *job, const slice_layout *layout, tiles_purpose purpose) {
  const bool few = layout->positions < GRID_WORTH_THREADS;
  tiles_run run = {.job = job,
                   .grid = job->problem.game->grid,
                   .layout = layout,
                   .threads = few ? 1 : job->work.threads,
                   .purpose = purpose,
                   .reads_width = layout->blocks / 8 + 1,
                   .clock.next = 1,
                   .run.changed_last = 1,
                   .kept.layout = layout};
  run.grid->plan(job->problem.rules, layout->slice, &run.plan);
  run.scratch_bytes = (run.plan.scratch_bytes + 127) / 64 * 64;
  return run;
}

tauler_error tiles_run_open(tiles_run *run, const solve_job *job, sharded_slice *slice, tiles_purpose purpose,
                            tauler_message *message) {
  *run = tiles_run_of(job, slice->layout, purpose);
  run->slice = slice;
  run->sending.run = run;
  tauler_error error = arena_fill(&run->own, job->work.memory, "the working space of the threads",
                                  tiles_list_own, run, message);
  if (!error && slice->mapped) error = tiles_find_room(run, message);
  if (!error && purpose != RUN_LOOKUPS) error = open_arrays_and_exchange(run, message);
  error = comm_agree(job->work.comm, error, message);
  if (!error && run->exchange) error = exchange_measure(run->exchange, message);
  run->compresses = comm_bandwidth(job->work.comm) < GRID_FAST_LINK;
  if (error) tiles_run_close(run);
  return error;
}

void tiles_run_close(tiles_run *run) {
  if (run->exchange) tiles_senders_close(run);
  exchange_close(run->exchange);
  arena_close(&run->own);
  free_arrays(run);
  sharded_drop_pages(run->slice);
}

static void point_at_changes(tiles_run *run) {
  game_grid_state *state = &run->state;
  for (int plane = 0; plane < GRID_PLANES; plane++) {
    if (tiles_is_joined(run)) {
      run->sent[plane] = run->changed[plane];
      run->sent_blocks[plane] = run->dirty[plane];
    }
    state->changed[plane] = run->changed[plane];
    state->next_changed[plane] = run->sent[plane] ? run->sent[plane] : run->next_changed[plane];
    state->dirty[plane] = run->dirty[plane];
    state->next_dirty[plane] = run->sent[plane] ? run->sent_blocks[plane] : run->next_dirty[plane];
  }
}

static void swap_arrays(uint8_t **a, uint8_t **b) {
  uint8_t *const first = *a;
  *a = *b;
  *b = first;
}

void tiles_swap_changed(void *user) {
  tiles_run *run = user;
  for (int plane = 0; plane < GRID_PLANES; plane++) {
    swap_arrays(&run->changed[plane], &run->next_changed[plane]);
    swap_arrays(&run->dirty[plane], &run->next_dirty[plane]);
  }
  point_at_changes(run);
}

static void point_at_shard(tiles_run *run) {
  const slice_shard *shard = &run->slice->shards[0];
  const game_grid_slab *slabs = layout_slabs(run->layout, tiles_shard_number(run));
  game_grid_state *state = &run->state;
  *state = (game_grid_state){.slice = run->slice->slice,
                             .planes = run->plan.planes,
                             .slabs = run->joined ? run->joined : slabs,
                             .known = run->known,
                             .clock = run->clock.changed ? &run->clock : NULL,
                             .wave = state->wave};
  for (int plane = 0; plane < run->plan.planes; plane++) {
    state->cells[plane] = tiles_has_one_shard(run) ? shard->parts[SHARD_CELLS + plane] : run->halo[plane];
    state->own[plane] = run->joined ? run->halo[plane] : shard->parts[SHARD_CELLS + plane];
    state->bounds[plane] =
        run->purpose == RUN_LOOKUPS ? shard->parts[SHARD_LOOKUPS + plane] : run->bounds[plane];
    state->depths[plane] = run->purpose == RUN_DEPTHS ? shard->parts[SHARD_DEPTHS + plane] : NULL;
  }
  point_at_changes(run);
}

void tiles_limit_pages(const tiles_run *run) {
  if (run->slice->mapped) mapped_limit_pages(run->slice->mapped, run->tile_room);
}

/* Sets n bytes of a new array, which are zeros. */
static void fill_array(const tiles_run *run, void *array, uint8_t byte, uint64_t n) {
  for (uint64_t at = 0, piece; at < n && byte; at += piece) {
    piece = n - at < SHARDED_PIECE ? n - at : SHARDED_PIECE;
    memset((uint8_t *)array + at, byte, piece);
    tiles_limit_pages(run);
  }
}

/* Sets to the open value the cells that the shard reads and, if tiles_is_joined, its own. */
static tauler_error fill_halo(tiles_run *run) {
  range_list list = {NULL, 0, 0};
  tauler_error error = TAULER_OK;
  for (int plane = 0; plane < run->plan.planes && !error && !tiles_has_one_shard(run); plane++) {
    error = list_halo_ranges(run, run->halo[plane], false, &list);
    for (size_t i = 0; i < list.n && !error; i++)
      fill_array(run, list.ranges[i].bytes, (uint8_t)run->plan.open[plane], list.ranges[i].n);
  }
  free(list.ranges);
  return error;
}

static tauler_error fill_new_shard(tiles_run *run, tauler_message *message) {
  sharded_slice *slice = run->slice;
  const bool depths = run->purpose == RUN_DEPTHS;
  tauler_error error = TAULER_OK;
  for (int plane = 0; plane < run->plan.planes && !error && !run->joined; plane++) {
    const int part = (depths ? SHARD_DEPTHS : SHARD_CELLS) + plane;
    error = sharded_allocate(slice, 0, part, message);
    if (!error)
      fill_array(run, slice->shards[0].parts[part], depths ? 0xFF : (uint8_t)run->plan.open[plane],
                 slice->shards[0].n * sharded_cell_bytes(part));
  }
  return error ? error : fill_halo(run);
}

tauler_error tiles_begin(tiles_run *run) {
  tauler_message *message = &run->failed.message;
  const bool reads_cells = run->purpose == RUN_DEPTHS || run->purpose == RUN_RECOVERY;
  tauler_error error = TAULER_OK;
  for (int plane = 0; plane < run->plan.planes && !error; plane++) {
    if (reads_cells) error = sharded_load(run->slice, 0, SHARD_CELLS + plane, message);
    if (run->purpose == RUN_LOOKUPS) error = sharded_allocate(run->slice, 0, SHARD_LOOKUPS + plane, message);
  }
  if (!error && run->purpose == RUN_RECOVERY) error = fill_halo(run);
  if (!error && run->purpose != RUN_RECOVERY && run->purpose != RUN_LOOKUPS)
    error = fill_new_shard(run, message);
  point_at_shard(run);
  tiles_select_all(run);
  failure_note(&run->failed, error, NULL);
  return error;
}

void tiles_list_arrays(tiles_run *run) {
  unit_arrays *kept = &run->kept;
  const bool depths = run->purpose == RUN_DEPTHS;
  kept->n = 0;
  kept->in_slice = run->joined != NULL;
  for (int plane = 0; plane < run->plan.planes; plane++) {
    if (!depths) unit_arrays_append(kept, UNIT_CELLS, run->state.own[plane], sizeof(int8_t));
    unit_arrays_append(kept, UNIT_BOUNDS, run->bounds[plane], 1);
    if (depths) unit_arrays_append(kept, UNIT_CELLS, run->state.depths[plane], sizeof(uint16_t));
  }
  if (!depths) return;
  unit_arrays_append(kept, UNIT_CHANGED, run->known_own ? run->known_own : run->known, 0);
  for (int plane = 0; plane < GRID_PLANES; plane++) {
    uint8_t *changed = run->sent[plane] ? run->sent[plane] : run->changed[plane];
    unit_arrays_append(kept, UNIT_CHANGED, changed, 0)->dirty =
        run->sent_blocks[plane] ? run->sent_blocks[plane] : run->dirty[plane];
  }
}
