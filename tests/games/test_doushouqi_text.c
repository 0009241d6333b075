/* Dou Shou Qi in words beyond texts.csv: flags, and what an asker hears. */
#include "tests/support/suite.h"
#include "tests/support/toy/toy_doushouqi.h"

static game_rules *base, *drink;

static void open_both(void) {
  base = toy_dsq_open("base");
  drink = toy_dsq_open("base,lakes=drink");
}
/* --- positions ------------------------------------------------------------------------------------------ */

static uint64_t count_leaves(const game_rules *rules, const dsq_position *position, int plies, bool made) {
  game_position game;
  dsq_to_game(position, &game);
  return dsq_leaves(rules, &game, plies, made);
}

CASE(positions_hold_their_animals) {
  const dsq_position start = toy_dsq_read(base, "startpos");
  ck_assert_uint_eq(dsq_material_of(&start), 0xFFFF);
  ck_assert_int_eq(start.square[DSQ_WHITE][DSQ_TIGER], 0);
  ck_assert_int_eq(start.square[DSQ_BLACK][DSQ_RAT], 42);
  const dsq_position two = toy_dsq_read(base, "7/7/7/7/7/7/7/7/C5e b");
  ck_assert_uint_eq(dsq_material_of(&two), 0x8002);
}

CASE(any_position_comes_back_from_its_text) {
  game_rules *rules = _i ? drink : base;
  uint64_t state = 88172645463325252u;
  for (int i = 0; i < 5000; i++) {
    const dsq_position position = toy_dsq_position(rules, &state);
    game_position game, again;
    char text[GAME_TEXT_BYTES];
    dsq_to_game(&position, &game);
    dsq_print(rules, &game, text);
    MUST(dsq_parse(rules, text, &again, NULL));
    ck_assert_mem_eq(&game, &again, sizeof game);
  }
}

/* --- rule sets ------------------------------------------------------------------------------------------ */

/* Reads flags and writes their canonical text. */
static tauler_error read_flags(const char *given, rule_choice *out, char text[RULE_BYTES],
                               tauler_message *message) {
  const tauler_error error = dsq_flags_read(given, out, message);
  if (!error) rule_flags_write(&dsq_known_flags, out, text, RULE_BYTES);
  return error;
}

static int by_text(const void *one, const void *other) {
  return strcmp(one, other);
}

CASE(all_texts_of_rule_sets_differ) {
  static char texts[TOY_DSQ_RULE_SETS][RULE_BYTES];
  for (int number = 0; number < TOY_DSQ_RULE_SETS; number++) {
    char given[RULE_BYTES], twice[RULE_BYTES], *text = texts[number];
    toy_dsq_rule_set(number, given);
    rule_choice flags, again;
    if (read_flags(given, &flags, text, hear())) ck_abort_msg("%s: %s", given, said.text);
    if (read_flags(text, &again, twice, hear())) ck_abort_msg("%s: %s", text, said.text);
    ck_assert_mem_eq(flags.value, again.value, DSQ_FLAGS);
    ck_assert_str_eq(twice, text);
  }
  qsort(texts, TOY_DSQ_RULE_SETS, sizeof *texts, by_text);
  for (int number = 1; number < TOY_DSQ_RULE_SETS; number++)
    ck_assert_str_ne(texts[number - 1], texts[number]);
}

CASE(flags_are_read_as_named) {
  rule_choice flags;
  MUST(dsq_flags_read("liacs", &flags, NULL));
  const uint8_t liacs[DSQ_FLAGS] = {[DSQ_JUMP_BLOCK_PATH] = 1,
                                    [DSQ_STALEMATE_LOSES] = 1,
                                    [DSQ_ELEPHANT_TAKES_RAT] = 1,
                                    [DSQ_RAT_SHORE_LIACS] = 1,
                                    [DSQ_LEOPARD_JUMPS] = LEOPARD_NONE};
  ck_assert_mem_eq(flags.value, liacs, DSQ_FLAGS);
  MUST(dsq_flags_read("base,wolf-over-dog,clearings,lakes=drink,drinkers=block,leopard=wide", &flags, NULL));
  const uint8_t many[DSQ_FLAGS] = {[DSQ_WOLF_OVER_DOG] = 1,
                                   [DSQ_CLEARINGS] = 1,
                                   [DSQ_DRINKERS_BLOCK] = 1,
                                   [DSQ_LEOPARD_JUMPS] = LEOPARD_WIDE,
                                   [DSQ_LAKES] = LAKES_DRINK};
  ck_assert_mem_eq(flags.value, many, DSQ_FLAGS);
  MUST(dsq_flags_read("wolf-over-dog,clearings,lakes=drink,drinkers=block,leopard=wide", &flags, NULL));
  ck_assert_mem_eq(flags.value, many, DSQ_FLAGS);
}

