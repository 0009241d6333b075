/* Arithmetic on bounds. A result is exact if a double can hold it, otherwise it is the nearest double below
 * or above. Products and quotients near 0 (ROUNDED_LEAST) may be off by one double more. Infinities stay
 * infinite. Private to analysis/. */
#ifndef ANALYSIS_PROBE_ROUNDED_H
#define ANALYSIS_PROBE_ROUNDED_H

#include <math.h>
#include <stdbool.h>

typedef enum { ROUND_BELOW, ROUND_ABOVE } rounding;

/* Least absolute value of a product or quotient whose rest surely fits in a double. */
#define ROUNDED_LEAST 0x1p-900

/* Rounds to one side. `rest` is the exact result less `rounded`, or a number with the same sign. */
static inline double rounded_by_rest(double rounded, double rest, rounding side) {
  if (side == ROUND_BELOW) return rest < 0 ? nextafter(rounded, -INFINITY) : rounded;
  return rest > 0 ? nextafter(rounded, INFINITY) : rounded;
}

static inline double rounded_sum(double a, double b, rounding side) {
  const double sum = a + b, of_b = sum - a;
  return rounded_by_rest(sum, (a - (sum - of_b)) + (b - of_b), side);
}

static inline double rounded_product(double a, double b, rounding side) {
  const double product = a * b;
  const bool small = a != 0 && b != 0 && fabs(product) < ROUNDED_LEAST;
  return rounded_by_rest(product, small ? (side == ROUND_BELOW ? -1 : 1) : fma(a, b, -product), side);
}

/* Divides a by b, which must be positive. */
static inline double rounded_quotient(double a, double b, rounding side) {
  const double quotient = a / b;
  const bool small = a != 0 && fabs(quotient) < ROUNDED_LEAST;
  return rounded_by_rest(quotient, small ? (side == ROUND_BELOW ? -1 : 1) : fma(-quotient, b, a), side);
}

#endif
