/* Slices that one process holds whole, and keeps for those behind them. */
#include "base/clock.h"
#include "solver/build/run.h"
#include "solver/checkpoint/checkpointer.h"

static solved_slice *slice_at(engine_run *run, size_t i) {
  return &run->finished.list[run->slices.slices[i].slice];
}

static tauler_error open_whole(engine_run *run, tauler_message *message) {
  (void)message;
  run->solving.finished = &run->finished;
  return TAULER_OK;
}

static tauler_error load_values(engine_run *run, size_t i, tauler_message *message) {
  const double start = clock_process_cpu();
  const tauler_error error = run->fresh_rules
                                 ? build_fresh_load(run, i, slice_at(run, i), message)
                                 : slice_values_load(run->job, &run->solving, run->slices.slices[i].slice,
                                                     slice_at(run, i), message);
  run->cost->loading += clock_process_cpu() - start;
  return error;
}

static tauler_error load_whole(engine_run *run, engine_task *task, tauler_message *message) {
  const size_t i = task->place;
  tauler_error error = load_values(run, i, message);
  if (error || !build_keeps_depths(run->job)) return error;
  const double start = clock_process_cpu();
  error = slice_depths_load(run->job, &run->solving, slice_at(run, i), message);
  run->cost->loading += clock_process_cpu() - start;
  return error;
}

static tauler_error solve_timed(engine_run *run, size_t i, bool depths, uint64_t *shown,
                                tauler_message *message) {
  const double start = clock_process_cpu(), wall = clock_wall();
  solve_effort effort = {.shown = *shown};
  const tauler_error error =
      solve_slice(&run->solving, run->slices.slices[i].slice, depths, slice_at(run, i), &effort, message);
  engine_note_solving(run, start, wall);
  *shown = effort.shown;
  return error;
}

static tauler_error write_timed(engine_run *run, size_t i, bool depths, tauler_message *message) {
  const double start = clock_process_cpu();
  const tauler_error error = depths ? slice_depths_write(run->job, slice_at(run, i), message)
                                    : slice_values_write(run->job, &run->solving, slice_at(run, i), message);
  run->cost->writing += clock_process_cpu() - start;
  return error;
}

/* What others convert to is another cycle rule's. */
static tauler_error replace_by_fresh(engine_run *run, size_t i, tauler_message *message) {
  solved_slice_free(run->job->memory, slice_at(run, i));
  return i + 1 < run->needed ? load_values(run, i, message) : TAULER_OK;
}

/* Values are written before depths are begun where an engine works them out one after the other. */
static tauler_error solve_whole(engine_run *run, engine_task *task, tauler_message *message) {
  const size_t i = task->place;
  memory_budget *memory = run->job->memory;
  solved_slice *solved = slice_at(run, i);
  const bool at_once = build_solves_at_once(run->job);
  tauler_error error = TAULER_OK;
  if (run->has_values[i]) error = load_values(run, i, message);
  const uint64_t before = memory_taken(memory);
  if (!error && !run->has_values[i]) {
    error = solve_timed(run, i, at_once, &task->shown, message);
    if (!error) error = write_timed(run, i, false, message);
  }
  if (!error && run->wants_depths) {
    if (!at_once || run->has_values[i]) error = solve_timed(run, i, true, &task->shown, message);
    if (!error) error = write_timed(run, i, true, message);
  }
  if (error) return error;
  if (memory_peak(memory) - before > run->cost->solving_peak)
    run->cost->solving_peak = memory_peak(memory) - before;
  for (int plane = 0; plane < SOLVE_PLANES && !build_keeps_depths(run->job); plane++) {
    memory_give(memory, solved->depths[plane]);
    solved->depths[plane] = NULL;
  }
  return run->fresh_rules ? replace_by_fresh(run, i, message) : TAULER_OK;
}

static void close_whole(engine_run *run) {
  for (uint32_t s = 0; s < run->finished.room; s++)
    solved_slice_free(run->job->memory, &run->finished.list[s]);
}

const engine build_whole = {
    .name = "whole", .open = open_whole, .load = load_whole, .solve = solve_whole, .close = close_whole};
