/* Solves small slices exactly and finds which slices are exact. */
#include "solver/engines/cells.h"

#include <string.h>

#include "lines/lines.h"
#include "solver/engines/solve.h"

enum { MOST_POSITIONS = 1 << 23 };

/* Bytes for the moves of open positions and for what lines of play prove about them. */
enum { LINES_BYTES = 32 << 20 };

bool small_solves(const solve_problem *problem, uint32_t slice) {
  return game_may_be_exact(problem->game, problem->rules) &&
         problem->game->positions(problem->rules, slice) <= MOST_POSITIONS;
}

uint64_t small_bytes(const solve_job *job, uint32_t slice, bool depths) {
  if (!small_solves(&job->problem, slice)) return 0;
  const uint64_t cell = depths ? sizeof(int8_t) + sizeof(uint16_t) : sizeof(int8_t);
  return SOLVE_PLANES * cell * job->problem.game->positions(job->problem.rules, slice) + LINES_BYTES;
}

tauler_error small_open(engine_run *run, tauler_message *message) {
  const solve_problem *problem = &run->job->problem;
  const store_settings settings = {.plain = true, .room = game_slices_largest(&run->slices) + 1};
  if (!game_may_be_exact(problem->game, problem->rules)) return TAULER_OK;
  if (!run->keeps_plain) return store_open(&settings, run->job->work.memory, &run->small, message);
  run->small = run->store;
  return TAULER_OK;
}

void small_close(engine_run *run) {
  if (run->small != run->store) store_close(run->small);
  run->small = NULL;
}

static bool bounds_meet(const solved_slice *whole) {
  return whole->positions == 0 || memcmp(whole->cells[0], whole->cells[1], whole->positions) == 0;
}

static tauler_error follow_lines(const engine_run *run, const solve_job *alone, solved_slice *whole,
                                 tauler_message *message) {
  const solve_checkpoints *stops = alone->checkpoints;
  const own_row_job job = {.game = alone->problem.game,
                           .rules = alone->problem.rules,
                           .memory = alone->work.memory,
                           .finished = store_plain(alone->store),
                           .stop = stops ? stops->stop : NULL,
                           .user = stops ? stops->user : NULL};
  const own_row_effort effort = {run->job->lines_budget ? run->job->lines_budget : OWN_ROW_USUAL_BUDGET,
                                 OWN_ROW_ANY_DEPTH, true};
  return own_row_lines_tighten(&job, &effort, whole, message);
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

void small_keep(engine_run *run, solved_slice *whole) {
  memory_budget *memory = run->job->work.memory;
  if (run->small == run->store) {
    solved_slice_free(memory, whole);
    return;
  }
  for (int plane = 0; plane < whole->planes; plane++) {
    memory_free(memory, whole->depths[plane]);
    whole->depths[plane] = NULL;
  }
  if (whole->planes > 1 && bounds_meet(whole)) {
    memory_free(memory, whole->cells[1]);
    whole->cells[1] = NULL;
    whole->planes = 1;
  }
  const plain_slices small = store_plain(run->small);
  solved_slice *kept = &small.list[whole->slice];
  solved_slice_free(memory, kept);
  *kept = *whole;
}

tauler_error small_solve(engine_run *run, const solve_job *solving, uint32_t number, bool depths,
                         sharded_slice *slice, tauler_message *message) {
  solve_job alone = *solving;
  alone.store = run->small;
  solved_slice whole = {0};
  *slice = (sharded_slice){0};
  tauler_error error = solve_alone(&alone, number, depths, &whole, message);
  const bool closed = error || bounds_meet(&whole);
  if (!closed) error = follow_lines(run, &alone, &whole, message);
  error = comm_agree(solving->work.comm, error, message);
  if (!error) error = solve_open(solving, number, depths, slice, message);
  if (!error) error = comm_agree(solving->work.comm, fill_shards(slice, &whole, message), message);
  if (!closed) slice->traits |= SLICE_ALL_STORED; /* these values hold on a fresh history only */
  if (error)
    solved_slice_free(run->job->work.memory, &whole);
  else
    small_keep(run, &whole);
  return error;
}

tauler_error small_compare(const solve_job *solving, sharded_slice *slice, uint64_t *open,
                           tauler_message *message) {
  tauler_error error = TAULER_OK;
  *open = 0;
  if (!game_may_be_exact(solving->problem.game, solving->problem.rules)) return TAULER_OK;
  for (uint32_t i = 0; i < slice->shards_here && !error; i++) {
    const slice_shard *shard = &slice->shards[i];
    for (int plane = 0; plane < SOLVE_PLANES && !error; plane++)
      error = sharded_load(slice, i, SHARD_CELLS + plane, message);
    const int8_t *lower = shard->parts[SHARD_CELLS], *upper = shard->parts[SHARD_CELLS + 1];
    for (uint64_t k = 0; k < shard->n && !error; k++) *open += lower[k] != upper[k];
    sharded_unload(slice, i);
  }
  error = comm_agree(solving->work.comm, error, message);
  if (!error) error = comm_allreduce(solving->work.comm, COMM_SUM, open, 1, message);
  if (!error && *open == 0) slice->traits |= SLICE_EXACT;
  return error;
}
