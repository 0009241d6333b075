/* Regrets of policies of la oca asesina, and of policies by tables of other boards: against every decision
 * worked out by the slow definition. */
#include <math.h>

#include "analysis/dice/matches.h"
#include "analysis/dice/survey.h"
#include "games/registry.h"
#include "tests/naive/naive_asesina_match.h"
#include "tests/support/analysis/contest.h"
#include "tests/support/suite.h"

enum { TRAITS = 3 };

static const game *const ase = &oca_asesina_game;

/* --- regrets --- */

/* Returns the worth of an event to the seat that chooses. */
static double worth_of_event(const naive_ase_world *world, const naive_ase_event *event, int seat) {
  static const double scores[4] = {0, 1, 0, 0.5};
  double score = scores[event->winners];
  if (!event->winners) {
    const int number = naive_ase_number_of(world, &event->after);
    if (number < 0) ck_abort_msg("the slow one does not know that position");
    score = (double)naive_ase_score(world, number, 0);
  }
  return seat ? 1 - score : score;
}

typedef struct {
  uint64_t decisions, real_ones;
  double regret[CONTEST_POLICIES]; /* the largest */
  double sum[CONTEST_POLICIES];    /* sum over all positions */
  struct {
    uint64_t choices, wrong, right;
    double cost; /* sum over all choices */
    double most; /* largest of them */
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
    worth[i] = worth_of_event(world, &events[i], position->seat);
    least = fmin(least, worth[i]);
    most = fmax(most, worth[i]);
  }
  out->decisions++;
  out->real_ones += most - least > 1e-9;
  for (int p = 0; p < CONTEST_POLICIES; p++) {
    const double regret = regret_of(game, position, p, events, worth, count);
    out->regret[p] = fmax(out->regret[p], regret);
    out->sum[p] += regret;
  }
  for (int trait = 0; trait < TRAITS; trait++) reckon_trait(game, position, trait, events, worth, count, out);
}

static naive_ase_position slow_at(const game_rules *rules, uint32_t slice, uint64_t index) {
  game_position position;
  ase->position_at(rules, (game_place){slice, index}, &position);
  const ase_position at = ase_from_game(&position);
  return toy_ase_slow_position(rules, &at);
}

/* Of all positions of a slice, or of those in `played`. */
static reckoning reckon(const naive_ase_world *world, const naive_ase_world *played,
                        const naive_ase_game *game, const game_rules *rules, uint32_t slice) {
  reckoning out = {.decisions = 0};
  for (uint64_t index = 0; index < ase->positions(rules, slice); index++) {
    const naive_ase_position slow = slow_at(rules, slice, index);
    if (played && naive_ase_number_of(played, &slow) < 0) continue;
    for (int roll = 1; roll <= 6; roll++) reckon_roll(world, game, &slow, roll, &out);
  }
  return out;
}

/* All positions that tables hold, also those that play from the start does not lead to. */
static naive_ase_world *solve_all(const contest *t, const naive_ase_game *game) {
  uint64_t positions = 0;
  for (size_t i = 0; i < t->slices.used; i++) positions += t->slices.slices[i].positions;
  ck_assert_uint_gt(positions, 0);
  naive_ase_position *all = suite_zeros(positions, sizeof *all);
  int used = 0;
  for (size_t i = 0; i < t->slices.used; i++)
    for (uint64_t index = 0; index < t->slices.slices[i].positions; index++)
      all[used++] = slow_at(t->rules, t->slices.slices[i].slice, index);
  naive_ase_world *world = naive_ase_solve_with(game, all, used, 0.5);
  return world;
}

