/* Holds the slow definition of la oca asesina (tests/naive) against published figures and against cases read
 * from the rules. */
#include "tests/naive/naive_asesina_solve.h"
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

CASE(cases_of_the_source) {
  naive_ase_game two = game_63(2, 2), four = game_63(2, 4), six = game_63(2, 6), other = four;
  assert_ase(four, "0,0,0,0/1,1,62,62 lost=0,0 seat=1", 1, "0,0,0,63/1,1,62,62 lost=0,0 seat=2");
  assert_ase(four, "0,0,0,0/1,1,61,61 lost=0,0 seat=1", 2, "0,0,0,63/1,1,61,61 lost=0,0 seat=2");
  assert_ase(four, "0,0,0,0/1,1,61,61 lost=0,0 seat=1", 1, "0,0,0,62/1,1,61,61 lost=0,0 seat=2");
  other.board = (naive_ase_board){.home = 40, .geese = {3, 9, 18, 27, 40}};
  assert_ase(other, "0,0,0,0/5,5,26,26 lost=0,0 seat=1", 3, "0,0,0,27/5,5,26,26 lost=0,0 seat=1");
  assert_ase(four, "0,0,0,0/8,8,25,25 lost=0,0 seat=1", 5, "0,0,0,27/8,8,25,25 lost=0,0 seat=1");
  assert_ase(six, "0,0,0,0,0,0/8,8,25,25,27,27 lost=0,0 seat=1", 5,
             "0,0,0,0,0,5/8,8,25,25,27,27 lost=0,0 seat=2");
  assert_ase(two, "0,42/0,0 lost=0,0 seat=1", 2, "2,42/0,0 lost=0,0 seat=2");
  assert_ase(two, "0,42/0,0 lost=0,0 seat=1", 6, "12,42/0,0 lost=0,0 seat=1; 0,30/0,0 lost=0,0 seat=2");
  assert_ase(two, "4,63/62,62 lost=0,0 seat=1 forced", 1, "4,63/62,62 lost=0,0 seat=2");
  assert_ase(two, "63,63/62,62 lost=0,0 seat=1 forced", 1, "63,63/62,62 lost=0,0 seat=2");
}

CASE(walks) {
  naive_ase_game one = game_63(2, 1), two = game_63(2, 2), four = game_63(2, 4), colours = four, small = one;
  colours.rules.colours = 2;
  small.board = (naive_ase_board){.home = 4, .geese = {2, 4}};
  assert_ase(one, "2/0 lost=0,0 seat=1", 2, "4/0 lost=0,0 seat=2");
  assert_ase(one, "60/0 lost=0,0 seat=1", 6, "60/0 lost=0,0 seat=2");
  assert_ase(one, "62/0 lost=0,0 seat=1", 6, "0/0 lost=0,0 seat=2");
  assert_ase(two, "2,2/5,7 lost=0,0 seat=1", 1, "2,3/5,7 lost=0,0 seat=2");
  assert_ase(two, "2,3/4,4 lost=0,0 seat=1", 3, "2,3/4,4 lost=0,0 seat=2");
  assert_ase(two, "2,4/7,13 lost=0,0 seat=1", 3, "4,9/7,13 lost=0,0 seat=1; 2,7/0,13 lost=0,0 seat=2");
  assert_ase(four, "0,0,0,2/4,4,7,7 lost=0,0 seat=1", 2,
             "0,0,2,2/4,4,7,7 lost=0,0 seat=2; 0,0,0,8/4,4,7,7 lost=0,0 seat=2");
  assert_ase(four, "57,58,63,63/59,59,60,60 lost=0,0 seat=1", 5,
             "58,62,63,63/59,59,60,60 lost=0,0 seat=2; 57,61,63,63/59,59,60,60 lost=0,0 seat=2");
  assert_ase(four, "61,63,63,63/0,0,59,59 lost=0,0 seat=1", 6, "61,63,63,63/0,0,59,59 lost=0,0 seat=2");
  assert_ase(four, "61,63,63,63/2,2,59,59 lost=0,0 seat=1", 6,
             "63,63,63,63/2,2,59,59 lost=0,0 seat=1 forced");
  assert_ase(colours, "2a,2a,0b,0b/4a,20a,4b,20b lost=0,0 seat=1", 2,
             "2a,2a,0b,0b/4a,20a,4b,20b lost=0,0 seat=2");
  assert_ase(colours, "2a,2a,0b,0b/4a,20a,4b,20b lost=0,0 seat=1", 3,
             "2a,9a,0b,0b/4a,20a,4b,20b lost=0,0 seat=1");
  assert_ase(colours, "0a,2a,63b,63b/4a,20a,4b,20b lost=0,0 seat=1", 3,
             "2a,3a,63b,63b/4a,20a,4b,20b lost=0,0 seat=2; 0a,9a,63b,63b/4a,20a,4b,20b lost=0,0 seat=1");
  assert_ase(small, "4/1 lost=0,0 seat=1 forced", 4, "4/1 lost=0,0 seat=2");
}

