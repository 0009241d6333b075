/* The store of finished slices, with three backings: plain in memory, compressed in memory, compressed in an
 * unnamed file.
 *
 * A plain store is of one rank. It keeps each plane in one array in the order of indexes, so a lookup in it
 * reads an array, and a slice of one shard is kept without a copy.
 *
 * In a compressed store each chunk of cells is owned by one rank. A plane of a slice is cut into chunks of
 * STORE_CHUNK cells (the last is shorter); the caller that begins a plane names the owner of each chunk.
 * Cells are the full values (nothing is left out), in small frames that are decompressed one by one. Planes 0
 * and 1 are the cells of solved_slice, of one byte; STORE_DEPTHS + plane are depths, of two.
 *
 * store_gather and store_ask read in bulk: they are collective, so that cells of other ranks come in few
 * large packets. They use several threads inside; the thread of the communicator calls them. Any threads at
 * once may call store_put, for chunks of this rank.
 */
#ifndef SOLVER_SHARDS_STORE_H
#define SOLVER_SHARDS_STORE_H

#include "databases/plain_slice.h"
#include "games/game.h"
#include "parallel/comm.h"

enum { STORE_CHUNK = 1 << 18, STORE_DEPTHS = 2, STORE_PLANES = 4 };

typedef struct slice_store slice_store;

typedef struct {
  comm *comm; /* or NULL */
  int threads;
  const char *spill_folder; /* or NULL: in memory */
  bool plain;               /* as they are, in memory; of one rank */
  uint32_t room;            /* slices 0 … room − 1 */
} store_settings;

tauler_error store_open(const store_settings *settings, memory_budget *memory, slice_store **out,
                        tauler_message *message);
void store_close(slice_store *store);

/* The slices of a plain store. The caller that fills a slice takes its arrays from the store's budget; the
 * store gives them back. Empty for a compressed store, or none. */
plain_slices store_plain(const slice_store *store);
/* True if this rank holds all finished cells: the store is plain, or there is none. */
bool store_is_local(const slice_store *store);
/* Reads the slices of a plain store for kernels. */
game_finished store_plain_reader(const slice_store *store);

/* Makes room for a plane of a slice; then every chunk of this rank is put once. `positions` cells. Rank
 * owners[w] owns chunk w, the same for all planes of a slice; NULL: w mod ranks. */
tauler_error store_begin(slice_store *store, uint32_t slice, int plane, uint64_t positions,
                         const uint32_t *owners, tauler_message *message);
tauler_error store_put(slice_store *store, uint32_t slice, int plane, uint64_t chunk, const void *cells,
                       tauler_message *message);
/* Forgets a plane altogether. */
void store_drop(slice_store *store, uint32_t slice, int plane);

/* The rest is for compressed stores.
 *
 * Cells that were gathered, for kernels: read-only, shared by threads. */
typedef struct store_cells store_cells;

/* Sorts runs and joins those that overlap or nearly touch; returns how many are left. */
size_t store_merge_runs(game_run *runs, size_t n);

/* Brings the cells of `planes` planes in all runs here. Runs may overlap and come in any order; they
 * are sorted and merged in place. Collective; a rank may ask for nothing. */
tauler_error store_gather(slice_store *store, game_run *runs, size_t n, int planes, store_cells **out,
                          tauler_message *message);
void store_cells_free(store_cells *cells);
/* Every read must lie in one of the runs gathered. */
game_finished store_reader(const store_cells *cells);

/* Single cells: values[plane][i] of places[i], and depths[plane][i] where depths is not NULL (0 where
 * the slice has none; outcomes). Collective; a rank may ask for nothing. */
tauler_error store_ask(slice_store *store, const game_place *places, size_t n, int planes, int8_t *values[],
                       uint16_t *depths[], tauler_message *message);

#endif
