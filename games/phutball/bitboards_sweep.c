/* A sweep over the sets of a tile, a bundle of words at a time: 64 or 256 sets that differ in their low bits.
 */
#include "games/phutball/bitboards.h"

#define INLINE static inline __attribute__((always_inline))

typedef struct {
  uint64_t word[PHB_BUNDLE];
} bundle;

/* Cells of a word whose set has low bit i. */
static const uint64_t with_bit[6] = {UINT64_C(0xAAAAAAAAAAAAAAAA), UINT64_C(0xCCCCCCCCCCCCCCCC),
                                     UINT64_C(0xF0F0F0F0F0F0F0F0), UINT64_C(0xFF00FF00FF00FF00),
                                     UINT64_C(0xFFFF0000FFFF0000), UINT64_C(0xFFFFFFFF00000000)};

typedef struct {
  const phb_tables *t;
  const game_bitboards_state *state;
  uint64_t high; /* of the set, the ball's own bit 0 */
} sweep;

/* Low bits i < j exchanged. */
INLINE uint64_t exchange(uint64_t word, int i, int j) {
  const int by = (1 << j) - (1 << i);
  const uint64_t moved = (word ^ word >> by) & with_bit[i] & ~with_bit[j];
  return word ^ moved ^ moved << by;
}

/* Low bit i exchanged with what tells two words apart. */
INLINE void exchange_across(uint64_t *even, uint64_t *odd, int i) {
  const uint64_t up = *even & with_bit[i], down = *odd & ~with_bit[i];
  *even = (*even & ~with_bit[i]) | down << (1 << i);
  *odd = (*odd & with_bit[i]) | up >> (1 << i);
}

/* Mirror images of the low bits; board.h says which they are. */
INLINE void mirror_bundle(bundle *b, int words) {
  for (int j = 0; j < words; j++) {
    if (words == 1) {
      b->word[j] = exchange(exchange(b->word[j], 2, 3), 4, 5);
    } else {
      b->word[j] = exchange(exchange(exchange(b->word[j], 0, 1), 2, 3), 4, 5);
    }
  }
  if (words == 1) return;
  const uint64_t second = b->word[1];
  b->word[1] = b->word[2];
  b->word[2] = second;
}

/* Rows reversed. */
INLINE void flip_bundle(bundle *b, int words) {
  if (words == 1) {
    b->word[0] = exchange(exchange(exchange(b->word[0], 0, 1), 2, 4), 3, 5);
    return;
  }
  for (int j = 0; j < words; j++) b->word[j] = exchange(exchange(b->word[j], 0, 2), 1, 3);
  exchange_across(&b->word[0], &b->word[1], 4);
  exchange_across(&b->word[2], &b->word[3], 4);
  exchange_across(&b->word[0], &b->word[2], 5);
  exchange_across(&b->word[1], &b->word[3], 5);
}

/* What the wave looks for of the side that is to move: lost cells, or those not won. */
INLINE void add_wanted(const sweep *s, uint64_t word, bundle *into, int words, bool odd) {
  for (int j = 0; j < words; j++)
    into->word[j] |= odd ? s->state->lost[word + (uint64_t)j] : ~s->state->won[word + (uint64_t)j];
}

/* Boards with a middle column have bundles of one word. */
INLINE bool is_paired(const phb_hand *hand, int words) {
  return words == 1 && hand->paired;
}

INLINE uint64_t word_of(const phb_tables *t, uint64_t first, const phb_hand *hand, uint64_t high, int words) {
  if (is_paired(hand, words)) return first + phb_pair_index(t, hand, high);
  return first + phb_high_index(t, hand, high) * (uint64_t)words;
}

/* What the ball in hand at a point, `high` the men left, comes to: as the spare words have it. */
INLINE void read_hand(const sweep *s, int point, uint64_t high, bundle *out, int words) {
  const phb_tables *t = s->t;
  const phb_board *board = &t->board;
  bool mirrored;
  const phb_hand *hand = phb_hand_at(t, point, &mirrored);
  if (mirrored) high = phb_mirror_high(board, high);
  if (is_paired(hand, words)) mirrored = phb_is_second_image(board, high);
  const uint64_t word = word_of(t, hand->spare, hand, high, words);
  for (int j = 0; j < words; j++) out->word[j] = s->state->spare[word + (uint64_t)j];
  if (mirrored) mirror_bundle(out, words);
}

/* Those of `cells` whose ball, landing on a point with men taken, reaches what is wanted; `taken` is what
 * that takes from the number of a cell. */
INLINE void land(const sweep *s, int point, uint64_t high, unsigned taken, const bundle *cells,
                 bundle *reached, int words) {
  const phb_board *board = &s->t->board;
  const int row = point / board->columns;
  if (row == board->rows - 1) {
    for (int j = 0; j < words; j++) reached->word[j] |= cells->word[j];
    return;
  }
  if (row == 0 && s->t->goal_line_stop) return;
  bundle there = {{0}};
  read_hand(s, point, high, &there, words);
  const int skipped = (int)(taken >> 6);
  for (int j = skipped; j < words; j++)
    reached->word[j] |= cells->word[j] & there.word[j - skipped] << (taken & 63);
}

