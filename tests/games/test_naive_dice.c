/* Holds the slow definitions of the two games of the goose (tests/naive) against published figures and
 * against cases read from the rules, and their solver against other games of dice. */
#include "tests/naive/naive_asesina_solve.h"
#include "tests/naive/naive_oca_solve.h"
#include "tests/support/oracle.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_dice.h"
#include <math.h>

static void assert_near(long double found, long double wanted, long double distance, const char *what) {
  EXPECT(fabsl(found - wanted) <= distance, "%s: %.16Lg, not %.16Lg", what, found, wanted);
}

/* --- oca: turns --- */

static const naive_oca_rules oca = {0};

static void assert_oca_event(const char *before, int roll, naive_oca_event event, const char *wanted) {
  char found[NAIVE_OCA_TEXT_BYTES];
  naive_oca_write(&event.after, found);
  if (event.winner != NAIVE_OCA_NOBODY) sprintf(found, "won by %d", event.winner + 1);
  ck_assert_msg(strcmp(found, wanted) == 0, "%s, roll %d: %s, not %s", before, roll, found, wanted);
}

static naive_oca_position oca_position(naive_oca_rules rules, const char *text) {
  naive_oca_position position;
  ck_assert_msg(naive_oca_read(&rules, text, &position), "%s is no position", text);
  return position;
}

static naive_oca_rules rules_of(const char *text) {
  return (naive_oca_rules){.two_dice = strstr(text, "dice=2"),
                           .start_1 = strstr(text, "start=1"),
                           .goose_59 = strstr(text, "=bounce") ? NAIVE_OCA_BOUNCE
                                       : strstr(text, "=stay") ? NAIVE_OCA_STAY
                                                               : 0,
                           .goose_1_off = strstr(text, "goose-1=off"),
                           .inn_1 = strstr(text, "inn=1"),
                           .prison_2 = strstr(text, "prison=2"),
                           .labyrinth_30 = strstr(text, "labyrinth=30"),
                           .death_start = strstr(text, "death=start"),
                           .well_off = strstr(text, "well=off")};
}

/* A roll of 0 is a turn that passes. */
CASE(oca_rolls) {
  oracle_row row;
  int rows = 0;
  for (FILE *file = oracle_open("oca-rolls.csv"); oracle_next(file, &row);) {
    if (strncmp(row.cell[0], "board=", 6) == 0) continue;
    const naive_oca_rules rules = rules_of(row.cell[0]);
    const int roll = atoi(row.cell[2]);
    naive_oca_position position = oca_position(rules, row.cell[1]);
    ck_assert_int_eq(naive_oca_must_pass(&rules, &position), roll == 0);
    assert_oca_event(row.cell[1], roll,
                     roll ? naive_oca_roll(&rules, &position, roll) : naive_oca_pass(&rules, &position),
                     row.cell[3]);
    rows++;
  }
  ck_assert_int_eq(rows, 100);
}

CASE(oca_flags) {
  const naive_oca_rules dice = {.two_dice = true}, start = {.start_1 = true};
  for (int roll = 0; roll <= 13; roll++) {
    ck_assert_int_eq(naive_oca_cases(&oca, roll), roll >= 1 && roll <= 6);
    ck_assert_int_eq(naive_oca_cases(&dice, roll), roll >= 2 && roll <= 12 ? 6 - abs(roll - 7) : 0);
  }
  naive_oca_position two = naive_oca_start(&start, 2), three = naive_oca_start(&oca, 3);
  assert_oca_event("start=1", 0, (naive_oca_event){two, NAIVE_OCA_NOBODY, false}, "oca:1,1/1");
  assert_oca_event("start", 0, (naive_oca_event){three, NAIVE_OCA_NOBODY, false}, "oca:0,0,0/1");
}

