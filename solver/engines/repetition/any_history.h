/* The engine for guarantees that hold whatever positions were met before, where the first repetition ends
 * play and pays what the position says (game->repeated, game->fresh_cycles).
 *
 * For a side and a threshold t, Y is the greatest set of positions that pay the side t or more if they
 * repeat, and from each of which it forces, in one move, a position of Y, or a worth of t by a conversion or
 * an end. Whoever can reach Y in one move, or such a worth, has t on every history; README.md, "Every
 * history", says why, and that no more can be had. One greatest fixpoint, so the cells do not depend on the
 * number of threads or on the order of work.
 *
 * Slices are solved whole, each beside the finished smaller ones of game->fresh_cycles; those solved here do
 * not need each other. Works with expand and retract; a position may have up to 31 quiet moves.
 */
#ifndef SOLVER_ENGINES_REPETITION_ANY_HISTORY_H
#define SOLVER_ENGINES_REPETITION_ANY_HISTORY_H

#include "solver/engines/solve.h"

/* As solve_slice: lower and upper net bounds. There are no depths: every guarantee is made good by the next
 * move, or kept. */
tauler_error own_row_any_solve(const solve_job *job, uint32_t slice, solved_slice *out,
                               tauler_message *message);

/* Bytes that it takes at most beyond the finished slices, the solved cells included. */
uint64_t own_row_any_solve_bytes(const solve_job *job, uint32_t slice);

#endif
