/* Ranks and unranks pairs of rows and lanes that share no square. */
#include "indexers/strip_pairs.h"

#include <stdlib.h>

#include "base/memory.h"

static bool are_apart(const strip_squares *a, const strip_squares *b) {
  return ((a->bits[0] & b->bits[0]) | (a->bits[1] & b->bits[1])) == 0;
}

static uint64_t find_disjoint_pairs(const strip_side *rows, uint32_t row_strip, const strip_side *lanes,
                                    uint32_t lane_strip) {
  uint64_t there = 0;
  const uint32_t row_first = rows->first[row_strip], lane_first = lanes->first[lane_strip];
  for (uint32_t r = row_first; r < rows->first[row_strip + 1]; r++) {
    for (uint32_t l = lane_first; l < lanes->first[lane_strip + 1]; l++) {
      const uint64_t apart = are_apart(&rows->squares[r], &lanes->squares[l]);
      there |= apart << (STRIP_LANES * (r - row_first) + (l - lane_first));
    }
  }
  return there;
}

tauler_error strip_pairs_open(const strip_side *rows, const strip_side *lanes, strip_pairs *out) {
  const uint64_t tiles = (uint64_t)rows->strips * lanes->strips;
  *out = (strip_pairs){.row_strips = rows->strips, .lane_strips = lanes->strips};
  if (tiles >= SIZE_MAX / sizeof *out->tile - 1) return TAULER_NO_MEMORY;
  out->tile = malloc(((size_t)tiles + 1) * sizeof *out->tile);
  if (!out->tile) return TAULER_NO_MEMORY;
  strip_tile *tile = out->tile;
  for (uint32_t l = 0; l < lanes->strips; l++) {
    for (uint32_t r = 0; r < rows->strips; r++, tile++) {
      *tile = (strip_tile){out->pairs, find_disjoint_pairs(rows, r, lanes, l)};
      out->pairs += (uint64_t)__builtin_popcountll(tile->there);
    }
  }
  *tile = (strip_tile){out->pairs, 0};
  return TAULER_OK;
}

void strip_pairs_close(strip_pairs *pairs) {
  free(pairs->tile);
  *pairs = (strip_pairs){0};
}

void strip_pairs_unrank(const strip_pairs *pairs, uint64_t pair, uint32_t *row_strip, uint32_t *row,
                        uint32_t *lane_strip, uint32_t *lane) {
  /* The last tile that begins at or before the pair, since an empty tile begins where the next one does. */
  const uint64_t number = memory_find_last(&pairs->tile->first, sizeof *pairs->tile,
                                           (uint64_t)pairs->row_strips * pairs->lane_strips, pair);
  uint64_t there = pairs->tile[number].there;
  for (uint64_t before = pair - pairs->tile[number].first; before > 0; before--) there &= there - 1;
  const uint32_t bit = (uint32_t)__builtin_ctzll(there);
  *row_strip = (uint32_t)(number % pairs->row_strips);
  *lane_strip = (uint32_t)(number / pairs->row_strips);
  *row = bit / STRIP_LANES;
  *lane = bit % STRIP_LANES;
}
