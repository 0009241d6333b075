/* Rows of six pits, numbered: rank and unrank of the ways to put k seeds into six pits.
 *
 * Two numberings of the rows with exactly k seeds, both in lexicographic order with pit 0 as the
 * most significant digit: all of them, 0 … row_count(k) − 1, and the open ones (at least one pit is
 * empty), 0 … open_row_count(k) − 1. Pure functions of their arguments; nothing is owned, any
 * thread may call them. k ≤ ROW_MAX_SEEDS.
 */
#ifndef INDEXERS_ROWS_H
#define INDEXERS_ROWS_H

#include <stdbool.h>
#include <stdint.h>

enum { ROW_PITS = 6, ROW_MAX_SEEDS = 120 };

/* C(n, k), 0 where k > n; exact while the result fits 64 bits. */
uint64_t binomial(unsigned n, unsigned k);

unsigned row_seeds(const uint8_t row[ROW_PITS]);
bool row_is_open(const uint8_t row[ROW_PITS]);

uint64_t row_count(unsigned seeds);      /* C(k + 5, 5) */
uint64_t open_row_count(unsigned seeds); /* C(k + 5, 5) − C(k − 1, 5) */

/* C(n, k) for k < ROW_PITS and n < ROW_BINOMIALS, as a table: rank and unrank are sums of these. */
enum { ROW_BINOMIALS = ROW_MAX_SEEDS + ROW_PITS };
extern const uint32_t row_binomials[ROW_PITS][ROW_BINOMIALS];

/* With s_i the seeds of pits i … 5, a row is the
 * C(s_0 + 5, 5) − 1 − C(s_1 + 4, 5) − C(s_2 + 3, 4) − C(s_3 + 2, 3) − C(s_4 + 1, 2) − s_5 th of its kind:
 * a row comes after `row` if it agrees with it up to a pit i and has more there, that is less behind. */
uint64_t row_rank(const uint8_t row[ROW_PITS]);
void row_unrank(unsigned seeds, uint64_t rank, uint8_t row[ROW_PITS]);

uint64_t open_row_rank(const uint8_t row[ROW_PITS]); /* of an open row */
void open_row_unrank(unsigned seeds, uint64_t rank, uint8_t row[ROW_PITS]);

/* The row after this one, and the open row after this one; false behind the last. */
bool row_next(uint8_t row[ROW_PITS]);
bool open_row_next(uint8_t row[ROW_PITS]);

#endif
