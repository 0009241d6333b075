/* Scores of la oca asesina in every position that play from the start can lead to, by plain sweeps. */
#ifndef NAIVE_ASESINA_SOLVE_H
#define NAIVE_ASESINA_SOLVE_H

#include "naive_asesina.h"

enum { NAIVE_ASE_MOST_SOLVED = 3 /* players */, NAIVE_ASE_MOST_POSITIONS = 2000000 };

typedef struct naive_ase_world naive_ase_world;

/* A draw among m is worth 1/m to each. With two players seat 1 raises its score and seat 2 lowers it; each of
 * three has one token, and nothing to choose, or one of them raises its score and the others lower it; the
 * other two scores mean nothing then. `endless` is what a game without end is worth to each: where 0
 * and 1 come to the same scores, no play is endless. NULL if there are too many
 * players or tokens. */
naive_ase_world *naive_ase_solve(const naive_ase_game *game, double endless);
/* The same, with these positions and all that play from them can lead to. */
naive_ase_world *naive_ase_solve_with(const naive_ase_game *game, const naive_ase_position *more, int count,
                                      double endless);
/* The positions alone, which have no scores. NULL as above. */
naive_ase_world *naive_ase_reach(const naive_ase_game *game);

/* Numbers 0 ... count - 1; 0 is the start. */
int naive_ase_positions(const naive_ase_world *world);
naive_ase_position naive_ase_position_of(const naive_ase_world *world, int number);
/* -1: play does not lead there. */
int naive_ase_number_of(const naive_ase_world *world, const naive_ase_position *position);
long double naive_ase_score(const naive_ase_world *world, int number, int seat);

#endif
