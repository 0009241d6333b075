/* A perfect hash of compatible pairs (row, lane).
 *
 * Rows and lanes are sets of squares; a pair counts if they share no square. Strips are up to eight
 * neighbouring rows or lanes. Pairs that count are numbered without gaps: by strip of lanes, within it by
 * row, within a row by lane. A tile is a strip of lanes with a strip of rows: up to 64 pairs. Those that
 * count have a bit each and neighbouring numbers.
 *
 * A strip_pairs owns its tiles, which never change after they are made.
 */
#ifndef INDEXERS_STRIP_PAIRS_H
#define INDEXERS_STRIP_PAIRS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/tauler_error.h"

enum { STRIP_LANES = 8 };

typedef struct {
  uint64_t bits[2];
} strip_squares;

typedef struct {
  uint32_t strips;
  const uint32_t *first;        /* [strips + 1] first row or lane of each strip */
  const strip_squares *squares; /* [row or lane] */
} strip_side;

typedef struct {
  uint64_t first; /* number of the first pair */
  uint64_t there; /* bit 8 · row + lane, both within their strips, for each pair that counts */
} strip_tile;

typedef struct {
  uint32_t row_strips, lane_strips;
  uint64_t pairs;
  strip_tile *tile; /* [strip of lanes][strip of rows] with one more entry at the end, {pairs, 0} */
} strip_pairs;

/* Numbers the pairs that count. Errors: TAULER_NO_MEMORY. */
tauler_error strip_pairs_open(const strip_side *rows, const strip_side *lanes, strip_pairs *out);
void strip_pairs_close(strip_pairs *pairs);

/* Returns the number of a pair that counts, given by its strips and its places in them. */
static inline uint64_t strip_pairs_rank(const strip_pairs *pairs, uint32_t row_strip, uint32_t row,
                                        uint32_t lane_strip, uint32_t lane) {
  const strip_tile *tile = &pairs->tile[(uint64_t)lane_strip * pairs->row_strips + row_strip];
  const uint64_t below = (UINT64_C(1) << (8 * row + lane)) - 1;
  return tile->first + (uint64_t)__builtin_popcountll(tile->there & below);
}

static inline bool strip_pairs_has(const strip_pairs *pairs, uint32_t row_strip, uint32_t row,
                                   uint32_t lane_strip, uint32_t lane) {
  const strip_tile *tile = &pairs->tile[(uint64_t)lane_strip * pairs->row_strips + row_strip];
  return tile->there >> (8 * row + lane) & 1;
}

/* Writes the strips of the pair with the number `pair`, and its places in them. */
void strip_pairs_unrank(const strip_pairs *pairs, uint64_t pair, uint32_t *row_strip, uint32_t *row,
                        uint32_t *lane_strip, uint32_t *lane);

#endif