/* The position of a survey has the regret of that survey. */
static void expect_there(const naive_ase_world *world, const naive_ase_game *game, const game_rules *rules,
                         uint32_t slice, int policy, const survey_policy *found) {
  reckoning there = {.decisions = 0};
  const naive_ase_position slow = slow_at(rules, slice, found->index);
  reckon_roll(world, game, &slow, (int)found->roll + 1, &there);
  ck_assert_double_eq_tol(found->regret, there.regret[policy], 1e-10);
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

static void expect_survey(const survey *found, const reckoning *slow) {
  ck_assert_uint_eq(found->decisions, slow->decisions);
  ck_assert_uint_eq(found->real_ones, slow->real_ones);
  ck_assert_uint_eq(found->policies_used, CONTEST_POLICIES);
  for (int p = 0; p < CONTEST_POLICIES; p++) {
    ck_assert_str_eq(found->policies[p].policy, ase->chance->policies->names[p]);
    ck_assert_double_eq_tol(found->policies[p].regret, slow->regret[p], 1e-10);
    ck_assert_double_eq_tol(survey_mean_regret(found, (size_t)p), slow->sum[p] / (double)slow->decisions,
                            1e-9);
  }
  ck_assert_uint_eq(found->traits_used, TRAITS);
  for (int trait = 0; trait < TRAITS; trait++) expect_trait(slow, trait, &found->traits[trait]);
}

/* A position that is shown is one of those that are counted. */
static void expect_places(const contest *t, const naive_ase_world *played, uint32_t slice,
                          const survey *found) {
  for (size_t p = 0; p < found->policies_used && played; p++) {
    const naive_ase_position slow = slow_at(t->rules, slice, found->policies[p].index);
    ck_assert_int_ge(naive_ase_number_of(played, &slow), 0);
  }
  for (size_t i = 0; i < found->traits_used && played; i++) {
    const naive_ase_position slow = slow_at(t->rules, slice, found->traits[i].worst.index);
    if (found->traits[i].worst.any) ck_assert_int_ge(naive_ase_number_of(played, &slow), 0);
  }
}

/* Of all stored positions, and of those that play reaches. */
CASE(regrets_are_those_of_every_decision) {
  tauler_tables *tables = contest_build(TOY_ASE_BOARD_7, "2");
  contest t;
  reached where;
  contest_open(TOY_ASE_BOARD_7, "2", &t);
  const naive_ase_game game = toy_ase_slow_game(t.rules, 2, 2);
  naive_ase_world *world = solve_all(&t, &game), *played = _i ? naive_ase_reach(&game) : NULL;
  const reached_job follow = {
      .game = ase, .rules = t.rules, .slices = &t.slices, .threads = 2, .memory = t.memory};
  ck_assert_int_eq(reached_open(&follow, &where, hear()), TAULER_OK);
  for (size_t i = 0; i < t.slices.used; i++) {
    const uint32_t slice = t.slices.slices[i].slice;
    const reckoning slow = reckon(world, played, &game, t.rules, slice);
    const workspace work = {.threads = 2};
    survey found;
    const survey_job job = {.tables = tables, .reached = _i ? &where : NULL, .stride = 1, .work = &work};
    ck_assert_int_eq(survey_slice(&job, slice, &found, hear()), TAULER_OK);
    ck_assert(found.every == !_i);
    expect_survey(&found, &slow);
    expect_places(&t, played, slice, &found);
    for (int p = 0; p < CONTEST_POLICIES; p++)
      expect_there(world, &game, t.rules, slice, p, &found.policies[p]);
  }
  reached_close(&where);
}

static int fail_to_pick(const void *user, const game_rules *rules, const game_position *position, size_t roll,
                        const game_moves *moves) {
  return -1 - TAULER_INTERNAL;
}

CASE(errors_of_a_player_keep_their_names) {
  const survey_player more = {"none", {fail_to_pick, NULL}};
  const workspace work = {.threads = 1};
  contest t;
  survey found;
  tauler_message message = {""};
  const survey_job job = {
      .tables = contest_build(TOY_ASE_BOARD_7, "2"), .stride = 1, .more = &more, .work = &work};
  contest_open(TOY_ASE_BOARD_7, "2", &t);
  const uint32_t slice = t.slices.slices[t.slices.used - 1].slice;
  ck_assert_int_eq(survey_slice(&job, slice, &found, &message), TAULER_INTERNAL);
  ck_assert_str_eq(message.text, "the moves of a position cannot be surveyed");
}

/* --- knowledge of other boards --- */

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
  const naive_ase_world *worlds[2]; /* worlds of the boards that are known */
  int known;
  const naive_ase_game *game; /* that is played */
  const contest *at;
  match_best *best;
} pupil;

