/* Phutball in words: positions, lines, rule sets and what is wrong with them. */
#include "games/registry.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_phutball.h"

static game_rules *base, *corner, *stop;

static void open_all(void) {
  base = toy_phb_open("base");
  corner = toy_phb_open("corner=exit");
  stop = toy_phb_open("goal-line=stop");
}
static void close_all(void) {
  game_base_close(base);
  game_base_close(corner);
  game_base_close(stop);
}

/* --- positions ------------------------------------------------------------------------------------------ */

static void expect_text(const game_rules *rules, const char *text, const char *canonical) {
  const phb_position position = toy_phb_read(rules, text);
  char printed[GAME_TEXT_BYTES];
  toy_phb_print(&position, printed);
  ck_assert_str_eq(printed, canonical);
}

CASE(positions_are_read_and_printed) {
  expect_text(base, "3/1x1/1o1/3/3 O", "3/1x1/1o1/3/3 O");
  expect_text(base, "  3/1x1/1o1/3/3\t E ", "3/1x1/1o1/3/3 E");
  expect_text(base, "x/o/1 O", "x/o/1 O");
  expect_text(base, "x18/18o/19 O", "x18/18o/19 O");
  expect_text(base, "11x/1o10/12 E", "11x/1o10/12 E");
  expect_text(base, "3/1o1/3 O moves", "3/1o1/3 O");
  expect_text(base, "3/1o1/3 O moves A1 C3", "2x/1o1/x2 O");
  expect_text(base, "3/1o1/3 E  moves\tA1  ", "3/1o1/x2 O");
  expect_text(base, "5/5/1xo2/5/5 O moves D3 C3-A3", "5/5/o2x1/5/5 O");
  expect_text(base, "5/1xx2/1o3/5/5 E moves B3-B5-D3", "5/5/3o1/5/5 O");
  expect_text(base, "9/9/9/9/9/9/9/9/9/9/xo7/9 O moves J12", "8x/9/9/9/9/9/9/9/9/9/xo7/9 E");
  const phb_position position = toy_phb_read(base, "2x/o2/x2/3 E");
  ck_assert_int_eq(position.rows, 4);
  ck_assert_int_eq(position.columns, 3);
  ck_assert_int_eq(position.ball, 6);
  ck_assert_int_eq(position.side, PHB_EKS);
  ck_assert_uint_eq(position.men[0], UINT64_C(1) << 11 | UINT64_C(1) << 3);
}

CASE(any_position_comes_back_from_its_text) {
  uint64_t state = 88172645463325252u;
  for (int i = 0; i < 5000; i++) {
    const int columns = 1 + (int)toy_phb_any(&state, PHB_MOST_COLUMNS);
    const int most = PHB_MOST_POINTS / columns < PHB_MOST_ROWS ? PHB_MOST_POINTS / columns : PHB_MOST_ROWS;
    const int rows = i % 3 ? PHB_LEAST_ROWS + (int)toy_phb_any(&state, (uint64_t)most - 2) : most;
    const phb_position position = toy_phb_position(rows, columns, (uint64_t)i % 101, &state);
    game_position game, again;
    char text[GAME_TEXT_BYTES], drawn[GAME_DRAWING_BYTES];
    phb_to_game(&position, &game);
    phb_print(base, &game, text);
    phb_draw(base, &game, drawn);
    if (strlen(text) >= sizeof text - 1 && columns != 3 && rows != PHB_MOST_ROWS)
      ck_abort_msg("%dx%d: a text without room", rows, columns);
    if (strstr(drawn, "\no ball, x man, - goal line\n") == NULL)
      ck_abort_msg("%dx%d: a drawing without an end", rows, columns);
    if (phb_parse(base, text, &again, NULL)) ck_abort_msg("%s is not read", text);
    if (memcmp(&game, &again, sizeof game) != 0) ck_abort_msg("%s is read as another", text);
  }
}

/* Each with words that its message must have. */
typedef struct {
  const char *text, *words[3];
} fault;

