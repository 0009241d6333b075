/* Words that several ways of showing a judged game share. Private to analysis/records/. */
#ifndef ANALYSIS_RECORDS_PRINT_JUDGED_H
#define ANALYSIS_RECORDS_PRINT_JUDGED_H

#include "analysis/records/judge.h"

typedef struct {
  char text[120];
} judged_words;

/* "0", "2", "1 to 3", "at least 2", "at most 4", "?" */
judged_words given_in_words(double lower, double upper);

#endif
