/* Solves a slice of a game of dice in sweeps: finds approximate values, proves bounds around them, and
 * narrows these bounds. Between two sweeps, chance_run and the arrays have the whole state. The search for a
 * potential is hopeless after too many sweeps or refusals, or if the potential grows too large. CLOSES_IN
 * narrows bounds that converge to each other. It ends when they are as narrow as wanted, or when this would
 * take too many more sweeps. CLOSES_ALL narrows bounds that may stay apart, until they are narrow enough or
 * hardly change. A solve begins at the left top of this diagram or, if has_trivial_start, at the right top:
 *
 *     begin                                           begin (has_trivial_start)
 *         v             256 sweeps                       v
 *   FINDS_POTENTIAL ------------------------------> ASKS_ENDLESS
 *     |       ^  ^-------- nothing endless ------------'  |
 *     v       | refused                                   | else
 *   PROVES_POTENTIAL --- finished slices unbounded ----.  v
 *     v                                                '-> CLOSES_ALL ----> IS_DONE
 *   FINDS_VALUES <--- refused, ε doubles -----.         ^     |
 *     v                                       |         |     | play ends for certain
 *   PROVES_BOUNDS ----------------------------+---------'     v
 *     '------------------ proven ------------------------> CLOSES_IN -----> IS_DONE
 *
 * CLOSES_ALL follows PROVES_BOUNDS after more than 40 refusals, or if finished slices are as wide as the job
 * allows. It follows FINDS_POTENTIAL if the search is hopeless and ASKS_ENDLESS was done before. It follows
 * ASKS_ENDLESS, whatever that finds, if the solve starts from trivial bounds or is hopeless. */
#include "solver/engines/chance/chance.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "solver/engines/chance/means.h"
#include "solver/engines/chance/sweeps.h"

static const char *const what = "a slice of chance";

enum {
  ASK_AFTER = 256,        /* sweeps for a potential before the solve asks whether play can be endless */
  MOST_POTENTIAL = 20000, /* most sweeps for a potential */
  MOST_PROOFS = 20,
  /* Limits for chance_run.calm. After CALM_SWEEPS, changes of at most rounding_error count as rounding; after
   * MOST_CALM, all changes do. */
  CALM_SWEEPS = 16,
  MOST_CALM = 20000,
  MOST_REFUSALS = 40,
  WIDTH_SWEEPS = 8,     /* sweeps between two comparisons of the width */
  MOST_WAITS = 200,     /* longest wait for the wanted width, in units of WIDTH_SWEEPS */
  MOST_CLOSING = 20000, /* sweeps of bounds after which CLOSES_ALL ends */
  FEW = 1 << 13,        /* a slice of fewer positions has one sweep in a row */
  VISITS = 1 << 19      /* positions computed by all sweeps of a row together */
};

/* The search for a potential is hopeless above this size: floats are then 1/4 apart, too coarse to test
 * whether a sweep raises the potential by at most 1/3. */
static const double most_potential = 0x1p21;

typedef struct {
  const chance_engine *engine;
  chance_work work;
  chance_run run;
  chance_effort *effort;
  double finished_width;
  double target;
  uint64_t row_sweeps; /* number of sweeps in a row, without a checkpoint between them */
  slice_layout *layout;
  unit_arrays kept;
  checkpoint_units units;
} chance_solver;

static tauler_error allocate_endless(chance_solver *s, tauler_message *message) {
  chance_work *work = &s->work;
  const solve_job *job = work->job->job;
  if (s->run.asking) return TAULER_OK;
  s->run.asking = true;
  const tauler_error error =
      memory_allocate(job->work.memory, work->positions, what, &work->endless, message);
  if (!error) memset(work->endless, 1, work->positions);
  return comm_agree(job->work.comm, error, message);
}

