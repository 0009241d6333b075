/* Arrangements of la oca asesina against all ways to put tokens anywhere, of which those that cannot be are
 * crossed out. */
#include "games/oca_asesina/arrangements.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_asesina_slow.h"

typedef struct {
  const game_rules *rules;
  int tokens, all_tokens;
} stand;

static int count_on(const stand *s, const ase_arrangement *arrangement, int square) {
  int tokens = 0;
  for (int i = 0; i < s->all_tokens; i++) tokens += arrangement->square[i] == square;
  return tokens;
}

static int count_colour_on(const stand *s, const ase_arrangement *arrangement, int colour, int square) {
  int tokens = 0;
  for (int i = 0; i < s->tokens; i++) tokens += arrangement->square[colour * s->tokens + i] == square;
  return tokens;
}

static bool can_be(const stand *s, const ase_arrangement *arrangement) {
  for (int i = 1; i < s->all_tokens; i++)
    if (i % s->tokens && arrangement->square[i] < arrangement->square[i - 1]) return false;
  for (int square = 1; square < ase_home(s->rules) && !s->rules->flags.no_interaction; square++)
    if (count_on(s, arrangement, square) > 2) return false;
  return !arrangement->forced ||
         count_colour_on(s, arrangement, arrangement->forced - 1, ase_home(s->rules)) > 0;
}

/* As a counter of base N + 1; false after the last. */
static bool next_arrangement(const stand *s, ase_arrangement *arrangement) {
  for (int i = 0; i < s->all_tokens; i++) {
    if (arrangement->square[i] < ase_home(s->rules)) {
      arrangement->square[i]++;
      return true;
    }
    arrangement->square[i] = 0;
  }
  if (arrangement->forced == s->rules->flags.colours) return false;
  arrangement->forced++;
  return true;
}

/* Each is found, at a number of its own; and there are as many as counted. */
static void find_all(const stand *s, const ase_arrangements *arrangements) {
  uint8_t *seen = suite_zeros(arrangements->all, 1);
  ase_arrangement arrangement = {{0}, 0};
  uint32_t unmarked = 0, all = 0;
  do {
    if (!can_be(s, &arrangement) ||
        count_on(s, &arrangement, ase_home(s->rules)) != arrangements->home + (arrangement.forced > 0))
      continue;
    const uint32_t number = ase_arrangements_find(s->rules, arrangements, &arrangement);
    if (number >= arrangements->all || seen[number]++)
      ck_abort_msg("arrangement %u of %u", number, arrangements->all);
    if (memcmp(arrangements->list[number].square, arrangement.square, sizeof arrangement.square) != 0 ||
        arrangements->list[number].forced != arrangement.forced)
      ck_abort_msg("arrangement %u is another", number);
    all++;
    unmarked += arrangement.forced == 0;
  } while (next_arrangement(s, &arrangement));
  ck_assert_uint_gt(all, 0);
  ck_assert_uint_eq(arrangements->all, all);
  ck_assert_uint_eq(arrangements->free, unmarked);
  ck_assert_uint_eq(ase_arrangements_count(s->rules, s->tokens, arrangements->home), all);
}

static bool is_full(const stand *s, const ase_arrangement *arrangement, int square, bool barrier) {
  for (int colour = 0; colour < s->rules->flags.colours && barrier; colour++)
    if (count_colour_on(s, arrangement, colour, square) > 1) return true;
  return !barrier && count_on(s, arrangement, square) > 1;
}

/* Where nothing interacts nobody is in the way. */
static bool fill_the_same(const stand *s, const ase_arrangement *a, const ase_arrangement *b) {
  for (int square = 1; square < ase_home(s->rules) && !s->rules->flags.no_interaction; square++) {
    for (int barrier = 0; barrier < 2; barrier++)
      if (is_full(s, a, square, barrier) != is_full(s, b, square, barrier)) return false;
  }
  return true;
}

static void look_at_squares(const stand *s, const ase_arrangements *arrangements, uint32_t number) {
  const strip_squares *occupied = &arrangements->occupied[number];
  for (int square = 0; square < 128; square++) {
    const bool stands = square > 0 && square < ase_home(s->rules) && !s->rules->flags.no_interaction &&
                        count_on(s, &arrangements->list[number], square) > 0;
    if ((occupied->bits[square / 64] >> square % 64 & 1) != stands)
      ck_abort_msg("arrangement %u, square %d", number, square);
  }
}

