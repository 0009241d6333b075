/* Moves cells between the shards of a slice and the order of indexes, in chunks. Private to the solver.
 *
 * Tables and the store have cells in the order of indexes, but a shard's cells are spread over the slice. The
 * unit of exchange is the chunk. The rank that holds most cells of a chunk owns the chunk if the rank has
 * room, and collects the other cells, so that few cells are sent. The chunk becomes frames of a table and
 * cells of the store. Each rank writes its own frames into the file and reads them back. Rank 0 adds the
 * header and the seek table and gives the file its name. The calls that move cells are collective. The file
 * does not depend on ranks, workers or shards. */
#ifndef SOLVER_TABLES_CHUNKS_H
#define SOLVER_TABLES_CHUNKS_H

#include "solver/shards/slice.h"
#include "solver/shards/store.h"
#include "solver/tables/job.h"

/* Writes the tables of values or depths, and puts the cells into `store` unless it is NULL. Unless the slice
 * is SLICE_ALL_STORED, a value is stored as reserved if the cell is left out or equals its one-ply lookup.
 * Frees the lookups of the planes of values that it writes. */
tauler_error chunks_write(const build_job *job, sharded_slice *slice, bool depths, slice_store *store,
                          tauler_message *message);

/* Sets the traits of the slice, allocates cells or depths in the shards, and reads the tables into them.
 * Cells that a table leaves out become SLICE_RESERVED, depths SOLVE_NO_DEPTH. */
tauler_error chunks_read(const build_job *job, sharded_slice *slice, bool depths, tauler_message *message);
/* Puts cells or depths into `store`, and writes no table. */
tauler_error chunks_pack(const build_job *job, sharded_slice *slice, bool depths, slice_store *store,
                         tauler_message *message);

/* Returns the most bytes that these functions need beyond the shards. `shard_cells` is the number of cells of
 * the largest shard. */
uint64_t chunks_bytes(int threads, uint32_t shards, uint32_t shards_per_rank, uint64_t shard_cells,
                      bool depths);

#endif
