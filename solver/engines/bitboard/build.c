/* Solves, loads and stores slices as bitboards for a build. A slice stays in memory until nothing needs
 * it. */
#include <stdlib.h>

#include "base/clock.h"
#include "solver/engines/bitboard/bitboard.h"
#include "solver/engines/bitboard/work.h"

static tauler_error open_lists(memory_budget *memory, uint32_t largest, void **out, tauler_message *message) {
  static const char *const what = "the list of finished slices";
  const uint64_t room = (uint64_t)largest + 1;
  bitboard_slices *finished = *out = calloc(1, sizeof *finished);
  if (!finished) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for %s", what);
  tauler_error error =
      memory_take_array(memory, room, sizeof *finished->cells, what, &finished->cells, message);
  if (!error)
    error = memory_take_array(memory, room, sizeof *finished->slices, what, &finished->slices, message);
  if (!error) finished->room = (uint32_t)room;
  return error;
}

static void drop(memory_budget *memory, bitboard_slices *finished, uint32_t slice) {
  if (!finished->slices[slice].tables) return;
  bitboard_slice_close(memory, &finished->slices[slice]);
  finished->cells[slice] = (game_bitboards_finished){.won = NULL};
}

static void close_lists(memory_budget *memory, bitboard_slices *finished) {
  if (!finished) return;
  for (uint32_t slice = 0; slice < finished->room; slice++) drop(memory, finished, slice);
  memory_give(memory, finished->cells);
  memory_give(memory, finished->slices);
  free(finished);
}

static void offer(bitboard_slices *finished, uint32_t slice) {
  const bitboard_slice *of = &finished->slices[slice];
  finished->cells[slice] = (game_bitboards_finished){of->won, of->lost, of->depth};
}

/* --- a build -------------------------------------------------------------------------------------------- */

static tauler_error open_slices(engine_run *run, tauler_message *message) {
  const game_slices slices = {run->slices.slices, run->needed};
  const tauler_error error =
      open_lists(run->job->work.memory, game_slices_largest(&slices), &run->state, message);
  uint64_t missing = ~memory_left(run->job->work.memory);
  const tauler_error lost = comm_allreduce(run->job->work.comm, COMM_MAX, &missing, 1, message);
  run->solving.room = ~missing; /* the least of all ranks, so that all choose alike */
  return lost ? lost : comm_agree(run->job->work.comm, error, message);
}

static uint32_t number_of(const engine_run *run, size_t place) {
  return run->slices.slices[place].slice;
}

static bitboard_slice *slice_at(const engine_run *run, size_t place) {
  const bitboard_slices *finished = run->state;
  return &finished->slices[number_of(run, place)];
}

static bool is_here(const engine_run *run, size_t place) {
  return slice_at(run, place)->tables != NULL;
}

static void forget(engine_run *run, size_t place) {
  drop(run->job->work.memory, run->state, number_of(run, place));
}

static void close_slices(engine_run *run) {
  close_lists(run->job->work.memory, run->state);
  run->state = NULL;
}

/* Processor time of the calling thread, or of the process if all threads work on the slice together. */
static double processor_time(const engine_task *task) {
  return task->alone ? clock_process_cpu() : clock_thread_cpu();
}

static tauler_error solve(engine_run *run, engine_task *task, tauler_message *message) {
  bitboard_slice *slice = slice_at(run, task->place);
  solve_effort effort = {0};
  const double start = processor_time(task);
  tauler_error error =
      bitboard_slice_solve(task->solving, run->state, number_of(run, task->place), slice, &effort, message);
  const double solved = processor_time(task);
  task->shown = effort.shown;
  task->solved = solved - start;
  if (error) return error;
  if (task->stores) error = bitboard_slice_write(run->job, task->solving, slice, task->written, message);
  task->wrote = processor_time(task) - solved;
  if (error) return error;
  task->tables = task->stores ? BITBOARD_TABLES : 0;
  if (!task->stores) task->tried = (engine_trial){slice->waves, bitboard_slice_packed(slice)};
  offer(run->state, number_of(run, task->place));
  return TAULER_OK;
}

static tauler_error load(engine_run *run, engine_task *task, tauler_message *message) {
  const double start = processor_time(task);
  const tauler_error error = bitboard_slice_load(
      run->job, task->solving, run->state, number_of(run, task->place), slice_at(run, task->place), message);
  task->loaded = processor_time(task) - start;
  if (!error) offer(run->state, number_of(run, task->place));
  return error;
}

static bool serves(const game *game, const game_rules *rules) {
  (void)rules;
  return game->bitboards != NULL;
}

const engine engine_bitboard = {.name = "bitboard",
                                .serves = serves,
                                .side_by_side = true,
                                .open = open_slices,
                                .close = close_slices,
                                .solve = solve,
                                .load = load,
                                .forget = forget,
                                .task_bytes = bitboard_slice_bytes,
                                .finished_bytes = bitboard_slice_finished_bytes,
                                .sent_bytes = bitboard_slice_sent,
                                .waiting_bytes = bitboard_slice_waiting,
                                .is_shared = bitboard_slice_is_shared,
                                .list_bytes = sizeof(bitboard_slice) + sizeof(game_bitboards_finished),
                                .is_here = is_here};
