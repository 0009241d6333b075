/* Solves one slice: finds the exact value of every position, or its bounds, and, if wanted, its depth.
 *
 * A slice has one or more shards for each rank of a build. If the job does not name an engine, the first that
 * serves is used: tiles if the game has kernels for these rules and the job has their tables of moves,
 * repetition if a repetition ends play, and retrograde for all others. Engines that serve the same game
 * compute the same cells, bit by bit, for any number of threads, shards and ranks. The finished slices are in
 * job->store. All calls except solve_bytes and solve_alone are collective over the job's communicator. One
 * thread of each rank makes the calls, which start the workers. */
#ifndef SOLVER_ENGINES_SOLVE_H
#define SOLVER_ENGINES_SOLVE_H

#include "solver/shards/job.h"

/* Opens an empty slice, which the caller fills from tables or by solve_slice. If one shard per rank does not
 * fit in memory (with depths, if wanted), a rank has only part of its cells in memory at a time. This
 * requires a spill_folder and an engine that can spill. */
tauler_error solve_open(const solve_job *job, uint32_t slice, bool depths, sharded_slice *out,
                        tauler_message *message);
/* Solves a slice whose converting moves all lead to finished slices. If `depths`, fills the depths as well.
 * Resumes a checkpoint of this solve. Errors: TAULER_NO_MEMORY, TAULER_STOPPED (on request; all is saved),
 * those of the game and of checkpoints. */
tauler_error solve_slice(const solve_job *job, bool depths, sharded_slice *slice, solve_effort *effort,
                         tauler_message *message);
/* Fills the depths of a slice whose values are filled. An engine that finds both at once solves the slice
 * again. */
tauler_error solve_depths(const solve_job *job, sharded_slice *slice, solve_effort *effort,
                          tauler_message *message);

/* Computes the lookups by which tables leave cells out: for each position the value of its best converting
 * move, its own value if it has ended, or INT8_MIN if no move converts. Does nothing for a game without
 * `lookup`, whose tables leave out only the cells that `left_out` names. */
tauler_error solve_lookups(const solve_job *job, sharded_slice *slice, tauler_message *message);
/* Fills the cells equal to `reserved`, which a table left out. */
tauler_error solve_recover(const solve_job *job, sharded_slice *slice, const int8_t reserved[SOLVE_PLANES],
                           tauler_message *message);

/* Returns the most bytes per rank for solving in this number of shards and writing the tables, without
 * finished slices. If the engine spills, *waiting (may be NULL) becomes the bytes that a spilled part has on
 * the disk. */
uint64_t solve_bytes(const solve_job *job, uint32_t slice, bool depths, uint32_t shards,
                     uint32_t shards_per_rank, uint64_t *waiting);

/* Solves a slice in one shard of this process. The cells in *out are charged to the job's memory and belong
 * to the caller, who frees them by solved_slice_free. */
tauler_error solve_alone(const solve_job *job, uint32_t slice, bool depths, solved_slice *out,
                         tauler_message *message);

#endif
