/* Hands of la oca asesina against all ways to put tokens anywhere, of which those that cannot be are crossed
 * out. */
#include <stdlib.h>
#include <string.h>

#include "games/oca_asesina/hands.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_asesina_slow.h"

typedef struct {
  const game_rules *rules;
  int tokens, all_tokens;
} stand;

static int count_on(const stand *s, const ase_hand *hand, int square) {
  int tokens = 0;
  for (int i = 0; i < s->all_tokens; i++) tokens += hand->square[i] == square;
  return tokens;
}

static int count_colour_on(const stand *s, const ase_hand *hand, int colour, int square) {
  int tokens = 0;
  for (int i = 0; i < s->tokens; i++) tokens += hand->square[colour * s->tokens + i] == square;
  return tokens;
}

static bool can_be(const stand *s, const ase_hand *hand) {
  for (int i = 1; i < s->all_tokens; i++)
    if (i % s->tokens && hand->square[i] < hand->square[i - 1]) return false;
  for (int square = 1; square < ase_home(s->rules) && !s->rules->flags.no_interaction; square++)
    if (count_on(s, hand, square) > 2) return false;
  return !hand->forced || count_colour_on(s, hand, hand->forced - 1, ase_home(s->rules)) > 0;
}

/* As a counter of base N + 1; false after the last. */
static bool next_hand(const stand *s, ase_hand *hand) {
  for (int i = 0; i < s->all_tokens; i++) {
    if (hand->square[i] < ase_home(s->rules)) {
      hand->square[i]++;
      return true;
    }
    hand->square[i] = 0;
  }
  if (hand->forced == s->rules->flags.colours) return false;
  hand->forced++;
  return true;
}

/* Each is found, at a number of its own; and there are as many as counted. */
static void find_all(const stand *s, const ase_hands *hands) {
  uint8_t *seen = calloc(hands->all, 1);
  ase_hand hand = {{0}, 0};
  uint32_t unmarked = 0, all = 0;
  do {
    if (!can_be(s, &hand) || count_on(s, &hand, ase_home(s->rules)) != hands->home + (hand.forced > 0))
      continue;
    const uint32_t number = ase_hands_find(s->rules, hands, &hand);
    if (number >= hands->all || seen[number]++) ck_abort_msg("hand %u of %u", number, hands->all);
    if (memcmp(hands->hand[number].square, hand.square, sizeof hand.square) != 0 ||
        hands->hand[number].forced != hand.forced)
      ck_abort_msg("hand %u is another", number);
    all++;
    unmarked += hand.forced == 0;
  } while (next_hand(s, &hand));
  ck_assert_uint_gt(all, 0);
  ck_assert_uint_eq(hands->all, all);
  ck_assert_uint_eq(hands->free, unmarked);
  ck_assert_uint_eq(ase_hands_count(s->rules, s->tokens, hands->home), all);
  free(seen);
}

static bool is_full(const stand *s, const ase_hand *hand, int square, bool barrier) {
  for (int colour = 0; colour < s->rules->flags.colours && barrier; colour++)
    if (count_colour_on(s, hand, colour, square) > 1) return true;
  return !barrier && count_on(s, hand, square) > 1;
}

/* Where nothing interacts nobody is in the way. */
static bool fill_the_same(const stand *s, const ase_hand *a, const ase_hand *b) {
  for (int square = 1; square < ase_home(s->rules) && !s->rules->flags.no_interaction; square++) {
    for (int barrier = 0; barrier < 2; barrier++)
      if (is_full(s, a, square, barrier) != is_full(s, b, square, barrier)) return false;
  }
  return true;
}

static void look_at_squares(const stand *s, const ase_hands *hands, uint32_t number) {
  const strip_squares *occupied = &hands->occupied[number];
  for (int square = 0; square < 128; square++) {
    const bool stands = square > 0 && square < ase_home(s->rules) && !s->rules->flags.no_interaction &&
                        count_on(s, &hands->hand[number], square) > 0;
    if ((occupied->bits[square / 64] >> square % 64 & 1) != stands)
      ck_abort_msg("hand %u, square %d", number, square);
  }
}

