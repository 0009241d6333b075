#include "solver/build/chance.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "solver/build/levels.h"
#include "solver/engines/chance/chance.h"
#include "solver/engines/chance/tables.h"

typedef struct chance_build {
  word_levels levels;
  size_t *uses; /* by place: how many of the missing ones that are not done need it */
  chance_slices finished;
  chance_slices needed; /* those of them that the slice under work needs: nothing else may change its cells */
} chance_build;

/* --- the order of slices --- */

static tauler_error take_lists(chance_build *c, const build_run *run, tauler_message *message) {
  const game_slices slices = {run->slices.slices, run->needed};
  const size_t n = slices.used;
  c->uses = calloc(n + 1, sizeof *c->uses);
  c->finished.room = game_slices_largest(&slices) + 1;
  c->needed.room = c->finished.room;
  c->finished.list = calloc(c->finished.room, sizeof *c->finished.list);
  c->needed.list = calloc(c->needed.room, sizeof *c->needed.list);
  if (!c->uses || !c->finished.list || !c->needed.list) {
    c->finished.room = 0;
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory for the list of slices");
  }
  return word_levels_open(run->job->game, run->job->rules, &slices, &c->levels, message);
}

/* Those that are there need nothing. */
static void count_uses(chance_build *c, const bool *there) {
  for (size_t i = 0; i < c->levels.used; i++) {
    for (size_t k = c->levels.first_need[i]; !there[i] && k < c->levels.first_need[i + 1]; k++)
      c->uses[c->levels.need[k]]++;
  }
}

static tauler_error open_chance(build_run *run, tauler_message *message) {
  chance_build *c = run->chance = calloc(1, sizeof *c);
  tauler_error error = c ? take_lists(c, run, message)
                         : tauler_fail(message, TAULER_NO_MEMORY, "no memory for the list of slices");
  if (!error && c) count_uses(c, run->has_values);
  return team_agree(run->job->team, error, message);
}

static void close_chance(build_run *run) {
  chance_build *c = run->chance;
  if (!c) return;
  for (uint32_t s = 0; c->finished.list && s < c->finished.room; s++)
    chance_slice_free(run->job->memory, &c->finished.list[s]);
  word_levels_close(&c->levels);
  free(c->finished.list);
  free(c->needed.list);
  free(c->uses);
  free(c);
  run->chance = NULL;
}

static chance_slice *slice_at(build_run *run, size_t i) {
  return &run->chance->finished.list[run->slices.slices[i].slice];
}

/* One that is solved has no more use for what it needs; what nobody needs goes. */
static void end_slice(build_run *run, size_t i) {
  chance_build *c = run->chance;
  for (size_t k = c->levels.first_need[i]; k < c->levels.first_need[i + 1]; k++) {
    const size_t need = c->levels.need[k];
    if (--c->uses[need] == 0) chance_slice_free(run->job->memory, slice_at(run, need));
  }
  if (c->uses[i] == 0) chance_slice_free(run->job->memory, slice_at(run, i));
}

/* --- slice by slice --- */

static tauler_error load_chance(build_run *run, size_t i, tauler_message *message) {
  if (run->chance->uses[i] == 0) return TAULER_OK;
  const build_job *job = run->job;
  const double start = clock_process_cpu();
  tauler_error error = chance_tables_load(job, run->slices.slices[i].slice, slice_at(run, i), message);
  error = team_agree(job->team, error, message);
  run->cost->loading += clock_process_cpu() - start;
  return error;
}

static tauler_error write_timed(build_run *run, const chance_slice *slice, tauler_message *message) {
  const double start = clock_process_cpu();
  tauler_error error = TAULER_OK;
  if (team_leads(run->job->team)) error = chance_tables_write(run->job, slice, message);
  error = team_agree(run->job->team, error, message);
  run->cost->writing += clock_process_cpu() - start;
  return error;
}

static const chance_slices *needs_of(build_run *run, size_t i) {
  chance_build *c = run->chance;
  for (uint32_t s = 0; s < c->needed.room; s++) c->needed.list[s] = (chance_slice){.slice = s};
  for (size_t k = c->levels.first_need[i]; k < c->levels.first_need[i + 1]; k++) {
    const chance_slice *need = slice_at(run, c->levels.need[k]);
    c->needed.list[need->slice] = *need;
  }
  return &c->needed;
}

