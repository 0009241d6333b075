/* Allocates, maps and clears the arrays of the loaded shard. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "solver/engines/cells.h"
#include "solver/engines/tiles/packets.h"

/* An array of a shard, other than its cells. kept: it must survive until the next visit, so if shards are
 * spilled, each shard has its own in the file. sparse: it is laid out as the whole slice. changed: it is
 * sparse and has a bit for each cell. */
typedef struct {
  void *slot;      /* address of the pointer to the array */
  void *neighbour; /* address of the pointer in run->from, or NULL if no other shard reads it */
  uint64_t bytes, touched;
  bool kept, sparse, changed;
} shard_array;

enum { MOST_ARRAYS = 2 * SOLVE_PLANES + 8 * GRID_PLANES + 4 };

typedef struct {
  size_t n;
  shard_array list[MOST_ARRAYS];
} shard_arrays;

static void add_array(shard_arrays *arrays, void *slot, uint64_t bytes, bool kept) {
  arrays->list[arrays->n++] = (shard_array){.slot = slot, .bytes = bytes, .touched = bytes, .kept = kept};
}

static void add_sparse_array(shard_arrays *arrays, void *slot, uint64_t bytes, uint64_t touched, bool kept,
                             bool changed) {
  arrays->list[arrays->n++] = (shard_array){slot, NULL, bytes, touched, kept, true, changed};
}

static void add_shared_array(shard_arrays *arrays, void *slot, uint64_t bytes, void *neighbour) {
  add_array(arrays, slot, bytes, true);
  arrays->list[arrays->n - 1].neighbour = neighbour;
}

static void list_change_arrays(tiles_run *run, int plane, shard_arrays *arrays) {
  const uint64_t blocks = run->layout->blocks, all = run->plan.changed_bytes;
  const uint64_t own = run->needs.own.changed + 8;
  const bool several = run->layout->shards_per_rank > 1;
  const int sent = run->purpose == RUN_DEPTHS && several ? 2 : 1;
  if (tiles_is_alone(run)) {
    if (run->purpose != RUN_DEPTHS) return;
    add_array(arrays, &run->changed[plane], all, false);
    add_array(arrays, &run->dirty[plane], blocks, false);
    add_array(arrays, &run->next_changed[plane], all, false);
    add_array(arrays, &run->next_dirty[plane], blocks, false);
    return;
  }
  if (run->purpose == RUN_DEPTHS || !several) {
    add_sparse_array(arrays, &run->changed[plane], all, run->needs.halo_changed, false, true);
    add_array(arrays, &run->dirty[plane], blocks, false);
  }
  if (tiles_is_joined(run)) return;
  if (run->purpose == RUN_DEPTHS && several) {
    add_array(arrays, &run->next_changed[plane], own, false);
    add_array(arrays, &run->next_dirty[plane], blocks, false);
  }
  for (int i = 0; i < sent; i++) {
    add_shared_array(arrays, &run->sent_of[i][plane], own, &run->from.sent[i][plane]);
    add_shared_array(arrays, &run->sent_blocks_of[i][plane], blocks, &run->from.sent_blocks[i][plane]);
  }
}

static shard_arrays list_arrays(tiles_run *run) {
  const bool alone = tiles_is_alone(run);
  const bool solves = run->purpose == RUN_VALUES || run->purpose == RUN_DEPTHS;
  const tiles_shard_needs *needs = &run->needs;
  shard_arrays arrays = {0};
  for (int plane = 0; plane < run->plan.planes && run->purpose != RUN_LOOKUPS; plane++) {
    if (!alone)
      add_sparse_array(&arrays, &run->halo[plane], run->layout->positions, needs->halo_cells, solves, false);
    if (solves) add_array(&arrays, &run->bounds[plane], needs->own.bounds, true);
  }
  for (int plane = 0; plane < GRID_PLANES && solves; plane++) list_change_arrays(run, plane, &arrays);
  if (run->purpose == RUN_VALUES) {
    add_array(&arrays, &run->clock.changed, run->layout->blocks * sizeof *run->clock.changed, true);
    add_array(&arrays, &run->clock.visited, run->layout->tiles * sizeof *run->clock.visited, true);
  }
  if (run->purpose != RUN_DEPTHS) return arrays;
  if (alone) {
    add_array(&arrays, &run->known, run->plan.changed_bytes, true);
  } else {
    add_sparse_array(&arrays, &run->known, run->plan.changed_bytes, needs->halo_changed, true, true);
    add_shared_array(&arrays, &run->known_own, needs->own.changed + 8, &run->from.known);
  }
  return arrays;
}

