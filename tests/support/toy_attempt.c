#include "tests/support/toy_attempt.h"

#include <math.h>

#include "tests/support/suite.h"
#include "tests/support/toy_store.h"

static void attempt_free(void *thing) {
  toy_attempt *a = thing;
  for (int s = 0; s < TOY_ODDS_SLICES; s++) chance_slice_free(&a->memory, &a->list[s]);
  EXPECT(memory_allocated(&a->memory) == 0, "memory is not given back");
  free(a);
}

toy_attempt *toy_attempt_new(const toy_odds *toy, double width, int threads, comm *comm, uint64_t room) {
  toy_attempt *a = calloc(1, sizeof *a);
  ck_assert_ptr_nonnull(a);
  memory_budget_open(&a->memory, room);
  a->toy = toy;
  a->of = toy_job(&toy->game, toy->rules, threads, &a->memory);
  a->of.work.comm = comm;
  a->finished = (chance_slices){a->list, TOY_ODDS_SLICES};
  a->job = (chance_job){&a->of, &a->finished, width};
  suite_own(a, attempt_free);
  return a;
}

tauler_error toy_attempt_solve(toy_attempt *a) {
  for (uint32_t s = 0; s < a->toy->slices && !a->error; s++)
    a->error = a->engine ? chance_solve_by(a->engine, &a->job, s, &a->list[s], &a->effort[s], &a->message)
                         : chance_solve(&a->job, s, &a->list[s], &a->effort[s], &a->message);
  return a->error;
}

void toy_attempt_solve_well(toy_attempt *a) {
  EXPECT(toy_attempt_solve(a) == TAULER_OK, "%s", a->message.text);
}

/* T of one quantity of a position, in long double. */
static long double mean_of(const toy_attempt *a, uint32_t s, uint64_t i, int q, bool upper) {
  const toy_odds *toy = a->toy;
  const toy_odds_slice *slice = &toy->slice[s];
  long double sum = 0, weights = 0;
  for (uint64_t e = slice->first[i]; e < slice->first[i + 1];) {
    const uint16_t roll = slice->edges[e].roll;
    const long double weight = roll == CHANCE_CERTAIN ? 1 : toy->roll[roll].weight;
    long double best = 0;
    for (bool first = true; e < slice->first[i + 1] && slice->edges[e].roll == roll; e++, first = false) {
      const chance_edge *edge = &slice->edges[e];
      const chance_gain gain = toy->rows[edge->gain][q];
      long double worth = (long double)gain.numerator / gain.denominator;
      const int seats = toy->quantities.seats;
      const int place = q < seats ? (q + seats - edge->turn) % seats : q;
      if (edge->to.slice != GAME_OVER) {
        const chance_slice *to = &a->list[edge->to.slice];
        worth += (long double)(upper ? to->upper : to->lower)[place][edge->to.index];
      }
      if (first || (slice->aim[i] > 0 ? worth > best : worth < best)) best = worth;
    }
    sum += weight * best;
    weights += weight;
  }
  return weights == 0 ? 0 : sum / weights;
}

void toy_attempt_assert_proven(const toy_attempt *a, uint32_t s) {
  const chance_slice *slice = &a->list[s];
  for (int q = 0; q < slice->quantities; q++) {
    const double most = a->toy->quantities.list[q].most;
    for (uint64_t i = 0; i < slice->positions; i++) {
      const double lower = slice->lower[q][i], upper = slice->upper[q][i];
      EXPECT(lower >= 0 && lower <= upper && upper <= most, "bounds %g %g", lower, upper);
      EXPECT((long double)lower <= mean_of(a, s, i, q, false), "slice %u, %u: lower", s, (unsigned)i);
      EXPECT(upper == most || (long double)upper >= mean_of(a, s, i, q, true), "slice %u, %u: upper", s,
             (unsigned)i);
      EXPECT(upper - lower <= slice->width || upper == lower, "wider than said");
    }
  }
}

/* The error of the slow definition by its own words: 1e-16 of a value in each sweep. */
static void assert_values_hold(const toy_attempt *a, long double *const low[], long double *const high[]) {
  for (uint32_t s = 0; s < a->toy->slices; s++) {
    const chance_slice *slice = &a->list[s];
    for (uint64_t i = 0; i < slice->positions; i++)
      for (int q = 0; q < slice->quantities; q++) {
        const uint64_t at = i * (uint64_t)slice->quantities + (uint64_t)q;
        const long double slow = 1e-13L * (1 + high[s][at]);
        EXPECT((long double)slice->lower[q][i] <= low[s][at] + slow,
               "slice %u, %u: lower %.17g, value %.17Lg", s, (unsigned)i, slice->lower[q][i], low[s][at]);
        EXPECT((long double)slice->upper[q][i] >= high[s][at] - slow,
               "slice %u, %u: upper %.17g, value %.17Lg", s, (unsigned)i, slice->upper[q][i], high[s][at]);
      }
  }
}

void toy_attempt_assert_hold(const toy_attempt *a) {
  long double *values[TOY_ODDS_SLICES];
  toy_odds_settle(a->toy, 0, values);
  for (uint32_t s = 0; s < a->toy->slices; s++) toy_attempt_assert_proven(a, s);
  assert_values_hold(a, values, values);
}

static tauler_error watched_sweep(chance_work *work, chance_step step, chance_measures *out,
                                  tauler_message *message) {
  if (step != CHANCE_BOUNDS) return chance_general.sweep(work, step, out, message);
  const int used = work->quantities.used;
  const size_t bytes = work->positions * sizeof(double);
  double *before[2][CHANCE_MOST_QUANTITIES];
  for (int q = 0; q < used; q++) {
    before[0][q] = memcpy(malloc(bytes + 1), work->lower[q], bytes);
    before[1][q] = memcpy(malloc(bytes + 1), work->upper[q], bytes);
  }
  const tauler_error error = chance_general.sweep(work, step, out, message);
  double change = 0, width = 0;
  for (int q = 0; q < used; q++) {
    for (uint64_t i = 0; i < work->positions; i++) {
      const double low = work->lower[q][i], high = work->upper[q][i];
      EXPECT(low >= before[0][q][i] && high <= before[1][q][i] && low <= high, "bounds do not close in");
      if (low > before[0][q][i]) change = fmax(change, low - before[0][q][i]);
      if (high < before[1][q][i]) change = fmax(change, before[1][q][i] - high);
      width = fmax(width, high - low);
    }
    free(before[0][q]);
    free(before[1][q]);
  }
  double said = 0;
  for (int q = 0; q < used; q++) said = fmax(said, out->change[q]);
  EXPECT(said == change && out->width == width, "a round says %g %g, not %g %g", said, out->width, change,
         width);
  return error;
}

chance_engine toy_attempt_watch(void) {
  chance_engine engine = chance_general;
  engine.name = "watched";
  engine.sweep = watched_sweep;
  return engine;
}

void toy_attempt_assert_same(const toy_attempt *a, const toy_attempt *b, const char *how) {
  for (uint32_t s = 0; s < a->toy->slices; s++) {
    const chance_slice *one = &a->list[s], *other = &b->list[s];
    EXPECT(one->width == other->width && one->endless == other->endless, "%s: another width", how);
    for (int q = 0; q < one->quantities; q++) {
      const size_t bytes = one->positions * sizeof(double);
      EXPECT(memcmp(one->lower[q], other->lower[q], bytes) == 0 &&
                 memcmp(one->upper[q], other->upper[q], bytes) == 0,
             "%s: other cells in slice %u", how, s);
    }
  }
}
