/* A computation that claims have C do: the command figures opens a rule set, and prints what it writes as
 * JSON. */
#ifndef ANALYSIS_CLAIMS_FIGURES_H
#define ANALYSIS_CLAIMS_FIGURES_H

#include "analysis/claims/claim_tables.h"
#include "base/json.h"

enum { FIGURES_MOST_RULES = 4 };

typedef struct {
  const char *name; /* "animal-traps" */
  const char *game;
  /* Adds fields to an object. Errors are kept with the tables, and nothing is printed then that means
   * anything. The options are those of t->job. */
  void (*print)(claim_tables *t, json_writer *json);
} figures;

/* --- fields; without a key an item of an array --- */

void figures_write_counts(json_writer *json, const char *key, const uint64_t *counts, size_t n);
void figures_write_bytes(json_writer *json, const char *key, const int8_t *numbers, size_t n);
void figures_write_numbers(json_writer *json, const char *key, const double *numbers, size_t n);
void figures_write_place(const claim_tables *t, json_writer *json, const char *key, game_place place);

#endif
