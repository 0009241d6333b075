/* Stores finished slices: plain in memory, compressed in memory, or compressed in an unnamed file.
 *
 * A plain store belongs to one rank. It has one array per plane, in the order of indexes, so a lookup is a
 * read of an array, and a slice of one shard becomes finished without a copy.
 *
 * A compressed store serves all ranks. A plane is cut into chunks of STORE_CHUNK cells; the last may be
 * shorter. Each chunk has one rank as its owner (store_begin). No cell is left out. Cells are in small frames
 * that are decompressed one by one, since kernels read rows of cells at random places. Planes 0 and 1 are the
 * cells of solved_slice, one byte each; planes STORE_DEPTHS + plane are depths, two bytes each.
 *
 * store_gather and store_ask read in bulk. They are collective, so that cells of other ranks arrive in few
 * large packets. The thread of the communicator calls them, and they use several threads inside. Any threads
 * may call store_put at once, for chunks of this rank.
 */
#ifndef SOLVER_SHARDS_STORE_H
#define SOLVER_SHARDS_STORE_H

#include "databases/plain_slice.h"
#include "games/game_grid.h"
#include "parallel/comm.h"

enum { STORE_CHUNK = 1 << 18, STORE_DEPTHS = 2, STORE_PLANES = 4 };

typedef struct slice_store slice_store;

typedef struct {
  comm *comm; /* NULL if there is one process */
  int threads;
  const char *spill_folder; /* NULL if the cells are in memory */
  bool plain;               /* true if one rank has all cells uncompressed in memory */
  uint32_t room;            /* number of slices */
} store_settings;

tauler_error store_open(const store_settings *settings, memory_budget *memory, slice_store **out,
                        tauler_message *message);
void store_close(slice_store *store);

/* Returns the slices of a plain store, or none if the store is compressed or NULL. A caller that fills a
 * slice allocates its arrays from the store's budget, and the store frees them. */
plain_slices store_plain(const slice_store *store);
/* True if this rank holds all finished cells: the store is plain or NULL. */
bool store_is_local(const slice_store *store);
/* Returns a reader of the slices of a plain store, for kernels. */
game_finished store_plain_reader(const slice_store *store);

/* The functions below are for compressed stores. */

/* Begins a plane of `positions` cells. Each rank then puts each of its chunks once. Chunk w belongs to rank
 * owners[w], which must be the same in all planes of a slice, or, if `owners` is NULL, to rank w mod ranks.
 */
tauler_error store_begin(slice_store *store, uint32_t slice, int plane, uint64_t positions,
                         const uint32_t *owners, tauler_message *message);
tauler_error store_put(slice_store *store, uint32_t slice, int plane, uint64_t chunk, const void *cells,
                       tauler_message *message);
void store_drop(slice_store *store, uint32_t slice, int plane);

/* Gathered cells for kernels. Threads share them and only read them. */
typedef struct store_cells store_cells;

/* Sorts runs, removes empty ones, and joins those that overlap or nearly touch. Returns the number of runs
 * left. */
size_t store_merge_runs(game_run *runs, size_t n);

/* Gathers the cells of all runs in `planes` planes. Runs may overlap and be in any order. Collective. n may
 * be 0. */
tauler_error store_gather(slice_store *store, const game_run *runs, size_t n, int planes, store_cells **out,
                          tauler_message *message);
void store_cells_free(store_cells *cells);
/* Returns a reader for kernels. Every read must be within one of the gathered runs. */
game_finished store_reader(const store_cells *cells);

/* Looks up single cells. values[plane][i] becomes the value of places[i] and, if neither `depths` nor
 * depths[plane] is NULL, depths[plane][i] its depth, or 0 if the store has no depths of the slice.
 * Collective. n may be 0. */
tauler_error store_ask(slice_store *store, const game_place *places, size_t n, int planes, int8_t *values[],
                       uint16_t *depths[], tauler_message *message);

#endif
