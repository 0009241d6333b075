/* Plain values of whole slices in memory, computed by the games' kernels: far faster than cell by cell, if
 * all smaller slices fit. Private to analysis/.
 *
 * A bulk owns every slice loaded into it, until bulk_close or bulk_drop; the budget belongs to its caller.
 * One thread uses it and may pass the cells to others.
 */
#ifndef ANALYSIS_SLICES_BULK_H
#define ANALYSIS_SLICES_BULK_H

#include "analysis/probe/probe_tables.h"
#include "base/progress.h"

typedef struct bulk bulk;

/* A slice in memory: its values or, if the game has bitboards, outcomes with their depths. */
typedef struct {
  uint32_t slice;
  const solved_slice *all; /* values of it and of the smaller slices, by number, or NULL */
  const bulk *outcomes;    /* may be NULL */
} bulk_slice;

/* True if slices of these tables are loaded as outcomes with their depths. */
bool bulk_has_depths(const tauler_tables *tables);

/* Opens a bulk for slices with numbers up to `largest`. Errors: TAULER_NO_MEMORY. */
tauler_error bulk_open(tauler_tables *tables, uint32_t largest, int threads, memory_budget *memory,
                       bulk **out, tauler_message *message);
void bulk_close(bulk *b);

/* Loads a slice whose converting moves all lead to loaded slices. *out is valid until the slice is dropped.
 * Errors: those of memory_allocate and slice_table. */
tauler_error bulk_load(bulk *b, uint32_t slice, bulk_slice *out, tauler_message *message);

/* Frees a slice that no other slice needs. */
void bulk_drop(bulk *b, uint32_t slice);

/* Values of `count` outcomes, and depths, 0 if there is none. */
void bulk_outcomes(const bulk_slice *loaded, uint64_t first, size_t count, int8_t *cells, uint16_t *depths);

/* --- the slices of a request in their order ---
 *
 * Cells that a table leaves out are computed from the smaller slices. So all listed slices are loaded, and
 * freed when no later one needs them. From the first one that does not fit on, none is loaded, and the visit
 * looks cells up one by one.
 */

/* Called for the slices that are asked for. Loaded values stay until the visit ends; if there are neither
 * values nor outcomes, the slice is not loaded. */
typedef tauler_error (*bulk_visit)(void *user, uint32_t slice, const bulk_slice *loaded,
                                   tauler_message *message);

typedef struct {
  tauler_tables *tables;
  const game_slices *slices;
  bool in_memory; /* false: nothing is loaded */
  int threads;
  memory_budget *memory;
  bulk_visit visit;
  void *user;
  progress *shown; /* progress by slices, to which the visit adds positions and which it may end, or NULL */
  size_t *done;    /* number of slices done, also after an error, or NULL */
} bulk_walk;

/* Stops at the first error and returns it. Errors: TAULER_NO_MEMORY (lists only), those of reading tables and
 * of visits. */
tauler_error bulk_walk_slices(const bulk_walk *walk, tauler_message *message);

#endif
