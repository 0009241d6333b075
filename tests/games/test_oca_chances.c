/* Oca: the chances of the seats by the rules alone are those that are known. */
#include <math.h>

#include "games/oca/rules.h"
#include "tests/support/suite.h"

static game_rules *base;

static void open_base(void) {
  MUST(oca_open(NULL, NULL, &base, hear()));
}

/* --- chances -------------------------------------------------------------------------------------------- */

/* A token on one square with so many turns to lose is one of STATUSES things. */
enum { MOST_LOST = 4, STATUSES = 64 * MOST_LOST };

/* Of the seat to roll and of the one after it: who wins; turns and rolls to the end. */
typedef struct {
  double win[2], turns, rolls;
} chances;

static size_t number_of(const oca_position *position) {
  size_t number = 0;
  for (int i = 0; i < position->players; i++) {
    const oca_token token = position->token[(position->seat + i) % position->players];
    number = number * STATUSES + (size_t)token.square * MOST_LOST + token.lost;
  }
  return number;
}

/* Adds the worth of a child to its parent, whose seat rolls again or hands the dice on. */
static void add_child(const chances *known, const oca_position *child, double weight, bool other_seat,
                      chances *sum) {
  const chances *of = &known[number_of(child)];
  const int turned = other_seat && child->players == 2;
  for (int i = 0; i < 2; i++) sum->win[i] += weight * of->win[i ^ turned];
  sum->turns += weight * (of->turns + other_seat);
  sum->rolls += weight * of->rolls;
}

static chances look_once(const chances *known, const oca_position *position) {
  chances sum = {{0, 0}, 0, 0};
  if (oca_is_stuck(base, position)) return sum;
  if (oca_must_pass(base, position)) {
    const oca_position next = oca_pass(base, position);
    add_child(known, &next, 1, true, &sum);
    return sum;
  }
  for (int roll = 1; roll <= 6; roll++) {
    const oca_step step = oca_roll(base, position, roll);
    if (step.won) {
      sum.win[0] += 1.0 / 6;
      sum.turns += 1.0 / 6;
    } else {
      add_child(known, &step.next, 1.0 / 6, !step.again, &sum);
    }
  }
  sum.rolls += 1;
  return sum;
}

/* All positions that a game can come to, seat 1 to roll. */
static size_t collect(int players, oca_position *list, bool *seen) {
  size_t used = 0;
  list[used++] = oca_start(base, players);
  seen[number_of(&list[0])] = true;
  for (size_t at = 0; at < used; at++) {
    for (int roll = 1; roll <= 6; roll++) {
      oca_step step = {.next = list[at]};
      if (oca_must_pass(base, &list[at])) {
        step.next = oca_pass(base, &list[at]);
      } else {
        step = oca_roll(base, &list[at], roll);
      }
      if (step.won || seen[number_of(&step.next)]) continue;
      seen[number_of(&step.next)] = true;
      list[used++] = step.next;
    }
  }
  return used;
}

static chances solve_chances(int players) {
  const size_t room = players == 1 ? STATUSES : (size_t)STATUSES * STATUSES;
  chances *known = suite_zeros(room, sizeof *known);
  oca_position *list = suite_zeros(room, sizeof *list);
  bool *seen = suite_zeros(room, 1);
  ck_assert(known && list && seen);
  const size_t used = collect(players, list, seen);
  double moved = 1;
  while (moved > 1e-14) {
    moved = 0;
    for (size_t i = used; i-- > 0;) {
      chances *cell = &known[number_of(&list[i])];
      const chances better = look_once(known, &list[i]);
      moved = fmax(moved, fmax(fabs(better.turns - cell->turns), fabs(better.rolls - cell->rolls)) / 100);
      moved = fmax(moved, fmax(fabs(better.win[0] - cell->win[0]), fabs(better.win[1] - cell->win[1])));
      *cell = better;
    }
  }
  const oca_position start = oca_start(base, players);
  const chances found = known[number_of(&start)];
  return found;
}

CASE(one_player_has_the_known_chances) {
  const chances found = solve_chances(1);
  const double win = (double)(175624630924816029684637425982424243923519241.0L /
                              242428832615484770090295665631222801425184768.0L);
  ck_assert_double_eq_tol(found.win[0], win, 1e-12);
  ck_assert_double_eq_tol(found.rolls, 17.193176027029008, 1e-11);
  ck_assert_double_eq_tol(found.turns, 14.410951048086227, 1e-11);
}

CASE(two_players_have_the_known_chances) {
  const chances found = solve_chances(2);
  ck_assert_double_eq_tol(found.win[0], 0.511066874585, 1e-12);
  ck_assert_double_eq_tol(found.win[1], 0.488933125415, 1e-12);
  ck_assert_double_eq_tol(found.turns, 27.951880482, 1e-9);
  ck_assert_double_eq_tol(found.rolls, 28.355067203, 1e-9);
}

SUITE("oca_chances") {
  FIXTURE_ONCE(open_base, NULL);
  TESTS(one_player_has_the_known_chances, two_players_have_the_known_chances);
}
