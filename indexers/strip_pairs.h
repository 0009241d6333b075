/* A perfect hash of pairs (row, lane) that can stand together.
 *
 * Rows and lanes are things that occupy squares; a pair counts if they have none in common. Rows and lanes
 * stand in strips of up to eight neighbours. Pairs are numbered strip of lanes by strip of lanes, within it
 * row by row, within a row lane by lane: without gaps. A tile is what a strip of lanes and one of rows have
 * in common: up to 64 pairs with neighbouring numbers, a bit for each that counts.
 *
 * A strip_pairs owns its tiles and is only read once it is there.
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
  uint32_t strips;              /* of things */
  const uint32_t *first;        /* of each strip, and one more: all */
  const strip_squares *squares; /* of each thing */
} strip_side;

typedef struct {
  uint64_t first; /* number of its first pair */
  uint64_t there; /* bit 8 · row + lane, within the strips: the pair counts */
} strip_tile;

typedef struct {
  uint32_t row_strips, lane_strips;
  uint64_t pairs;
  strip_tile *tile; /* [strip of lanes][strip of rows], and one more: {pairs, 0} */
} strip_pairs;

/* Errors: TAULER_NO_MEMORY. */
tauler_error strip_pairs_open(const strip_side *rows, const strip_side *lanes, strip_pairs *out);
void strip_pairs_close(strip_pairs *pairs);

/* The number of a pair, given by its strips and places in them, that counts. */
static inline uint64_t strip_pairs_rank(const strip_pairs *pairs, uint32_t row_strip, uint32_t row,
                                        uint32_t lane_strip, uint32_t lane) {
  const strip_tile *tile = &pairs->tile[(uint64_t)lane_strip * pairs->row_strips + row_strip];
  const uint64_t below = (UINT64_C(1) << (8 * row + lane)) - 1;
  return tile->first + (uint64_t)__builtin_popcountll(tile->there & below);
}

/* True if a pair counts. */
static inline bool strip_pairs_there(const strip_pairs *pairs, uint32_t row_strip, uint32_t row,
                                     uint32_t lane_strip, uint32_t lane) {
  const strip_tile *tile = &pairs->tile[(uint64_t)lane_strip * pairs->row_strips + row_strip];
  return tile->there >> (8 * row + lane) & 1;
}

/* The strips and places of pair number `pair` < pairs. */
void strip_pairs_unrank(const strip_pairs *pairs, uint64_t pair, uint32_t *row_strip, uint32_t *row,
                        uint32_t *lane_strip, uint32_t *lane);

#endif