/* What the header says of order, strips and fills. */
static void look_at_strips(const stand *s, const ase_hands *hands) {
  ck_assert_uint_eq(hands->strip_first[hands->strips], hands->all);
  ck_assert_uint_eq(hands->strip_first[hands->free_strips], hands->free);
  uint32_t short_of = 0;
  for (uint32_t strip = 0; strip < hands->strips; strip++) {
    const uint32_t first = hands->strip_first[strip], end = hands->strip_first[strip + 1];
    ck_assert_uint_lt(first, end);
    ck_assert_uint_le(end - first, STRIP_LANES);
    for (uint32_t i = first; i < end; i++) {
      const ase_hand *hand = &hands->hand[i];
      look_at_squares(s, hands, i);
      ck_assert_uint_eq(hands->strip_of[i], strip);
      ck_assert_int_eq(hand->forced == 0, strip < hands->free_strips);
      if (strip >= hands->free_strips) continue;
      ck_assert_int_eq(count_on(s, hand, 0), hands->strip_zeros[strip]);
      const uint32_t fill = hands->fill_of[i];
      ck_assert_uint_lt(fill, hands->fills);
      ck_assert(fill_the_same(s, hand, &hands->hand[hands->fill_first[fill]]));
    }
    if (strip == 0 || strip >= hands->free_strips) continue;
    ck_assert_uint_le(hands->strip_zeros[strip], hands->strip_zeros[strip - 1]);
    const bool goes_on = hands->strip_zeros[strip] == hands->strip_zeros[strip - 1];
    if (goes_on && first - hands->strip_first[strip - 1] < STRIP_LANES) short_of++;
  }
  ck_assert_uint_eq(short_of, 0);
  for (uint32_t fill = 0; fill < hands->fills; fill++) {
    const ase_hand *first = &hands->hand[hands->fill_first[fill]];
    for (int square = 1; square < ase_home(s->rules); square++)
      if (count_on(s, first, square) == 1) ck_abort_msg("a lone token on %d", square);
  }
  for (uint32_t a = 0; a < hands->fills; a++)
    for (uint32_t b = 0; b < a; b++)
      ck_assert(!fill_the_same(s, &hands->hand[hands->fill_first[a]], &hands->hand[hands->fill_first[b]]));
}

static void compare_hands(const char *text, int tokens) {
  game_rules *rules = toy_ase_open(text);
  const stand s = {rules, tokens, tokens * rules->flags.colours};
  for (int home = 0; home <= s.all_tokens; home++) {
    ase_hands *hands;
    ck_assert_int_eq(ase_hands_open(rules, tokens, home, &hands), TAULER_OK);
    find_all(&s, hands);
    look_at_strips(&s, hands);
    const strip_side rows = ase_hands_rows(hands), lanes = ase_hands_lanes(hands);
    ck_assert_uint_eq(rows.first[rows.strips], hands->all);
    ck_assert_uint_eq(rows.strips, hands->strips);
    ck_assert_uint_eq(lanes.first[lanes.strips], hands->free);
    ck_assert_uint_eq(lanes.strips, hands->free_strips);
    const ase_hand none = {.square = {(uint8_t)(ase_home(rules) + 1)}};
    ck_assert_uint_eq(ase_hands_find(rules, hands, &none), HANDS_NONE);
    ase_hands_close(hands);
  }
  ase_close(rules);
}

START_TEST(one_colour) {
  for (int tokens = 1; tokens <= 4; tokens++) compare_hands(TOY_ASE_BOARD_12, tokens);
  compare_hands("board=63", 2);
}
END_TEST

START_TEST(several_colours) {
  compare_hands(TOY_ASE_BOARD_7 ",colours=2", 2);
  compare_hands(TOY_ASE_BOARD_12 ",colours=2", 1);
  compare_hands(TOY_ASE_BOARD_12 ",colours=3", 1);
  compare_hands(TOY_ASE_BOARD_7 ",colours=3", 2);
}
END_TEST

/* Any number of tokens on a square. */
START_TEST(no_interaction) {
  compare_hands(TOY_ASE_BOARD_12 ",interaction=off", 4);
  compare_hands(TOY_ASE_BOARD_7 ",interaction=off,colours=2", 2);
}
END_TEST

SUITE("asesina_hands") {
  TEST(one_colour);
  TEST(several_colours);
  TEST(no_interaction);
}
