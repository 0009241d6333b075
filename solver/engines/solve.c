/* Chooses the engine that solves a slice, and passes each call on to it. */
#include "solver/engines/solve.h"

#include "solver/engines/engines.h"
#include "solver/engines/repetition/own_row.h"
#include "solver/tables/chunks.h"

static bool by_own_row(const solve_job *job) {
  return solve_is_own_row(job->game, job->rules);
}

static bool by_grid(const solve_job *job) {
  return job->game->grid && job->grid_tables && !job->general;
}

/* Shares of a grid are laid out for its kernels, of which the own-row engine has none. */
static bool spreads_by_grid(const solve_job *job) {
  return by_grid(job) && !by_own_row(job);
}

uint64_t solve_writing_bytes(const solve_job *job, uint32_t slice, bool depths, uint32_t shares,
                             uint32_t shares_per_rank) {
  const solve_kind kind = job->game->kind(job->rules);
  const uint64_t planes = kind == SOLVE_GUARANTEES ? 2 : 1,
                 positions = job->game->positions(job->rules, slice);
  const uint64_t each = positions / shares, share = shares > 1 ? each + each / 16 + 4096 : positions;
  const bool stores_depths = depths || kind == SOLVE_OUTCOMES;
  const uint64_t held = stores_depths ? 1 + sizeof(uint16_t) : job->game->look ? 2 : 1;
  return planes * held * share + windows_bytes(job->threads, shares, shares_per_rank, share, stores_depths);
}

static uint64_t engine_bytes(const solve_job *job, uint32_t slice, bool depths, uint32_t shares,
                             uint32_t shares_per_rank, uint64_t *waiting) {
  if (by_own_row(job)) return own_row_spread_bytes(job, slice, depths, shares);
  return by_grid(job) ? grid_spread_bytes(job, slice, depths, shares, shares_per_rank, waiting)
                      : general_spread_bytes(job, slice, depths, shares, shares_per_rank, waiting);
}

uint64_t solve_bytes(const solve_job *job, uint32_t slice, bool depths, uint32_t shares,
                     uint32_t shares_per_rank, uint64_t *waiting) {
  const uint64_t solve = engine_bytes(job, slice, depths, shares, shares_per_rank, waiting);
  const uint64_t write = solve_writing_bytes(job, slice, depths, shares, shares_per_rank);
  return solve > write ? solve : write;
}

/* As few shares per rank as memory allows, the same on all ranks; where none would, as few as help. */
static tauler_error choose_shares(const solve_job *job, uint32_t slice, bool depths,
                                  uint32_t *shares_per_rank, tauler_message *message) {
  enum { MOST_SHARES = 4096, MOST_VAIN = 6 };
  const uint32_t ranks = (uint32_t)team_ranks(job->team);
  const uint64_t left = memory_left(job->memory);
  uint64_t shares = 1, least = solve_bytes(job, slice, depths, ranks, 1, NULL);
  const bool may_wait = job->spill_folder && !by_own_row(job);
  /* A few shares may take more than one does, which has no halo, and many less. */
  for (uint64_t more = 2, vain = 0; may_wait && least > left && more < MOST_SHARES && vain < MOST_VAIN;
       more += more < 4 ? 1 : more / 3, vain++) {
    const uint64_t bytes = solve_bytes(job, slice, depths, ranks * (uint32_t)more, (uint32_t)more, NULL);
    if (bytes > least - least / 100) continue;
    shares = more;
    least = bytes;
    vain = 0;
  }
  const tauler_error error = team_combine(job->team, TEAM_MOST, &shares, 1, message);
  *shares_per_rank = (uint32_t)shares;
  return error;
}

static tauler_error open_slice(const solve_job *job, uint32_t slice, uint32_t shares_per_rank,
                               spread_slice *out, tauler_message *message) {
  *out = (spread_slice){0};
  tauler_error error = spreads_by_grid(job) ? grid_spread_open(job, slice, shares_per_rank, out, message)
                                            : general_spread_open(job, slice, shares_per_rank, out, message);
  error = team_agree(job->team, error, message);
  if (error) spread_free(out);
  return error;
}

