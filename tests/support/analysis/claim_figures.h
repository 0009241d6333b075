/* Runs a claim in the folder of the test, and holds single figures of its report against others. */
#ifndef CLAIM_FIGURES_H
#define CLAIM_FIGURES_H

#include "analysis/claims/claim_tables.h"
#include "analysis/probe/text_pool.h"

typedef enum { VERDICT_OPEN, VERDICT_HOLDS, VERDICT_HOLDS_FOR, VERDICT_FAILS } claim_verdict;

/* A number, a text, or a number as JSON has it, with decimals, which lies between two bounds. */
typedef struct {
  enum { FIGURE_NONE, FIGURE_NUMBER, FIGURE_TEXT, FIGURE_MEAN } kind;
  int64_t number;
  const char *text;
  double lower, upper;
} claim_figure;

enum { CLAIM_MOST_TABLES = 16, CLAIM_MOST_COLUMNS = 32, CLAIM_MOST_RECHECKS = 4 };

typedef struct {
  const char *key;
  const char *columns[CLAIM_MOST_COLUMNS];
  size_t columns_used, figures_used;
  claim_figure *figures; /* row by row */
} claim_table;

typedef struct {
  size_t rechecks_used;
  bool holds[CLAIM_MOST_RECHECKS]; /* whether each recheck does */
} claim_witness;

/* Figures of a claim, which the running test owns. */
typedef struct {
  claim_verdict verdict;
  const char *reason;
  claim_table tables[CLAIM_MOST_TABLES];
  claim_witness witnesses[CLAIM_MOST_TABLES];
  size_t tables_used, witnesses_used;
  text_pool *texts;
} claim_found;

/* Of the job its limits, board and rules are asked for. */
void run_claim(const char *name, claim_job job, claim_verdict wanted, claim_found *out);

/* Builds the tables of up to so many tokens, with bounds that wide. */
void build_for_claim(const claim_tables *t, int tokens, double width);

/* Rows of a table from 0 on. */
void check_number(const claim_found *r, const char *table, int row, const char *column, int64_t wanted);
void check_mean(const claim_found *r, const char *table, int row, const char *column, double wanted);

#endif
