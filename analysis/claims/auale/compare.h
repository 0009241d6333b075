/* Compares exact values with bounds of aualé's own-row rule, under which every seed goes to a side: net
 * results of n seeds have the parity of n, as both bounds have, so only numbers of that parity between them
 * can be the worth. */
#ifndef ANALYSIS_CLAIMS_AUALE_COMPARE_H
#define ANALYSIS_CLAIMS_AUALE_COMPARE_H

#include <stdbool.h>
#include <stdint.h>

/* How many boards surely differ, surely do not, and may. */
typedef struct {
  uint64_t differ, same, unknown;
} auale_comparison;

static inline int auale_sign(int value) {
  return (value > 0) - (value < 0);
}

static inline void auale_compare_value(auale_comparison *c, int value, int lower, int upper) {
  if (value < lower || value > upper || (value - lower) % 2 != 0) {
    c->differ++;
  } else if (lower == upper) {
    c->same++;
  } else {
    c->unknown++;
  }
}

static inline bool auale_may_have_sign(int sign, int lower, int upper) {
  if (sign > 0) return upper > 0;
  if (sign < 0) return lower < 0;
  return lower <= 0 && upper >= 0 && lower % 2 == 0;
}

static inline bool auale_is_winner_changed(int value, int lower, int upper) {
  return !auale_may_have_sign(auale_sign(value), lower, upper);
}

static inline void auale_compare_winner(auale_comparison *c, int value, int lower, int upper) {
  bool other = false;
  for (int sign = -1; sign <= 1; sign++)
    other = other || (sign != auale_sign(value) && auale_may_have_sign(sign, lower, upper));
  if (auale_is_winner_changed(value, lower, upper)) {
    c->differ++;
  } else if (other) {
    c->unknown++;
  } else {
    c->same++;
  }
}

#endif
