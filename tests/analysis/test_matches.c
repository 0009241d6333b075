/* Matches of policies in la oca asesina: exact values against the slow definition, against tables, and
 * against games played out; and what policies regret, against every decision reckoned by hand of those rules.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/dice/matches.h"
#include "analysis/dice/survey.h"
#include "games/oca_asesina/oca_asesina.h"
#include "games/registry.h"
#include "solver/build/build.h"
#include "tests/naive/naive_asesina_match.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_asesina_slow.h"

enum { POLICIES = 5, TRAITS = 3, SIGMAS = 4 };

static const game *const ase = &oca_asesina_game;
static tauler_message message;

static double width(void) {
  return suite_is_long() ? 1e-9 : 1e-6;
}

/* --- a rule set and its matches ---------------------------------------------------------------------------
 */

typedef struct {
  game_rules *rules;
  game_slices slices;
  memory_budget memory;
  match_simple simple[POLICIES];
} contest;

static void open_table(const char *rules, const char *tokens, contest *t) {
  t->rules = toy_ase_open(rules);
  memory_budget_open(&t->memory, UINT64_C(1) << 30);
  if (ase->slices(t->rules, &(game_request){.largest = tokens}, &t->slices, &message))
    ck_abort_msg("%s: %s", rules, message.text);
  for (size_t p = 0; p < POLICIES; p++) t->simple[p] = (match_simple){ase->chance->policies, p};
}

static void close_table(contest *t) {
  ck_assert_uint_eq(memory_taken(&t->memory), 0);
  free(t->slices.slices);
  ase_close(t->rules);
}

static match_job job_of(contest *t, simulate_policy raises, simulate_policy lowers) {
  return (match_job){.game = ase,
                     .rules = t->rules,
                     .slices = &t->slices,
                     .raises = raises,
                     .lowers = lowers,
                     .width = width(),
                     .threads = 1,
                     .memory = &t->memory};
}

static match_result play(contest *t, simulate_policy raises, simulate_policy lowers) {
  const match_job job = job_of(t, raises, lowers);
  match_result found;
  if (match_solve(&job, &found, &message)) ck_abort_msg("%s: %s", t->rules->base.text, message.text);
  ck_assert_uint_eq(found.endless, 0);
  for (int q = 0; q < POLICY_QUANTITIES; q++) {
    ck_assert_double_ge(found.lower[q], 0);
    ck_assert_double_le(found.upper[q] - found.lower[q], width());
  }
  return found;
}

static match_result play_simple(contest *t, size_t first, size_t second) {
  return play(t, match_policy(&t->simple[first]), match_policy(&t->simple[second]));
}

/* --- against the slow one ---------------------------------------------------------------------------------
 */

static void expect_within(const char *what, const match_result *found, int quantity, long double slow) {
  if ((double)slow < found->lower[quantity] - 1e-12 || (double)slow > found->upper[quantity] + 1e-12)
    ck_abort_msg("%s, %s: %.15g, not %.15g to %.15g", what, quantity ? "turns" : "score", (double)slow,
                 found->lower[quantity], found->upper[quantity]);
}

/* Every policy in either seat; `step`: of all pairs one in so many. */
static void compare_matches(const char *rules, int tokens, size_t step) {
  char number[8], what[400];
  contest t;
  snprintf(number, sizeof number, "%d", tokens);
  open_table(rules, number, &t);
  const naive_ase_game game = toy_ase_slow_game(t.rules, 2, tokens);
  naive_ase_world *world = naive_ase_solve(&game, 0.5);
  ck_assert_ptr_nonnull(world);
  for (size_t pair = step > 1 ? 3 : 0; pair < POLICIES * POLICIES; pair += step) {
    const size_t first = pair / POLICIES, second = pair % POLICIES;
    naive_ase_match slow;
    ck_assert(naive_ase_play_match(world, &game, (naive_ase_policy)first, (naive_ase_policy)second, &slow));
    const match_result found = play_simple(&t, first, second);
    snprintf(what, sizeof what, "%.200s: %s against %s", t.rules->base.text,
             ase->chance->policies->names[first], ase->chance->policies->names[second]);
    expect_within(what, &found, POLICY_SCORE, slow.score);
    expect_within(what, &found, POLICY_TURNS, slow.turns);
  }
  naive_ase_world_free(world);
  close_table(&t);
}