static const fault faults[] = {
    {"", {"it has 1 row, and a board has at least 3", "write 3/1x1/1o1/3/3 O"}},
    {"o O", {"it has 1 row,"}},
    {"3/1o1 O", {"it has 2 rows, and a board has at least 3"}},
    {"3/3/3 O", {"it has no ball"}},
    {"3/o1o/3 O", {"two balls, on A2 and on C2"}},
    {"3/o2/2o/3 O", {"two balls, on A3 and on C2"}},
    {"1o1/3/3 O", {"the ball is on B3, on a goal line"}},
    {"3/3/o2 O", {"the ball is on A1, on a goal line"}},
    {"3/1o1/4 O", {"row 1 has 4 points, but row 3 has 3"}},
    {"3/1o/3/3 O", {"row 3 has 2 points, but row 4 has 3"}},
    {"3/o/3 O", {"row 2 has 1 point, but row 3 has 3"}},
    {"3//3 O", {"row 2 has no points"}},
    {"/o/1 O", {"row 3 has no points"}},
    {"3/o2/3/ O", {"row 1 has no points"}},
    {"20/o19/20 O", {"row 3 has more than 19 points"}},
    {"19x/o18/19 O", {"row 3 has more than 19 points"}},
    {"xxxxxxxxxxxxxxxxxxxx/o/1 O", {"row 3 has more than 19 points"}},
    {"3/99999999999999999999/3 O", {"row 2 has more than 19 points"}},
    {"19/o18/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19/19 O",
     {"20 rows of 19 points are 380 points", "at most 361"}},
    {"3/1z1/3 O", {"character 4, 'z', is neither x, a man, nor o, the ball"}},
    {"3/1X1/3 O", {"character 4, 'X'"}},
    {"3/0xox/3 O", {"character 3, '0', is no number of empty points"}},
    {"3/o02/3 O", {"character 4, '0', is no number of empty points"}},
    {"3/1o1/3", {"the side to move, O or E, is missing"}},
    {"3/1o1/3  ", {"the side to move, O or E, is missing"}},
    {"3/1o1/3 w", {"the side to move must be O or E, not 'w' (character 9)"}},
    {"3/1o1/3 OE", {"the side to move must be O or E, not 'OE'"}},
    {"3/1o1/3 o", {"must be O or E, not 'o'"}},
    {"3/1o1/3 O x", {"character 11, 'x', is not expected"}},
    {"3/1o1/3 O movesA1", {"character 11, 'm', is not expected"}},
    {"3/1o1/3 O moves a1", {"move 1, 'a1', of Ohs", "a turn is a point, as H10, or the ball's path"}},
    {"3/1o1/3 O moves A", {"a turn is a point"}},
    {"3/1o1/3 O moves A01", {"a turn is a point"}},
    {"3/1o1/3 O moves A1+", {"move 1, 'A1+'", "a turn is a point"}},
    {"3/1o1/3 O moves A1/A2", {"a turn is a point"}},
    {"3/1o1/3 O moves I1", {"a turn is a point"}},
    {"3/1o1/3 O moves B2-", {"a turn is a point"}},
    {"3/1o1/3 O moves D1", {"D1 is beyond a board of 3 rows and 3 columns"}},
    {"3/1o1/3 O moves A5", {"A5 is beyond a board of 3 rows"}},
    {"3/1o1/3 O moves A99999999999", {"A99999999999 is beyond a board"}},
    {"3/1o1/3 O moves A4", {"A4 is not on the board"}},
    {"3/1o1/3 O moves A0", {"A0 is not on the board"}},
    {"3/1o1/3 O moves exit+", {"exit+ is not on the board"}},
    {"3/1o1/3 O moves B2", {"the ball is on B2 already"}},
    {"3/1o1/3 O moves A1 A1", {"move 2, 'A1', of Eks: a man is on A1 already"}},
    {"3/1o1/3 O moves A1-A2", {"a path begins with the ball, which is on B2"}},
    {"3/1o1/3 O moves B2-B4", {"no man stands beside B2 on the way to B4"}},
    {"3/1o1/3 O moves B2-B2", {"B2 is in no straight line from B2"}},
    {"5/5/1xo2/5/5 O moves C3-B1", {"B1 is in no straight line from C3"}},
    {"5/5/1xo2/5/5 O moves C3-B3", {"the jump from C3 towards B3 ends on A3"}},
    {"5/5/xxo2/5/5 O moves C3-A3", {"the jump from C3 towards A3 leaves the board over a side line"}},
    {"1x1/1o1/3 O moves B2-B3", {"the jump from B2 towards B3 ends on B4"}},
    {"5/5/1xo2/5/5 O moves C3-A3-C3", {"no man stands beside A3 on the way to C3"}},
    {"15/15/15/15/15/15/15/15/7x7/6x8/7x7/7x7/8x6/9o5/15/15/15/15/15 O moves K6-G9-J9-G7",
     {"move 1, 'K6-G9-J9-G7', of Ohs", "no man stands beside J9 on the way to G7"}},
    {"1x1/1o1/3 O moves B2-B4", {"move 1, 'B2-B4', scores for Ohs: the game is over"}},
    {"1x1/1o1/3 E moves B2-B4", {"move 1, 'B2-B4', scores for Ohs: the game is over"}},
    {"3/1o1/1x1 O moves B2-B0", {"move 1, 'B2-B0', scores for Eks: the game is over"}},
    {"3/1x1/1o1/3/3 O moves B3-B5", {"scores for Ohs"}},
    {"1x1/1o1/3 O moves B2-B4-B2", {"the turn ends when the ball leaves the board"}},
    {"2x/1o1/3 O moves B2-exit+", {"no jump from B2 leaves the board over that corner", "corner=exit"}},
    {"2x/1o1/3 O moves B2-exit", {"a turn is a point"}},
    {"2x/1o1/3 O moves B2-C3", {"the jump from B2 towards C3 leaves the board over a side line"}},
};

