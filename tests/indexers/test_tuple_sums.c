/* Numbers of tuples by their sum: against a sorted list of all tuples of few digits, and on as many digits as
 * games have by counting and by drawn ones. */
#include "indexers/tuple_sums.h"
#include "tests/support/suite.h"

typedef struct {
  uint8_t digit[TUPLE_MOST_PLACES];
  int places, early;
} tuple;

static int sum_of(const tuple *t) {
  int sum = 0;
  for (int i = 0; i < t->places; i++) sum += t->digit[i];
  return sum;
}

static bool is_early(const tuple *t) {
  return t->digit[0] == t->early;
}

/* Follows the definition of the header. */
static int compare(const void *left, const void *right) {
  const tuple *a = left, *b = right;
  if (sum_of(a) != sum_of(b)) return sum_of(a) - sum_of(b);
  if (is_early(a) != is_early(b)) return is_early(a) ? -1 : 1;
  return memcmp(a->digit, b->digit, sizeof a->digit);
}

static size_t list_all(int digits, int places, int early, tuple *out) {
  size_t count = 1;
  for (int i = 0; i < places; i++) count *= (size_t)digits;
  for (size_t n = 0; n < count; n++) {
    out[n] = (tuple){.places = places, .early = early};
    size_t left = n;
    for (int i = 0; i < places; i++, left /= (size_t)digits)
      out[n].digit[i] = (uint8_t)(left % (size_t)digits);
  }
  qsort(out, count, sizeof *out, compare);
  return count;
}

static bool same(const tuple *a, const uint8_t digit[]) {
  return memcmp(a->digit, digit, (size_t)a->places) == 0;
}

static void check_all(const tuple_sums *sums, int places, int early) {
  static tuple all[6 * 6 * 6 * 6];
  const size_t count = list_all(sums->digits, places, early, all);
  HOLDS(tuple_sums_count(sums, places) == count);
  uint8_t walked[TUPLE_MOST_PLACES] = {0}, digit[TUPLE_MOST_PLACES];
  uint64_t ranges = 0;
  tuple_sums_unrank(sums, places, 0, walked);
  for (size_t n = 0; n < count; n++) {
    HOLDS(tuple_sums_rank(sums, places, all[n].digit) == n);
    tuple_sums_unrank(sums, places, n, digit);
    HOLDS(same(&all[n], digit) && same(&all[n], walked));
    HOLDS(tuple_sums_next(sums, places, walked) == (n + 1 < count));
    const bool begins =
        n == 0 || sum_of(&all[n]) != sum_of(&all[n - 1]) || is_early(&all[n]) != is_early(&all[n - 1]);
    if (begins) HOLDS(tuple_sums_range_first(sums, places, ranges++) == n);
  }
  HOLDS(tuple_sums_ranges(sums, places) == ranges);
}

CASE(numbers_tuples_of_few_digits) {
  static tuple_sums sums;
  for (int digits = 1; digits <= 6; digits++) {
    for (int early = TUPLE_NOT_EARLY; early < digits; early++) {
      tuple_sums_open(&sums, digits, early);
      HOLDS(sums.digits == digits && sums.early == early);
      for (int places = 1; places <= TUPLE_MOST_PLACES; places++) check_all(&sums, places, early);
    }
  }
}

static void check_drawn(const tuple_sums *sums, int places, uint64_t *state) {
  const uint64_t count = tuple_sums_count(sums, places);
  uint64_t power = 1;
  for (int i = 0; i < places; i++) power *= (uint64_t)sums->digits;
  HOLDS(count == power);
  for (int i = 0; i < 3000; i++) {
    const uint64_t rank = i == 0 ? 0 : i == 1 ? count - 1 : draw_below(state, count);
    tuple before = {.places = places, .early = sums->early}, after = before;
    tuple_sums_unrank(sums, places, rank, before.digit);
    for (int p = 0; p < places; p++) HOLDS(before.digit[p] < sums->digits);
    HOLDS(tuple_sums_rank(sums, places, before.digit) == rank);
    after = before;
    HOLDS(tuple_sums_next(sums, places, after.digit) == (rank + 1 < count));
    if (rank + 1 == count) continue;
    HOLDS(compare(&before, &after) < 0);
    HOLDS(tuple_sums_rank(sums, places, after.digit) == rank + 1);
  }
}

CASE(numbers_tuples_of_many_digits) {
  static const int digits[] = {70, 71, 106, TUPLE_MOST_DIGITS};
  static tuple_sums sums;
  uint64_t state = 88172645463325252u;
  for (size_t i = 0; i < sizeof digits / sizeof *digits; i++) {
    tuple_sums_open(&sums, digits[i], i % 2 ? digits[i] / 2 : TUPLE_NOT_EARLY);
    for (int places = 1; places <= TUPLE_MOST_PLACES; places++) check_drawn(&sums, places, &state);
  }
}

SUITE("tuple_sums") {
  TESTS(numbers_tuples_of_few_digits, numbers_tuples_of_many_digits);
}
