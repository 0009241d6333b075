#include "solver/engines/solve.h"

#include <string.h>

#include "solver/engines/engines.h"
#include "solver/engines/repetition/own_row.h"
#include "solver/tables/chunks.h"

bool solve_is_own_row(const game *game, const game_rules *rules) {
  return game->repeated && game->repeated(rules, 0, 0, 0, NULL);
}

bool solve_is_own_row_any(const game *game, const game_rules *rules) {
  return game->fresh_cycles && game->fresh_cycles(rules);
}

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

tauler_error solve_slice(const solve_job *job, uint32_t slice, bool depths, solved_slice *out,
                         solve_effort *effort, tauler_message *message) {
  out->slice = slice;
  out->positions = job->game->positions(job->rules, slice);
  if (by_own_row(job)) {
    solved_slice_free(job->memory, out); /* it makes values and stages at once, from nothing */
    return own_row_solve(job, slice, depths, out, message);
  }
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
  if (by_own_row(job)) return own_row_solve_bytes(job, slice, depths);
  return by_grid(job) ? grid_solve_bytes(job, slice, depths) : general_solve_bytes(job, slice, depths);
}

tauler_error solve_looks(const solve_job *job, const solved_slice *solved, int8_t *looks[SOLVE_PLANES],
                         tauler_message *message) {
  if (!job->game->look) return TAULER_OK;
  return by_grid(job) ? grid_looks(job, solved, looks, message) : general_looks(job, solved, looks, message);
}

tauler_error solve_recover(const solve_job *job, solved_slice *slice, const int8_t reserved[SOLVE_PLANES],
                           tauler_message *message) {
  return by_grid(job) ? grid_recover_cells(job, slice, reserved, message)
                      : general_recover(job, slice, reserved, message);
}

uint64_t spread_writing_bytes(const solve_job *job, uint32_t slice, bool depths, uint32_t shares,
                              uint32_t shares_per_rank) {
  const solve_kind kind = job->game->kind(job->rules);
  const uint64_t planes = kind == SOLVE_GUARANTEES ? 2 : 1;
  const uint64_t each = job->game->positions(job->rules, slice) / shares, share = each + each / 16 + 4096;
  const uint64_t held = depths || kind == SOLVE_OUTCOMES ? 1 + sizeof(uint16_t) : 2;
  return planes * held * share + windows_bytes(job->threads, (int)(shares / shares_per_rank), share);
}

static uint64_t engine_spread_bytes(const solve_job *job, uint32_t slice, bool depths, uint32_t shares,
                                    uint32_t shares_per_rank, uint64_t *waiting) {
  if (by_own_row(job)) return own_row_spread_bytes(job, slice, depths, shares);
  return by_grid(job) ? grid_spread_bytes(job, slice, depths, shares, shares_per_rank, waiting)
                      : general_spread_bytes(job, slice, depths, shares, shares_per_rank, waiting);
}

uint64_t solve_spread_bytes(const solve_job *job, uint32_t slice, bool depths, uint32_t shares,
                            uint32_t shares_per_rank, uint64_t *waiting) {
  const uint64_t solve = engine_spread_bytes(job, slice, depths, shares, shares_per_rank, waiting);
  const uint64_t write = spread_writing_bytes(job, slice, depths, shares, shares_per_rank);
  return solve > write ? solve : write;
}

/* As few shares per rank as memory allows, the same on all ranks; where none would, as few as help. */
static tauler_error choose_shares(const solve_job *job, uint32_t slice, bool depths,
                                  uint32_t *shares_per_rank, tauler_message *message) {
  enum { MOST_SHARES = 4096, MOST_VAIN = 6 };
  const uint32_t ranks = (uint32_t)team_ranks(job->team);
  const uint64_t left = memory_left(job->memory);
  uint64_t shares = 1, least = solve_spread_bytes(job, slice, depths, ranks, 1, NULL);
  const bool may_wait = job->spill_folder && !by_own_row(job);
  /* A few shares may take more than one does, which has no halo, and many less. */
  for (uint64_t more = 2, vain = 0; may_wait && least > left && more < MOST_SHARES && vain < MOST_VAIN;
       more += more < 4 ? 1 : more / 3, vain++) {
    const uint64_t bytes =
        solve_spread_bytes(job, slice, depths, ranks * (uint32_t)more, (uint32_t)more, NULL);
    if (bytes > least - least / 100) continue;
    shares = more;
    least = bytes;
    vain = 0;
  }
  const tauler_error error = team_combine(job->team, TEAM_MOST, &shares, 1, message);
  *shares_per_rank = (uint32_t)shares;
  return error;
}

tauler_error solve_spread_open(const solve_job *job, uint32_t slice, bool depths, spread_slice *out,
                               tauler_message *message) {
  uint32_t shares;
  *out = (spread_slice){0};
  tauler_error error = choose_shares(job, slice, depths, &shares, message);
  if (error) return error;
  error = spreads_by_grid(job) ? grid_spread_open(job, slice, shares, out, message)
                               : general_spread_open(job, slice, shares, out, message);
  error = team_agree(job->team, error, message);
  if (error) spread_free(out);
  return error;
}

tauler_error solve_spread(const solve_job *job, bool depths, spread_slice *slice, solve_effort *effort,
                          tauler_message *message) {
  if (by_own_row(job)) return own_row_spread(job, depths, slice, message);
  if (!by_grid(job)) return general_spread(job, depths, slice, effort, message);
  const tauler_error error = grid_spread(job, slice, effort, message);
  return error || !depths ? error : grid_spread_depths(job, slice, effort, message);
}

tauler_error solve_spread_depths(const solve_job *job, spread_slice *slice, solve_effort *effort,
                                 tauler_message *message) {
  if (by_own_row(job)) return own_row_spread(job, true, slice, message);
  return by_grid(job) ? grid_spread_depths(job, slice, effort, message)
                      : general_spread(job, true, slice, effort, message);
}

/* Nothing is left out for what conversions are worth. */
static tauler_error take_no_looks(const solve_job *job, spread_slice *slice, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (uint32_t home = 0; home < slice->shares_here && !error; home++) {
    for (int plane = 0; plane < slice->planes && !error; plane++) {
      const int part = SPREAD_LOOKS + plane;
      error = spread_take(slice, home, part, message);
      if (error) break;
      memset(slice->shares[home].parts[part], INT8_MIN, slice->shares[home].n);
      error = spread_unload(slice, home, part, message);
    }
  }
  return team_agree(job->team, error, message);
}

tauler_error solve_spread_looks(const solve_job *job, spread_slice *slice, tauler_message *message) {
  if (!job->game->look) return take_no_looks(job, slice, message);
  return spreads_by_grid(job) ? grid_spread_looks(job, slice, message)
                              : general_spread_looks(job, slice, message);
}

tauler_error solve_spread_recover(const solve_job *job, spread_slice *slice, int8_t reserved,
                                  tauler_message *message) {
  return spreads_by_grid(job) ? grid_spread_recover(job, slice, reserved, message)
                              : general_spread_recover(job, slice, reserved, message);
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
