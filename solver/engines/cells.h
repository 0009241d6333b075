/* Private to the engines: builds of slices of cells in shards, and what tiles, retrograde and repetition lend
 * to each other. */
#ifndef SOLVER_ENGINES_CELLS_H
#define SOLVER_ENGINES_CELLS_H

#include "solver/engines/engine.h"
#include "solver/engines/solve.h"

/* Members of struct engine for engines with cells: the store of finished slices is plain where one process
 * holds all, else compressed, perhaps in a file. */
tauler_error cells_open(engine_run *run, tauler_message *message);
void cells_close(engine_run *run);
tauler_error cells_solve(engine_run *run, engine_task *task, tauler_message *message);
tauler_error cells_load(engine_run *run, engine_task *task, tauler_message *message);

/* Members of cell_engine for slices that lie in ranges of indexes (retrograde/). */
tauler_error ranges_open(const solve_job *job, uint32_t slice, uint32_t shards_per_rank, sharded_slice *out,
                         tauler_message *message);
tauler_error ranges_lookup(const solve_job *job, sharded_slice *slice, const int8_t *reserved,
                           tauler_message *message);

/* Depths of outcomes that tables leave out, SOLVE_NO_DEPTH before, of a slice whose values are there. */
tauler_error ranges_recover_depths(const solve_job *job, sharded_slice *slice, tauler_message *message);

/* Members of cell_engine for slices that lie in tiles (tiles/). */
tauler_error tiles_lookup(const solve_job *job, sharded_slice *slice, const int8_t *reserved,
                          tauler_message *message);

/* Parts held while tables are written: cells and lookups, or cells and depths, and what moves chunks. */
uint64_t solve_writing_bytes(const solve_job *job, uint32_t slice, bool depths, uint32_t shards,
                             uint32_t shards_per_rank);

#endif
