/* A slice under work: its shards, one or more, each owned by one rank.
 *
 * Only the shards at work need be in memory. The cells of one shard that is all of the slice stand in the
 * order of indexes. Engines fill a slice (solve.h); chunks.h makes tables and stored cells of it, and fills
 * it from tables. A slice owns its layout, the arrays of its shards and, where they do not fit, the file that
 * holds them. One thread at a time makes calls; sharded_load and sharded_unload concern this rank alone.
 */
#ifndef SOLVER_SHARDS_SLICE_H
#define SOLVER_SHARDS_SLICE_H

#include "parallel/comm.h"
#include "solver/shards/layout.h"
#include "solver/shards/mapped.h"
#include "solver/shards/store.h"

/* The arrays of a shard, laid out as layout.h says; parts in the sense of mapped.h. `lookups`: worth of the
 * best converting move, INT8_MIN where there is none; only between solve_lookups and writing. */
enum { SHARD_CELLS = 0, SHARD_LOOKUPS = 2, SHARD_DEPTHS = 4, SHARD_PARTS = 6 };

typedef struct {
  uint64_t n;               /* cells */
  void *parts[SHARD_PARTS]; /* part + plane; NULL: not there or not in memory */
  bool stored[SHARD_PARTS]; /* lies on the disk */
} slice_shard;

/* EXACT: bounds meet everywhere, so that tables and store have the first plane alone. ALL_STORED: tables
 * leave no cell out, since some are not the best of their moves. */
enum { SLICE_EXACT = 1, SLICE_ALL_STORED = 2 };

typedef struct {
  uint32_t slice;
  uint64_t positions;
  int planes;
  unsigned traits; /* a set of SLICE_… */
  comm *comm;      /* or NULL */
  memory_budget *memory;
  slice_layout *layout;
  uint32_t first_shard, shards_here; /* of this rank */
  slice_shard *shards;               /* [shards_here] */
  mapped_arrays *mapped;             /* NULL: all stay in memory */
} sharded_slice;

/* An empty slice; takes the layout over, also on error. With `spill_folder` arrays go to the disk when
 * unloaded. */
tauler_error sharded_open(sharded_slice *out, comm *comm, memory_budget *memory, slice_layout *layout,
                          int planes, const char *spill_folder, tauler_message *message);
void sharded_free(sharded_slice *slice);
/* Frees a slice of one shard but for its cells and depths, which become the caller's, in the slice's budget.
 */
solved_slice sharded_release(sharded_slice *slice);

static inline size_t sharded_cell_bytes(int part) {
  return part >= SHARD_DEPTHS ? sizeof(uint16_t) : sizeof(int8_t);
}

/* Takes an array of zeros for part + plane of the i-th shard here. */
tauler_error sharded_take(sharded_slice *slice, uint32_t i, int part, tauler_message *message);
/* Has a part in memory that was taken before; lets all parts of a shard go, where shards lie on the disk. */
tauler_error sharded_load(sharded_slice *slice, uint32_t i, int part, tauler_message *message);
void sharded_unload(sharded_slice *slice, uint32_t i);
/* Gives the memory and the room on the disk back. */
void sharded_drop(sharded_slice *slice, uint32_t i, int part);

#endif
