/* The engine for rules under which the first repetition ends play and pays what the position says
 * (game->repeated): bounds for a fresh history, that is right after a converting move.
 *
 * For a side and a threshold t, X grows from nothing: positions from which the side forces X or an end worth
 * t or more in one move; and whole regions Z of positions that pay the side t or more if they repeat, in
 * which it can keep play or leave it for X only. Whoever follows that from a position of X gets t, whatever
 * the other does; why, and for which histories, is in docs/proofs.md, "Own row". The cells are those of one
 * least fixpoint over greatest ones, and rounds are the same whoever works, so neither cells nor stages
 * depend on the number of threads, ranks or shards.
 *
 * A slice has one shard per rank, all of them in memory. Works with expand and retract; a position may have
 * up to 31 quiet moves.
 */
#ifndef SOLVER_ENGINES_REPETITION_OWN_ROW_H
#define SOLVER_ENGINES_REPETITION_OWN_ROW_H

#include "solver/engines/solve.h"

/* As solve_slice, of a game with `repeated` and `retract`: lower and upper net bounds, into a slice that
 * ranges_open has opened. With `stages`, fills the depths with the stage of each of the two
 * guarantees: for t or more, the side forces a position with a greater guarantee, or an equal one and a
 * smaller stage, or an end worth t; or it keeps play in stages up to its own, on a position that pays it t.
 * SOLVE_NO_DEPTH where nothing is guaranteed. */
tauler_error own_row_solve(const solve_job *job, bool stages, sharded_slice *slice, tauler_message *message);
/* Bytes that it takes at most beyond the finished slices, the solved cells included. */
uint64_t own_row_bytes(const solve_job *job, uint32_t slice, bool stages, uint32_t shards);

#endif