static tauler_error run_sweep(chance_solver *s, chance_step step, chance_measures *measures,
                              tauler_message *message) {
  const double before = clock_process_cpu();
  tauler_error error = step == CHANCE_ENDLESS ? allocate_endless(s, message) : TAULER_OK;
  if (!error) error = s->engine->sweep(&s->work, step, measures, message);
  const build_sweep kind = step == CHANCE_VALUES   ? BUILD_VALUES
                           : step == CHANCE_BOUNDS ? BUILD_BOUNDS
                                                   : BUILD_POTENTIALS;
  s->run.sweeps[kind]++;
  s->effort->sweeps[kind].sweeps++;
  s->effort->sweeps[kind].updates += s->work.positions;
  s->effort->sweeps[kind].seconds += clock_process_cpu() - before;
  return error;
}

static void report_part(chance_solver *s, double part) {
  const solve_job *job = s->work.job->job;
  const uint64_t done = (uint64_t)(part * (double)s->work.positions);
  if (done <= s->run.reported) return;
  const uint64_t now = done < s->work.positions ? done : s->work.positions;
  if (job->work.shown) progress_add(job->work.shown, now - s->run.reported);
  s->run.reported = now;
}

/* `width` shrinks from `from` to `wanted`. */
static void report_convergence(chance_solver *s, double from, double width, double wanted) {
  if (width > 0 && wanted > 0 && from > wanted && isfinite(from))
    report_part(s, log(from / width) / log(from / wanted));
}

/* True if players choose and every `most` is finite. Bounds then start from 0 and `most`, the trivial bounds.
 * This takes fewer sweeps than finding a potential, which counts the longest play, even if no player would
 * choose it. */
static bool has_trivial_start(const chance_quantities *quantities) {
  for (int q = 0; q < quantities->used; q++)
    if (isinf(quantities->list[q].most)) return false;
  return quantities->chosen;
}

/* Trivial bounds need no proof. */
static void start_from_trivial(chance_solver *s) {
  chance_set_trivial_bounds(&s->work);
  s->run.change[0] = s->run.width = INFINITY;
  s->run.phase = CHANCE_CLOSES_ALL;
}

static tauler_error find_potential(chance_solver *s, tauler_message *message) {
  chance_run *run = &s->run;
  chance_measures measures;
  const tauler_error error = run_sweep(s, CHANCE_POTENTIAL, &measures, message);
  if (error) return error;
  run->hopeless =
      run->hopeless || run->sweeps[BUILD_POTENTIALS] > MOST_POTENTIAL ||
      (run->sweeps[BUILD_POTENTIALS] % ASK_AFTER == 0 && chance_largest_potential(&s->work) > most_potential);
  if (measures.change[0] * 3 <= 1) {
    chance_raise_potential(&s->work);
    run->phase = CHANCE_PROVES_POTENTIAL;
  } else if (!run->asked && (run->hopeless || run->sweeps[BUILD_POTENTIALS] >= ASK_AFTER)) {
    run->phase = CHANCE_ASKS_ENDLESS;
  } else if (run->hopeless) {
    start_from_trivial(s);
  }
  return TAULER_OK;
}

static tauler_error prove_potential(chance_solver *s, tauler_message *message) {
  chance_run *run = &s->run;
  chance_measures measures;
  const tauler_error error = run_sweep(s, CHANCE_PROOF, &measures, message);
  if (error) return error;
  run->phase = measures.refused ? CHANCE_FINDS_POTENTIAL : CHANCE_FINDS_VALUES;
  run->asked = run->asked || !measures.refused;
  run->longest = chance_largest_potential(&s->work);
  run->hopeless = run->hopeless || (measures.refused && ++run->proofs > MOST_PROOFS);
  if (!measures.refused && isinf(s->finished_width)) start_from_trivial(s);
  return TAULER_OK;
}

