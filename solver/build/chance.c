/* Says what a build of a game of chance takes: memory, traffic and time. */
#include "solver/build/chance.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "solver/engines/chance/chance.h"

uint64_t build_updates(const build_sweeps sweeps[BUILD_SWEEPS]) {
  uint64_t updates = 0;
  for (int kind = 0; kind < BUILD_SWEEPS; kind++) updates += sweeps[kind].updates;
  return updates;
}

/* --- what it takes --- */

static solve_job solving_for(const build_job *job, int threads, memory_budget *memory) {
  return (solve_job){.game = job->game,
                     .rules = job->rules,
                     .threads = threads,
                     .general = job->general,
                     .memory = memory,
                     .team = job->team};
}

/* Of one kind. */
static double bounds_of(const build_job *job, const game_slice *slice) {
  chance_quantities quantities;
  job->game->chance->quantities(job->rules, slice->slice, &quantities);
  return (double)quantities.used * (double)slice->positions;
}

static uint64_t bounds_bytes(const build_job *job, const game_slice *slice) {
  return 2 * sizeof(double) * (uint64_t)bounds_of(job, slice);
}

/* Slices are kept until the last one that needs them is solved. */
static uint64_t solving_bytes(const build_job *job, const game_slices *slices, const slice_levels *levels,
                              size_t *uses) {
  const solve_job solving = solving_for(job, job->threads, job->memory);
  for (size_t i = 0; i < slices->used; i++) {
    for (size_t k = levels->first_need[i]; k < levels->first_need[i + 1]; k++) uses[levels->need[k]]++;
  }
  uint64_t kept = 0, most = 0;
  for (size_t i = 0; i < slices->used; i++) {
    const uint64_t need = kept + chance_solve_bytes(&solving, slices->slices[i].slice);
    if (need > most) most = need;
    kept += uses[i] ? bounds_bytes(job, &slices->slices[i]) : 0;
    for (size_t k = levels->first_need[i]; k < levels->first_need[i + 1]; k++) {
      const size_t done = levels->need[k];
      if (--uses[done] == 0) kept -= bounds_bytes(job, &slices->slices[done]);
    }
  }
  return most;
}

uint64_t build_chance_bytes(const build_job *job, const game_slices *slices, int ranks) {
  slice_levels levels;
  if (slice_levels_open(job->game, job->rules, slices, &levels, NULL)) return 0;
  size_t *uses = calloc(slices->used + 1, sizeof *uses);
  const uint64_t bytes =
      uses ? solving_bytes(job, slices, &levels, uses) + build_overhead_bytes(job, slices, ranks) : 0;
  free(uses);
  slice_levels_close(&levels);
  return bytes;
}

uint64_t build_chance_network(const build_job *job, const game_slices *slices, int ranks) {
  /* Measured with oca of two players: bytes for each bound, and each rank that they are told. */
  static const double told = 620;
  double bounds = 0;
  for (size_t i = 0; i < slices->used; i++) bounds += bounds_of(job, &slices->slices[i]);
  return (uint64_t)(told * bounds * (ranks - 1));
}

/* --- how long it takes --- */

/* Measured with oca of two and three players and the smaller slices of la oca asesina: each doubling of
 * positions makes the work for one so many times as long; and where no slice is small, seconds for a position
 * and quantity of a million positions. */
static const double slowing = 1.08, seconds_each = 3e-6;

static double slowing_of(uint64_t positions, uint64_t against) {
  return positions > against ? pow(slowing, log2((double)positions / (double)against)) : 1;
}

/* The first slices, as many as are solved in no time. */
static size_t small_slices(const game_slices *slices) {
  enum { ENOUGH = 50000, TOO_MANY = 150000 };
  uint64_t positions = 0;
  size_t n = 0;
  while (n < slices->used && positions < ENOUGH && positions + slices->slices[n].positions <= TOO_MANY)
    positions += slices->slices[n++].positions;
  return n;
}

/* How much work the first n slices are. */
static double weight_of(const build_job *job, const game_slices *slices, size_t n, uint64_t against) {
  double weight = 0;
  for (size_t i = 0; i < n; i++)
    weight += bounds_of(job, &slices->slices[i]) * slowing_of(slices->slices[i].positions, against);
  return weight;
}

static uint64_t largest_of(const game_slices *slices, size_t n) {
  uint64_t largest = 1;
  for (size_t i = 0; i < n; i++) {
    if (slices->slices[i].positions > largest) largest = slices->slices[i].positions;
  }
  return largest;
}

static double unmeasured_seconds(const build_job *job, const game_slices *slices) {
  return seconds_each * weight_of(job, slices, slices->used, UINT64_C(1) << 20);
}

/* Processor seconds for the first n slices; 0 if it failed. */
static double measure(const build_job *job, const game_slices *slices, size_t n) {
  memory_budget memory;
  memory_budget_open(&memory, memory_left(job->memory));
  const game_slices few = {slices->slices, n};
  chance_slices finished = {NULL, game_slices_largest(&few) + 1};
  finished.list = calloc(finished.room, sizeof *finished.list);
  solve_job solving = solving_for(job, 1, &memory);
  solving.team = NULL;
  const chance_job chance = {&solving, &finished, job->width};
  const double start = clock_process_cpu();
  bool well = finished.list != NULL;
  for (size_t i = 0; i < n && well; i++) {
    const uint32_t slice = slices->slices[i].slice;
    chance_effort effort = {0};
    well = chance_solve(&chance, slice, &finished.list[slice], &effort, NULL) == TAULER_OK;
  }
  const double seconds = clock_process_cpu() - start;
  for (uint32_t s = 0; finished.list && s < finished.room; s++) chance_slice_free(&memory, &finished.list[s]);
  free(finished.list);
  return well ? seconds : 0;
}

double build_chance_seconds(const build_job *job, const game_slices *slices, const game_slices *missing) {
  game_slice alike;
  game_slices small = *slices;
  if (job->game->alike) {
    alike.slice = job->game->alike(job->rules, slices->slices[0].slice);
    alike.positions = job->game->positions(job->rules, alike.slice);
    small = (game_slices){&alike, 1};
  }
  const size_t n = small_slices(&small);
  const double measured = n ? measure(job, &small, n) : 0;
  if (!(measured > 0)) return unmeasured_seconds(job, missing);
  const uint64_t largest = largest_of(&small, n);
  return measured * weight_of(job, missing, missing->used, largest) / weight_of(job, &small, n, largest);
}

bool build_chance_is_brief(const build_job *job, const game_slices *missing) {
  return unmeasured_seconds(job, missing) < 20; /* it is near enough for that */
}
