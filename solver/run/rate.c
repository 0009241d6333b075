/* Estimates the time of a build from small slices that are solved now to be timed. */
#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "solver/run/run.h"

/* The measurement of small slices. */
typedef struct {
  uint64_t positions;
  double seconds;     /* processor seconds of one worker, or 0 if the slices could not be solved */
  engine_trial tried; /* waves and traffic of the last slice */
  double sweeps;      /* sweeps over each position, or 0 for games without chance */
  double lengthening; /* exponent of the waves: x times the positions need x^lengthening times the waves */
} trial;

typedef struct {
  const build_job *job;
  const game_slices *slices, *missing; /* slices of the build, and those to be built */
  game_slices measured; /* `slices`, or the smaller slice `alike` that the game names instead, or none */
  game_slice alike;
  const void *grid_tables;
  bool quickly;
} estimate;

/* Solves slices without storing them until all are solved or more than enough_seconds have passed. Adds to
 * *done. */
static tauler_error solve_for_seconds(engine_run *run, double enough_seconds, trial *done) {
  const double start = clock_process_cpu();
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < run->needed.used && !error && done->seconds <= enough_seconds; i++) {
    engine_task task = {.place = i, .solving = &run->solving, .alone = true};
    error = engine_solve(run, &task, NULL);
    if (!error) done->positions += run->slices.slices[i].positions;
    done->tried = task.tried;
    done->seconds = task.tried.waves ? done->seconds + task.solved : clock_process_cpu() - start;
  }
  return error;
}

static tauler_error open_trial(engine_run *run, const void *grid_tables) {
  const build_job *job = run->job;
  const game_slices *slices = &run->slices;
  run->states = calloc(slices->used + 1, sizeof *run->states);
  tauler_error error = run->states ? TAULER_OK : TAULER_NO_MEMORY;
  if (!error) error = slice_levels_open(job->problem.game, job->problem.rules, slices, &run->levels, NULL);
  if (!error && engine_uses_move_tables(job, comm_ranks(job->work.comm)) && !grid_tables)
    error =
        job->problem.game->grid->prepare(job->problem.rules, game_slices_largest(slices), &run->grid_tables);
  run->solving.grid_tables = grid_tables ? grid_tables : run->grid_tables;
  if (!error) error = build_fallback_open(run, NULL);
  return error ? error : engine_open(run, NULL);
}

static void close_trial(engine_run *run) {
  engine_close(run);
  build_fallback_close(run);
  if (run->grid_tables) run->job->problem.game->grid->release(run->grid_tables);
  slice_levels_close(&run->levels);
  free(run->states);
}

static trial measure_slices(const build_job *job, const engine *engine, const game_slices *small,
                            const void *grid_tables, double enough_seconds) {
  const uint64_t least = UINT64_C(4) << 20; /* bytes that are enough for some small slices */
  memory_budget memory;
  build_cost cost = {0};
  build_job alone = *job;
  trial done = {.positions = 0};
  const uint64_t others = build_overhead_bytes(job, small, 1), left = memory_left(job->work.memory);
  memory_budget_open(&memory, left > others + least ? left - others : least);
  alone.work.memory = &memory;
  alone.work.threads = 1;
  alone.work.comm = NULL;
  alone.work.shown = NULL;
  alone.problem.engine = engine;
  if (!(alone.width > 0)) alone.width = BUILD_USUAL_WIDTH;
  engine_run run = {.job = &alone,
                    .engine = engine,
                    .slices = *small,
                    .needed = *small,
                    .wants_depths = job->depths,
                    .cost = &cost,
                    .keeps_plain = true,
                    .solving = {.problem = alone.problem, .work = alone.work}};
  progress *shown = job->work.shown;
  if (shown) progress_start(shown, "measuring small slices", job->problem.game->unit, 0, 0);
  if (open_trial(&run, grid_tables) == TAULER_OK) (void)solve_for_seconds(&run, enough_seconds, &done);
  if (shown) progress_abandon(shown);
  close_trial(&run);
  if (done.positions > 0) done.sweeps = (double)build_updates(cost.sweeps) / (double)done.positions;
  return done;
}

/* Returns the slice that is measured instead of `slice`: a similar, smaller one if the game names one, or
 * GAME_NO_SLICE if the game knows none. In other games returns `slice`. */
static uint32_t find_similar(const solve_problem *problem, uint32_t slice) {
  return problem->game->alike ? problem->game->alike(problem->rules, slice) : slice;
}

static void choose_measured(estimate *e) {
  const solve_problem *problem = &e->job->problem;
  const uint32_t first = e->slices->slices[0].slice, alike = find_similar(problem, first);
  e->measured = *e->slices;
  if (alike == first) return;
  e->measured = (game_slices){&e->alike, alike != GAME_NO_SLICE};
  if (alike != GAME_NO_SLICE)
    e->alike = (game_slice){.slice = alike, .positions = problem->game->positions(problem->rules, alike)};
}

/* Returns the first slices that together have at least `enough` positions, or fewer slices if the next one
 * would bring them above `most`. */
