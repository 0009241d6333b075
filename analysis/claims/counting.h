/* Visits all positions of a slice on all threads, for figures that count positions by their moves and the
 * worths of the moves in tables. */
#ifndef ANALYSIS_CLAIMS_COUNTING_H
#define ANALYSIS_CLAIMS_COUNTING_H

#include "analysis/claims/claim_tables.h"
#include "analysis/slices/bulk.h"

enum { COUNTING_KINDS = 128, COUNTING_PIECE = 1 << 12 };

/* Counts of a figure, by kinds that it defines, and the position noted with the largest number, the first of
 * several. */
typedef struct {
  uint64_t of[COUNTING_KINDS];
  uint64_t most, place; /* largest number, or 0 if none is noted, and its position */
  bool failed;          /* true if memory was short */
} counted;

/* Notes the position `place` if `most` is larger than before, or as large and `place` is smaller. */
void counted_note_most(counted *counts, uint64_t most, uint64_t place);

/* Adds to *out the counts of `count` positions, COUNTING_PIECE at most, from `first` on. All threads call it.
 */
typedef void counting_visit(const void *user, uint64_t first, size_t count, counted *out);

/* Visits the positions 0 … total − 1, and sets *out to the sum of the counts. Keeps the error
 * TAULER_NO_MEMORY if a visit failed. */
void counting_visit_all(claim_tables *t, uint64_t total, counting_visit *visit, const void *user,
                        counted *out);

/* Loads a slice of outcomes into a bulk, which must contain the smaller slices that it needs. Returns its
 * values for the mover, which the caller frees with memory_free, or NULL after an error, which is kept. */
int8_t *counting_read_values(claim_tables *t, bulk *all, uint32_t slice);

#endif
