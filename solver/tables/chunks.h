/* Between the shards of a slice and the order of indexes: chunks of cells. Private to the solver.
 *
 * A chunk is owned by the rank that holds most of its cells, gathers the others there, and becomes frames of
 * a table and stored cells. Each rank writes its own frames into the file and reads them back; rank 0 adds
 * header and seek table and gives the file its name. All calls are collective. The file does not depend on
 * ranks, workers or shards. Chunks travel in batches, so chunks_bytes bounds the memory beyond the shards.
 */
#ifndef SOLVER_TABLES_CHUNKS_H
#define SOLVER_TABLES_CHUNKS_H

#include "solver/shards/slice.h"
#include "solver/shards/store.h"
#include "solver/tables/job.h"

/* Writes the tables of values or depths, compressed on the way into `store` unless that is NULL. Values are
 * reserved where a cell is left out or equals its one-ply lookup; those that were found are dropped. */
tauler_error chunks_write(const build_job *job, sharded_slice *slice, bool depths, slice_store *store,
                          tauler_message *message);

/* Reads the tables of values or depths into the shards (taken here): reserved, or SOLVE_NO_DEPTH, where they
 * leave out. */
tauler_error chunks_read(const build_job *job, sharded_slice *slice, bool depths, tauler_message *message);
/* Packs values or depths as the shards hold them. */
tauler_error chunks_pack(const build_job *job, sharded_slice *slice, bool depths, slice_store *store,
                         tauler_message *message);

/* Bytes that all this takes at most, beside the shards; the cells of the shards of a plane that are in memory
 * at once are `shard_bytes`. */
uint64_t chunks_bytes(int threads, uint32_t shards, uint32_t shards_per_rank, uint64_t shard_bytes,
                      bool depths);

#endif
