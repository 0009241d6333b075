/* Keeping the state of a solve: when to save it, by all members of the crew, and taking it up again.
 *
 * An engine lists the arrays that its next round depends on; everything else it can work out. Between
 * rounds the crew comes to keeper_meet, where one member asks whether to stop or whether a checkpoint
 * is due, and all members save. A keeper owns the checkpoint under way and borrows the arrays.
 */
#ifndef SOLVER_KEEPER_H
#define SOLVER_KEEPER_H

#include <stdatomic.h>
#include <stdbool.h>

#include "solver/checkpoint.h"
#include "solver/crew.h"
#include "solver/solve.h"

enum { KEEPER_PARTS = 16, KEEPER_PATH_BYTES = 4200 };

typedef struct {
  const solve_checkpoints *plan; /* NULL: nothing is kept */
  char path[KEEPER_PATH_BYTES], identity[512];
  checkpoint_part parts[KEEPER_PARTS];
  size_t n;
  checkpoint_file *file;
  double saved_at;
  bool saving;
  bool stopping;
  _Atomic int failed; /* a tauler_error */
  tauler_message message;
} keeper;

/* `stage` tells apart what is worked on, and by which engine; one of those in keeper.c. */
void keeper_open(keeper *keeper, const solve_job *job, uint32_t slice, const char *stage);

/* Adds an array of n bytes, at most KEEPER_PARTS in all; those of no bytes are left out. */
void keeper_add(keeper *keeper, void *bytes, uint64_t n);

/* Fills the arrays from a checkpoint if there is one of this solve; *resumed says so. A damaged
 * checkpoint is removed and the solve starts anew. Errors: TAULER_IO, TAULER_NO_MEMORY. */
tauler_error keeper_resume(keeper *keeper, bool *resumed, tauler_message *message);

/* Called by all members between rounds. `prepare` (may be NULL) runs in one member before anything is
 * saved. True when the solve must end now: it was asked to stop, or saving failed. */
bool keeper_meet(keeper *keeper, crew_member *member, void (*prepare)(void *user), void *user);

/* Removes all checkpoints of a slice that needs none any more. */
void keeper_forget(const solve_job *job, uint32_t slice);

/* TAULER_STOPPED when the solve was stopped and saved, an error of saving, or TAULER_OK. */
tauler_error keeper_outcome(const keeper *keeper, tauler_message *message);

#endif
