/* Ranks and unranks tuples by their sum. */
#include "indexers/tuple_sums.h"

#include <string.h>

#include "base/memory.h"

void tuple_sums_open(tuple_sums *sums, int digits, int early) {
  memset(sums, 0, sizeof *sums);
  sums->digits = digits;
  sums->early = early;
  for (int sum = 1; sum <= TUPLE_SUMS; sum++) sums->below[0][sum] = 1;
  for (int places = 1; places <= TUPLE_MOST_PLACES; places++) {
    const uint64_t *behind = sums->below[places - 1];
    for (int sum = 1; sum <= TUPLE_SUMS; sum++)
      sums->below[places][sum] =
          sums->below[places][sum - 1] + behind[sum] - (sum > digits ? behind[sum - digits] : 0);
  }
}

uint64_t tuple_sums_count(const tuple_sums *sums, int places) {
  return sums->below[places][TUPLE_SUMS];
}

uint64_t tuple_sums_rank(const tuple_sums *sums, int places, const uint8_t digit[]) {
  int sum = 0;
  for (int place = 0; place < places; place++) sum += digit[place];
  uint64_t rank = tuple_sums_first(sums, places, sum, digit[0]);
  for (int place = 1; place < places; place++) {
    sum -= digit[place - 1];
    rank += tuple_sums_count_smaller(sums, places - 1 - place, sum, digit[place]);
  }
  return rank;
}

static bool is_possible_sum(const tuple_sums *sums, int places, int sum) {
  return 0 <= sum && sum <= places * (sums->digits - 1);
}

/* Returns the next digit after `digit` in its place with which the `behind` digits after it can make up the
 * sum, or the number of digits if there is none. A `digit` of −1 asks for the first. */
static int find_next_digit(const tuple_sums *sums, int place, int behind, int sum, int digit) {
  const int largest = sums->digits - 1, early = place == 0 ? sums->early : TUPLE_NOT_EARLY;
  const int least = sum > behind * largest ? sum - behind * largest : 0, most = sum < largest ? sum : largest;
  if (digit == -1 && least <= early && early <= most) return early;
  int next = digit == early ? 0 : digit + 1;
  if (next < least) next = least;
  if (next == early) next++;
  return next <= most ? next : sums->digits;
}

void tuple_sums_unrank(const tuple_sums *sums, int places, uint64_t rank, uint8_t digit[]) {
  const size_t possible = (size_t)places * (size_t)(sums->digits - 1) + 1;
  int sum = (int)memory_find_last(sums->below[places], sizeof *sums->below[places], possible, rank);
  uint64_t left = rank - sums->below[places][sum];
  for (int place = 0; place < places; place++) {
    const int behind = places - 1 - place;
    int d = find_next_digit(sums, place, behind, sum, -1);
    for (uint64_t with; left >= (with = tuple_sums_count_of_sum(sums, behind, sum - d)); left -= with)
      d = find_next_digit(sums, place, behind, sum, d);
    digit[place] = (uint8_t)d;
    sum -= d;
  }
}

static void fill_first_tuple(const tuple_sums *sums, int places, int place, int sum, uint8_t digit[]) {
  for (; place < places; place++) {
    digit[place] = (uint8_t)find_next_digit(sums, place, places - 1 - place, sum, -1);
    sum -= digit[place];
  }
}

bool tuple_sums_next(const tuple_sums *sums, int places, uint8_t digit[]) {
  int sum = 0;
  for (int place = places - 1; place >= 0; place--) {
    sum += digit[place];
    const int d = find_next_digit(sums, place, places - 1 - place, sum, digit[place]);
    if (d >= sums->digits) continue;
    digit[place] = (uint8_t)d;
    fill_first_tuple(sums, places, place + 1, sum - d, digit);
    return true;
  }
  if (!is_possible_sum(sums, places, sum + 1)) return false;
  fill_first_tuple(sums, places, 0, sum + 1, digit);
  return true;
}

static uint64_t count_early_tuples(const tuple_sums *sums, int places, int sum) {
  const int early = sums->early;
  if (early == TUPLE_NOT_EARLY || !is_possible_sum(sums, places - 1, sum - early)) return 0;
  return tuple_sums_count_of_sum(sums, places - 1, sum - early);
}

/* Returns i, or the number of ranges if there is no range i. Sets *first to the first rank of range i. */
static uint64_t walk_ranges(const tuple_sums *sums, int places, uint64_t i, uint64_t *first) {
  uint64_t passed = 0;
  for (int sum = 0; is_possible_sum(sums, places, sum); sum++) {
    const uint64_t all = tuple_sums_count_of_sum(sums, places, sum),
                   early = count_early_tuples(sums, places, sum);
    const uint64_t ranges[2] = {early, all - early};
    *first = sums->below[places][sum];
    for (int part = 0; part < 2; *first += ranges[part++]) {
      if (ranges[part] > 0 && passed++ == i) return i;
    }
  }
  return passed;
}

uint64_t tuple_sums_ranges(const tuple_sums *sums, int places) {
  uint64_t first;
  return walk_ranges(sums, places, UINT64_MAX, &first);
}

uint64_t tuple_sums_range_first(const tuple_sums *sums, int places, uint64_t i) {
  uint64_t first = 0;
  walk_ranges(sums, places, i, &first);
  return first;
}
