/* The index of la oca asesina: every position that can be has one number, and every number a position. */
#include "games/game_chance.h"
#include "games/oca_asesina/layout.h"
#include "games/oca_asesina/rules.h"
#include "games/registry.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_asesina_slow.h"

static const game *const ase = &oca_asesina_game;

static game_slices slices_of(const game_rules *rules, int tokens) {
  char largest[8];
  snprintf(largest, sizeof largest, "%d", tokens);
  return suite_slices(ase, rules, &(game_request){.largest = largest});
}

/* --- there and back --- */

/* Of a number that stands for something. */
static void assert_there_and_back(const game_rules *rules, game_place place) {
  char text[GAME_TEXT_BYTES];
  game_text in;
  game_position game, read;
  game_place found = {0, 0};
  ase->position_at(rules, place, &game);
  ase_position position = ase_from_game(&game);
  ase->print(rules, &game, text);
  if (!ase_check(rules, &position, &in)) ck_abort_msg("%s: %s: %s", rules->base.text, text, in.why);
  if (ase_must_pass(&position)) ck_abort_msg("%s: %s passes", rules->base.text, text);
  if (ase->slice_of(rules, &game) != place.slice) ck_abort_msg("%s: %s: slice", rules->base.text, text);
  if (!ase->locate(rules, &game, &found) || found.slice != place.slice || found.index != place.index)
    ck_abort_msg("%s: %s: %u/%lu, not %u/%lu", rules->base.text, text, found.slice,
                 (unsigned long)found.index, place.slice, (unsigned long)place.index);
  if (ase->parse(rules, text, &read, NULL) || memcmp(&read, &game, sizeof game) != 0)
    ck_abort_msg("%s: %s is read as something else", rules->base.text, text);
  int8_t aim;
  ase->chance->aims(rules, place.slice, &place.index, 1, &aim);
  if (aim != ase->chance->aim(rules, &game)) ck_abort_msg("%s: %s: aim", rules->base.text, text);
  if (rules->flags.players == 2 && aim != (position.seat == 0 ? 1 : -1))
    ck_abort_msg("%s: %s: aim %d", rules->base.text, text, aim);
}

typedef struct {
  uint64_t numbers, positions;
} tally;

/* Every step-th number of all slices; with step 1 they are counted. */
static tally go_through(const game_rules *rules, int tokens, uint64_t step) {
  game_slices slices = slices_of(rules, tokens);
  tally sum = {0, 0};
  for (size_t i = 0; i < slices.used; i++) {
    const game_slice *slice = &slices.slices[i];
    sum.numbers += slice->positions;
    for (uint64_t index = 0; index < slice->positions; index += step) {
      uint8_t copies;
      ase->copies(rules, slice->slice, index, 1, &copies);
      if (copies) assert_there_and_back(rules, (game_place){slice->slice, index});
      sum.positions += copies;
    }
    if (rules->flags.players == 2) {
      const ase_layout *layout;
      ck_assert(ase_layout_of(rules, slice->slice, &layout) == TAULER_OK);
      ck_assert_uint_eq(layout->positions, slice->positions);
    }
  }
  return sum;
}

/* All numbers of one token; of two all only where asked for. */
CASE(short_board) {
  char text[320];
  snprintf(text, sizeof text, "%s%s%s", TOY_ASE_BOARD_12, _i ? "," : "", _i ? toy_ase_flags[_i] : "");
  game_rules *rules = toy_ase_open(text);
  const int most = suite_is_long() ? 3 : 2;
  for (int tokens = rules->flags.home_one_left ? 2 : 1; tokens <= most && tokens * rules->flags.colours <= 4;
       tokens++) {
    const int all = tokens * rules->flags.colours;
    const bool every = all < (suite_is_long() ? 3 : 2);
    go_through(rules, tokens, every ? 1 : all < 3 ? 11 : 1997);
  }
}

CASE(long_boards) {
  static const struct {
    const char *rules;
    int tokens;
    uint64_t step;
  } some[] = {{"base", 1, 7},
              {"base", 2, 49999},
              {"board=20", 2, 499},
              {"board=20", 3, 49999},
              {"colours=2", 1, 49999},
              {"board=20,players=3", 1, 997},
              {"players=3", 1, 19997},
              {"board=20,players=6", 1, 300000007},
              {"board=20,players=3,alone=2", 2, 1999993}};
  if (some[_i].tokens == 3 && !suite_is_long()) return;
  game_rules *rules = toy_ase_open(some[_i].rules);
  go_through(rules, some[_i].tokens, some[_i].step);
}

