/* Lays out the state of a shard in memory, and lists it for checkpoints. */
#include "solver/engines/retrograde/retrograde.h"

static uint64_t bit_bytes(uint64_t n) {
  return (n + 63) / 64 * 8;
}

/* A word and bits come first, then the set, then counters, so that all are aligned. */
uint64_t wave_shard_state_bytes(uint64_t n, int planes) {
  return sizeof(uint64_t) + bit_bytes(n) * (1 + (uint64_t)planes) + frontier_set_bytes(n, planes) + n;
}

void wave_shard_lay(wave_shard *shard, uint64_t first, uint64_t n) {
  const uint64_t words = (n + 63) / 64;
  uint64_t *at = shard->state;
  shard->first = first;
  shard->n = n;
  shard->wide = at;
  shard->ended = ++at;
  for (int plane = 0; plane < shard->planes; plane++) shard->settled[plane] = at += words;
  shard->next = at + words;
  shard->open = (uint8_t *)shard->next + frontier_set_bytes(n, shard->planes);
}

void wave_shard_list(const wave_shard *shard, const changed_set *marked, unit_arrays *kept) {
  kept->n = 0;
  unit_arrays_list(kept, UNIT_BITS, shard->ended, 0);
  for (int plane = 0; plane < shard->planes; plane++) {
    unit_arrays_list(kept, UNIT_BITS, shard->settled[plane], 0);
    unit_arrays_list(kept, UNIT_BITS, marked->bits[plane], 0);
  }
  unit_arrays_list(kept, UNIT_COUNTS, shard->open, 0)->high = shard->open_high;
  for (int plane = 0; plane < shard->planes; plane++) {
    unit_arrays_list(kept, UNIT_CELLS, shard->best[plane], sizeof *shard->best[plane]);
    if (shard->with_depths)
      unit_arrays_list(kept, UNIT_CELLS, shard->depth[plane], sizeof *shard->depth[plane]);
  }
}

bool wave_shard_packed_wide(const wave_shard *shard, uint64_t n, const void *bytes) {
  const uint8_t *open = (const uint8_t *)bytes + bit_bytes(n) * (1 + 2 * (uint64_t)shard->planes);
  uint8_t high = 0;
  for (uint64_t i = 0; i < n; i++) high |= open[2 * i + 1];
  return high != 0;
}
