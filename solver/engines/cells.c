/* Solves the slices of a build in shards, one or more for each rank. A store keeps the finished slices: plain
 * in memory if one process can hold all of them, otherwise compressed, perhaps in a file. */
#include <string.h>

#include "base/clock.h"
#include "lines/lines.h"
#include "solver/engines/cells.h"
#include "solver/tables/chunks.h"
#include "solver/tables/slice_tables.h"

/* --- small slices ---
 *
 * The two bounds of a slice may be equal everywhere; then one plane serves as both. If an engine leaves
 * positions of a small slice open, lines of play tighten their bounds (lines/lines.h). Lines read whole
 * slices, so every rank solves small slices alone, copies the cells of its shards from them, and keeps them
 * uncompressed in run->small. In larger slices open positions keep two bounds. Tables do not depend on the
 * number of ranks or on memory. */

enum { MOST_POSITIONS = 1 << 23 };

/* Bytes planned for the moves of open positions and for the proofs by lines of play. */
enum { LINES_BYTES = 32 << 20 };

bool slice_is_small(const solve_problem *problem, uint32_t slice) {
  return game_may_be_exact(problem->game, problem->rules) &&
         problem->game->positions(problem->rules, slice) <= MOST_POSITIONS;
}

uint64_t small_slice_bytes(const solve_job *job, uint32_t slice, bool depths) {
  if (!slice_is_small(&job->problem, slice)) return 0;
  const uint64_t cell = depths ? sizeof(int8_t) + sizeof(uint16_t) : sizeof(int8_t);
  return SOLVE_PLANES * cell * job->problem.game->positions(job->problem.rules, slice) + LINES_BYTES;
}

static bool bounds_meet(const solved_slice *whole) {
  return whole->positions == 0 || memcmp(whole->cells[0], whole->cells[1], whole->positions) == 0;
}

static tauler_error tighten_by_lines(const engine_run *run, const solve_job *alone, solved_slice *whole,
                                     tauler_message *message) {
  const solve_checkpoints *stops = alone->checkpoints;
  const own_row_job job = {.game = alone->problem.game,
                           .rules = alone->problem.rules,
                           .memory = alone->work.memory,
                           .finished = store_plain(alone->store),
                           .stop = stops ? stops->stop : NULL,
                           .user = stops ? stops->user : NULL};
  const uint64_t budget = run->job->lines_budget ? run->job->lines_budget : OWN_ROW_USUAL_BUDGET;
  return own_row_lines_tighten(&job, budget, whole, message);
}

static tauler_error copy_part(sharded_slice *slice, uint32_t i, int part, void *from,
                              tauler_message *message) {
  const tauler_error error = sharded_allocate(slice, i, part, message);
  if (error) return error;
  layout_copy_range(slice->layout, slice->first_shard + i, 0, slice->positions, sharded_cell_bytes(part),
                    (layout_array){slice->shards[i].parts[part], CELLS_OF_SHARD},
                    (layout_array){from, CELLS_OF_RANGE});
  return TAULER_OK;
}

static tauler_error fill_shards(sharded_slice *slice, const solved_slice *whole, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (uint32_t i = 0; i < slice->shards_here && !error; i++) {
    for (int plane = 0; plane < whole->planes && !error; plane++) {
      error = copy_part(slice, i, SHARD_CELLS + plane, whole->cells[plane], message);
      if (!error && whole->depths[plane])
        error = copy_part(slice, i, SHARD_DEPTHS + plane, whole->depths[plane], message);
    }
    sharded_unload(slice, i);
  }
  return error;
}

/* Moves a whole slice to a plain store, in one plane if the bounds are equal everywhere (`exact`). */
static void keep_whole_slice(const engine_run *run, const slice_store *store, solved_slice *whole,
                             bool exact) {
  memory_budget *memory = run->job->work.memory;
  for (int plane = 0; plane < whole->planes && !engine_keeps_depths(&run->job->problem); plane++) {
    memory_free(memory, whole->depths[plane]);
    whole->depths[plane] = NULL;
  }
  if (exact) {
    memory_free(memory, whole->cells[1]);
    whole->cells[1] = NULL;
    whole->planes = 1;
  }
  solved_slice *list = store_plain(store).list;
  solved_slice_free(memory, &list[whole->slice]);
  list[whole->slice] = *whole;
}

static void keep_small_slice(const engine_run *run, solved_slice *whole) {
  if (run->small == run->store)
    solved_slice_free(run->job->work.memory, whole);
  else
    keep_whole_slice(run, run->small, whole, whole->planes > 1 && bounds_meet(whole));
}

/* Lines of play do not change the stages, which belong to the guarantees that the engine found. Collective.
 */
