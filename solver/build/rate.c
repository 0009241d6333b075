/* Estimates how long a build takes, by the rate of small slices that it solves on the spot. */
#include <stdlib.h>

#include "base/clock.h"
#include "solver/build/chance.h"
#include "solver/build/outlook.h"
#include "solver/build/run.h"
#include "solver/engines/bitboard/bitboard.h"

/* A larger slice would take longer to measure than its user waits gladly. */
static bool is_measured(double start) {
  const double enough_seconds = 0.4;
  return clock_process_cpu() - start > enough_seconds;
}

/* The first slices, as many as might be needed to measure by. */
static game_slices small_slices(const game_slices *slices) {
  enum { ENOUGH_POSITIONS = 4000000 };
  uint64_t positions = 0;
  size_t n = 0;
  for (; n < slices->used && positions < ENOUGH_POSITIONS; n++) positions += slices->slices[n].positions;
  return (game_slices){slices->slices, n};
}

/* A game whose slices need no smaller ones names one that is like the first. */
static game_slices slices_to_measure(const build_job *job, const game_slices *slices, game_slice *alike) {
  if (!job->game->alike) return *slices;
  alike->slice = job->game->alike(job->rules, slices->slices[0].slice);
  alike->positions = job->game->positions(job->rules, alike->slice);
  return (game_slices){alike, 1};
}

/* What a build may take, less the program and the tables of moves; some small slices are solved in any case.
 */
static void open_room(const build_job *job, const game_slices *slices, memory_budget *memory) {
  const uint64_t least = UINT64_C(4) << 20;
  const uint64_t others = build_overhead_bytes(job, slices, 1), left = memory_left(job->memory);
  memory_budget_open(memory, left > others + least ? left - others : least);
}

static double measure_words(const build_job *job, const game_slices *slices) {
  const game_slices small = small_slices(slices);
  memory_budget memory;
  open_room(job, &small, &memory);
  uint64_t positions = 0;
  const uint32_t room = game_slices_largest(&small) + 1;
  word_slices finished = {calloc(room, sizeof *finished.cells), calloc(room, sizeof *finished.slices), room};
  bool well = finished.cells && finished.slices;
  const solve_job solving = {.game = job->game, .rules = job->rules, .threads = 1, .memory = &memory};
  const double start = clock_process_cpu();
  for (size_t i = 0; i < small.used && well && !is_measured(start); i++) {
    const uint32_t s = small.slices[i].slice;
    word_slice *slice = &finished.slices[s];
    solve_effort effort = {0};
    well = word_slice_solve(&solving, &finished, s, slice, &effort, NULL) == TAULER_OK;
    finished.cells[s] = (game_words_finished){slice->won, slice->lost, slice->depth};
    if (well) positions += small.slices[i].positions;
  }
  const double seconds = clock_process_cpu() - start;
  for (uint32_t s = 0; finished.slices && s < room; s++) {
    if (finished.slices[s].won) word_slice_close(&memory, &finished.slices[s]);
  }
  free(finished.cells);
  free(finished.slices);
  return seconds > 0 ? (double)positions / seconds : 0;
}

/* With fresh rules, whose tables are built first and stay. */
static bool solve_timed(const solve_job *solving, const game_rules *fresh, uint32_t slice, bool depths) {
  solved_slice *out = &packed_plain(solving->packed).list[slice];
  if (solve_alone(solving, slice, depths, out, NULL)) return false;
  if (!fresh) return true;
  solve_job below = *solving;
  below.rules = fresh;
  solved_slice_free(solving->memory, out);
  return solve_alone(&below, slice, depths, out, NULL) == TAULER_OK;
}

/* Positions per second of processor time, from solving small slices here and now, as it would be for a
 * million positions. What is done once per build is left out. */
static double measure_rate(const build_job *job, const game_slices *slices, const void *grid_tables) {
  const game_slices small = small_slices(slices);
  memory_budget memory;
  open_room(job, &small, &memory);
  uint64_t positions = 0;
  const size_t n = small.used;
  const packed_settings settings = {.plain = true, .room = game_slices_largest(&small) + 1};
  packed_slices *finished;
  bool well = packed_open(&settings, &memory, &finished, NULL) == TAULER_OK;
  void *tables = NULL;
  solve_job solving = {.game = job->game,
                       .rules = job->rules,
                       .threads = 1,
                       .general = job->general,
                       .memory = &memory,
                       .packed = finished,
                       .grid_tables = grid_tables};
  if (well && build_uses_grid(job) && !grid_tables) {
    well = job->game->grid->prepare(job->rules, settings.room - 1, &tables) == TAULER_OK;
    solving.grid_tables = tables;
  }
  game_rules *fresh = NULL;
  if (well && solve_is_own_row_any(job->game, job->rules))
    well = job->game->open(job->game->rules_text(job->rules), job->game->fresh_cycles(job->rules), &fresh,
                           NULL) == TAULER_OK;
  const double start = clock_process_cpu();
  for (size_t i = 0; i < n && well && !is_measured(start); i++) {
    well = solve_timed(&solving, fresh, slices->slices[i].slice, job->depths);
    if (well) positions += slices->slices[i].positions;
  }
  const double seconds = clock_process_cpu() - start;
  if (fresh) job->game->close(fresh);
  packed_close(finished);
  if (tables) job->game->grid->release(tables);
  return seconds > 0 ? (double)positions / seconds * build_effort(job, positions) : 0;
}

static uint64_t positions_of(const game_slices *slices) {
  uint64_t positions = 0;
  for (size_t i = 0; i < slices->used; i++) positions += slices->slices[i].positions;
  return positions;
}

bool build_is_brief(const build_job *job, const game_slices *missing, const build_plan *plan) {
  /* The slowest engine solves some 600 thousand a second. */
  const double least_rate = 300000, brief = 60;
  if (plan->in_chance) return build_chance_is_brief(job, missing);
  return (double)positions_of(missing) * plan->effort < brief * least_rate;
}

double build_seconds(const build_job *job, const game_slices *slices, const game_slices *missing,
                     const void *grid_tables, const build_plan *plan) {
  const double workers = (double)job->threads * plan->ranks;
  if (plan->in_chance) return build_chance_seconds(job, slices, missing) / workers;
  game_slice alike;
  const game_slices measured = slices_to_measure(job, slices, &alike);
  const double rate =
      plan->in_words ? measure_words(job, &measured) : measure_rate(job, &measured, grid_tables);
  return rate > 0 ? (double)positions_of(missing) * plan->effort / rate / workers : 0;
}