CASE(geese) {
  naive_ase_game one = game_63(2, 1), two = game_63(2, 2), four = game_63(2, 4), off = one;
  off.rules.goose_1_off = true;
  assert_ase(one, "0/9 lost=0,0 seat=1", 5, "9/0 lost=0,0 seat=1");
  assert_ase(one, "0/0 lost=0,0 seat=1", 1, "5/0 lost=0,0 seat=1");
  assert_ase(off, "0/0 lost=0,0 seat=1", 1, "1/0 lost=0,0 seat=2");
  assert_ase(one, "57/0 lost=0,0 seat=1", 2, "63/0 lost=0,0 seat=1 forced");
  assert_ase(one, "63/0 lost=0,0 seat=1 forced", 4, "63/0 lost=0,0 seat=1 forced");
  assert_ase(one, "63/0 lost=0,0 seat=1 forced", 5, "0/0 lost=0,0 seat=2");
  assert_ase(one, "63/0 lost=0,0 seat=1 forced", 1, "62/0 lost=0,0 seat=2");
  assert_ase(two, "0,63/61,61 lost=0,0 seat=1 forced", 1, "0,62/61,61 lost=0,0 seat=2");
  assert_ase(four, "0,0,0,63/61,61,62,62 lost=0,0 seat=1 forced", 1, "0,0,0,60/61,61,62,62 lost=0,0 seat=2");
  assert_ase(two, "0,0/7,7 lost=0,0 seat=1", 5, "0,5/7,7 lost=0,0 seat=2");
  assert_ase(two, "0,63/9,9 lost=0,0 seat=1", 5, "5,63/9,9 lost=0,0 seat=2");
  assert_ase(four, "0,0,0,0/6,6,7,7 lost=0,0 seat=1", 5, "0,0,0,9/6,6,7,7 lost=0,0 seat=1");
  assert_ase(four, "0,0,0,0/6,6,9,9 lost=0,0 seat=1", 5, "0,0,0,14/6,6,9,9 lost=0,0 seat=1");
  assert_ase(game_63(2, 8), "51,63,63,63,63,63,63,63/0,0,0,0,55,55,56,56 lost=0,0 seat=1", 3,
             "59,63,63,63,63,63,63,63/0,0,0,0,55,55,56,56 lost=0,0 seat=1");
  assert_ase(game_63(2, 8), "51,63,63,63,63,63,63,63/55,55,56,56,57,57,58,58 lost=0,0 seat=1", 3,
             "54,63,63,63,63,63,63,63/55,55,56,56,57,57,58,58 lost=0,0 seat=2");
}