/* --- all that can be, one by one --- */

typedef struct {
  const game_rules *rules;
  ase_position position;
  uint64_t found;
} lister;

static void check_one(lister *l) {
  game_text in;
  ase_position copy = l->position;
  l->found += ase_check(l->rules, &copy, &in);
}

static void list_marks(lister *l) {
  for (int seat = 0; seat < l->position.seats; seat++) {
    if (l->position.lost[seat]) continue;
    l->position.seat = (uint8_t)seat;
    for (int forced = 0; forced <= l->rules->flags.colours; forced++) {
      l->position.forced = (uint8_t)forced;
      check_one(l);
    }
    l->position.forced = 0;
  }
}

static void list_lost(lister *l, int seat) {
  enum { MOST_LOST = 2 };
  if (seat == l->position.seats) {
    list_marks(l);
    return;
  }
  for (int turns = 0; turns <= MOST_LOST; turns++) {
    const bool named = turns > 0 && l->rules->flags.lost_turns_die;
    l->position.lost[seat] = (uint8_t)turns;
    for (int square = named; square < (named ? ase_home(l->rules) : 1); square++) {
      l->position.culprit[seat] = (uint8_t)square;
      list_lost(l, seat + 1);
    }
    l->position.culprit[seat] = 0;
  }
  l->position.lost[seat] = 0;
}

static void list_squares(lister *l, int seat, int token) {
  if (seat == l->position.seats) {
    list_lost(l, 0);
  } else if (token == ase_tokens(l->rules, &l->position)) {
    list_squares(l, seat + 1, 0);
  } else {
    uint8_t *square = l->position.square[seat];
    const int least = token % l->position.tokens ? square[token - 1] : 0;
    for (int s = least; s <= ase_home(l->rules); s++) {
      square[token] = (uint8_t)s;
      list_squares(l, seat, token + 1);
    }
  }
}

static void assert_counted(const char *flags, int tokens) {
  char text[320];
  snprintf(text, sizeof text, "%s%s%s", TOY_ASE_BOARD_7, *flags ? "," : "", flags);
  game_rules *rules = toy_ase_open(text);
  lister l = {.rules = rules, .position = {.seats = rules->flags.players, .tokens = (uint8_t)tokens}};
  list_squares(&l, 0, 0);
  const tally sum = go_through(rules, tokens, 1);
  if (sum.positions != l.found)
    ck_abort_msg("%s, %d tokens: %lu numbers stand for %lu positions of %lu", flags, tokens,
                 (unsigned long)sum.numbers, (unsigned long)sum.positions, (unsigned long)l.found);
  if (!rules->flags.lost_turns_die && sum.numbers != sum.positions)
    ck_abort_msg("%s, %d tokens: %lu numbers for %lu positions", flags, tokens, (unsigned long)sum.numbers,
                 (unsigned long)sum.positions);
  if (getenv("SHOW"))
    fprintf(stderr, "%s %d: %lu for %lu\n", flags, tokens, (unsigned long)sum.numbers,
            (unsigned long)sum.positions);
}

CASE(every_position_once) {
  static const struct {
    const char *flags;
    int tokens;
    bool longer;
  } some[] = {
      {"", 1, false},
      {"", 2, false},
      {"", 3, true},
      {"colours=2", 1, false},
      {"colours=2", 2, true},
      {"colours=3", 1, true},
      {"home=one-left", 2, false},
      {"home=one-left", 3, true},
      {"interaction=off", 2, false},
      {"interaction=off,colours=2", 1, true},
      {"last-turn=off", 2, false},
      {"lost-turns=die-with-token", 1, false},
      {"lost-turns=die-with-token", 2, false},
      {"players=3", 1, false},
      {"players=3,last-turn=off", 1, false},
      {"players=3,interaction=off", 1, false},
      {"players=3,lost-turns=die-with-token", 1, false},
      {"players=4", 1, true},
      {"players=3,alone=1", 2, true},
  };
  for (size_t i = 0; i < sizeof some / sizeof *some; i++)
    if (!some[i].longer || suite_is_long()) assert_counted(some[i].flags, some[i].tokens);
}