uint64_t tiles_arrays_bytes(tiles_run *run, bool waiting) {
  const shard_arrays arrays = list_arrays(run);
  uint64_t bytes = 0;
  for (size_t i = 0; i < arrays.n; i++) {
    if (arrays.list[i].kept || !waiting) bytes += arrays.list[i].touched;
  }
  return bytes;
}

uint64_t tiles_neighbour_bytes(tiles_run *run) {
  const shard_arrays arrays = list_arrays(run);
  uint64_t bytes = (uint64_t)run->plan.planes * run->needs.own.cells;
  if (run->layout->shards_per_rank == 1) return 0;
  for (size_t i = 0; i < arrays.n; i++) {
    if (arrays.list[i].neighbour) bytes += arrays.list[i].bytes;
  }
  return bytes;
}

/* True if the array is always in memory and all shards share it. */
static bool stays_in_memory(const tiles_run *run, const shard_array *array) {
  return !run->slice->mapped || !array->kept;
}

static tauler_error allocate_arrays(tiles_run *run, tauler_message *message) {
  const shard_arrays arrays = list_arrays(run);
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < arrays.n && !error; i++) {
    const shard_array *array = &arrays.list[i];
    if (!stays_in_memory(run, array)) continue;
    error = array->sparse ? memory_allocate_sparse(run->job->work.memory, array->bytes, array->touched,
                                                   "what a shard reads", array->slot, message)
                          : memory_allocate(run->job->work.memory, array->bytes,
                                            "the working space of a shard", array->slot, message);
  }
  return error;
}

/* Returns the number of an array in the file, which is above those of the slice's own arrays. The arrays for
 * values and those for depths have different numbers, so that no number has two sizes. */
static uint32_t part_number(const tiles_run *run, size_t i) {
  return SHARD_PARTS + (uint32_t)i + (run->purpose == RUN_DEPTHS ? MOST_ARRAYS : 0);
}

static void free_arrays(tiles_run *run) {
  const shard_arrays arrays = list_arrays(run);
  for (size_t i = 0; i < arrays.n; i++) {
    void *array;
    memcpy(&array, arrays.list[i].slot, sizeof array);
    if (stays_in_memory(run, &arrays.list[i])) {
      memory_free(run->job->work.memory, array);
      continue;
    }
    for (uint32_t shard = 0; shard < run->slice->shards_here; shard++) {
      mapped_unmap(run->slice->mapped, run->slice->first_shard + shard, part_number(run, i));
      mapped_clear(run->slice->mapped, run->slice->first_shard + shard, part_number(run, i));
    }
  }
}

static tauler_error map_arrays(tiles_run *run) {
  const shard_arrays arrays = list_arrays(run);
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < arrays.n && !error; i++) {
    const shard_array *array = &arrays.list[i];
    if (stays_in_memory(run, array)) continue;
    error = mapped_map(run->slice->mapped, tiles_shard_number(run), part_number(run, i), array->bytes,
                       array->touched, array->slot, &run->failed.message);
  }
  return error;
}

static void unmap_arrays(tiles_run *run) {
  const shard_arrays arrays = list_arrays(run);
  for (size_t i = 0; i < arrays.n; i++) {
    if (!stays_in_memory(run, &arrays.list[i]))
      mapped_unmap(run->slice->mapped, tiles_shard_number(run), part_number(run, i));
  }
}

void tiles_list_own(arena *a, void *of) {
  tiles_run *run = of;
  const slice_layout *layout = run->layout;
  run->scratch = arena_allocate(a, (uint64_t)run->threads, run->scratch_bytes);
  if (tiles_is_alone(run) || run->purpose == RUN_LOOKUPS) return;
  run->reads = arena_allocate(a, layout->shards, run->reads_width);
  for (int set = 0; set < 2; set++)
    run->sent_spans[set] =
        arena_allocate(a, (uint64_t)layout->shards_per_rank * GRID_PLANES, tiles_spans(run));
  if (tiles_is_joined(run)) run->joined = arena_allocate(a, layout->groups_n, sizeof *run->joined);
}

/* Allocates the arrays of a shard and opens the exchange. Lookups need neither, since they read finished
 * cells only. */
static tauler_error open_arrays_and_exchange(tiles_run *run, tauler_message *message) {
  const slice_layout *layout = run->layout;
  if (tiles_is_alone(run)) {
    run->needs.own = layout_shard_size(layout, 0);
    return allocate_arrays(run, message);
  }
  tauler_error error = tiles_find_readers(run, message);
  if (error) return error;
  run->needs = tiles_find_needs(run, run->slice->first_shard, run->slice->shards_here);
  for (size_t g = 0; run->joined && g < layout->groups_n; g++)
    run->joined[g] =
        layout_place_in_slice(&layout->groups[g], &layout_slabs(layout, run->slice->first_shard)[g]);
  error = allocate_arrays(run, message);
  if (error || layout->shards == layout->shards_per_rank) return error;
  error = exchange_open(&run->job->work, layout->shards, layout->shards_per_rank, &run->exchange, message);
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
}