CASE(bridges_and_dice) {
  naive_ase_game two = game_63(2, 2), four = game_63(2, 4);
  assert_ase(two, "0,63/0,12 lost=0,0 seat=1", 6, "12,63/0,0 lost=0,0 seat=1");
  assert_ase(two, "11,63/0,0 lost=0,0 seat=1", 1, "6,63/0,0 lost=0,0 seat=1");
  assert_ase(two, "0,63/8,8 lost=0,0 seat=1", 6, "6,63/8,8 lost=0,0 seat=2");
  assert_ase(two, "0,63/12,12 lost=0,0 seat=1", 6, "6,63/12,12 lost=0,0 seat=2");
  assert_ase(two, "0,63/14,14 lost=0,0 seat=1", 6, "12,63/14,14 lost=0,0 seat=1");
  assert_ase(two, "11,63/14,14 lost=0,0 seat=1", 1, "6,63/14,14 lost=0,0 seat=1");
  assert_ase(four, "0,63,63,63/8,8,10,10 lost=0,0 seat=1", 6, "12,63,63,63/8,8,10,10 lost=0,0 seat=1");
  assert_ase(four, "0,63,63,63/8,8,14,14 lost=0,0 seat=1", 6, "6,63,63,63/8,8,14,14 lost=0,0 seat=2");
  assert_ase(four, "11,63,63,63/4,4,10,10 lost=0,0 seat=1", 1, "12,63,63,63/4,4,10,10 lost=0,0 seat=2");
  assert_ase(game_63(2, 8), "0,63,63,63,63,63,63,63/7,7,8,8,9,9,10,10 lost=0,0 seat=1", 6,
             "6,63,63,63,63,63,63,63/7,7,8,8,9,9,10,10 lost=0,0 seat=2");
  assert_ase(two, "25,63/30,30 lost=0,0 seat=1", 1, "53,63/30,30 lost=0,0 seat=1");
  assert_ase(two, "25,63/26,53 lost=0,0 seat=1", 1, "53,63/0,0 lost=0,0 seat=1");
  assert_ase(two, "25,63/53,53 lost=0,0 seat=1", 1, "26,63/53,53 lost=0,0 seat=2");
  assert_ase(two, "25,63/26,26 lost=0,0 seat=1", 1, "25,63/26,26 lost=0,0 seat=2");
  assert_ase(two, "52,63/0,0 lost=0,0 seat=1", 1, "26,63/0,0 lost=0,0 seat=1");
}

CASE(other_squares) {
  naive_ase_game one = game_63(2, 1), two = game_63(2, 2);
  assert_ase(one, "18/0 lost=0,0 seat=1", 1, "19/0 lost=1,0 seat=2");
  assert_ase(one, "30/0 lost=0,0 seat=1", 1, "31/0 lost=2,0 seat=2");
  assert_ase(one, "51/52 lost=0,0 seat=1", 1, "52/0 lost=3,0 seat=2");
  assert_ase(one, "51/52 lost=0,3 seat=1", 1, "52/0 lost=3,3 seat=2");
  assert_ase(one, "52/0 lost=3,0 seat=1", 0, "52/0 lost=2,0 seat=2");
  assert_ase(one, "57/0 lost=0,0 seat=1", 1, "0/0 lost=0,0 seat=2");
  assert_ase(one, "40/0 lost=0,0 seat=1", 2, "42/0 lost=0,0 seat=2");
  assert_ase(one, "42/30 lost=0,0 seat=1", 5, "42/30 lost=0,0 seat=2");
  assert_ase(one, "42/30 lost=0,0 seat=1", 6, "30/0 lost=0,0 seat=2");
  assert_ase(two, "42,42/30,30 lost=0,0 seat=1", 6, "42,42/30,30 lost=0,0 seat=2");
  assert_ase(two, "42,63/36,36 lost=0,0 seat=1", 6, "30,63/36,36 lost=0,0 seat=2");
  one.rules.labyrinth_exit_roll = true;
  assert_ase(one, "42/30 lost=0,0 seat=1", 6, "30/0 lost=0,0 seat=1");
}

