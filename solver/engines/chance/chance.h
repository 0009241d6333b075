/* Solving games of chance and choice: every quantity of every position of one slice, between two certified
 * bounds.
 *
 * chance_solve works in three steps. Potential: an upper bound h of the turns left however anybody plays,
 * which is finite only where play ends for certain. Values: sweeps over all positions until they hardly move.
 * Bounds: value ∓ ε·h, and a sweep that proves them: where no lower bound is above what its children's lower
 * bounds make of it, rounded down, and no upper one below, both are bounds (docs/proofs.md has the proof).
 * Then they only close in on each other. In games with choices, or where play need not end, bounds start from
 * 0 and `most` instead: what is endless counts as these.
 *
 * Cells belong to the caller, who gives them back with chance_slice_free; finished slices are read only. The
 * cells are the same, bit by bit, for any number of threads and ranks. One job is driven by one thread, which
 * starts the others.
 */
#ifndef SOLVER_ENGINES_CHANCE_CHANCE_H
#define SOLVER_ENGINES_CHANCE_CHANCE_H

#include "games/game_chance.h"
#include "solver/engines/solve.h"

/* Cells in index order. */
typedef struct {
  uint32_t slice;
  uint64_t positions;
  int quantities;
  double *lower[CHANCE_MOST_QUANTITIES], *upper[CHANCE_MOST_QUANTITIES];
  double width;     /* the largest distance of a pair of bounds */
  uint64_t endless; /* positions in which all players together can go on for ever */
} chance_slice;

/* list[slice], NULL cells where one is missing. */
typedef struct {
  chance_slice *list;
  uint32_t room;
} chance_slices;

typedef struct {
  const solve_job *job; /* game, rules, threads, memory, shown, comm, checkpoints, general */
  const chance_slices *finished;
  double width; /* asked for: no pair of bounds is further apart, > 0 */
} chance_job;

/* The work of this call, without what a checkpoint spared. */
typedef struct {
  uint64_t value_sweeps, potential_sweeps, bound_sweeps;
  double value_seconds, potential_seconds, bound_seconds; /* processor time */
  double longest;                                         /* the largest potential: turns left at most */
  uint64_t shown;                                         /* positions reported to job->work.shown as done */
} chance_effort;

/* Solves a slice whose edges lead to finished slices or into itself. Where endless play is possible, or the
 * width cannot be reached in doubles, the bounds are as near as they come, right all the same, and `width`
 * says how near. Errors: TAULER_NO_MEMORY, TAULER_STOPPED (on request, everything is kept), what the game
 * returns, errors of checkpoints. */
tauler_error chance_solve(const chance_job *job, uint32_t slice, chance_slice *out, chance_effort *effort,
                          tauler_message *message);
void chance_slice_free(memory_budget *memory, chance_slice *slice);
/* The arrays of a slice, `what` to the budget; after an error some of them. */
tauler_error chance_take_bounds(memory_budget *memory, const char *what, uint64_t positions, int quantities,
                                double *lower[], double *upper[], tauler_message *message);

/* Bytes that solving takes beyond the finished slices, the bounds included. Where memory has room for more,
 * edges are kept in it. */
uint64_t chance_solve_bytes(const solve_job *job, uint32_t slice);

#endif