CASE(oca_texts) {
  static const char *const bad[] = {
      "",           "oca",        "oca:",       "oca:0",      "oca:0/",      "oca:0/0",
      "oca:0/2",    "oca:0,0/3",  "oca:00/1",   "oca:63,0/1", "oca:64/1",    "oca:4~1/1",
      "oca:19~3/1", "oca:19~0/1", "oca:19~/1",  "oca:52~4/1", "oca:31,31/1", "oca:0,0,0,0,0/1",
      "oca:0/1 ",   "oca:0,/1",   "oca:31~1/1", "oca:-1/1",   "Oca:0/1"};
  naive_oca_position position;
  naive_oca_rules bounce = {.goose_59 = NAIVE_OCA_BOUNCE};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    ck_assert_msg(!naive_oca_read(&oca, bad[i], &position), "%s is no position", bad[i]);
  ck_assert(naive_oca_read(&oca, "oca:12,19~2,31,62/4", &position));
  assert_oca_event("text", 0, (naive_oca_event){position, NAIVE_OCA_NOBODY, false}, "oca:12,19~2,31,62/4");
  ck_assert(naive_oca_read(&bounce, "oca:63,0/1", &position));
  ck_assert(!naive_oca_read(&bounce, "oca:63,0/2", &position));
}

/* --- oca: values --- */

static naive_oca_world *oca_world(naive_oca_rules rules, int players) {
  naive_oca_world *world = naive_oca_solve(&rules, players);
  return world;
}

static naive_oca_worth oca_from_start(naive_oca_rules rules, const naive_oca_world *world, int players) {
  naive_oca_position start = naive_oca_start(&rules, players);
  return naive_oca_worth_of(world, &start);
}

CASE(oca_alone) {
  naive_oca_world *world = oca_world(oca, 1);
  naive_oca_worth worth = oca_from_start(oca, world, 1);
  /* 175624630924816029684637425982424243923519241 / 242428832615484770090295665631222801425184768 */
  assert_near(worth.win[0], 0.7244378856675576L, 1e-13L, "63 before the well");
  assert_near(worth.rolls, 17.193176027029008L, 1e-14L * 17, "rolls");
  assert_near(worth.turns, 14.410951048086227L, 1e-14L * 14, "turns");
  naive_oca_position stuck = oca_position(oca, "oca:31/1");
  worth = naive_oca_worth_of(world, &stuck);
  ck_assert(worth.win[0] == 0 && worth.turns == 0 && worth.rolls == 0);
  ck_assert_ptr_null(naive_oca_solve(&oca, 0));
  ck_assert_ptr_null(naive_oca_solve(&oca, 3));
}

static void assert_images(const naive_oca_world *world) {
  for (int number = 0; number < naive_oca_positions(world); number++) {
    naive_oca_position one = naive_oca_position_of(world, number), other = one;
    other.seat = 1 - one.seat;
    other.token[0] = one.token[1];
    other.token[1] = one.token[0];
    naive_oca_worth a = naive_oca_worth_of(world, &one), b = naive_oca_worth_of(world, &other);
    assert_near(a.win[0] + a.win[1], 1, 1e-12L, "somebody wins");
    assert_near(a.win[0], b.win[1], 1e-12L, "seats exchanged");
    assert_near(a.turns, b.turns, 1e-11L, "turns, seats exchanged");
    assert_near(a.rolls, b.rolls, 1e-11L, "rolls, seats exchanged");
  }
}

CASE(oca_for_two) {
  naive_oca_world *world = oca_world(oca, 2);
  naive_oca_worth worth = oca_from_start(oca, world, 2);
  assert_near(worth.win[0], 0.511066874585L, 6e-13L, "first seat");
  assert_near(worth.win[1], 0.488933125415L, 6e-13L, "second seat");
  assert_near(worth.turns, 27.951880482L, 6e-10L, "turns");
  assert_near(worth.rolls, 28.355067203L, 6e-10L, "rolls");
  assert_images(world);
}