START_TEST(short_board) {
  /* who leaves the labyrinth rolls again */
  compare_matches(TOY_ASE_BOARD_7 ",labyrinth-exit=roll", 2, suite_is_long() ? 1 : 7);
  if (suite_is_long()) compare_matches(TOY_ASE_BOARD_7, 2, 1);
}
END_TEST

/* Rolls are cut into six. */
START_TEST(three_choices) {
  if (suite_is_long()) compare_matches(TOY_ASE_BOARD_7 ",colours=3", 1, 12);
}
END_TEST

START_TEST(all_kinds_of_squares) {
  if (suite_is_long()) compare_matches(TOY_ASE_BOARD_12, 2, 1);
}
END_TEST

START_TEST(flags) {
  char text[320];
  if (!suite_is_long()) return;
  const char *set = toy_ase_flags[_i + 1];
  snprintf(text, sizeof text, "%s,%s", TOY_ASE_BOARD_12, set);
  compare_matches(text, strstr(set, "colours") ? 1 : 2, 4);
}
END_TEST

/* --- against tables ---------------------------------------------------------------------------------------
 */

static tauler *db;

static void open_folder(void) {
  make_folder();
  ck_assert_int_eq(tauler_open(folder, NULL, &db, &message), TAULER_OK);
}

static void close_folder(void) {
  tauler_close(db);
  remove_folder();
}

static tauler_tables *build(const char *rules, const char *tokens) {
  game_rules *own = toy_ase_open(rules);
  memory_budget memory;
  tauler_tables *tables;
  build_cost cost;
  memory_budget_open(&memory, UINT64_C(1) << 30);
  const game_request request = {.largest = tokens};
  const build_job job = {.problem.game = ase,
                         .problem.rules = own,
                         .request = &request,
                         .folder = folder,
                         .width = 1e-11,
                         .level = 1,
                         .work.threads = 1,
                         .work.memory = &memory};
  if (build_tables(&job, &cost, &message)) ck_abort_msg("%s", message.text);
  if (tables_select(db, ase, own, &tables, &message)) ck_abort_msg("%s", message.text);
  return tables;
}

/* What the tables say of the start, of seat 1. */
static void read_start(const contest *t, tauler_tables *tables, double *lower, double *upper) {
  const uint32_t slice = t->slices.slices[t->slices.used - 1].slice;
  game_position start;
  char text[GAME_TEXT_BYTES];
  tauler_worth worth;
  ase->chance->start(t->rules, slice, &start);
  ase->print(t->rules, &start, text);
  ck_assert_int_eq(tauler_value(tables, text, &worth, &message), TAULER_OK);
  *lower = worth.lower;
  *upper = worth.upper;
}

START_TEST(the_best_moves_come_to_the_tables) {
  tauler_tables *tables = build(TOY_ASE_BOARD_7, "2");
  contest t;
  open_table(TOY_ASE_BOARD_7, "2", &t);
  match_best best;
  match_best_open(&best, tables);
  double lower, upper, gained = 0;
  read_start(&t, tables, &lower, &upper);
  match_result found = play(&t, match_policy_best(&best), match_policy_best(&best));
  ck_assert_double_le(found.lower[POLICY_SCORE], upper);
  ck_assert_double_ge(found.upper[POLICY_SCORE], lower);
  for (size_t p = 0; p < POLICIES; p += suite_is_long() ? 1 : POLICIES) {
    found = play(&t, match_policy_best(&best), match_policy(&t.simple[p]));
    ck_assert_double_ge(found.upper[POLICY_SCORE], lower - width());
    gained = fmax(gained, found.lower[POLICY_SCORE] - upper);
    found = play(&t, match_policy(&t.simple[p]), match_policy_best(&best));
    ck_assert_double_le(found.lower[POLICY_SCORE], upper + width());
  }
  ck_assert_double_gt(gained, 0.01);
  ck_assert_int_eq(best.error, TAULER_OK);
  close_table(&t);
}
END_TEST

START_TEST(missing_tables_are_named) {
  contest t;
  tauler_tables *tables;
  open_table(TOY_ASE_BOARD_7, "2", &t);
  ck_assert_int_eq(tables_select(db, ase, toy_ase_open(TOY_ASE_BOARD_7), &tables, &message), TAULER_OK);
  match_best best;
  match_best_open(&best, tables);
  const match_job job = job_of(&t, match_policy_best(&best), match_policy(&t.simple[0]));
  match_result found;
  ck_assert_int_ne(match_solve(&job, &found, &message), TAULER_OK);
  ck_assert_int_eq(best.error, TAULER_TABLE_MISSING);
  ck_assert_ptr_nonnull(strstr(best.message.text, "tauler build"));
  close_table(&t);
}
END_TEST