/* The mean of what the known boards say of the position that a move leads to. */
static double known_worth(const pupil *p, const naive_ase_event *event, int seat) {
  double sum = 0;
  for (int i = 0; i < p->known; i++) sum += worth_of_event(p->worlds[i], event, seat);
  return sum / p->known;
}

static void expect_pick(const pupil *p, const game_position *position, const naive_ase_position *slow,
                        int roll) {
  const simulate_policy policy = match_policy_best(p->best);
  naive_ase_event events[NAIVE_ASE_MOST_TOKENS];
  game_moves moves = {0};
  double most = -INFINITY;
  const int count = naive_ase_choices(p->game, slow, roll, events);
  MUST(ase->chance->moves(p->at->rules, position, (size_t)roll - 1, &moves));
  const int picked = policy.pick(policy.user, p->at->rules, position, (size_t)roll - 1, &moves);
  if ((int)moves.used != count || picked < 0 || picked >= count)
    ck_abort_msg("%zu moves, not %d, and number %d", moves.used, count, picked);
  for (int i = 0; i < count; i++) most = fmax(most, known_worth(p, &events[i], slow->seat));
  const double worth = known_worth(p, &events[picked], slow->seat);
  if (worth < most - 2e-7) ck_abort_msg("%.9f is taken for best, and not %.9f", worth, most);
  game_moves_free(&moves);
}

/* Solves another board in all positions that moves of the played one lead to. */
static naive_ase_world *solve_children(const contest *played, uint32_t slice, const naive_ase_game *rules_of,
                                       const naive_ase_game *known) {
  const uint64_t positions = ase->positions(played->rules, slice);
  naive_ase_position *all = suite_zeros(positions * 6 * 2, sizeof *all);
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
  return world;
}

/* Every decision of the largest slice, by what is known of one board and of two. */
CASE(knowledge_of_other_boards) {
  static const char *const rules[2] = {OTHER_BOARD_7, TOY_ASE_BOARD_7};
  contest t, known[2];
  naive_ase_game games[2];
  naive_ase_world *worlds[2];
  match_best best;
  contest_open(TOY_ASE_BOARD_7, "2", &t);
  for (int i = 0; i < 2; i++) {
    contest_open(rules[i], "2", &known[i]);
    games[i] = toy_ase_slow_game(known[i].rules, 2, 2);
    if (i == 0) games[i].board = other_board_7;
  }
  const uint32_t slice = t.slices.slices[t.slices.used - 1].slice;
  for (int i = 0; i < 2; i++) worlds[i] = solve_children(&t, slice, &games[1], &games[i]);
  match_best_open(&best, contest_build(rules[0], "2"));
  pupil p = {{worlds[0], worlds[1]}, 1, &games[1], &t, &best};
  for (p.known = 1; p.known <= 2; p.known++) {
    for (uint64_t index = 0; index < ase->positions(t.rules, slice); index++) {
      game_position position;
      ase->position_at(t.rules, (game_place){slice, index}, &position);
      const naive_ase_position slow = slow_at(t.rules, slice, index);
      for (int roll = 1; roll <= 6; roll++) expect_pick(&p, &position, &slow, roll);
    }
    if (p.known == 1) match_best_add(&best, contest_build(rules[1], "2"));
  }
  ck_assert_int_eq(best.error, TAULER_OK);
}

SUITE("survey") {
  FIXTURE(contest_open_folder, NULL);
  TIMEOUT(1800);
  TESTS(knowledge_of_other_boards, errors_of_a_player_keep_their_names);
  LOOP(regrets_are_those_of_every_decision, 2);
}
