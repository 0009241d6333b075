/* Saves the state of a solve, by all workers of all ranks, and resumes from it.
 *
 * An engine says how the state of a unit is packed and unpacked (units.h); the state of the run is a struct
 * of its own. Between rounds the workers come to checkpointer_barrier, where the ranks agree on whether to
 * stop and on whether a checkpoint is due, and all save. A checkpointer owns the checkpoint under way and
 * borrows the engine.
 */
#ifndef SOLVER_CHECKPOINT_CHECKPOINTER_H
#define SOLVER_CHECKPOINT_CHECKPOINTER_H

#include <stdbool.h>

#include "parallel/failure.h"
#include "parallel/workers.h"
#include "solver/checkpoint/units.h"
#include "solver/shards/job.h"
#include "solver/shards/layout.h"

enum { CHECKPOINT_PATH_BYTES = 4200 };

/* How an engine's units, the tiles of a layout, are packed. Each belongs to one shard. Worker 0 visits the
 * shards of this rank one after the other: `visit` brings the arrays of one into memory (is_new: all its
 * tiles are unpacked next), `leave` lets them go; both may be NULL. pack and unpack are called for tiles of
 * the shard visited, pack by several threads at once. unit_bytes depends on nothing but the tile; all that a
 * solve goes on from lies in its units and its run, which is the same on all ranks. */
typedef struct {
  void *user;
  const slice_layout *layout;
  uint32_t first_shard, shards_here;
  bool everywhere; /* all ranks hold the one shard: each saves some tiles, and loads all */
  bool (*saves)(void *user, uint64_t tile); /* those that this rank saves then; NULL: in turn */
  void *run;
  size_t run_bytes;
  const uint64_t *done; /* positions, in the run; NULL: not counted */
  tauler_error (*visit)(void *user, uint32_t shard, bool is_new, tauler_message *message);
  tauler_error (*leave)(void *user, uint32_t shard, bool changed, tauler_message *message);
  size_t (*unit_bytes)(void *user, uint64_t tile);
  void (*pack)(void *user, uint64_t tile, void *bytes);
  void (*unpack)(void *user, uint64_t tile, const void *bytes);
} checkpoint_units;

typedef struct {
  const solve_checkpoints *plan; /* NULL: nothing is kept */
  comm *comm;
  const checkpoint_units *units;
  int threads;
  size_t unit_room; /* of the largest unit of this rank */
  char path[CHECKPOINT_PATH_BYTES], identity[CHECKPOINT_IDENTITY_BYTES], slice[GAME_TEXT_BYTES];
  uint64_t positions;
  progress *shown;
  checkpoint_file *file;
  double saved_at;
  uint32_t shard; /* visited while saving, counted from the first here */
  bool visiting;  /* it is in memory */
  bool saving;
  bool stopping;
  bool has_wishes; /* what the ranks wish */
  uint64_t wishes;
  failure failed;
} checkpointer;

/* `stage` tells apart what is worked on, and by which engine; one of those in checkpointer.c. */
void checkpointer_open(checkpointer *checkpointer, const solve_job *job, uint32_t slice, const char *stage,
                       const checkpoint_units *units);

/* Fills units and run from a checkpoint if there is one of this solve; *resumed says so. Else the solve
 * starts anew (checkpoint_resume). Collective. Errors: TAULER_IO, TAULER_NO_MEMORY. */
tauler_error checkpointer_resume(checkpointer *checkpointer, bool *resumed, tauler_message *message);

/* The wish of this rank, as a number, 0: none; and the sum over all ranks, for the next barrier. */
uint64_t checkpointer_wish(const checkpointer *checkpointer);
void checkpointer_set_wishes(checkpointer *checkpointer, uint64_t wishes);

/* Called by all workers of all ranks between rounds; costs one comm_allreduce unless the ranks have added up
 * their wishes. `prepare` (may be
 * NULL) runs in one worker before anything is saved. True when the solve must end now: it was asked to stop,
 * or saving failed. */
bool checkpointer_barrier(checkpointer *checkpointer, worker *self, void (*prepare)(void *user), void *user);

/* The same between the steps of a solve, called by the thread that drives it while no worker runs: workers
 * are started to save. */
bool checkpointer_pause(checkpointer *checkpointer);

/* Removes the checkpoints of a slice whose values are there, and its depths, if they are. Does nothing but on
 * the leading rank. */
void checkpointer_forget(const solve_job *job, uint32_t slice, bool depths);

/* TAULER_STOPPED when the solve was stopped and saved, an error of saving, or TAULER_OK. */
tauler_error checkpointer_outcome(const checkpointer *checkpointer, tauler_message *message);

#endif