/* --- what has no number --- */

static bool is_held(const game_rules *rules, const char *text) {
  game_position game;
  game_place place;
  const ase_position position = toy_ase_read(rules, text);
  ase_to_game(&position, &game);
  return ase->locate(rules, &game, &place);
}

CASE(others_have_none) {
  game_rules *rules = toy_ase_open("base"), *three = toy_ase_open("players=3");
  ck_assert(is_held(rules, "0,5/12,63 lost=0,1 seat=1"));
  ck_assert(!is_held(rules, "0,5/12,63 lost=0,1 seat=2"));
  ck_assert(!is_held(rules, "0,5/12,63 lost=1,1 seat=1"));
  ck_assert(!is_held(rules, "0/12/5 lost=0,0,0 seat=1"));
  ck_assert(is_held(three, "0/12/5 lost=0,0,3 seat=1"));
  ck_assert(!is_held(three, "0/12/5 lost=1,0,3 seat=1"));
  ck_assert(!is_held(three, "0/12 lost=0,0 seat=1"));
}

/* Nor have those that cannot be: nobody asks for them, but a number would be another position's. */
CASE(impossible_ones_have_none) {
  static const ase_position bad[] = {
      {.seats = 2, .tokens = 1, .square = {{5}, {6}}, .lost = {0, 1}, .culprit = {0, 19}},
      {.seats = 2, .tokens = 1, .square = {{5}, {5}}},
      {.seats = 3, .tokens = 1, .square = {{5}, {6}, {5}}},
      {.seats = 3, .tokens = 1, .square = {{5}, {6}, {19}}, .lost = {0, 0, 2}, .culprit = {0, 0, 19}},
      {.seats = 3, .tokens = 1, .square = {{63}, {6}, {19}}, .lost = {1, 0, 0}, .seat = 1},
  };
  game_rules *rules[] = {toy_ase_open("lost-turns=die-with-token"),
                         toy_ase_open("lost-turns=die-with-token,players=3")};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    game_position game;
    game_place place;
    ase_to_game(&bad[i], &game);
    ck_assert_msg(!ase->locate(rules[bad[i].seats - 2], &game, &place), "%zu", i);
  }
}

static void assert_alike(const game_rules *rules, const char *one, const char *other) {
  const ase_position a = toy_ase_read(rules, one), b = toy_ase_read(rules, other);
  game_position first, second;
  game_place here, there;
  ase_to_game(&a, &first);
  ase_to_game(&b, &second);
  ck_assert(ase->locate(rules, &first, &here) && ase->locate(rules, &second, &there));
  ck_assert_msg(here.slice == there.slice && here.index == there.index, "%s and %s", one, other);
}

CASE(order_of_tokens) {
  game_rules *one = toy_ase_open("board=20"), *two = toy_ase_open("board=20,colours=2");
  assert_alike(one, "0,5,9/12,20,20 lost=0,1 seat=1", "9,0,5/20,12,20 lost=0,1 seat=1");
  assert_alike(two, "0a,5a,9b,20b/12a,7b,20b,1a lost=0,0 seat=2",
               "20b,5a,9b,0a/1a,12a,20b,7b lost=0,0 seat=2");
}

/* --- slices --- */

static bool stands_before(const game_slices *slices, size_t end, uint32_t slice) {
  for (size_t i = 0; i < end; i++)
    if (slices->slices[i].slice == slice) return true;
  return false;
}