/* Checks the header's description of order, strips and fills. */
static void look_at_strips(const stand *s, const ase_arrangements *arrangements) {
  ck_assert_uint_eq(arrangements->strip_first[arrangements->strips], arrangements->all);
  ck_assert_uint_eq(arrangements->strip_first[arrangements->free_strips], arrangements->free);
  uint32_t short_of = 0;
  for (uint32_t strip = 0; strip < arrangements->strips; strip++) {
    const uint32_t first = arrangements->strip_first[strip], end = arrangements->strip_first[strip + 1];
    ck_assert_uint_lt(first, end);
    ck_assert_uint_le(end - first, STRIP_LANES);
    for (uint32_t i = first; i < end; i++) {
      const ase_arrangement *arrangement = &arrangements->list[i];
      look_at_squares(s, arrangements, i);
      ck_assert_uint_eq(arrangements->strip_of[i], strip);
      ck_assert_int_eq(arrangement->forced == 0, strip < arrangements->free_strips);
      if (strip >= arrangements->free_strips) continue;
      ck_assert_int_eq(count_on(s, arrangement, 0), arrangements->strip_zeros[strip]);
      const uint32_t fill = arrangements->fill_of[i];
      ck_assert_uint_lt(fill, arrangements->fills);
      ck_assert(fill_the_same(s, arrangement, &arrangements->list[arrangements->fill_first[fill]]));
    }
    if (strip == 0 || strip >= arrangements->free_strips) continue;
    ck_assert_uint_le(arrangements->strip_zeros[strip], arrangements->strip_zeros[strip - 1]);
    const bool goes_on = arrangements->strip_zeros[strip] == arrangements->strip_zeros[strip - 1];
    if (goes_on && first - arrangements->strip_first[strip - 1] < STRIP_LANES) short_of++;
  }
  ck_assert_uint_eq(short_of, 0);
  for (uint32_t fill = 0; fill < arrangements->fills; fill++) {
    const ase_arrangement *first = &arrangements->list[arrangements->fill_first[fill]];
    for (int square = 1; square < ase_home(s->rules); square++)
      if (count_on(s, first, square) == 1) ck_abort_msg("a lone token on %d", square);
  }
  for (uint32_t a = 0; a < arrangements->fills; a++)
    for (uint32_t b = 0; b < a; b++)
      ck_assert(!fill_the_same(s, &arrangements->list[arrangements->fill_first[a]],
                               &arrangements->list[arrangements->fill_first[b]]));
}

static void compare_arrangements(const char *text, int tokens) {
  game_rules *rules = toy_ase_open(text);
  const stand s = {rules, tokens, tokens * rules->flags.colours};
  for (int home = 0; home <= s.all_tokens; home++) {
    ase_arrangements *arrangements;
    MUST(ase_arrangements_open(rules, tokens, home, &arrangements));
    find_all(&s, arrangements);
    look_at_strips(&s, arrangements);
    const strip_side rows = ase_arrangements_rows(arrangements), lanes = ase_arrangements_lanes(arrangements);
    ck_assert_uint_eq(rows.first[rows.strips], arrangements->all);
    ck_assert_uint_eq(rows.strips, arrangements->strips);
    ck_assert_uint_eq(lanes.first[lanes.strips], arrangements->free);
    ck_assert_uint_eq(lanes.strips, arrangements->free_strips);
    const ase_arrangement none = {.square = {(uint8_t)(ase_home(rules) + 1)}};
    ck_assert_uint_eq(ase_arrangements_find(rules, arrangements, &none), ARRANGEMENTS_NONE);
    ase_arrangements_close(arrangements);
  }
}

CASE(one_colour) {
  for (int tokens = 1; tokens <= 4; tokens++) compare_arrangements(TOY_ASE_BOARD_12, tokens);
  compare_arrangements("board=63", 2);
}

CASE(several_colours) {
  compare_arrangements(TOY_ASE_BOARD_7 ",colours=2", 2);
  compare_arrangements(TOY_ASE_BOARD_12 ",colours=2", 1);
  compare_arrangements(TOY_ASE_BOARD_12 ",colours=3", 1);
  compare_arrangements(TOY_ASE_BOARD_7 ",colours=3", 2);
}

/* Any number of tokens on a square. */
CASE(no_interaction) {
  compare_arrangements(TOY_ASE_BOARD_12 ",interaction=off", 4);
  compare_arrangements(TOY_ASE_BOARD_7 ",interaction=off,colours=2", 2);
}

SUITE("asesina_arrangements") {
  TESTS(one_colour, several_colours, no_interaction);
}
