/* Computes a wave from what the wave before it decided: looks only at places from which a turn leads there.
 *
 * After an even wave the spare words hold the places in the middle of a turn that reach a cell that is not
 * won. Waves that follow close those from which it is known by now who wins: odd waves those that reach a
 * cell that was lost just now, even waves those that reach only won cells. From each closed place the wave
 * goes back over the jumps that lead to it, so a place is closed once. No thread needs the order of another:
 * an odd wave adds what it finds, and an even wave computes a place anew whenever something that it reads is
 * closed. */
#include "games/phutball/bitboards_reach.h"

typedef struct {
  sweep s; /* s.high is not used */
  bool odd;
  uint64_t *changed;
} chase;

/* Sets of an origin that agree in their high bits, as they are stored. */
typedef struct {
  const phb_origin *origin;
  uint64_t high;
  bundle cells;
} place;

static void decide_shared(const chase *c, uint64_t word, uint64_t cells) {
  const game_bitboards_state *state = c->s.state;
  uint64_t *set = c->odd ? state->won : state->lost;
  const uint64_t decided = cells & ~__atomic_fetch_or(&set[word], cells, __ATOMIC_RELAXED);
  if (!decided) return;
  *c->changed += (uint64_t)__builtin_popcountll(decided);
  bitboards_note_change(state, word, decided);
  if (state->decided) {
    __atomic_fetch_or(&state->decided[word], decided, __ATOMIC_RELAXED);
  } else if (state->depth) {
    for (uint64_t rest = decided; rest; rest &= rest - 1)
      phb_keep_code_atomically(state, word, __builtin_ctzll(rest), bitboards_code(state->wave));
  }
}

static void go_back(const chase *c, const place *from);

/* Takes cells out of what may still be reached from the middle of a turn, and goes on to where jumps lead to
 * them. */
static void close_midway(const chase *c, const place *at) {
  const int words = c->s.t->bundle;
  const uint64_t spare = word_of(c->s.t, at->origin->spare, at->origin, at->high, words);
  place fresh = *at;
  uint64_t any = 0;
  for (int j = 0; j < words; j++) {
    uint64_t *word = &c->s.state->spare[spare + (uint64_t)j];
    if (at->cells.word[j] & __atomic_load_n(word, __ATOMIC_RELAXED))
      fresh.cells.word[j] &= __atomic_fetch_and(word, ~at->cells.word[j], __ATOMIC_SEQ_CST);
    else
      fresh.cells.word[j] = 0;
    any |= fresh.cells.word[j];
  }
  if (any) go_back(c, &fresh);
}

/* Even waves: computes the cells of an origin anew. */
static void settle(const chase *c, const phb_origin *origin, uint64_t high) {
  const phb_tables *t = c->s.t;
  const int words = t->bundle;
  sweep at = c->s;
  bundle midway, by_turn;
  at.high = high;
  __atomic_thread_fence(__ATOMIC_SEQ_CST); /* two threads may have closed what this reads */
  const bool open = reach_from(&at, origin, &midway, &by_turn, words, false);
  const uint64_t word = open ? word_of(t, origin->first, origin, high, words) : 0;
  for (int j = 0; j < words && open; j++) {
    const uint64_t cells = open_at(&at, word + (uint64_t)j) & ~by_turn.word[j];
    if (cells) decide_shared(c, word + (uint64_t)j, cells);
  }
  place closed = {origin, high, midway};
  for (int j = 0; j < words; j++) closed.cells.word[j] = ~midway.word[j];
  close_midway(c, &closed);
}

/* True if some of these cells have no value yet, as turns begin there or, if `midway`, go on. */
static bool holds_open(const chase *c, const place *at, bool midway) {
  const phb_tables *t = c->s.t;
  const uint64_t spare = word_of(t, at->origin->spare, at->origin, at->high, t->bundle);
  const uint64_t word = word_of(t, at->origin->first, at->origin, at->high, t->bundle);
  uint64_t open = 0;
  for (uint64_t j = 0; j < (uint64_t)t->bundle; j++) {
    if (at->origin->live) open |= at->cells.word[j] & open_at(&c->s, word + j);
    if (midway) open |= at->cells.word[j] & read_word(&c->s, &c->s.state->spare[spare + j]);
  }
  return open != 0;
}

/* Looks at an image of cells from which a turn, or if `midway` a jump, leads to what changed. */
static void look_at_image(const chase *c, const place *at, bool midway) {
  const phb_tables *t = c->s.t;
  if (!c->odd) {
    if (holds_open(c, at, midway)) settle(c, at->origin, at->high);
    return;
  }
  if (at->origin->live) {
    const uint64_t word = word_of(t, at->origin->first, at->origin, at->high, t->bundle);
    for (int j = 0; j < t->bundle; j++) {
      if (at->cells.word[j]) decide_shared(c, word + (uint64_t)j, at->cells.word[j]);
    }
  }
  if (midway) close_midway(c, at);
}