/* Numbers rise, names are their own, and what a slice needs stands before it; a start is in its slice. */
static void assert_slices(const char *text, int tokens, const char *expected) {
  game_rules *rules = toy_ase_open(text);
  game_slices slices = slices_of(rules, tokens);
  char all[4096] = "";
  for (size_t i = 0; i < slices.used; i++) {
    const uint32_t number = slices.slices[i].slice;
    uint32_t named = GAME_NO_SLICE;
    char name[GAME_TEXT_BYTES], homes[GAME_TEXT_BYTES];
    game_part part;
    game_position start;
    game_place place;
    ck_assert(i == 0 || number > slices.slices[i - 1].slice);
    ck_assert_uint_lt(number, 1U << 20);
    const game_slices needs = suite_needs(ase, rules, number);
    for (size_t k = 0; k < needs.used; k++) {
      ck_assert(k == 0 || needs.slices[k].slice > needs.slices[k - 1].slice);
      ck_assert(stands_before(&slices, i, needs.slices[k].slice));
      ck_assert_uint_eq(needs.slices[k].positions, ase->positions(rules, needs.slices[k].slice));
    }
    ase->slice_name(rules, number, name);
    ck_assert(ase->slice_named(rules, name, &named) && named == number);
    ck_assert(ase->part(rules, number, 0, &part) && part.first == 0 &&
              part.count == slices.slices[i].positions && !ase->part(rules, number, 1, &part));
    ase->chance->start(rules, number, &start);
    ck_assert(ase->locate(rules, &start, &place) && place.slice == number);
    ase->position_slice(rules, &start, homes);
    ck_assert_str_eq(homes, part.name);
    ase->print(rules, &start, name);
    snprintf(all + strlen(all), sizeof all - strlen(all), "%.20s:%zu:%.100s ", homes, needs.used, name);
  }
  ck_assert_str_eq(all, expected);
}

CASE(slices) {
  assert_slices("base", 1, "1-0:0:63/0 lost=0,0 seat=2 0-0:1:0/0 lost=0,0 seat=1 ");
  assert_slices("last-turn=off", 1, "0-0:0:0/0 lost=0,0 seat=1 ");
  assert_slices("board=20", 2,
                "2-1:0:20,20/0,20 lost=0,0 seat=2 2-0:0:20,20/0,0 lost=0,0 seat=2 "
                "1-1:1:0,20/0,20 lost=0,0 seat=1 1-0:2:0,20/0,0 lost=0,0 seat=1 "
                "0-1:1:0,0/0,20 lost=0,0 seat=1 0-0:2:0,0/0,0 lost=0,0 seat=1 ");
  assert_slices("board=20,home=one-left", 2, "1-0:0:0,20/0,0 lost=0,0 seat=2 0-0:1:0,0/0,0 lost=0,0 seat=1 ");
  assert_slices("board=20,players=3", 1,
                "1-1-0:0:20/20/0 lost=0,0,0 seat=3 1-0-0:1:20/0/0 lost=0,0,0 seat=2 "
                "0-1-0:0:0/20/0 lost=0,0,0 seat=3 0-0-0:2:0/0/0 lost=0,0,0 seat=1 ");
  assert_slices("board=20,players=3,alone=3,last-turn=off", 2,
                "1-1-1:0:0,20/0,20/0,20 lost=0,0,0 seat=1 1-1-0:1:0,20/0,20/0,0 lost=0,0,0 seat=1 "
                "1-0-1:1:0,20/0,0/0,20 lost=0,0,0 seat=1 0-1-1:1:0,0/0,20/0,20 lost=0,0,0 seat=1 "
                "1-0-0:2:0,20/0,0/0,0 lost=0,0,0 seat=1 0-1-0:2:0,0/0,20/0,0 lost=0,0,0 seat=1 "
                "0-0-1:2:0,0/0,0/0,20 lost=0,0,0 seat=1 0-0-0:3:0,0/0,0/0,0 lost=0,0,0 seat=1 ");
}

CASE(a_name_is_read_back) {
  game_rules *rules = toy_ase_open("base");
  uint32_t number;
  ck_assert(ase->slice_named(rules, "1.1-0", &number));
}

CASE(board_flags) {
  char flag[GAME_TEXT_BYTES];
  ck_assert(ase->board_flag("20", flag, NULL) == TAULER_OK);
  ck_assert_str_eq(flag, "board=20");
  ck_assert(ase->board_flag("games/boards/asesina-20.board", flag, NULL) == TAULER_OK);
  game_rules *rules = toy_ase_open(flag);
  ck_assert_str_eq(rules->base.text, "base,board=20");
  ase->size_text(rules, 3 << 9 | 6 << 4, flag);
  ck_assert_str_eq(flag, "--tokens 3");
  ck_assert(ase->board_flag("nowhere", flag, hear()) != TAULER_OK);
}

SUITE("asesina_index") {
  LOOP(short_board, toy_ase_flag_sets);
  LOOP(long_boards, 9);
  TESTS(every_position_once, others_have_none, impossible_ones_have_none, order_of_tokens, slices,
        a_name_is_read_back, board_flags);
}