static void end_asking(chance_solver *s) {
  chance_run *run = &s->run;
  for (uint64_t i = 0; i < s->work.positions; i++) run->endless += s->work.endless[i];
  memory_free(s->work.job->job->work.memory, s->work.endless);
  s->work.endless = NULL;
  run->asking = false;
  run->asked = true;
  if (has_trivial_start(&s->work.quantities) || run->endless || run->hopeless) {
    start_from_trivial(s);
  } else {
    run->phase = CHANCE_FINDS_POTENTIAL;
  }
}

static tauler_error find_endless(chance_solver *s, tauler_message *message) {
  chance_measures measures;
  const tauler_error error = run_sweep(s, CHANCE_ENDLESS, &measures, message);
  if (!error && !measures.refused) end_asking(s);
  return error;
}

static double rounding_error(const chance_solver *s, int quantity) {
  const chance_roll *rolls;
  const solve_job *job = s->work.job->job;
  const double margin = chance_means_margin(job->problem.game->chance->rolls(job->problem.rules, &rolls));
  return 8 * margin * chance_largest_value(&s->work, quantity);
}

/* Returns the change of values at which make_bounds reaches the target width. The two bounds of a value are
 * 2 · ε · potential + finished_width apart, and ε is about twice the change. */
static double wanted_change(const chance_solver *s) {
  return (s->target - s->finished_width) / (4 * s->run.longest + 4);
}

static double largest_change(const chance_solver *s) {
  double largest = 0;
  for (int q = 0; q < s->work.quantities.used; q++) largest = fmax(largest, s->run.change[q]);
  return largest;
}

/* True if only rounding still changes values. */
static bool is_settled(const chance_solver *s) {
  if (s->run.calm < CALM_SWEEPS) return false;
  if (s->run.calm > MOST_CALM) return true;
  for (int q = 0; q < s->work.quantities.used; q++)
    if (s->run.change[q] > rounding_error(s, q)) return false;
  return true;
}

/* Quantities that rotate with the seats are computed from each other and have the same ε. */
static double epsilon_of(const chance_solver *s, int quantity) {
  const int seats = s->work.quantities.seats;
  const bool rotates = quantity < seats;
  double epsilon = 0;
  for (int q = rotates ? 0 : quantity; q < (rotates ? seats : quantity + 1); q++)
    epsilon = fmax(epsilon, 2 * s->run.change[q] + rounding_error(s, q) + DBL_MIN);
  return ldexp(epsilon, (int)s->run.refusals);
}

/* The shift allows for the width of finished slices, which moves all values by at most half that width
 * (docs/proofs.md, "Chance"). */
static void make_bounds(chance_solver *s) {
  double epsilon[CHANCE_MOST_QUANTITIES] = {0};
  for (int q = 0; q < s->work.quantities.used; q++) epsilon[q] = epsilon_of(s, q);
  for (int q = 0; q < s->work.quantities.used; q++)
    chance_make_bounds(&s->work, q, epsilon[q], s->finished_width / 2);
  s->run.phase = CHANCE_PROVES_BOUNDS;
}

static tauler_error find_values(chance_solver *s, tauler_message *message) {
  chance_run *run = &s->run;
  chance_measures measures;
  const tauler_error error = run_sweep(s, CHANCE_VALUES, &measures, message);
  if (error) return error;
  memcpy(run->change, measures.change, sizeof run->change);
  const double change = largest_change(s);
  if (run->first_change == 0) run->first_change = run->least_change = change;
  run->calm = change < run->least_change ? 0 : run->calm + 1;
  run->least_change = fmin(run->least_change, change);
  report_convergence(s, run->first_change, change, wanted_change(s));
  if (change <= wanted_change(s) || is_settled(s)) make_bounds(s);
  return TAULER_OK;
}

