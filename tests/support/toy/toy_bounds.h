/* Bounds of a tiny game of chance (tests/support/toy/toy_ways.h) and a plain reckoning of what its moves
 * allow, in numbers of 113 bits, beside which the proof check is held. */
#ifndef TOY_BOUNDS_H
#define TOY_BOUNDS_H

#include "analysis/verify/verify_chance.h"
#include "tests/support/toy/toy_ways.h"

/* No bound is less but 0. */
#define TOY_BOUNDS_TINY 0x1p-40

typedef struct {
  toy_ways *toy;
  chance_cells cells[TOY_WAYS_SLICES];
  memory_budget budget;
} toy_bounds;

toy_bounds *toy_bounds_new(toy_ways *toy); /* all 0, freed before the toy */
double *toy_bounds_cell(const toy_bounds *t, const toy_node *node, int kind, int q);
void toy_bounds_set(toy_bounds *t, double lower, double upper); /* all of them */

/* 113 bits, in which sums of bounds are exact; where the compiler has no such type of its own, long double
 * has them. */
#ifdef __SIZEOF_FLOAT128__
typedef __float128 toy_wide;
#else
typedef long double toy_wide;
#endif

/* Follows a way to a node with an index, or the end: what it is worth, times a number that all have in
 * common. */
toy_wide toy_bounds_worth(const toy_bounds *t, const toy_way *way, int kind, int q, int *to);

/* The best of the ways from `i` on that have its roll; *next is behind them. */
toy_wide toy_bounds_best(const toy_bounds *t, const toy_node *node, int i, int kind, int q, int *next);

/* Whether the bound is not beyond what the other bounds make of the moves. */
bool toy_bounds_possible(const toy_bounds *t, const toy_node *node, int kind, int q, double bound);
bool toy_bounds_allowed(const toy_bounds *t, const toy_node *node, int kind, int q, double bound);

/* The nearest bound that the moves allow, none so small that 113 bits cannot hold a sum with it. */
double toy_bounds_by_moves(const toy_bounds *t, const toy_node *node, int kind, int q);

/* Every bound becomes what its moves make of it, again and again; with `only_worse`, never better than it is.
 * False: there was no end to it. */
bool toy_bounds_settle(toy_bounds *t, bool only_worse);

#endif
