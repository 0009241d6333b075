/* Declares the steps of a build with slices of cells in shards, and functions that tiles, retrograde and
 * repetition share. Private to the engines. */
#ifndef SOLVER_ENGINES_CELLS_H
#define SOLVER_ENGINES_CELLS_H

#include "solver/engines/engine.h"
#include "solver/engines/solve.h"

/* Steps of a build (engine.h) for engines with cells. */
tauler_error cells_open(engine_run *run, tauler_message *message);
void cells_close(engine_run *run);
tauler_error cells_solve(engine_run *run, engine_task *task, tauler_message *message);
tauler_error cells_load(engine_run *run, size_t place, tauler_message *message);

/* Members of cell_engine for slices in ranges of indexes (retrograde/). */
tauler_error ranges_open(const solve_job *job, uint32_t slice, uint32_t shards_per_rank, sharded_slice *out,
                         tauler_message *message);
tauler_error ranges_lookup(const solve_job *job, sharded_slice *slice, const int8_t *reserved,
                           tauler_message *message);

/* Fills the depths of outcomes that tables left out, which are SOLVE_NO_DEPTH before the call. The values of
 * the slice must be filled. */
tauler_error ranges_recover_depths(const solve_job *job, sharded_slice *slice, tauler_message *message);

/* Members of cell_engine for slices in tiles (tiles/). */
tauler_error tiles_lookup(const solve_job *job, sharded_slice *slice, const int8_t *reserved,
                          tauler_message *message);

/* Returns the bytes in use while tables are written: cells with lookups or with depths, and buffers for
 * chunks. */
uint64_t solve_writing_bytes(const solve_job *job, uint32_t slice, bool depths, uint32_t shards,
                             uint32_t shards_per_rank);

/* True if the slice is small and its bounds may meet. Then each rank solves it alone, and lines of play
 * tighten the bounds that the engine leaves apart. */
bool slice_is_small(const solve_problem *problem, uint32_t slice);
/* Returns the bytes that a small slice takes in addition to a solve in one shard, or 0 if it is not small. */
uint64_t small_slice_bytes(const solve_job *job, uint32_t slice, bool depths);

#endif
