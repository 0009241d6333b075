/* Oca: every rule of a turn, what each flag changes and what it leaves alone, and texts. */
#include "games/oca/rules.h"
#include "tests/support/oracle.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"

static game_rules *base;

static void open_base(void) {
  base = suite_rules(&oca_game, NULL, NULL);
}

static oca_position read_position(const game_rules *rules, const char *text) {
  game_position game;
  MUST(oca_parse(rules, text, &game, hear()));
  return oca_from_game(&game);
}

static void print_position(const game_rules *rules, const oca_position *position,
                           char text[GAME_TEXT_BYTES]) {
  game_position game;
  oca_to_game(position, &game);
  oca_print(rules, &game, text);
}

/* --- rolls ---------------------------------------------------------------------------------------------- */

/* A roll of 0 is a turn that passes. */
static void expect_roll(const game_rules *rules, const oracle_row *row) {
  const int roll = atoi(row->cell[2]);
  const oca_position from = read_position(rules, row->cell[1]);
  ck_assert_int_eq(oca_must_pass(rules, &from), roll == 0);
  const oca_step step = roll ? oca_roll(rules, &from, roll) : (oca_step){.next = oca_pass(rules, &from)};
  char text[GAME_TEXT_BYTES];
  print_position(rules, &step.next, text);
  if (step.won) snprintf(text, sizeof text, "won by %d", from.seat + 1);
  EXPECT(strcmp(text, row->cell[3]) == 0 && step.again == atoi(row->cell[4]), "%s, %s and %d: %s, %s",
         rules->base.text, row->cell[1], roll, text, step.again ? "again" : "not again");
}

CASE(plays_rolls) {
  oracle_row row;
  int rows = 0;
  for (FILE *file = oracle_open("oca-rolls.csv"); oracle_next(file, &row); rows++) {
    game_rules *rules = suite_rules(&oca_game, row.cell[0], NULL);
    expect_roll(rules, &row);
  }
  ck_assert_int_eq(rows, 109);
}

CASE(turns_served_are_played) {
  static const char *const play_on[] = {"oca:19,52~3/1", "oca:31,7/2", "oca:42/1", "oca:58/1"};
  for (size_t i = 0; i < sizeof play_on / sizeof *play_on; i++) {
    const oca_position position = read_position(base, play_on[i]);
    ck_assert_msg(!oca_must_pass(base, &position), "%s", play_on[i]);
  }
}

CASE(a_player_alone_in_the_well_is_stuck) {
  static const struct {
    const char *text;
    bool stuck;
  } cases[] = {{"oca:31/1", true}, {"oca:30/1", false}, {"oca:19~2/1", false}, {"oca:31,0/1", false}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const oca_position position = read_position(base, cases[i].text);
    ck_assert_msg(oca_is_stuck(base, &position) == cases[i].stuck, "%s", cases[i].text);
  }
}

/* --- flags ---------------------------------------------------------------------------------------------- */

static bool same_step(const oca_step *a, const oca_step *b) {
  return memcmp(&a->next, &b->next, sizeof a->next) == 0 && a->again == b->again && a->won == b->won;
}

/* Where a rule set plays otherwise than the base, seat 1 of two rolling: on the squares `at` and no
 * others. */
static void expect_changes(const game_rules *rules, const int at[2]) {
  for (int square = 0; square < 63; square++) {
    const oca_position from = {.token = {{(uint8_t)square, 0}, {7, 0}}, .players = 2};
    if (oca_must_pass(base, &from)) continue;
    for (int roll = 1; roll <= 6; roll++) {
      const oca_step usual = oca_roll(base, &from, roll), other = oca_roll(rules, &from, roll);
      const int reached = square + roll > 63 ? 126 - square - roll : square + roll;
      const bool changes = reached == at[0] || reached == at[1];
      ck_assert_msg(same_step(&usual, &other) != changes, "%s, %d and %d", rules->base.text, square, roll);
    }
  }
}

static const struct {
  const char *flag;
  int at[2]; /* squares on which it changes what happens */
} flags[] = {
    {"dice=2", {-1, -1}},        {"start=1", {-1, -1}},  {"goose-1=off", {1, 1}},
    {"inn=1", {19, 19}},         {"prison=2", {52, 52}}, {"labyrinth=30", {42, 42}},
    {"death=start", {58, 58}},   {"well=off", {-1, -1}}, {"goose-59=bounce", {59, 59}},
    {"goose-59=stay", {59, 59}},
};

CASE(a_flag_changes_what_it_should) {
  char text[64];
  snprintf(text, sizeof text, "base,%s", flags[_i].flag);
  game_rules *rules = suite_rules(&oca_game, flags[_i].flag, NULL);
  ck_assert_str_eq(rules->base.text, text);
  expect_changes(rules, flags[_i].at);
  ck_assert_int_eq(rules->dice, strcmp(flags[_i].flag, "dice=2") == 0 ? 2 : 1);
  ck_assert_int_eq(rules->start, strcmp(flags[_i].flag, "start=1") == 0 ? 1 : 0);
}

