/* Saves the state of a solve, with all workers of all ranks, and resumes it.
 *
 * An engine provides functions that pack and unpack the state of a unit (units.h); the state of the run is
 * one struct. Between rounds all workers call checkpointer_barrier. There the ranks agree on whether to stop
 * and whether a checkpoint is due, and save together, because a solve can resume only if all ranks saved
 * their states between the same two rounds. A checkpointer owns the checkpoint in progress and borrows its
 * units.
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

/* The functions by which an engine packs its units, the tiles of a layout. Each unit belongs to one shard.
 * The shards of this rank are loaded one after the other, by the thread that may call the communicator.
 * `load` loads the arrays of a shard; if is_new, all its tiles are unpacked next. `unload` unloads the
 * arrays; if `changed`, its tiles were unpacked. Both may be NULL. pack and unpack are called for tiles of
 * the loaded shard; several threads call pack at once. unit_bytes depends only on the tile. Units and run
 * must suffice to resume a solve. */
typedef struct {
  void *user;
  const slice_layout *layout;
  uint32_t first_shard, shards_here;
  /* True if the layout has one shard, which is on every rank. Then a rank saves some tiles and loads all. */
  bool everywhere;
  /* True for a tile that this rank saves; called only if `everywhere`. If NULL, rank r saves the r-th of
   * every `ranks` tiles. */
  bool (*saves)(void *user, uint64_t tile);
  void *run; /* the same on all ranks */
  size_t run_bytes;
  const uint64_t *done; /* positions done, a member of the run, or NULL if they are not counted */
  tauler_error (*load)(void *user, uint32_t shard, bool is_new, tauler_message *message);
  tauler_error (*unload)(void *user, uint32_t shard, bool changed, tauler_message *message);
  size_t (*unit_bytes)(void *user, uint64_t tile);
  void (*pack)(void *user, uint64_t tile, void *bytes);
  void (*unpack)(void *user, uint64_t tile, const void *bytes);
} checkpoint_units;

typedef struct {
  const solve_checkpoints *when;
  checkpoint_plan plan; /* points to the texts, so a checkpointer must not be copied */
  char path[CHECKPOINT_PATH_BYTES], identity[CHECKPOINT_IDENTITY_BYTES], slice[GAME_TEXT_BYTES];
  const checkpoint_units *units;
  progress *shown; /* progress in which a resumed slice is noted, or NULL */
  uint64_t positions;
  checkpoint_file *file;
  double saved_at;
  uint32_t shard; /* shard that is being saved or resumed, counted from the first of this rank */
  bool is_loaded;
  bool saving;
  bool stopping;
  bool has_requests; /* true if `requests` is the sum over all ranks */
  uint64_t requests;
  failure failed;
} checkpointer;

/* A checkpointer does nothing if the job has no checkpoints. `stage` names what is solved and is one of the
 * names listed in checkpointer.c. */
void checkpointer_open(checkpointer *checkpointer, const solve_job *job, uint32_t slice, const char *stage,
                       const checkpoint_units *units);

/* If a checkpoint of this solve exists, fills units and run from it and sets *resumed to true, otherwise to
 * false. Removes a checkpoint that is damaged or does not fit. The leading rank notes in `shown` that the
 * slice is resumed, or why it starts anew.
 * Collective. Errors: TAULER_IO, TAULER_NO_MEMORY, those of load and unload. */
tauler_error checkpointer_resume(checkpointer *checkpointer, bool *resumed, tauler_message *message);

/* Returns this rank's request for a sum over all ranks: 1 to save, 2^32 to stop, 0 for neither. */
uint64_t checkpointer_request(const checkpointer *checkpointer);
/* Passes the sum of all ranks' requests to the next checkpointer_barrier, which then does not add them up. */
void checkpointer_set_requests(checkpointer *checkpointer, uint64_t requests);

/* Saves a checkpoint if one is due or a stop was requested. All workers of all ranks call it between rounds.
 * One worker calls `prepare` (may be NULL) before anything is saved. Returns true if the solve must end now,
 * because a stop was requested or saving failed. */
bool checkpointer_barrier(checkpointer *checkpointer, worker *self, void (*prepare)(void *user), void *user);

/* Does the same as checkpointer_barrier for a solve that runs no workers at this time. The thread that drives
 * the solve calls it between steps. */
bool checkpointer_pause(checkpointer *checkpointer);

/* Removes the checkpoints of a slice whose tables are stored, and those of depths only if `depths`. Does
 * nothing on ranks other than the leading one. */
void checkpointer_remove(const solve_job *job, uint32_t slice, bool depths);

/* Returns an error of saving, TAULER_STOPPED if the solve was stopped and saved, or TAULER_OK. */
tauler_error checkpointer_outcome(const checkpointer *checkpointer, tauler_message *message);

#endif
