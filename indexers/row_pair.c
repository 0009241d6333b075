/* Ranks and unranks boards of two rows. */
#include "indexers/row_pair.h"

uint64_t row_pair_count(unsigned seeds) {
  return binomial(seeds + 11, 11) - binomial(seeds + 5, 11);
}

static uint64_t group_size(unsigned seeds, unsigned free_seeds) {
  return row_count(free_seeds) * open_row_count(seeds - free_seeds);
}

uint64_t row_pair_group(unsigned seeds, unsigned free_seeds) {
  uint64_t first = 0;
  for (unsigned k = 0; k < free_seeds; k++) first += group_size(seeds, k);
  return first;
}

void row_pair_lay_out(unsigned seeds, row_pair_groups *out) {
  out->first[0] = 0;
  for (unsigned k = 0; k <= seeds; k++) out->first[k + 1] = out->first[k] + group_size(seeds, k);
}

uint64_t row_pair_rank(const uint8_t open_row[ROW_PITS], const uint8_t free_row[ROW_PITS]) {
  const unsigned open_seeds = row_seeds(open_row), free_seeds = row_seeds(free_row);
  return row_pair_group(open_seeds + free_seeds, free_seeds) +
         row_rank(free_row) * open_row_count(open_seeds) + open_row_rank(open_row);
}

void row_pair_unrank(unsigned seeds, uint64_t index, uint8_t open_row[ROW_PITS], uint8_t free_row[ROW_PITS]) {
  unsigned k = 0;
  for (uint64_t group; index >= (group = group_size(seeds, k)); k++) index -= group;
  const uint64_t width = open_row_count(seeds - k);
  row_unrank(k, index / width, free_row);
  open_row_unrank(seeds - k, index % width, open_row);
}
