/* Computes the expectation of a position from its edges, and rounds it down or up. */
#include "solver/engines/chance/means.h"

#include <float.h>
#include <math.h>

/* Let u be half of DBL_EPSILON. A sum of n products weight · (gain + value), divided by the sum of the
 * weights, has a relative error of at most (n + 3) u and a little more in second order. */
double chance_means_margin(uint64_t rolls) {
  return (double)(rolls + 6) * DBL_EPSILON;
}

void chance_means_open(chance_means *means, const chance_work *work) {
  const solve_job *job = work->job->job;
  const chance_roll *rolls;
  const chance_gain(*rows)[CHANCE_MOST_QUANTITIES];
  *means = (chance_means){.work = work, .quantities = work->quantities.used, .seats = work->quantities.seats};
  means->rolls = job->problem.game->chance->rolls(job->problem.rules, &rolls);
  for (uint64_t r = 0; r < means->rolls; r++) {
    means->weight[r] = rolls[r].weight;
    means->weights += rolls[r].weight;
  }
  const size_t gains = job->problem.game->chance->gains(job->problem.rules, work->slice, &rows);
  for (size_t g = 0; g < gains; g++)
    for (int q = 0; q < means->quantities; q++)
      means->gain[g][q] = (double)rows[g][q].numerator / rows[g][q].denominator;
  means->margin = chance_means_margin(means->rolls);
}

size_t chance_means_span(const chance_link *link) {
  size_t n = 1;
  while (!(link[n - 1].flags & LINK_LAST)) n++;
  return n;
}

static double finished_value(const chance_slice *slice, uint64_t index, int quantity, chance_side side) {
  const double lower = slice->lower[quantity][index], upper = slice->upper[quantity][index];
  if (side == MEAN_OF_LOWER) return lower;
  if (side == MEAN_OF_UPPER) return upper;
  return (lower + upper) / 2;
}

static inline double link_value(const chance_means *means, const chance_link *link, int quantity,
                                chance_side side) {
  const chance_work *work = means->work;
  const double gain = means->gain[link->gain][quantity];
  if (link->slice == GAME_OVER) return gain;
  int place = quantity;
  if (link->turn && quantity < means->seats) {
    place -= link->turn;
    if (place < 0) place += means->seats;
  }
  if (link->slice == work->slice)
    return gain + (side == MEAN_OF_UPPER ? work->upper : work->lower)[place][link->to];
  return gain + finished_value(&work->job->finished->list[link->slice], link->to, place, side);
}

static inline double divide_by_weights(const chance_means *means, double sum) {
  const double mean = sum / means->weights;
  return mean == 0 && sum > 0 ? DBL_MIN : mean;
}

static double mean_of_best(const chance_means *means, const chance_link *link, chance_side side) {
  double sum = 0;
  for (bool last = false; !last; link++) {
    const uint8_t roll = link->roll;
    double best = link_value(means, link, 0, side);
    while (!(link->flags & LINK_LAST) && link[1].roll == roll) {
      const double other = link_value(means, ++link, 0, side);
      if (link->flags & LINK_RAISES ? other > best : other < best) best = other;
    }
    sum += means->weight[roll] * best;
    last = link->flags & LINK_LAST;
  }
  return divide_by_weights(means, sum);
}

static void mean_of_quantities(const chance_means *means, const chance_link *link, chance_side side,
                               double *out) {
  double sum[CHANCE_MOST_QUANTITIES] = {0};
  for (bool last = false; !last; link++) {
    const double weight = means->weight[link->roll];
    for (int q = 0; q < means->quantities; q++) sum[q] += weight * link_value(means, link, q, side);
    last = link->flags & LINK_LAST;
  }
  for (int q = 0; q < means->quantities; q++) out[q] = divide_by_weights(means, sum[q]);
}

void chance_means_of(const chance_means *means, const chance_link *link, chance_side side,
                     double out[CHANCE_MOST_QUANTITIES]) {
  if (link->roll == LINK_NONE || link->roll == LINK_CERTAIN) {
    for (int q = 0; q < means->quantities; q++)
      out[q] = link->roll == LINK_NONE ? 0 : link_value(means, link, q, side);
  } else if (means->quantities == 1) {
    out[0] = mean_of_best(means, link, side);
  } else {
    mean_of_quantities(means, link, side, out);
  }
}

static double link_potential(const chance_means *means, const chance_link *link) {
  return link->slice == means->work->slice ? (double)means->work->potential[link->to] : 0;
}

double chance_means_potential(const chance_means *means, const chance_link *link) {
  if (link->roll == LINK_NONE) return 0;
  if (link->roll == LINK_CERTAIN) return 1 + link_potential(means, link);
  double sum = 0;
  for (bool last = false; !last; link++) {
    const uint8_t roll = link->roll;
    double most = link_potential(means, link);
    while (!(link->flags & LINK_LAST) && link[1].roll == roll)
      most = fmax(most, link_potential(means, ++link));
    sum += means->weight[roll] * most;
    last = link->flags & LINK_LAST;
  }
  return 1 + sum / means->weights;
}

static bool leads_to_endless(const chance_means *means, const chance_link *link) {
  return link->slice == means->work->slice && means->work->endless[link->to];
}

bool chance_means_endless(const chance_means *means, const chance_link *link) {
  if (link->roll == LINK_NONE) return false;
  for (bool last = false; !last; link++) {
    const uint8_t roll = link->roll;
    bool on = leads_to_endless(means, link);
    while (!(link->flags & LINK_LAST) && link[1].roll == roll) on = leads_to_endless(means, ++link) || on;
    if (!on) return false;
    last = link->flags & LINK_LAST;
  }
  return true;
}

/* The least normal double is added to the margin, because the error of a very small sum is not in proportion
 * to the sum. */
double chance_round_down(const chance_means *means, double mean) {
  if (isinf(mean)) return mean;
  return fmax(mean * (1 - means->margin) - DBL_MIN, 0);
}

double chance_round_up(const chance_means *means, double mean) {
  return mean == 0 ? 0 : mean * (1 + means->margin) + DBL_MIN;
}
