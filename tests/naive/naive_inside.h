/* Parts shared by the naive solvers; their users need none of them. */
#ifndef NAIVE_INSIDE_H
#define NAIVE_INSIDE_H

#include "naive_memory.h"
#include "naive_solve.h"

/* A guarantee of so many seeds that is looked for. A side is the mover of a board, or the opponent: `other`.
 */
typedef struct {
  const naive_layer *layer;
  const naive_bounds *solved; /* all layers. Those with fewer seeds are final */
  int threshold;
} naive_goal;

/* Whether a quiet move to a board of the layer is good for the side, which is `other` there or is not. */
typedef bool naive_quiet(const void *user, int child, bool other);

/* Whether the side gets there from a board by one move: its own best one, or whichever the other side makes.
 */
bool naive_forces(const naive_goal *goal, int rank, bool other, naive_quiet *quiet, const void *user);

/* The own-row bounds of one layer, from what is guaranteed in the smaller ones. */
void naive_solve_own_row_layer(const naive_layer *layer, naive_bounds *bounds);

#endif
