/* Tests the cost of the duties to move and to jump in la oca asesina, and the best use of a 6 with a token in
 * the labyrinth: every count against the slow definition. */
/* Tier: make check */
#include <math.h>

#include "analysis/claims/goose/asesina_duties.h"
#include "analysis/claims/goose/asesina_scores.h"
#include "tests/naive/naive_asesina_match.h"
#include "tests/naive/naive_asesina_solve.h"
#include "tests/support/analysis/claim_figures.h"
#include "tests/support/suite.h"
#include "tests/support/table_fixture.h"
#include "tests/support/toy/toy_asesina_slow.h"

enum { TOKENS = 2, ROLLS = 6, MOST_MORE = 200000 };
static const double clear = 1e-9, width = 1e-11;

static const char *const boards[] = {"base," TOY_ASE_BOARD_6, "base," TOY_ASE_BOARD_7,
                                     "base," TOY_ASE_BOARD_12};

/* --- the slow definition --- */

/* Plain: the board without geese, bridges and dice, on which a token stays where its walk ends. */
typedef struct {
  naive_ase_game game, plain;
  naive_ase_world *world;
  naive_ase_position *more; /* while they are listed: positions after an exception */
  int used;
} slow;

typedef struct {
  bool any;
  double most;
} way;

typedef struct {
  uint64_t choices, better;
  double gain, most;
} slow_duty;

static bool has_finished(const slow *s, const naive_ase_position *at, int seat) {
  int home = 0;
  for (int token = 0; token < TOKENS; token++) home += at->square[seat][token] == s->game.board.home;
  return home == TOKENS;
}

static bool is_looked_at(const slow *s, const naive_ase_position *at) {
  return !naive_ase_must_pass(at) && !at->forced && !has_finished(s, at, !at->seat);
}

static naive_ase_position passed(naive_ase_position at) {
  at.seat = !at.seat;
  return at;
}

/* Where the token of an event would stay; false: it does not jump. */
static bool stays(const slow *s, const naive_ase_position *at, int roll, const naive_ase_event *event,
                  naive_ase_position *out) {
  naive_ase_event events[NAIVE_ASE_MOST_TOKENS];
  const int used = naive_ase_choices(&s->plain, at, roll, events);
  if (event->winners || event->after.seat != at->seat) return false;
  for (int i = 0; i < used; i++)
    if (events[i].token == event->token) *out = events[i].after;
  return true;
}

static double score_of(const slow *s, const naive_ase_event *event, int seat) {
  static const double scores[4] = {0, 1, 0, 0.5};
  double score = scores[event->winners];
  if (!event->winners)
    score = (double)naive_ase_score(s->world, naive_ase_number_of(s->world, &event->after), 0);
  return seat ? 1 - score : score;
}

static void raise_way(way *best, double score) {
  best->most = best->any ? fmax(best->most, score) : score;
  best->any = true;
}

static void count(slow_duty *out, const way *one, const way *against) {
  if (!one->any || !against->any) return;
  const double gain = one->most - against->most;
  out->choices++;
  out->better += gain > clear;
  out->gain += fmax(0, gain);
  out->most = fmax(out->most, gain);
}

/* Without a world positions are listed alone. */
static void look_at_roll(slow *s, const naive_ase_position *at, int roll, slow_duty out[DUTIES]) {
  naive_ase_event events[NAIVE_ASE_MOST_TOKENS], other = {.after = passed(*at)};
  way pass = {false, 0}, legal = {false, 0}, stay = {false, 0}, leave = {false, 0}, others = {false, 0};
  const int used = naive_ase_choices(&s->game, at, roll, events);
  if (events[0].token < 0) return;
  if (!s->world)
    s->more[s->used++] = other.after;
  else
    raise_way(&pass, score_of(s, &other, at->seat));
  for (int i = 0; i < used; i++) {
    const bool jumps = stays(s, at, roll, &events[i], &other.after);
    if (!s->world) {
      if (jumps) s->more[s->used++] = other.after;
      continue;
    }
    const double score = score_of(s, &events[i], at->seat);
    raise_way(&legal, score);
    raise_way(at->square[at->seat][events[i].token] == s->game.board.labyrinth ? &leave : &others, score);
    if (jumps) raise_way(&stay, score_of(s, &other, at->seat));
  }
  count(&out[DUTY_MOVE], &pass, &legal);
  count(&out[DUTY_JUMP], &stay, &legal);
  count(&out[DUTY_STAY], &others, &leave);
  count(&out[DUTY_LEAVE], &leave, &others);
}

