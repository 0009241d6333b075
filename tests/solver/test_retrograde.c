/* The general engine on random graphs: outcomes against tests/naive, scores and guarantees against sets
 * grown threshold by threshold. */
#include "solver/engines/solve.h"
#include "tests/support/solver/world.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_game.h"
#include "tests/support/toy_store.h"
#include "tests/support/toy_union.h"

enum { LEAST_THREADS = 1, MOST_THREADS = 3, GROUPS = 6, GAMES_PER_GROUP = 50 };

enum { MOST_SLICES = 4 };

typedef struct {
  const toy_game *toy;
  solved_slice *list;
} solved_toy;

static tauler_error try_to_solve(const toy_game *toy, int threads, bool depths, solved_toy *out,
                                 tauler_message *message) {
  const world w = world_open(&toy->game, toy->rules, toy->used, threads);
  *out = (solved_toy){toy, w.list};
  tauler_error error = TAULER_OK;
  for (uint32_t s = 0; s < toy->used && !error; s++) {
    error = solve_alone(&w.job, s, depths, &out->list[s], message);
  }
  return error;
}

static void solve(const toy_game *toy, int threads, bool depths, solved_toy *out) {
  MUST(try_to_solve(toy, threads, depths, out, hear()));
}

/* Counts the cases that a test has met, so it can fail if it met none. */
typedef struct {
  uint64_t wins, losses, draws, deepest;
} census;

static void compare_outcomes(const solved_toy *solved, const toy_union *all, uint64_t seed, census *met) {
  for (uint32_t s = 0; s < solved->toy->used; s++) {
    const solved_slice *slice = &solved->list[s];
    ck_assert_int_eq(slice->planes, 1);
    for (uint64_t i = 0; i < slice->positions; i++) {
      const naive_wdl right = all->answer[all->offset[s] + (int)i];
      const int depth = slice->depths[0][i] == SOLVE_NO_DEPTH ? -1 : slice->depths[0][i];
      const bool agrees = slice->cells[0][i] == right.value && depth == right.depth;
      if (!agrees)
        ck_abort_msg("game %llu, slice %u, position %llu: value %d depth %d, not %d and %d",
                     (unsigned long long)seed, s, (unsigned long long)i, slice->cells[0][i], depth,
                     right.value, right.depth);
      met->wins += right.value == NAIVE_WIN;
      met->losses += right.value == NAIVE_LOSS;
      met->draws += right.value == NAIVE_DRAW;
      if (right.depth > (int)met->deepest) met->deepest = (uint64_t)right.depth;
    }
  }
}

static void check_outcomes(const toy_game *toy, int threads, uint64_t seed, census *met) {
  toy_union all = toy_unite(toy);
  solved_toy solved;
  solve(toy, threads, true, &solved);
  compare_outcomes(&solved, &all, seed, met);
}

/* Groups of games differ in how long and how tangled they are. */
static toy_shape shape_of(solve_kind kind, int group, uint64_t *seed) {
  toy_shape shape = {.kind = kind,
                     .slices = 1 + (uint32_t)(toy_draw(seed) % MOST_SLICES),
                     .most_moves = 1 + group / 2 + (int)(toy_draw(seed) % 3),
                     .ended_percent = 3 + (int)(toy_draw(seed) % 12),
                     .converts_percent = (int)(toy_draw(seed) % 40),
                     .finishes_percent = (int)(toy_draw(seed) % 8),
                     .draws_percent = group % 2 ? 0 : 30,
                     .most_gain = 1 + (int)(toy_draw(seed) % 9)};
  for (uint32_t s = 0; s < shape.slices; s++)
    shape.positions[s] = 1 + toy_draw(seed) % (40 + 20 * (uint64_t)group);
  return shape;
}

CASE(outcomes_are_those_of_the_slow_definition) {
  census met = {0};
  for (uint64_t n = 0; n < GAMES_PER_GROUP; n++) {
    uint64_t seed = 1000 * (uint64_t)_i + n;
    const toy_shape shape = shape_of(SOLVE_OUTCOMES, _i, &seed);
    for (int predecessors = 0; predecessors < 2; predecessors++) {
      toy_game *toy = toy_random(&shape, seed, predecessors);
      const int most = n % 10 == 0 ? MOST_THREADS : LEAST_THREADS;
      for (int threads = LEAST_THREADS; threads <= most; threads++) {
        check_outcomes(toy, threads, 1000 * (uint64_t)_i + n, &met);
      }
    }
  }
  ck_assert_msg(met.wins > 1000 && met.losses > 1000 && met.draws > 2000 && met.deepest >= 12,
                "%llu wins, %llu losses, %llu draws, deepest %llu", (unsigned long long)met.wins,
                (unsigned long long)met.losses, (unsigned long long)met.draws,
                (unsigned long long)met.deepest);
}

