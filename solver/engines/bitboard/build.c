/* Solves, loads and stores slices as bitboards for a build. */
#include "solver/engines/bitboard/bitboard.h"
#include "solver/engines/bitboard/work.h"

static void offer(const engine_run *run, const bitboard_slice *slice) {
  game_bitboards_finished *finished = run->whole.views;
  finished[slice->slice] = (game_bitboards_finished){slice->won, slice->lost, slice->depth};
}

static bool is_here(const void *slice) {
  return ((const bitboard_slice *)slice)->tables != NULL;
}

static void free_slice(memory_budget *memory, void *slice) {
  bitboard_slice_close(memory, slice);
}

static tauler_error solve(engine_run *run, engine_task *task, void *out, tauler_message *message) {
  bitboard_slice *slice = out;
  solve_effort effort = {0};
  const double start = engine_task_time(task);
  tauler_error error = bitboard_slice_solve(task->solving, run->whole.views,
                                            run->slices.slices[task->place].slice, slice, &effort, message);
  const double solved = engine_task_time(task);
  task->shown = effort.shown;
  task->solved = solved - start;
  if (error) return error;
  if (task->stores) error = bitboard_slice_write(run->job, task->solving, slice, task->written, message);
  task->wrote = engine_task_time(task) - solved;
  if (error) return error;
  task->tables = task->stores ? BITBOARD_TABLES : 0;
  if (!task->stores) task->tried = (engine_trial){slice->waves, slice->swept, bitboard_slice_packed(slice)};
  offer(run, slice);
  return TAULER_OK;
}

static tauler_error load(engine_run *run, engine_task *task, void *slice, tauler_message *message) {
  const tauler_error error = bitboard_slice_load(run->job, task->solving, run->whole.views,
                                                 run->slices.slices[task->place].slice, slice, message);
  if (!error) offer(run, slice);
  return error;
}

static bool serves(const game *game, const game_rules *rules) {
  (void)rules;
  return game->bitboards != NULL;
}

static const whole_engine bitboard_whole = {.side_by_side = true,
                                            .slice_bytes = sizeof(bitboard_slice),
                                            .view_bytes = sizeof(game_bitboards_finished),
                                            .solve = solve,
                                            .load = load,
                                            .free = free_slice,
                                            .is_here = is_here,
                                            .task_bytes = bitboard_slice_bytes,
                                            .finished_bytes = bitboard_slice_finished_bytes,
                                            .sent_bytes = bitboard_slice_sent,
                                            .waiting_bytes = bitboard_slice_waiting,
                                            .is_shared = bitboard_slice_is_shared};

const engine engine_bitboard = {.name = "bitboard", .serves = serves, .whole = &bitboard_whole};
