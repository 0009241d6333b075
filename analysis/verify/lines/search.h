/* Bounds of positions on a fresh history, found by lines of play. Private to the proof check.
 *
 * Nothing here is shared with lines/, by which tables are built, so that an error of one of the two shows.
 * One thread at a time.
 */
#ifndef ANALYSIS_VERIFY_LINES_SEARCH_H
#define ANALYSIS_VERIFY_LINES_SEARCH_H

#include "base/memory.h"

/* The moves of a slice, borrowed. */
typedef struct {
  uint32_t n;
  uint32_t *first, *child;       /* quiet moves of i: child[first[i]] … child[first[i + 1] − 1] */
  uint32_t *back_first, *parent; /* the same backwards */
  /* The mover's least and greatest gain by the best converting move, the value of an end, or INT8_MIN if
   * there is neither. */
  int8_t *gives[2];
  int8_t *pays; /* the mover, if the position comes back */
} lines_moves;

enum { LINES_BUDGET = 1 << 25 };

/* Tightens the bounds of movers. They must be bounds by play that needs no history, such as those of a nested
 * fixpoint, since lines end where they decide (docs/proofs.md). `budget` is the number of nodes that may be
 * looked at for one position and threshold, 0: LINES_BUDGET. Where it does not suffice bounds stay apart.
 * Errors: TAULER_NO_MEMORY. */
tauler_error lines_search(const lines_moves *moves, memory_budget *memory, uint64_t budget, int8_t *lower,
                          int8_t *upper, tauler_message *message);

#endif