static tauler_error solve_small_slice(engine_run *run, const solve_job *solving, uint32_t number, bool depths,
                                      sharded_slice *slice, tauler_message *message) {
  solve_job alone = *solving;
  alone.store = run->small;
  solved_slice whole = {0};
  *slice = (sharded_slice){0};
  tauler_error error = solve_alone(&alone, number, depths, &whole, message);
  const bool closed = error || bounds_meet(&whole);
  if (!closed) error = tighten_by_lines(run, &alone, &whole, message);
  error = comm_agree(solving->work.comm, error, message);
  if (!error) error = solve_open(solving, number, depths, slice, message);
  if (!error) error = comm_agree(solving->work.comm, fill_shards(slice, &whole, message), message);
  if (!closed) slice->traits |= SLICE_ALL_STORED; /* lookups do not hold for values of a fresh history */
  if (error)
    solved_slice_free(run->job->work.memory, &whole);
  else
    keep_small_slice(run, &whole);
  return error;
}

/* Counts the positions whose bounds differ. If none differ, marks the slice as exact. Under rules whose
 * bounds never meet, sets *open to 0. Collective. */
static tauler_error compare_bounds(const solve_job *solving, sharded_slice *slice, uint64_t *open,
                                   tauler_message *message) {
  tauler_error error = TAULER_OK;
  *open = 0;
  if (!game_may_be_exact(solving->problem.game, solving->problem.rules)) return TAULER_OK;
  for (uint32_t i = 0; i < slice->shards_here && !error; i++) {
    const slice_shard *shard = &slice->shards[i];
    for (int plane = 0; plane < SOLVE_PLANES && !error; plane++)
      error = sharded_load(slice, i, SHARD_CELLS + plane, message);
    const int8_t *lower = shard->parts[SHARD_CELLS], *upper = shard->parts[SHARD_CELLS + 1];
    for (uint64_t k = 0, end; k < shard->n && !error;) {
      for (end = sharded_next_piece(slice, k, shard->n); k < end; k++) *open += lower[k] != upper[k];
    }
    sharded_unload(slice, i);
  }
  error = comm_agree(solving->work.comm, error, message);
  if (!error) error = comm_allreduce(solving->work.comm, COMM_SUM, open, 1, message);
  if (!error && *open == 0) slice->traits |= SLICE_EXACT;
  return error;
}

/* --- slices of any size --- */

tauler_error cells_open(engine_run *run, tauler_message *message) {
  const build_job *job = run->job;
  const store_settings settings = {.comm = job->work.comm,
                                   .threads = job->work.threads,
                                   .spill_folder = run->solving.work.spill_folder,
                                   .plain = run->keeps_plain,
                                   .room = game_slices_largest(&run->slices) + 1};
  tauler_error error = store_open(&settings, job->work.memory, &run->store, message);
  run->solving.store = run->store;
  if (!error && game_may_be_exact(job->problem.game, job->problem.rules)) {
    const store_settings small = {.plain = true, .room = settings.room};
    if (run->keeps_plain)
      run->small = run->store;
    else
      error = store_open(&small, job->work.memory, &run->small, message);
  }
  return comm_agree(job->work.comm, error, message);
}

/* Moves a slice to the plain store of finished slices. After an error, or if the store is compressed and
 * already has the cells, frees the slice instead. */
static void keep_finished(const engine_run *run, tauler_error error, sharded_slice *slice) {
  if (error || !run->keeps_plain) {
    sharded_free(slice);
    return;
  }
  const bool exact = slice->traits & SLICE_EXACT;
  solved_slice whole = sharded_release(slice);
  keep_whole_slice(run, run->store, &whole, exact);
}

static tauler_error pack_slice(engine_run *run, sharded_slice *slice, bool depths, tauler_message *message) {
  return run->keeps_plain ? TAULER_OK : chunks_pack(run->job, slice, depths, run->store, message);
}

static tauler_error read_values(const build_job *job, const solve_job *solving, uint32_t number, bool depths,
                                sharded_slice *slice, tauler_message *message) {
  static const int8_t reserved[SOLVE_PLANES] = {SLICE_RESERVED, SLICE_RESERVED};
  tauler_error error = solve_open(solving, number, depths, slice, message);
  if (error) return error;
  error = chunks_read(job, slice, false, message);
  if (!error && !(slice->traits & SLICE_ALL_STORED)) error = solve_recover(solving, slice, reserved, message);
  if (error) sharded_free(slice);
  return error;
}

/* Loads a small slice into run->small of this rank, because solving other small slices reads it. */
static tauler_error load_small_slice(engine_run *run, uint32_t number, tauler_message *message) {
  build_job job = *run->job;
  solve_job alone = run->solving;
  sharded_slice slice;
  job.work.comm = alone.work.comm = NULL;
  alone.store = run->small;
  const tauler_error error = read_values(&job, &alone, number, false, &slice, message);
  if (error) return error;
  solved_slice whole = sharded_release(&slice);
  keep_small_slice(run, &whole);
  return TAULER_OK;
}