/* --- regrets ----------------------------------------------------------------------------------------------
 */

/* What an event is worth to the seat that chooses. */
static double worth_of(const naive_ase_world *world, const naive_ase_event *event, int seat) {
  static const double shards[4] = {0, 1, 0, 0.5};
  double score = shards[event->winners];
  if (!event->winners) {
    const int number = naive_ase_number_of(world, &event->after);
    if (number < 0) ck_abort_msg("the slow one does not know that position");
    score = (double)naive_ase_score(world, number, 0);
  }
  return seat ? 1 - score : score;
}

typedef struct {
  uint64_t decisions, real_ones;
  double regret[POLICIES]; /* the largest */
  struct {
    uint64_t choices, wrong, right;
    double cost, most; /* of all of them, and the largest */
  } traits[TRAITS];
} reckoning;

static int count_on(const naive_ase_game *game, const naive_ase_position *position, int seat, int square) {
  int count = 0;
  for (int token = 0; token < game->tokens; token++) count += position->square[seat][token] == square;
  return count;
}

/* By what is on the board afterwards: home, capture, pair. */

static bool has_trait(const naive_ase_game *game, const naive_ase_position *position,
                      const naive_ase_event *event, int trait) {
  const int seat = position->seat, home = game->board.home;
  const naive_ase_position *after = &event->after;
  const bool forced = after->seat == seat && after->forced;
  if (trait == 0) {
    return !position->forced && event->token >= 0 &&
           count_on(game, after, seat, home) - forced > count_on(game, position, seat, home);
  }
  if (trait == 1) return count_on(game, after, !seat, 0) > count_on(game, position, !seat, 0);
  for (int square = 1; square < home; square++)
    if (count_on(game, after, seat, square) > 1 && count_on(game, position, seat, square) < 2) return true;
  return false;
}

static void reckon_trait(const naive_ase_game *game, const naive_ase_position *position, int trait,
                         const naive_ase_event *events, const double *worth, int count, reckoning *out) {
  double with = -INFINITY, without = -INFINITY;
  for (int i = 0; i < count; i++) {
    double *side = has_trait(game, position, &events[i], trait) ? &with : &without;
    *side = fmax(*side, worth[i]);
  }
  if (isinf(with) || isinf(without)) return;
  out->traits[trait].choices++;
  out->traits[trait].wrong += without - with > 1e-9;
  out->traits[trait].right += with - without > 1e-9;
  out->traits[trait].cost += fmax(0, without - with);
  out->traits[trait].most = fmax(out->traits[trait].most, without - with);
}

static double regret_of(const naive_ase_game *game, const naive_ase_position *position, int policy,
                        const naive_ase_event *events, const double *worth, int count) {
  const int chosen = naive_ase_choose(game, position, (naive_ase_policy)policy, events, count);
  double best = -INFINITY, mean = 0;
  for (int i = 0; i < count; i++) {
    best = fmax(best, worth[i]);
    mean += worth[i] / count;
  }
  return best - (chosen < 0 ? mean : worth[chosen]);
}

static void reckon_roll(const naive_ase_world *world, const naive_ase_game *game,
                        const naive_ase_position *position, int roll, reckoning *out) {
  naive_ase_event events[NAIVE_ASE_MOST_TOKENS];
  double worth[NAIVE_ASE_MOST_TOKENS], least = 1, most = 0;
  const int count = naive_ase_choices(game, position, roll, events);
  for (int i = 0; i < count; i++) {
    worth[i] = worth_of(world, &events[i], position->seat);
    least = fmin(least, worth[i]);
    most = fmax(most, worth[i]);
  }
  out->decisions++;
  out->real_ones += most - least > 1e-9;
  for (int p = 0; p < POLICIES; p++)
    out->regret[p] = fmax(out->regret[p], regret_of(game, position, p, events, worth, count));
  for (int trait = 0; trait < TRAITS; trait++) reckon_trait(game, position, trait, events, worth, count, out);
}

static naive_ase_position slow_at(const game_rules *rules, uint32_t slice, uint64_t index) {
  game_position position;
  ase->position_at(rules, (game_place){slice, index}, &position);
  const ase_position at = ase_from_game(&position);
  return toy_ase_slow_position(rules, &at);
}