tauler_error solve_open(const solve_job *job, uint32_t slice, bool depths, spread_slice *out,
                        tauler_message *message) {
  uint32_t shares;
  *out = (spread_slice){0};
  const tauler_error error = choose_shares(job, slice, depths, &shares, message);
  return error ? error : open_slice(job, slice, shares, out, message);
}

tauler_error solve_slice(const solve_job *job, bool depths, spread_slice *slice, solve_effort *effort,
                         tauler_message *message) {
  if (by_own_row(job)) return own_row_spread(job, depths, slice, message);
  if (!by_grid(job)) return general_spread(job, depths, slice, effort, message);
  const tauler_error error = grid_spread(job, slice, effort, message);
  return error || !depths ? error : grid_spread_depths(job, slice, effort, message);
}

tauler_error solve_depths(const solve_job *job, spread_slice *slice, solve_effort *effort,
                          tauler_message *message) {
  if (spreads_by_grid(job)) return grid_spread_depths(job, slice, effort, message);
  return solve_slice(job, true, slice, effort, message);
}

/* What tables leave out of one share is found by kernels whoever solved it: the cells of one share stand in
 * the order of indexes, as in a grid. */
static tauler_error by_kernels(const solve_job *job, spread_slice *slice, const int8_t *reserved,
                               bool recovers, tauler_message *message) {
  slice_layout *grid, *const own = slice->layout;
  tauler_error error = layout_open(job->game, job->rules, slice->slice, true, 1, 1, &grid, message);
  if (error) return error;
  slice->layout = grid;
  error =
      recovers ? grid_spread_recover(job, slice, reserved, message) : grid_spread_looks(job, slice, message);
  slice->layout = own;
  layout_close(grid);
  return error;
}

tauler_error solve_looks(const solve_job *job, spread_slice *slice, tauler_message *message) {
  if (!job->game->look) return TAULER_OK;
  if (spreads_by_grid(job)) return grid_spread_looks(job, slice, message);
  return by_grid(job) && slice->layout->shares == 1 ? by_kernels(job, slice, NULL, false, message)
                                                    : general_spread_looks(job, slice, message);
}

tauler_error solve_recover(const solve_job *job, spread_slice *slice, const int8_t reserved[SOLVE_PLANES],
                           tauler_message *message) {
  if (spreads_by_grid(job)) return grid_spread_recover(job, slice, reserved, message);
  return by_grid(job) && slice->layout->shares == 1 ? by_kernels(job, slice, reserved, true, message)
                                                    : general_spread_recover(job, slice, reserved, message);
}

tauler_error solve_alone(const solve_job *job, uint32_t slice, bool depths, solved_slice *out,
                         tauler_message *message) {
  spread_slice solved;
  solve_effort effort = {0};
  solve_job alone = *job;
  alone.team = NULL;
  *out = (solved_slice){.slice = slice};
  tauler_error error = open_slice(&alone, slice, 1, &solved, message);
  if (error) return error;
  error = solve_slice(&alone, depths, &solved, &effort, message);
  if (error)
    spread_free(&solved);
  else
    *out = spread_release(&solved);
  return error;
}

tauler_error solve_recover_alone(const solve_job *job, solved_slice *slice,
                                 const int8_t reserved[SOLVE_PLANES], tauler_message *message) {
  spread_slice work;
  solve_job alone = *job;
  alone.team = NULL;
  tauler_error error = open_slice(&alone, slice->slice, 1, &work, message);
  if (error) return error;
  spread_adopt(&work, slice);
  error = solve_recover(&alone, &work, reserved, message);
  *slice = spread_release(&work);
  return error;
}

void solved_slice_free(memory_budget *memory, solved_slice *slice) {
  for (int plane = 0; plane < SOLVE_PLANES; plane++) {
    memory_give(memory, slice->cells[plane]);
    memory_give(memory, slice->depths[plane]);
    slice->cells[plane] = NULL;
    slice->depths[plane] = NULL;
  }
}
