/* Computes a wave from the changes of the wave before it: follows turns back from changes to the places where
 * they begin. A place is cells of an origin. After an even wave the spare words have the places in the middle
 * of a turn that reach a cell not won. Waves computed here close those whose winner is known: odd waves those
 * that reach a cell that has just been lost, even waves those that reach only won cells. From each place that
 * it closes, a wave follows back the jumps to that place. No place is closed twice. Results do not depend on
 * the order of threads: an odd wave adds what it finds, and an even wave computes a place again whenever
 * something that it reads is closed. */
#include "games/phutball/bitboards_reach.h"

typedef struct {
  sweep s; /* with an unused `high` */
  bool odd;
  uint64_t *changed;
} chase;

/* Cells of an origin whose sets agree in their high bits, in the order in which they are stored. */
typedef struct {
  const phb_origin *origin;
  uint64_t high;
  bundle cells;
} place;

static void decide_cells(const chase *c, uint64_t word, uint64_t cells) {
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

static void follow_jumps_back(const chase *c, const place *from);

/* Removes cells from the spare words, and follows back the jumps that lead to those that were still there. */
static void close_cells(const chase *c, const place *at) {
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
  if (any) follow_jumps_back(c, &fresh);
}

/* Computes the cells of an origin again, in even waves. */
static void recompute_cells(const chase *c, const phb_origin *origin, uint64_t high) {
  const phb_tables *t = c->s.t;
  const int words = t->bundle;
  sweep at = c->s;
  bundle midway, by_turn;
  at.high = high;
  __atomic_thread_fence(__ATOMIC_SEQ_CST); /* other threads may just have closed words that this reads */
  const bool open = find_reaching_sets(&at, origin, &midway, &by_turn, words, false);
  const uint64_t word = open ? word_of(t, origin->first, origin, high, words) : 0;
  for (int j = 0; j < words && open; j++) {
    const uint64_t cells = find_open_cells(&at, word + (uint64_t)j) & ~by_turn.word[j];
    if (cells) decide_cells(c, word + (uint64_t)j, cells);
  }
  place closed = {origin, high, midway};
  for (int j = 0; j < words; j++) closed.cells.word[j] = ~midway.word[j];
  close_cells(c, &closed);
}

/* True if some of these cells are still open, as starts of a turn or, if `midway`, in the middle of one. */
static bool has_open_cells(const chase *c, const place *at, bool midway) {
  const phb_tables *t = c->s.t;
  const uint64_t spare = word_of(t, at->origin->spare, at->origin, at->high, t->bundle);
  const uint64_t word = word_of(t, at->origin->first, at->origin, at->high, t->bundle);
  uint64_t open = 0;
  for (uint64_t j = 0; j < (uint64_t)t->bundle; j++) {
    if (at->origin->live) open |= at->cells.word[j] & find_open_cells(&c->s, word + j);
    if (midway) open |= at->cells.word[j] & read_word(&c->s, &c->s.state->spare[spare + j]);
  }
  return open != 0;
}

/* Decides or computes again an image of cells from which a turn or, if `midway`, a jump leads to a change. */
static void follow_image(const chase *c, const place *at, bool midway) {
  const phb_tables *t = c->s.t;
  if (!c->odd) {
    if (has_open_cells(c, at, midway)) recompute_cells(c, at->origin, at->high);
    return;
  }
  if (at->origin->live) {
    const uint64_t word = word_of(t, at->origin->first, at->origin, at->high, t->bundle);
    for (int j = 0; j < t->bundle; j++) {
      if (at->cells.word[j]) decide_cells(c, word + (uint64_t)j, at->cells.word[j]);
    }
  }
  if (midway) close_cells(c, at);
}

/* Follows the stored image of these cells, or both images if the ball is on the middle column and both are
 * stored. */
static void follow_stored_images(const chase *c, int point, uint64_t high, const bundle *cells, bool midway) {
  const phb_board *board = &c->s.t->board;
  bool mirrored;
  place at = {phb_origin_at(c->s.t, point, &mirrored), high, *cells};
  place image = {at.origin, phb_mirror_high(board, high), *cells};
  mirror_bundle(&image.cells, c->s.t->bundle);
  const bool second = phb_is_second_image(board, high);
  if (at.origin->middle ? !(at.origin->paired && second) : !mirrored) follow_image(c, &at, midway);
  if (at.origin->middle ? !at.origin->paired || second || image.high == high : mirrored)
    follow_image(c, &image, midway);
}

/* Adds a man to the sets that have none on this bit, and removes the other sets. Returns false if no set is
 * left. */
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

static void follow_jumps_back(const chase *c, const place *from) {
  const phb_tables *t = c->s.t;
  const int columns = t->board.columns, low = t->board.low_bits;
  for (int i = 0; i < PHB_DIRECTIONS; i++) {
    const phb_ray *ray = &from->origin->rays[i];
    uint64_t high = from->high;
    bundle cells = from->cells;
    for (int k = 1; k < ray->used && add_man(t, ray->bit[k - 1], &high, &cells); k++) {
      const int row = ray->point[k] / columns, bit = ray->bit[k];
      if (row == t->board.rows - 1 || (row == 0 && t->goal_line_stop)) continue;
      if (bit >= low && high >> (bit - low) & 1) continue;
      bundle vacant = cells;
      for (int j = 0; j < t->bundle && bit < low; j++) vacant.word[j] &= ~men_at(bit, j);
      follow_stored_images(c, ray->point[k], high, &vacant, true);
    }
  }
}

/* Returns the cells of a change as the other side sees them. */
static place place_of_change(const phb_tables *t, const game_bitboards_change *change) {
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
  const place at = place_of_change(t, change);
  bundle fewer = {{0}};
  if (c->odd) {
    close_cells(c, &at);
  } else {
    recompute_cells(c, at.origin, at.high);
  }
  add_low_placements(&at.cells, &fewer, t->board.low_bits, t->bundle);
  follow_stored_images(c, at.origin->point, at.high, &fewer, false);
  for (uint64_t rest = at.high; rest; rest &= rest - 1)
    follow_stored_images(c, at.origin->point, at.high & ~(rest & -rest), &at.cells, false);
}

void phb_bits_follow(const void *tables, const game_bitboards_state *state,
                     const game_bitboards_change *changes, uint64_t n, uint64_t *changed) {
  const chase c = {{tables, state, 0, true}, state->wave & 1, changed};
  for (uint64_t i = 0; i < n; i++) follow_change(&c, &changes[i]);
}