static reckoning reckon(const naive_ase_world *world, const naive_ase_game *game, const game_rules *rules,
                        uint32_t slice) {
  reckoning out = {.decisions = 0};
  for (uint64_t index = 0; index < ase->positions(rules, slice); index++) {
    const naive_ase_position slow = slow_at(rules, slice, index);
    for (int roll = 1; roll <= 6; roll++) reckon_roll(world, game, &slow, roll, &out);
  }
  return out;
}

/* All positions that tables hold, also those that play from the start does not lead to. */
static naive_ase_world *solve_all(const contest *t, const naive_ase_game *game) {
  uint64_t positions = 0;
  for (size_t i = 0; i < t->slices.used; i++) positions += t->slices.slices[i].positions;
  ck_assert_uint_gt(positions, 0);
  naive_ase_position *all = calloc(positions, sizeof *all);
  ck_assert_ptr_nonnull(all);
  int used = 0;
  for (size_t i = 0; i < t->slices.used; i++)
    for (uint64_t index = 0; index < t->slices.slices[i].positions; index++)
      all[used++] = slow_at(t->rules, t->slices.slices[i].slice, index);
  naive_ase_world *world = naive_ase_solve_with(game, all, used, 0.5);
  ck_assert_ptr_nonnull(world);
  free(all);
  return world;
}

/* The position that is told has the regret that is told. */
static void expect_there(const naive_ase_world *world, const naive_ase_game *game, const game_rules *rules,
                         uint32_t slice, int policy, const survey_policy *told) {
  reckoning there = {.decisions = 0};
  const naive_ase_position slow = slow_at(rules, slice, told->index);
  reckon_roll(world, game, &slow, (int)told->roll + 1, &there);
  ck_assert_double_eq_tol(told->regret, there.regret[policy], 1e-10);
}

static void expect_trait(const reckoning *slow, int trait, const survey_trait *found) {
  const uint64_t choices = slow->traits[trait].choices;
  ck_assert_str_eq(found->trait, ase->chance->traits->names[trait]);
  ck_assert_uint_eq(found->choices, choices);
  ck_assert_uint_eq(found->wrong, slow->traits[trait].wrong);
  ck_assert_uint_eq(found->right, slow->traits[trait].right);
  ck_assert_double_eq_tol(survey_mean_cost(found), choices ? slow->traits[trait].cost / (double)choices : 0,
                          1e-9);
  ck_assert(found->worst.any == (choices > 0));
  if (choices) ck_assert_double_eq_tol(found->worst.regret, fmax(0, slow->traits[trait].most), 1e-10);
}

START_TEST(regrets_are_those_of_every_decision) {
  tauler_tables *tables = build(TOY_ASE_BOARD_7, "2");
  contest t;
  open_table(TOY_ASE_BOARD_7, "2", &t);
  const naive_ase_game game = toy_ase_slow_game(t.rules, 2, 2);
  naive_ase_world *world = solve_all(&t, &game);
  for (size_t i = 0; i < t.slices.used; i++) {
    const uint32_t slice = t.slices.slices[i].slice;
    const reckoning slow = reckon(world, &game, t.rules, slice);
    survey found;
    ck_assert_int_eq(survey_slice(tables, slice, 1, &(workspace){.threads = 2}, &found, &message), TAULER_OK);
    ck_assert_uint_eq(found.decisions, slow.decisions);
    ck_assert_uint_eq(found.real_ones, slow.real_ones);
    ck_assert_uint_eq(found.policies_used, POLICIES);
    for (int p = 0; p < POLICIES; p++) {
      ck_assert_str_eq(found.policies[p].policy, ase->chance->policies->names[p]);
      ck_assert_double_eq_tol(found.policies[p].regret, slow.regret[p], 1e-10);
      expect_there(world, &game, t.rules, slice, p, &found.policies[p]);
    }
    ck_assert_uint_eq(found.traits_used, TRAITS);
    for (int trait = 0; trait < TRAITS; trait++) expect_trait(&slow, trait, &found.traits[trait]);
  }
  naive_ase_world_free(world);
  close_table(&t);
}
END_TEST

/* --- knowledge of other boards ----------------------------------------------------------------------------
 */

#define OTHER_BOARD_7                                                                                        \
  "board=length-7_geese-7_bridges-none_dice-none_inn-5-1_prison-1-2_well-none_labyrinth-6-to-2_death-3-to-0"

