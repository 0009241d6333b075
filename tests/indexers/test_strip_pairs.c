/* Pairs in strips against a plain list of them. */
#include "indexers/strip_pairs.h"
#include "tests/support/suite.h"

enum { MOST_THINGS = 60 };

typedef struct {
  strip_squares squares[MOST_THINGS];
  uint32_t first[MOST_THINGS + 1];
  strip_side side;
} drawn_side;

/* Strips of one to eight things on some of so many squares. */
static void draw_side(drawn_side *out, uint32_t things, uint32_t squares, uint64_t *state) {
  uint32_t strips = 0;
  for (uint32_t i = 0; i < things; strips++) {
    out->first[strips] = i;
    i += 1 + (uint32_t)draw_below(state, STRIP_LANES);
    if (draw_below(state, 3) == 0 && i + STRIP_LANES <= things) i = out->first[strips] + STRIP_LANES;
  }
  out->first[strips] = things;
  for (uint32_t i = 0; i < things; i++) {
    out->squares[i] = (strip_squares){{0, 0}};
    for (int k = (int)draw_below(state, 4); k > 0; k--) {
      const uint64_t square = draw_below(state, squares);
      out->squares[i].bits[square / 64] |= UINT64_C(1) << square % 64;
    }
  }
  out->side = (strip_side){strips, out->first, out->squares};
}

static bool meet(const strip_squares *a, const strip_squares *b) {
  for (int square = 0; square < 128; square++)
    if ((a->bits[square / 64] >> square % 64 & 1) && (b->bits[square / 64] >> square % 64 & 1)) return true;
  return false;
}

static void compare_tile(const drawn_side *rows, const drawn_side *lanes, const strip_pairs *pairs,
                         uint32_t row_strip, uint32_t lane_strip, uint64_t *next) {
  const strip_tile *tile = &pairs->tile[(uint64_t)lane_strip * rows->side.strips + row_strip];
  ck_assert_uint_eq(tile->first, *next);
  for (uint32_t r = rows->first[row_strip]; r < rows->first[row_strip + 1]; r++) {
    for (uint32_t l = lanes->first[lane_strip]; l < lanes->first[lane_strip + 1]; l++) {
      const uint32_t row = r - rows->first[row_strip], lane = l - lanes->first[lane_strip];
      const bool counts = !meet(&rows->squares[r], &lanes->squares[l]);
      ck_assert_int_eq(strip_pairs_has(pairs, row_strip, row, lane_strip, lane), counts);
      if (!counts) continue;
      ck_assert_uint_eq(strip_pairs_rank(pairs, row_strip, row, lane_strip, lane), *next);
      uint32_t back[4];
      strip_pairs_unrank(pairs, *next, &back[0], &back[1], &back[2], &back[3]);
      ck_assert_uint_eq(back[0], row_strip);
      ck_assert_uint_eq(back[1], row);
      ck_assert_uint_eq(back[2], lane_strip);
      ck_assert_uint_eq(back[3], lane);
      ++*next;
    }
  }
  ck_assert_uint_eq((unsigned)__builtin_popcountll(tile->there), *next - tile->first);
}

static void compare_pairs(const drawn_side *rows, const drawn_side *lanes) {
  strip_pairs pairs;
  uint64_t next = 0;
  MUST(strip_pairs_open(&rows->side, &lanes->side, &pairs));
  for (uint32_t l = 0; l < lanes->side.strips; l++)
    for (uint32_t r = 0; r < rows->side.strips; r++) compare_tile(rows, lanes, &pairs, r, l, &next);
  ck_assert_uint_eq(pairs.pairs, next);
  const strip_tile *last = &pairs.tile[(uint64_t)rows->side.strips * lanes->side.strips];
  ck_assert_uint_eq(last->first, next);
  ck_assert_uint_eq(last->there, 0);
  strip_pairs_close(&pairs);
  ck_assert_ptr_null(pairs.tile);
}

/* Few squares: most pairs share some, and many tiles are empty. */
CASE(drawn_sides) {
  uint64_t state = 88172645463325252;
  drawn_side rows, lanes;
  for (int i = 0; i < 60; i++) {
    const uint32_t squares = i % 3 == 0 ? 3 : i % 3 == 1 ? 20 : 128;
    draw_side(&rows, 1 + (uint32_t)draw_below(&state, MOST_THINGS), squares, &state);
    draw_side(&lanes, 1 + (uint32_t)draw_below(&state, MOST_THINGS), squares, &state);
    compare_pairs(&rows, &lanes);
  }
}

/* Eight by eight without a common square: all bits of a tile. */
CASE(full_tile) {
  uint64_t state = 1;
  drawn_side rows, lanes;
  draw_side(&rows, STRIP_LANES, 1, &state);
  draw_side(&lanes, STRIP_LANES, 1, &state);
  rows.first[1] = lanes.first[1] = STRIP_LANES;
  rows.side.strips = lanes.side.strips = 1;
  for (int i = 0; i < STRIP_LANES; i++) rows.squares[i] = (strip_squares){{0, 0}};
  compare_pairs(&rows, &lanes);
}

SUITE("strip_pairs") {
  TESTS(drawn_sides, full_tile);
}
