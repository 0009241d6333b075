/* Adds doubles times whole numbers without rounding, in fixed point wide enough for every finite double. So a
 * proof needs no directed rounding and refuses no true cell. A sum is a plain value that owns nothing.
 */
#ifndef ANALYSIS_EXACT_EXACT_SUM_H
#define ANALYSIS_EXACT_EXACT_SUM_H

#include <stdint.h>

/* Bit 0 is 2^-1074, the least double above 0. The greatest double times 2^64 has no bit from 2176 on, so the
 * 64 bits above have space for 2^64 such products. */
enum { EXACT_WORDS = 35, EXACT_LOWEST = -1074 };

typedef struct {
  uint64_t word[EXACT_WORDS]; /* least significant word first */
} exact_sum;

/* Adds value · times, where the value is finite and ≥ 0. */
void exact_add(exact_sum *sum, double value, uint64_t times);

int exact_compare(const exact_sum *a, const exact_sum *b);

/* Returns the sum divided by `divided_by`, rounded, for messages. */
double exact_estimate(const exact_sum *sum, uint64_t divided_by);

#endif
