/* Parts shared by the naive solvers; their users need none of them. */
#ifndef NAIVE_INSIDE_H
#define NAIVE_INSIDE_H

#include "naive_memory.h"
#include "naive_solve.h"

/* Whether a move's gain is made good at most `plies` plies after it. A capture does so at once: play leaves
 * the layer. So does a move that ends the game, as the depth of an ended board is 0. */
bool naive_done_within(naive_edge edge, const int *depth, int plies);

/* The own-row bounds of one layer, from what is guaranteed in the smaller ones. */
void naive_solve_own_row_layer(const naive_layer *layer, naive_bounds *bounds);

#endif
