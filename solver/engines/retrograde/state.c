/* Lays out the state of a shard in memory, and packs and unpacks it for checkpoints. */
#include "solver/engines/retrograde/retrograde.h"

#include <string.h>

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

size_t wave_shard_packed_bytes(uint64_t n, int planes, bool with_depths) {
  const uint64_t per_plane = n * (with_depths ? 3 : 1) + 2 * bit_bytes(n);
  return (size_t)(bit_bytes(n) + n * sizeof(uint16_t) + (uint64_t)planes * per_plane);
}

/* A part of a tile's packed bytes. If `array` is NULL, the part is the counters of open moves, two bytes
 * each. */
typedef struct {
  void *array;
  uint64_t bytes;
} tile_packet;

enum { MOST_PACKETS = 2 + 4 * SOLVE_PLANES };

static int list_packets(const wave_shard *shard, const changed_set *marked, uint64_t from, uint64_t n,
                        tile_packet packets[MOST_PACKETS]) {
  const uint64_t word = from / 64, bits = bit_bytes(n);
  int used = 0;
  packets[used++] = (tile_packet){shard->ended + word, bits};
  for (int plane = 0; plane < shard->planes; plane++) {
    packets[used++] = (tile_packet){shard->settled[plane] + word, bits};
    packets[used++] = (tile_packet){marked->bits[plane] + word, bits};
  }
  packets[used++] = (tile_packet){NULL, n * sizeof(uint16_t)};
  for (int plane = 0; plane < shard->planes; plane++) {
    packets[used++] = (tile_packet){shard->best[plane] + from, n};
    if (shard->with_depths)
      packets[used++] = (tile_packet){shard->depth[plane] + from, n * sizeof *shard->depth[plane]};
  }
  return used;
}

static void pack_open(const wave_shard *shard, uint64_t from, uint64_t n, uint8_t *to) {
  for (uint64_t i = 0; i < n; i++) {
    to[2 * i] = shard->open[from + i];
    to[2 * i + 1] = *shard->wide ? shard->open_high[from + i] : 0;
  }
}

static void unpack_open(const wave_shard *shard, uint64_t from, uint64_t n, const uint8_t *bytes) {
  for (uint64_t i = 0; i < n; i++) {
    shard->open[from + i] = bytes[2 * i];
    if (*shard->wide) shard->open_high[from + i] = bytes[2 * i + 1];
  }
}

bool wave_shard_packed_wide(const wave_shard *shard, uint64_t n, const void *bytes) {
  const uint8_t *open = (const uint8_t *)bytes + bit_bytes(n) * (1 + 2 * (uint64_t)shard->planes);
  uint8_t high = 0;
  for (uint64_t i = 0; i < n; i++) high |= open[2 * i + 1];
  return high != 0;
}

void wave_shard_pack(const wave_shard *shard, const changed_set *marked, uint64_t from, uint64_t n,
                     void *bytes) {
  tile_packet packets[MOST_PACKETS];
  const int used = list_packets(shard, marked, from, n, packets);
  uint8_t *to = bytes;
  for (int i = 0; i < used; i++) {
    if (packets[i].array)
      memcpy(to, packets[i].array, packets[i].bytes);
    else
      pack_open(shard, from, n, to);
    to += packets[i].bytes;
  }
}

uint64_t wave_shard_unpack(wave_shard *shard, changed_set *marked, uint64_t from, uint64_t n,
                           const void *bytes) {
  tile_packet packets[MOST_PACKETS];
  const int used = list_packets(shard, marked, from, n, packets);
  const uint8_t *at = bytes;
  for (int i = 0; i < used; i++) {
    if (packets[i].array)
      memcpy(packets[i].array, at, packets[i].bytes);
    else
      unpack_open(shard, from, n, at);
    at += packets[i].bytes;
  }
  uint64_t marks = 0;
  for (int plane = 0; plane < shard->planes; plane++) {
    for (uint64_t w = from / 64; w < (from + n + 63) / 64; w++) {
      if (!marked->bits[plane][w]) continue;
      marked->dirty[plane][w / FRONTIER_BLOCK_WORDS] = 1;
      marks += (uint64_t)__builtin_popcountll(marked->bits[plane][w]);
    }
  }
  return marks;
}
