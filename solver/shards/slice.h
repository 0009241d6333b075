/* A slice under work: it has shares, one or more. Every share's cells lie with the rank that it is at home
 * at, and only those of the shares at work need be in memory. The cells of one share that is all of the slice
 * stand in the order of indexes.
 *
 * Engines fill a spread slice (solve.h), windows.h turns it into tables and packed cells and back. It
 * owns its layout, the arrays of its shares and, where they do not fit, the file they lie in. All calls are
 * made by one thread at a time; spread_load and spread_unload concern this rank alone.
 */
#ifndef SOLVER_SHARDS_SLICE_H
#define SOLVER_SHARDS_SLICE_H

#include "solver/parallel/ranks.h"
#include "solver/shards/layout.h"
#include "solver/shards/mapped.h"
#include "solver/shards/packed.h"

/* The arrays of a share, laid out as layout.h says; parts in the sense of mapped.h. `looks`: worth of the
 * best converting move, INT8_MIN where there is none; only between solve_looks and writing. */
enum { SPREAD_CELLS = 0, SPREAD_LOOKS = 2, SPREAD_DEPTHS = 4, SPREAD_PARTS = 6 };

typedef struct {
  uint64_t n;                /* cells */
  void *parts[SPREAD_PARTS]; /* part + plane; NULL: not there or not in memory */
  bool stored[SPREAD_PARTS]; /* lies on the disk */
} spread_share;

typedef struct {
  uint32_t slice;
  uint64_t positions;
  int planes;
  team *team; /* or NULL */
  memory_budget *memory;
  slice_layout *layout;
  uint32_t first_share, shares_here; /* at home at this rank */
  spread_share *shares;              /* [shares_here] */
  mapped_arrays *mapped;             /* NULL: all stay in memory */
} spread_slice;

/* An empty slice; takes the layout over, also on error. With `spill_folder` arrays go to the disk when
 * unloaded. */
tauler_error spread_open(spread_slice *out, team *team, memory_budget *memory, slice_layout *layout,
                         int planes, const char *spill_folder, tauler_message *message);
void spread_free(spread_slice *slice);
/* Frees a slice of one share but for its cells and depths, which become the caller's, in the slice's budget.
 */
solved_slice spread_release(spread_slice *slice);
/* The other way: an empty slice of one share gets cells, and depths if there are any. */
void spread_adopt(spread_slice *slice, const solved_slice *cells);

static inline size_t spread_cell_bytes(int part) {
  return part >= SPREAD_DEPTHS ? sizeof(uint16_t) : sizeof(int8_t);
}

/* Takes an array of zeros for part + plane of the i-th share here. */
tauler_error spread_take(spread_slice *slice, uint32_t i, int part, tauler_message *message);
/* Has a part in memory that was taken before; and lets it go, where shares lie on the disk. */
tauler_error spread_load(spread_slice *slice, uint32_t i, int part, tauler_message *message);
tauler_error spread_unload(spread_slice *slice, uint32_t i, int part, tauler_message *message);
/* Gives the memory and the room on the disk back. */
void spread_drop(spread_slice *slice, uint32_t i, int part);

#endif