static int square_named(const char *name) {
  return (name[1] - '1') * 7 + name[0] - 'a';
}

/* --- moves and ends ----------------------------------------------------------------------- */

static void expect_move(const char *rule_set, const char *text, const char *name, int gain, bool over,
                        bool converts) {
  game_rules *rules = toy_dsq_open(rule_set);
  const dsq_position position = toy_dsq_read(rules, text);
  game_position game;
  dsq_to_game(&position, &game);
  game_moves moves = {0};
  MUST(dsq_moves(rules, &game, &moves));
  size_t i = 0;
  while (i < moves.used && strcmp(moves.moves[i].name, name) != 0) i++;
  ck_assert_msg(i < moves.used, "%s: %s is missing", text, name);
  ck_assert_int_eq(moves.moves[i].gain, gain);
  ck_assert_int_eq(moves.moves[i].over, over);
  ck_assert_int_eq(moves.moves[i].converts, converts);
  if (!over) {
    char line[128], printed[GAME_TEXT_BYTES], expected[GAME_TEXT_BYTES];
    snprintf(line, sizeof line, "%s moves %s", text, name);
    const dsq_position child = toy_dsq_read(rules, line);
    game_position after;
    dsq_to_game(&child, &after);
    ck_assert_mem_eq(&moves.moves[i].child, &after, sizeof after);
    dsq_print(rules, &moves.moves[i].child, printed);
    dsq_print(rules, &after, expected);
    ck_assert_str_eq(printed, expected);
  }
  game_moves_free(&moves);
}

CASE(moves_say_what_they_are_worth) {
  expect_move("base", "7/3E3/7/7/7/7/7/7/6c w", "d8d9", 1, true, true);
  expect_move("base", "7/3E3/7/7/7/7/7/7/6c w", "d8d7", 0, false, false);
  expect_move("base", "7/7/7/7/7/7/7/3e3/6C b", "d2d1", 1, true, true);
  expect_move("base", "7/7/7/7/7/7/7/7/Ec5 w", "a1b1", 1, true, true);
  expect_move("base", "7/7/7/7/7/7/7/7/Ec4d w", "a1b1", 0, false, true);
  expect_move("base", "7/7/7/7/7/7/7/7/eC5 b", "a1b1", 1, true, true);
}

static void expect_over(int side, int white, int black, int expected) {
  dsq_position position = {.side = (uint8_t)side};
  memset(position.square, DSQ_NOWHERE, sizeof position.square);
  position.square[DSQ_WHITE][DSQ_CAT] = (uint8_t)white;
  position.square[DSQ_BLACK][DSQ_DOG] = (uint8_t)black;
  game_position game;
  dsq_to_game(&position, &game);
  int value = 2;
  ck_assert(dsq_position_ended(base, &game, &value));
  ck_assert_int_eq(value, expected);
  dsq_move moves[DSQ_MOST_MOVES];
  ck_assert_uint_eq(dsq_list_moves(base, &position, moves), 0);
  ck_assert_uint_eq(count_leaves(base, &position, 1, false), 0);
}

CASE(games_that_are_won_are_over) {
  const int own = square_named("d1"), other = square_named("d9"), land = square_named("a1");
  expect_over(DSQ_BLACK, other, land, -1);
  expect_over(DSQ_WHITE, other, land, 1);
  expect_over(DSQ_WHITE, land, own, -1);
  expect_over(DSQ_BLACK, land, own, 1);
  expect_over(DSQ_BLACK, land, DSQ_NOWHERE, -1);
  expect_over(DSQ_WHITE, land, DSQ_NOWHERE, 1);
  expect_over(DSQ_WHITE, DSQ_NOWHERE, land, -1);
}

SUITE("doushouqi_text") {
  FIXTURE_ONCE(open_both, NULL);
  TEST(positions_hold_their_animals);
  LOOP(any_position_comes_back_from_its_text, 2);
  TESTS(all_texts_of_rule_sets_differ, flags_are_read_as_named, moves_say_what_they_are_worth);
  TEST(games_that_are_won_are_over);
}
