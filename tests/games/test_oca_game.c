/* Oca behind game.h and game_chance.h: names of moves, seats, quantities, rolls, slices, boards from files,
 * drawings. */
#include "tests/support/rules.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_oca.h"

/* --- one position at a time ----------------------------------------------------------------------------- */

static game_position read_position(const game_rules *rules, const char *text) {
  game_position game;
  MUST(oca_game.parse(rules, text, &game, hear()));
  return game;
}

static const struct {
  const char *rules, *from;
  int roll;
  const char *move, *to;
  int gain;
} move_cases[] = {
    {"base", "oca:12,19~2/1", 2, "12-14-18", "oca:18,19~2/1", ROLLS_ON},
    {"base", "oca:12,19~2/1", 3, "12-15", "oca:15,19~2/2", ROLL_ENDS},
    {"base", "oca:12,19~2/2", 0, "pass", "oca:12,19~1/1", PASSES},
    {"base", "oca:12,31/2", 0, "pass", "oca:12,31/1", PASSES},
    {"base", "oca:22,0/1", 4, "22-26-53", "oca:53,0/1", ROLLS_ON},
    {"base", "oca:27,31/1", 4, "27-31", "oca:31,27/2", ROLL_ENDS},
    {"base", "oca:57,31/1", 1, "57-58-1", "oca:1,31/2", ROLL_ENDS},
    {"base", "oca:57,31/1", 2, "57-59-63", NULL, WON},
    {"base", "oca:0,57/2", 6, "57-63", NULL, WON},
    {"base", "oca:62/1", 2, "62-62", "oca:62/1", ROLL_ENDS},
    {"goose-59=stay", "oca:57,31/1", 2, "57-59", "oca:59,31/1", ROLLS_ON},
    {"goose-59=bounce", "oca:57,31/1", 2, "57-59-63", "oca:63,31/1", ROLLS_ON},
    {"goose-59=bounce", "oca:63,31/1", 4, "63-59-63", "oca:63,31/1", ROLLS_ON},
    {"labyrinth=30", "oca:41,0/1", 1, "41-42-30", "oca:30,0/2", ROLL_ENDS},
    {"dice=2", "oca:52,0/1", 11, "52-63", NULL, WON},
};

CASE(names_moves) {
  game_rules *rules = suite_rules(&oca_game, move_cases[_i].rules, NULL);
  const game_position from = read_position(rules, move_cases[_i].from);
  const bool passes = move_cases[_i].roll == 0;
  game_moves moves = {0};
  ck_assert_int_eq(oca_chance.must_pass(rules, &from), passes);
  MUST(oca_chance.moves(rules, &from, passes ? CHANCE_CERTAIN : (size_t)(move_cases[_i].roll - rules->dice),
                        &moves));
  ck_assert_uint_eq(moves.used, 1);
  ck_assert_str_eq(moves.moves[0].name, move_cases[_i].move);
  ck_assert_int_eq(moves.moves[0].gain, move_cases[_i].gain);
  ck_assert_int_eq(moves.moves[0].over, move_cases[_i].to == NULL);
  ck_assert_int_eq(moves.moves[0].converts, move_cases[_i].to == NULL);
  if (move_cases[_i].to) {
    char text[GAME_TEXT_BYTES];
    oca_game.print(rules, &moves.moves[0].child, text);
    ck_assert_str_eq(text, move_cases[_i].to);
  }
  game_moves_free(&moves);
}

CASE(who_is_alone_in_the_well_has_ended) {
  game_rules *rules = suite_rules(&oca_game, "base", NULL);
  const game_position stuck = read_position(rules, "oca:31/1"), free = read_position(rules, "oca:30/1"),
                      two = read_position(rules, "oca:31,0/1");
  game_moves moves = {0};
  int value = 7;
  ck_assert(oca_chance.must_pass(rules, &stuck));
  MUST(oca_chance.moves(rules, &stuck, CHANCE_CERTAIN, &moves));
  ck_assert_uint_eq(moves.used, 0);
  ck_assert(oca_game.position_ended(rules, &stuck, &value) && value == 0);
  ck_assert(!oca_game.position_ended(rules, &free, &value));
  ck_assert(!oca_game.position_ended(rules, &two, &value));
}

