/* Private to the schedule: what its pass over the levels and the threads of a rank share. */
#ifndef SOLVER_BUILD_SCHEDULE_TASKS_H
#define SOLVER_BUILD_SCHEDULE_TASKS_H

#include <pthread.h>
#include <stdatomic.h>

#include "solver/engines/engine.h"

/* A table that was written here or by another rank; travels as numbers. */
typedef struct {
  uint64_t bytes; /* 0: not written */
  uint64_t digest_low, digest_high;
} written_table;

typedef struct {
  written_table tables[ENGINE_TABLES];
} written_tables;

typedef struct {
  engine_run *run;
  game_slices slices; /* up to the last that is missing */
  arena lists;
  bool *missing, *wanted;  /* by place; wanted: missing, or needed to solve or load something wanted */
  bool *shared, *solves;   /* by place: all ranks solve it together; this one does, or all */
  int *owner;              /* by place: the rank that solves it */
  size_t *uses;            /* by place: of those that this rank has to have and not done, how many need it */
  written_tables *written; /* by place */
  bool *reported;          /* by place */
  solve_checkpoints checkpoints;
  uint64_t room; /* for a slice of this level that ranks do not share */

  /* Between the threads of a rank. */
  pthread_mutex_t lock;
  pthread_cond_t ended;
  bool done;
  _Atomic bool halt;   /* begin nothing more, and stop what a checkpoint can resume */
  tauler_error failed; /* of the first slice in the solving order that failed here */
  size_t failed_place;
  tauler_message failure;
  _Atomic size_t left;   /* tasks that are not done */
  uint64_t others_shown; /* positions of other ranks reported to the progress of this one */
} schedule;

/* Does all of these sorted tasks; every rank comes here, each with its own, if none. `reserve`: bytes of
 * slices of this level that stay. *complete: all of them are done on all ranks, else the build was stopped.
 * Errors are the same on all ranks. */
tauler_error schedule_do_tasks(schedule *s, const level_task *tasks, size_t n, uint64_t reserve,
                               bool *complete, tauler_message *message);

/* Goes through the levels of slices that are solved side by side. Errors are the same on all ranks. */
tauler_error schedule_levels(schedule *s, tauler_message *message);

/* After a task: adds its cost, notes its tables, and drops slices that nothing needs any more. Called under
 * the lock, or by one thread alone. */
void schedule_end_task(schedule *s, const engine_task *task);
/* A slice that all ranks solve at once. */
tauler_error schedule_solve_together(schedule *s, engine_task *task, tauler_message *message);

#endif
