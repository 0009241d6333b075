/* Solves the slices of a build in shards, one or more for each rank, and keeps finished ones in a store.
 *
 * The store is plain in memory where one process can hold all of it, else compressed, perhaps in a file. */
#include <string.h>

#include "base/clock.h"
#include "solver/build/run.h"
#include "solver/tables/chunks.h"

static tauler_error open_shares(engine_run *run, tauler_message *message) {
  const build_job *job = run->job;
  const packed_settings settings = {.team = job->team,
                                    .threads = job->threads,
                                    .spill_folder = run->solving.spill_folder,
                                    .plain = run->keeps_plain,
                                    .room = game_slices_largest(&run->slices) + 1};
  const tauler_error error = packed_open(&settings, job->memory, &run->packed, message);
  run->solving.packed = run->packed;
  return team_agree(job->team, error, message);
}

/* A solved slice, or one that was read, becomes a finished one. Compressed stores have its values since they
 * were written; `packs`: they have not. */
static tauler_error keep(engine_run *run, spread_slice *slice, bool packs, tauler_message *message) {
  tauler_error error = TAULER_OK;
  if (!run->keeps_plain) {
    if (packs) error = windows_pack(run->job, slice, run->packed, message);
    spread_free(slice);
    return error;
  }
  for (int plane = 0; plane < slice->planes && !build_keeps_depths(run->job); plane++)
    spread_drop(slice, 0, SPREAD_DEPTHS + plane);
  solved_slice *kept = &packed_plain(run->packed).list[slice->slice];
  solved_slice_free(run->job->memory, kept);
  *kept = spread_release(slice);
  return TAULER_OK;
}

/* The values of a slice that has tables, back in its shares. */
static tauler_error read_values(const build_job *job, const solve_job *solving, uint32_t number, bool depths,
                                spread_slice *slice, tauler_message *message) {
  static const int8_t reserved[SOLVE_PLANES] = {SLICE_RESERVED, SLICE_RESERVED};
  tauler_error error = solve_open(solving, number, depths, slice, message);
  if (error) return error;
  error = windows_read_values(job, slice, message);
  if (!error) error = solve_recover(solving, slice, reserved, message);
  if (error) spread_free(slice);
  return error;
}

/* Where converting moves lead to tables of another cycle rule, those are what is finished. */
static tauler_error load_finished(engine_run *run, size_t i, tauler_message *message) {
  solve_job solving = run->solving;
  if (run->fresh_rules) solving.rules = run->fresh_rules;
  spread_slice slice;
  const tauler_error error = read_values(run->fresh_rules ? &run->fresh : run->job, &solving,
                                         run->slices.slices[i].slice, false, &slice, message);
  return error ? error : keep(run, &slice, true, message);
}

static tauler_error load_shares(engine_run *run, engine_task *task, tauler_message *message) {
  const size_t i = task->place;
  const double start = clock_process_cpu();
  tauler_error error = load_finished(run, i, message);
  if (!error && build_keeps_depths(run->job)) {
    error = windows_pack_depths(run->job, run->slices.slices[i].slice, run->packed, message);
    if (!error) error = solve_recover_depths(&run->solving, run->slices.slices[i].slice, message);
  }
  run->cost->loading += clock_process_cpu() - start;
  return error;
}

static tauler_error write_values(engine_run *run, spread_slice *slice, tauler_message *message) {
  const double start = clock_process_cpu();
  packed_slices *packed = run->keeps_plain || run->fresh_rules ? NULL : run->packed;
  tauler_error error = solve_looks(&run->solving, slice, message);
  if (!error) error = windows_write_values(run->job, slice, packed, message);
  run->cost->writing += clock_process_cpu() - start;
  return error;
}

static tauler_error write_depths(engine_run *run, spread_slice *slice, tauler_message *message) {
  const double start = clock_process_cpu();
  packed_slices *packed = build_keeps_depths(run->job) && !run->keeps_plain ? run->packed : NULL;
  const tauler_error error = windows_write_depths(run->job, slice, packed, message);
  run->cost->writing += clock_process_cpu() - start;
  return error;
}

static tauler_error solve_values(engine_run *run, size_t i, bool depths, spread_slice *slice, uint64_t *shown,
                                 tauler_message *message) {
  const double start = clock_process_cpu(), wall = clock_wall();
  solve_effort effort = {.shown = *shown};
  tauler_error error =
      solve_open(&run->solving, run->slices.slices[i].slice, run->wants_depths, slice, message);
  if (error) return error;
  error = solve_slice(&run->solving, depths, slice, &effort, message);
  if (error) spread_free(slice);
  engine_note_solving(run, start, wall);
  *shown = effort.shown;
  return error;
}

static tauler_error work_out_depths(engine_run *run, spread_slice *slice, uint64_t *shown,
                                    tauler_message *message) {
  const double start = clock_process_cpu(), wall = clock_wall();
  solve_effort effort = {.shown = *shown};
  const tauler_error error = solve_depths(&run->solving, slice, &effort, message);
  engine_note_solving(run, start, wall);
  *shown = effort.shown;
  return error;
}

/* Tables of a slice of which some are missing. A game without a grid has its depths with its values: where
 * only they are missing, both are worked out again. */
static tauler_error make_tables(engine_run *run, size_t i, spread_slice *slice, uint64_t *shown,
                                tauler_message *message) {
  const bool at_once = build_solves_at_once(run->job), from_table = run->has_values[i] && !at_once;
  tauler_error error = from_table ? read_values(run->job, &run->solving, run->slices.slices[i].slice,
                                                run->wants_depths, slice, message)
                                  : solve_values(run, i, at_once, slice, shown, message);
  if (error) return error;
  if (!run->has_values[i]) error = write_values(run, slice, message);
  if (!error && run->has_values[i] && !run->keeps_plain)
    error = windows_pack(run->job, slice, run->packed, message);
  if (!error && run->wants_depths) {
    if (!at_once) error = work_out_depths(run, slice, shown, message);
    if (!error) error = write_depths(run, slice, message);
  }
  if (error) spread_free(slice);
  return error;
}

static tauler_error solve_shares(engine_run *run, engine_task *task, tauler_message *message) {
  const size_t i = task->place;
  memory_budget *memory = run->job->memory;
  const uint64_t before = memory_taken(memory);
  spread_slice slice;
  tauler_error error = make_tables(run, i, &slice, &task->shown, message);
  if (error) return error;
  if (memory_peak(memory) - before > run->cost->solving_peak)
    run->cost->solving_peak = memory_peak(memory) - before;
  if (!run->fresh_rules) return keep(run, &slice, false, message);
  spread_free(&slice);
  return i + 1 < run->needed ? load_finished(run, i, message) : TAULER_OK;
}

static void close_shares(engine_run *run) {
  packed_close(run->packed);
}

const engine build_shares = {
    .name = "shards", .open = open_shares, .load = load_shares, .solve = solve_shares, .close = close_shares};