CASE(ends) {
  naive_ase_game one = game_63(2, 1), three = game_63(3, 1), off = one;
  off.rules.last_turn_off = true;
  assert_ase(one, "60/50 lost=0,0 seat=1", 3, "63/50 lost=0,0 seat=2");
  assert_ase(one, "60/52 lost=0,1 seat=1", 3, "63/52 lost=0,1 won 1");
  assert_ase(one, "63/50 lost=0,0 seat=2", 1, "63/51 lost=0,0 won 1");
  assert_ase(one, "63/57 lost=0,0 seat=2", 2, "63/63 lost=0,0 seat=2 forced");
  assert_ase(one, "63/63 lost=0,0 seat=2 forced", 1, "63/62 lost=0,0 won 1");
  assert_ase(one, "63/60 lost=0,0 seat=2", 3, "63/63 lost=0,0 won 1 2");
  assert_ase(one, "50/60 lost=0,0 seat=2", 3, "50/63 lost=0,0 won 2");
  assert_ase(off, "60/50 lost=0,0 seat=1", 3, "63/50 lost=0,0 won 1");
  assert_ase(three, "60/0/0 lost=0,0,0 seat=1", 3, "63/0/0 lost=0,0,0 seat=2");
  assert_ase(three, "60/19/0 lost=0,1,0 seat=1", 3, "63/19/0 lost=0,1,0 seat=3");
  assert_ase(three, "60/19/19 lost=0,1,1 seat=1", 3, "63/19/19 lost=0,1,1 won 1");
  assert_ase(three, "63/60/0 lost=0,0,0 seat=2", 3, "63/63/0 lost=0,0,0 seat=3");
  assert_ase(three, "63/61/0 lost=0,0,0 seat=2", 1, "63/62/0 lost=0,0,0 seat=3");
  assert_ase(three, "63/63/60 lost=0,0,0 seat=3", 3, "63/63/63 lost=0,0,0 won 1 2 3");
  assert_ase(three, "0/63/0 lost=0,0,0 seat=3", 2, "0/63/2 lost=0,0,0 won 2");
  assert_ase(three, "0/0/0 lost=0,0,0 seat=3", 2, "0/0/2 lost=0,0,0 seat=1");
}

