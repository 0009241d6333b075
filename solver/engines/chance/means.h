/* Private to the solver: what is to be expected of a position, from its links.
 *
 * Sums run roll by roll to nearest and are then moved outward by more than twice what rounding can have done
 * to them; all summands are ≥ 0, so the margin is a fraction of the sum. docs/proofs.md has the bound.
 */
#ifndef SOLVER_ENGINES_CHANCE_MEANS_H
#define SOLVER_ENGINES_CHANCE_MEANS_H

#include "solver/engines/chance/edges.h"

typedef enum { MEAN_OF_MIDDLES, MEAN_OF_LOWER, MEAN_OF_UPPER } chance_side;

typedef struct {
  const chance_work *work;
  int quantities, seats;
  uint64_t rolls;
  double weight[CHANCE_MOST_ROLLS], weights; /* each, and their sum */
  double gain[CHANCE_MOST_GAINS][CHANCE_MOST_QUANTITIES];
  double margin; /* fraction of a sum */
} chance_means;

void chance_means_open(chance_means *means, const chance_work *work);
/* The fraction by which a sum over so many rolls is moved. */
double chance_means_margin(uint64_t rolls);

/* The links of the next position of n that begin at `link`. */
size_t chance_means_span(const chance_link *link);

/* T x of all quantities, to nearest; MIDDLES reads work->lower in this slice. */
void chance_means_of(const chance_means *means, const chance_link *link, chance_side side,
                     double out[CHANCE_MOST_QUANTITIES]);
/* 1 + the mean of the greatest potentials, 0 without edges; to nearest. */
double chance_means_potential(const chance_means *means, const chance_link *link);
/* True if under every roll a choice leads to an endless position. */
bool chance_means_endless(const chance_means *means, const chance_link *link);

double chance_round_down(const chance_means *means, double mean);
double chance_round_up(const chance_means *means, double mean);

#endif
