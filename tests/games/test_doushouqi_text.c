/* Dou Shou Qi in words: positions, lines, rule sets and what is wrong with them; and what an asker hears. */
#include "tests/support/suite.h"
#include "tests/support/toy/toy_doushouqi.h"

static game_rules *base, *drink;

static void open_both(void) {
  base = toy_dsq_open("base");
  drink = toy_dsq_open("base,lakes=drink");
}
static void close_both(void) {
  dsq_rules_close(base);
  dsq_rules_close(drink);
}

/* --- positions ------------------------------------------------------------------------------------------ */

static void expect_text(const game_rules *rules, const char *text, const char *canonical) {
  const dsq_position position = toy_dsq_read(rules, text);
  game_position game;
  char printed[GAME_TEXT_BYTES];
  dsq_to_game(&position, &game);
  dsq_print(rules, &game, printed);
  ck_assert_str_eq(printed, canonical);
}

#define START "l5t/1d3c1/r1p1w1e/7/7/7/E1W1P1R/1C3D1/T5L"

CASE(positions_are_read_and_printed) {
  expect_text(base, START " w", START " w");
  expect_text(base, "startpos", START " w");
  expect_text(base, "  startpos\t", START " w");
  expect_text(base, START "\t b ", START " b");
  expect_text(base, "startpos moves", START " w");
  expect_text(base, "startpos moves a3a4 a7b7", "l5t/1d3c1/1rp1w1e/7/7/E6/2W1P1R/1C3D1/T5L w");
  expect_text(base, START " b  moves\ta7a6  ", "l5t/1d3c1/2p1w1e/r6/7/7/E1W1P1R/1C3D1/T5L w");
  expect_text(base, "7/7/7/7/7/7/7/7/Ec4d w moves a1b1", "7/7/7/7/7/7/7/7/1E4d b");
  expect_text(base, "1114/7/61/7/7/7/7/7/E5c b", "7/7/7/7/7/7/7/7/E5c b");
  expect_text(base, "7/7/7/7/1R2r2/7/7/7/7 b", "7/7/7/7/1R2r2/7/7/7/7 b");
  expect_text(drink, "7/7/7/7/1E2l2/7/7/7/7 b", "7/7/7/7/1E2l2/7/7/7/7 b");
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

/* Each with words that its message must have. */
static const struct {
  const char *text, *words[3];
} faults[] = {
    {"", {"rank 9 has only 0 of 7"}},
    {"7/7/7/7/LL5/7/7/7/6c w", {"White has two animals of a kind", "lion on a5 and on b5"}},
    {"7/7/6t/7/7/7/7/t6/6C w", {"Black has two animals of a kind", "tiger on g7 and on a2"}},
    {"7/7/7/7/1C5/7/7/7/6c w", {"White's cat on b5", "water"}},
    {"7/7/7/5e1/7/7/7/7/6C w", {"Black's elephant on f6", "water"}},
    {"7/7/7/7/7/7/7/7/3E2c w", {"White's elephant on d1", "den"}},
    {"3R3/7/7/7/7/7/7/7/6c w", {"White's rat on d9", "den"}},
    {"7/7/7/L6c/7/7/7/7/7 w", {"rank 6 has more than 7 squares", "character 9", "'c'"}},
    {"7/8/7/7/7/7/7/7/C5c w", {"rank 8 has more than 7 squares", "'8'"}},
    {"7/52/61/7/17/7/7/7/C5c w", {"rank 5 has more than 7 squares", "'7'"}},
    {"7/7/6/7/7/7/7/7/C5c w", {"rank 7 has only 6 of 7"}},
    {"7/7//7/7/7/7/7/C5c w", {"rank 7 has only 0 of 7"}},
    {"7/7/7/7/7/7/7/C5c w", {"only 8 of 9 ranks", "rank 2"}},
    {"7/7/7/7/7/7/7/7/C5c/7 w", {"more than 9 ranks", "character 20"}},
    {"7/7/7/x6/7/7/7/7/C5c w", {"character 7, 'x'", "no animal"}},
    {"7/7/7/06/7/7/7/7/C5c w", {"character 7, '0'", "no animal"}},
    {"7/7/7/7/7/7/7/7/C5c", {"side to move", "missing"}},
    {"7/7/7/7/7/7/7/7/C5c  ", {"side to move", "missing"}},
    {"7/7/7/7/7/7/7/7/C5c white", {"side to move must be w or b, not 'white'", "character 21"}},
    {"7/7/7/7/7/7/7/7/C5c W", {"side to move must be w or b, not 'W'"}},
    {"7/7/7/7/7/7/7/7/C6 w", {"Black has no animal"}},
    {"7/7/7/7/7/7/7/7/c6 w", {"White has no animal"}},
    {"7/7/7/7/7/7/7/7/7 b", {"no animal"}},
    {"7/7/7/7/7/7/7/7/C5c w 1", {"character 23, '1', is not expected"}},
    {"startpos w", {"character 10, 'w', is not expected"}},
    {"startposmoves", {"'s', is no animal"}},
    {"startpos movesa3a4", {"character 10, 'm', is not expected"}},
    {"startpos moves a3a4 a3a4", {"move 2, 'a3a4'", "no animal on a3", "Black is to move"}},
    {"startpos moves a7a6", {"move 1, 'a7a6'", "the rat on a7 is Black's"}},
    {"startpos moves a3", {"move 1, 'a3'", "two squares"}},
    {"startpos moves a3a4x", {"'a3a4x'", "two squares"}},
    {"startpos moves a3h3", {"'a3h3'", "two squares"}},
    {"startpos moves a3a0", {"'a3a0'", "two squares"}},
    {"startpos moves a3a5", {"the elephant does not reach a5", "can play a3a4 a3b3 a3a2 with that animal"}},
    {"startpos moves c3c4", {"the wolf does not enter the water of c4"}},
    {"7/7/7/7/7/7/CW5/7/6c w moves a3b3", {"on b3 stands its own side's wolf", "a3a4 a3a2"}},
    {"7/7/7/7/7/7/CW5/7/6c w moves b3a3", {"on a3 stands its own side's cat"}},
    {"7/7/7/7/7/7/Cw5/7/7 w moves a3b3", {"the cat does not take the wolf on b3"}},
    {"7/7/7/7/rR5/7/7/7/7 w moves b5a5", {"the rat on a5", "out of the water"}},
    {"7/7/7/1r5/7/7/2L4/7/7 w moves c3c7", {"a rat swims on b6"}},
    {"7/7/7/7/7/7/7/7/2C3c w moves c1d1", {"d1 is its own den"}},
    {"7/7/7/7/cR5/7/7/7/7 b moves a5b5", {"the cat does not enter the water of b5"}},
    {"7/3E3/7/7/7/7/7/7/6c w moves d8d9", {"move 1, 'd8d9', wins for White"}},
    {"7/7/7/7/7/7/7/7/Ec5 w moves a1b1", {"move 1, 'a1b1', wins for White"}},
    {"7/7/7/7/7/7/7/c6/Rw5 w moves a1a2", {"can play nothing"}},
};

static void expect_fault(const game_rules *rules, const char *text, const char *const words[3]) {
  game_position game;
  tauler_message message = {""};
  ck_assert_msg(dsq_parse(rules, text, &game, &message) == TAULER_BAD_POSITION, "'%s' is read", text);
  for (int i = 0; i < 3 && words[i]; i++)
    ck_assert_msg(strstr(message.text, words[i]) != NULL, "'%s': %s", text, message.text);
}

CASE(bad_positions_are_named) {
  expect_fault(base, faults[_i].text, faults[_i].words);
}

CASE(bad_positions_of_drinkers_are_named) {
  expect_fault(drink, "7/7/7/7/1C5/7/7/7/6c w", (const char *const[3]){"White's cat on b5", "water"});
  expect_fault(drink, "7/7/7/7/cE5/7/7/7/7 w moves b5a5", (const char *const[3]){"the cat on a5", "water"});
  expect_fault(drink, "7/7/7/2r4/7/7/1E5/7/7 w moves b3b4", (const char *const[3]){"a rat swims on c6"});
  game_rules *block = toy_dsq_open("base,lakes=drink,drinkers=block");
  expect_fault(block, "7/7/7/1w5/7/7/1L5/7/7 w moves b3b7", (const char *const[3]){"somebody drinks on b6"});
  dsq_rules_close(block);
}

static void expect_drawing(const game_rules *rules, const char *text, const char *expected) {
  const dsq_position position = toy_dsq_read(rules, text);
  game_position game;
  char drawn[GAME_DRAWING_BYTES];
  dsq_to_game(&position, &game);
  dsq_draw(rules, &game, drawn);
  ck_assert_str_eq(drawn, expected);
}

CASE(boards_are_drawn) {
  const char *head = " 9  .  . +E+ #  +  .  t    Black\n"
                     " 8  .  .  . +c+ .  .  .\n"
                     " 7  .  .  .  .  .  .  .\n",
             *lakes = " 6  . ~R~ ~  .  ~  ~  .\n"
                      " 5  .  ~  ~  .  ~  ~  .\n"
                      " 4  .  ~  ~  .  ~  ~  .\n",
             *plain = " 6  .  R  .  .  .  .  .\n"
                      " 5  .  .  .  .  .  .  .\n"
                      " 4  .  .  .  .  .  .  .\n",
             *foot = " 3  .  .  .  .  .  .  .\n"
                     " 2  .  .  .  +  .  .  .\n"
                     " 1  .  .  +  #  +  .  L    White  <- to move\n"
                     "    a  b  c  d  e  f  g\n"
                     "White's animals are upper case; ~ water, + trap, # den\n";
  char expected[GAME_DRAWING_BYTES];
  snprintf(expected, sizeof expected, "%s%s%s", head, lakes, foot);
  expect_drawing(base, "2E3t/3c3/7/1R5/7/7/7/7/6L w", expected);
  game_rules *rules = toy_dsq_open("base,lakes=plain");
  snprintf(expected, sizeof expected, "%s%s%s", head, plain, foot);
  expect_drawing(rules, "2E3t/3c3/7/1R5/7/7/7/7/6L w", expected);
  dsq_rules_close(rules);
}

/* --- rule sets ------------------------------------------------------------------------------------------ */

static const struct {
  const char *given, *canonical;
} rule_texts[] = {
    {NULL, "base"},
    {"base", "base"},
    {"liacs", "liacs"},
    {"base,lakes=water", "base"},
    {"base,leopard=narrow", "base"},
    {"base,clearings,leopard=wide,wolf-over-dog", "base,wolf-over-dog,leopard=wide,clearings"},
    {"base,drinkers=block,lakes=drink", "base,lakes=drink,drinkers=block"},
    {"base,lakes=plain,stalemate=loss", "base,lakes=plain,stalemate=loss"},
    {"base,rat-shore=liacs,elephant-takes-rat,jump-block=path,leopard=none",
     "base,leopard=none,jump-block=path,elephant-takes-rat,rat-shore=liacs"},
    {"base,rat-shore=liacs,elephant-takes-rat,stalemate=loss,jump-block=path,leopard=none", "liacs"},
    {"base,rat-shore=liacs,elephant-takes-rat,stalemate=loss,jump-block=path", "liacs,leopard=narrow"},
    {"liacs,leopard=none", "liacs"},
    {"liacs,leopard=wide", "liacs,leopard=wide"},
    {"liacs,stalemate=loss", "liacs"},
    {"liacs,wolf-over-dog", "liacs,wolf-over-dog"},
    {"liacs,lakes=drink", "liacs,lakes=drink"},
};

CASE(rule_sets_have_one_text) {
  game_rules *rules, *again;
  MUST(dsq_rules_open(rule_texts[_i].given, &rules, NULL));
  ck_assert_str_eq(rules->base.text, rule_texts[_i].canonical);
  MUST(dsq_rules_open(rules->base.text, &again, NULL));
  ck_assert_str_eq(again->base.text, rules->base.text);
  dsq_rules_close(rules);
  dsq_rules_close(again);
}

static bool same_flags(const dsq_flags *one, const dsq_flags *other) {
  return one->wolf_over_dog == other->wolf_over_dog && one->clearings == other->clearings &&
         one->drinkers_block == other->drinkers_block && one->jump_block_path == other->jump_block_path &&
         one->stalemate_loses == other->stalemate_loses &&
         one->elephant_takes_rat == other->elephant_takes_rat && one->shore_liacs == other->shore_liacs &&
         one->leopard == other->leopard && one->lakes == other->lakes;
}

static int by_text(const void *one, const void *other) {
  return strcmp(one, other);
}

CASE(all_texts_of_rule_sets_differ) {
  static char texts[TOY_DSQ_RULE_SETS][DSQ_RULES_BYTES];
  for (int number = 0; number < TOY_DSQ_RULE_SETS; number++) {
    char given[DSQ_RULES_BYTES], twice[DSQ_RULES_BYTES], *text = texts[number];
    toy_dsq_rule_set(number, given);
    dsq_flags flags, again;
    tauler_message message = {""};
    if (dsq_flags_read(given, &flags, text, &message)) ck_abort_msg("%s: %s", given, message.text);
    if (dsq_flags_read(text, &again, twice, &message)) ck_abort_msg("%s: %s", text, message.text);
    ck_assert(same_flags(&flags, &again));
    ck_assert_str_eq(twice, text);
  }
  qsort(texts, TOY_DSQ_RULE_SETS, sizeof *texts, by_text);
  for (int number = 1; number < TOY_DSQ_RULE_SETS; number++)
    ck_assert_str_ne(texts[number - 1], texts[number]);
}

CASE(flags_are_read_as_named) {
  dsq_flags flags;
  char text[DSQ_RULES_BYTES];
  MUST(dsq_flags_read("liacs", &flags, text, NULL));
  const dsq_flags liacs = {.jump_block_path = true,
                           .stalemate_loses = true,
                           .elephant_takes_rat = true,
                           .shore_liacs = true,
                           .leopard = LEOPARD_NONE};
  ck_assert(same_flags(&flags, &liacs));
  MUST(dsq_flags_read("base,wolf-over-dog,clearings,lakes=drink,drinkers=block,leopard=wide", &flags, text,
                      NULL));
  const dsq_flags many = {.wolf_over_dog = true,
                          .clearings = true,
                          .drinkers_block = true,
                          .leopard = LEOPARD_WIDE,
                          .lakes = LAKES_DRINK};
  ck_assert(same_flags(&flags, &many));
  MUST(dsq_flags_read("wolf-over-dog,clearings,lakes=drink,drinkers=block,leopard=wide", &flags, text, NULL));
  ck_assert(same_flags(&flags, &many));
}

static const struct {
  const char *text, *words[3];
} bad_rules[] = {
    {"", {"no rule set or flag ''", "base and liacs"}},
    {"bas", {"no rule set or flag 'bas'", "did you mean base?"}},
    {"chinese", {"no rule set or flag 'chinese'", "base and liacs"}},
    {"leopard=wide,base", {"no flag 'base'"}},
    {"leopard=wid", {"leopard", "did you mean leopard=wide?"}},
    {"clearings,clearings", {"clearings is given twice"}},
    {"base,", {"no flag ''", "wolf-over-dog"}},
    {"base,,clearings", {"no flag ''"}},
    {"base,claerings", {"no flag 'claerings'", "did you mean clearings?"}},
    {"base,zzzzzz=1", {"no flag 'zzzzzz'", "leopard=narrow|wide|none"}},
    {"base,liacs", {"no flag 'liacs'"}},
    {"base,clearings=yes", {"clearings", "takes no value", "'yes'"}},
    {"base,leopard", {"leopard", "narrow|wide|none"}},
    {"base,leopard=", {"written leopard=narrow|wide|none"}},
    {"base,leopard=wid", {"leopard", "'wid'", "did you mean leopard=wide?"}},
    {"base,lakes=qqqqq", {"lakes=water|plain|drink", "not with the value qqqqq"}},
    {"base,jump-block=lake", {"jump-block=path", "not with the value lake"}},
    {"base,stalemate=draw", {"stalemate=loss"}},
    {"base,clearings,clearings", {"clearings is given twice"}},
    {"base,leopard=wide,leopard=none", {"leopard is given twice"}},
    {"liacs,leopard=wide,leopard=wide", {"leopard is given twice"}},
    {"base,lakes=plain,leopard=wide", {"lakes=plain contradicts leopard=wide"}},
    {"base,leopard=narrow,lakes=plain", {"lakes=plain contradicts leopard=narrow"}},
    {"base,lakes=plain,jump-block=path", {"lakes=plain contradicts jump-block=path"}},
    {"base,lakes=plain,rat-shore=liacs", {"lakes=plain contradicts rat-shore=liacs"}},
    {"base,drinkers=block,lakes=plain", {"lakes=plain contradicts drinkers=block"}},
    {"base,drinkers=block", {"drinkers=block contradicts lakes=water"}},
    {"base,lakes=plain,lakes=drink", {"lakes is given twice"}},
    {"liacs,lakes=plain", {"lakes=plain contradicts leopard=none", "part of liacs"}},
};

CASE(bad_rules_are_named) {
  game_rules *rules;
  tauler_message message = {""};
  ck_assert_int_eq(dsq_rules_open(bad_rules[_i].text, &rules, &message), TAULER_BAD_USAGE);
  ck_assert_ptr_null(rules);
  for (int i = 0; i < 3 && bad_rules[_i].words[i]; i++)
    ck_assert_msg(strstr(message.text, bad_rules[_i].words[i]) != NULL, "'%s': %s", bad_rules[_i].text,
                  message.text);
}

CASE(endless_rules_are_refused) {
  char text[4096];
  memset(text, 'a', sizeof text);
  memcpy(text, "base,", 5);
  text[sizeof text - 1] = '\0';
  game_rules *rules;
  tauler_message message = {""};
  ck_assert_int_eq(dsq_rules_open(text, &rules, &message), TAULER_BAD_USAGE);
  ck_assert_ptr_nonnull(strstr(message.text, "too long"));
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
  dsq_rules_close(rules);
}

CASE(moves_say_what_they_are_worth) {
  expect_move("base", "7/3E3/7/7/7/7/7/7/6c w", "d8d9", 1, true, true);
  expect_move("base", "7/3E3/7/7/7/7/7/7/6c w", "d8d7", 0, false, false);
  expect_move("base", "7/7/7/7/7/7/7/3e3/6C b", "d2d1", 1, true, true);
  expect_move("base", "7/7/7/7/7/7/7/7/Ec5 w", "a1b1", 1, true, true);
  expect_move("base", "7/7/7/7/7/7/7/7/Ec4d w", "a1b1", 0, false, true);
  expect_move("base", "7/7/7/7/7/7/7/7/eC5 b", "a1b1", 1, true, true);
}

static const struct {
  const char *rules, *position;
  int value; /* 2: play goes on */
} ends[] = {
    {"base", "7/7/7/7/7/7/7/c6/Rw5 w", 0},           {"base,stalemate=loss", "7/7/7/7/7/7/7/c6/Rw5 w", -1},
    {"liacs", "7/7/7/7/7/7/7/c6/Rw5 w", -1},         {"liacs", "7/7/7/7/7/7/7/c6/Rw5 b", 2},
    {"base", "5Wr/6C/7/7/7/7/7/7/7 b", 0},           {"base", "7/7/7/7/7/7/7/7/C5c w", 2},
    {"base,lakes=drink", "7/7/7/7/cE5/7/7/7/7 w", 0}};

CASE(positions_end_as_the_rules_say) {
  game_rules *rules = toy_dsq_open(ends[_i].rules);
  const dsq_position position = toy_dsq_read(rules, ends[_i].position);
  game_position game;
  dsq_to_game(&position, &game);
  int value = 2;
  ck_assert_int_eq(dsq_position_ended(rules, &game, &value), ends[_i].value != 2);
  ck_assert_int_eq(value, ends[_i].value);
  dsq_rules_close(rules);
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
  ck_assert_uint_eq(dsq_count_leaves(base, &position, 1, false), 0);
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
  FIXTURE_ONCE(open_both, close_both);
  TEST(positions_are_read_and_printed);
  LOOP(any_position_comes_back_from_its_text, 2);
  LOOP(bad_positions_are_named, ROWS(faults));
  TESTS(bad_positions_of_drinkers_are_named, boards_are_drawn);
  LOOP(rule_sets_have_one_text, ROWS(rule_texts));
  TESTS(all_texts_of_rule_sets_differ, flags_are_read_as_named);
  LOOP(bad_rules_are_named, ROWS(bad_rules));
  TESTS(endless_rules_are_refused, moves_say_what_they_are_worth);
  LOOP(positions_end_as_the_rules_say, ROWS(ends));
  TEST(games_that_are_won_are_over);
}