static game_slices first_slices(const game_slices *slices, uint64_t enough, uint64_t most) {
  uint64_t positions = 0;
  size_t n = 0;
  while (n < slices->used && positions < enough && slices->slices[n].positions <= most - positions)
    positions += slices->slices[n++].positions;
  return (game_slices){slices->slices, n};
}

/* Measures slices that are similar to this one, from small to large, while the next probably takes no more
 * than some seconds and fits in memory. The slice itself is the last of them, unless `quickly` and a smaller
 * one was measured. Returns the last measurement. */
static trial measure_similar(const build_job *job, const engine *engine, game_slice slice, bool quickly) {
  enum { MOST = 64 };
  const uint64_t instant = 1000000;
  const double enough_seconds = quickly ? 3 : 8;
  game_slice step[MOST] = {slice};
  int n = 0;
  trial last = {.positions = 0};
  while (n + 1 < MOST && step[n].positions > instant) {
    const uint32_t next = find_similar(&job->problem, step[n].slice);
    if (next == GAME_NO_SLICE || next == step[n].slice) break;
    step[++n] = (game_slice){next, false, job->problem.game->positions(job->problem.rules, next)};
  }
  for (; n >= 0; n--) {
    const double larger = last.positions > 0 ? (double)step[n].positions / (double)last.positions : 0;
    if (last.seconds * larger > enough_seconds || (quickly && n == 0 && last.seconds > 0)) break;
    const game_slices one = {&step[n], 1};
    trial done = measure_slices(job, engine, &one, NULL, HUGE_VAL);
    if (done.positions == 0) break;
    if (last.tried.waves > 0 && larger > 1)
      done.lengthening = log2((double)done.tried.waves / (double)last.tried.waves) / log2(larger);
    last = done;
  }
  return last;
}

/* Returns the factor by which a slice of `positions` positions needs more waves than the measured one. */
static double wave_factor(const trial *done, uint64_t positions) {
  const double larger = (double)positions / (double)done->positions;
  return larger > 1 ? pow(larger, done->lengthening) : 1;
}

/* Returns the factor by which a position of the largest slice takes more work than in the trial. The trial
 * sweeps only in some waves; a slice that is shared by ranks or cut into parts is swept in all waves. */
static double work_factor(const build_plan *plan, const trial *done) {
  const engine_trial *tried = &done->tried;
  const bool follows = plan->shared_positions == 0 && plan->shards_per_rank <= 1;
  const double swept = follows || !tried->swept ? 1 : (double)tried->waves / (double)tried->swept;
  return wave_factor(done, plan->largest) * swept;
}

/* Returns 0 if nothing was measured. Converts the measured rate to that of a slice of a million positions, to
 * which plan->effort refers. */
static double seconds_by_positions(const estimate *e, const build_plan *plan, const trial *done) {
  if (!(done->seconds > 0) || done->positions == 0) return 0;
  const double rate =
      (double)done->positions / done->seconds * build_effort(e->job, plan->engine, done->positions);
  return (double)game_slices_positions(e->missing) * plan->effort * work_factor(plan, done) / rate;
}

static uint64_t shared_traffic(const build_job *job, const game_slices *slices, const build_plan *plan,
                               const trial *done) {
  solve_job by_all = build_planned_solve(job, plan->engine, NULL);
  uint64_t sent = 0;
  by_all.ranks = plan->ranks;
  for (size_t i = 0; i < slices->used && done->positions > 0; i++) {
    const double waves = (double)done->tried.waves * wave_factor(done, slices->slices[i].positions);
    sent += plan->engine->whole->sent_bytes(&by_all, slices->slices[i].slice, waves, done->tried.packed);
  }
  return sent;
}

/* Returns the finished bytes of all slices, each slice weighted by the factor by which a byte takes longer
 * than in a slice of `against` positions. */
static double slices_weight(const solve_problem *problem, const engine *engine, const game_slices *slices,
                            uint64_t against) {
  const build_costs *costs = build_costs_of(engine, problem->game);
  const solve_job solving = {.problem.game = problem->game, .problem.rules = problem->rules};
  double weight = 0;
  for (size_t i = 0; i < slices->used; i++)
    weight += (double)engine->whole->finished_bytes(&solving, slices->slices[i].slice) *
              build_slowing(costs, slices->slices[i].positions, against);
  return weight;
}

static double unmeasured_seconds(const build_job *job, const engine *engine, const game_slices *slices) {
  const build_costs *costs = build_costs_of(engine, job->problem.game);
  const double width = job->width > 0 ? job->width : BUILD_USUAL_WIDTH;
  const double part = 1 - costs->decade * (log10(width) - log10(BUILD_USUAL_WIDTH));
  return costs->seconds_each * fmax(part, costs->decade) *
         slices_weight(&job->problem, engine, slices, UINT64_C(1) << 20);
}

static game_slices quick_slices(const game_slices *slices) {
  return first_slices(slices, 50000, 150000);
}

