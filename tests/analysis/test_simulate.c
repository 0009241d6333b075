/* Games played out: what they come to on average is what others have published, for any number of threads the
 * same; policies are asked where there is a choice. A mean is off by more than four standard errors once in
 * sixteen thousand times; seeds are fixed. */
#include <math.h>

#include "analysis/dice/dice_random.h"
#include "analysis/dice/simulate.h"
#include "games/oca/rules.h"
#include "games/registry.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_ways.h"

enum { SIGMAS = 4 };

/* --- random numbers --- */

/* The first numbers that the authors' program gives. */
CASE(random_numbers_are_those_published) {
  static const uint64_t published[] = {11520,
                                       0,
                                       1509978240,
                                       UINT64_C(1215971899390074240),
                                       UINT64_C(1216172134540287360),
                                       UINT64_C(607988272756665600)};
  dice_random from = {{1, 2, 3, 4}};
  for (size_t i = 0; i < sizeof published / sizeof *published; i++)
    ck_assert_uint_eq(dice_random_next(&from), published[i]);
}

CASE(dice_are_fair) {
  enum { THROWS = 600000, SIDES = 6 };
  double count[SIDES] = {0}, squares = 0;
  dice_random from = dice_random_open(7, 1), other = dice_random_open(7, 2);
  for (int i = 0; i < THROWS; i++) count[dice_random_below(&from, SIDES)]++;
  for (int side = 0; side < SIDES; side++) {
    const double off = count[side] - (double)THROWS / SIDES;
    squares += off * off * SIDES / THROWS;
  }
  ck_assert_double_lt(squares, 20.5); /* χ² of 5 degrees: once in a thousand */
  from = dice_random_open(7, 1);
  ck_assert_uint_ne(dice_random_next(&from), dice_random_next(&other));
  for (uint64_t below = 1; below < 40; below++) ck_assert_uint_lt(dice_random_below(&from, below), below);
}

/* --- games --- */

static simulate_result play(const game *game, const game_rules *rules, uint32_t slice, uint64_t games,
                            uint64_t seed, int threads) {
  game_position start;
  game->chance->start(rules, slice, &start);
  memory_budget *memory = suite_budget(0);
  const simulate_job job = {.game = game,
                            .rules = rules,
                            .start = &start,
                            .games = games,
                            .seed = seed,
                            .threads = threads,
                            .memory = memory};
  simulate_result found;
  if (simulate(&job, &found, hear())) ck_abort_msg("%s", said.text);
  return found;
}

static void expect_mean(const simulate_result *found, int quantity, double published) {
  const double off = (found->mean[quantity] - published) / found->error[quantity];
  ck_assert_msg(fabs(off) < SIGMAS, "%s: %.6f ± %.6f, not %.6f", found->quantities.list[quantity].name,
                found->mean[quantity], found->error[quantity], published);
}

CASE(oca_alone) {
  game_rules *rules = suite_rules(&oca_game, NULL, NULL);
  const uint64_t games = suite_is_long() ? 1000000 : SOME(20000, 50000);
  const simulate_result found = play(&oca_game, rules, 1, games, 1, 2);
  ck_assert_uint_eq(found.games, games);
  ck_assert_uint_eq(found.given_up, 0);
  ck_assert_str_eq(found.quantities.list[2].name, "rolls");
  expect_mean(&found, 0, 0.7244378856675576);
  expect_mean(&found, 1, 14.410951048086227);
  expect_mean(&found, 2, 17.193176027029008);
  /* a share of p has an error of the square root of p (1 − p) ÷ games */
  const double p = found.mean[0];
  ck_assert(fabs(found.error[0] - sqrt(p * (1 - p) / (double)games)) < 1e-7);
}

CASE(oca_for_two) {
  game_rules *rules = suite_rules(&oca_game, NULL, NULL);
  const simulate_result found =
      play(&oca_game, rules, 2, suite_is_long() ? 1000000 : SOME(20000, 50000), 2, 2);
  expect_mean(&found, 0, 0.511066874585);
  expect_mean(&found, 1, 0.488933125415);
  expect_mean(&found, 2, 27.951880482);
  expect_mean(&found, 3, 28.355067203);
}

