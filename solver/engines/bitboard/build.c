/* Solves, loads and stores slices as bitboards for a build, and keeps them until nothing needs them. */
#include <stdlib.h>

#include "base/clock.h"
#include "solver/engines/bitboard/bitboard.h"

static tauler_error open_slices(engine_run *run, tauler_message *message) {
  memory_budget *memory = run->job->memory;
  const game_slices slices = {run->slices.slices, run->needed};
  const uint64_t room = (uint64_t)game_slices_largest(&slices) + 1;
  static const char *const what = "the list of finished slices";
  bitboard_slices *finished = run->state = calloc(1, sizeof *finished);
  tauler_error error = TAULER_OK;
  if (finished) {
    error = memory_take_array(memory, room, sizeof *finished->cells, what, &finished->cells, message);
    if (!error)
      error = memory_take_array(memory, room, sizeof *finished->slices, what, &finished->slices, message);
    if (!error) finished->room = (uint32_t)room;
  } else {
    error = tauler_fail(message, TAULER_NO_MEMORY, "no memory for %s", what);
  }
  return comm_agree(run->job->comm, error, message);
}

static bitboard_slice *slice_at(const engine_run *run, size_t place) {
  const bitboard_slices *finished = run->state;
  return &finished->slices[run->slices.slices[place].slice];
}

static bool is_here(const engine_run *run, size_t place) {
  return slice_at(run, place)->won != NULL;
}

static void forget(engine_run *run, size_t place) {
  bitboard_slices *finished = run->state;
  const uint32_t slice = run->slices.slices[place].slice;
  if (!finished->slices[slice].won) return;
  bitboard_slice_close(run->job->memory, &finished->slices[slice]);
  finished->cells[slice] = (game_bitboards_finished){.won = NULL};
}

static void close_slices(engine_run *run) {
  bitboard_slices *finished = run->state;
  if (!finished) return;
  memory_budget *memory = run->job->memory;
  for (uint32_t s = 0; s < finished->room; s++) {
    if (finished->slices[s].won) bitboard_slice_close(memory, &finished->slices[s]);
  }
  memory_give(memory, finished->cells);
  memory_give(memory, finished->slices);
  free(finished);
  run->state = NULL;
}

/* Processor time of the calling thread, or of all of them where they work together. */
static double processor_time(const engine_task *task) {
  return task->alone ? clock_process_cpu() : clock_thread_cpu();
}

static void offer(engine_run *run, size_t place) {
  const bitboard_slice *slice = slice_at(run, place);
  bitboard_slices *finished = run->state;
  finished->cells[slice->slice] = (game_bitboards_finished){slice->won, slice->lost, slice->depth};
}

static tauler_error solve(engine_run *run, engine_task *task, tauler_message *message) {
  bitboard_slice *slice = slice_at(run, task->place);
  solve_effort effort = {0};
  const double start = processor_time(task);
  tauler_error error = bitboard_slice_solve(task->solving, run->state, run->slices.slices[task->place].slice,
                                            slice, &effort, message);
  const double solved = processor_time(task);
  task->shown = effort.shown;
  task->solved = solved - start;
  if (error) return error;
  if (task->stores) error = bitboard_slice_write(run->job, task->solving, slice, task->written, message);
  task->wrote = processor_time(task) - solved;
  if (error) return error;
  task->tables = task->stores ? BITBOARD_TABLES : 0;
  offer(run, task->place);
  return TAULER_OK;
}

static tauler_error load(engine_run *run, engine_task *task, tauler_message *message) {
  const double start = processor_time(task);
  const tauler_error error =
      bitboard_slice_load(run->job, task->solving, run->state, run->slices.slices[task->place].slice,
                          slice_at(run, task->place), message);
  task->loaded = processor_time(task) - start;
  if (!error) offer(run, task->place);
  return error;
}

static bool serves(const game *game, const game_rules *rules) {
  (void)rules;
  return game->words != NULL;
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
                                .list_bytes = sizeof(bitboard_slice) + sizeof(game_bitboards_finished),
                                .is_here = is_here};