static const naive_ase_board other_board_7 = {.home = 7,
                                              .geese = {7},
                                              .inn = 5,
                                              .inn_turns = 1,
                                              .prison = 1,
                                              .prison_turns = 2,
                                              .labyrinth = 6,
                                              .out_of_labyrinth = 2,
                                              .death = 3};

typedef struct {
  const naive_ase_world *worlds[2]; /* of the boards that are known */
  int known;
  const naive_ase_game *game; /* that is played */
  const contest *at;
  match_best *best;
} pupil;

/* The mean of what the known boards say of the position that a move leads to. */
static double known_worth(const pupil *p, const naive_ase_event *event, int seat) {
  double sum = 0;
  for (int i = 0; i < p->known; i++) sum += worth_of(p->worlds[i], event, seat);
  return sum / p->known;
}

static void expect_pick(const pupil *p, const game_position *position, const naive_ase_position *slow,
                        int roll) {
  const simulate_policy policy = match_policy_best(p->best);
  naive_ase_event events[NAIVE_ASE_MOST_TOKENS];
  game_moves moves = {0};
  double most = -INFINITY;
  const int count = naive_ase_choices(p->game, slow, roll, events);
  ck_assert_int_eq(ase->chance->moves(p->at->rules, position, (size_t)roll - 1, &moves), TAULER_OK);
  const int picked = policy.pick(policy.user, p->at->rules, position, (size_t)roll - 1, &moves);
  if ((int)moves.used != count || picked < 0 || picked >= count)
    ck_abort_msg("%zu moves, not %d, and number %d", moves.used, count, picked);
  for (int i = 0; i < count; i++) most = fmax(most, known_worth(p, &events[i], slow->seat));
  const double worth = known_worth(p, &events[picked], slow->seat);
  if (worth < most - 2e-7) ck_abort_msg("%.9f is taken for best, and not %.9f", worth, most);
  game_moves_free(&moves);
}

/* What another board is worth in all positions that moves of the played one lead to. */
static naive_ase_world *solve_children(const contest *played, uint32_t slice, const naive_ase_game *rules_of,
                                       const naive_ase_game *known) {
  const uint64_t positions = ase->positions(played->rules, slice);
  naive_ase_position *all = calloc(positions * 6 * 2, sizeof *all);
  ck_assert_ptr_nonnull(all);
  int used = 0;
  for (uint64_t index = 0; index < positions; index++) {
    const naive_ase_position slow = slow_at(played->rules, slice, index);
    for (int roll = 1; roll <= 6; roll++) {
      naive_ase_event events[NAIVE_ASE_MOST_TOKENS];
      const int count = naive_ase_choices(rules_of, &slow, roll, events);
      for (int i = 0; i < count && i < 2; i++)
        if (!events[i].winners) all[used++] = events[i].after;
    }
  }
  naive_ase_world *world = naive_ase_solve_with(known, all, used, 0.5);
  ck_assert_ptr_nonnull(world);
  free(all);
  return world;
}

/* Every decision of the largest slice, by what is known of one board and of two. */
START_TEST(knowledge_of_other_boards) {
  static const char *const rules[2] = {OTHER_BOARD_7, TOY_ASE_BOARD_7};
  contest t, known[2];
  naive_ase_game games[2];
  naive_ase_world *worlds[2];
  match_best best;
  open_table(TOY_ASE_BOARD_7, "2", &t);
  for (int i = 0; i < 2; i++) {
    open_table(rules[i], "2", &known[i]);
    games[i] = toy_ase_slow_game(known[i].rules, 2, 2);
    if (i == 0) games[i].board = other_board_7;
  }
  const uint32_t slice = t.slices.slices[t.slices.used - 1].slice;
  for (int i = 0; i < 2; i++) worlds[i] = solve_children(&t, slice, &games[1], &games[i]);
  match_best_open(&best, build(rules[0], "2"));
  pupil p = {{worlds[0], worlds[1]}, 1, &games[1], &t, &best};
  for (p.known = 1; p.known <= 2; p.known++) {
    for (uint64_t index = 0; index < ase->positions(t.rules, slice); index++) {
      game_position position;
      ase->position_at(t.rules, (game_place){slice, index}, &position);
      const naive_ase_position slow = slow_at(t.rules, slice, index);
      for (int roll = 1; roll <= 6; roll++) expect_pick(&p, &position, &slow, roll);
    }
    if (p.known == 1) match_best_add(&best, build(rules[1], "2"));
  }
  ck_assert_int_eq(best.error, TAULER_OK);
  for (int i = 0; i < 2; i++) {
    naive_ase_world_free(worlds[i]);
    close_table(&known[i]);
  }
  close_table(&t);
}
END_TEST

