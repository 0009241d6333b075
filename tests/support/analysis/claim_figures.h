/* Runs a claim in the folder of the test, and holds single figures of its report against others. */
#ifndef CLAIM_FIGURES_H
#define CLAIM_FIGURES_H

#include "analysis/claims/claim.h"

/* The job's folder, level and threads are set here; all its memory must be given back. */
void run_claim(const char *name, claim_job job, claim_verdict wanted, report *out);

/* Rows of a table from 0 on. */
void check_number(const report *r, const char *table, int row, const char *column, int64_t wanted);
void check_mean(const report *r, const char *table, int row, const char *column, double wanted);

#endif
