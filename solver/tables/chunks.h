/* Between the shares of a spread slice and the order of indexes: windows of cells that come from all
 * ranks, become frames of a table and packed cells at the rank that they are at home at, and reach the
 * file through the leading rank. Every call is collective. Private to the solver.
 *
 * Only the leading rank writes, and what it writes does not depend on ranks, threads or shares.
 * Windows travel in batches, so that memory beyond the shares is bounded by windows_bytes.
 */
#ifndef SOLVER_TABLES_CHUNKS_H
#define SOLVER_TABLES_CHUNKS_H

#include "solver/shards/packed.h"
#include "solver/shards/slice.h"
#include "solver/tables/job.h"

/* Values with looks, if there are any (reserved where a cell equals its look or is left out), packed on the
 * way unless packed is NULL. Looks are dropped. */
tauler_error windows_write_values(const build_job *job, spread_slice *slice, packed_slices *packed,
                                  tauler_message *message);
/* Depths; packed too where pack says so (outcomes). */
tauler_error windows_write_depths(const build_job *job, spread_slice *slice, packed_slices *packed,
                                  tauler_message *message);

/* Reads the tables of values into the shares' cells (taken here), reserved where they leave out. */
tauler_error windows_read_values(const build_job *job, spread_slice *slice, tauler_message *message);
/* Packs cells that were recovered. */
tauler_error windows_pack(const build_job *job, spread_slice *slice, packed_slices *packed,
                          tauler_message *message);
/* Reads and packs the tables of depths of outcomes, SOLVE_NO_DEPTH where they leave out. */
tauler_error windows_pack_depths(const build_job *job, uint32_t slice, packed_slices *packed,
                                 tauler_message *message);

/* Bytes that all this takes at most, beside the shares; the cells of the shares of a plane that are in memory
 * at once are `share_bytes`. */
uint64_t windows_bytes(int threads, uint32_t shares, uint32_t shares_per_rank, uint64_t share_bytes,
                       bool depths);

#endif
