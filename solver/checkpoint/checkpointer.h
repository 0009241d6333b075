/* Saves the state of a solve, with all workers of all ranks, and resumes it.
 *
 * An engine says how the state of a unit is packed and unpacked (units.h); the state of the run is a struct
 * of its own. Between rounds all workers call checkpointer_barrier. There the ranks agree on whether to stop
 * and whether a checkpoint is due, and save together: a checkpoint is only of use if all ranks saved the same
 * moment. A checkpointer owns the checkpoint in progress and borrows the engine.
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

/* How an engine packs its units, the tiles of a layout. Each unit belongs to one shard. Worker 0 visits the
 * shards of this rank one after the other: `load` loads the arrays of a shard (is_new: all its tiles are
 * unpacked next), `unload` unloads them (changed: its tiles were unpacked). Both may be NULL. pack and unpack
 * are called for tiles of the loaded shard; several threads at once call pack. unit_bytes depends on the tile
 * only. A solve must resume from its units and its run alone. The run is the same on all ranks. */
typedef struct {
  void *user;
  const slice_layout *layout;
  uint32_t first_shard, shards_here;
  /* All ranks have the one shard whole: each saves some of its tiles and loads all. */
  bool everywhere;
  /* If `everywhere`: true for a tile that this rank saves. If it is NULL, rank r saves the r-th of every
   * `ranks` tiles of the shard. */
  bool (*saves)(void *user, uint64_t tile);
  void *run;
  size_t run_bytes;
  const uint64_t *done; /* positions, within the run, or NULL if they are not counted */
  tauler_error (*load)(void *user, uint32_t shard, bool is_new, tauler_message *message);
  tauler_error (*unload)(void *user, uint32_t shard, bool changed, tauler_message *message);
  size_t (*unit_bytes)(void *user, uint64_t tile);
  void (*pack)(void *user, uint64_t tile, void *bytes);
  void (*unpack)(void *user, uint64_t tile, const void *bytes);
} checkpoint_units;

typedef struct {
  const solve_checkpoints *when; /* NULL if nothing is saved */
  checkpoint_plan plan;          /* points to the three texts, so a checkpointer is not copied */
  char path[CHECKPOINT_PATH_BYTES], identity[CHECKPOINT_IDENTITY_BYTES], slice[GAME_TEXT_BYTES];
  const checkpoint_units *units;
  checkpoint_file *file;
  double saved_at;
  uint32_t shard; /* shard that is being saved or resumed, counted from the first of this rank */
  bool is_loaded; /* that shard is loaded */
  bool saving;
  bool stopping;
  bool has_requests; /* true if `requests` is the sum over all ranks */
  uint64_t requests;
  failure failed;
} checkpointer;

/* `stage` says what is solved and by which engine. It is one of the stages in checkpointer.c. */
void checkpointer_open(checkpointer *checkpointer, const solve_job *job, uint32_t slice, const char *stage,
                       const checkpoint_units *units);

/* Fills units and run from a checkpoint of this solve and sets *resumed, if there is one. Otherwise the solve
 * starts anew (checkpoint_resume). Collective. Errors: TAULER_IO, TAULER_NO_MEMORY. */
tauler_error checkpointer_resume(checkpointer *checkpointer, bool *resumed, tauler_message *message);

/* This rank's request, for a sum over all ranks: 1 to save, 2^32 to stop, 0 for neither. */
uint64_t checkpointer_request(const checkpointer *checkpointer);
/* Passes the sum of all ranks' requests to the next checkpointer_barrier, which then calls no
 * comm_allreduce. */
void checkpointer_set_requests(checkpointer *checkpointer, uint64_t requests);

/* All workers of all ranks call it between rounds. It costs one comm_allreduce, unless
 * checkpointer_set_requests was called. One worker calls `prepare` (may be NULL) before anything is saved.
 * Returns true if the solve must end now, because it was asked to stop or saving failed. */
bool checkpointer_barrier(checkpointer *checkpointer, worker *self, void (*prepare)(void *user), void *user);

/* As checkpointer_barrier, but called between steps by the thread that drives the solve, while no workers
 * run. If a checkpoint is saved, the call starts workers for it. */
bool checkpointer_pause(checkpointer *checkpointer);

/* Removes the checkpoints of a slice whose values are stored, and those of depths if `depths`. Only the
 * leading rank does anything. */
void checkpointer_remove(const solve_job *job, uint32_t slice, bool depths);

/* TAULER_STOPPED if the solve was stopped and saved, an error of saving, or TAULER_OK. */
tauler_error checkpointer_outcome(const checkpointer *checkpointer, tauler_message *message);

#endif
