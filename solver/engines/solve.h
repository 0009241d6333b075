/* Solving: the exact value, and if wanted the depth, of every position of one slice.
 *
 * solve_slice picks the engine: by grid (relaxation.c) where the game has kernels, in general
 * (retrograde.c) elsewhere, which give the same cells, bit by bit; where a repetition ends play, own_row.c.
 * All give the same for any number of threads. The cells of a solved slice belong to the caller, who gives
 * them back with solved_slice_free; finished slices are read only and may be shared. One job is driven by one
 * thread, which starts the others.
 */
#ifndef SOLVER_ENGINES_SOLVE_H
#define SOLVER_ENGINES_SOLVE_H

#include "solver/shards/job.h"

/* Solves a slice whose converting moves all lead to finished slices. `out` has slice, positions and
 * planes; its cells are taken from job->memory. With `depths`, fills those as well. If out->cells
 * are there already they are taken as solved and only depths are worked out. A checkpoint of this
 * solve is taken up. Errors: TAULER_NO_MEMORY, TAULER_STOPPED (on request, everything is kept), what
 * the game returns, errors of checkpoints. */
tauler_error solve_slice(const solve_job *job, uint32_t slice, bool depths, solved_slice *out,
                         solve_effort *effort, tauler_message *message);

void solved_slice_free(memory_budget *memory, solved_slice *slice);

/* Whether the first repetition ends play under these rules (own_row.h): solved whole, for any `general`. */
bool solve_is_own_row(const game *game, const game_rules *rules);
/* Of these: whether guarantees are to hold whatever positions were met before (own_row_any.h). Finished
 * slices are then those of game->fresh_cycles. */
bool solve_is_own_row_any(const game *game, const game_rules *rules);

/* Bytes that solving takes at most beyond the finished slices, the solved cells included. */
uint64_t solve_slice_bytes(const solve_job *job, uint32_t slice, bool depths);

/* What tables need to leave cells out, in memory taken from the job: for each plane and position the
 * worth of the best converting move, INT8_MIN where there is none. NULL for a game without `look`: its cells
 * are left out by where they are. */
tauler_error solve_looks(const solve_job *job, const solved_slice *solved, int8_t *looks[SOLVE_PLANES],
                         tauler_message *message);

/* Puts back the cells equal to `reserved` that a table left out. */
tauler_error solve_recover(const solve_job *job, solved_slice *slice, const int8_t reserved[SOLVE_PLANES],
                           tauler_message *message);
/* And then the depths of outcomes, SOLVE_NO_DEPTH where they were left out. */
tauler_error solve_recover_depths(const solve_job *job, solved_slice *slice, tauler_message *message);

/* The same for a slice in shares (spread.h), each collective over the job's team. The smaller slices are
 * those of job->packed. solve_spread_open opens an empty slice: memory that does not suffice for one share
 * per rank, depths included where they will be wanted, makes more of them, of which one at a time is in
 * memory, unless there is no spill_folder. It is filled from tables or by solve_spread; with `depths` and a
 * game without a grid that fills those as well, else solve_spread_depths does. Looks are taken here, for
 * windows_write_values, and cells that a table left out put back, for windows_pack. */
tauler_error solve_spread_open(const solve_job *job, uint32_t slice, bool depths, spread_slice *out,
                               tauler_message *message);
tauler_error solve_spread(const solve_job *job, bool depths, spread_slice *slice, solve_effort *effort,
                          tauler_message *message);
tauler_error solve_spread_depths(const solve_job *job, spread_slice *slice, solve_effort *effort,
                                 tauler_message *message);
tauler_error solve_spread_looks(const solve_job *job, spread_slice *slice, tauler_message *message);
tauler_error solve_spread_recover(const solve_job *job, spread_slice *slice, int8_t reserved,
                                  tauler_message *message);
/* Depths are put back when values and depths are packed. */
tauler_error solve_packed_recover_depths(const solve_job *job, uint32_t slice, tauler_message *message);

/* Bytes per rank that solving in so many shares takes at most, packed slices left out. *waiting (or NULL):
 * what one of them leaves on the disk where there are several per rank. */
uint64_t solve_spread_bytes(const solve_job *job, uint32_t slice, bool depths, uint32_t shares,
                            uint32_t shares_per_rank, uint64_t *waiting);

/* Reads finished slices for grid kernels. */
game_finished finished_reader(const finished_slices *finished);

#endif
