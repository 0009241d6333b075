/* Loads plain values of whole slices into memory, by the games' kernels if there are any. This is far faster
 * than reading cell by cell, but all slices that are needed must fit in memory. Private to analysis/.
 *
 * A bulk owns every slice loaded into it, until bulk_close or bulk_drop; the budget belongs to its caller.
 * One thread at a time calls; any number of threads may read the cells.
 */
#ifndef ANALYSIS_SLICES_BULK_H
#define ANALYSIS_SLICES_BULK_H

#include "analysis/probe/probe_tables.h"
#include "base/progress.h"

typedef struct bulk bulk;

/* A slice in memory: its values or, if the game has bitboards, outcomes with their depths. */
typedef struct {
  uint32_t slice;
  const solved_slice *all; /* values of this slice and of smaller ones, by slice number, or NULL */
  const bulk *outcomes;    /* bulk that has the outcomes, or NULL */
} bulk_slice;

/* True if slices of these tables are loaded as outcomes with their depths. */
bool bulk_has_depths(const tauler_tables *tables);

/* Opens a bulk for slices with numbers up to `largest`. Errors: those of memory_allocate. */
tauler_error bulk_open(tauler_tables *tables, uint32_t largest, int threads, memory_budget *memory,
                       bulk **out, tauler_message *message);
void bulk_close(bulk *b);

/* Loads a slice, after those that its converting moves lead to. *out is valid until the slice is dropped.
 * Errors: those of memory_allocate and slice_table, TAULER_NOT_PROVEN (values out of range). */
tauler_error bulk_load(bulk *b, uint32_t slice, bulk_slice *out, tauler_message *message);

/* Frees a slice that no slice still to be loaded needs. */
void bulk_drop(bulk *b, uint32_t slice);

/* Writes the values and depths of `count` outcomes. The depth is 0 if there is none. */
void bulk_read_outcomes(const bulk_slice *loaded, uint64_t first, size_t count, int8_t *cells,
                        uint16_t *depths);

/* --- the slices of a request in their order ---
 *
 * Cells that a table leaves out are computed from smaller slices. So all listed slices are loaded. Each is
 * freed when no later one needs it, or at the end if the game does not tell its needs. If one does not fit,
 * all are freed, no later one is loaded, and visits read cells from the tables.
 */

/* Visits a slice that is asked for. `loaded` is valid until the visit returns. If it has neither values nor
 * outcomes, the slice is not in memory. */
typedef tauler_error (*bulk_visit)(void *user, uint32_t slice, const bulk_slice *loaded,
                                   tauler_message *message);

typedef struct {
  tauler_tables *tables;
  const game_slices *slices;
  bool in_memory;
  int threads;
  memory_budget *memory;
  bulk_visit visit;
  void *user;
  progress *shown; /* display of the progress in each slice, to which the visit adds positions and which it
                      may end, or NULL */
  size_t *done;    /* number of slices done, also after an error. The caller sets it to 0. May be NULL */
} bulk_walk;

/* Visits the slices that are asked for. Stops at the first error. Errors: those of bulk_open, bulk_load and
 * game->needs except TAULER_NO_MEMORY and TAULER_NO_SPACE; those of visits. */
tauler_error bulk_walk_slices(const bulk_walk *walk, tauler_message *message);

#endif
