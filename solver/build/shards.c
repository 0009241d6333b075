/* Slices in shares: over the ranks of a team, or with the disk where memory does not suffice. */
#include <string.h>

#include "base/clock.h"
#include "solver/build/run.h"
#include "solver/tables/chunks.h"

static tauler_error open_shares(engine_run *run, tauler_message *message) {
  const build_job *job = run->job;
  const packed_settings settings = {.team = job->team,
                                    .threads = job->threads,
                                    .spill_folder = run->solving.spill_folder,
                                    .room = game_slices_largest(&run->slices) + 1};
  const tauler_error error = packed_open(&settings, job->memory, &run->packed, message);
  run->solving.packed = run->packed;
  return team_agree(job->team, error, message);
}

/* The values of a slice that has tables, back in its shares. Where converting moves lead to tables of another
 * cycle rule, those are what is finished. */
static tauler_error load_values(engine_run *run, size_t i, spread_slice *slice, tauler_message *message) {
  const build_job *job = run->fresh_rules ? &run->fresh : run->job;
  solve_job solving = run->solving;
  solving.rules = job->rules;
  tauler_error error =
      solve_spread_open(&solving, run->slices.slices[i].slice, run->wants_depths, slice, message);
  if (error) return error;
  error = windows_read_values(job, slice, message);
  if (!error) error = solve_spread_recover(&solving, slice, INT8_MIN, message);
  if (!error) error = windows_pack(job, slice, run->packed, message);
  if (error) spread_free(slice);
  return error;
}

static tauler_error load_shares(engine_run *run, engine_task *task, tauler_message *message) {
  const size_t i = task->place;
  const double start = clock_process_cpu();
  spread_slice slice;
  tauler_error error = load_values(run, i, &slice, message);
  if (!error) spread_free(&slice);
  if (!error && build_keeps_depths(run->job)) {
    error = windows_pack_depths(run->job, run->slices.slices[i].slice, run->packed, message);
    if (!error) error = solve_packed_recover_depths(&run->solving, run->slices.slices[i].slice, message);
  }
  run->cost->loading += clock_process_cpu() - start;
  return error;
}

static tauler_error write_values(engine_run *run, spread_slice *slice, tauler_message *message) {
  const double start = clock_process_cpu();
  tauler_error error = solve_spread_looks(&run->solving, slice, message);
  if (!error) error = windows_write_values(run->job, slice, run->fresh_rules ? NULL : run->packed, message);
  run->cost->writing += clock_process_cpu() - start;
  return error;
}

static tauler_error write_depths(engine_run *run, spread_slice *slice, tauler_message *message) {
  const double start = clock_process_cpu();
  packed_slices *packed = build_keeps_depths(run->job) ? run->packed : NULL;
  const tauler_error error = windows_write_depths(run->job, slice, packed, message);
  run->cost->writing += clock_process_cpu() - start;
  return error;
}

static tauler_error solve_values(engine_run *run, size_t i, bool depths, spread_slice *slice, uint64_t *shown,
                                 tauler_message *message) {
  const double start = clock_process_cpu(), wall = clock_wall();
  solve_effort effort = {.shown = *shown};
  tauler_error error =
      solve_spread_open(&run->solving, run->slices.slices[i].slice, run->wants_depths, slice, message);
  if (error) return error;
  error = solve_spread(&run->solving, depths, slice, &effort, message);
  if (error) spread_free(slice);
  engine_note_solving(run, start, wall);
  *shown = effort.shown;
  return error;
}

static tauler_error solve_depths(engine_run *run, spread_slice *slice, uint64_t *shown,
                                 tauler_message *message) {
  const double start = clock_process_cpu(), wall = clock_wall();
  solve_effort effort = {.shown = *shown};
  const tauler_error error = solve_spread_depths(&run->solving, slice, &effort, message);
  engine_note_solving(run, start, wall);
  *shown = effort.shown;
  return error;
}

/* A game without a grid has its depths with its values: where only they are missing, both are worked out
 * again. */
static tauler_error solve_shares(engine_run *run, engine_task *task, tauler_message *message) {
  const size_t i = task->place;
  memory_budget *memory = run->job->memory;
  const bool at_once = build_solves_at_once(run->job);
  const bool from_table = run->has_values[i] && !at_once;
  const uint64_t before = memory_taken(memory);
  spread_slice slice;
  tauler_error error = from_table ? load_values(run, i, &slice, message)
                                  : solve_values(run, i, at_once, &slice, &task->shown, message);
  if (error) return error;
  if (!run->has_values[i]) error = write_values(run, &slice, message);
  if (!error && run->has_values[i] && !from_table)
    error = windows_pack(run->job, &slice, run->packed, message);
  if (!error && run->wants_depths) {
    if (!at_once) error = solve_depths(run, &slice, &task->shown, message);
    if (!error) error = write_depths(run, &slice, message);
  }
  spread_free(&slice);
  if (error) return error;
  if (memory_peak(memory) - before > run->cost->solving_peak)
    run->cost->solving_peak = memory_peak(memory) - before;
  return run->fresh_rules && i + 1 < run->needed ? load_shares(run, task, message) : TAULER_OK;
}

static void close_shares(engine_run *run) {
  packed_close(run->packed);
}

const engine build_shares = {
    .name = "shards", .open = open_shares, .load = load_shares, .solve = solve_shares, .close = close_shares};
