/* The store of finished slices, in one of three ways: as they are, in memory; compressed in memory; or
 * compressed in a hidden file without a name.
 *
 * A plain store is of one rank. It keeps each plane in one array in the order of indexes, so a look into it
 * is a look into an array, and a slice of one shard is kept without a copy.
 *
 * In a compressed store each window of cells is at home at one rank. A plane of a slice is cut into windows
 * of PACKED_WINDOW cells (the last is shorter); window w is at home at rank w mod ranks. Cells are the full
 * values (nothing is left out), in small frames that are decompressed one by one. Planes 0 and 1 are the
 * cells of solved_slice, of one byte; PACKED_DEPTHS + plane are depths, of two.
 *
 * Reading it is in bulk: packed_gather and packed_ask are collective, so that what is needed of other
 * ranks' windows comes in few large parcels. They work with several threads inside and are called by
 * the team's thread. packed_put is called by any threads at once, for windows at home here.
 */
#ifndef SOLVER_SHARDS_PACKED_H
#define SOLVER_SHARDS_PACKED_H

#include "base/memory.h"
#include "games/game.h"
#include "solver/parallel/ranks.h"

enum { PACKED_WINDOW = 1 << 18, PACKED_DEPTHS = 2, PACKED_PLANES = 4 };

/* Cells in index order. One plane: the values. Two: lower and upper bounds. Depths that do not exist are
 * SOLVE_NO_DEPTH. */
typedef struct {
  uint32_t slice;
  uint64_t positions;
  int planes;
  int8_t *cells[PACKED_DEPTHS];    /* NULL: the slice is not there */
  uint16_t *depths[PACKED_DEPTHS]; /* NULL when they are not wanted */
} solved_slice;

typedef struct packed_slices packed_slices;

typedef struct {
  team *team; /* or NULL */
  int threads;
  const char *spill_folder; /* or NULL: in memory */
  bool plain;               /* as they are, in memory; of one rank */
  uint32_t room;            /* slices 0 … room − 1 */
} packed_settings;

tauler_error packed_open(const packed_settings *settings, memory_budget *memory, packed_slices **out,
                         tauler_message *message);
void packed_close(packed_slices *packed);

/* The slices of a plain store, by number; those that are not there have no cells. Who fills one takes its
 * arrays from the store's budget, and the store gives them back. Empty for a compressed store, or none. */
typedef struct {
  solved_slice *list;
  uint32_t room; /* slices 0 … room − 1 */
} plain_slices;
plain_slices packed_plain(const packed_slices *packed);
/* Whether finished cells are at hand: the store is plain, or there is none. */
bool packed_is_at_hand(const packed_slices *packed);
/* Reads the slices of a plain store for kernels. */
game_finished packed_plain_reader(const packed_slices *packed);

/* Makes room for a plane of a slice; then every window at home here is put once. `positions` cells. */
tauler_error packed_begin(packed_slices *packed, uint32_t slice, int plane, uint64_t positions,
                          tauler_message *message);
tauler_error packed_put(packed_slices *packed, uint32_t slice, int plane, uint64_t window, const void *cells,
                        tauler_message *message);
/* The cells of a window at home here, which was put; putting it again replaces it. By the team's thread. */
tauler_error packed_get(packed_slices *packed, uint32_t slice, int plane, uint64_t window, void *cells,
                        tauler_message *message);
/* Forgets a plane altogether. */
void packed_drop(packed_slices *packed, uint32_t slice, int plane);
bool packed_has(const packed_slices *packed, uint32_t slice);
uint64_t packed_bytes_held(const packed_slices *packed); /* in memory, here */

/* What follows is of compressed stores.
 *
 * Cells that were gathered, for kernels: read-only, shared by threads. */
typedef struct packed_cells packed_cells;

/* Sorts runs and joins those that overlap or nearly meet; returns how many are left. */
size_t packed_merge_runs(game_run *runs, size_t n);

/* Brings the cells of `planes` planes in all runs here. Runs may overlap and come in any order; they
 * are sorted and merged in place. Collective; a rank may ask for nothing. */
tauler_error packed_gather(packed_slices *packed, game_run *runs, size_t n, int planes, packed_cells **out,
                           tauler_message *message);
void packed_cells_free(packed_cells *cells);
uint64_t packed_cells_bytes(const packed_cells *cells);
/* Every read must lie in one of the runs gathered. */
game_finished packed_reader(const packed_cells *cells);

/* Single cells: values[plane][i] of places[i], and depths[plane][i] where depths is not NULL (0 where
 * the slice has none; outcomes). Collective; a rank may ask for nothing. */
tauler_error packed_ask(packed_slices *packed, const game_place *places, size_t n, int planes,
                        int8_t *values[], uint16_t *depths[], tauler_message *message);

#endif
