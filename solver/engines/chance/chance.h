/* Solves games of chance and choice: every quantity of every position of a slice, between two proven bounds.
 *
 * An expectation is a limit that sweeps only approach, and doubles round. The engine therefore finds
 * approximate values first and then proves bounds around them. chance_solve takes three steps. Potential: an
 * upper bound h of the turns that are left however anybody plays; it is finite only if play ends for certain.
 * Values: sweeps over all positions until values hardly change. Bounds: value ∓ ε·h, and a sweep that proves
 * them. If no lower bound is above what its children's lower bounds give, rounded down, and no upper bound is
 * below what their upper bounds give, rounded up, then both are bounds (docs/proofs.md has the proof).
 * Further sweeps only bring them closer together. In games with choices, or if play need not end, bounds
 * start from 0 and `most` instead: endless play counts as these.
 *
 * Cells belong to the caller, who frees them with chance_slice_free. Finished slices are only read. The cells
 * are the same, bit by bit, for any number of threads and ranks. One thread drives a job and starts the
 * others.
 */
#ifndef SOLVER_ENGINES_CHANCE_CHANCE_H
#define SOLVER_ENGINES_CHANCE_CHANCE_H

#include "games/game_chance.h"
#include "solver/engines/engine.h"

/* The cells of a slice, in index order. */
typedef struct {
  uint32_t slice;
  uint64_t positions;
  int quantities;
  double *lower[CHANCE_MOST_QUANTITIES], *upper[CHANCE_MOST_QUANTITIES];
  double width;     /* largest distance of a pair of bounds */
  uint64_t endless; /* number of positions in which all players together can play for ever */
} chance_slice;

/* list[slice]; the cells of a missing slice are NULL */
typedef struct {
  chance_slice *list;
  uint32_t room;
} chance_slices;

typedef struct {
  const solve_job *job; /* only `problem`, `work` and `checkpoints` are used */
  const chance_slices *finished;
  double width; /* wanted width: the most that two bounds may be apart, > 0 */
} chance_job;

/* The work of this call, without that before the checkpoint it resumed. */
typedef struct {
  build_sweeps sweeps[BUILD_SWEEPS];
  double longest; /* largest potential: most turns left */
  uint64_t shown; /* positions that job->work.shown has counted as done */
} chance_effort;

/* Solves a slice whose edges lead to finished slices or into the slice itself. If endless play is possible,
 * or doubles cannot reach the wanted width, the bounds are as close as possible and still proven, and
 * out->width is the width that was reached. Errors: TAULER_NO_MEMORY, TAULER_STOPPED (on request; all is
 * saved), those of the game and of checkpoints. */
tauler_error chance_solve(const chance_job *job, uint32_t slice, chance_slice *out, chance_effort *effort,
                          tauler_message *message);
void chance_slice_free(memory_budget *memory, chance_slice *slice);
/* Allocates the bounds of a slice; `what` names them to the budget. After an error some may be allocated. */
tauler_error chance_allocate_bounds(memory_budget *memory, const char *what, uint64_t positions,
                                    int quantities, double *lower[], double *upper[],
                                    tauler_message *message);

/* Bytes that solving needs beyond the finished slices, including the bounds. If memory has more room, edges
 * are kept in it. */
uint64_t chance_solve_bytes(const solve_job *job, uint32_t slice);

#endif