static void expect_fault(const game_rules *rules, const fault *expected) {
  game_position game;
  tauler_message message = {""};
  ck_assert_msg(phb_parse(rules, expected->text, &game, &message) == TAULER_BAD_POSITION, "'%s' is read",
                expected->text);
  for (int i = 0; i < 3 && expected->words[i]; i++)
    ck_assert_msg(strstr(message.text, expected->words[i]) != NULL, "'%s': %s", expected->text, message.text);
}

CASE(bad_positions_are_named) {
  expect_fault(base, &faults[_i]);
}

CASE(bad_positions_under_flags_are_named) {
  expect_fault(corner, &(fault){"2x/1o1/3 O moves B2-exit+", {"scores for Ohs"}});
  expect_fault(corner, &(fault){"2x/1o1/3 O moves B2-exit+-B2", {"ends when the ball leaves the board"}});
  expect_fault(corner, &(fault){"2x/1o1/x2 E moves B2-exit-", {"scores for Eks"}});
  expect_fault(corner, &(fault){"2x/1o1/3 O moves B2-exit-", {"no jump from B2 leaves the board over that"}});
  game_position game;
  tauler_message message = {""};
  ck_assert_int_eq(phb_parse(corner, "2x/1o1/3 O moves B2-exit-", &game, &message), TAULER_BAD_POSITION);
  ck_assert_ptr_null(strstr(message.text, "corner=exit"));
  expect_fault(stop, &(fault){"5/1xx2/1o3/5/5 E moves B3-B5-D3", {"stops on a goal line (goal-line=stop)"}});
  expect_fault(stop, &(fault){"5/1xx2/1o3/5/5 E moves B3-B5", {"scores for Ohs"}});
}

/* Just as many rows as there may be, and one more. */
CASE(rows_have_a_bound) {
  char text[8 * GAME_TEXT_BYTES];
  for (int rows = PHB_MOST_ROWS; rows <= PHB_MOST_ROWS + 1; rows++) {
    size_t used = 0;
    for (int row = rows; row > 0; row--)
      used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", row == 2 ? "ox" : "xx",
                               row > 1 ? "/" : " O");
    game_position game;
    tauler_message message = {""};
    const tauler_error error = phb_parse(base, text, &game, &message);
    ck_assert_int_eq(error, rows > PHB_MOST_ROWS ? TAULER_BAD_POSITION : TAULER_OK);
    char printed[GAME_TEXT_BYTES];
    if (error) {
      ck_assert_ptr_nonnull(strstr(message.text, "more than 170 rows"));
    } else {
      phb_print(base, &game, printed);
      ck_assert_str_eq(printed, text);
    }
  }
}

static void expect_drawing(const char *text, const char *expected) {
  const phb_position position = toy_phb_read(base, text);
  game_position game;
  char drawn[GAME_DRAWING_BYTES];
  phb_to_game(&position, &game);
  phb_draw(base, &game, drawn);
  ck_assert_str_eq(drawn, expected);
}

CASE(boards_are_drawn) {
  expect_drawing("3/1x1/1o1/3/x2 O", "  5  - - -    Ohs scores here  <- to move\n"
                                     "  4  . x .\n"
                                     "  3  . o .\n"
                                     "  2  . . .\n"
                                     "  1  x - -    Eks scores here\n"
                                     "     A B C\n"
                                     "o ball, x man, - goal line\n");
  expect_drawing("9/o7x/9 E", "  3  - - - - - - - - -    Ohs scores here\n"
                              "  2  o . . . . . . . x\n"
                              "  1  - - - - - - - - -    Eks scores here  <- to move\n"
                              "     A B C D E F G H J\n"
                              "o ball, x man, - goal line\n");
}

/* --- rule sets ------------------------------------------------------------------------------------------ */

static const struct {
  const char *given, *canonical;
  bool corner, stop;
} rule_texts[] = {
    {NULL, "base", false, false},
    {"base", "base", false, false},
    {"corner=exit", "base,corner=exit", true, false},
    {"base,corner=exit", "base,corner=exit", true, false},
    {"goal-line=stop", "base,goal-line=stop", false, true},
    {"base,goal-line=stop", "base,goal-line=stop", false, true},
    {"goal-line=stop,corner=exit", "base,corner=exit,goal-line=stop", true, true},
    {"base,corner=exit,goal-line=stop", "base,corner=exit,goal-line=stop", true, true},
};

