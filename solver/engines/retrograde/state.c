/* Lays the state of a shard out in memory, and packs and unpacks it for checkpoints. */
#include "solver/engines/retrograde/state.h"

#include <string.h>

static uint64_t bit_bytes(uint64_t n) {
  return (n + 63) / 64 * 8;
}

/* Bits first, then the set, then counters, so that all are aligned. */
uint64_t wave_share_state_bytes(uint64_t n, int planes) {
  return bit_bytes(n) * (1 + (uint64_t)planes) + n * sizeof(uint16_t) + 8 + frontier_set_bytes(n, planes);
}

void wave_share_lay(wave_share *share, uint64_t first, uint64_t n) {
  const uint64_t words = (n + 63) / 64;
  uint64_t *at = share->state;
  share->first = first;
  share->n = n;
  share->ended = at;
  for (int plane = 0; plane < share->planes; plane++) share->settled[plane] = at += words;
  share->open = (uint16_t *)(at += words);
  share->next = at + (n * sizeof *share->open + 7) / 8;
}

size_t wave_share_packed_bytes(uint64_t n, int planes, bool with_depths) {
  const uint64_t per_plane = n * (with_depths ? 3 : 1) + 2 * bit_bytes(n);
  return (size_t)(bit_bytes(n) + n * sizeof(uint16_t) + (uint64_t)planes * per_plane);
}

/* Goes over the pieces of arrays that belong to a tile in the order of the bytes. */
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
  pieces[used++] = (tile_piece){share->open + from, n * sizeof *share->open};
  for (int plane = 0; plane < share->planes; plane++) {
    pieces[used++] = (tile_piece){share->best[plane] + from, n};
    if (share->with_depths)
      pieces[used++] = (tile_piece){share->depth[plane] + from, n * sizeof *share->depth[plane]};
  }
  return used;
}

void wave_share_pack(const wave_share *share, const changed_set *marked, uint64_t from, uint64_t n,
                     void *bytes) {
  tile_piece pieces[MOST_PIECES];
  const int used = list_pieces(share, marked, from, n, pieces);
  uint8_t *to = bytes;
  for (int i = 0; i < used; i++) {
    memcpy(to, pieces[i].array, pieces[i].bytes);
    to += pieces[i].bytes;
  }
}

uint64_t wave_share_unpack(wave_share *share, changed_set *marked, uint64_t from, uint64_t n,
                           const void *bytes) {
  tile_piece pieces[MOST_PIECES];
  const int used = list_pieces(share, marked, from, n, pieces);
  const uint8_t *at = bytes;
  for (int i = 0; i < used; i++) {
    memcpy(pieces[i].array, at, pieces[i].bytes);
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
