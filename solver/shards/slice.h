/* Declares a slice that is being solved, and allocates, loads and frees the arrays of its shards.
 *
 * Each shard is owned by one rank. Arrays may be mapped from a file: if a rank has several shards, only the
 * loaded one is in memory; of a rank's only shard, some pages are. If a slice has one shard, its cells are in
 * the order of indexes. Engines fill a slice (solve.h); chunks.h turns it into tables and stored cells, and
 * fills it from tables. A slice owns its layout, the arrays of its shards and their file. One thread at a
 * time calls these functions, which concern this rank alone.
 */
#ifndef SOLVER_SHARDS_SLICE_H
#define SOLVER_SHARDS_SLICE_H

#include "parallel/comm.h"
#include "solver/shards/layout.h"
#include "solver/shards/mapped.h"
#include "solver/shards/store.h"

/* The arrays of a shard, in the order of layout.h. Their numbers are the parts of mapped.h. SHARD_LOOKUPS has
 * the value of each ended position and the worth of the best converting move of each other position, INT8_MIN
 * if it has none. It exists only until the slice is written. */
enum { SHARD_CELLS = 0, SHARD_LOOKUPS = 2, SHARD_DEPTHS = 4, SHARD_PARTS = 6 };

typedef struct {
  uint64_t n;
  void *parts[SHARD_PARTS]; /* [part + plane], NULL if absent or not loaded */
  bool stored[SHARD_PARTS]; /* true if the array has room in the file */
} slice_shard;

/* SLICE_EXACT: both bounds are equal everywhere, so tables and the store have the values only once.
 * SLICE_ALL_STORED: some cells are not the best of their moves, so tables leave no cell out. */
enum { SLICE_EXACT = 1, SLICE_ALL_STORED = 2 };

typedef struct {
  uint32_t slice;
  uint64_t positions;
  int planes;
  unsigned traits; /* bits SLICE_… */
  comm *comm;      /* NULL if there is one process */
  memory_budget *memory;
  slice_layout *layout;
  /* This rank has the shards first_shard … first_shard + shards_here − 1. */
  uint32_t first_shard, shards_here;
  slice_shard *shards;   /* [shards_here] */
  mapped_arrays *mapped; /* NULL if all arrays are in memory */
} sharded_slice;

/* Opens an empty slice, which owns the layout from then on. After an error the layout is freed. If
 * `spill_folder` is not NULL, arrays are mapped from a file in that folder. Then those of a rank's only shard
 * are not charged: the caller keeps their pages within the budget. */
tauler_error sharded_open(sharded_slice *out, comm *comm, memory_budget *memory, slice_layout *layout,
                          int planes, const char *spill_folder, tauler_message *message);
void sharded_free(sharded_slice *slice);
/* Frees a slice of one shard and returns its cells and depths, which stay allocated and charged to the
 * slice's budget. */
solved_slice sharded_release(sharded_slice *slice);

static inline size_t sharded_cell_bytes(int part) {
  return part >= SHARD_DEPTHS ? sizeof(uint16_t) : sizeof(int8_t);
}

/* Allocates zeros for part + plane of the i-th shard of this rank. */
tauler_error sharded_allocate(sharded_slice *slice, uint32_t i, int part, tauler_message *message);
/* Loads an array that sharded_allocate allocated. */
tauler_error sharded_load(sharded_slice *slice, uint32_t i, int part, tauler_message *message);
/* If the slice has a file, unloads all arrays of a shard. */
void sharded_unload(sharded_slice *slice, uint32_t i);
/* If the slice has a file, drops all pages. */
void sharded_drop_pages(const sharded_slice *slice);
enum { SHARDED_PIECE = 1 << 20 }; /* most cells of a piece of an array */
/* Returns the end of the piece that begins at cell `at` < n of an array of n cells. First drops all pages if
 * the slice has a file, so that a loop over pieces needs the memory of one. */
uint64_t sharded_next_piece(const sharded_slice *slice, uint64_t at, uint64_t n);
void sharded_drop(sharded_slice *slice, uint32_t i, int part);

#endif
