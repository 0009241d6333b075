/* Goes through all positions of a slice on all threads, for figures that count them by their moves and by
 * what the tables say of these. */
#ifndef ANALYSIS_CLAIMS_COUNTING_H
#define ANALYSIS_CLAIMS_COUNTING_H

#include "analysis/claims/claim_tables.h"
#include "analysis/slices/bulk.h"

enum { COUNTING_KINDS = 128, COUNTING_PIECE = 1 << 12 };

/* Sums of a figure's own kinds; and the position with the most of what it looks for, of several the one with
 * the least number. */
typedef struct {
  uint64_t of[COUNTING_KINDS];
  uint64_t most, place; /* most 0: there is none */
  bool failed;          /* want of memory */
} counted;

void counted_note_most(counted *counts, uint64_t most, uint64_t place);

/* Visits `count` positions, COUNTING_PIECE at most, from `first` on; all threads call it. */
typedef void counting_visit(const void *user, uint64_t first, size_t count, counted *out);

/* Visits the positions 0 … total − 1. Errors are kept with the tables: TAULER_NO_MEMORY if the visit fails.
 */
void counting_all(claim_tables *t, uint64_t total, counting_visit *visit, const void *user, counted *out);

/* Values of a slice for the mover; smaller slices that it needs are in the bulk. The caller frees them with
 * memory_free, from the budget of the job. Returns NULL after an error, which is kept. */
int8_t *counting_values(claim_tables *t, bulk *all, uint32_t slice);

#endif
