/* Solving games of chance where something stands in the way: play that need not end, widths and memory that
 * cannot be had, games that break their word, wishes to stop. */
#include <math.h>

#include "tests/support/suite.h"
#include "tests/support/toy_attempt.h"
#include "tests/support/toy_comm.h"

static const uint64_t few[] = {12, 40, 1, 25};

typedef struct {
  const toy_odds *toy;
  int number; /* ordinal of the call that fails */
} rank_case;

/* --- play that may not end --- */

/* Under a roll with one choice, or with two. */
static void add_ways(toy_odds *toy, uint64_t from, uint16_t roll, game_place one, game_place other) {
  toy_odds_add(toy, 0, from, (chance_edge){.roll = roll, .gain = one.slice == GAME_OVER ? 2 : 0, .to = one});
  if (other.index == one.index && other.slice == one.slice) return;
  toy_odds_add(toy, 0, from,
               (chance_edge){.roll = roll, .gain = other.slice == GAME_OVER ? 1 : 0, .to = other});
}

static toy_attempt *solve_endless(toy_odds *toy, uint64_t endless) {
  toy_odds_seal(toy);
  toy_attempt *a = toy_attempt_new(toy, 1e-9, 1, NULL, TOY_ATTEMPT_ROOM);
  const chance_engine engine = toy_attempt_watch();
  a->engine = &engine;
  toy_attempt_solve_well(a);
  a->engine = NULL;
  ck_assert_uint_eq(a->list[0].endless, endless);
  toy_attempt_assert_proven(a, 0);
  toy_attempt *again = toy_attempt_new(toy, 1e-9, 1, NULL, TOY_ATTEMPT_ROOM);
  toy_attempt_solve_well(again);
  toy_attempt_assert_same(a, again, "the same engine, not watched");
  return a;
}

static void assert_cell(const toy_attempt *a, uint64_t i, double lower, double upper) {
  ck_assert_double_le(a->list[0].lower[0][i], lower);
  ck_assert_double_ge(a->list[0].lower[0][i], lower - 1e-9);
  ck_assert_double_ge(a->list[0].upper[0][i], upper);
  ck_assert_double_le(a->list[0].upper[0][i], upper + 1e-9);
}

/* 0 rolls into the loop 1 ↔ 2 or wins 1; nobody leaves the loop. 3 has ended. 4 leads to 0, which is looked
 * at after it. */
CASE(endless_loop) {
  static const uint64_t positions[] = {5};
  const game_place over = {GAME_OVER, 0}, one = {0, 1}, two = {0, 2};
  toy_odds *toy = toy_odds_new(TOY_ODDS_ENDS, 2, 1, positions);
  add_ways(toy, 0, 0, over, over);
  add_ways(toy, 0, 1, one, one);
  toy_odds_add(toy, 0, 1, (chance_edge){.roll = CHANCE_CERTAIN, .to = two});
  add_ways(toy, 2, 0, one, one);
  add_ways(toy, 2, 1, two, two);
  toy_odds_add(toy, 0, 4, (chance_edge){.roll = CHANCE_CERTAIN, .to = {0, 0}});
  toy_attempt *a = solve_endless(toy, 2);
  assert_cell(a, 0, 0.75, 1);
  assert_cell(a, 4, 0.75, 1);
  assert_cell(a, 1, 0, 1);
  assert_cell(a, 2, 0, 1);
  ck_assert(a->list[0].lower[0][3] == 0 && a->list[0].upper[0][3] == 0);
  ck_assert(a->list[0].width >= 1 && a->list[0].width <= 1);
}

/* From 0 the mover may go on to 1 or end with 1/2, both raise; from 1 the mover must go back to 0. Endless
 * play may be worth anything; to leave is worth 1/2. In 2, whose mover lowers, there is no way to stay for
 * certain. */
