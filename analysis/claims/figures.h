/* A computation that claims have C do: the command figures opens a rule set, and prints what it writes as
 * JSON. */
#ifndef ANALYSIS_CLAIMS_FIGURES_H
#define ANALYSIS_CLAIMS_FIGURES_H

#include "analysis/claims/claim_tables.h"
#include "base/json.h"

typedef struct {
  const char *name; /* "animal-counts" */
  const char *game;
  /* Adds fields to an object. Errors are kept with the tables, and nothing is printed then that
   * means anything. The options are those of t->job. */
  void (*print)(claim_tables *t, json_writer *json);
} figures;

#endif
