/* Solves, loads and stores slices of chance for a build. Every rank has them whole. */
#include <math.h>
#include <string.h>

#include "base/clock.h"
#include "solver/engines/chance/chance.h"
#include "solver/engines/engine.h"

static void free_slice(memory_budget *memory, void *slice) {
  chance_slice_free(memory, slice);
}

static tauler_error load(engine_run *run, engine_task *task, void *slice, tauler_message *message) {
  const tauler_error error =
      chance_tables_load(run->job, run->slices.slices[task->place].slice, slice, message);
  return comm_agree(run->job->work.comm, error, message);
}

static tauler_error write_timed(engine_run *run, const chance_slice *slice, engine_task *task,
                                tauler_message *message) {
  const double start = clock_process_cpu();
  tauler_error error = TAULER_OK;
  if (comm_is_root(run->job->work.comm)) error = chance_tables_write(run->job, slice, message);
  error = comm_agree(run->job->work.comm, error, message);
  task->wrote = clock_process_cpu() - start;
  return error;
}

/* The finished slices that the current slice needs. It must see no others: what it reads alone may determine
 * its cells. */
static chance_slices needs_of(const engine_run *run, size_t place) {
  const chance_slices needs = {run->whole.views, run->whole.room};
  const slice_levels *levels = &run->levels;
  for (uint32_t s = 0; s < needs.room; s++) needs.list[s] = (chance_slice){.slice = s};
  for (size_t k = levels->first_need[place]; k < levels->first_need[place + 1]; k++) {
    const chance_slice *need = whole_at(run, levels->need[k]);
    needs.list[need->slice] = *need;
  }
  return needs;
}

static void note_effort(build_cost *cost, uint64_t positions, const chance_effort *effort) {
  for (int kind = 0; kind < BUILD_SWEEPS; kind++) {
    cost->sweeps[kind].sweeps += effort->sweeps[kind].sweeps;
    cost->sweeps[kind].updates += effort->sweeps[kind].updates;
    cost->sweeps[kind].seconds += effort->sweeps[kind].seconds;
  }
  if (positions < cost->largest_solved) return;
  cost->largest_solved = positions;
  memcpy(cost->sweeps_of_largest, effort->sweeps, sizeof effort->sweeps);
}

static tauler_error solve_timed(engine_run *run, engine_task *task, chance_slice *out,
                                tauler_message *message) {
  memory_budget *memory = run->job->work.memory;
  const double start = clock_process_cpu(), wall = clock_wall();
  const uint64_t before = memory_allocated(memory);
  const game_slice *slice = &run->slices.slices[task->place];
  const chance_slices needs = needs_of(run, task->place);
  const chance_job job = {.job = task->solving, .finished = &needs, .width = run->job->width};
  chance_effort effort = {0};
  const tauler_error error = chance_solve(&job, slice->slice, out, &effort, message);
  engine_note_solving(run, start, wall);
  task->shown = effort.shown;
  note_effort(run->cost, slice->positions, &effort);
  if (memory_peak(memory) - before > run->cost->solving_peak)
    run->cost->solving_peak = memory_peak(memory) - before;
  return comm_agree(run->job->work.comm, error, message);
}

static tauler_error solve(engine_run *run, engine_task *task, void *out, tauler_message *message) {
  const chance_slice *slice = out;
  tauler_error error = solve_timed(run, task, out, message);
  if (!error && task->stores) error = write_timed(run, slice, task, message);
  if (error || !task->stores) return error;
  run->cost->width = fmax(run->cost->width, slice->width);
  chance_tables_note(run->job, slice->slice, slice->width, slice->endless);
  return TAULER_OK;
}

static bool serves(const game *game, const game_rules *rules) {
  return game->kind(rules) == SOLVE_CHANCE;
}

static uint64_t finished_bytes(const solve_job *job, uint32_t slice) {
  chance_quantities quantities;
  job->problem.game->chance->quantities(job->problem.rules, slice, &quantities);
  return 2 * sizeof(double) * (uint64_t)quantities.used *
         job->problem.game->positions(job->problem.rules, slice);
}

static const whole_engine chance_whole = {.loads_alone = true,
                                          .slice_bytes = sizeof(chance_slice),
                                          .view_bytes = sizeof(chance_slice),
                                          .solve = solve,
                                          .load = load,
                                          .free = free_slice,
                                          .task_bytes = chance_solve_bytes,
                                          .finished_bytes = finished_bytes,
                                          .table_bytes = chance_tables_bytes,
                                          .find = chance_tables_find};

const engine engine_chance = {.name = "chance", .serves = serves, .whole = &chance_whole};
const engine engine_chance_edges = {.name = "chance-edges", .serves = serves, .whole = &chance_whole};