CASE(endless_choice) {
  static const uint64_t positions[] = {3};
  const game_place over = {GAME_OVER, 0}, zero = {0, 0}, one = {0, 1}, two = {0, 2};
  toy_odds *toy = toy_odds_new(TOY_ODDS_ENDS, 2, 1, positions);
  toy->slice[0].aim[0] = toy->slice[0].aim[1] = 1;
  toy->slice[0].aim[2] = -1;
  toy_odds_add(toy, 0, 0, (chance_edge){.roll = 0, .to = one});
  toy_odds_add(toy, 0, 0, (chance_edge){.roll = 0, .gain = 1, .to = over});
  toy_odds_add(toy, 0, 0, (chance_edge){.roll = 1, .gain = 1, .to = over});
  toy_odds_add(toy, 0, 0, (chance_edge){.roll = 1, .to = one});
  add_ways(toy, 1, 0, zero, zero);
  add_ways(toy, 1, 1, zero, zero);
  add_ways(toy, 2, 0, two, zero);
  add_ways(toy, 2, 1, over, over);
  toy_attempt *a = solve_endless(toy, 2);
  assert_cell(a, 0, 0.5, 1);
  assert_cell(a, 1, 0.5, 1);
  assert_cell(a, 2, 0.625, 1);
}

/* Slice 1 leads to an endless one or not; what does not is as near as was asked. */
CASE(beside_endless) {
  static const uint64_t positions[] = {1, 3};
  toy_odds *toy = toy_odds_new(TOY_ODDS_ENDS, 2, 2, positions);
  add_ways(toy, 0, 0, (game_place){0, 0}, (game_place){0, 0});
  add_ways(toy, 0, 1, (game_place){0, 0}, (game_place){0, 0});
  static const uint32_t first_to[] = {0, GAME_OVER, 1}, then_to[] = {1, 1, GAME_OVER};
  for (uint64_t i = 0; i < 3; i++) {
    const uint8_t gain = first_to[i] == GAME_OVER ? 2 : 0;
    toy_odds_add(toy, 1, i, (chance_edge){.roll = 0, .gain = gain, .to = {first_to[i], 0}});
    toy_odds_add(toy, 1, i, (chance_edge){.roll = 1, .to = {then_to[i], i == 0 ? 0 : 2}});
  }
  toy->slice[1].edges[4].to.index = 1;
  toy_odds_seal(toy);
  toy_attempt *a = toy_attempt_new(toy, 1e-9, 1, NULL, TOY_ATTEMPT_ROOM);
  toy_attempt_solve_well(a);
  ck_assert(a->list[0].endless == 1 && a->list[1].endless == 0 && a->list[1].width >= 1 - 1e-9);
  toy_attempt_assert_proven(a, 1);
  ck_assert(a->list[1].lower[0][0] == 0 && a->list[1].upper[0][0] >= 1 - 1e-9);
  /* x = 3/4 + y/4, y = 3/4 x */
  ck_assert_double_eq_tol(a->list[1].lower[0][1], 12.0 / 13, 1e-9);
  ck_assert_double_eq_tol(a->list[1].upper[0][1], 12.0 / 13, 1e-9);
  ck_assert_double_eq_tol(a->list[1].upper[0][2], 9.0 / 13, 1e-9);
}

/* One player, who gains a third for each round: nobody knows the most. */
CASE(endless_gain) {
  static const uint64_t positions[] = {1};
  toy_odds *toy = toy_odds_new(TOY_ODDS_WAYS, 1, 1, positions);
  toy_odds_add(toy, 0, 0, (chance_edge){.roll = 0, .gain = 3, .to = {0, 0}});
  toy_odds_seal(toy);
  toy_attempt *a = toy_attempt_new(toy, 1e-9, 1, NULL, TOY_ATTEMPT_ROOM);
  toy_attempt_solve_well(a);
  ck_assert_uint_eq(a->list[0].endless, 1);
  ck_assert(a->list[0].lower[0][0] > 100 && isinf(a->list[0].upper[0][0]) && isinf(a->list[0].width));
}

