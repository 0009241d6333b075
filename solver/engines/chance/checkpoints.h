/* The units of a checkpoint of a slice of chance: its arrays and the driver's state, between sweeps.
 *
 * Every rank has the whole slice, and all have the same, so any number of threads and ranks may resume a
 * checkpoint (checkpointer.h). The arrays depend on the step of the solve. A checkpoint has zeros for arrays
 * that do not exist.
 */
#ifndef SOLVER_ENGINES_CHANCE_CHECKPOINTS_H
#define SOLVER_ENGINES_CHANCE_CHECKPOINTS_H

#include "solver/checkpoint/checkpointer.h"
#include "solver/engines/chance/chance.h"

enum {
  CHANCE_KEPT_ARRAYS = 2 * CHANCE_MOST_QUANTITIES + 2,
  CHANCE_KEPT_POSITIONS = 1 << 14 /* positions of a unit */
};

/* An array with an item per position. `slot` points to the pointer to the array, which may be NULL. */
typedef struct {
  const void *slot;
  size_t item_bytes;
} chance_kept_array;

/* The arrays that a checkpoint saves. It owns only the layout. */
typedef struct {
  uint64_t positions;
  size_t arrays;
  chance_kept_array list[CHANCE_KEPT_ARRAYS];
  /* Called once if a checkpoint is resumed: allocates the arrays that its step needs. */
  tauler_error (*prepare)(void *user, tauler_message *message);
  void *user;
  slice_layout *layout;   /* layout of positions, to be closed by the caller */
  checkpoint_units units; /* the caller sets `run` */
} chance_kept;

/* Opens a checkpointer. Checkpoints of another `engine` or of another wanted width do not fit. */
tauler_error chance_checkpointer_open(checkpointer *checkpointer, const chance_job *job, uint32_t slice,
                                      const char *engine, chance_kept *kept, tauler_message *message);

#endif