CASE(asesina) {
  game_rules *rules = suite_rules(&oca_asesina_game, "board=20", NULL);
  const game_request request = {.largest = "1"};
  const game_slices slices = suite_slices(&oca_asesina_game, rules, &request);
  const uint32_t slice = slices.slices[slices.used - 1].slice;
  const simulate_result found =
      play(&oca_asesina_game, rules, slice, suite_is_long() ? 1000000 : SOME(20000, 50000), 3, 2);
  expect_mean(&found, 0, 0.501104833671);
}

CASE(threads_do_not_matter_and_seeds_do) {
  game_rules *rules = suite_rules(&oca_game, NULL, NULL);
  const simulate_result one = play(&oca_game, rules, 2, 3000, 5, 1),
                        three = play(&oca_game, rules, 2, 3000, 5, 3),
                        other = play(&oca_game, rules, 2, 3000, 6, 1);
  ck_assert_mem_eq(one.mean, three.mean, sizeof one.mean);
  ck_assert_mem_eq(one.error, three.error, sizeof one.error);
  ck_assert_uint_eq(one.moves, three.moves);
  ck_assert_uint_ne(one.moves, other.moves);
  ck_assert(one.mean[2] != other.mean[2]);
  /* no two batches are alike */
  const simulate_result first = play(&oca_game, rules, 2, 256, 5, 1),
                        both = play(&oca_game, rules, 2, 512, 5, 1);
  ck_assert_uint_ne(2 * first.moves, both.moves);
}

/* --- choices --- */

static int last_move(const void *user, const game_rules *rules, const game_position *position, size_t roll,
                     const game_moves *moves) {
  return (int)moves->used - 1;
}

static int no_move(const void *user, const game_rules *rules, const game_position *position, size_t roll,
                   const game_moves *moves) {
  return -1 - TAULER_DAMAGED_FILE;
}

/* Node 0 raises, or node 1 lowers: nothing, a half, or one. */
CASE(policies_are_asked) {
  toy_ways *toy = toy_ways_new(1, 1, (uint32_t[]){1});
  memory_budget *memory = suite_budget(0);
  for (int node = 0; node < 2; node++) {
    toy_ways_node(toy, 0, true, node ? -1 : 1);
    for (int gain = 1; gain <= 3; gain++)
      toy_ways_way(toy, node, (toy_way){.to = TOY_WAYS_OVER, .gain = gain});
    game_position start;
    toy->game.position_at(toy->rules, (game_place){0, (uint64_t)node}, &start);
    simulate_job job = {.game = &toy->game,
                        .rules = toy->rules,
                        .start = &start,
                        .games = 3000,
                        .threads = 1,
                        .memory = memory};
    simulate_result found;
    MUST(simulate(&job, &found, NULL));
    expect_mean(&found, 0, 0.5);
    *(node ? &job.lowers : &job.raises) = (simulate_policy){last_move, NULL};
    MUST(simulate(&job, &found, NULL));
    ck_assert(found.mean[0] == 1 && found.error[0] == 0);
    *(node ? &job.lowers : &job.raises) = (simulate_policy){no_move, NULL};
    ck_assert_int_eq(simulate(&job, &found, NULL), TAULER_DAMAGED_FILE);
  }
}

enum { TURNS = 6, ROLLS = 3, LOGGED = 2 * TURNS };

typedef struct {
  size_t *roll; /* roll of every turn, by the policy that chooses */
  int *used, picks;
} log_of_rolls;

static int logs(const void *user, const game_rules *rules, const game_position *position, size_t roll,
                const game_moves *moves) {
  const log_of_rolls *log = user;
  log->roll[(*log->used)++] = roll;
  return log->picks;
}

/* Sides choose by turns between two moves that differ by half of the most at the end. */
static toy_ways *line_of_choices(void) {
  toy_ways *toy = toy_ways_new(1, ROLLS, (uint32_t[]){1, 1, 1});
  toy->quantities.chosen = true;
  for (int node = 0; node < TURNS; node++) toy_ways_node(toy, 0, true, node % 2 ? -1 : 1);
  for (int node = 0; node < TURNS; node++) {
    for (int roll = 0; roll < ROLLS; roll++) {
      const bool last = node == TURNS - 1;
      for (int move = 0; move < 2; move++)
        toy_ways_way(
            toy, node,
            (toy_way){.roll = roll, .to = last ? TOY_WAYS_OVER : node + 1, .gain = last ? 1 + move : 0});
    }
  }
  return toy;
}

