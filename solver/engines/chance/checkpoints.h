/* Keeping a slice of chance under work: its arrays and the driver's state, between sweeps.
 *
 * Every rank holds the slice whole and alike, so each saves the units, ranges of positions, that fall to it,
 * and takes up all of them; any number of threads and ranks may go on (checkpoint.h). What is worked on
 * changes while a slice is solved, and with it which arrays there are: zeros stand for those that are not. A
 * checkpointer borrows everything.
 */
#ifndef SOLVER_ENGINES_CHANCE_CHECKPOINTS_H
#define SOLVER_ENGINES_CHANCE_CHECKPOINTS_H

#include "solver/checkpoint/checkpointer.h"
#include "solver/engines/chance/chance.h"

enum {
  CHANCE_KEPT_ARRAYS = 2 * CHANCE_MOST_QUANTITIES + 2,
  CHANCE_KEPT_POSITIONS = 1 << 14 /* of a unit */
};

/* An item per position. `slot` points to the pointer to the array, which is NULL where there is none now. */
typedef struct {
  const void *slot;
  size_t item_bytes;
} chance_kept_array;

typedef struct {
  uint64_t positions;
  void *run; /* all that a solve goes on from beside the arrays, the same on all ranks */
  size_t run_bytes;
  const uint64_t *done; /* positions, in the run */
  size_t arrays;
  chance_kept_array list[CHANCE_KEPT_ARRAYS];
  /* Called once, when the run is that of a checkpoint: has the arrays there with which it goes on. */
  tauler_error (*prepare)(void *user, tauler_message *message);
  void *user;
} chance_kept;

typedef struct {
  const solve_checkpoints *plan; /* NULL: nothing is kept */
  const solve_job *job;
  const chance_kept *kept;
  char path[CHECKPOINT_PATH_BYTES], identity[CHECKPOINT_IDENTITY_BYTES], slice[GAME_TEXT_BYTES];
  double saved_at;
} chance_checkpointer;

/* `engine`: arrays of one are not those of another. What is kept for another width is not taken up. */
void chance_checkpointer_open(chance_checkpointer *checkpointer, const chance_job *job, uint32_t slice,
                              const char *engine, const chance_kept *kept);

/* Fills run and arrays from a checkpoint if there is one of this solve; *resumed says so. Else the solve
 * starts anew (checkpoint_resume). Collective. Errors: TAULER_IO, TAULER_NO_MEMORY, those of prepare. */
tauler_error chance_checkpointer_resume(chance_checkpointer *checkpointer, bool *resumed,
                                        tauler_message *message);

/* Between sweeps, by the thread that drives them; collective. Saves if it is time or somebody is asked to
 * stop. Errors: TAULER_STOPPED (all is kept), those of saving. */
tauler_error chance_checkpointer_barrier(chance_checkpointer *checkpointer, tauler_message *message);

#endif
