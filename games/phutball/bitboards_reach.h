/* Private to Phutball's kernels over bitboards: finds the sets from which the ball reaches a wanted position,
 * a bundle at a time: 64 or 256 sets that differ in their low bits. */
#ifndef GAMES_PHUTBALL_BITBOARDS_REACH_H
#define GAMES_PHUTBALL_BITBOARDS_REACH_H

#include "games/phutball/bitboards.h"

#define INLINE static inline __attribute__((always_inline))

typedef struct {
  uint64_t word[PHB_BUNDLE];
} bundle;

/* [i] cells of a word whose set has low bit i */
static const uint64_t with_bit[6] = {UINT64_C(0xAAAAAAAAAAAAAAAA), UINT64_C(0xCCCCCCCCCCCCCCCC),
                                     UINT64_C(0xF0F0F0F0F0F0F0F0), UINT64_C(0xFF00FF00FF00FF00),
                                     UINT64_C(0xFFFF0000FFFF0000), UINT64_C(0xFFFFFFFF00000000)};

typedef struct {
  const phb_tables *t;
  const game_bitboards_state *state;
  uint64_t high; /* high bits of the set. The ball's own bit is 0 */
  bool shared;   /* true if other threads may write the words that this reads */
} sweep;

INLINE uint64_t read_word(const sweep *s, const uint64_t *word) {
  return s->shared ? __atomic_load_n(word, __ATOMIC_RELAXED) : *word;
}

/* Exchanges low bits i < j. */
INLINE uint64_t exchange_bits(uint64_t word, int i, int j) {
  const int by = (1 << j) - (1 << i);
  const uint64_t moved = (word ^ word >> by) & with_bit[i] & ~with_bit[j];
  return word ^ moved ^ moved << by;
}

/* Exchanges low bit i with the bit in which two words differ. */
INLINE void exchange_bits_across(uint64_t *even, uint64_t *odd, int i) {
  const uint64_t up = *even & with_bit[i], down = *odd & ~with_bit[i];
  *even = (*even & ~with_bit[i]) | down << (1 << i);
  *odd = (*odd & with_bit[i]) | up >> (1 << i);
}

/* Mirrors the low bits, whose order board.h describes. */
INLINE void mirror_bundle(bundle *b, int words) {
  for (int j = 0; j < words; j++) {
    if (words == 1) {
      b->word[j] = exchange_bits(exchange_bits(b->word[j], 2, 3), 4, 5);
    } else {
      b->word[j] = exchange_bits(exchange_bits(exchange_bits(b->word[j], 0, 1), 2, 3), 4, 5);
    }
  }
  if (words == 1) return;
  const uint64_t second = b->word[1];
  b->word[1] = b->word[2];
  b->word[2] = second;
}

INLINE void flip_bundle(bundle *b, int words) {
  if (words == 1) {
    b->word[0] = exchange_bits(exchange_bits(exchange_bits(b->word[0], 0, 1), 2, 4), 3, 5);
    return;
  }
  for (int j = 0; j < words; j++) b->word[j] = exchange_bits(exchange_bits(b->word[j], 0, 2), 1, 3);
  exchange_bits_across(&b->word[0], &b->word[1], 4);
  exchange_bits_across(&b->word[2], &b->word[3], 4);
  exchange_bits_across(&b->word[0], &b->word[2], 5);
  exchange_bits_across(&b->word[1], &b->word[3], 5);
}

/* Adds the cells that the wave searches: in odd waves those lost for the side to move, in even waves those
 * not won for it. */
INLINE void add_wanted(const sweep *s, uint64_t word, bundle *into, int words, bool odd) {
  for (int j = 0; j < words; j++)
    into->word[j] |= odd ? s->state->lost[word + (uint64_t)j] : ~s->state->won[word + (uint64_t)j];
}

/* Only boards with a middle column have pairs; their bundles have one word. */
INLINE bool is_paired(const phb_origin *origin, int words) {
  return words == 1 && origin->paired;
}

INLINE uint64_t word_of(const phb_tables *t, uint64_t first, const phb_origin *origin, uint64_t high,
                        int words) {
  if (is_paired(origin, words)) return first + phb_pair_index(t, origin, high);
  return first + phb_high_index(t, origin, high) * (uint64_t)words;
}

/* Reads, from the spare words, the sets with the high men `high` from which the ball at a point reaches a
 * wanted position. */
INLINE void read_origin(const sweep *s, int point, uint64_t high, bundle *out, int words) {
  const phb_tables *t = s->t;
  const phb_board *board = &t->board;
  bool mirrored;
  const phb_origin *origin = phb_origin_at(t, point, &mirrored);
  if (mirrored) high = phb_mirror_high(board, high);
  if (is_paired(origin, words)) mirrored = phb_is_second_image(board, high);
  const uint64_t word = word_of(t, origin->spare, origin, high, words);
  for (int j = 0; j < words; j++) out->word[j] = read_word(s, &s->state->spare[word + (uint64_t)j]);
  if (mirrored) mirror_bundle(out, words);
}

/* Adds to `reached` those of `cells` whose ball, after a jump to the point, reaches a wanted position. The
 * jump lowers the number of a cell by `taken`. */
