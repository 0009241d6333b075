/* Declares the data that the schedule shares with the threads of a rank. Private to the schedule. */
#ifndef SOLVER_RUN_SCHEDULE_TASKS_H
#define SOLVER_RUN_SCHEDULE_TASKS_H

#include <pthread.h>
#include <stdatomic.h>

#include "solver/engines/engine.h"

/* A table that a rank has written. All members are numbers of 64 bits, so that ranks can add them up. */
typedef struct {
  uint64_t bytes; /* bytes of the table, or 0 if it is not written */
  uint64_t digest_low, digest_high;
} written_table;

typedef struct {
  written_table tables[ENGINE_TABLES];
} written_tables;

typedef struct {
  engine_run *run;
  game_slices slices; /* slices up to the last missing one */
  arena lists;
  slice_state *states;       /* [slice] states of the run */
  written_tables *written;   /* [slice] written tables */
  written_tables *collected; /* [slice] written tables of a level, while ranks exchange them */
  /* [slice] `tasks` has the sorted tasks of a level: missing slices, and slices to be loaded here. `own` has
   * those that this rank does next. */
  level_task *tasks, *own;
  solve_checkpoints checkpoints;
  uint64_t room; /* bytes for solving a slice of this level */

  /* The members below are shared by the threads of a rank. */
  pthread_mutex_t lock;
  pthread_cond_t ended;
  bool done;
  _Atomic bool halt; /* true if no task may begin, and solves with a checkpoint must stop */
  /* Error of the slice that failed here and is first in the solving order. */
  _Atomic(tauler_error) failed;
  size_t failed_place;
  tauler_message failure;
  _Atomic size_t left;
  uint64_t others_shown; /* positions of other ranks that this rank's progress has counted */
} schedule;

/* Does sorted tasks. Every rank must call it, even if it has no tasks. `reserve` is the number of bytes that
 * finished slices of this level will need. *complete becomes true if all tasks of all ranks are done, and
 * false if the build was stopped. Errors are the same on all ranks. */
tauler_error schedule_do_tasks(schedule *s, const level_task *tasks, size_t n, uint64_t reserve,
                               bool *complete, tauler_message *message);

/* Ends a task: adds its cost, notes its tables, and frees the slices that no other slice needs any more.
 * Called while the lock is held, or by a single thread. */
void schedule_end_task(schedule *s, const engine_task *task);

#endif
