/* Ranks many placements of one index by tables. */
#include "indexers/placement_table.h"

static const uint64_t EVEN_SQUARES = UINT64_C(0x5555555555555555);

static uint8_t count_below(uint64_t set, int square) {
  return (uint8_t)__builtin_popcountll(set & ((UINT64_C(1) << square) - 1));
}

static uint8_t side_of(const placement_index *index, int square) {
  if (index->middle >> square & 1) return PLACEMENT_MIDDLE;
  return index->left >> square & 1 ? PLACEMENT_LEFT : PLACEMENT_RIGHT;
}

static uint64_t share_of_first(const placement_index *index, int square) {
  const uint64_t set = index->squares[0];
  if (side_of(index, square) == PLACEMENT_MIDDLE)
    return index->first_in_middle + count_below(set & index->middle, square) * index->middle_weight;
  return count_below(set & index->left, square) * index->weight[0];
}

void placement_table_open(placement_table *table, const placement_index *index,
                          const uint8_t seen[PLACEMENT_SQUARES]) {
  const int last = index->pieces - 1;
  table->index = index;
  table->pieces = index->pieces;
  for (int i = 0; i < index->pieces; i++) table->weight[i] = index->weight[i];
  for (int odd = 0; odd < 2; odd++)
    table->alike[odd] = count_below(index->squares[last] & EVEN_SQUARES << odd, PLACEMENT_SQUARES);
  for (int square = 0; square < PLACEMENT_SQUARES; square++) {
    table->seen[PLACEMENT_LEFT][square] = seen[square];
    table->seen[PLACEMENT_RIGHT][square] = (uint8_t)placement_mirror(index->files, seen[square]);
    table->side[square] = side_of(index, seen[square]);
    table->first[square] = share_of_first(index, square);
    table->below_half[square] = count_below(index->squares[1] & (index->left | index->middle), square);
    for (int i = 1; i < last; i++) table->below[i][square] = count_below(index->squares[i], square);
    table->below[last][square] = count_below(index->squares[last] & EVEN_SQUARES << (square & 1), square);
  }
}

uint64_t placement_table_rank_pair(const placement_table *table, const uint8_t square[]) {
  const uint8_t seen[2] = {table->seen[PLACEMENT_LEFT][square[0]], table->seen[PLACEMENT_LEFT][square[1]]};
  return placement_rank(table->index, seen);
}
