/* Builds the tables of a request, in the solving order or level by level. Each table is written, completely
 * or not at all, before the slices that need it are solved, so a stopped build resumes after its last
 * complete tables or a checkpoint. One build at a time writes to the folder of a rule set
 * (base/folder_lock.h). */
#ifndef SOLVER_RUN_BUILD_H
#define SOLVER_RUN_BUILD_H

#include "databases/folder.h"
#include "databases/table.h"
#include "solver/engines/engine.h"
#include "solver/engines/solve.h"
#include "solver/tables/job.h"

/* Returns the number of updates in sweeps of all kinds, 0 for games without chance. */
uint64_t build_updates(const build_sweeps sweeps[BUILD_SWEEPS]);

/* Builds the missing tables of a job, and sets *cost. Errors: TAULER_NO_MEMORY and TAULER_NO_SPACE (both
 * before work begins, if possible), TAULER_IO, TAULER_DAMAGED_FILE (a table in the folder), TAULER_BAD_USAGE,
 * TAULER_BUSY, TAULER_STOPPED (on request; the next call resumes the build). */
tauler_error build_tables(const build_job *job, build_cost *cost, tauler_message *message);

/* Refuses depths if tables of these rules have none. Errors: TAULER_BAD_USAGE. */
tauler_error build_check_depths(const solve_problem *problem, bool depths, tauler_message *message);

/* The resources that build_tables needs on `ranks` ranks if it begins with an empty folder. */
typedef struct {
  int ranks;
  uint64_t positions;
  uint64_t largest; /* positions of the largest slice */
  uint64_t memory;  /* most bytes of a rank */
  uint64_t disk;    /* estimated bytes of all tables */
  const engine *engine;
  /* True if cells are in shards and finished slices are compressed. False if finished slices are plain in
   * memory, or the engine is a whole one. */
  bool in_shards;
  uint64_t mapping;         /* bytes of `memory` that mapping costs beyond the mapped arrays */
  uint32_t shards_per_rank; /* parts of a slice on a rank, of which all but one are spilled */
  bool store_on_disk;       /* true if finished slices, or parts of a slice of a whole engine, are spilled */
  bool shared;              /* true if ranks share large slices, whose parts are spilled */
  /* Bytes on the disk beyond the tables, of all ranks (with a whole engine of the first 16). */
  uint64_t waiting;
  uint64_t shared_positions; /* positions of slices that ranks share */
  uint64_t network;          /* estimated bytes between ranks in the whole build, 0 if none or not known */
  /* Processor time per position, divided by that of a slice of a million positions that is whole in memory.
   */
  double effort;
} build_plan;

typedef struct build_outlook {
  const build_job *job;
  build_plan plan;
  uint64_t positions; /* positions of the missing slices */
  uint64_t tables;    /* bytes of the missing tables */
  uint64_t memory_available;
  uint64_t disk_available; /* bytes, or UINT64_MAX if not known */
  bool brief; /* true if the build takes less than a minute by an estimate for which no slice was solved */
  double seconds; /* 0 if not known */
  /* If slices are spilled: bytes per rank and seconds of a build that spills none, or 0 if not known. */
  uint64_t ample_memory;
  double ample_seconds;
  bool sampled; /* true if small slices were solved to measure time */
} build_outlook;

/* Plans a build of these slices on `ranks` ranks. grid_tables is the result of game->grid->prepare. If it is
 * NULL, the halos of shards are estimated. Errors: TAULER_NO_MEMORY, those of the game. */
tauler_error build_plan_for(const build_job *job, const game_slices *slices, const void *grid_tables,
                            int ranks, build_plan *plan, tauler_message *message);

#endif