INLINE uint64_t men_at(int low_bit, int word) {
  if (low_bit < 6) return with_bit[low_bit];
  return word >> (low_bit - 6) & 1 ? UINT64_MAX : 0;
}

INLINE void follow_ray(const sweep *s, const phb_ray *ray, bundle *reached, int words) {
  const int low = s->t->board.low_bits;
  uint64_t high = s->high;
  unsigned taken = 0;
  bundle cells = {{0}}, vacant = {{0}};
  int i = 0;
  for (; i < ray->used && ray->bit[i] >= low && (high >> (ray->bit[i] - low) & 1); i++)
    high &= ~(UINT64_C(1) << (ray->bit[i] - low));
  if (i < ray->used && ray->bit[i] >= low) {
    if (i == 0) return;
    for (int j = 0; j < words; j++) cells.word[j] = UINT64_MAX;
    land(s, ray->point[i], high, 0, &cells, reached, words);
    return;
  }
  for (int j = 0; j < words; j++) cells.word[j] = UINT64_MAX;
  for (; i < ray->used; i++) {
    const int bit = ray->bit[i];
    if (bit >= low) {
      if (high >> (bit - low) & 1) {
        high &= ~(UINT64_C(1) << (bit - low));
        continue;
      }
      land(s, ray->point[i], high, taken, &cells, reached, words);
      return;
    }
    for (int j = 0; j < words; j++) {
      vacant.word[j] = cells.word[j] & ~men_at(bit, j);
      cells.word[j] &= men_at(bit, j);
    }
    if (i > 0) land(s, ray->point[i], high, taken, &vacant, reached, words);
    taken += 1U << bit;
  }
  if (i == 0 || ray->exit != EXIT_MOVER_SCORES) return;
  for (int j = 0; j < words; j++) reached->word[j] |= cells.word[j];
}

INLINE void follow_rays(const sweep *s, const phb_hand *hand, bundle *reached, int words) {
  for (int i = 0; i < PHB_RAYS; i++) {
    if (hand->rays[i].used) follow_ray(s, &hand->rays[i], reached, words);
  }
}

/* Adds to `wanted` where one more man on a low bit leads, of the bundle of sets without it. */
INLINE void add_low_placements(const bundle *stopped, bundle *wanted, int low, int words) {
  for (int bit = 0; bit < low; bit++) {
    if (bit < 6) {
      for (int j = 0; j < words; j++) wanted->word[j] |= stopped->word[j] >> (1 << bit) & ~with_bit[bit];
    } else {
      const int with = 1 << (bit - 6);
      for (int j = 0; j < words; j++) {
        if (!(j & with)) wanted->word[j] |= stopped->word[j | with];
      }
    }
  }
}

/* The same where pairs of sides are kept; of second images apart. */
INLINE void add_paired_placements(const sweep *s, const phb_hand *flip, uint64_t flipped, bundle *plain,
                                  bundle *mirrored, bool odd) {
  const phb_board *board = &s->t->board;
  const int own = flip->bit - board->low_bits, side_bits = board->side_bits, shift = board->middle_bits - 1;
  const uint64_t side = (UINT64_C(1) << side_bits) - 1, sides = flipped >> board->middle_bits;
  const uint64_t middle = phb_middle_of(board, flipped), squeezed = phb_squeeze(middle, own);
  bundle *same = sides >> side_bits > (sides & side) ? mirrored : plain;
  const uint64_t base = flip->first + (phb_pair_of(sides & side, sides >> side_bits) << shift);
  for (uint64_t rest = ((UINT64_C(2) << shift) - 1) & ~(middle | UINT64_C(1) << own); rest; rest &= rest - 1)
    add_wanted(s, base + (squeezed | phb_squeeze(rest & -rest, own)), same, 1, odd);
  for (uint64_t rest = ((UINT64_C(1) << 2 * side_bits) - 1) & ~sides; rest; rest &= rest - 1) {
    const uint64_t more = sides | (rest & -rest), left = more & side, right = more >> side_bits;
    const uint64_t word = flip->first + (phb_pair_of(left, right) << shift | squeezed);
    if (right > left) {
      add_wanted(s, word, mirrored, 1, odd);
    } else {
      add_wanted(s, word, plain, 1, odd);
    }
  }
}

/* One more man on a high bit, of all that have none; as the other side sees it. */
INLINE void add_high_placements(const sweep *s, const phb_hand *flip, uint64_t flipped, bundle *plain,
                                bundle *mirrored, int words, bool odd) {
  const phb_tables *t = s->t;
  const uint64_t all = (UINT64_C(1) << t->high_bits) - 1;
  if (is_paired(flip, words)) {
    add_paired_placements(s, flip, flipped, plain, mirrored, odd);
    return;
  }
  for (uint64_t rest = all & ~(flipped | UINT64_C(1) << (flip->bit - t->board.low_bits)); rest;
       rest &= rest - 1)
    add_wanted(s, word_of(t, flip->first, flip, flipped | (rest & -rest), words), plain, words, odd);
}