CASE(turns_seats_and_starts) {
  static const char *const starts[] = {"oca:1/1", "oca:1,1/1", "oca:1,1,1/1", "oca:1,1,1,1/1"};
  static const char *const seats[] = {"1", "2", "3", "4"};
  game_rules *rules = suite_rules(&oca_game, "start=1", NULL);
  for (uint32_t slice = 1; slice <= OCA_MOST_PLAYERS; slice++) {
    game_position game;
    char text[GAME_TEXT_BYTES];
    oca_chance.start(rules, slice, &game);
    oca_game.print(rules, &game, text);
    ck_assert_str_eq(text, starts[slice - 1]);
    for (uint32_t seat = 0; seat < slice; seat++) {
      oca_position position = oca_from_game(&game);
      position.seat = (uint8_t)seat;
      game_position turned;
      oca_to_game(&position, &turned);
      ck_assert_int_eq(oca_chance.first_seat(rules, &turned), (int)seat);
      ck_assert_str_eq(oca_game.turn(rules, &turned), seats[seat]);
      ck_assert_int_eq(oca_chance.aim(rules, &turned), 0);
    }
  }
  uint64_t index[3] = {0, 5, 9};
  int8_t aims[3] = {1, 1, 1};
  oca_chance.aims(rules, 2, index, 3, aims);
  ck_assert(aims[0] == 0 && aims[1] == 0 && aims[2] == 0);
}

/* --- quantities and rolls ------------------------------------------------------------------------------- */

static void expect_gain(const chance_gain row[CHANCE_MOST_QUANTITIES], uint32_t players, int win, int turns,
                        int rolls) {
  for (uint32_t q = 0; q < players + 2; q++) {
    const int wanted = q == 0 ? win : q < players ? 0 : q == players ? turns : rolls;
    ck_assert_int_eq(row[q].numerator, wanted);
    ck_assert_int_eq(row[q].denominator, 1);
  }
}

CASE(has_quantities) {
  static const char *const wins[] = {"win-1", "win-2", "win-3", "win-4"};
  game_rules *rules = suite_rules(&oca_game, "base", NULL);
  for (uint32_t players = 1; players <= OCA_MOST_PLAYERS; players++) {
    chance_quantities q;
    oca_chance.quantities(rules, players, &q);
    ck_assert_int_eq(q.used, (int)players + 2);
    ck_assert_int_eq(q.seats, players == 1 ? 0 : (int)players);
    for (uint32_t seat = 0; seat < players; seat++) {
      ck_assert_str_eq(q.list[seat].name, wins[seat]);
      ck_assert(q.list[seat].most == 1);
    }
    ck_assert_str_eq(q.list[players].name, "turns");
    ck_assert_str_eq(q.list[players + 1].name, "rolls");
    ck_assert(q.list[players].most > 1e300 && q.list[players + 1].most > 1e300);
    const chance_gain(*gains)[CHANCE_MOST_QUANTITIES];
    ck_assert_uint_eq(oca_chance.gains(rules, players, &gains), GAINS);
    expect_gain(gains[NOTHING], players, 0, 0, 0);
    expect_gain(gains[PASSES], players, 0, 1, 0);
    expect_gain(gains[ROLLS_ON], players, 0, 0, 1);
    expect_gain(gains[ROLL_ENDS], players, 0, 1, 1);
    expect_gain(gains[WON], players, 1, 1, 1);
  }
}

CASE(weighs_rolls) {
  for (int dice = 1; dice <= 2; dice++) {
    game_rules *rules = suite_rules(&oca_game, dice == 1 ? "base" : "dice=2", NULL);
    const chance_roll *rolls;
    const size_t count = oca_chance.rolls(rules, &rolls);
    uint32_t sum = 0;
    ck_assert_uint_eq(count, dice == 1 ? 6 : 11);
    for (size_t i = 0; i < count; i++) {
      char name[8];
      snprintf(name, sizeof name, "%d", dice + (int)i);
      ck_assert_str_eq(rolls[i].name, name);
      ck_assert_int_eq((int)rolls[i].weight, dice == 1 ? 1 : 6 - abs(5 - (int)i));
      sum += rolls[i].weight;
    }
    ck_assert_uint_eq(sum, dice == 1 ? 6 : 36);
  }
}