/* Shards are of 4096 positions at least; updates must find their way between many of them. */
CASE(outcomes_of_a_slice_of_many_shards) {
  const toy_shape shape = {.kind = SOLVE_OUTCOMES,
                           .slices = 2,
                           .positions = {300, 7 * 4096 + 5},
                           .most_moves = 3,
                           .ended_percent = 2,
                           .converts_percent = 5,
                           .draws_percent = 20};
  for (int predecessors = 0; predecessors < 2; predecessors++) {
    toy_game *toy = toy_random(&shape, 77, predecessors);
    census met = {0};
    for (int threads = LEAST_THREADS; threads <= MOST_THREADS; threads++)
      check_outcomes(toy, threads, 77, &met);
    ck_assert_msg(met.draws > 1000 && met.wins > 1000 && met.deepest >= 15, "deepest %llu",
                  (unsigned long long)met.deepest);
  }
}

/* Seals the toy with and without predecessors (it is made twice) and compares. */
static void check_by_hand(toy_game *(*make)(void)) {
  census met = {0};
  for (int predecessors = 0; predecessors < 2; predecessors++) {
    for (int threads = LEAST_THREADS; threads <= MOST_THREADS; threads++) {
      toy_game *toy = make();
      toy_seal(toy, predecessors);
      check_outcomes(toy, threads, 0, &met);
    }
  }
}

/* Slice 0 is a path to a loss: position i is i plies from it. */
enum { PATH = 10 };

static toy_game *path_below(uint64_t positions) {
  toy_game *toy = toy_new(SOLVE_OUTCOMES, 2, (const uint64_t[]){PATH, positions});
  toy_end(toy, 0, 0, NAIVE_LOSS);
  for (uint64_t i = 1; i < PATH; i++) toy_quiet(toy, 0, i, i - 1);
  return toy;
}

/* A win by conversion that is not due before another child has been found to be no loss. */
static toy_game *slow_win_beside_a_won_child(void) {
  toy_game *toy = path_below(2);
  toy_end(toy, 1, 0, NAIVE_WIN);
  toy_quiet(toy, 1, 1, 0);
  toy_convert(toy, 1, 1, 0, 0, 6);
  return toy;
}

CASE(a_conversion_is_not_due_before_its_time) {
  check_by_hand(slow_win_beside_a_won_child);
}

/* A slow win by conversion and a faster one inside the slice. */
static toy_game *fast_win_beside_a_slow_one(void) {
  toy_game *toy = path_below(4);
  toy_end(toy, 1, 0, NAIVE_LOSS);
  toy_quiet(toy, 1, 1, 0);
  toy_quiet(toy, 1, 2, 1);
  toy_quiet(toy, 1, 3, 2);
  toy_convert(toy, 1, 3, 0, 0, 8);
  return toy;
}

CASE(a_faster_quiet_win_is_taken) {
  check_by_hand(fast_win_beside_a_slow_one);
}

static toy_game *slow_loss_beside_a_fast_one(void) {
  toy_game *toy = path_below(3);
  toy_end(toy, 1, 0, NAIVE_WIN);
  toy_quiet(toy, 1, 1, 0);
  toy_convert(toy, 1, 1, 0, 0, 3);
  toy_convert(toy, 1, 1, 0, 0, 7);
  toy_convert(toy, 1, 2, 0, 0, 5);
  toy_convert(toy, 1, 2, 0, 0, 9);
  return toy;
}

CASE(losers_hold_out_through_conversions) {
  check_by_hand(slow_loss_beside_a_fast_one);
}

static toy_game *one_ended_position(void) {
  toy_game *toy = toy_new(SOLVE_OUTCOMES, 1, (const uint64_t[]){1});
  toy_end(toy, 0, 0, NAIVE_WIN);
  return toy;
}

static toy_game *one_position_that_repeats(void) {
  toy_game *toy = toy_new(SOLVE_OUTCOMES, 1, (const uint64_t[]){1});
  toy_quiet(toy, 0, 0, 0);
  return toy;
}

static toy_game *all_ended(void) {
  toy_game *toy = toy_new(SOLVE_OUTCOMES, 1, (const uint64_t[]){70});
  for (uint64_t i = 0; i < 70; i++) toy_end(toy, 0, i, (int)(i % 3) - 1);
  return toy;
}

