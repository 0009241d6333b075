/* Keeping the state of a solve: when to save it, by all threads of all ranks, and taking it up again.
 *
 * An engine says how a unit's state is packed and unpacked (checkpoint.h); the run's state is a struct
 * of its own. Between rounds the crew comes to keeper_meet, where the ranks agree on whether to stop or
 * whether a checkpoint is due, and all save. A keeper owns the checkpoint under way and borrows the
 * engine.
 */
#ifndef SOLVER_CHECKPOINT_CHECKPOINTER_H
#define SOLVER_CHECKPOINT_CHECKPOINTER_H

#include <stdatomic.h>
#include <stdbool.h>

#include "solver/checkpoint/units.h"
#include "solver/parallel/workers.h"
#include "solver/shards/job.h"
#include "solver/shards/layout.h"

enum { KEEPER_PATH_BYTES = 4200 };

/* Of chance_keeper.h. */
#define KEEPER_CHANCE "chance"

/* How an engine's units, the tiles of a layout, are packed. Each belongs to one share; shares at home here
 * are visited one after the other, by the leading member: `visit` has the arrays of one in memory (fresh:
 * they are about to be unpacked into, every tile of them), `leave` lets them go; both may be NULL. pack and
 * unpack are called for tiles of the share visited, pack by several threads at once. unit_bytes depends on
 * nothing but the tile; all that a solve goes on from lies in its units and its run, which is the same on all
 * ranks. */
typedef struct {
  void *user;
  const slice_layout *layout;
  uint32_t first_share, shares_here;
  void *run;
  size_t run_bytes;
  tauler_error (*visit)(void *user, uint32_t share, bool fresh, tauler_message *message);
  tauler_error (*leave)(void *user, uint32_t share, bool changed, tauler_message *message);
  size_t (*unit_bytes)(void *user, uint64_t tile);
  void (*pack)(void *user, uint64_t tile, void *bytes);
  void (*unpack)(void *user, uint64_t tile, const void *bytes);
} keeper_units;

typedef struct {
  const solve_checkpoints *plan; /* NULL: nothing is kept */
  team *team;
  const keeper_units *units;
  int threads;
  size_t unit_room; /* of the largest unit at home here */
  char path[KEEPER_PATH_BYTES], identity[CHECKPOINT_IDENTITY_BYTES];
  checkpoint_file *file;
  double saved_at;
  uint32_t share; /* visited while saving, counted from the first here */
  bool visiting;  /* it is in memory */
  bool saving;
  bool stopping;
  _Atomic int failed; /* a tauler_error */
  tauler_message message;
} keeper;

/* `stage` tells apart what is worked on, and by which engine; one of those in keeper.c. */
void keeper_open(keeper *keeper, const solve_job *job, uint32_t slice, const char *stage,
                 const keeper_units *units);

/* Fills units and run from a checkpoint if there is one of this solve; *resumed says so. A damaged
 * checkpoint is removed and the solve starts anew. Collective. Errors: TAULER_IO, TAULER_NO_MEMORY. */
tauler_error keeper_resume(keeper *keeper, bool *resumed, tauler_message *message);

/* Called by all members of all ranks' crews between rounds; costs one team_combine. `prepare` (may be NULL)
 * runs in one member before anything is saved. True when the solve must end now: it was asked to stop, or
 * saving failed. */
bool keeper_meet(keeper *keeper, crew_member *member, void (*prepare)(void *user), void *user);

/* Removes the checkpoints of a slice whose values are there, and its depths, if they are. Does nothing but on
 * the leading rank. */
void keeper_forget(const solve_job *job, uint32_t slice, bool depths);

/* Where the checkpoint of a stage stands, and what it says of itself. */
void keeper_name(const solve_job *job, uint32_t slice, const char *stage, char path[KEEPER_PATH_BYTES],
                 char identity[CHECKPOINT_IDENTITY_BYTES]);
/* TAULER_STOPPED, and that all is kept there. */
tauler_error keeper_stopped(const char *path, tauler_message *message);

/* TAULER_STOPPED when the solve was stopped and saved, an error of saving, or TAULER_OK. */
tauler_error keeper_outcome(const keeper *keeper, tauler_message *message);

#endif
