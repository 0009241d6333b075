/* The repetition engine over ranks (threads of this process): random games and aualé must get the cells and
 * stages that slices held whole get, which test_own_row.c compares with slow definitions. */
#include "games/registry.h"
#include "tests/support/rules.h"
#include "tests/support/solver/toy_shards.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_game.h"

static const toy_cut cuts[] = {{1, 1, 1, 0},    {2, 1, 1, 1024}, {3, 1, 1, 0},
                               {4, 1, 1, 1024}, {5, 1, 1, 1024}, {2, 1, 2, 0}};

static toy_shards *begin(const toy_game *toy) {
  return toy_shards_new(&engine_repetition, &toy->game, toy->rules, toy->used);
}

/* A few positions in a hundred pay less than all others, so that regions hold and are large. */
static bool toy_pays(const game_rules *rules, uint32_t slice, uint64_t first, size_t count, int8_t *value) {
  const int largest = toy_of(rules)->slices[slice].largest;
  for (size_t i = 0; i < count; i++) {
    const uint64_t mixed = (first + i + slice) * UINT64_C(0x9E3779B97F4A7C15) >> 32;
    value[i] = (int8_t)(mixed % 5 ? (int)(mixed / 5 % 3) - 1
                                  : (int)(mixed / 5 % (2 * (unsigned)largest + 1)) - largest);
  }
  return true;
}

/* Several ranges of indexes in each slice, so that most shards have some. */
static toy_game *random_game(uint64_t seed, uint64_t larger) {
  const toy_shape shape = {.kind = SOLVE_GUARANTEES,
                           .slices = 2,
                           .positions = {9000, larger},
                           .most_moves = 2 + (int)(seed % 3),
                           .ended_percent = 3,
                           .converts_percent = 10,
                           .finishes_percent = 2,
                           .draws_percent = 20,
                           .most_gain = 3};
  toy_game *toy = toy_random(&shape, seed, true);
  toy->game.repeated = toy_pays;
  return toy;
}

CASE(shards_give_what_the_whole_gives) {
  for (uint64_t seed = 0; seed < 2; seed++) {
    toy_game *toy = random_game(100 * (uint64_t)_i + seed, 13000);
    toy_shards *a = begin(toy);
    a->depths = seed != 1;
    toy_shards_check(a, cuts[_i]);
  }
}

CASE(auale_in_shards) {
  enum { SEEDS = 6 };
  const game *auale = game_find("auale");
  game_rules *rules = suite_rules(auale, "abapa", "own-row");
  toy_shards *a = toy_shards_new(&engine_repetition, auale, rules, SEEDS + 1);
  toy_shards_check(a, cuts[2 + _i]);
}

CASE(all_ranks_end_when_one_gets_no_memory) {
  toy_game *toy = random_game(5, 9000);
  uint64_t nth = 1;
  for (tauler_error error = TAULER_NO_MEMORY; error != TAULER_OK; nth += 1 + nth / 3) {
    toy_shards *a = begin(toy);
    a->fail_take = nth;
    error = toy_shards_solve(a, (toy_cut){3, 1, 1, 1024});
    if (error) ck_assert_int_eq(error, TAULER_NO_MEMORY);
  }
  ck_assert_uint_gt(nth, 15);
}

CASE(all_ranks_end_when_the_link_breaks) {
  toy_game *toy = random_game(6, 9000);
  for (uint64_t call = 0; call < 1000; call += 1 + call) {
    toy_shards *a = begin(toy);
    a->depths = false;
    const tauler_error error = toy_shards_solve_failing(a, (toy_cut){3, 1, 1, 1024}, call);
    if (call < 100) ck_assert_int_eq(error, TAULER_IO);
  }
}

/* Hardly any position pays other than all. */
static bool toy_pays_alike(const game_rules *rules, uint32_t slice, uint64_t first, size_t count,
                           int8_t *value) {
  for (size_t i = 0; i < count; i++) value[i] = (first + i) % 997 == 0 ? -1 : 0;
  return true;
}

/* So many moves that the updates of a round are gathered and sent in several steps; and a large region. */
CASE(a_round_may_take_steps) {
  const toy_shape shape = {.kind = SOLVE_GUARANTEES,
                           .slices = 1,
                           .positions = {90000},
                           .most_moves = 20,
                           .ended_percent = 3,
                           .finishes_percent = 2,
                           .most_gain = 3};
  toy_game *toy = toy_random(&shape, 9, true);
  toy->game.repeated = toy_pays_alike;
  toy_shards *a = begin(toy);
  toy_shards_check(a, (toy_cut){3, 1, 1, 0});
}

CASE(the_memory_that_was_planned_is_enough) {
  static const toy_cut hows[] = {{1, 1, 2, 0}, {3, 1, 1, 1024}};
  toy_game *toy = random_game(21, 300000);
  for (int i = 0; i < ROWS(hows); i++) {
    toy_shards *a = begin(toy);
    a->by_plan = true;
    ck_assert_msg(!toy_shards_solve(a, hows[i]), "%d: %s", i, a->message[0].text);
    for (int r = 0; r < hows[i].ranks; r++) {
      const uint64_t talk = hows[i].ranks > 1 ? UINT64_C(33) << 20 : 0;
      const uint64_t fixed = (UINT64_C(18) << 20) * (uint64_t)hows[i].threads;
      ck_assert_uint_lt(a->peak[r], a->planned[r]);
      ck_assert_msg(a->planned[r] < talk + fixed + 12 * (300000 / (uint64_t)hows[i].ranks),
                    "%d: %llu planned, %llu taken", i, (unsigned long long)a->planned[r],
                    (unsigned long long)a->peak[r]);
    }
  }
}

/* Rank counts differ from stop to stop, so work is taken up by other ranks. Each time some of it is done. */
CASE(a_solve_goes_on_with_other_ranks) {
  toy_game *toy = random_game(11, 9000);
  toy_whole whole;
  toy_shards *a = toy_shards_new(&engine_repetition, &toy->game, toy->rules, 1);
  a->depths = _i;
  toy_whole_solve(a, &whole);
  ck_assert_int_gt(toy_shards_solve_stopped(a, cuts, 3, 1, 3), 3);
  toy_shards_compare(a, &whole);
}

SUITE("own row in shards") {
  LOOP(shards_give_what_the_whole_gives, ROWS(cuts));
  LOOP(auale_in_shards, 2);
  TESTS(a_round_may_take_steps, all_ranks_end_when_one_gets_no_memory, all_ranks_end_when_the_link_breaks,
        the_memory_that_was_planned_is_enough);
  LOOP(a_solve_goes_on_with_other_ranks, 2);
}
