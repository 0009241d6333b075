/* Holds the slow definition of la oca asesina (tests/naive) against published figures and against cases read
 * from the rules. */
#include "tests/naive/naive_asesina_solve.h"
#include "tests/support/oracle.h"
#include "tests/support/suite.h"
#include <math.h>

static void assert_near(long double found, long double wanted, long double distance, const char *what) {
  EXPECT(fabsl(found - wanted) <= distance, "%s: %.16Lg, not %.16Lg", what, found, wanted);
}

/* --- turns --- */

static naive_ase_game game_63(int players, int tokens) {
  return (naive_ase_game){.board = naive_ase_board_63, .players = players, .tokens = tokens};
}

static naive_ase_position ase_position(const naive_ase_game *game, const char *text) {
  naive_ase_position position;
  ck_assert_msg(naive_ase_read(game, text, &position), "%s is no position", text);
  return position;
}

static void event_text(const naive_ase_game *game, const naive_ase_event *event, char text[300]) {
  naive_ase_write(game, &event->after, text);
  if (event->winners == 0) return;
  sprintf(strstr(text, " seat="), " won"); /* nobody is to roll */
  for (int seat = 0; seat < game->players; seat++)
    if (event->winners >> seat & 1) sprintf(text + strlen(text), " %d", seat + 1);
}

/* The different events, token by token: "A; B". */
static void assert_ase(naive_ase_game game, const char *before, int roll, const char *wanted) {
  naive_ase_position position = ase_position(&game, before);
  naive_ase_event events[NAIVE_ASE_MOST_TOKENS];
  char found[3600] = "", text[300];
  int count = 1;
  if (naive_ase_must_pass(&position)) {
    events[0] = naive_ase_pass(&game, &position);
  } else {
    count = naive_ase_events(&game, &position, roll, events);
  }
  for (int i = 0; i < count; i++) {
    event_text(&game, &events[i], text);
    if (strstr(found, text) == NULL) sprintf(found + strlen(found), "%s%s", i == 0 ? "" : "; ", text);
  }
  ck_assert_msg(strcmp(found, wanted) == 0, "%s, roll %d: '%s', not '%s'", before, roll, found, wanted);
}

static naive_ase_game game_of(const char *rules, const char *position) {
  naive_ase_game game = game_63(1, 1);
  for (const char *at = position; *at != ' '; at++) {
    if (*at == '/') game.players++;
    if (*at == ',' && game.players == 1) game.tokens++;
  }
  game.rules = (naive_ase_rules){.colours = strstr(rules, "colours=2") ? 2 : 0,
                                 .goose_1_off = strstr(rules, "goose-1=off"),
                                 .labyrinth_exit_roll = strstr(rules, "labyrinth-exit=roll"),
                                 .last_turn_off = strstr(rules, "last-turn=off"),
                                 .capture_final_square = strstr(rules, "capture=final-square"),
                                 .one_left = strstr(rules, "home=one-left"),
                                 .interaction_off = strstr(rules, "interaction=off"),
                                 .no_death = strstr(rules, "last-token=no-death"),
                                 .no_lost_turns = strstr(rules, "last-token=no-lost-turns"),
                                 .no_overshoot = strstr(rules, "last-token=no-overshoot"),
                                 .no_bounce = strstr(rules, "last-token=no-bounce")};
  return game;
}

CASE(events_by_hand) {
  oracle_row row;
  int rows = 0;
  for (FILE *file = oracle_open("asesina-events.csv"); oracle_next(file, &row); rows++)
    assert_ase(game_of(row.cell[1], row.cell[2]), row.cell[2], atoi(row.cell[3]), row.cell[4]);
  ck_assert_int_eq(rows, 108);
}