/* Also where one side chooses at random, which must not use up dice. */
CASE(swapped_games_have_the_same_dice) {
  toy_ways *toy = line_of_choices();
  memory_budget *memory = suite_budget(0);
  game_position start;
  toy->game.position_at(toy->rules, (game_place){0, 0}, &start);
  size_t roll[2][LOGGED];
  for (int other = 0; other < 2; other++) {
    int used = 0;
    const log_of_rolls first = {roll[other], &used, 1}, any = {roll[other], &used, other ? -1 : 0};
    const simulate_job job = {.game = &toy->game,
                              .rules = toy->rules,
                              .start = &start,
                              .raises = {logs, &first},
                              .lowers = {logs, &any},
                              .swapped = true,
                              .games = 1,
                              .seed = 3,
                              .threads = 1,
                              .memory = memory};
    simulate_result found;
    MUST(simulate(&job, &found, NULL));
    ck_assert_int_eq(used, LOGGED);
    ck_assert_uint_eq(found.moves, LOGGED);
    ck_assert_mem_eq(roll[other], roll[other] + TURNS, TURNS * sizeof **roll);
    /* the side that lowers moves last, and leaves a half or nothing: in the first game the other one, then
     * the first */
    if (!other) ck_assert(found.mean[0] == 0.25);
  }
  ck_assert_mem_eq(roll[0], roll[1], sizeof *roll);
}

typedef struct {
  size_t policy;
} by_thumb;

static int pick_by_thumb(const void *user, const game_rules *rules, const game_position *position,
                         size_t roll, const game_moves *moves) {
  const by_thumb *by = user;
  return oca_asesina_game.chance->policies->pick(rules, by->policy, position, roll, moves);
}

/* The mean of both seats, of which the sum is the same whoever is named first; nobody beats himself. */
CASE(swapped_games_are_of_both_seats) {
  game_rules *rules = suite_rules(&oca_asesina_game, "board=20", NULL);
  game_position start;
  MUST(oca_asesina_game.parse(rules, "0,0/0,0 lost=0,0 seat=1", &start, NULL));
  memory_budget *memory = suite_budget(0);
  static const by_thumb random = {0}, furthest = {1};
  const simulate_policy by[] = {{pick_by_thumb, &random}, {pick_by_thumb, &furthest}};
  simulate_result found[2][2], alone[2] = {0};
  for (int i = 0; i < 6; i++) {
    simulate_job job = {.game = &oca_asesina_game,
                        .rules = rules,
                        .start = &start,
                        .raises = by[i & 1],
                        .lowers = by[i < 4 ? i >> 1 : !(i & 1)],
                        .swapped = i < 4,
                        .games = SOME(1500, 4000),
                        .seed = 1,
                        .threads = 2,
                        .memory = memory};
    simulate_result *out = i < 4 ? &found[i & 1][i >> 1] : &alone[i & 1];
    MUST(simulate(&job, out, NULL));
  }
  for (int i = 0; i < 2; i++) ck_assert(found[i][i].mean[0] == 0.5 && found[i][i].error[0] == 0);
  ck_assert_double_eq_tol(found[0][1].mean[0] + found[1][0].mean[0], 1, 1e-12);
  const double both = (alone[0].mean[0] + 1 - alone[1].mean[0]) / 2;
  ck_assert_double_le(fabs(found[0][1].mean[0] - both), SIGMAS * (found[0][1].error[0] + alone[0].error[0]));
}

CASE(nobody_swaps_where_nobody_chooses) {
  game_rules *rules = suite_rules(&oca_game, NULL, NULL);
  memory_budget *memory = suite_budget(0);
  game_position start;
  oca_game.chance->start(rules, 2, &start);
  const simulate_job job = {.game = &oca_game,
                            .rules = rules,
                            .start = &start,
                            .swapped = true,
                            .games = 1,
                            .threads = 1,
                            .memory = memory};
  simulate_result found;
  ck_assert_int_eq(simulate(&job, &found, NULL), TAULER_BAD_USAGE);
}

