/* Numbers boards of two rows with n seeds in all: an open row, which has an empty pit, and a free row, which
 * is any row.
 *
 * There are C(n + 11, 11) − C(n + 5, 11) such boards. They are grouped by k, the seeds of the free row, 0 …
 * n. In a group boards with the same free row are neighbours: index = group + rank · open rows + open rank.
 * Any thread may call all functions.
 */
#ifndef INDEXERS_ROW_PAIR_H
#define INDEXERS_ROW_PAIR_H

#include <stdint.h>

#include "indexers/rows.h"

uint64_t row_pair_count(unsigned seeds);

/* Returns the first index of the boards whose free row has `free_seeds` of the `seeds`. If free_seeds ==
 * seeds + 1, this is the number of boards. */
uint64_t row_pair_group(unsigned seeds, unsigned free_seeds);

/* The first indexes of all groups: first[k] = row_pair_group(seeds, k), 0 ≤ k ≤ seeds + 1. */
enum { ROW_PAIR_MAX_SEEDS = 48 };
typedef struct {
  uint64_t first[ROW_PAIR_MAX_SEEDS + 2];
} row_pair_groups;

void row_pair_lay_out(unsigned seeds, row_pair_groups *out); /* seeds ≤ ROW_PAIR_MAX_SEEDS */

uint64_t row_pair_rank(const uint8_t open_row[ROW_PITS], const uint8_t free_row[ROW_PITS]);
void row_pair_unrank(unsigned seeds, uint64_t index, uint8_t open_row[ROW_PITS], uint8_t free_row[ROW_PITS]);

#endif
