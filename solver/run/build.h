/* Builds the tables of a request, slice by slice in the solving order. Each table is written before the next
 * slice begins, so a build that was stopped at any moment continues after its last complete table.
 *
 * build_tables frees all that it allocates. databases/table.h writes tables completely or not at all. One
 * process at a time works in the folder of a rule set (base/folder_lock.h). build_tables starts
 * job->work.threads threads itself.
 */
#ifndef SOLVER_RUN_BUILD_H
#define SOLVER_RUN_BUILD_H

#include "databases/folder.h"
#include "databases/table.h"
#include "solver/engines/engine.h"
#include "solver/engines/solve.h"
#include "solver/tables/job.h"

/* Updates in sweeps of all kinds; 0 except for games of chance. */
uint64_t build_updates(const build_sweeps sweeps[BUILD_SWEEPS]);

/* Errors: TAULER_NO_MEMORY and TAULER_NO_SPACE (both before work begins, if possible), TAULER_IO,
 * TAULER_DAMAGED_FILE (a table in the folder), TAULER_BAD_USAGE, TAULER_BUSY, TAULER_STOPPED (on request; the
 * next call resumes the build). */
tauler_error build_tables(const build_job *job, build_cost *cost, tauler_message *message);

/* Refuses depths if the tables have none. Errors: TAULER_BAD_USAGE. */
tauler_error build_check_depths(const build_job *job, tauler_message *message);

/* The needs of build_tables on each of so many ranks, if it begins with an empty folder. */
typedef struct {
  int ranks;
  uint64_t positions;   /* stored positions of all slices */
  uint64_t largest;     /* positions of the largest slice */
  uint64_t memory;      /* bytes per rank */
  uint64_t disk;        /* bytes, computed from the bits per position of the game's larger tables */
  const engine *engine; /* the first that serves and fits, or if none fits, the one that needs least memory */
  /* True if slices are solved over ranks or with spilled shards; otherwise finished slices are plain in
   * memory. */
  bool in_shards;
  uint64_t mapping;          /* bytes of `memory` that mapping costs beyond the mapped arrays */
  uint32_t shards_per_rank;  /* if more than one, all but one are spilled */
  bool store_on_disk;        /* smaller slices are spilled, too */
  bool shared;               /* ranks share large slices although each could hold them */
  uint64_t waiting;          /* bytes on the disk beyond the tables, of all ranks */
  uint64_t shared_positions; /* positions of slices that ranks share */
  uint64_t network; /* bytes between ranks in the whole build, or 0 with one rank or if not measured */
  /* Processor time per position, compared with a slice of a million positions that is whole in memory. */
  double effort;
} build_plan;

/* An estimate for a build: its plan over all slices, and the positions, bytes and time of the missing
 * ones. */
typedef struct build_outlook {
  const build_job *job;
  build_plan plan;
  uint64_t positions; /* positions of the missing slices */
  uint64_t tables;    /* bytes of their tables */
  uint64_t memory_available;
  uint64_t disk_available; /* UINT64_MAX: not known */
  /* True if the build takes less than a minute, so that no slice was solved to measure it. */
  bool brief;
  double seconds; /* seconds of solving, or 0 if not known */
  /* If slices are spilled: memory and time of a build in which none is; 0: not known. */
  uint64_t ample_memory;
  double ample_seconds;
  bool sampled; /* a small slice was solved to measure time */
} build_outlook;

/* Plans a build of these slices. grid_tables is the result of game->grid->prepare, or NULL; without it the
 * halos of shards are estimated. Errors: TAULER_NO_MEMORY. */
tauler_error build_plan_for(const build_job *job, const game_slices *slices, const void *grid_tables,
                            int ranks, build_plan *plan, tauler_message *message);

#endif
