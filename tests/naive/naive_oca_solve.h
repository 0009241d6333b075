/* Expected quantities of every position of the juego de la oca with one or two players, by plain sweeps. */
#ifndef NAIVE_OCA_SOLVE_H
#define NAIVE_OCA_SOLVE_H

#include "naive_oca.h"

enum { NAIVE_OCA_MOST_SOLVED = 2 /* players */ };

typedef struct naive_oca_world naive_oca_world;

/* To the end. A single player's game ends in the well, which nobody wins. */
typedef struct {
  long double win[NAIVE_OCA_MOST_SOLVED], turns, rolls;
} naive_oca_worth;

/* NULL if there are more players than that. Two take a second. */
naive_oca_world *naive_oca_solve(const naive_oca_rules *rules, int players);

/* Numbers 0 ... count - 1 are all positions. */
int naive_oca_positions(const naive_oca_world *world);
naive_oca_position naive_oca_position_of(const naive_oca_world *world, int number);
/* Of a position under these rules. */
naive_oca_worth naive_oca_worth_of(const naive_oca_world *world, const naive_oca_position *position);

#endif