/* --- slices, boards, drawings --------------------------------------------------------------------------- */

static void expect_slice(const game_rules *rules, const char *players, uint32_t slice) {
  char name[GAME_TEXT_BYTES];
  uint32_t named = 0;
  const game_slices slices = suite_slices(&oca_game, rules, &(game_request){.largest = players});
  ck_assert_uint_eq(slices.used, 1);
  ck_assert_uint_eq(slices.slices[0].slice, slice);
  ck_assert(slices.slices[0].asked);
  ck_assert_uint_eq(slices.slices[0].positions, oca_game.positions(rules, slice));
  oca_game.slice_name(rules, slice, name);
  ck_assert(oca_game.slice_named(rules, name, &named) && named == slice);
  ck_assert(oca_game.alike(rules, slice) <= slice && oca_game.alike(rules, slice) >= 1);
}

CASE(asks_for_players) {
  game_rules *rules = suite_rules(&oca_game, "base", NULL);
  expect_slice(rules, NULL, 2);
  expect_slice(rules, "1", 1);
  expect_slice(rules, "2", 2);
  expect_slice(rules, "3", 3);
  expect_slice(rules, "4", 4);
}

CASE(reads_boards_from_files) {
  char flag[GAME_TEXT_BYTES];
  MUST(oca_game.board_flag("games/boards/oca-63.board", flag, hear()));
  game_rules *rules = suite_rules(&oca_game, flag, NULL);
  ck_assert_str_eq(oca_game.rules_text(rules), "base");
  MUST(oca_game.board_flag("games/boards/asesina-20.board", flag, hear()));
  rules = suite_rules(&oca_game, flag, NULL);
  ck_assert_int_eq(rules->board.length, 20);
  REFUSED(TAULER_IO, "none.board", oca_game.board_flag("games/boards/none.board", flag, hear()));
}

static void expect_drawn(const game_rules *rules, const char *text, const char *wanted) {
  const game_position game = read_position(rules, text);
  char drawn[GAME_DRAWING_BYTES];
  oca_game.draw(rules, &game, drawn);
  ck_assert_msg(strstr(drawn, wanted) != NULL, "%s: no '%s' in\n%s", text, wanted, drawn);
}

CASE(draws_boards) {
  game_rules *rules = suite_rules(&oca_game, TOY_OCA_BOARD_99, NULL);
  expect_drawn(rules, "oca:99,31,2,2/1", " 99g[1]\n");
}

CASE(reads_its_own_example) {
  game_rules *rules = suite_rules(&oca_game, "base", NULL);
  const game_position game = read_position(rules, oca_game.example);
  char text[GAME_TEXT_BYTES];
  oca_game.print(rules, &game, text);
  ck_assert_str_eq(text, oca_game.example);
  ck_assert_int_eq(oca_game.kind(rules), SOLVE_CHANCE);
  ck_assert_str_eq(oca_game.cycles_text(rules), "");
}

/* A token that rolls on to the last square and back concerns no other. */
CASE(only_who_rolls_stands_on_the_last_square) {
  game_rules *rules = suite_rules(&oca_game, TOY_OCA_BOARD_12, NULL);
  const game_position game = read_position(rules, "oca:12,8/1");
  game_moves moves = {0};
  char text[GAME_TEXT_BYTES];
  MUST(oca_chance.moves(rules, &game, 3, &moves));
  oca_game.print(rules, &moves.moves[0].child, text);
  ck_assert_str_eq(text, "oca:8,12/2");
  read_position(rules, text);
  game_moves_free(&moves);
}

SUITE("oca_game") {
  enum { MOVES = sizeof move_cases / sizeof *move_cases };
  LOOP(names_moves, MOVES);
  TESTS(who_is_alone_in_the_well_has_ended, turns_seats_and_starts, has_quantities, weighs_rolls,
        asks_for_players, reads_boards_from_files, draws_boards, reads_its_own_example,
        only_who_rolls_stands_on_the_last_square);
}