static double seconds_by_bytes(const estimate *e, const engine *engine, const trial *done) {
  const game_slices small = quick_slices(&e->measured);
  if (!(done->seconds > 0)) return unmeasured_seconds(e->job, engine, e->missing);
  uint64_t largest = 1;
  for (size_t i = 0; i < small.used; i++) {
    if (small.slices[i].positions > largest) largest = small.slices[i].positions;
  }
  return done->seconds * slices_weight(&e->job->problem, engine, e->missing, largest) /
         slices_weight(&e->job->problem, engine, &small, largest);
}

static bool is_measured_by_bytes(const build_job *job, const engine *engine) {
  return build_costs_of(engine, job->problem.game)->seconds_each > 0;
}

static bool is_brief(const estimate *e, const build_plan *plan) {
  /* The slowest engine solves about 600 thousand positions per second. For engines whose work is in
   * proportion to bytes, an estimate without a measurement is close enough. */
  const double least_rate = 300000, brief = 60;
  if (is_measured_by_bytes(e->job, plan->engine))
    return unmeasured_seconds(e->job, plan->engine, e->missing) < brief / 3;
  return (double)game_slices_positions(e->missing) * plan->effort < brief * least_rate;
}

/* If e->quickly, uses only as much memory as the plan. */
static trial measure_representatives(const estimate *e, const build_plan *plan) {
  const double enough_seconds = 0.4;
  const uint64_t left = memory_left(e->job->work.memory);
  memory_budget planned;
  build_job own = *e->job;
  if (e->quickly) {
    memory_budget_open(&planned, left < plan->memory ? left : plan->memory);
    own.work.memory = &planned;
  }
  if (is_measured_by_bytes(e->job, plan->engine)) {
    const game_slices small = quick_slices(&e->measured);
    trial done = {.positions = 0};
    if (small.used) done = measure_slices(&own, plan->engine, &small, NULL, HUGE_VAL);
    if (done.positions < game_slices_positions(&small)) done.seconds = 0;
    return done;
  }
  if (e->measured.used && e->measured.slices == &e->alike)
    return measure_similar(&own, plan->engine, e->slices->slices[0], e->quickly);
  const game_slices small = first_slices(&e->measured, 4000000, UINT64_MAX);
  return measure_slices(&own, plan->engine, &small, e->grid_tables, enough_seconds);
}

/* Returns the seconds of a build, or 0 if not known: its processor time, with the additional work of shards,
 * divided by the number of all threads. Waiting between ranks counts only as shards_wait. */
static double trial_seconds(const estimate *e, const build_plan *plan, const trial *done) {
  const double seconds = is_measured_by_bytes(e->job, plan->engine) ? seconds_by_bytes(e, plan->engine, done)
                                                                    : seconds_by_positions(e, plan, done);
  const double wait = plan->ranks > 1 ? build_costs_of(plan->engine, e->job->problem.game)->shards_wait : 0;
  return seconds > 0 ? wait + seconds / ((double)e->job->work.threads * plan->ranks) : 0;
}

/* Returns the bytes between ranks: those of the plan, corrected by what the trial measured. */
static uint64_t trial_traffic(const build_job *job, const game_slices *slices, const build_plan *plan,
                              const trial *done) {
  if (plan->shared_positions > 0 && plan->engine->whole->sent_bytes && done->tried.waves > 0)
    return plan->network + shared_traffic(job, slices, plan, done);
  const double usual = build_costs_of(plan->engine, job->problem.game)->sweeps;
  return done->sweeps > 0 && usual > 0 ? (uint64_t)((double)plan->network * done->sweeps / usual)
                                       : plan->network;
}

static void estimate_without_spilling(const estimate *e, const trial *done, build_outlook *ahead) {
  memory_budget ample;
  memory_budget_open(&ample, UINT64_MAX);
  build_job at_ease = *e->job;
  at_ease.work.memory = &ample;
  build_plan plan;
  if (build_plan_for(&at_ease, e->slices, NULL, ahead->plan.ranks, &plan, NULL)) return;
  ahead->ample_memory = plan.memory;
  const trial own = plan.engine == ahead->plan.engine ? *done : measure_representatives(e, &plan);
  ahead->ample_seconds = trial_seconds(e, &plan, &own);
}

void build_estimate_time(const game_slices *slices, const game_slices *missing, const void *grid_tables,
                         bool quickly, build_outlook *ahead) {
  estimate e = {.job = ahead->job,
                .slices = slices,
                .missing = missing,
                .grid_tables = grid_tables,
                .quickly = quickly};
  ahead->brief = quickly && is_brief(&e, &ahead->plan);
  if (ahead->brief) return;
  choose_measured(&e);
  const trial done = measure_representatives(&e, &ahead->plan);
  ahead->sampled = done.seconds > 0;
  ahead->seconds = trial_seconds(&e, &ahead->plan, &done);
  ahead->plan.network = trial_traffic(e.job, slices, &ahead->plan, &done);
  if (ahead->plan.waiting > 0 && !ahead->plan.shared) estimate_without_spilling(&e, &done, ahead);
}
