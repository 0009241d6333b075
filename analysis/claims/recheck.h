/* Tables held against slices that are solved by the moves alone (reference.h). Errors are kept in the report
 * of the tables. */
#ifndef ANALYSIS_CLAIMS_RECHECK_H
#define ANALYSIS_CLAIMS_RECHECK_H

#include "analysis/claims/claim_tables.h"
#include "analysis/claims/reference.h"

/* Slices 0 … largest of tables in memory: how many positions there are, and in how many values, or bounds,
 * differ; and the value of one position by the moves. */
typedef struct {
  uint64_t positions, wrong;
  int value;
} recheck_scores;
recheck_scores recheck_layers(const claim_tables *t, int largest, reference_known known, game_place place);

/* All tables of slices up to a number, proven from the moves (analysis/verify). */
typedef struct {
  uint64_t positions, tables, proven;
  bool holds;
} recheck_tables;
recheck_tables recheck_proof(const claim_tables *t, int largest);

#endif
