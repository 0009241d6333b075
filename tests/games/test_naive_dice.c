/* Holds the slow definitions of the two games of the goose (tests/naive) against published figures and
 * against cases read from the rules, and their solver against other games of dice. */
#include "tests/naive/naive_asesina_solve.h"
#include "tests/naive/naive_chance.h"
#include "tests/naive/naive_oca_solve.h"
#include "tests/support/oracle.h"
#include "tests/support/suite.h"
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
  ck_assert_ptr_nonnull(world);
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
  naive_oca_world_free(world);
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
  naive_oca_world_free(world);
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
  naive_oca_world_free(world);
}

CASE(oca_races) {
  assert_race((naive_oca_rules){.two_dice = true, .goose_59 = NAIVE_OCA_BOUNCE, .death_start = true});
  if (!suite_is_long()) return;
  assert_race(oca);
  assert_race((naive_oca_rules){.goose_1_off = true, .inn_1 = true, .labyrinth_30 = true});
  assert_race((naive_oca_rules){.start_1 = true, .prison_2 = true, .goose_59 = NAIVE_OCA_STAY});
}

/* --- other games --- */

static long double settled(naive_chance *graph, int node) {
  long double *values = naive_chance_settle(graph, 0);
  ck_assert_ptr_nonnull(values);
  long double value = values[node * graph->quantities];
  free(values);
  naive_chance_free(graph);
  return value;
}

/* Chutes and Ladders, Milton Bradley's board: a move that would pass 100 is not made. */
CASE(chutes_and_ladders) {
  static const int from[] = {1, 4, 9, 21, 28, 36, 51, 71, 80, 16, 47, 49, 56, 62, 64, 87, 93, 95, 98};
  static const int to[] = {38, 14, 31, 42, 84, 44, 67, 91, 100, 6, 26, 11, 53, 19, 60, 24, 73, 75, 78};
  naive_chance *graph = naive_chance_new(1);
  graph->gains[0][0] = 1;
  for (int square = 0; square < 100; square++) {
    ck_assert(naive_chance_add_node(graph, 0));
    for (int roll = 1; roll <= 6; roll++) {
      int end = square + roll > 100 ? square : square + roll;
      for (size_t i = 0; i < sizeof from / sizeof *from; i++)
        if (end == from[i]) {
          end = to[i];
          break;
        }
      naive_way way = {end == 100 ? NAIVE_CHANCE_OVER : end, (short)roll, 1, 0};
      ck_assert(naive_chance_add_way(graph, way));
    }
  }
  assert_near(settled(graph, 0), 39.225122308235L, 6e-13L, "Chutes and Ladders");
}

/* Pig: a node is who is about to roll, both scores, and what the turn has brought so far. */
static int pig_node(int target, int player, int mine, int yours, int turn) {
  return ((mine * target + yours) * 2 + player) * target + turn;
}

static void add_pig_rolls(naive_chance *graph, int target, int player, int mine, int yours, int turn) {
  naive_way out = {pig_node(target, 1 - player, yours, mine, 0), 1, 1, 0};
  EXPECT(naive_chance_add_way(graph, out), "no memory");
  for (short roll = 2; roll <= 6; roll++) {
    int sum = turn + roll;
    naive_way way = {NAIVE_CHANCE_OVER, roll, 1, player == 0};
    if (mine + sum < target) {
      naive_way hold = {pig_node(target, 1 - player, yours, mine + sum, 0), roll, 1, 0};
      EXPECT(naive_chance_add_way(graph, hold), "no memory");
      way = (naive_way){pig_node(target, player, mine, yours, sum), roll, 1, 0};
    }
    EXPECT(naive_chance_add_way(graph, way), "no memory");
  }
}

/* A player who reaches the target holds and wins; a 1 ends the turn. */
static void assert_pig(int target, long double wanted) {
  naive_chance *graph = naive_chance_new(1);
  graph->gains[1][0] = 1;
  for (int mine = 0; mine < target; mine++)
    for (int yours = 0; yours < target; yours++)
      for (int player = 0; player < 2; player++)
        for (int turn = 0; turn < target; turn++) {
          EXPECT(naive_chance_add_node(graph, player == 0 ? 1 : -1), "no memory");
          if (mine + turn < target) add_pig_rolls(graph, target, player, mine, yours, turn);
        }
  assert_near(settled(graph, 0), wanted, 6e-14L, "Pig");
}

CASE(pig) {
  assert_pig(10, 0.7094243225983L);
  assert_pig(30, 0.5679147444935L);
  if (suite_is_long()) assert_pig(100, 0.5305927252737L);
}

SUITE("naive dice") {
  TESTS(oca_rolls, oca_flags, oca_texts, oca_alone, oca_for_two, oca_races, chutes_and_ladders, pig);
}
