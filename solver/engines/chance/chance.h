/* Solves games of chance and choice: encloses every quantity of every position between two proven bounds.
 *
 * An expectation is a limit that sweeps only approach, and doubles are rounded. The engine therefore finds
 * approximate values first and then proves bounds around them. chance_solve takes three steps:
 * - It finds a potential h, an upper bound of the turns that are left however the players play. h is finite
 * only if play certainly ends.
 * - It finds values: it sweeps over all positions until the values hardly change.
 * - It sets the bounds value ∓ ε·h and proves them by a sweep. They are bounds if each lower bound is at most
 * the number that the sweep computes from the children's lower bounds and rounds down, and each upper bound
 * is at least the number from their upper bounds, rounded up (docs/proofs.md has the proof). Further sweeps
 * only bring the bounds closer together. Bounds start from 0 and `most` instead if players choose and every
 * `most` is finite, if no potential or no proof is found, or if finished slices have infinite bounds. These
 * bounds hold for endless play, too.
 *
 * Cells belong to the caller, who frees them with chance_slice_free. Finished slices are only read. The cells
 * are the same, bit by bit, for any number of threads and ranks. One thread of each rank makes the calls,
 * which start the workers.
 */
#ifndef SOLVER_ENGINES_CHANCE_CHANCE_H
#define SOLVER_ENGINES_CHANCE_CHANCE_H

#include "games/game_chance.h"
#include "solver/engines/engine.h"

/* Cells are in index order. */
typedef struct {
  uint32_t slice;
  uint64_t positions;
  int quantities;
  double *lower[CHANCE_MOST_QUANTITIES], *upper[CHANCE_MOST_QUANTITIES];
  double width;     /* largest difference of the two bounds of a quantity */
  uint64_t endless; /* number of positions from which the players together can play for ever */
} chance_slice;

/* Slices by number. The cells of a slice that is not in memory are NULL. */
typedef struct {
  chance_slice *list;
  uint32_t room;
} chance_slices;

typedef struct {
  const solve_job *job; /* only `problem`, `work` and `checkpoints` are used */
  const chance_slices *finished;
  double width; /* wanted width, > 0: largest difference of two bounds */
} chance_job;

/* Measures of a call of chance_solve. If it resumed a checkpoint, `sweeps` leave out the work before that. */
typedef struct {
  build_sweeps sweeps[BUILD_SWEEPS];
  double longest; /* largest potential, a number of turns */
  uint64_t shown;
} chance_effort;

/* Solves a slice whose edges lead to finished slices or into the slice itself. out->width becomes the width
 * that was reached. It may be larger than the wanted width if endless play is possible or doubles are not
 * exact enough; the bounds are proven in any case. After an error *out is unchanged. Errors:
 * TAULER_NO_MEMORY, TAULER_STOPPED (on request; all is saved), TAULER_INTERNAL, those of the game and of
 * checkpoints. */
tauler_error chance_solve(const chance_job *job, uint32_t slice, chance_slice *out, chance_effort *effort,
                          tauler_message *message);
void chance_slice_free(memory_budget *memory, chance_slice *slice);
/* Allocates the bounds of a slice. Messages call the bounds `what`. After an error some bounds may be
 * allocated. */
tauler_error chance_allocate_bounds(memory_budget *memory, const char *what, uint64_t positions,
                                    int quantities, double *lower[], double *upper[],
                                    tauler_message *message);

/* Returns the bytes that solving needs beyond the finished slices, including the bounds. If more memory is
 * free, the engine may keep edges in it. */
uint64_t chance_solve_bytes(const solve_job *job, uint32_t slice);

#endif
