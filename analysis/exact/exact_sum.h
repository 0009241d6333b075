/* Sums of doubles times whole numbers without any rounding: fixed point, wide enough for every finite double.
 * So a proof needs no directed rounding, and refuses no cell that is true. Plain values, nothing is owned.
 */
#ifndef ANALYSIS_EXACT_EXACT_SUM_H
#define ANALYSIS_EXACT_EXACT_SUM_H

#include <stdint.h>

/* Bit 0 is 2^-1074, the least double above 0. The greatest one times 2^64 ends below bit 2176: what is
 * left above has room for 2^64 of them. */
enum { EXACT_WORDS = 35, EXACT_LOWEST = -1074 };

typedef struct {
  uint64_t word[EXACT_WORDS]; /* least significant word first */
} exact_sum;

/* value is finite and ≥ 0. */
void exact_add(exact_sum *sum, double value, uint64_t times);

/* < 0, 0, > 0 as a is less than b, equal, greater. */
int exact_compare(const exact_sum *a, const exact_sum *b);

/* About as much, for people. */
double exact_about(const exact_sum *sum, uint64_t divided_by);

#endif
