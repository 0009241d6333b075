/* A report as text for a person, as one line of JSON, or as Markdown: the same content in the same order. */
#ifndef ANALYSIS_CLAIMS_PRINT_REPORT_H
#define ANALYSIS_CLAIMS_PRINT_REPORT_H

#include <stdio.h>

#include "analysis/claims/claim.h"

void print_report_text(FILE *out, const claim *about, const report *r);
void print_report_json(FILE *out, const claim *about, const report *r);
void print_report_markdown(FILE *out, const claim *about, const report *r);

/* Prints the head of several chapters of Markdown: a table with a row for each chapter, linked to it. */
void print_report_markdown_contents(FILE *out);
void print_report_markdown_row(FILE *out, const claim *about, const report *r);

/* A figure as it stands in a table: "-" where there is none, of bounds what they agree in. */
typedef struct {
  char digits[96];
} figure_digits;
const char *print_report_figure(const report_figure *figure, figure_digits *room);

/* True if a column has numbers only, so that it stands to the right. */
bool print_report_is_numeric(const report_table *t, size_t column);

static inline size_t report_rows(const report_table *t) {
  return t->columns_used ? t->figures_used / t->columns_used : 0;
}

/* "base, 2 tables: 0123…", of the sources from *first on those of one rule set; *first is moved on. False:
 * there are no more. */
typedef struct {
  char text[TABLE_RULES_BYTES + TABLE_DIGEST_TEXT + 32];
} source_words;
bool print_report_sources(const report *r, size_t *first, source_words *out);

/* "done, holds" of a recheck: "holds", "FAILS" or "not done". */
const char *print_report_outcome(const report_recheck *recheck);

#endif
