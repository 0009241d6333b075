/* Computes the expectation of a position from its links. Private to the solver.
 *
 * Sums add rolls one by one, rounded to nearest. They are then moved outward by more than twice the error
 * that rounding can have made. All summands are ≥ 0, so the margin is a fraction of the sum. docs/proofs.md
 * has the bound.
 */
#ifndef SOLVER_ENGINES_CHANCE_MEANS_H
#define SOLVER_ENGINES_CHANCE_MEANS_H

#include "solver/engines/chance/edges.h"

typedef enum { MEAN_OF_MIDDLES, MEAN_OF_LOWER, MEAN_OF_UPPER } chance_side;

typedef struct {
  const chance_work *work;
  int quantities, seats;
  uint64_t rolls;
  double weight[CHANCE_MOST_ROLLS], weights; /* weight of each roll, and their sum */
  double gain[CHANCE_MOST_GAINS][CHANCE_MOST_QUANTITIES];
  double margin; /* fraction of a sum */
} chance_means;

void chance_means_open(chance_means *means, const chance_work *work);
/* The fraction of a sum over so many rolls by which it is moved. */
double chance_means_margin(uint64_t rolls);

/* The number of links of the position whose first link is `link`. */
size_t chance_means_span(const chance_link *link);

/* T x of all quantities, rounded to nearest. MEAN_OF_MIDDLES reads work->lower in this slice. */
void chance_means_of(const chance_means *means, const chance_link *link, chance_side side,
                     double out[CHANCE_MOST_QUANTITIES]);
/* 1 + the mean over rolls of the greatest potential of a child, rounded to nearest; 0 without edges. */
double chance_means_potential(const chance_means *means, const chance_link *link);
/* True if under every roll some choice leads to an endless position. */
bool chance_means_endless(const chance_means *means, const chance_link *link);

double chance_round_down(const chance_means *means, double mean);
double chance_round_up(const chance_means *means, double mean);

#endif