/* --- what cannot be had --- */

CASE(unreachable_width) {
  for (int kind = 0; kind < 3; kind++) {
    toy_odds *toy = toy_odds_random((toy_odds_kind)kind, 3, 3, few, 5, 99);
    toy_odds_seal(toy);
    toy_attempt *a = toy_attempt_new(toy, 1e-30, 1, NULL, TOY_ATTEMPT_ROOM);
    toy_attempt_solve_well(a);
    double widest = 0;
    for (uint32_t s = 0; s < toy->slices; s++) widest = fmax(widest, a->list[s].width);
    EXPECT(widest > 1e-30 && widest < 1e-10, "width %g", widest);
    toy_attempt_assert_hold(a);
  }
}

/* Edges that find no room are asked for anew. */
CASE(memory_fails) {
  toy_odds *toy = toy_odds_random(TOY_ODDS_SEATS, 2, 2, few, 20, 5);
  toy_odds_seal(toy);
  toy_attempt *whole = toy_attempt_new(toy, 1e-9, 2, NULL, TOY_ATTEMPT_ROOM);
  toy_attempt_solve_well(whole);
  const uint64_t takes = whole->memory.takes;
  int failures = 0;
  for (uint64_t take = 1; take <= takes; take++) {
    toy_attempt *a = toy_attempt_new(toy, 1e-9, 2, NULL, TOY_ATTEMPT_ROOM);
    memory_fail_allocation(&a->memory, take, false);
    if (toy_attempt_solve(a) == TAULER_OK) {
      toy_attempt_assert_same(whole, a, "an edge less");
    } else {
      EXPECT(a->error == TAULER_NO_MEMORY && a->message.text[0], "take %u: %s", (unsigned)take,
             tauler_error_name(a->error));
      failures++;
    }
  }
  ck_assert_int_ge(failures, 2 * 10);
}

static void fail_as_rank(comm *comm, void *user) {
  const rank_case *of = user;
  toy_attempt *a = toy_attempt_new(of->toy, 1e-9, 1, comm, TOY_ATTEMPT_ROOM);
  if (comm_rank(comm) == 1) memory_fail_allocation(&a->memory, (uint64_t)of->number, false);
  const tauler_error error = toy_attempt_solve(a);
  EXPECT(error == TAULER_NO_MEMORY && a->message.text[0], "%s", tauler_error_name(error));
}

CASE(memory_fails_on_a_rank) {
  toy_odds *toy = toy_odds_random(TOY_ODDS_ENDS, 2, 1, few, 20, 5);
  toy_odds_seal(toy);
  for (int take = 1; take <= 8; take++) {
    rank_case of = {toy, take};
    toy_comm_run(2, fail_as_rank, &of);
  }
}

/* --- games that break their word --- */

typedef struct {
  const char *why;
  chance_edge edges[3];
  int used;
} fault;

static const fault faults[] = {
    {"some roll", {{.roll = 0}}, 1},
    {"not in order", {{.roll = 1}}, 1},
    {"not in order", {{.roll = 0}, {.roll = 1}, {.roll = 0}}, 3},
    {"no such roll", {{.roll = 0}, {.roll = 1}, {.roll = 2}}, 3},
    {"not the only one", {{.roll = CHANCE_CERTAIN}, {.roll = CHANCE_CERTAIN}}, 2},
    {"not the only one", {{.roll = 0}, {.roll = CHANCE_CERTAIN}}, 2},
    {"no seat that chooses", {{.roll = 0}, {.roll = 0}, {.roll = 1}}, 3},
    {"no such gain", {{.roll = 0, .gain = TOY_ODDS_ROWS}, {.roll = 1}}, 2},
    {"no such seat", {{.roll = 0, .turn = 1}, {.roll = 1}}, 2},
    {"not solved", {{.roll = 0, .to = {0, 900}}, {.roll = 1}}, 2},
    {"not solved", {{.roll = 0, .to = {1, 0}}, {.roll = 1}}, 2},
    {"not solved", {{.roll = 0, .to = {TOY_ODDS_SLICES, 0}}, {.roll = 1}}, 2},
};