static void note_effort(build_cost *cost, uint64_t positions, const chance_effort *effort) {
  const build_sweeps took[] = {
      [BUILD_POTENTIALS] = {effort->potential_sweeps, positions * effort->potential_sweeps,
                            effort->potential_seconds},
      [BUILD_VALUES] = {effort->value_sweeps, positions * effort->value_sweeps, effort->value_seconds},
      [BUILD_BOUNDS] = {effort->bound_sweeps, positions * effort->bound_sweeps, effort->bound_seconds}};
  for (int kind = 0; kind < BUILD_SWEEPS; kind++) {
    cost->sweeps[kind].sweeps += took[kind].sweeps;
    cost->sweeps[kind].updates += took[kind].updates;
    cost->sweeps[kind].seconds += took[kind].seconds;
  }
  if (positions < cost->largest_solved) return;
  cost->largest_solved = positions;
  memcpy(cost->sweeps_of_largest, took, sizeof took);
}

uint64_t build_updates(const build_sweeps sweeps[BUILD_SWEEPS]) {
  uint64_t updates = 0;
  for (int kind = 0; kind < BUILD_SWEEPS; kind++) updates += sweeps[kind].updates;
  return updates;
}

static tauler_error solve_timed(build_run *run, size_t i, uint64_t *shown, tauler_message *message) {
  memory_budget *memory = run->job->memory;
  const double start = clock_process_cpu(), wall = clock_wall();
  const uint64_t before = memory_taken(memory);
  const chance_job job = {.job = &run->solving, .finished = needs_of(run, i), .width = run->job->width};
  chance_effort effort = {0};
  const tauler_error error =
      chance_solve(&job, run->slices.slices[i].slice, slice_at(run, i), &effort, message);
  build_note_solving(run, start, wall);
  *shown = effort.shown;
  note_effort(run->cost, run->slices.slices[i].positions, &effort);
  if (memory_peak(memory) - before > run->cost->solving_peak)
    run->cost->solving_peak = memory_peak(memory) - before;
  return team_agree(run->job->team, error, message);
}

static tauler_error solve_chance(build_run *run, size_t i, tauler_message *message) {
  const build_job *job = run->job;
  uint64_t shown = 0;
  tauler_error error = solve_timed(run, i, &shown, message);
  const chance_slice *slice = slice_at(run, i);
  if (!error) error = write_timed(run, slice, message);
  if (error) return error;
  run->cost->width = fmax(run->cost->width, slice->width);
  chance_tables_note(job, slice->slice, slice->width, slice->endless);
  if (job->shown && slice->positions > shown) progress_add(job->shown, slice->positions - shown);
  end_slice(run, i);
  return TAULER_OK;
}

const build_way build_chance = {
    .open = open_chance, .load = load_chance, .solve = solve_chance, .close = close_chance};

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
static uint64_t solving_bytes(const build_job *job, const game_slices *slices, const word_levels *levels,
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
  word_levels levels;
  if (word_levels_open(job->game, job->rules, slices, &levels, NULL)) return 0;
  size_t *uses = calloc(slices->used + 1, sizeof *uses);
  const uint64_t bytes =
      uses ? solving_bytes(job, slices, &levels, uses) + build_overhead_bytes(job, slices, ranks) : 0;
  free(uses);
  word_levels_close(&levels);
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

/* Processor seconds for the first n slices; 0 if it failed. */
static double measure(const build_job *job, const game_slices *slices, size_t n) {
  memory_budget memory;
  memory_budget_open(&memory, 0);
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

double build_chance_seconds(const build_job *job, const game_slices *slices) {
  const uint64_t million = UINT64_C(1) << 20;
  game_slice alike;
  game_slices small = *slices;
  if (job->game->alike) {
    alike.slice = job->game->alike(job->rules, slices->slices[0].slice);
    alike.positions = job->game->positions(job->rules, alike.slice);
    small = (game_slices){&alike, 1};
  }
  const size_t n = small_slices(&small);
  const double measured = n ? measure(job, &small, n) : 0;
  if (!(measured > 0)) return seconds_each * weight_of(job, slices, slices->used, million);
  const uint64_t largest = largest_of(&small, n);
  return measured * weight_of(job, slices, slices->used, largest) / weight_of(job, &small, n, largest);
}
