/* Solving: the exact value, and if wanted the depth, of every position of one slice.
 *
 * A slice has shards, one or more, with the ranks of a build. The job names the engine, or the first that
 * serves is taken: tiles.h where the game has kernels, retrograde.h elsewhere, which give the same cells, bit
 * by bit; where a repetition ends play, repetition/. All give the same for any number of threads, shards and
 * ranks. Smaller slices are those of job->store. All calls are collective over the job's comm. One job is
 * driven by one thread, which starts the others.
 */
#ifndef SOLVER_ENGINES_SOLVE_H
#define SOLVER_ENGINES_SOLVE_H

#include "solver/shards/job.h"

/* Opens an empty slice. If one shard per rank does not fit in memory (with depths, if wanted), there is a
 * spill_folder, and shards of the engine may wait, a rank gets several shards and holds one at a time. The
 * slice is filled from tables, or by: */
tauler_error solve_open(const solve_job *job, uint32_t slice, bool depths, sharded_slice *out,
                        tauler_message *message);
/* Solves a slice whose converting moves all lead to finished slices; with `depths`, fills those as well. A
 * checkpoint of this solve is taken up. Errors: TAULER_NO_MEMORY, TAULER_STOPPED (on request, everything is
 * kept), what the game returns, errors of checkpoints. */
tauler_error solve_slice(const solve_job *job, bool depths, sharded_slice *slice, solve_effort *effort,
                         tauler_message *message);
/* Depths of a slice whose values are there. Engines that have both at once solve it again. */
tauler_error solve_depths(const solve_job *job, sharded_slice *slice, solve_effort *effort,
                          tauler_message *message);

/* Lookups for tables that leave cells out: for each position the worth of the best converting move, INT8_MIN
 * where there is none. Nothing for a game without `lookup`: its cells are left out by where they are. */
tauler_error solve_lookups(const solve_job *job, sharded_slice *slice, tauler_message *message);
/* Puts back the cells equal to `reserved` that a table left out. */
tauler_error solve_recover(const solve_job *job, sharded_slice *slice, const int8_t reserved[SOLVE_PLANES],
                           tauler_message *message);

/* Bytes per rank that solving in so many shards, and writing what was solved, takes at most, finished slices
 * left out. *waiting (or NULL): what one shard leaves on the disk where there are several per rank. */
uint64_t solve_bytes(const solve_job *job, uint32_t slice, bool depths, uint32_t shards,
                     uint32_t shards_per_rank, uint64_t *waiting);

/* One slice in one shard, all at once: its cells, in the job's memory, are the caller's; solved_slice_free
 * gives them back. */
tauler_error solve_alone(const solve_job *job, uint32_t slice, bool depths, solved_slice *out,
                         tauler_message *message);

#endif
