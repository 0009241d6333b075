#include "solver/propagate/frontier.h"

#include <string.h>

static uint64_t words_of(uint64_t n) {
  return (n + WAVE_BLOCK - 1) / WAVE_BLOCK * WAVE_BLOCK_WORDS;
}

static uint64_t blocks_of(uint64_t n) {
  return (n + WAVE_BLOCK - 1) / WAVE_BLOCK;
}

uint64_t wave_share_state_bytes(uint64_t n, int planes) {
  const uint64_t bits = 8 * words_of(n), p = (uint64_t)planes;
  return bits * (1 + 2 * p) + n * sizeof(uint16_t) + p * blocks_of(n);
}

static uint64_t passing_bytes(uint64_t n, int planes) {
  return (uint64_t)planes * (8 * words_of(n) + blocks_of(n));
}

uint64_t wave_share_bytes(uint64_t most, int planes) {
  return wave_share_state_bytes(most, planes) + passing_bytes(most, planes);
}

tauler_error wave_share_open(wave_share *share, memory_budget *memory, uint64_t most, int planes,
                             bool with_depths, tauler_message *message) {
  static const char *const what = "the general solver";
  share->planes = planes;
  share->with_depths = with_depths;
  const tauler_error error =
      memory_take(memory, wave_share_state_bytes(most, planes), what, &share->state, message);
  return error ? error : memory_take(memory, passing_bytes(most, planes), what, &share->passing, message);
}

void wave_share_close(wave_share *share, memory_budget *memory) {
  memory_give(memory, share->state);
  memory_give(memory, share->passing);
}

static void *lay(uint8_t **at, uint64_t bytes) {
  void *here = *at;
  *at += bytes;
  return here;
}

void wave_share_lay(wave_share *share, uint64_t first, uint64_t n) {
  const uint64_t bits = 8 * words_of(n), blocks = blocks_of(n);
  uint8_t *state = share->state, *passing = share->passing;
  share->first = first;
  share->n = n;
  share->ended = lay(&state, bits);
  for (int plane = 0; plane < share->planes; plane++) {
    share->settled[plane] = lay(&state, bits);
    share->following[plane] = lay(&state, bits);
    share->frontier[plane] = lay(&passing, bits);
  }
  share->open = lay(&state, n * sizeof *share->open);
  for (int plane = 0; plane < share->planes; plane++) {
    share->stirred[plane] = lay(&state, blocks);
    share->at_work[plane] = lay(&passing, blocks);
  }
}

void wave_share_clear(wave_share *share) {
  memset(share->state, 0, wave_share_state_bytes(share->n, share->planes));
  memset(share->passing, 0, passing_bytes(share->n, share->planes));
}

void wave_share_promote(wave_share *share, uint64_t block) {
  for (int plane = 0; plane < share->planes; plane++) {
    if (!share->stirred[plane][block]) continue;
    uint64_t *from = share->following[plane] + block * WAVE_BLOCK_WORDS;
    memcpy(share->frontier[plane] + block * WAVE_BLOCK_WORDS, from, WAVE_BLOCK / 8);
    memset(from, 0, WAVE_BLOCK / 8);
    share->stirred[plane][block] = 0;
    share->at_work[plane][block] = 1;
  }
}

static uint64_t bit_bytes(uint64_t n) {
  return (n + 63) / 64 * 8;
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

static int list_pieces(const wave_share *share, uint64_t from, uint64_t n, tile_piece pieces[MOST_PIECES]) {
  const uint64_t word = from / 64, bits = bit_bytes(n);
  int used = 0;
  pieces[used++] = (tile_piece){share->ended + word, bits};
  for (int plane = 0; plane < share->planes; plane++) {
    pieces[used++] = (tile_piece){share->settled[plane] + word, bits};
    pieces[used++] = (tile_piece){share->following[plane] + word, bits};
  }
  pieces[used++] = (tile_piece){share->open + from, n * sizeof *share->open};
  for (int plane = 0; plane < share->planes; plane++) {
    pieces[used++] = (tile_piece){share->best[plane] + from, n};
    if (share->with_depths)
      pieces[used++] = (tile_piece){share->depth[plane] + from, n * sizeof *share->depth[plane]};
  }
  return used;
}

void wave_share_pack(const wave_share *share, uint64_t from, uint64_t n, void *bytes) {
  tile_piece pieces[MOST_PIECES];
  const int used = list_pieces(share, from, n, pieces);
  uint8_t *to = bytes;
  for (int i = 0; i < used; i++) {
    memcpy(to, pieces[i].array, pieces[i].bytes);
    to += pieces[i].bytes;
  }
}

uint64_t wave_share_unpack(wave_share *share, uint64_t from, uint64_t n, const void *bytes) {
  tile_piece pieces[MOST_PIECES];
  const int used = list_pieces(share, from, n, pieces);
  const uint8_t *at = bytes;
  for (int i = 0; i < used; i++) {
    memcpy(pieces[i].array, at, pieces[i].bytes);
    at += pieces[i].bytes;
  }
  uint64_t marks = 0;
  for (int plane = 0; plane < share->planes; plane++) {
    for (uint64_t w = from / 64; w < (from + n + 63) / 64; w++) {
      if (!share->following[plane][w]) continue;
      share->stirred[plane][w / WAVE_BLOCK_WORDS] = 1;
      marks += (uint64_t)__builtin_popcountll(share->following[plane][w]);
    }
  }
  return marks;
}
