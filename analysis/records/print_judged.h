/* Words that several ways of printing a judged game share. Private to analysis/records/. */
#ifndef ANALYSIS_RECORDS_PRINT_JUDGED_H
#define ANALYSIS_RECORDS_PRINT_JUDGED_H

#include "analysis/records/judge.h"

typedef struct {
  char text[120];
} judged_words;

/* "0", "2", "at least 2", or "open" if it may be nothing. */
judged_words given_in_words(double lower, double upper);

/* Prints "8 of 32 moves judged, 3 of them by bounds alone; the others gave away 8 in all". */
void side_in_words(FILE *out, const judged_side *side);

#endif
