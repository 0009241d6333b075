/* Computes waves. Odd waves find positions with a move to a lost position, even waves find positions whose
 * moves all lead to won positions. */
#include "games/doushouqi/bitboards_moves.h"

void dsq_bits_keep_code(const void *tables, const game_bitboards_state *state, uint64_t block, uint64_t cells,
                        uint8_t code) {
  const dsq_bits_layout *layout = &((const dsq_bits_tables *)tables)->layout;
  uint8_t *depth = state->depth + block * layout->columns;
  for (uint64_t rest = cells; rest; rest &= rest - 1) depth[layout->column[__builtin_ctzll(rest)]] = code;
}

static void decide_cells(const dsq_bits_tables *t, const game_bitboards_state *state, uint64_t *words,
                         const dsq_bits_block *at, uint64_t decided) {
  words[at->block] |= decided;
  if (state->decided) state->decided[at->block] |= decided;
  dsq_bits_keep_code(t, state, at->block, decided, bitboards_code(state->wave));
}

static uint64_t find_due(const dsq_bits_tables *t, const game_bitboards_state *state,
                         const dsq_bits_block *at, uint64_t held, uint8_t code) {
  const uint8_t *depth = state->depth + at->block * t->layout.columns;
  uint64_t found = 0;
  for (uint64_t rest = held; rest; rest &= rest - 1) {
    const int square = __builtin_ctzll(rest);
    if (depth[t->layout.column[square]] == code) found |= dsq_bit(square);
  }
  return found;
}

static uint8_t next_due_code(const dsq_bits_tables *t, const game_bitboards_state *state,
                             const dsq_bits_block *at, uint64_t held, uint8_t code) {
  const uint8_t *depth = state->depth + at->block * t->layout.columns;
  uint8_t least = BITBOARDS_NEVER;
  for (uint64_t rest = held; rest; rest &= rest - 1) {
    const uint8_t other = depth[t->layout.column[__builtin_ctzll(rest)]];
    if (other > code && (least == BITBOARDS_NEVER || other < least)) least = other;
  }
  return least;
}

static uint64_t open_squares(const game_bitboards_state *state, const dsq_bits_block *at) {
  return at->valid & ~(state->won[at->block] | state->lost[at->block]);
}

static uint64_t decide_wins(dsq_bits_tile *tile, const dsq_bits_block *at, const game_bitboards_state *state,
                            bool marked, bool due) {
  const uint64_t open = open_squares(state, at);
  uint64_t decided = 0;
  if (!open) return 0;
  if (due)
    decided =
        find_due(tile->tables, state, at, open & state->gaining[at->block], bitboards_code(state->wave));
  if (marked) decided |= dsq_bits_some_move(tile, at, state->lost) & open;
  if (decided) decide_cells(tile->tables, state, state->won, at, decided);
  return decided;
}

static uint64_t decide_losses(dsq_bits_tile *tile, const dsq_bits_block *at,
                              const game_bitboards_state *state, bool due) {
  const dsq_bits_tables *t = tile->tables;
  const uint8_t code = bitboards_code(state->wave);
  const uint64_t open = open_squares(state, at);
  if (due) {
    const uint64_t held = open & state->held[at->block] & ~state->gaining[at->block];
    state->held[at->block] &= ~find_due(t, state, at, held, code);
    state->due[at->block] = next_due_code(t, state, at, open & state->held[at->block], code);
  }
  const uint64_t among = open & ~state->held[at->block];
  const uint64_t decided = among ? dsq_bits_every_move(tile, at, state->won, among) : 0;
  if (decided) decide_cells(t, state, state->lost, at, decided);
  return decided;
}

tauler_error dsq_bits_relax(const void *tables, const game_bitboards_state *state, uint64_t tile,
                            void *scratch, uint64_t *changed, uint32_t *latest) {
  const dsq_bits_tables *t = tables;
  dsq_bits_tile *here = &((dsq_bits_scratch *)scratch)->tile;
  const int odd = state->wave & 1, blocks = t->layout.count[t->layout.pieces - 2];
  const uint8_t code = bitboards_code(state->wave);
  const uint64_t first = tile * (uint64_t)blocks;
  bool opened = false;
  (void)latest;
  for (int i = 0; i < blocks; i++) {
    const bool due = state->due[first + (uint64_t)i] == code;
    const bool marked = bitboards_clear_mark(state, odd, first + (uint64_t)i);
    if (!due && !marked) continue;
    if (!opened && !dsq_bits_tile_open(t, tile, here)) return TAULER_OK;
    opened = true;
    const dsq_bits_block at = dsq_bits_block_at(here, i);
    const uint64_t decided =
        odd ? decide_wins(here, &at, state, marked, due) : decide_losses(here, &at, state, due);
    if (!decided) continue;
    *changed += (uint64_t)__builtin_popcountll(decided);
    dsq_bits_mark_readers(state, here, &at);
  }
  return TAULER_OK;
}