static void find_fault(comm *comm, void *user) {
  const rank_case *of = user;
  toy_attempt *a = toy_attempt_new(of->toy, 1e-9, 1, comm, TOY_ATTEMPT_ROOM);
  const tauler_error error = toy_attempt_solve(a);
  const char *why = faults[of->number].why;
  EXPECT(error == TAULER_INTERNAL && strstr(a->message.text, why) &&
             strstr(a->message.text, "position 700 of slice 0"),
         "%s: %s", why, a->message.text);
}

/* Position 700 of 900 is one rank's, and all hear of it. */
CASE(faulty_games) {
  static const uint64_t positions[] = {900};
  toy_odds *toy = toy_odds_new(TOY_ODDS_ENDS, 2, 1, positions);
  for (int e = 0; e < faults[_i].used; e++) toy_odds_add(toy, 0, 700, faults[_i].edges[e]);
  toy->stage = 450;
  toy_odds_seal(toy);
  rank_case of = {toy, _i};
  toy_comm_run(1, find_fault, &of);
  toy_comm_run(2, find_fault, &of);
}

/* --- on request --- */

static bool stop_later(void *user) {
  int *left = user;
  return (*left)-- == 0;
}

/* Stopped after so many sweeps and taken up, the cells are the same. */
CASE(stops) {
  toy_odds *toy = toy_odds_random((toy_odds_kind)_i, 2, 1, few, 5, 3);
  toy_odds_seal(toy);
  toy_attempt *whole = toy_attempt_new(toy, 1e-9, 1, NULL, TOY_ATTEMPT_ROOM);
  toy_attempt_solve_well(whole);
  for (int sweeps = 0; sweeps < 20; sweeps += 19) {
    make_folder();
    int left = sweeps;
    const solve_checkpoints checkpoints = {.folder = folder, .stop = stop_later, .user = &left};
    toy_attempt *a = toy_attempt_new(toy, 1e-9, 1, NULL, TOY_ATTEMPT_ROOM);
    a->of.checkpoints = &checkpoints;
    EXPECT(toy_attempt_solve(a) == TAULER_STOPPED && left == -1, "%s", a->message.text);
    a = toy_attempt_new(toy, 1e-9, 1, NULL, TOY_ATTEMPT_ROOM);
    a->of.checkpoints = &checkpoints;
    toy_attempt_solve_well(a);
    toy_attempt_assert_same(whole, a, "stopped");
  }
}

CASE(shown) {
  toy_odds *toy = toy_odds_random(TOY_ODDS_SEATS, 2, 2, few, 5, 3);
  toy_odds_seal(toy);
  progress bar;
  progress_open(&bar, stderr, PROGRESS_QUIET);
  progress_start(&bar, "slice", "positions", few[0] + few[1], 0);
  toy_attempt *a = toy_attempt_new(toy, 1e-9, 1, NULL, TOY_ATTEMPT_ROOM);
  a->of.work.shown = &bar;
  toy_attempt_solve_well(a);
  ck_assert_uint_eq(bar.done, few[0] + few[1]);
  ck_assert_uint_eq(a->effort[1].shown, few[1]);
  ck_assert(a->effort[1].longest > 1);
  for (int kind = 0; kind < BUILD_SWEEPS; kind++) ck_assert(a->effort[1].sweeps[kind].sweeps > 0);
  progress_abandon(&bar);
}

SUITE("chance_trouble") {
  TESTS(endless_loop, endless_choice, endless_gain, beside_endless, unreachable_width, memory_fails,
        memory_fails_on_a_rank);
  LOOP(faulty_games, ROWS(faults));
  LOOP(stops, 3);
  TEST(shown);
}
