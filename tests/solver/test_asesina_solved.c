/* La oca asesina solved: short boards against the slow definition, and figures found by others. */
#include "games/registry.h"
#include "solver/engines/chance/chance.h"
#include "solver/engines/engine.h"
#include "tests/naive/naive_asesina_solve.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_asesina_slow.h"
#include "tests/support/toy_store.h"

static const game *const ase = &oca_asesina_game;

/* --- all slices of a rule set --- */

typedef struct {
  game_rules *rules;
  game_slices slices;
  chance_slices solved;
  memory_budget *memory;
  bool general; /* by expand, and not by kernels */
} world;

static const double width = 1e-11;

static void solve_one(world *w, uint32_t slice) {
  solve_job of = toy_job(ase, w->rules, 1, w->memory);
  of.problem.engine = w->general ? &engine_chance_edges : NULL;
  const chance_job job = {.job = &of, .finished = &w->solved, .width = width};
  chance_effort effort = {0};
  chance_slice *found = &w->solved.list[slice];
  if (chance_solve(&job, slice, found, &effort, hear()))
    ck_abort_msg("%s: %s", w->rules->base.text, said.text);
  ck_assert_msg(found->width <= width, "%s: bounds are %g apart", w->rules->base.text, found->width);
  ck_assert_uint_eq(found->endless, 0);
}

static void open_world(const char *rules, const char *tokens, bool general, world *w) {
  w->rules = toy_ase_open(rules);
  w->general = general;
  w->memory = suite_budget(UINT64_C(1) << 31);
  w->slices = suite_slices(ase, w->rules, &(game_request){.largest = tokens});
  ck_assert_uint_gt(w->slices.used, 0);
  w->solved.room = game_slices_largest(&w->slices) + 1;
  w->solved.list = suite_zeros(w->solved.room, sizeof *w->solved.list);
  for (size_t i = 0; i < w->slices.used; i++) solve_one(w, w->slices.slices[i].slice);
}

static void close_world(world *w) {
  for (size_t i = 0; i < w->slices.used; i++)
    chance_slice_free(w->memory, &w->solved.list[w->slices.slices[i].slice]);
}

/* --- against the slow one --- */

static void compare(const world *w, const naive_ase_game *game, const naive_ase_world *slow, int number) {
  const naive_ase_position there = naive_ase_position_of(slow, number);
  if (naive_ase_must_pass(&there)) return;
  const ase_position own = toy_ase_fast_position(w->rules, game, &there);
  char text[GAME_TEXT_BYTES];
  game_position position;
  game_place place;
  ase_to_game(&own, &position);
  ase->print(w->rules, &position, text);
  if (!ase->locate(w->rules, &position, &place))
    ck_abort_msg("%s: %s has no place", w->rules->base.text, text);
  const chance_slice *found = &w->solved.list[place.slice];
  for (int q = 0; q < found->quantities; q++) {
    const double score = (double)naive_ase_score(slow, number, game->alone ? game->alone - 1 : q);
    const double lower = found->lower[q][place.index], upper = found->upper[q][place.index];
    if (score < lower - 1e-13 || score > upper + 1e-13 || upper - lower > width)
      ck_abort_msg("%s: %s, score-%d: %.15g, not %.15g to %.15g", w->rules->base.text, text, q + 1, score,
                   lower, upper);
  }
}

static void compare_all(const char *rules, int tokens) {
  char number[8];
  world w;
  snprintf(number, sizeof number, "%d", tokens);
  open_world(rules, number, true, &w);
  const naive_ase_game game = toy_ase_slow_game(w.rules, w.rules->flags.players, tokens);
  naive_ase_world *slow = naive_ase_solve(&game, 0.5);
  for (int i = 0; i < naive_ase_positions(slow); i++) compare(&w, &game, slow, i);
  close_world(&w);
}

static void compare_flags(const char *flags, int tokens) {
  char text[320];
  snprintf(text, sizeof text, "%s,%s", TOY_ASE_BOARD_12, flags);
  compare_all(text, tokens);
}

CASE(two_tokens) {
  compare_all(TOY_ASE_BOARD_12, 2);
}

CASE(flags) {
  const char *set = toy_ase_flags[_i + 1];
  const bool colours = strstr(set, "colours") != NULL, one_left = strcmp(set, "home=one-left") == 0;
  if (suite_is_long() && strcmp(set, "colours=3") != 0) compare_flags(set, colours ? 1 : 2);
  if (!colours && !one_left) compare_flags(set, 1);
}

CASE(three_players) {
  compare_flags("players=3", 1);
  if (!suite_is_long()) return;
  compare_flags("players=3,last-turn=off", 1);
  compare_flags("players=3,lost-turns=die-with-token", 1);
  compare_flags("players=3,interaction=off", 1);
}

CASE(one_of_three_alone) {
  compare_all(TOY_ASE_BOARD_6 ",players=3,alone=3", 1);
  if (suite_is_check()) compare_all(TOY_ASE_BOARD_6 ",players=3,alone=2", 2);
  if (!suite_is_long()) return;
  compare_all(TOY_ASE_BOARD_6 ",players=3,alone=1,last-turn=off", 2);
  compare_all(TOY_ASE_BOARD_6 ",players=3,alone=3,interaction=off", 2);
  compare_all(TOY_ASE_BOARD_7 ",players=3,alone=1", 2);
}

/* --- figures --- */

CASE(figures) {
  static const struct {
    const char *rules;
    double score;
  } known[] = {{"base", 0.503219465746},
               {"board=20", 0.501104833671},
               {"goose-1=off", 0.502998771922},
               {"last-turn=off", 0.507880422631}};
  for (int i = 0; i < 8; i++) {
    const bool by_expand = i % 2;
    if (by_expand && i / 2 != 1 && !suite_is_long()) continue; /* the board of 20 is the quickest */
    world w;
    open_world(known[i / 2].rules, NULL, by_expand, &w);
    const uint32_t slice = w.slices.slices[w.slices.used - 1].slice;
    game_position start;
    game_place place;
    ase->chance->start(w.rules, slice, &start);
    ck_assert(ase->locate(w.rules, &start, &place) && place.slice == slice);
    ck_assert_double_le(w.solved.list[slice].lower[0][place.index], known[i / 2].score + 6e-13);
    ck_assert_double_ge(w.solved.list[slice].upper[0][place.index], known[i / 2].score - 6e-13);
    close_world(&w);
  }
}

SUITE("asesina_solved") {
  TIMEOUT(1800);
  GROUP("slow");
  TEST(two_tokens);
  LOOP(flags, toy_ase_flag_sets - 1);
  TESTS(three_players, one_of_three_alone);
  GROUP("known");
  TEST(figures);
}