static toy_game *conversions_alone(void) {
  toy_game *toy = path_below(PATH + 3);
  for (uint64_t i = 0; i < PATH; i++) toy_convert(toy, 1, i, 0, 0, i);
  for (uint64_t i = 0; i < 3; i++) toy_finish(toy, 1, PATH + i, (int)i - 1);
  return toy;
}

/* A draw by conversion, alone, beside a loss and beside a win; and one that a win beside it outdoes. */
static toy_game *drawn_conversions(void) {
  toy_game *toy = toy_new(SOLVE_OUTCOMES, 2, (const uint64_t[]){3, 4});
  for (uint64_t i = 0; i < 3; i++) toy_end(toy, 0, i, (int)i - 1);
  for (uint64_t i = 0; i < 4; i++) toy_convert(toy, 1, i, 0, 0, 1);
  toy_finish(toy, 1, 1, -1);
  toy_quiet(toy, 1, 1, 2);
  toy_convert(toy, 1, 2, 0, 0, 0);
  toy_finish(toy, 1, 3, 0);
  return toy;
}

CASE(slices_at_the_edge) {
  check_by_hand(one_ended_position);
  check_by_hand(one_position_that_repeats);
  check_by_hand(all_ended);
  check_by_hand(conversions_alone);
  check_by_hand(drawn_conversions);
}

/* Position 0 has `moves` quiet moves, all to lost positions but one or to won ones alone. */
static toy_game *many_moves(uint64_t moves, bool predecessors, int value) {
  toy_game *toy = toy_new(SOLVE_OUTCOMES, 1, (const uint64_t[]){moves + 1});
  for (uint64_t i = 1; i <= moves; i++) {
    toy_end(toy, 0, i, value);
    toy_quiet(toy, 0, 0, i);
  }
  toy_seal(toy, predecessors);
  return toy;
}

CASE(a_position_has_as_many_moves_as_counters_hold) {
  census met = {0};
  for (int predecessors = 0; predecessors < 2; predecessors++) {
    for (int value = -1; value <= 1; value++) {
      toy_game *toy = many_moves(UINT16_MAX, predecessors, value);
      check_outcomes(toy, 2, 0, &met);
    }
  }
}

CASE(more_moves_than_counters_hold_are_refused) {
  toy_game *toy = many_moves(UINT16_MAX + 1, true, NAIVE_WIN);
  solved_toy solved;
  REFUSED(TAULER_INTERNAL, "slice 0", try_to_solve(toy, 2, true, &solved, hear()));
}

/* Slice 0 is a path of so many plies to a loss; the one position of slice 1 leads to the place named. */
static toy_game *long_path(uint64_t plies, uint64_t entry) {
  toy_game *toy = toy_new(SOLVE_OUTCOMES, 2, (const uint64_t[]){plies + 1, 1});
  toy_end(toy, 0, 0, NAIVE_LOSS);
  for (uint64_t i = 1; i <= plies; i++) toy_quiet(toy, 0, i, i - 1);
  toy_convert(toy, 1, 0, 0, 0, entry);
  toy_seal(toy, true);
  return toy;
}

CASE(the_deepest_depth_is_reached) {
  const uint64_t deepest = SOLVE_NO_DEPTH - 1;
  toy_game *toy = long_path(deepest, deepest - 1);
  solved_toy solved;
  solve(toy, 1, true, &solved);
  for (uint64_t i = 0; i <= deepest; i++) {
    const bool agrees =
        solved.list[0].cells[0][i] == (i % 2 ? NAIVE_WIN : NAIVE_LOSS) && solved.list[0].depths[0][i] == i;
    if (!agrees) ck_abort_msg("position %llu", (unsigned long long)i);
  }
  ck_assert_uint_eq(solved.list[1].depths[0][0], deepest);
}

static void refuse(uint64_t plies, uint64_t entry, const char *slice) {
  toy_game *toy = long_path(plies, entry);
  solved_toy solved;
  REFUSED(TAULER_INTERNAL, slice, try_to_solve(toy, 1, true, &solved, hear()));
}

/* Better no table than one in which the deepest wins are draws. */
CASE(a_game_too_deep_for_depths_is_refused) {
  refuse(SOLVE_NO_DEPTH, 0, "slice 0");
  refuse(SOLVE_NO_DEPTH - 1, SOLVE_NO_DEPTH - 1, "slice 1");
}

