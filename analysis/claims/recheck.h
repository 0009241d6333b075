/* Tables proven from the moves. Errors are kept in the report of the tables. */
#ifndef ANALYSIS_CLAIMS_RECHECK_H
#define ANALYSIS_CLAIMS_RECHECK_H

#include "analysis/claims/claim_tables.h"

/* All tables of slices up to a number, proven from the moves (analysis/verify). */
typedef struct {
  uint64_t positions, tables, proven;
  bool holds;
} recheck_tables;
recheck_tables recheck_proof(const claim_tables *t, int largest);

#endif