CASE(other_boards) {
  naive_ase_game few = game_63(2, 4), small = game_63(2, 1);
  few.board = (naive_ase_board){.home = 40, .geese = {3, 9, 18, 27, 40}};
  assert_ase(few, "0,0,0,0/5,5,26,26 lost=0,0 seat=1", 3, "0,0,0,27/5,5,26,26 lost=0,0 seat=1");
  small.board = (naive_ase_board){.home = 4, .geese = {2, 4}};
  assert_ase(small, "4/1 lost=0,0 seat=1 forced", 4, "4/1 lost=0,0 seat=2");
}

CASE(turns_lost_die_with_their_token) {
  naive_ase_game one = game_63(2, 1);
  one.rules.lost_turns_die = true;
  naive_ase_position inn = ase_position(&one, "18/19 lost=0,1 seat=1");
  naive_ase_event events[NAIVE_ASE_MOST_TOKENS];
  inn.culprit[1] = 19;
  ck_assert_int_eq(naive_ase_events(&one, &inn, 1, events), 1);
  ck_assert(events[0].after.square[1][0] == 0 && events[0].after.lost[1] == 0);
  ck_assert(events[0].after.culprit[1] == 0 && events[0].after.culprit[0] == 19);
  ck_assert_int_eq(events[0].after.lost[0], 1);
  ck_assert_int_eq(naive_ase_events(&one, &inn, 2, events), 1);
  ck_assert(events[0].after.lost[1] == 1 && events[0].after.culprit[1] == 19);
}

/* --- values --- */

static long double first_score(naive_ase_game game) {
  naive_ase_world *world = naive_ase_solve(&game, 0.5);
  naive_ase_position start = naive_ase_start();
  ck_assert_int_eq(naive_ase_number_of(world, &start), 0);
  for (int number = 0; number < naive_ase_positions(world); number++) {
    long double sum = 0;
    for (int seat = 0; seat < game.players; seat++) sum += naive_ase_score(world, number, seat);
    assert_near(sum, 1, 1e-12L, "scores in all");
  }
  long double score = naive_ase_score(world, 0, 0);
  return score;
}

CASE(one_token) {
  naive_ase_game game = game_63(2, 1);
  assert_near(first_score(game), 0.503219465746L, 6e-13L, "board 63");
  game.rules.goose_1_off = true;
  assert_near(first_score(game), 0.502998771922L, 6e-13L, "goose-1=off");
  game.rules = (naive_ase_rules){.last_turn_off = true};
  assert_near(first_score(game), 0.507880422631L, 6e-13L, "last-turn=off");
  game = (naive_ase_game){.board = naive_ase_board_20, .players = 2, .tokens = 1};
  assert_near(first_score(game), 0.501104833671L, 6e-13L, "board 20");
}

static const naive_ase_board board_12 = {.home = 12,
                                         .geese = {3, 7, 10, 12},
                                         .bridge = {2, 5},
                                         .dice = {4, 9},
                                         .inn = 6,
                                         .inn_turns = 1,
                                         .prison = 8,
                                         .prison_turns = 2,
                                         .death = 11};

/* The worth of endless play makes no difference: there is none. */
CASE(two_tokens) {
  naive_ase_game game = {.board = board_12, .players = 2, .tokens = 2};
  naive_ase_world *low = naive_ase_solve(&game, 0), *high = naive_ase_solve(&game, 1);
  ck_assert(low != NULL && high != NULL);
  for (int number = 0; number < naive_ase_positions(low); number++)
    for (int seat = 0; seat < 2; seat++)
      assert_near(naive_ase_score(low, number, seat), naive_ase_score(high, number, seat), 1e-12L, "bounds");
}

CASE(three_players) {
  naive_ase_game game = {.board = board_12, .players = 3, .tokens = 1};
  long double score = first_score(game);
  ck_assert(score > 0.3L && score < 0.37L);
  game.tokens = 2;
  ck_assert_ptr_null(naive_ase_solve(&game, 0.5));
}

SUITE("naive asesina") {
  TESTS(events_by_hand, other_boards, turns_lost_die_with_their_token, one_token, two_tokens, three_players);
}
