/* Computes the expectation of a position from its edges, and rounds it down or up. */
#include "solver/engines/chance/means.h"

#include <float.h>
#include <math.h>

/* With u for half an epsilon: a sum of n products, to which gains and values are added and which is then
 * divided, is wrong by at most (n + 3) u of it and a little more in second order. */
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

static inline double worth(const chance_means *means, const chance_link *link, int quantity,
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

static inline double divided(const chance_means *means, double sum) {
  const double mean = sum / means->weights;
  return mean == 0 && sum > 0 ? DBL_MIN : mean;
}

/* The mean of one quantity, with choices. */
static double chosen_mean(const chance_means *means, const chance_link *link, chance_side side) {
  double sum = 0;
  for (bool last = false; !last; link++) {
    const uint8_t roll = link->roll;
    double best = worth(means, link, 0, side);
    while (!(link->flags & LINK_LAST) && link[1].roll == roll) {
      const double other = worth(means, ++link, 0, side);
      if (link->flags & LINK_RAISES ? other > best : other < best) best = other;
    }
    sum += means->weight[roll] * best;
    last = link->flags & LINK_LAST;
  }
  return divided(means, sum);
}

static void means_of_all(const chance_means *means, const chance_link *link, chance_side side, double *out) {
  double sum[CHANCE_MOST_QUANTITIES] = {0};
  for (bool last = false; !last; link++) {
    const double weight = means->weight[link->roll];
    for (int q = 0; q < means->quantities; q++) sum[q] += weight * worth(means, link, q, side);
    last = link->flags & LINK_LAST;
  }
  for (int q = 0; q < means->quantities; q++) out[q] = divided(means, sum[q]);
}

void chance_means_of(const chance_means *means, const chance_link *link, chance_side side,
                     double out[CHANCE_MOST_QUANTITIES]) {
  if (link->roll == LINK_NONE || link->roll == LINK_CERTAIN) {
    for (int q = 0; q < means->quantities; q++)
      out[q] = link->roll == LINK_NONE ? 0 : worth(means, link, q, side);
  } else if (means->quantities == 1) {
    out[0] = chosen_mean(means, link, side);
  } else {
    means_of_all(means, link, side, out);
  }
}

static double potential_of(const chance_means *means, const chance_link *link) {
  return link->slice == means->work->slice ? (double)means->work->potential[link->to] : 0;
}

double chance_means_potential(const chance_means *means, const chance_link *link) {
  if (link->roll == LINK_NONE) return 0;
  if (link->roll == LINK_CERTAIN) return 1 + potential_of(means, link);
  double sum = 0;
  for (bool last = false; !last; link++) {
    const uint8_t roll = link->roll;
    double most = potential_of(means, link);
    while (!(link->flags & LINK_LAST) && link[1].roll == roll) most = fmax(most, potential_of(means, ++link));
    sum += means->weight[roll] * most;
    last = link->flags & LINK_LAST;
  }
  return 1 + sum / means->weights;
}

static bool leads_on(const chance_means *means, const chance_link *link) {
  return link->slice == means->work->slice && means->work->endless[link->to];
}

bool chance_means_endless(const chance_means *means, const chance_link *link) {
  if (link->roll == LINK_NONE) return false;
  for (bool last = false; !last; link++) {
    const uint8_t roll = link->roll;
    bool on = leads_on(means, link);
    while (!(link->flags & LINK_LAST) && link[1].roll == roll) on = leads_on(means, ++link) || on;
    if (!on) return false;
    last = link->flags & LINK_LAST;
  }
  return true;
}

/* A sum may be too small to be rounded in proportion, so the margin also has the least normal double. */
double chance_round_down(const chance_means *means, double mean) {
  if (isinf(mean)) return mean;
  return fmax(mean * (1 - means->margin) - DBL_MIN, 0);
}

double chance_round_up(const chance_means *means, double mean) {
  return mean == 0 ? 0 : mean * (1 + means->margin) + DBL_MIN;
}