CASE(rule_sets_have_one_text) {
  game_rules *rules = toy_phb_open(rule_texts[_i].given), *again = toy_phb_open(rules->base.text);
  ck_assert_str_eq(rules->base.text, rule_texts[_i].canonical);
  ck_assert_str_eq(again->base.text, rules->base.text);
  ck_assert(rules->corner_exit == rule_texts[_i].corner && again->corner_exit == rule_texts[_i].corner);
  ck_assert(rules->goal_line_stop == rule_texts[_i].stop && again->goal_line_stop == rule_texts[_i].stop);
  game_base_close(rules);
  game_base_close(again);
}

static const fault bad_rules[] = {
    {"", {"no rule set or flag ''", "base", "corner=exit, goal-line=stop"}},
    {"bas", {"no rule set or flag 'bas'", "did you mean base?"}},
    {"conway", {"no rule set or flag 'conway'", "its one rule set is base"}},
    {"goal-lin=stop", {"'goal-lin'", "did you mean goal-line?"}},
    {"base,", {"no flag ''"}},
    {"base,,corner=exit", {"no flag ''"}},
    {"base,base", {"no flag 'base'"}},
    {"corner=exit,base", {"no flag 'base'"}},
    {"base,corners=exit", {"no flag 'corners'", "did you mean corner?"}},
    {"base,zzzzzz=1", {"no flag 'zzzzzz'", "goal-line=stop"}},
    {"corner", {"the flag corner of phutball is written corner=exit"}},
    {"base,corner=", {"written corner=exit"}},
    {"base,corner=stay", {"written corner=exit, not with the value stay"}},
    {"goal-line=pass", {"written goal-line=stop, not with the value pass"}},
    {"corner=exit,corner=exit", {"the flag corner is given twice"}},
    {"base,goal-line=stop,corner=exit,goal-line=stop", {"the flag goal-line is given twice"}},
};

static void expect_bad_rules(const char *name, const char *cycles, const char *const words[3]) {
  game_rules *rules;
  tauler_message message = {""};
  ck_assert_int_eq(phb_open(name, cycles, &rules, &message), TAULER_BAD_USAGE);
  ck_assert_ptr_null(rules);
  for (int i = 0; i < 3 && words[i]; i++)
    ck_assert_msg(strstr(message.text, words[i]) != NULL, "'%s': %s", name, message.text);
}

CASE(bad_rules_are_named) {
  expect_bad_rules(bad_rules[_i].text, NULL, bad_rules[_i].words);
}

CASE(cycles_and_endless_rules_are_refused) {
  expect_bad_rules("base", "even", (const char *const[3]){"phutball has no --cycles", "'even'"});
  expect_bad_rules(NULL, "", (const char *const[3]){"phutball has no --cycles"});
  char text[4096];
  memset(text, 'a', sizeof text);
  memcpy(text, "base,", 5);
  text[sizeof text - 1] = '\0';
  expect_bad_rules(text, NULL, (const char *const[3]){"too long"});
}

CASE(the_game_is_known) {
  const game *g = game_find("phutball");
  ck_assert_ptr_nonnull(g);
  game_rules *rules;
  game_position position;
  MUST(g->open("goal-line=stop", NULL, &rules, NULL));
  ck_assert_str_eq(g->rules_text(rules), "base,goal-line=stop");
  ck_assert_str_eq(g->cycles_text(rules), "");
  ck_assert_int_eq(g->kind(rules), SOLVE_OUTCOMES);
  ck_assert_int_eq(g->largest_value(rules, 0), 1);
  MUST(g->parse(rules, g->example, &position, NULL));
  ck_assert_str_eq(g->turn(rules, &position), "O");
  ck_assert_uint_eq(g->leaves(rules, &position, 1, true), 14);
  MUST(g->parse(rules, "3/1o1/3 E", &position, NULL));
  ck_assert_str_eq(g->turn(rules, &position), "E");
  /* the line of the help text */
  const char *line = strchr(g->notation, '"');
  char text[GAME_TEXT_BYTES];
  ck_assert_ptr_nonnull(line);
  snprintf(text, sizeof text, "%.*s", (int)strcspn(line + 1, "\""), line + 1);
  MUST(g->parse(rules, text, &position, NULL));
  g->close(rules);
}

SUITE("phutball_text") {
  FIXTURE_ONCE(open_all, close_all);
  TESTS(positions_are_read_and_printed, any_position_comes_back_from_its_text);
  LOOP(bad_positions_are_named, ROWS(faults));
  TESTS(bad_positions_under_flags_are_named, rows_have_a_bound, boards_are_drawn);
  LOOP(rule_sets_have_one_text, ROWS(rule_texts));
  LOOP(bad_rules_are_named, ROWS(bad_rules));
  TESTS(cycles_and_endless_rules_are_refused, the_game_is_known);
}