static tauler_error prove_bounds(chance_solver *s, tauler_message *message) {
  chance_run *run = &s->run;
  chance_measures measures;
  const tauler_error error = run_sweep(s, CHANCE_BOUNDS, &measures, message);
  if (error) return error;
  run->width = run->width_before = measures.width;
  memcpy(run->change, measures.change, sizeof run->change);
  run->phase = s->finished_width < s->work.job->width ? CHANCE_CLOSES_IN : CHANCE_CLOSES_ALL;
  if (!measures.refused) return TAULER_OK;
  if (++run->refusals > MOST_REFUSALS) {
    start_from_trivial(s);
  } else {
    chance_set_middles(&s->work);
    run->phase = CHANCE_FINDS_VALUES;
    run->calm = 0;
    run->least_change = INFINITY;
  }
  return TAULER_OK;
}

/* True if the width is reached, or if at the rate of the last sweeps it would take too many more. */
static bool is_narrow_enough(const chance_solver *s) {
  const chance_run *run = &s->run;
  if (run->width <= s->target) return true;
  if (run->sweeps[BUILD_BOUNDS] % WIDTH_SWEEPS) return false;
  return !(run->width - s->target < MOST_WAITS * (run->width_before - run->width));
}

static tauler_error fail_on_refusal(const chance_solver *s, tauler_message *message) {
  return tauler_fail(message, TAULER_INTERNAL, "bounds of slice %u that were proven do not hold any more",
                     s->work.slice);
}

static tauler_error narrow_to_target(chance_solver *s, tauler_message *message) {
  chance_run *run = &s->run;
  if (is_narrow_enough(s)) {
    run->phase = CHANCE_IS_DONE;
    return TAULER_OK;
  }
  if (run->sweeps[BUILD_BOUNDS] % WIDTH_SWEEPS == 0) run->width_before = run->width;
  chance_measures measures;
  const tauler_error error = run_sweep(s, CHANCE_BOUNDS, &measures, message);
  run->width = measures.width;
  return error || !measures.refused ? error : fail_on_refusal(s, message);
}

/* Ends CLOSES_ALL if finished slices and bounds are narrow enough, bounds hardly change any more, or too many
 * sweeps were made: sets the next phase and returns true. CLOSES_IN follows if bounds are too wide although
 * play certainly ends and finished slices are narrow enough, because then the bounds converge to each other.
 */
static bool end_closing_if_done(chance_solver *s) {
  chance_run *run = &s->run;
  const double wanted = s->work.job->width;
  const bool near = s->finished_width < wanted && run->width <= s->target;
  if (!near && largest_change(s) > wanted / 4096 && run->sweeps[BUILD_BOUNDS] < MOST_CLOSING) return false;
  const bool goes_on = !near && run->asked && !run->endless && s->finished_width < wanted;
  run->phase = goes_on ? CHANCE_CLOSES_IN : CHANCE_IS_DONE;
  run->width_before = INFINITY;
  return true;
}

static tauler_error narrow_while_changing(chance_solver *s, tauler_message *message) {
  chance_run *run = &s->run;
  if (end_closing_if_done(s)) return TAULER_OK;
  chance_measures measures;
  const tauler_error error = run_sweep(s, CHANCE_BOUNDS, &measures, message);
  memcpy(run->change, measures.change, sizeof run->change);
  run->width = measures.width;
  report_convergence(s, s->work.quantities.list[0].most, run->width, s->target);
  return error || !measures.refused ? error : fail_on_refusal(s, message);
}

static tauler_error run_step(chance_solver *s, tauler_message *message) {
  static tauler_error (*const steps[])(chance_solver * s, tauler_message * message) = {
      [CHANCE_FINDS_POTENTIAL] = find_potential,  [CHANCE_PROVES_POTENTIAL] = prove_potential,
      [CHANCE_ASKS_ENDLESS] = find_endless,       [CHANCE_FINDS_VALUES] = find_values,
      [CHANCE_PROVES_BOUNDS] = prove_bounds,      [CHANCE_CLOSES_IN] = narrow_to_target,
      [CHANCE_CLOSES_ALL] = narrow_while_changing};
  return steps[s->run.phase](s, message);
}

/* A row of sweeps with the same threads. A sweep of some ten thousand positions is so short that starting
 * threads for each sweep would cost too much. */