CASE(starts_on_the_start) {
  char text[GAME_TEXT_BYTES];
  static const char *const starts[] = {"oca:0/1", "oca:0,0/1", "oca:0,0,0/1", "oca:0,0,0,0/1"};
  for (int players = 1; players <= OCA_MOST_PLAYERS; players++) {
    const oca_position start = oca_start(base, players);
    print_position(base, &start, text);
    ck_assert_str_eq(text, starts[players - 1]);
  }
  game_rules *rules = suite_rules(&oca_game, "start=1", NULL);
  const oca_position start = oca_start(rules, 2);
  print_position(rules, &start, text);
  ck_assert_str_eq(text, "oca:1,1/1");
}

#define BOARD_20                                                                                             \
  "board=length-20_geese-4-8-13-17-20_bridges-3-7_dice-9-15_inn-6-1_prison-12-3_well-10-2_"                  \
  "labyrinth-14-to-11_death-16-to-0"
#define SHORT_BOARD                                                                                          \
  "board=geese-7_length-7_dice-none_bridges-none_inn-none_prison-none_labyrinth-none_death-none_well-4"

/* --- texts ---------------------------------------------------------------------------------------------- */

CASE(reads_positions) {
  const oca_position position = read_position(base, "oca:12,19~2/2");
  ck_assert_int_eq(position.players, 2);
  ck_assert_int_eq(position.seat, 1);
  ck_assert_int_eq(position.token[0].square, 12);
  ck_assert_int_eq(position.token[1].square, 19);
  ck_assert_int_eq(position.token[1].lost, 2);
}

/* A line of play keeps to what a text may say, and each of its positions comes back from its text. */
CASE(play_stays_within_texts) {
  static const char *const rule_sets[] = {"base",
                                          "goose-59=bounce,dice=2",
                                          "goose-59=stay,labyrinth=30",
                                          "well=off,start=1,death=start",
                                          BOARD_20,
                                          SHORT_BOARD,
                                          SHORT_BOARD ",goose-59=bounce"};
  uint64_t state = 88172645463325252u;
  for (size_t i = 0; i < sizeof rule_sets / sizeof *rule_sets; i++) {
    game_rules *rules = suite_rules(&oca_game, rule_sets[i], NULL);
    for (int game = 0; game < 400; game++) {
      oca_position position = oca_start(rules, 1 + (int)draw_below(&state, 4));
      for (int turn = 0; turn < 300 && !oca_is_stuck(rules, &position); turn++) {
        char text[GAME_TEXT_BYTES];
        print_position(rules, &position, text);
        const oca_position again = read_position(rules, text);
        ck_assert_mem_eq(&again, &position, sizeof position);
        if (oca_must_pass(rules, &position)) {
          position = oca_pass(rules, &position);
          continue;
        }
        const int roll = (int)(rules->dice + (int)draw_below(&state, (uint32_t)(5 * rules->dice + 1)));
        const oca_step step = oca_roll(rules, &position, roll);
        ck_assert(!step.won || !step.again);
        if (step.won) break;
        position = step.next;
      }
    }
  }
}

CASE(any_text_is_a_position_or_refused) {
  static const char bytes[] = "0123456789,,~~//oca: ";
  uint64_t state = 1442695040888963407u;
  int positions = 0;
  for (int i = 0; i < 50000; i++) {
    char text[64] = "oca:12,19~2,31,42~1/2";
    for (uint64_t changes = 1 + draw_below(&state, 4); changes; changes--)
      text[draw_below(&state, (uint32_t)strlen(text))] = bytes[draw_below(&state, sizeof bytes - 1)];
    game_position game;
    const tauler_error error = oca_parse(base, text, &game, hear());
    ck_assert(error == TAULER_OK || (error == TAULER_BAD_POSITION && said.text[0]));
    if (error) continue;
    positions++;
    const oca_position position = oca_from_game(&game);
    char printed[GAME_TEXT_BYTES];
    print_position(base, &position, printed);
    const oca_position again = read_position(base, printed);
    ck_assert_mem_eq(&again, &position, sizeof position);
  }
  ck_assert_int_gt(positions, 1000);
}

SUITE("oca_rules") {
  FIXTURE_ONCE(open_base, NULL);
  GROUP("turns");
  TESTS(plays_rolls, turns_served_are_played, a_player_alone_in_the_well_is_stuck);
  GROUP("rules");
  LOOP(a_flag_changes_what_it_should, ROWS(flags));
  TESTS(starts_on_the_start);
  GROUP("texts");
  TESTS(reads_positions, play_stays_within_texts, any_text_is_a_position_or_refused);
}