CASE(flags) {
  naive_ase_game game = game_63(2, 2), one = game_63(2, 1);
  game.rules.capture_final_square = true;
  assert_ase(game, "0,63/5,9 lost=0,0 seat=1", 5, "9,63/0,5 lost=0,0 seat=1");
  assert_ase(game, "0,63/7,7 lost=0,0 seat=1", 5, "5,63/7,7 lost=0,0 seat=2");
  assert_ase(game, "25,63/26,53 lost=0,0 seat=1", 1, "53,63/0,26 lost=0,0 seat=1");
  game.rules = (naive_ase_rules){.one_left = true};
  assert_ase(game, "10,60/0,0 lost=0,0 seat=1", 3, "13,60/0,0 lost=0,0 seat=2; 10,63/0,0 lost=0,0 seat=2");
  assert_ase(game, "10,63/0,0 lost=0,0 seat=2", 2, "10,63/0,2 lost=0,0 won 1");
  assert_ase(game, "10,57/0,0 lost=0,0 seat=2", 2, "10,57/0,2 lost=0,0 seat=1");
  assert_ase(game, "0,63/62,62 lost=0,0 seat=1 forced", 1, "0,63/62,62 lost=0,0 seat=2");
  assert_ase(game, "0,57/2,60 lost=0,0 seat=2", 3, "0,57/9,60 lost=0,0 seat=2; 0,57/2,63 lost=0,0 won 2");
  game.rules = (naive_ase_rules){.interaction_off = true};
  assert_ase(game, "0,4/4,4 lost=0,0 seat=1", 4, "4,4/4,4 lost=0,0 seat=2; 0,8/4,4 lost=0,0 seat=2");
  assert_ase(game, "0,4/9,9 lost=0,0 seat=1", 1, "4,5/9,9 lost=0,0 seat=1; 0,9/9,9 lost=0,0 seat=1");
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

CASE(last_token) {
  naive_ase_game game = game_63(2, 2);
  const char *death = "57,63/0,0 lost=0,0 seat=1", *both = "57,62/0,0 lost=0,0 seat=1";
  const char *near = "61,63/0,0 lost=0,0 seat=1", *prison = "51,63/0,0 lost=0,0 seat=1";
  game.rules = (naive_ase_rules){.no_death = true};
  assert_ase(game, death, 1, "58,63/0,0 lost=0,0 seat=2");
  assert_ase(game, both, 1, "0,62/0,0 lost=0,0 seat=2; 57,63/0,0 lost=0,0 seat=2");
  assert_ase(game, "63,63/0,0 lost=0,0 seat=1 forced", 5, "58,63/0,0 lost=0,0 seat=2");
  assert_ase(game, "57,63/0,0 lost=0,0 seat=1 forced", 5, "0,57/0,0 lost=0,0 seat=2");
  assert_ase(game, prison, 1, "52,63/0,0 lost=3,0 seat=2");
  assert_ase(game, near, 6, "63,63/0,0 lost=0,0 seat=1 forced");
  assert_ase(game, near, 5, "60,63/0,0 lost=0,0 seat=2");
  game.rules = (naive_ase_rules){.no_lost_turns = true};
  assert_ase(game, prison, 1, "52,63/0,0 lost=0,0 seat=2");
  assert_ase(game, "10,51/0,0 lost=0,0 seat=1", 1, "11,51/0,0 lost=0,0 seat=2; 10,52/0,0 lost=3,0 seat=2");
  assert_ase(game, death, 1, "0,63/0,0 lost=0,0 seat=2");
  game.rules = (naive_ase_rules){.no_overshoot = true};
  assert_ase(game, near, 6, "63,63/0,0 lost=0,0 seat=2");
  assert_ase(game, near, 5, "63,63/0,0 lost=0,0 seat=2");
  assert_ase(game, "61,63/62,62 lost=0,0 seat=1", 6, "61,63/62,62 lost=0,0 seat=2");
  assert_ase(game, "42,61/0,0 lost=0,0 seat=1", 5, "42,60/0,0 lost=0,0 seat=2");
  assert_ase(game, "57,63/0,0 lost=0,0 seat=1", 2, "63,63/0,0 lost=0,0 seat=1 forced");
  game.rules = (naive_ase_rules){.no_bounce = true};
  assert_ase(game, "57,63/0,0 lost=0,0 seat=1", 2, "63,63/0,0 lost=0,0 seat=2");
  assert_ase(game, "42,57/0,0 lost=0,0 seat=1", 2, "42,63/0,0 lost=0,0 seat=1 forced");
  assert_ase(game, near, 6, "63,63/0,0 lost=0,0 seat=2");
}

/* --- values --- */

static long double first_score(naive_ase_game game) {
  naive_ase_world *world = naive_ase_solve(&game, 0.5);
  ck_assert_ptr_nonnull(world);
  naive_ase_position start = naive_ase_start();
  ck_assert_int_eq(naive_ase_number_of(world, &start), 0);
  for (int number = 0; number < naive_ase_positions(world); number++) {
    long double sum = 0;
    for (int seat = 0; seat < game.players; seat++) sum += naive_ase_score(world, number, seat);
    assert_near(sum, 1, 1e-12L, "scores in all");
  }
  long double score = naive_ase_score(world, 0, 0);
  naive_ase_world_free(world);
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
  naive_ase_world_free(low);
  naive_ase_world_free(high);
}

CASE(three_players) {
  naive_ase_game game = {.board = board_12, .players = 3, .tokens = 1};
  long double score = first_score(game);
  ck_assert(score > 0.3L && score < 0.37L);
  game.tokens = 2;
  ck_assert_ptr_null(naive_ase_solve(&game, 0.5));
}

SUITE("naive asesina") {
  TESTS(cases_of_the_source, walks, geese, bridges_and_dice, other_squares, ends, flags, last_token,
        one_token, two_tokens, three_players);
}
