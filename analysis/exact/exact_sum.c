/* Adds doubles times whole numbers without rounding. */
#include "analysis/exact/exact_sum.h"

#include <math.h>
#include <string.h>

enum { MANTISSA_BITS = 52, EXPONENT_MASK = 0x7FF, WORD_BITS = 64 };

void exact_add(exact_sum *sum, double value, uint64_t times) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  const unsigned exponent = (unsigned)(bits >> MANTISSA_BITS) & EXPONENT_MASK;
  uint64_t mantissa = bits & ((UINT64_C(1) << MANTISSA_BITS) - 1);
  if (exponent > 0) mantissa |= UINT64_C(1) << MANTISSA_BITS;
  const unsigned shift = exponent > 0 ? exponent - 1 : 0, within = shift % WORD_BITS;
  unsigned at = shift / WORD_BITS;
  const unsigned __int128 product = (unsigned __int128)mantissa * times, low = product << within;
  const uint64_t parts[3] = {(uint64_t)low, (uint64_t)(low >> WORD_BITS),
                             within ? (uint64_t)(product >> (2 * WORD_BITS - within)) : 0};
  unsigned carry = 0;
  for (unsigned part = 0; part < 3; part++, at++) {
    const unsigned __int128 word = (unsigned __int128)sum->word[at] + parts[part] + carry;
    sum->word[at] = (uint64_t)word;
    carry = (unsigned)(word >> WORD_BITS);
  }
  for (; carry && at < EXACT_WORDS; at++) carry = ++sum->word[at] == 0;
}

int exact_compare(const exact_sum *a, const exact_sum *b) {
  for (int at = EXACT_WORDS - 1; at >= 0; at--) {
    if (a->word[at] != b->word[at]) return a->word[at] < b->word[at] ? -1 : 1;
  }
  return 0;
}

double exact_estimate(const exact_sum *sum, uint64_t divided_by) {
  long double about = 0;
  for (int at = EXACT_WORDS - 1; at >= 0; at--)
    about += ldexpl((long double)sum->word[at], at * WORD_BITS + EXACT_LOWEST);
  return (double)(about / (long double)divided_by);
}
