/* Copies cells between bitboards and tables. */
#include "games/phutball/bitboards.h"

enum { PIECE = 4096 };

/* A run of cells that are neighbours in the table and in memory. */
typedef struct {
  uint64_t cell; /* first cell in memory: word · 64 + bit */
  uint64_t cells;
} cell_run;

static cell_run find_run(const phb_tables *t, uint64_t index) {
  const phb_board *board = &t->board;
  int ball = 0;
  while (board->first[ball + 1] <= index) ball++;
  const phb_origin *origin = &t->origin[t->origin_of[board->ball[ball]]];
  return (cell_run){origin->first * 64 + index - board->first[ball], board->first[ball + 1] - index};
}

void phb_bits_gather(const void *tables, const game_bitboards_state *state, uint64_t first, size_t count,
                     int8_t *cells, uint16_t *depths) {
  const phb_tables *t = tables;
  for (size_t done = 0; done < count;) {
    const cell_run run = find_run(t, first + done);
    for (uint64_t i = 0; i < run.cells && done < count; i++, done++) {
      const uint64_t word = (run.cell + i) / 64;
      const int bit = (int)((run.cell + i) % 64);
      const uint64_t at = word - state->depth_from;
      const bool wins = state->won[at] >> bit & 1, loses = state->lost[at] >> bit & 1;
      const uint8_t code = state->depth ? phb_code_of(state, word, bit) : 0;
      cells[done] = (int8_t)(wins - loses);
      depths[done] = wins ? bitboards_won_depth(code) : loses ? bitboards_lost_depth(code) : 0;
    }
  }
}

/* Neighbouring tiles may have cells in the same word, so the operations are atomic. */
static void set_cell(const game_bitboards_state *state, uint64_t cell, int8_t value, uint16_t depth) {
  const uint64_t word = cell / 64;
  const int bit = (int)(cell % 64);
  __atomic_fetch_or(&(value > 0 ? state->won : state->lost)[word], UINT64_C(1) << bit, __ATOMIC_RELAXED);
  phb_keep_code_atomically(state, word, bit, bitboards_code(depth));
}

typedef struct {
  int8_t cells[PIECE];
  uint16_t depths[PIECE];
} piece;

size_t phb_bits_scratch(void) {
  return sizeof(piece);
}

tauler_error phb_bits_scatter(const void *tables, const game_bitboards_state *state, uint64_t tile,
                              void *scratch, int8_t reserved,
                              tauler_error (*read)(void *user, uint64_t first, size_t count, int8_t *cells,
                                                   uint16_t *depths),
                              void *user) {
  const phb_tables *t = tables;
  piece *own = scratch;
  const uint64_t tiles = t->tiles, positions = t->board.first[t->board.balls];
  const uint64_t each = positions / tiles + 1, from = tile * each;
  const uint64_t end = from + each < positions ? from + each : positions;
  for (uint64_t at = from; at < end;) {
    const size_t n = end - at < PIECE ? (size_t)(end - at) : PIECE;
    const tauler_error error = read(user, at, n, own->cells, own->depths);
    if (error) return error;
    for (size_t i = 0; i < n;) {
      const cell_run run = find_run(t, at + i);
      for (uint64_t k = 0; k < run.cells && i < n; k++, i++) {
        if (own->cells[i] != 0 && own->cells[i] != reserved)
          set_cell(state, run.cell + k, own->cells[i], own->depths[i]);
      }
    }
    at += n;
  }
  return TAULER_OK;
}
