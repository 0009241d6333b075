#include "solver/solve.h"

#include "solver/engines.h"

static bool by_grid(const solve_job *job) {
  return job->game->grid && job->grid_tables && !job->general;
}

tauler_error solve_slice(const solve_job *job, uint32_t slice, bool depths, solved_slice *out,
                         solve_effort *effort, tauler_message *message) {
  out->slice = slice;
  out->positions = job->game->positions(job->rules, slice);
  return by_grid(job) ? grid_solve(job, depths, out, effort, message)
                      : general_solve(job, depths, out, effort, message);
}

void solved_slice_free(memory_budget *memory, solved_slice *slice) {
  for (int plane = 0; plane < SOLVE_PLANES; plane++) {
    memory_give(memory, slice->cells[plane]);
    memory_give(memory, slice->depths[plane]);
    slice->cells[plane] = NULL;
    slice->depths[plane] = NULL;
  }
}

uint64_t solve_slice_bytes(const solve_job *job, uint32_t slice, bool depths) {
  return by_grid(job) ? grid_solve_bytes(job, slice, depths) : general_solve_bytes(job, slice, depths);
}

tauler_error solve_looks(const solve_job *job, const solved_slice *solved, int8_t *looks[SOLVE_PLANES],
                         tauler_message *message) {
  return by_grid(job) ? grid_looks(job, solved, looks, message) : general_looks(job, solved, looks, message);
}

tauler_error solve_recover(const solve_job *job, solved_slice *slice, const int8_t reserved[SOLVE_PLANES],
                           tauler_message *message) {
  return by_grid(job) ? grid_recover_cells(job, slice, reserved, message)
                      : general_recover(job, slice, reserved, message);
}

static const int8_t *read_finished(void *user, uint32_t slice, int plane, uint64_t first, size_t count,
                                   int8_t *scratch) {
  (void)count;
  (void)scratch;
  const finished_slices *finished = user;
  if (slice >= finished->room || !finished->list[slice].cells[plane]) return NULL;
  return finished->list[slice].cells[plane] + first;
}

game_finished finished_reader(const finished_slices *finished) {
  return (game_finished){read_finished, (void *)(uintptr_t)finished};
}