typedef struct {
  const toy_ways *toy;
  const long double *values; /* values of nodes */
} hints;

static int best_move(const void *user, const game_rules *rules, const game_position *position, size_t roll,
                     const game_moves *moves) {
  const hints *by = user;
  long double most = -INFINITY;
  int best = 0;
  for (size_t i = 0; i < moves->used; i++) {
    const game_move *move = &moves->moves[i];
    const chance_gain gain = by->toy->gains[move->gain][0];
    const long double worth =
        (long double)gain.numerator / gain.denominator + (move->over ? 0 : by->values[move->child.words[0]]);
    if (worth * by->toy->chance.aim(rules, position) <= most) continue;
    most = worth * by->toy->chance.aim(rules, position);
    best = (int)i;
  }
  return best;
}

/* Games played by the values on both sides end with the values. */
CASE(best_play_comes_to_the_values) {
  memory_budget *memory = suite_budget(0);
  for (uint64_t seed = 1; seed <= 20; seed++) {
    const toy_ways_shape shape = {
        .nodes = 24, .slices = 2, .leaves_percent = 25, .most_choices = 3, .forwards = true};
    toy_ways *toy = toy_ways_random(&shape, seed);
    long double *values = toy_ways_settle(toy, 0);
    const hints by = {toy, values};
    for (uint64_t index = 0; index < toy->positions[1]; index += 3) {
      const int node = toy->node_at[1][index];
      if (toy->node[node].nothing) continue;
      game_position start;
      toy->game.position_at(toy->rules, (game_place){1, index}, &start);
      const simulate_job job = {.game = &toy->game,
                                .rules = toy->rules,
                                .start = &start,
                                .raises = {best_move, &by},
                                .lowers = {best_move, &by},
                                .games = 2000,
                                .seed = seed,
                                .threads = 1,
                                .memory = memory};
      simulate_result found;
      MUST(simulate(&job, &found, NULL));
      const double off = fabs(found.mean[0] - (double)values[node]);
      ck_assert_msg(off <= SIGMAS * found.error[0] + 1e-3, "%g ± %g, not %g", found.mean[0], found.error[0],
                    (double)values[node]);
    }
  }
}

/* Of three games two in three go on for ever. */
CASE(endless_games_are_given_up) {
  toy_ways *toy = toy_ways_new(1, 2, (uint32_t[]){1, 2});
  toy_ways_node(toy, 0, true, 0);
  toy_ways_node(toy, 0, true, 0);
  toy_ways_way(toy, 0, (toy_way){.roll = 0, .to = TOY_WAYS_OVER, .gain = 3});
  toy_ways_way(toy, 0, (toy_way){.roll = 1, .to = 1});
  for (int roll = 0; roll < 2; roll++) toy_ways_way(toy, 1, (toy_way){.roll = roll, .to = 1});
  memory_budget *memory = suite_budget(0);
  game_position start;
  toy->game.position_at(toy->rules, (game_place){0, 0}, &start);
  simulate_job job = {.game = &toy->game,
                      .rules = toy->rules,
                      .start = &start,
                      .games = 3000,
                      .most_moves = 50,
                      .threads = 2,
                      .memory = memory};
  simulate_result found;
  MUST(simulate(&job, &found, NULL));
  ck_assert_uint_eq(found.games + found.given_up, 3000);
  ck_assert_uint_eq(found.moves, found.games + 50 * found.given_up);
  ck_assert(found.games > 900 && found.games < 1100 && found.mean[0] == 1);
  job.games = 0;
  MUST(simulate(&job, &found, NULL));
  ck_assert(found.games == 0 && isnan(found.mean[0]));
}

SUITE("simulate") {
  TESTS(random_numbers_are_those_published, dice_are_fair, oca_alone, oca_for_two, asesina,
        threads_do_not_matter_and_seeds_do, policies_are_asked, swapped_games_have_the_same_dice,
        swapped_games_are_of_both_seats, nobody_swaps_where_nobody_chooses, best_play_comes_to_the_values,
        endless_games_are_given_up);
}
