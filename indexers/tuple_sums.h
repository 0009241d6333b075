/* Ranks and unranks tuples of up to four digits 0 … D − 1 by their sum.
 *
 * Tuples are ordered by rising sum. Within a sum the order is lexicographic, but one first digit may be
 * early, that is, come before all others. So if each move of a game raises the sum, or keeps it and replaces
 * an early first digit, moves lead from earlier tuples to later ones.
 *
 * The tables of a tuple_sums serve tuples of all lengths. It owns nothing, and any thread may read it.
 */
#ifndef INDEXERS_TUPLE_SUMS_H
#define INDEXERS_TUPLE_SUMS_H

#include <stdbool.h>
#include <stdint.h>

enum {
  TUPLE_MOST_PLACES = 4,
  TUPLE_MOST_DIGITS = 144,
  TUPLE_SUMS = TUPLE_MOST_PLACES * (TUPLE_MOST_DIGITS - 1) + 1,
  TUPLE_NOT_EARLY = -1
};

typedef struct {
  int digits;
  int early; /* digit or TUPLE_NOT_EARLY */
  uint64_t below[TUPLE_MOST_PLACES + 1]
                [TUPLE_SUMS + 1]; /* [k][s] number of tuples of k digits with a sum less than s */
} tuple_sums;

/* Fills the tables for 1 ≤ digits ≤ TUPLE_MOST_DIGITS. */
void tuple_sums_open(tuple_sums *sums, int digits, int early);

uint64_t tuple_sums_count(const tuple_sums *sums, int places); /* digits ^ places */
uint64_t tuple_sums_rank(const tuple_sums *sums, int places, const uint8_t digit[]);
void tuple_sums_unrank(const tuple_sums *sums, int places, uint64_t rank, uint8_t digit[]);

/* Makes a tuple the next tuple. Returns false after the last. */
bool tuple_sums_next(const tuple_sums *sums, int places, uint8_t digit[]);

/* Ranges of neighbours with the same sum whose first digits are all early, or all not: tuple_sums_ranges
 * returns their number, tuple_sums_range_first the first rank of the i-th. */
uint64_t tuple_sums_ranges(const tuple_sums *sums, int places);
uint64_t tuple_sums_range_first(const tuple_sums *sums, int places, uint64_t i);

static inline uint64_t tuple_sums_count_of_sum(const tuple_sums *sums, int places, int sum) {
  return sums->below[places][sum + 1] - sums->below[places][sum];
}

/* Returns the number of tuples that agree up to a digit and have a smaller digit there. `sum` is the sum of
 * this digit and the `behind` digits after it. */
static inline uint64_t tuple_sums_count_smaller(const tuple_sums *sums, int behind, int sum, int digit) {
  return sums->below[behind][sum + 1] - sums->below[behind][sum + 1 - digit];
}

static inline uint64_t tuple_sums_first(const tuple_sums *sums, int places, int sum, int digit) {
  const uint64_t first = sums->below[places][sum];
  const int early = sums->early, behind = places - 1;
  if (digit == early) return first;
  const uint64_t passed =
      digit < early && early <= sum ? tuple_sums_count_of_sum(sums, behind, sum - early) : 0;
  return first + passed + tuple_sums_count_smaller(sums, behind, sum, digit);
}

#endif
