/* Ranks and unranks rows: the ways to put k seeds into six pits.
 *
 * There are two numberings of the rows with exactly k seeds, both in lexicographic order with pit 0 as the
 * most significant digit: of all rows, 0 … row_count(k) − 1, and of open rows (at least one pit is empty), 0
 * … open_row_count(k) − 1. k ≤ ROW_MAX_SEEDS. Any thread may call all functions.
 */
#ifndef INDEXERS_ROWS_H
#define INDEXERS_ROWS_H

#include <stdbool.h>
#include <stdint.h>

enum { ROW_PITS = 6, ROW_MAX_SEEDS = 120 };

/* Returns C(n, k), or 0 if k > n. The result is exact if k times the result fits in 64 bits. */
uint64_t binomial(unsigned n, unsigned k);

unsigned row_seeds(const uint8_t row[ROW_PITS]);
bool row_is_open(const uint8_t row[ROW_PITS]);

uint64_t row_count(unsigned seeds);      /* C(k + 5, 5) */
uint64_t open_row_count(unsigned seeds); /* C(k + 5, 5) − C(k − 1, 5) */

/* [k][n] C(n, k) */
enum { ROW_BINOMIALS = ROW_MAX_SEEDS + ROW_PITS };
extern const uint32_t row_binomials[ROW_PITS][ROW_BINOMIALS];

/* Returns the rank of a row. With s_i the seeds of pits i … 5, it is C(s_0 + 5, 5) − 1 − C(s_1 + 4, 5) −
 * C(s_2 + 3, 4) − C(s_3 + 2, 3) − C(s_4 + 1, 2) − s_5: all rows less `row` and those after it. */
uint64_t row_rank(const uint8_t row[ROW_PITS]);
void row_unrank(unsigned seeds, uint64_t rank, uint8_t row[ROW_PITS]);

uint64_t open_row_rank(const uint8_t row[ROW_PITS]); /* the row must be open */
void open_row_unrank(unsigned seeds, uint64_t rank, uint8_t row[ROW_PITS]);

/* Make a row the next row, or the next open row. Return false after the last. */
bool row_next(uint8_t row[ROW_PITS]);
bool open_row_next(uint8_t row[ROW_PITS]);

#endif
