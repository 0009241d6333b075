/* Sweeps over the sets of a tile, a bundle of words at a time. */
#include "games/phutball/bitboards_reach.h"

static void decide_word(const sweep *s, uint64_t word, uint64_t decided, bool odd, uint64_t *changed) {
  const game_bitboards_state *state = s->state;
  const uint8_t code = bitboards_code(state->wave);
  (odd ? state->won : state->lost)[word] |= decided;
  *changed += (uint64_t)__builtin_popcountll(decided);
  bitboards_note_change(state, word, decided);
  if (state->decided) {
    state->decided[word] |= decided;
  } else if (state->depth) {
    phb_keep_codes(state, word, decided, code);
  }
}

INLINE void relax_origin(const sweep *s, const phb_origin *origin, int words, bool odd, uint64_t *changed) {
  const game_bitboards_state *state = s->state;
  bundle midway, by_turn;
  const bool open = find_reaching_sets(s, origin, &midway, &by_turn, words, odd);
  const uint64_t spare = word_of(s->t, origin->spare, origin, s->high, words);
  for (int j = 0; j < words; j++) state->spare[spare + (uint64_t)j] = midway.word[j];
  if (!open) return;
  const uint64_t word = word_of(s->t, origin->first, origin, s->high, words);
  for (int j = 0; j < words; j++) {
    const uint64_t at = word + (uint64_t)j, some = by_turn.word[j];
    const uint64_t decided = odd ? some & ~state->won[at] : ~(some | state->lost[at]);
    if (decided) decide_word(s, at, decided, odd, changed);
  }
}

/* Computes the live origins if `live`, otherwise those on the near goal line. */
INLINE void relax_origins(const sweep *s, uint64_t high, bool live, int words, bool odd, uint64_t *changed) {
  const phb_tables *t = s->t;
  const bool second = live && phb_is_second_image(&t->board, high);
  sweep at = *s;
  at.high = high;
  for (int i = 0; i < t->origins && (live || !t->origin[i].live); i++) {
    const phb_origin *origin = &t->origin[i];
    if (origin->live != live || (second && origin->middle)) continue;
    if (origin->squeezed && (high >> (origin->bit - t->board.low_bits) & 1)) continue;
    relax_origin(&at, origin, words, odd, changed);
  }
}

/* Sweeps the sets of a tile. A jump may land in the mirror image, so both images are swept together. On the
 * near goal line a jump may take men of low bits alone, so that it reads a cell with the same high bits. No
 * two such jumps follow each other, so origins there are computed first, and twice. */
INLINE void sweep_tile(const sweep *s, uint64_t tile, int words, bool odd, uint64_t *changed) {
  const phb_board *board = &s->t->board;
  const uint64_t sides = s->t->sides[tile] << board->middle_bits;
  const uint64_t image = phb_mirror_high(board, sides);
  for (uint64_t middle = 0; middle < UINT64_C(1) << board->middle_bits; middle++) {
    for (int pass = 0; pass < 2; pass++) {
      relax_origins(s, sides | middle, false, words, odd, changed);
      if (image != sides) relax_origins(s, image | middle, false, words, odd, changed);
    }
    relax_origins(s, sides | middle, true, words, odd, changed);
    if (image != sides) relax_origins(s, image | middle, true, words, odd, changed);
  }
}

tauler_error phb_bits_sweep(const void *tables, const game_bitboards_state *state, uint64_t tile,
                            void *scratch, uint64_t *changed, uint32_t *latest) {
  const phb_tables *t = tables;
  const sweep s = {t, state, 0, false};
  const bool odd = state->wave & 1;
  (void)scratch;
  (void)latest;
  if (t->bundle == 1) {
    if (odd) {
      sweep_tile(&s, tile, 1, true, changed);
    } else {
      sweep_tile(&s, tile, 1, false, changed);
    }
  } else if (odd) {
    sweep_tile(&s, tile, PHB_BUNDLE, true, changed);
  } else {
    sweep_tile(&s, tile, PHB_BUNDLE, false, changed);
  }
  return TAULER_OK;
}
