/* Narrows the bounds of abapa for a fresh history by lines of play, layer by layer and within an effort; a
 * board that comes back ends play and each side takes its own row. Equal bounds give the exact value of a
 * board right after a capture.
 *
 * An auale_exact owns its layers until auale_exact_close, and reads the rules of the tables it was opened
 * with, which outlive it. Errors are kept in the report of the tables. One thread at a time.
 */
#ifndef ANALYSIS_CLAIMS_AUALE_HISTORY_EXACT_H
#define ANALYSIS_CLAIMS_AUALE_HISTORY_EXACT_H

#include "analysis/claims/claim_tables.h"
#include "lines/lines.h"
#include "solver/engines/solve.h"

typedef struct {
  report *out;
  solve_job solve;
  own_row_job lines;
  solved_slice *layers; /* of the job's finished slices */
} auale_exact;

/* To be closed also after an error. */
bool auale_exact_open(auale_exact *e, const claim_tables *own_row);
void auale_exact_close(auale_exact *e);

/* Works out the layer of n seeds, after those before it. Returns on how many boards the bounds are equal
 * before lines are followed, those of smaller layers being tightened. */
uint64_t auale_exact_solve(auale_exact *e, int n);

/* On how many boards of a layer the bounds are equal. */
uint64_t auale_exact_count(const int8_t *lower, const int8_t *upper, uint64_t boards);

#endif