static void look_at_all(slow *s, const naive_ase_world *played, slow_duty out[DUTIES]) {
  for (int number = 0; number < naive_ase_positions(played); number++) {
    const naive_ase_position at = naive_ase_position_of(played, number);
    ck_assert_int_lt(s->used, MOST_MORE - ROLLS * (TOKENS + 1));
    for (int roll = 1; roll <= ROLLS && is_looked_at(s, &at); roll++) look_at_roll(s, &at, roll, out);
  }
}

static void count_slowly(const naive_ase_game *game, slow_duty out[DUTIES]) {
  slow s = {.game = *game, .plain = *game, .more = suite_zeros(MOST_MORE, sizeof *s.more)};
  naive_ase_world *played = naive_ase_reach(game);
  ck_assert(s.more && played);
  memset(s.plain.board.geese, 0, sizeof s.plain.board.geese);
  memset(s.plain.board.bridge, 0, sizeof s.plain.board.bridge);
  memset(s.plain.board.dice, 0, sizeof s.plain.board.dice);
  s.plain.board.geese[0] = game->board.home;
  look_at_all(&s, played, out);
  s.world = naive_ase_solve_with(game, s.more, s.used, 0.5);
  ck_assert_ptr_nonnull(s.world);
  look_at_all(&s, played, out);
}

/* --- against the claim's --- */

static void expect_duties(const claim_tables *t, const asesina_table *at, const reached *where) {
  const naive_ase_game game = toy_ase_slow_game(t->rules, 2, TOKENS);
  slow_duty wanted[DUTIES] = {{.choices = 0}}, is[DUTIES] = {{.choices = 0}};
  count_slowly(&game, wanted);
  for (size_t i = 0; i < at->slices.used; i++) {
    survey_trait found[DUTIES];
    asesina_count_duties(t, where, at->slices.slices[i].slice, found);
    for (int kind = 0; kind < DUTIES; kind++) {
      is[kind].choices += found[kind].choices;
      is[kind].better += found[kind].wrong;
      is[kind].gain += ldexp((double)found[kind].cost_2_32, -32);
      is[kind].most = fmax(is[kind].most, found[kind].worst.regret);
      if (!found[kind].choices) continue;
      ck_assert(reached_has(where, (game_place){at->slices.slices[i].slice, found[kind].worst.index}));
    }
  }
  for (int kind = 0; kind < DUTIES; kind++) {
    EXPECT(is[kind].choices == wanted[kind].choices && is[kind].better == wanted[kind].better,
           "duty %d: %lu of %lu, not %lu of %lu", kind, (unsigned long)is[kind].better,
           (unsigned long)is[kind].choices, (unsigned long)wanted[kind].better,
           (unsigned long)wanted[kind].choices);
    ck_assert_double_eq_tol(is[kind].gain, wanted[kind].gain, 1e-4);
    ck_assert_double_eq_tol(is[kind].most, wanted[kind].most, 1e-6);
  }
}

CASE(duties_as_the_slow_definition_says) {
  memory_budget *memory = suite_budget(256 << 20);
  const claim_job job = {.folder = folder, .threads = 2, .memory = memory};
  claim_error out = {.error = TAULER_OK};
  claim_tables t;
  asesina_table at;
  reached where;
  ck_assert_msg(claim_tables_open(&t, &job, &out, "oca-asesina", boards[_i], NULL), "%s", out.message.text);
  build_for_claim(&t, TOKENS, width);
  ck_assert(asesina_table_open(&at, &t, TOKENS));
  const reached_job asked = {
      .game = t.game, .rules = t.rules, .slices = &at.slices, .threads = 2, .memory = memory};
  ck_assert_int_eq(reached_open(&asked, &where, &out.message), TAULER_OK);
  expect_duties(&t, &at, &where);
  ck_assert_int_eq(out.error, TAULER_OK);
  reached_close(&where);
  asesina_table_close(&at);
  claim_tables_close(&t);
}

SUITE("claim_duties") {
  FIXTURE(make_folder, remove_folder);
  TIMEOUT(600);
  LOOP(duties_as_the_slow_definition_says, ROWS(boards));
}