tauler_error cells_load(engine_run *run, size_t i, tauler_message *message) {
  solve_job solving = run->solving;
  if (run->fallback_rules) solving.problem.rules = run->fallback_rules;
  sharded_slice slice;
  tauler_error error = read_values(run->fallback_rules ? &run->fallback : run->job, &solving,
                                   run->slices.slices[i].slice, false, &slice, message);
  if (error) return error;
  error = pack_slice(run, &slice, false, message);
  if (!error && engine_keeps_depths(&run->job->problem)) {
    error = chunks_read(run->job, &slice, true, message);
    if (!error) error = ranges_recover_depths(&solving, &slice, message);
    if (!error) error = pack_slice(run, &slice, true, message);
  }
  keep_finished(run, error, &slice);
  const uint32_t number = run->slices.slices[i].slice;
  if (!error && run->small != run->store && run->small && slice_is_small(&run->job->problem, number))
    error = comm_agree(run->job->work.comm, load_small_slice(run, number, message), message);
  return error;
}

static tauler_error write_tables(engine_run *run, engine_task *task, sharded_slice *slice, bool depths,
                                 tauler_message *message) {
  const double start = clock_process_cpu();
  const bool packs = !run->keeps_plain && !run->fallback_rules;
  slice_store *store = packs && (!depths || engine_keeps_depths(&run->job->problem)) ? run->store : NULL;
  tauler_error error = depths ? TAULER_OK : solve_lookups(task->solving, slice, message);
  if (!error) error = chunks_write(run->job, slice, depths, store, message);
  task->wrote += clock_process_cpu() - start;
  return error;
}

static tauler_error solve_values(engine_run *run, engine_task *task, bool depths, sharded_slice *slice,
                                 tauler_message *message) {
  const double start = clock_process_cpu(), wall = clock_wall();
  const uint32_t number = run->slices.slices[task->place].slice;
  solve_effort effort = {.shown = task->shown};
  uint64_t open = 0;
  tauler_error error;
  if (task->stores && slice_is_small(&run->job->problem, number)) {
    error = solve_small_slice(run, task->solving, number, depths, slice, message);
  } else {
    error = solve_open(task->solving, number, run->wants_depths, slice, message);
    if (error) return error;
    error = solve_slice(task->solving, depths, slice, &effort, message);
  }
  if (!error) error = compare_bounds(task->solving, slice, &open, message);
  run->cost->open += open;
  if (error) sharded_free(slice);
  engine_note_solving(run, start, wall);
  task->shown = effort.shown;
  return error;
}

/* Makes the missing tables of a slice and fills *slice. If depths come with the values and only depths are
 * missing, solves both again. If the engine solves depths after values, writes the values before it solves
 * the depths. */
static tauler_error make_tables(engine_run *run, engine_task *task, sharded_slice *slice,
                                tauler_message *message) {
  const bool had_values = run->states[task->place].has_values;
  const bool at_once =
      run->wants_depths && (!run->engine->cells->depths || engine_keeps_depths(&run->job->problem));
  const bool from_table = had_values && !at_once;
  tauler_error error = from_table
                           ? read_values(run->job, task->solving, run->slices.slices[task->place].slice,
                                         run->wants_depths, slice, message)
                           : solve_values(run, task, at_once, slice, message);
  if (error) return error;
  if (!had_values && task->stores) error = write_tables(run, task, slice, false, message);
  if (!error && had_values) error = pack_slice(run, slice, false, message);
  if (!error && run->wants_depths && !at_once) {
    const double start = clock_process_cpu(), wall = clock_wall();
    solve_effort effort = {.shown = task->shown};
    error = solve_depths(task->solving, slice, &effort, message);
    engine_note_solving(run, start, wall);
    task->shown = effort.shown;
  }
  if (!error && run->wants_depths && task->stores) error = write_tables(run, task, slice, true, message);
  if (error) sharded_free(slice);
  return error;
}

/* Adds a slice under the fallback rules, to which converting moves lead, to the finished slices. Loads the
 * slice from the fallback tables, unless it is the last, or solves it if the task stores no tables. */
static tauler_error finish_fallback_slice(engine_run *run, const engine_task *task, tauler_message *message) {
  if (task->stores)
    return task->place + 1 < run->needed.used ? cells_load(run, task->place, message) : TAULER_OK;
  solve_job solving = *task->solving;
  solving.problem.rules = run->fallback_rules;
  sharded_slice slice;
  solve_effort effort = {0};
  tauler_error error = solve_open(&solving, run->slices.slices[task->place].slice, false, &slice, message);
  if (error) return error;
  error = solve_slice(&solving, false, &slice, &effort, message);
  if (!error) error = pack_slice(run, &slice, false, message);
  keep_finished(run, error, &slice);
  return error;
}

tauler_error cells_solve(engine_run *run, engine_task *task, tauler_message *message) {
  memory_budget *memory = run->job->work.memory;
  const uint64_t before = memory_allocated(memory), earlier = memory_peak(memory);
  sharded_slice slice;
  tauler_error error = make_tables(run, task, &slice, message);
  if (error) return error;
  engine_note_peak(run, before, earlier);
  if (!run->fallback_rules) {
    keep_finished(run, TAULER_OK, &slice);
    return TAULER_OK;
  }
  sharded_free(&slice);
  return finish_fallback_slice(run, task, message);
}

void cells_close(engine_run *run) {
  if (run->small != run->store) store_close(run->small);
  run->small = NULL;
  store_close(run->store);
}