/* Where a single player may stand before a turn, and with which probability. */
typedef struct {
  long double at[NAIVE_OCA_HOME + 1][4]; /* [square][turns to lose] */
} spread;

/* One turn of all of them. Returns with which probability somebody wins in it. */
static long double turn_of(naive_oca_rules rules, spread *now) {
  spread then = {0}, rolling = *now;
  long double wins = 0, left = 1;
  int cases = rules.two_dice ? 36 : 6;
  for (bool first = true; left > 0; first = false) {
    spread again = {0};
    left = 0;
    for (int code = 0; code < 4 * (NAIVE_OCA_HOME + 1); code++) {
      naive_oca_position position = {1, 0, {{code / 4, code % 4}}};
      long double share = rolling.at[code / 4][code % 4];
      if (share < 1e-25L) continue;
      bool passes = first && naive_oca_must_pass(&rules, &position);
      for (int roll = passes ? 0 : 1; roll <= (passes ? 0 : 12); roll++) {
        naive_oca_event event =
            passes ? naive_oca_pass(&rules, &position) : naive_oca_roll(&rules, &position, roll);
        long double part = passes ? share : share * naive_oca_cases(&rules, roll) / cases;
        naive_oca_token token = event.after.token[0];
        if (event.winner != NAIVE_OCA_NOBODY) {
          wins += part;
        } else {
          (event.turn_ends ? &then : &again)->at[token.square][token.lost] += part;
          if (!event.turn_ends) left += part;
        }
      }
    }
    rolling = again;
  }
  *now = then;
  return wins;
}

/* Without the well two players do not meet: the first one wins who needs fewer turns, or as many as the
 * second one. */
static void assert_race(naive_oca_rules rules) {
  rules.well_off = true;
  naive_oca_world *world = oca_world(rules, 2);
  naive_oca_position start = naive_oca_start(&rules, 1);
  spread now = {0};
  long double open = 1, first_wins = 0, turns = 0;
  now.at[start.token[0].square][0] = 1;
  for (int turn = 1; open > 1e-16L; turn++) {
    long double wins = turn_of(rules, &now);
    first_wins += wins * open;
    turns += open * open + (open - wins) * open;
    open -= wins;
  }
  naive_oca_worth worth = oca_from_start(rules, world, 2);
  assert_near(worth.win[0], first_wins, 1e-12L, "race of two");
  assert_near(worth.turns, turns, 1e-10L, "turns of a race of two");
}

CASE(oca_races) {
  assert_race((naive_oca_rules){.two_dice = true, .goose_59 = NAIVE_OCA_BOUNCE, .death_start = true});
  if (!suite_is_long()) return;
  assert_race(oca);
  assert_race((naive_oca_rules){.goose_1_off = true, .inn_1 = true, .labyrinth_30 = true});
  assert_race((naive_oca_rules){.start_1 = true, .prison_2 = true, .goose_59 = NAIVE_OCA_STAY});
}

/* --- other games --- */

static void assert_settled(const toy_odds *toy, long double wanted, long double digits, const char *what) {
  long double *values[TOY_ODDS_SLICES];
  toy_odds_settle(toy, 0, values);
  assert_near(values[0][0], wanted, digits, what);
}

CASE(chutes_and_ladders) {
  assert_settled(toy_ladders_new(), 39.225122308235L, 6e-13L, "Chutes and Ladders");
}

CASE(pig) {
  assert_settled(toy_pig_new(10), 0.7094243225983L, 6e-14L, "Pig");
  assert_settled(toy_pig_new(30), 0.5679147444935L, 6e-14L, "Pig");
  if (suite_is_long()) assert_settled(toy_pig_new(100), 0.5305927252737L, 6e-14L, "Pig");
}

SUITE("naive dice") {
  TESTS(oca_rolls, oca_flags, oca_texts, oca_alone, oca_for_two, oca_races, chutes_and_ladders, pig);
}
