/* Through the slices of a request in their order, each with its plain values in memory where they fit.
 * Private to analysis/.
 *
 * Cells that a table leaves out come back from the smaller slices, so all that are listed are loaded, and
 * given back when no later one needs them. From the first that does not fit on, none is loaded, and the visit
 * looks cells up one by one. One thread drives; the budget is the caller's. */
#ifndef ANALYSIS_SLICES_BULK_WALK_H
#define ANALYSIS_SLICES_BULK_WALK_H

#include "analysis/slices/bulk.h"
#include "base/progress.h"

/* Called for the slices that are asked for. Loaded values stay until the visit ends; neither values nor
 * outcomes: none. */
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
  progress *shown; /* or NULL; a step is a slice; the visit adds its positions, and may end it */
  size_t *done;    /* or NULL: how many slices are behind it, also when it stops */
} bulk_walk;

/* Stops at the first error, which it returns. Errors: TAULER_NO_MEMORY (lists only), of reading tables, of
 * visits. */
tauler_error bulk_walk_slices(const bulk_walk *walk, tauler_message *message);

#endif