INLINE void add_landing(const sweep *s, int point, uint64_t high, unsigned taken, const bundle *cells,
                        bundle *reached, int words) {
  const phb_board *board = &s->t->board;
  const int row = point / board->columns;
  if (row == board->rows - 1) {
    for (int j = 0; j < words; j++) reached->word[j] |= cells->word[j];
    return;
  }
  if (row == 0 && s->t->goal_line_stop) return;
  bundle there = {{0}};
  read_origin(s, point, high, &there, words);
  const int skipped = (int)(taken >> 6);
  for (int j = skipped; j < words; j++)
    reached->word[j] |= cells->word[j] & there.word[j - skipped] << (taken & 63);
}

INLINE uint64_t men_at(int low_bit, int word) {
  if (low_bit < 6) return with_bit[low_bit];
  return word >> (low_bit - 6) & 1 ? UINT64_MAX : 0;
}

INLINE void add_jumps_of_ray(const sweep *s, const phb_ray *ray, bundle *reached, int words) {
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
    add_landing(s, ray->point[i], high, 0, &cells, reached, words);
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
      add_landing(s, ray->point[i], high, taken, &cells, reached, words);
      return;
    }
    for (int j = 0; j < words; j++) {
      vacant.word[j] = cells.word[j] & ~men_at(bit, j);
      cells.word[j] &= men_at(bit, j);
    }
    if (i > 0) add_landing(s, ray->point[i], high, taken, &vacant, reached, words);
    taken += 1U << bit;
  }
  if (i == 0 || ray->exit != EXIT_MOVER_SCORES) return;
  for (int j = 0; j < words; j++) reached->word[j] |= cells.word[j];
}

INLINE void add_jumps(const sweep *s, const phb_origin *origin, bundle *reached, int words) {
  for (int i = 0; i < PHB_DIRECTIONS; i++) {
    if (origin->rays[i].used) add_jumps_of_ray(s, &origin->rays[i], reached, words);
  }
}

/* Adds to `wanted` the sets from which one more man on a low bit leads to a set of `stopped`. */
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

/* Does what add_high_placements does, for a paired origin. Sets of which only the mirror image has cells are
 * added to `mirrored`. */
INLINE void add_paired_placements(const sweep *s, const phb_origin *flip, uint64_t flipped, bundle *plain,
                                  bundle *mirrored, bool odd) {
  const phb_board *board = &s->t->board;
  const int own = flip->bit - board->low_bits, side_bits = board->side_bits, shift = board->middle_bits - 1;
  const uint64_t side = (UINT64_C(1) << side_bits) - 1, sides = flipped >> board->middle_bits;
  const uint64_t middle = phb_middle_of(board, flipped), squeezed = phb_remove_bit(middle, own);
  bundle *same = sides >> side_bits > (sides & side) ? mirrored : plain;
  const uint64_t base = flip->first + (phb_pair_of(sides & side, sides >> side_bits) << shift);
  for (uint64_t rest = ((UINT64_C(2) << shift) - 1) & ~(middle | UINT64_C(1) << own); rest; rest &= rest - 1)
    add_wanted(s, base + (squeezed | phb_remove_bit(rest & -rest, own)), same, 1, odd);
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

/* Adds the wanted sets with one more man on a free high bit, as the other side sees them. */
INLINE void add_high_placements(const sweep *s, const phb_origin *flip, uint64_t flipped, bundle *plain,
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

INLINE uint64_t find_open_cells(const sweep *s, uint64_t word) {
  return ~(read_word(s, &s->state->won[word]) | read_word(s, &s->state->lost[word]));
}

/* Finds the sets of an origin that reach a wanted position: `midway` in the middle of a turn and, for a live
 * origin with open cells, `by_turn` by a whole turn. Returns false if it has not found `by_turn`. */
INLINE bool find_reaching_sets(const sweep *s, const phb_origin *origin, bundle *midway, bundle *by_turn,
                               int words, bool odd) {
  const phb_tables *t = s->t;
  const phb_board *board = &t->board;
  bundle reached = {{0}}, plain = {{0}}, mirrored = {{0}};
  add_jumps(s, origin, &reached, words);
  *midway = reached;
  if (!origin->live) return false;
  const phb_origin *flip = &t->origin[origin->flip];
  const uint64_t flipped = phb_flip_high(t, s->high);
  const bool second = is_paired(origin, words) && phb_is_second_image(board, flipped);
  bundle stopped = {{0}};
  add_wanted(s, word_of(t, flip->first, flip, flipped, words), &stopped, words, odd);
  bundle after = stopped;
  if (second) mirror_bundle(&after, words);
  flip_bundle(&after, words);
  for (int j = 0; j < words; j++) midway->word[j] |= after.word[j];
  const uint64_t word = word_of(t, origin->first, origin, s->high, words);
  uint64_t open = 0;
  for (int j = 0; j < words; j++) open |= find_open_cells(s, word + (uint64_t)j);
  if (!open) return false;
  add_low_placements(&stopped, second ? &mirrored : &plain, board->low_bits, words);
  add_high_placements(s, flip, flipped, &plain, &mirrored, words, odd);
  if (is_paired(origin, words)) {
    mirror_bundle(&mirrored, words);
    for (int j = 0; j < words; j++) plain.word[j] |= mirrored.word[j];
  }
  flip_bundle(&plain, words);
  for (int j = 0; j < words; j++) by_turn->word[j] = reached.word[j] | plain.word[j];
  return true;
}

#endif
