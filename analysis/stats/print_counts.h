/* Tallies of slices as CSV, JSON or for a person. Private to analysis/. */
#ifndef ANALYSIS_STATS_PRINT_COUNTS_H
#define ANALYSIS_STATS_PRINT_COUNTS_H

#include <stdio.h>

#include "analysis/stats/tally.h"
#include "parallel/comm.h"

enum { FORM_TEXT, FORM_CSV, FORM_JSON };

typedef struct {
  const tauler_tables *tables;
  bool with_depths, outside;
  int form;
  bool colored; /* FORM_TEXT has colours */
  bool exact;   /* the slices asked for have values where there could be two bounds */
} counts_output;

/* True if no reader is left, which is found when standard output is closed; ranks go on together. */
static inline bool print_is_lost(const comm *ranks) {
  return comm_ranks(ranks) == 1 && ferror(stdout);
}

/* Prints what stands before the first slice. */
void print_counts_header(const counts_output *out);

/* Rows of a slice or part of one; `counted` is sorted. */
void print_counts(const counts_output *out, const char *slice, const tally *counted);

/* The same for the sum of all, called "total". */
void print_counts_total(const counts_output *out, const tally *counted);

#endif
