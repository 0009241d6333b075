/* Ranks and unranks rows of six pits. */
#include "indexers/rows.h"

/* The compiler computes every entry from the formula of its line; TABLE_16 makes 16 entries. */
#define CHOOSE_0(n) 1
#define CHOOSE_1(n) (n)
#define CHOOSE_2(n) ((n) * ((n)-1ll) / 2)
#define CHOOSE_3(n) ((n) * ((n)-1ll) * ((n)-2) / 6)
#define CHOOSE_4(n) ((n) * ((n)-1ll) * ((n)-2) * ((n)-3) / 24)
#define CHOOSE_5(n) ((n) * ((n)-1ll) * ((n)-2) * ((n)-3) * ((n)-4) / 120)
#define TABLE_2(f, n) f(n), f((n) + 1)
#define TABLE_4(f, n) TABLE_2(f, n), TABLE_2(f, (n) + 2)
#define TABLE_8(f, n) TABLE_4(f, n), TABLE_4(f, (n) + 4)
#define TABLE_16(f, n) TABLE_8(f, n), TABLE_8(f, (n) + 8)
#define TABLE_64(f, n) TABLE_16(f, n), TABLE_16(f, (n) + 16), TABLE_16(f, (n) + 32), TABLE_16(f, (n) + 48)
#define TABLE_126(f)                                                                                         \
  {                                                                                                          \
    TABLE_64(f, 0), TABLE_16(f, 64), TABLE_16(f, 80), TABLE_16(f, 96), TABLE_8(f, 112), TABLE_4(f, 120),     \
        TABLE_2(f, 124)                                                                                      \
  }

_Static_assert(ROW_PITS == 6 && ROW_BINOMIALS == 126, "the table has entries for these");
const uint32_t row_binomials[ROW_PITS][ROW_BINOMIALS] = {TABLE_126(CHOOSE_0), TABLE_126(CHOOSE_1),
                                                         TABLE_126(CHOOSE_2), TABLE_126(CHOOSE_3),
                                                         TABLE_126(CHOOSE_4), TABLE_126(CHOOSE_5)};

uint64_t binomial(unsigned n, unsigned k) {
  if (k < ROW_PITS && n < ROW_BINOMIALS) return row_binomials[k][n];
  if (k > n) return 0;
  uint64_t c = 1;
  for (unsigned i = 1; i <= k; i++) c = c * (n - k + i) / i;
  return c;
}

unsigned row_seeds(const uint8_t row[ROW_PITS]) {
  unsigned seeds = 0;
  for (int i = 0; i < ROW_PITS; i++) seeds += row[i];
  return seeds;
}

bool row_is_open(const uint8_t row[ROW_PITS]) {
  for (int i = 0; i < ROW_PITS; i++) {
    if (row[i] == 0) return true;
  }
  return false;
}

/* Return the number of ways to put seeds into pits, in count_full_ways with no pit empty. */
static uint64_t count_ways(unsigned seeds, unsigned pits) {
  if (pits == 0) return seeds == 0;
  return binomial(seeds + pits - 1, pits - 1);
}

static uint64_t count_full_ways(unsigned seeds, unsigned pits) {
  if (pits == 0) return seeds == 0;
  return seeds == 0 ? 0 : binomial(seeds - 1, pits - 1);
}

uint64_t row_count(unsigned seeds) {
  return count_ways(seeds, ROW_PITS);
}

uint64_t open_row_count(unsigned seeds) {
  return count_ways(seeds, ROW_PITS) - count_full_ways(seeds, ROW_PITS);
}

uint64_t row_rank(const uint8_t row[ROW_PITS]) {
  uint64_t behind = 0;
  unsigned left = 0;
  for (unsigned after = 1; after < ROW_PITS; after++) {
    left += row[ROW_PITS - after];
    behind += row_binomials[after][left + after - 1];
  }
  return row_binomials[ROW_PITS - 1][left + row[0] + ROW_PITS - 1] - 1 - behind;
}

/* Subtracts the full rows before `row` from its rank. They agree with it up to a pit i, before its first
 * empty pit, and have 1 … row[i] − 1 seeds there. */
uint64_t open_row_rank(const uint8_t row[ROW_PITS]) {
  uint64_t full_before = 0;
  unsigned left = row_seeds(row);
  for (unsigned i = 0; i + 1 < ROW_PITS && row[i] != 0; i++) {
    const unsigned after = ROW_PITS - 1 - i;
    full_before += binomial(left - 1, after) - binomial(left - row[i], after);
    left -= row[i];
  }
  return row_rank(row) - full_before;
}

/* Unranks among all rows with `left` seeds if `open` is true, otherwise among the open rows. */
static inline void unrank_row(unsigned left, uint64_t rank, uint8_t row[ROW_PITS], bool open) {
  for (unsigned i = 0; i + 1 < ROW_PITS; i++) {
    const unsigned after = ROW_PITS - 1 - i;
    unsigned here = 0;
    for (;;) {
      uint64_t ways = count_ways(left - here, after);
      if (!open && here > 0) ways -= count_full_ways(left - here, after);
      if (rank < ways) break;
      rank -= ways;
      here++;
    }
    row[i] = (uint8_t)here;
    if (here == 0) open = true;
    left -= here;
  }
  row[ROW_PITS - 1] = (uint8_t)left;
}

void row_unrank(unsigned seeds, uint64_t rank, uint8_t row[ROW_PITS]) {
  unrank_row(seeds, rank, row, true);
}

void open_row_unrank(unsigned seeds, uint64_t rank, uint8_t row[ROW_PITS]) {
  unrank_row(seeds, rank, row, false);
}

/* Moves a seed from the last pit that is not empty to the one before, and the other seeds to the end. */
bool row_next(uint8_t row[ROW_PITS]) {
  unsigned last = ROW_PITS - 1;
  while (last > 0 && row[last] == 0) last--;
  if (last == 0) return false;
  const uint8_t seeds = row[last];
  row[last] = 0;
  row[last - 1]++;
  row[ROW_PITS - 1] = (uint8_t)(seeds - 1);
  return true;
}

bool open_row_next(uint8_t row[ROW_PITS]) {
  do {
    if (!row_next(row)) return false;
  } while (!row_is_open(row));
  return true;
}