static void point_at_changes(tiles_run *run) {
  game_grid_state *state = &run->state;
  for (int plane = 0; plane < GRID_PLANES; plane++) {
    const bool joined = tiles_is_joined(run);
    run->sent[plane] = joined ? run->changed[plane] : run->sent_of[run->sent_now][plane];
    run->sent_blocks[plane] = joined ? run->dirty[plane] : run->sent_blocks_of[run->sent_now][plane];
    state->changed[plane] = run->changed[plane];
    state->next_changed[plane] = run->sent[plane] ? run->sent[plane] : run->changed[plane];
    if (run->next_changed[plane]) state->next_changed[plane] = run->next_changed[plane];
    state->dirty[plane] = run->dirty[plane];
    state->next_dirty[plane] = run->sent[plane] ? run->sent_blocks[plane] : run->dirty[plane];
    if (run->next_dirty[plane]) state->next_dirty[plane] = run->next_dirty[plane];
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
  const slice_shard *shard = &run->slice->shards[run->at];
  const game_grid_slab *slabs = layout_slabs(run->layout, tiles_shard_number(run));
  game_grid_state *state = &run->state;
  *state = (game_grid_state){.slice = run->slice->slice,
                             .planes = run->plan.planes,
                             .slabs = run->joined ? run->joined : slabs,
                             .known = run->known,
                             .clock = run->clock.changed ? &run->clock : NULL,
                             .wave = state->wave};
  for (int plane = 0; plane < run->plan.planes; plane++) {
    state->cells[plane] = tiles_is_alone(run) ? shard->parts[SHARD_CELLS + plane] : run->halo[plane];
    state->own[plane] = run->joined ? run->halo[plane] : shard->parts[SHARD_CELLS + plane];
    state->bounds[plane] =
        run->purpose == RUN_LOOKUPS ? shard->parts[SHARD_LOOKUPS + plane] : run->bounds[plane];
    state->depths[plane] = run->purpose == RUN_DEPTHS ? shard->parts[SHARD_DEPTHS + plane] : NULL;
  }
  if (run->purpose == RUN_VALUES && !tiles_is_alone(run) && !run->joined) {
    state->mirrored = run->reads + tiles_shard_number(run) * run->reads_width;
    for (int plane = 0; plane < run->plan.planes; plane++) state->mirror[plane] = run->halo[plane];
  }
  point_at_changes(run);
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

/* Fills the cells that the shard reads and, if tiles_is_joined, its own with the open value. */
static tauler_error fill_halo(tiles_run *run) {
  range_list list = {NULL, 0, 0};
  tauler_error error = TAULER_OK;
  for (int plane = 0; plane < run->plan.planes && !error && !tiles_is_alone(run); plane++) {
    if (run->purpose == RUN_RECOVERY) memory_clear(run->halo[plane], run->layout->positions);
    error = list_halo_ranges(run, run->halo[plane], false, &list);
    for (size_t i = 0; i < list.n && !error; i++)
      memset(list.ranges[i].bytes, (uint8_t)run->plan.open[plane], list.ranges[i].n);
  }
  free(list.ranges);
  return error;
}

/* Clears the arrays that are not kept, which the last loaded shard has used. */
static void clear_working_space(tiles_run *run) {
  const shard_arrays arrays = list_arrays(run);
  for (size_t i = 0; i < arrays.n; i++) {
    const shard_array *array = &arrays.list[i];
    if (array->kept) continue;
    void *bytes;
    memcpy(&bytes, array->slot, sizeof bytes);
    if (array->sparse) {
      memory_clear(bytes, array->bytes);
    } else {
      memset(bytes, 0, array->bytes);
    }
  }
}

static tauler_error fill_new_shard(tiles_run *run) {
  sharded_slice *slice = run->slice;
  tauler_error error = TAULER_OK;
  for (int plane = 0; plane < run->plan.planes && !error; plane++) {
    const int part = run->purpose == RUN_DEPTHS ? SHARD_DEPTHS + plane : SHARD_CELLS + plane;
    if (run->joined) break;
    if (!slice->shards[run->at].parts[part])
      error = sharded_allocate(slice, run->at, part, &run->failed.message);
    if (error) break;
    const uint64_t n = slice->shards[run->at].n;
    if (run->purpose == RUN_DEPTHS) {
      memset(slice->shards[run->at].parts[part], 0xFF, n * sizeof(uint16_t));
    } else {
      memset(slice->shards[run->at].parts[part], (uint8_t)run->plan.open[plane], n);
    }
  }
  return error ? error : fill_halo(run);
}

/* Reserves room in the file for all that a visit may write, so that a full disk is noticed now. */
static tauler_error reserve_arrays(tiles_run *run) {
  const shard_arrays arrays = list_arrays(run);
  range_list list = {NULL, 0, 0};
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < arrays.n && !error; i++) {
    const shard_array *array = &arrays.list[i];
    if (stays_in_memory(run, array)) continue;
    uint8_t *start;
    memcpy(&start, array->slot, sizeof start);
    list.n = 0;
    error = array->sparse ? list_halo_ranges(run, start, array->changed, &list)
                          : add_range(&list, start, array->bytes);
    for (size_t r = 0; r < list.n && !error; r++)
      error = mapped_reserve(run->slice->mapped, tiles_shard_number(run), part_number(run, i),
                             (uint64_t)((uint8_t *)list.ranges[r].bytes - start), list.ranges[r].n,
                             &run->failed.message);
  }
  free(list.ranges);
  return error;
}

static tauler_error load_slice_parts(tiles_run *run) {
  tauler_error error = TAULER_OK;
  if (run->purpose == RUN_LOOKUPS) return error;
  for (int plane = 0; plane < run->plan.planes && !error; plane++) {
    if (run->slice->shards[run->at].stored[SHARD_CELLS + plane])
      error = sharded_load(run->slice, run->at, SHARD_CELLS + plane, &run->failed.message);
    if (!error && run->purpose == RUN_DEPTHS && run->slice->shards[run->at].stored[SHARD_DEPTHS + plane])
      error = sharded_load(run->slice, run->at, SHARD_DEPTHS + plane, &run->failed.message);
  }
  return error;
}

tauler_error tiles_load(tiles_run *run, uint32_t i, bool is_new) {
  const bool is_spilled = run->slice->mapped != NULL;
  run->at = i;
  tauler_error error = is_spilled ? load_slice_parts(run) : TAULER_OK;
  if (!error && is_spilled) error = map_arrays(run);
  if (!error && is_spilled && is_new) error = reserve_arrays(run);
  if (!error && run->purpose == RUN_RECOVERY) {
    error = fill_halo(run);
  } else if (!error && run->purpose == RUN_LOOKUPS) {
    for (int plane = 0; plane < run->plan.planes && !error; plane++)
      error = sharded_allocate(run->slice, i, SHARD_LOOKUPS + plane, &run->failed.message);
  } else if (!error) {
    if (is_spilled) clear_working_space(run);
    if (is_new) error = fill_new_shard(run);
  }
  point_at_shard(run);
  tiles_select_all(run);
  failure_note(&run->failed, error, NULL);
  return error;
}

void tiles_unload(void *user) {
  tiles_run *run = user;
  if (!run->slice->mapped) return;
  unmap_arrays(run);
  sharded_unload(run->slice, run->at);
}

void tiles_load_neighbour(void *user) {
  tiles_run *run = user;
  sharded_slice *slice = run->slice;
  const shard_arrays arrays = list_arrays(run);
  const uint32_t at = run->from.at;
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < arrays.n && !error && !run->failed.error; i++) {
    const shard_array *array = &arrays.list[i];
    if (array->neighbour && at == run->at)
      memcpy(array->neighbour, array->slot, sizeof(void *));
    else if (array->neighbour)
      error = mapped_map(slice->mapped, slice->first_shard + at, part_number(run, i), array->bytes,
                         array->touched, array->neighbour, &run->failed.message);
  }
  for (int plane = 0; plane < run->plan.planes && !error && !run->failed.error; plane++) {
    error = sharded_load(slice, at, SHARD_CELLS + plane, &run->failed.message);
    run->from.cells[plane] = slice->shards[at].parts[SHARD_CELLS + plane];
  }
  failure_note(&run->failed, error, NULL);
}

void tiles_unload_neighbour(void *user) {
  tiles_run *run = user;
  const shard_arrays arrays = list_arrays(run);
  if (run->from.at == run->at) return;
  for (size_t i = 0; i < arrays.n; i++) {
    if (arrays.list[i].neighbour)
      mapped_unmap(run->slice->mapped, run->slice->first_shard + run->from.at, part_number(run, i));
  }
  sharded_unload(run->slice, run->from.at);
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
