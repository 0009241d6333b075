/* Building the tables of a request: slice by slice in the solving order, each written before the next
 * is begun, so that a build that was stopped at any moment goes on after its last whole table.
 *
 * build_tables owns everything it takes and gives it back; tables are written by databases/table.h,
 * whole or not at all. One process at a time works in the folder of a rule set (base/folder_lock.h). It runs
 * job->work.threads threads itself.
 */
#ifndef SOLVER_BUILD_BUILD_H
#define SOLVER_BUILD_BUILD_H

#include "databases/folder.h"
#include "databases/table.h"
#include "solver/engines/engine.h"
#include "solver/engines/solve.h"
#include "solver/tables/job.h"

/* In sweeps of all kinds; 0 but for games of chance. */
uint64_t build_updates(const build_sweeps sweeps[BUILD_SWEEPS]);

/* Errors: TAULER_NO_MEMORY and TAULER_NO_SPACE (both before work starts where it can be known),
 * TAULER_IO, TAULER_DAMAGED_FILE (a table in the folder), TAULER_BAD_USAGE, TAULER_BUSY, TAULER_STOPPED (on
 * request; the next call goes on from there). */
tauler_error build_tables(const build_job *job, build_cost *cost, tauler_message *message);

/* Refuses depths where tables have none. Errors: TAULER_BAD_USAGE. */
tauler_error build_check_depths(const build_job *job, tauler_message *message);

/* Needs of build_tables from an empty folder, on each of so many ranks. */
typedef struct {
  int ranks;
  uint64_t positions;        /* stored, of all slices */
  uint64_t largest;          /* of one slice */
  uint64_t memory;           /* bytes per rank */
  uint64_t disk;             /* bytes, by the bits per position of the game's larger tables */
  const engine *engine;      /* the first that serves and fits, or needs the least */
  bool in_shards;            /* over ranks or with the disk; else finished slices are in memory as they are */
  uint64_t mapping;          /* of memory, what mapping costs beside what it is for */
  uint32_t shards_per_rank;  /* more than one: the others wait on the disk */
  bool store_on_disk;        /* the smaller slices too */
  bool shared;               /* ranks share large slices that any of them could hold */
  uint64_t waiting;          /* bytes of all that waits on the disk, of all ranks, beside the tables */
  uint64_t shared_positions; /* of slices that ranks share */
  uint64_t network;          /* bytes between ranks in the whole build; 0: one rank, or not measured */
  double effort;             /* processor time per position against a million of them in whole slices */
} build_plan;

/* The outlook of a build: the slices that it is for, and those that are missing. */
typedef struct build_outlook {
  const build_job *job;
  build_plan plan;
  uint64_t positions; /* of the missing slices */
  uint64_t tables;    /* bytes of their tables */
  uint64_t memory_available;
  uint64_t disk_available; /* UINT64_MAX: not known */
  bool brief;              /* less than a minute, and not measured */
  double seconds;          /* of solving; 0: not known */
  /* Where parts wait on the disk, the same with enough memory that none does; 0: not known. */
  uint64_t ample_memory;
  double ample_seconds;
  bool sampled; /* a small slice says how long the others take */
} build_outlook;

/* With tables from game->grid->prepare for these slices, else NULL: then what shards read of each other is
 * estimated. Errors: TAULER_NO_MEMORY. */
tauler_error build_plan_for(const build_job *job, const game_slices *slices, const void *grid_tables,
                            int ranks, build_plan *plan, tauler_message *message);

#endif