/* --- against games played out -----------------------------------------------------------------------------
 */

static void expect_mean(const match_result *found, const simulate_result *played, size_t first,
                        size_t second) {
  const double middle = (found->lower[POLICY_SCORE] + found->upper[POLICY_SCORE]) / 2;
  const double off = (played->mean[0] - middle) / played->error[0];
  ck_assert_uint_eq(played->given_up, 0);
  ck_assert_msg(fabs(off) < SIGMAS, "%zu against %zu: %.6f ± %.6f, not %.6f", first, second, played->mean[0],
                played->error[0], middle);
}

START_TEST(games_played_out) {
  contest t;
  open_table(TOY_ASE_BOARD_7, "2", &t);
  game_position start;
  ase->chance->start(t.rules, t.slices.slices[t.slices.used - 1].slice, &start);
  for (size_t pair = 0; pair < POLICIES * POLICIES; pair += suite_is_long() ? 1 : 25) {
    const size_t first = (pair + 3) / POLICIES % POLICIES, second = (pair + 3) % POLICIES;
    const match_result found = play_simple(&t, first, second);
    const simulate_job job = {.game = ase,
                              .rules = t.rules,
                              .start = &start,
                              .raises = match_policy(&t.simple[first]),
                              .lowers = match_policy(&t.simple[second]),
                              .games = suite_is_long() ? 1000000 : 20000,
                              .seed = pair,
                              .threads = 2,
                              .memory = &t.memory};
    simulate_result played;
    ck_assert_int_eq(simulate(&job, &played, &message), TAULER_OK);
    expect_mean(&found, &played, first, second);
  }
  close_table(&t);
}
END_TEST

/* --- what else --------------------------------------------------------------------------------------------
 */

START_TEST(threads_do_not_matter) {
  contest t;
  open_table(TOY_ASE_BOARD_7, "2", &t);
  match_job job = job_of(&t, match_policy(&t.simple[0]), match_policy(&t.simple[3]));
  match_result one, three;
  ck_assert_int_eq(match_solve(&job, &one, &message), TAULER_OK);
  job.threads = 3;
  ck_assert_int_eq(match_solve(&job, &three, &message), TAULER_OK);
  ck_assert_mem_eq(&one, &three, sizeof one);
  close_table(&t);
}
END_TEST

START_TEST(memory_is_planned) {
  contest t;
  open_table(TOY_ASE_BOARD_7, "2", &t);
  match_job job = job_of(&t, match_policy(&t.simple[1]), match_policy(&t.simple[2]));
  match_result found;
  memory_budget little;
  memory_budget_open(&little, match_bytes(&job) / 2);
  job.memory = &little;
  ck_assert_int_eq(match_solve(&job, &found, &message), TAULER_NO_MEMORY);
  ck_assert_ptr_nonnull(strstr(message.text, "match"));
  ck_assert_uint_eq(memory_taken(&little), 0);
  close_table(&t);
}
END_TEST

START_TEST(nobody_chooses_in_oca) {
  game_rules *rules;
  policy_game *players;
  const simulate_policy any = {NULL, NULL};
  const game *oca = game_find("oca");
  ck_assert_int_eq(oca->open(NULL, NULL, &rules, NULL), TAULER_OK);
  ck_assert_int_eq(policy_game_open(oca, rules, 2, &any, &any, &players, &message), TAULER_BAD_USAGE);
  ck_assert_ptr_null(players);
  oca->close(rules);
}
END_TEST

SUITE("matches") {
  GROUP("slow");
  TIMEOUT(900);
  TEST(short_board);
  TEST(three_choices);
  TEST(all_kinds_of_squares);
  LOOP(flags, toy_ase_flag_sets - 1);
  GROUP("tables");
  FIXTURE(open_folder, close_folder);
  TEST(the_best_moves_come_to_the_tables);
  TEST(missing_tables_are_named);
  TEST(knowledge_of_other_boards);
  TEST(regrets_are_those_of_every_decision);
  GROUP("rest");
  TIMEOUT(600);
  TEST(games_played_out);
  TEST(threads_do_not_matter);
  TEST(memory_is_planned);
  TEST(nobody_chooses_in_oca);
}
