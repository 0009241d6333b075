/* Keeping a slice of chance under work: its arrays and the driver's state, between sweeps.
 *
 * Every rank holds the slice whole and alike; any number of threads and ranks may go on (checkpointer.h).
 * The step changes while a slice is solved, and with it the arrays: zeros stand for
 * those that are not.
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

/* Borrows everything but the layout. */
typedef struct {
  uint64_t positions;
  size_t arrays;
  chance_kept_array list[CHANCE_KEPT_ARRAYS];
  /* Called once, when the run is that of a checkpoint: has the arrays there with which it goes on. */
  tauler_error (*prepare)(void *user, tauler_message *message);
  void *user;
  slice_layout *layout;   /* of positions; to be closed */
  checkpoint_units units; /* the run is the caller's to name */
} chance_kept;

/* `engine`: arrays of one are not those of another. A checkpoint for another width does not fit either. */
tauler_error chance_checkpointer_open(checkpointer *checkpointer, const chance_job *job, uint32_t slice,
                                      const char *engine, chance_kept *kept, tauler_message *message);

#endif
