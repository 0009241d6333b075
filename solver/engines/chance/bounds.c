/* Allocates bounds, computes them from values and potentials, sets the bounds from which sweeps start, and
 * combines the measures of workers and ranks. */
#include <math.h>
#include <string.h>

#include "parallel/comm.h"
#include "solver/engines/chance/sweeps.h"

tauler_error chance_allocate_bounds(memory_budget *memory, const char *what, uint64_t positions,
                                    int quantities, double *lower[], double *upper[],
                                    tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int q = 0; q < quantities && !error; q++) {
    error = memory_allocate_array(memory, positions, sizeof(double), what, &lower[q], message);
    if (!error) error = memory_allocate_array(memory, positions, sizeof(double), what, &upper[q], message);
  }
  return error;
}

void chance_slice_free(memory_budget *memory, chance_slice *slice) {
  for (int q = 0; q < CHANCE_MOST_QUANTITIES; q++) {
    memory_free(memory, slice->lower[q]);
    memory_free(memory, slice->upper[q]);
    slice->lower[q] = slice->upper[q] = NULL;
  }
}

double chance_finished_width(const chance_job *job) {
  double width = 0;
  for (uint32_t s = 0; job->finished && s < job->finished->room; s++) {
    const chance_slice *slice = &job->finished->list[s];
    if (slice->lower[0] && !(slice->width <= width)) width = slice->width;
  }
  return width;
}

double chance_largest_potential(const chance_work *work) {
  float longest = 0;
  for (uint64_t i = 0; i < work->positions; i++)
    longest = work->potential[i] > longest ? work->potential[i] : longest;
  return (double)longest;
}

double chance_largest_value(const chance_work *work, int quantity) {
  const double *values = work->lower[quantity];
  double largest = 0;
  for (uint64_t i = 0; i < work->positions; i++) largest = values[i] > largest ? values[i] : largest;
  return largest;
}

/* If T h ≤ h + r, where T h is 1 + the mean of h, then T (k·h) ≤ k·h + 1 − k·(1 − r). For r = 1/3 and k = 3/2
 * this is at most k·h. The factor is larger because floats are rounded. */
void chance_raise_potential(chance_work *work) {
  for (uint64_t i = 0; i < work->positions; i++) work->potential[i] *= 1.75F;
}

void chance_make_bounds(chance_work *work, int quantity, double epsilon, double shift) {
  double *lower = work->lower[quantity], *upper = work->upper[quantity];
  const double most = work->quantities.list[quantity].most;
  for (uint64_t i = 0; i < work->positions; i++) {
    const double value = lower[i], margin = epsilon * (double)work->potential[i] + shift;
    lower[i] = fmin(fmax(value - margin, 0), most);
    upper[i] = fmin(fmax(value + margin, 0), most);
  }
}

void chance_set_trivial_bounds(chance_work *work) {
  for (int q = 0; q < work->quantities.used; q++) {
    const double most = work->quantities.list[q].most;
    for (uint64_t i = 0; i < work->positions; i++) {
      work->lower[q][i] = 0;
      work->upper[q][i] = most;
    }
  }
}

void chance_set_middles(chance_work *work) {
  for (int q = 0; q < work->quantities.used; q++)
    for (uint64_t i = 0; i < work->positions; i++)
      work->lower[q][i] = (work->lower[q][i] + work->upper[q][i]) / 2;
}

void chance_measures_add(chance_measures *total, const chance_measures *part) {
  for (int q = 0; q < CHANCE_MOST_QUANTITIES; q++) chance_raise_to(&total->change[q], part->change[q]);
  chance_raise_to(&total->width, part->width);
  total->refused += part->refused;
}

/* Doubles that are not negative have the same order as their bits, so COMM_MAX of the bits finds the largest.
 */
tauler_error chance_measures_combine(chance_work *work, tauler_error error, chance_measures *measures,
                                     tauler_message *message) {
  enum { WIDTH = CHANCE_MOST_QUANTITIES, REFUSED, FAILED, NUMBERS };
  comm *comm = work->job->job->work.comm;
  uint64_t most[NUMBERS] = {[REFUSED] = measures->refused, [FAILED] = error != TAULER_OK};
  memcpy(most, measures->change, sizeof measures->change);
  memcpy(&most[WIDTH], &measures->width, sizeof measures->width);
  const tauler_error lost = comm_allreduce(comm, COMM_MAX, most, NUMBERS, error ? NULL : message);
  if (lost || most[FAILED]) return lost && !error ? lost : comm_agree(comm, error, message);
  memcpy(measures->change, most, sizeof measures->change);
  memcpy(&measures->width, &most[WIDTH], sizeof measures->width);
  measures->refused = most[REFUSED];
  return TAULER_OK;
}