static void settle(const sweep *s, uint64_t word, uint64_t fresh, bool odd, uint64_t *changed) {
  const game_bitboards_state *state = s->state;
  const uint8_t code = bitboards_code(state->wave);
  (odd ? state->won : state->lost)[word] |= fresh;
  *changed += (uint64_t)__builtin_popcountll(fresh);
  if (state->fresh) {
    state->fresh[word] |= fresh;
  } else {
    phb_keep_codes(state, word, fresh, code);
  }
}

INLINE void look_at_hand(const sweep *s, const phb_hand *hand, int words, bool odd, uint64_t *changed) {
  const phb_tables *t = s->t;
  const phb_board *board = &t->board;
  const game_bitboards_state *state = s->state;
  bundle reached = {{0}}, plain = {{0}}, mirrored = {{0}};
  follow_rays(s, hand, &reached, words);
  const uint64_t spare = word_of(t, hand->spare, hand, s->high, words);
  if (!hand->live) {
    for (int j = 0; j < words; j++) state->spare[spare + (uint64_t)j] = reached.word[j];
    return;
  }
  const phb_hand *flip = &t->hand[hand->flip];
  const uint64_t flipped = phb_flip_high(t, s->high);
  const bool second = is_paired(hand, words) && phb_is_second_image(board, flipped);
  bundle stopped = {{0}};
  add_wanted(s, word_of(t, flip->first, flip, flipped, words), &stopped, words, odd);
  bundle after = stopped;
  if (second) mirror_bundle(&after, words);
  flip_bundle(&after, words);
  for (int j = 0; j < words; j++) state->spare[spare + (uint64_t)j] = reached.word[j] | after.word[j];
  const uint64_t word = word_of(t, hand->first, hand, s->high, words);
  uint64_t open = 0;
  for (int j = 0; j < words; j++) open |= ~(state->won[word + (uint64_t)j] | state->lost[word + (uint64_t)j]);
  if (!open) return;
  add_low_placements(&stopped, second ? &mirrored : &plain, board->low_bits, words);
  add_high_placements(s, flip, flipped, &plain, &mirrored, words, odd);
  if (is_paired(hand, words)) {
    mirror_bundle(&mirrored, words);
    for (int j = 0; j < words; j++) plain.word[j] |= mirrored.word[j];
  }
  flip_bundle(&plain, words);
  for (int j = 0; j < words; j++) {
    const uint64_t at = word + (uint64_t)j, some = reached.word[j] | plain.word[j];
    const uint64_t fresh = odd ? some & ~state->won[at] : ~(some | state->lost[at]);
    if (fresh) settle(s, at, fresh, odd, changed);
  }
}

INLINE void look_from_goal_line(const sweep *s, uint64_t high, int words, bool odd, uint64_t *changed) {
  const phb_tables *t = s->t;
  sweep at = *s;
  at.high = high;
  for (int i = 0; i < t->hands && !t->hand[i].live; i++) {
    const phb_hand *hand = &t->hand[i];
    if (hand->squeezed && (high >> (hand->bit - t->board.low_bits) & 1)) continue;
    look_at_hand(&at, hand, words, odd, changed);
  }
}

INLINE void look_from_live_points(const sweep *s, uint64_t high, int words, bool odd, uint64_t *changed) {
  const phb_tables *t = s->t;
  const bool second = phb_is_second_image(&t->board, high);
  sweep at = *s;
  at.high = high;
  for (int i = 0; i < t->hands; i++) {
    const phb_hand *hand = &t->hand[i];
    if (!hand->live || (high >> (hand->bit - t->board.low_bits) & 1) || (second && hand->middle)) continue;
    look_at_hand(&at, hand, words, odd, changed);
  }
}

/* A jump may land in the mirror image, so both are swept in step. On the near goal line it may pass over men
 * of low bits alone, but not twice in a row: balls there come first, and twice. */
INLINE void sweep_tile(const sweep *s, uint64_t tile, int words, bool odd, uint64_t *changed) {
  const phb_board *board = &s->t->board;
  const uint64_t sides = s->t->sides[tile] << board->middle_bits;
  const uint64_t image = phb_mirror_high(board, sides);
  for (uint64_t middle = 0; middle < UINT64_C(1) << board->middle_bits; middle++) {
    for (int pass = 0; pass < 2; pass++) {
      look_from_goal_line(s, sides | middle, words, odd, changed);
      if (image != sides) look_from_goal_line(s, image | middle, words, odd, changed);
    }
    look_from_live_points(s, sides | middle, words, odd, changed);
    if (image != sides) look_from_live_points(s, image | middle, words, odd, changed);
  }
}

tauler_error phb_bits_sweep(const void *tables, const game_bitboards_state *state, uint64_t tile,
                            void *scratch, uint64_t *changed, uint32_t *latest) {
  const phb_tables *t = tables;
  const sweep s = {t, state, 0};
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
