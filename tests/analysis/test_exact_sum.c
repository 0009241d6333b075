/* Sums of doubles without rounding: carries, the largest and the smallest, and sums in numbers of 113 bits.
 */
#include <math.h>

#include "analysis/exact/exact_sum.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_game.h"

CASE(sums_are_exact) {
  const double tiny = 0x1p-1074, huge = 0x1.fffffffffffffp1023;
  exact_sum a = {{0}}, b = {{0}};
  exact_add(&a, huge, UINT64_MAX);
  exact_add(&b, huge, UINT64_MAX);
  ck_assert_int_eq(exact_compare(&a, &b), 0);
  exact_add(&a, tiny, 1);
  ck_assert_int_gt(exact_compare(&a, &b), 0);
  ck_assert_int_lt(exact_compare(&b, &a), 0);
  exact_add(&b, tiny, 1);
  ck_assert_int_eq(exact_compare(&a, &b), 0);
  /* carries through many words: 1 − 2^-1074 and one more */
  exact_sum one = {{0}}, parts = {{0}};
  exact_add(&one, 1, 1);
  for (int exponent = -1; exponent >= -1074; exponent--) exact_add(&parts, ldexp(1, exponent), 1);
  ck_assert_int_lt(exact_compare(&parts, &one), 0);
  exact_add(&parts, tiny, 1);
  ck_assert_int_eq(exact_compare(&parts, &one), 0);
  ck_assert(exact_estimate(&parts, 4) == 0.25);
  /* the part of a product beyond two words */
  for (int exponent = 0; exponent < 64; exponent++) {
    const double full = ldexp(0x1.fffffffffffffp0, exponent);
    exact_sum times = {{0}}, once = {{0}};
    exact_add(&times, full, UINT64_C(1) << 63);
    exact_add(&once, ldexp(full, 63), 1);
    ck_assert_int_eq(exact_compare(&times, &once), 0);
  }
}

CASE(sums_are_those_of_wider_numbers) {
  uint64_t seed = 1;
  for (int again = 0; again < 2000; again++) {
    exact_sum a = {{0}}, b = {{0}};
    __float128 x = 0, y = 0;
    for (int i = 0; i < 6; i++) {
      const double value = ldexp((double)(toy_draw(&seed) >> 11), -53 - (int)(toy_draw(&seed) % 30));
      const uint64_t times = toy_draw(&seed) % 1000;
      exact_add(i % 2 ? &a : &b, value, times);
      *(i % 2 ? &x : &y) += (__float128)value * (__float128)times;
    }
    ck_assert_int_eq(exact_compare(&a, &b), (x > y) - (x < y));
    ck_assert(fabs(exact_estimate(&a, 1) - (double)x) <= 1e-15 * (double)x);
  }
}

SUITE("exact_sum") {
  TESTS(sums_are_exact, sums_are_those_of_wider_numbers);
}