typedef struct {
  chance_solver *solver;
  bool over;
  tauler_error error;
  tauler_message *message;
} sweep_row;

static void run_worker_steps(void *user, worker *self) {
  sweep_row *now = user;
  chance_solver *s = now->solver;
  if (self->number > 0) {
    for (worker_barrier(self, NULL, NULL); !now->over; worker_barrier(self, NULL, NULL))
      s->engine->help(&s->work, self);
    return;
  }
  s->work.lead = s->engine->help ? self : NULL;
  for (uint64_t left = s->row_sweeps; left > 0 && !now->error && s->run.phase != CHANCE_IS_DONE; left--)
    now->error = run_step(s, now->message);
  s->work.lead = NULL;
  now->over = true;
  worker_barrier(self, NULL, NULL);
}

static tauler_error run_steps_in_row(chance_solver *s, tauler_message *message) {
  sweep_row now = {.solver = s, .message = message};
  workers_run(s->engine->help ? s->engine->threads(&s->work) : 1, run_worker_steps, &now);
  return now.error;
}

/* An array that does not exist is saved as zeros. */
static void list_kept_arrays(chance_solver *s) {
  const chance_work *work = &s->work;
  s->kept.n = 0;
  for (int q = 0; q < work->quantities.used; q++) {
    unit_arrays_append(&s->kept, UNIT_CELLS, work->lower[q], sizeof *work->lower[q]);
    unit_arrays_append(&s->kept, UNIT_CELLS, work->upper[q], sizeof *work->upper[q]);
  }
  unit_arrays_append(&s->kept, UNIT_CELLS, work->potential, sizeof *work->potential);
  unit_arrays_append(&s->kept, UNIT_CELLS, work->endless, sizeof *work->endless);
}

static tauler_error load_kept_arrays(void *user, uint32_t shard, bool is_new, tauler_message *message) {
  chance_solver *s = ((unit_arrays *)user)->owner;
  tauler_error error = TAULER_OK;
  if (is_new && s->run.asking)
    error =
        memory_allocate(s->work.job->job->work.memory, s->work.positions, what, &s->work.endless, message);
  list_kept_arrays(s);
  return error;
}

/* Every rank has the whole slice, so any number of ranks may resume a checkpoint. The identity has the
 * engine's name and the width, so a checkpoint of another engine or width is refused. */
static tauler_error open_checkpointer(chance_solver *s, checkpointer *checkpointer, tauler_message *message) {
  const chance_job *job = s->work.job;
  const tauler_error error = layout_open_items(s->work.slice, s->work.positions, s->work.positions,
                                               CHANCE_KEPT_POSITIONS, &s->layout, message);
  if (error) return error;
  s->kept = (unit_arrays){.layout = s->layout, .owner = s};
  list_kept_arrays(s);
  s->units = unit_arrays_checkpoint_units(&s->kept, &s->run, sizeof s->run);
  s->units.everywhere = true;
  s->units.done = &s->run.reported;
  s->units.load = load_kept_arrays;
  checkpointer_open(checkpointer, job->job, s->work.slice, "chance", &s->units);
  const size_t used = strlen(checkpointer->identity);
  snprintf(checkpointer->identity + used, sizeof checkpointer->identity - used, " %.16s width %a",
           s->engine->name, job->width);
  return TAULER_OK;
}

static tauler_error run_steps(chance_solver *s, tauler_message *message) {
  progress *shown = s->work.job->job->work.shown;
  checkpointer checkpointer;
  bool resumed = false;
  tauler_error error =
      comm_agree(s->work.job->job->work.comm, open_checkpointer(s, &checkpointer, message), message);
  if (!error) error = checkpointer_resume(&checkpointer, &resumed, message);
  if (!error && resumed && shown) progress_add(shown, s->run.reported);
  while (!error && s->run.phase != CHANCE_IS_DONE) {
    error = checkpointer_pause(&checkpointer) ? checkpointer_outcome(&checkpointer, message)
                                              : run_steps_in_row(s, message);
  }
  layout_close(s->layout);
  return error;
}