/* Visits the stored image of these cells, or both images if the ball is on the middle column and both are
 * stored. */
static void look_at_images(const chase *c, int point, uint64_t high, const bundle *cells, bool midway) {
  const phb_board *board = &c->s.t->board;
  bool mirrored;
  place at = {phb_origin_at(c->s.t, point, &mirrored), high, *cells};
  place image = {at.origin, phb_mirror_high(board, high), *cells};
  mirror_bundle(&image.cells, c->s.t->bundle);
  const bool second = phb_is_second_image(board, high);
  if (at.origin->middle ? !(at.origin->paired && second) : !mirrored) look_at_image(c, &at, midway);
  if (at.origin->middle ? !at.origin->paired || second || image.high == high : mirrored)
    look_at_image(c, &image, midway);
}

/* Adds a man where none is on these sets. Returns false if all have one there. */
static bool add_man(const phb_tables *t, int bit, uint64_t *high, bundle *cells) {
  bundle more = {{0}};
  uint64_t any = 0;
  if (bit >= t->board.low_bits) {
    const uint64_t man = UINT64_C(1) << (bit - t->board.low_bits);
    if (*high & man) return false;
    *high |= man;
    return true;
  }
  for (int j = 0; j < t->bundle; j++) {
    const uint64_t vacant = cells->word[j] & ~men_at(bit, j);
    if (bit < 6) {
      more.word[j] = vacant << (1 << bit);
    } else if (vacant) {
      more.word[j | 1 << (bit - 6)] = vacant;
    }
    any |= vacant;
  }
  *cells = more;
  return any != 0;
}

/* Visits the places from which a jump leads to these cells. */
static void go_back(const chase *c, const place *from) {
  const phb_tables *t = c->s.t;
  const int columns = t->board.columns, low = t->board.low_bits;
  for (int i = 0; i < PHB_RAYS; i++) {
    const phb_ray *ray = &from->origin->rays[i];
    uint64_t high = from->high;
    bundle cells = from->cells;
    for (int k = 1; k < ray->used && add_man(t, ray->bit[k - 1], &high, &cells); k++) {
      const int row = ray->point[k] / columns, bit = ray->bit[k];
      if (row == t->board.rows - 1 || (row == 0 && t->goal_line_stop)) continue;
      if (bit >= low && high >> (bit - low) & 1) continue;
      bundle vacant = cells;
      for (int j = 0; j < t->bundle && bit < low; j++) vacant.word[j] &= ~men_at(bit, j);
      look_at_images(c, ray->point[k], high, &vacant, true);
    }
  }
}

/* The cells of a change as the other side sees them. */
static place place_of(const phb_tables *t, const game_bitboards_change *change) {
  const phb_board *board = &t->board;
  int ball;
  uint64_t set;
  phb_unrank(board, change->block * 64, &ball, &set);
  const phb_origin *flip = &t->origin[t->origin[t->origin_of[ball]].flip];
  place at = {flip, phb_flip_high(t, set >> board->low_bits), {{0}}};
  at.cells.word[t->bundle > 1 ? set >> 6 & (PHB_BUNDLE - 1) : 0] = change->cells;
  flip_bundle(&at.cells, t->bundle);
  if (flip->paired && phb_is_second_image(board, at.high)) {
    at.high = phb_mirror_high(board, at.high);
    mirror_bundle(&at.cells, t->bundle);
  }
  return at;
}

static void follow_change(const chase *c, const game_bitboards_change *change) {
  const phb_tables *t = c->s.t;
  const place at = place_of(t, change);
  bundle fewer = {{0}};
  if (c->odd) {
    close_midway(c, &at);
  } else {
    settle(c, at.origin, at.high);
  }
  add_low_placements(&at.cells, &fewer, t->board.low_bits, t->bundle);
  look_at_images(c, at.origin->point, at.high, &fewer, false);
  for (uint64_t rest = at.high; rest; rest &= rest - 1)
    look_at_images(c, at.origin->point, at.high & ~(rest & -rest), &at.cells, false);
}

void phb_bits_follow(const void *tables, const game_bitboards_state *state,
                     const game_bitboards_change *changes, uint64_t n, uint64_t *changed) {
  const chase c = {{tables, state, 0, true}, state->wave & 1, changed};
  for (uint64_t i = 0; i < n; i++) follow_change(&c, &changes[i]);
}
