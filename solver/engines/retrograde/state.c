/* Lays the state of a shard out in memory, and packs and unpacks it for checkpoints. */
#include "solver/engines/retrograde/state.h"

#include <string.h>

static uint64_t bit_bytes(uint64_t n) {
  return (n + 63) / 64 * 8;
}

/* A word and bits first, then the set, then counters, so that all are aligned. */
uint64_t wave_share_state_bytes(uint64_t n, int planes) {
  return sizeof(uint64_t) + bit_bytes(n) * (1 + (uint64_t)planes) + frontier_set_bytes(n, planes) + n;
}

void wave_share_lay(wave_share *share, uint64_t first, uint64_t n) {
  const uint64_t words = (n + 63) / 64;
  uint64_t *at = share->state;
  share->first = first;
  share->n = n;
  share->wide = at;
  share->ended = ++at;
  for (int plane = 0; plane < share->planes; plane++) share->settled[plane] = at += words;
  share->next = at + words;
  share->open = (uint8_t *)share->next + frontier_set_bytes(n, share->planes);
}

size_t wave_share_packed_bytes(uint64_t n, int planes, bool with_depths) {
  const uint64_t per_plane = n * (with_depths ? 3 : 1) + 2 * bit_bytes(n);
  return (size_t)(bit_bytes(n) + n * sizeof(uint16_t) + (uint64_t)planes * per_plane);
}

/* Goes over the pieces of arrays that belong to a tile in the order of the bytes. Counters have two bytes
 * each. */
typedef struct {
  void *array;
  uint64_t bytes;
} tile_piece;

enum { MOST_PIECES = 2 + 4 * SOLVE_PLANES };

static int list_pieces(const wave_share *share, const changed_set *marked, uint64_t from, uint64_t n,
                       tile_piece pieces[MOST_PIECES]) {
  const uint64_t word = from / 64, bits = bit_bytes(n);
  int used = 0;
  pieces[used++] = (tile_piece){share->ended + word, bits};
  for (int plane = 0; plane < share->planes; plane++) {
    pieces[used++] = (tile_piece){share->settled[plane] + word, bits};
    pieces[used++] = (tile_piece){marked->bits[plane] + word, bits};
  }
  pieces[used++] = (tile_piece){NULL, n * sizeof(uint16_t)};
  for (int plane = 0; plane < share->planes; plane++) {
    pieces[used++] = (tile_piece){share->best[plane] + from, n};
    if (share->with_depths)
      pieces[used++] = (tile_piece){share->depth[plane] + from, n * sizeof *share->depth[plane]};
  }
  return used;
}

static void pack_open(const wave_share *share, uint64_t from, uint64_t n, uint8_t *to) {
  for (uint64_t i = 0; i < n; i++) {
    to[2 * i] = share->open[from + i];
    to[2 * i + 1] = *share->wide ? share->open_high[from + i] : 0;
  }
}

static void unpack_open(const wave_share *share, uint64_t from, uint64_t n, const uint8_t *bytes) {
  for (uint64_t i = 0; i < n; i++) {
    share->open[from + i] = bytes[2 * i];
    if (*share->wide) share->open_high[from + i] = bytes[2 * i + 1];
  }
}

bool wave_share_packed_wide(const wave_share *share, uint64_t n, const void *bytes) {
  const uint8_t *open = (const uint8_t *)bytes + bit_bytes(n) * (1 + 2 * (uint64_t)share->planes);
  uint8_t high = 0;
  for (uint64_t i = 0; i < n; i++) high |= open[2 * i + 1];
  return high != 0;
}

void wave_share_pack(const wave_share *share, const changed_set *marked, uint64_t from, uint64_t n,
                     void *bytes) {
  tile_piece pieces[MOST_PIECES];
  const int used = list_pieces(share, marked, from, n, pieces);
  uint8_t *to = bytes;
  for (int i = 0; i < used; i++) {
    if (pieces[i].array)
      memcpy(to, pieces[i].array, pieces[i].bytes);
    else
      pack_open(share, from, n, to);
    to += pieces[i].bytes;
  }
}

uint64_t wave_share_unpack(wave_share *share, changed_set *marked, uint64_t from, uint64_t n,
                           const void *bytes) {
  tile_piece pieces[MOST_PIECES];
  const int used = list_pieces(share, marked, from, n, pieces);
  const uint8_t *at = bytes;
  for (int i = 0; i < used; i++) {
    if (pieces[i].array)
      memcpy(pieces[i].array, at, pieces[i].bytes);
    else
      unpack_open(share, from, n, at);
    at += pieces[i].bytes;
  }
  uint64_t marks = 0;
  for (int plane = 0; plane < share->planes; plane++) {
    for (uint64_t w = from / 64; w < (from + n + 63) / 64; w++) {
      if (!marked->bits[plane][w]) continue;
      marked->dirty[plane][w / FRONTIER_BLOCK_WORDS] = 1;
      marks += (uint64_t)__builtin_popcountll(marked->bits[plane][w]);
    }
  }
  return marks;
}
