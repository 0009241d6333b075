/* The data that the pass over the levels shares with the threads of a rank. Private to the schedule. */
#ifndef SOLVER_RUN_SCHEDULE_TASKS_H
#define SOLVER_RUN_SCHEDULE_TASKS_H

#include <pthread.h>
#include <stdatomic.h>

#include "solver/engines/engine.h"

/* A table that this or another rank has written. It consists of numbers, so that ranks can add them. */
typedef struct {
  uint64_t bytes; /* 0: not written */
  uint64_t digest_low, digest_high;
} written_table;

typedef struct {
  written_table tables[ENGINE_TABLES];
} written_tables;

typedef struct {
  engine_run *run;
  game_slices slices; /* slices up to the last missing one */
  arena lists;
  slice_state *states;       /* [slice] those of the run */
  written_tables *written;   /* [slice] */
  written_tables *collected; /* [slice] those of a level, while ranks exchange them */
  /* [slice] `tasks`: sorted tasks of the missing slices of a level, and of slices whose tables exist and that
   * this rank needs. `own`: those of them that it does next. */
  level_task *tasks, *own;
  solve_checkpoints checkpoints;
  uint64_t room; /* bytes for a slice of this level that ranks do not share */

  /* The fields below are for the threads of a rank. */
  pthread_mutex_t lock;
  pthread_cond_t ended;
  bool done;
  _Atomic bool halt;   /* begin no task, and stop a solve that a checkpoint can resume */
  tauler_error failed; /* error of the first slice in the solving order that failed here */
  size_t failed_place;
  tauler_message failure;
  _Atomic size_t left;   /* tasks that are not done */
  uint64_t others_shown; /* positions of other ranks that this rank's progress has counted */
} schedule;

/* Does sorted tasks. Every rank must call it, also with no tasks. `reserve` is the bytes of slices of this
 * level that are to stay in memory. *complete: all tasks of all ranks are done; otherwise the build was
 * stopped. Errors are the same on all ranks. */
tauler_error schedule_do_tasks(schedule *s, const level_task *tasks, size_t n, uint64_t reserve,
                               bool *complete, tauler_message *message);

/* Ends a task: adds its cost, notes its tables, and frees slices that nothing needs any more. Called while
 * the lock is held, or by a single thread. */
void schedule_end_task(schedule *s, const engine_task *task);

#endif