static void compare_answers(const solved_toy *solved, const naive_forced *answers, uint64_t seed,
                            census *met) {
  for (uint32_t s = 0; s < solved->toy->used; s++) {
    const solved_slice *slice = &solved->list[s];
    ck_assert_int_eq(slice->planes, answers[s].planes);
    for (int plane = 0; plane < slice->planes; plane++) {
      for (uint64_t i = 0; i < slice->positions; i++) {
        const int value = answers[s].value[plane][i], depth = answers[s].depth[plane][i];
        const int found =
            slice->depths[plane][i] == SOLVE_NO_DEPTH ? NAIVE_NO_DEPTH : slice->depths[plane][i];
        const bool agrees = slice->cells[plane][i] == value && found == depth;
        if (!agrees)
          ck_abort_msg("game %llu, slice %u, plane %d, position %llu: value %d depth %d, not %d and %d",
                       (unsigned long long)seed, s, plane, (unsigned long long)i, slice->cells[plane][i],
                       found, value, depth);
        met->wins += value > 0;
        met->losses += value < 0;
        met->draws += depth == NAIVE_NO_DEPTH;
        if (depth > (int)met->deepest) met->deepest = (uint64_t)depth;
      }
    }
  }
}

static void check_kind(solve_kind kind, int group, uint64_t n, census *met) {
  uint64_t seed = 1000 * (uint64_t)group + n;
  const toy_shape shape = shape_of(kind, group, &seed);
  for (int predecessors = 0; predecessors < 2; predecessors++) {
    toy_game *toy = toy_random(&shape, seed, predecessors);
    naive_forced *answers = toy_solve_slowly(toy);
    const int most = n % 10 == 0 ? MOST_THREADS : LEAST_THREADS;
    for (int threads = LEAST_THREADS; threads <= most; threads++) {
      solved_toy solved;
      solve(toy, threads, true, &solved);
      compare_answers(&solved, answers, 1000 * (uint64_t)group + n, met);
    }
  }
}

static void check_kind_of_group(solve_kind kind, int group) {
  census met = {0};
  for (uint64_t n = 0; n < GAMES_PER_GROUP / 2; n++) check_kind(kind, group, n, &met);
  ck_assert_msg(met.wins > 1000 && met.losses > 500 && met.draws > 500 && met.deepest >= 6,
                "%llu wins, %llu losses, %llu without depth, deepest %llu", (unsigned long long)met.wins,
                (unsigned long long)met.losses, (unsigned long long)met.draws,
                (unsigned long long)met.deepest);
}

CASE(scores_are_what_can_be_forced) {
  check_kind_of_group(SOLVE_SCORES, _i);
}

CASE(guarantees_are_what_each_side_can_force) {
  check_kind_of_group(SOLVE_GUARANTEES, _i);
}

/* Values alone are the same as with depths. */
CASE(depths_leave_values_alone) {
  static const solve_kind kinds[] = {SOLVE_OUTCOMES, SOLVE_SCORES, SOLVE_GUARANTEES};
  for (int k = 0; k < 3; k++) {
    for (uint64_t n = 0; n < 20; n++) {
      uint64_t seed = n;
      const toy_shape shape = shape_of(kinds[k], 3, &seed);
      toy_game *toy = toy_random(&shape, seed, n % 2);
      solved_toy with, without;
      solve(toy, 1, true, &with);
      solve(toy, 1, false, &without);
      for (uint32_t s = 0; s < toy->used; s++) {
        for (int plane = 0; plane < with.list[s].planes; plane++) {
          ck_assert_mem_eq(with.list[s].cells[plane], without.list[s].cells[plane], with.list[s].positions);
          ck_assert(kinds[k] == SOLVE_OUTCOMES || !without.list[s].depths[plane]);
        }
      }
    }
  }
}

SUITE("retrograde") {
  LOOP(outcomes_are_those_of_the_slow_definition, GROUPS);
  TESTS(outcomes_of_a_slice_of_many_shards, a_conversion_is_not_due_before_its_time,
        a_faster_quiet_win_is_taken, losers_hold_out_through_conversions, slices_at_the_edge,
        a_position_has_as_many_moves_as_counters_hold, more_moves_than_counters_hold_are_refused,
        the_deepest_depth_is_reached, a_game_too_deep_for_depths_is_refused);
  LOOP(scores_are_what_can_be_forced, GROUPS);
  LOOP(guarantees_are_what_each_side_can_force, GROUPS);
  TEST(depths_leave_values_alone);
}
