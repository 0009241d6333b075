/* Builds of slices of cells in shards, and functions that tiles, retrograde and repetition share. Private to
 * the engines. */
#ifndef SOLVER_ENGINES_CELLS_H
#define SOLVER_ENGINES_CELLS_H

#include "solver/engines/engine.h"
#include "solver/engines/solve.h"

/* Opening, loading and closing for engines with cells. The store of finished slices is plain if one process
 * holds all of it, otherwise compressed, perhaps in a file. */
tauler_error cells_open(engine_run *run, tauler_message *message);
void cells_close(engine_run *run);
tauler_error cells_solve(engine_run *run, engine_task *task, tauler_message *message);
tauler_error cells_load(engine_run *run, size_t place, tauler_message *message);

/* Members of cell_engine for slices in ranges of indexes (retrograde/). */
tauler_error ranges_open(const solve_job *job, uint32_t slice, uint32_t shards_per_rank, sharded_slice *out,
                         tauler_message *message);
tauler_error ranges_lookup(const solve_job *job, sharded_slice *slice, const int8_t *reserved,
                           tauler_message *message);

/* Recovers depths of outcomes that tables left out and that are SOLVE_NO_DEPTH before. The values of the
 * slice must be there. */
tauler_error ranges_recover_depths(const solve_job *job, sharded_slice *slice, tauler_message *message);

/* Members of cell_engine for slices in tiles (tiles/). */
tauler_error tiles_lookup(const solve_job *job, sharded_slice *slice, const int8_t *reserved,
                          tauler_message *message);

/* Bytes while tables are written: cells and lookups, or cells and depths, and the buffers for chunks. */
uint64_t solve_writing_bytes(const solve_job *job, uint32_t slice, bool depths, uint32_t shards,
                             uint32_t shards_per_rank);

/* Exact values of slices whose bounds are those on a fresh history.
 *
 * The bounds of such a slice may be equal everywhere. Then the slice is exact, and one value stands for both.
 * If an engine leaves positions of a small slice open, lines of play close them (lines/lines.h). Lines read
 * whole slices, so every rank solves small slices alone and has them uncompressed in run->small; its shards
 * get their part of the cells. All ranks together solve larger slices, in which open positions have bounds.
 * Tables do not depend on ranks or memory.
 */

/* True for the slices that small_solve solves. */
bool small_solves(const solve_problem *problem, uint32_t slice);
/* Bytes that this takes in addition to a solve in one shard. */
uint64_t small_bytes(const solve_job *job, uint32_t slice, bool depths);

/* Opens run->small after run->store. Does nothing for rules whose bounds never meet. */
tauler_error small_open(engine_run *run, tauler_message *message);
void small_close(engine_run *run);

/* Opens the shards of a small slice and solves it. Stages are those of the guarantees that the engine found.
 * Collective. Errors: those of solving; TAULER_STOPPED. */
tauler_error small_solve(engine_run *run, const solve_job *solving, uint32_t number, bool depths,
                         sharded_slice *slice, tauler_message *message);
/* Moves a whole slice, from a solve or from tables, to run->small. If run->small is run->store, frees the
 * slice instead. */
void small_keep(engine_run *run, solved_slice *whole);

/* Marks the slice as exact if it is, and counts the positions whose bounds differ. Collective. */
tauler_error small_compare(const solve_job *solving, sharded_slice *slice, uint64_t *open,
                           tauler_message *message);

#endif