static tauler_error open_solver(chance_solver *s, tauler_message *message) {
  chance_work *work = &s->work;
  const workspace *of = &work->job->job->work;
  tauler_error error = chance_allocate_bounds(of->memory, what, work->positions, work->quantities.used,
                                              work->lower, work->upper, message);
  if (!error && !has_trivial_start(&work->quantities))
    error = memory_allocate_array(of->memory, work->positions, sizeof *work->potential, what,
                                  &work->potential, message);
  if (!error) error = mail_open(&work->mail, of->comm, of->memory, of->packet_bytes, message);
  if (!error) error = s->engine->open(work, message);
  return comm_agree(of->comm, error, message);
}

tauler_error chance_solve_by(const chance_engine *engine, const chance_job *job, uint32_t slice,
                             chance_slice *out, chance_effort *effort, tauler_message *message) {
  const solve_job *of = job->job;
  chance_effort unseen = {0};
  chance_solver s = {.engine = engine, .effort = effort ? effort : &unseen};
  s.work = (chance_work){
      .job = job, .slice = slice, .positions = of->problem.game->positions(of->problem.rules, slice)};
  of->problem.game->chance->quantities(of->problem.rules, slice, &s.work.quantities);
  *s.effort = (chance_effort){0};
  s.finished_width = chance_finished_width(job);
  s.row_sweeps = s.work.positions < FEW ? 1 : 1 + VISITS / s.work.positions;
  /* A slice uses a quarter of the width that earlier slices have left, so that some is left for later slices.
   */
  s.target = s.finished_width < job->width ? s.finished_width + (job->width - s.finished_width) / 4
                                           : s.finished_width;
  tauler_error error = open_solver(&s, message);
  if (!error && has_trivial_start(&s.work.quantities)) s.run.phase = CHANCE_ASKS_ENDLESS;
  if (!error) error = run_steps(&s, message);
  engine->close(&s.work);
  memory_free(of->work.memory, s.work.endless);
  memory_free(of->work.memory, s.work.potential);
  mail_close(&s.work.mail);
  if (!error) report_part(&s, 1);
  s.effort->longest = s.run.longest;
  s.effort->shown = s.run.reported;
  chance_slice solved = {.slice = slice,
                         .positions = s.work.positions,
                         .quantities = s.work.quantities.used,
                         .width = s.run.width,
                         .endless = s.run.endless};
  memcpy(solved.lower, s.work.lower, sizeof solved.lower);
  memcpy(solved.upper, s.work.upper, sizeof solved.upper);
  if (error)
    chance_slice_free(of->work.memory, &solved);
  else
    *out = solved;
  return error;
}

static const chance_engine *choose_engine(const solve_job *job, uint32_t slice) {
  return chance_strips_serve(&job->problem, slice) ? &chance_strips : &chance_general;
}

tauler_error chance_solve(const chance_job *job, uint32_t slice, chance_slice *out, chance_effort *effort,
                          tauler_message *message) {
  return chance_solve_by(choose_engine(job->job, slice), job, slice, out, effort, message);
}

uint64_t chance_solve_bytes(const solve_job *job, uint32_t slice) {
  const chance_engine *engine = choose_engine(job, slice);
  chance_quantities quantities;
  job->problem.game->chance->quantities(job->problem.rules, slice, &quantities);
  const uint64_t bounds = 2 * (uint64_t)quantities.used * sizeof(double), endless = 1;
  const uint64_t each = bounds + endless + (has_trivial_start(&quantities) ? 0 : sizeof(float));
  return job->problem.game->positions(job->problem.rules, slice) * each +
         mail_bytes(comm_ranks(job->work.comm), job->work.packet_bytes) + engine->bytes(job, slice);
}
