/* Findings of a claim at a size that needs a large machine, kept in the Markdown beside it: printed behind
 * the findings of this machine, and compared with them.
 *
 * Items of a report_stored are `verdict`, `reason`, `tables of RULES` ("25, DIGEST") and `row of TABLE`, its
 * figures parted by " | "; rows of a table stand together.
 */
#ifndef ANALYSIS_CLAIMS_STORED_H
#define ANALYSIS_CLAIMS_STORED_H

#include "analysis/claims/report.h"

/* Adds what is stored to a report that has the layouts and all that is found, and compares. Errors, kept in
 * the report: TAULER_NO_MEMORY, TAULER_INTERNAL (an item that the layouts do not know). */
void stored_add(report *r, const report_stored *stored);

/* Visits the digests that are stored: how many tables a rule set has, and one digest for all of them. */
typedef struct {
  const char *rules, *digest;
  int tables;
} stored_tables;
bool stored_next_tables(const report_stored *stored, size_t *at, stored_tables *out);

/* Where the figures are from, and how many were found again. */
typedef struct {
  char text[512];
} stored_words;
const char *stored_say(const report *r, stored_words *words);

#endif
