/* Positions that play from the start leads to, in both games of the goose: against the slow definitions, and
 * against a count from outside the project. */

#include "analysis/slices/reached.h"
#include "games/registry.h"
#include "tests/naive/naive_asesina_solve.h"
#include "tests/naive/naive_oca.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_asesina_slow.h"

static const game *const ase = &oca_asesina_game;
static memory_budget memory;

/* A rule set with so many tokens or players, followed from its start. */
typedef struct {
  const game *game;
  game_rules *rules;
  game_slices slices;
  reached found;
} follow;

static void follow_open(const game *game, const char *rules, const char *largest, int threads, follow *f) {
  *f = (follow){.game = game};
  f->rules = suite_rules(game, rules, NULL);
  f->slices = suite_slices(game, f->rules, &(game_request){.largest = largest});
  const reached_job job = {
      .game = game, .rules = f->rules, .slices = &f->slices, .threads = threads, .memory = &memory};
  memory_budget_open(&memory, UINT64_C(1) << 30);
  if (reached_open(&job, &f->found, hear())) ck_abort_msg("%s: %s", rules, said.text);
}

static void follow_close(follow *f) {
  reached_close(&f->found);
  ck_assert_uint_eq(memory_allocated(&memory), 0);
}

static uint64_t count_all(const follow *f) {
  uint64_t count = 0;
  for (size_t i = 0; i < f->slices.used; i++) count += reached_count(&f->found, f->slices.slices[i].slice);
  return count;
}

/* True if the position of a text is stored, at that place; it must be marked then. */
static bool expect_reached(const follow *f, const char *text, game_place *at) {
  game_position position;
  game_place place;
  if (f->game->parse(f->rules, text, &position, hear())) ck_abort_msg("%s: %s", text, said.text);
  if (!f->game->locate(f->rules, &position, &place)) return false;
  if (!reached_has(&f->found, place)) ck_abort_msg("%s is reached, and not marked", text);
  *at = place;
  return true;
}

/* --- la oca asesina --- */

/* All marks are of slow positions, since there are as many. */
static void expect_slow_asesina(const follow *f, int players, int tokens) {
  const naive_ase_game game = toy_ase_slow_game(f->rules, players, tokens);
  naive_ase_world *world = naive_ase_reach(&game);
  uint64_t stored = 0;
  if (!world) ck_abort_msg("no slow positions of %s", f->game->rules_text(f->rules));
  for (int number = 0; world && number < naive_ase_positions(world); number++) {
    const naive_ase_position slow = naive_ase_position_of(world, number);
    const ase_position position = toy_ase_fast_position(f->rules, &game, &slow);
    game_position at;
    char text[GAME_TEXT_BYTES];
    ase_to_game(&position, &at);
    ase->print(f->rules, &at, text);
    game_place place;
    stored += expect_reached(f, text, &place);
  }
  ck_assert_uint_eq(count_all(f), stored);
}

CASE(asesina_under_every_flag) {
  char text[GAME_TEXT_BYTES];
  follow f;
  if (strstr(toy_ase_flags[_i], "colours")) return;
  snprintf(text, sizeof text, "%s,%s", toy_ase_flags[_i], TOY_ASE_BOARD_7);
  follow_open(ase, text, "2", 2, &f);
  expect_slow_asesina(&f, 2, 2);
  follow_close(&f);
}

static const char *const with_jumps[] = {"base," TOY_ASE_BOARD_6, "base," TOY_ASE_BOARD_12};

CASE(asesina_with_jumps) {
  follow f;
  follow_open(ase, with_jumps[_i], "2", 3, &f);
  expect_slow_asesina(&f, 2, 2);
  follow_close(&f);
}

static int count_on(const naive_ase_position *at, int seat, int square) {
  int count = 0;
  for (int token = 0; token < 3; token++) count += at->square[seat][token] == square;
  return count;
}

static bool has_barriers(const naive_ase_position *at, int square) {
  return (count_on(at, 0, 1) == 2 && count_on(at, 1, square) == 2) ||
         (count_on(at, 0, square) == 2 && count_on(at, 1, 1) == 2);
}

/* Three tokens each, as the claim two-barriers has them: nobody has a token home, and the side to roll has
 * one at the start. */
CASE(asesina_with_barriers_at_both_ends) {
  follow f;
  int last_but_one = 0, last_but_two = 0;
  follow_open(ase, "base," TOY_ASE_BOARD_7, "3", 2, &f);
  const naive_ase_game game = toy_ase_slow_game(f.rules, 2, 3);
  naive_ase_world *world = naive_ase_reach(&game);
  for (int number = 0; world && number < naive_ase_positions(world); number++) {
    const naive_ase_position at = naive_ase_position_of(world, number);
    if (naive_ase_must_pass(&at) || count_on(&at, 0, 7) || count_on(&at, 1, 7)) continue;
    if (!count_on(&at, at.seat, 0)) continue;
    last_but_one += has_barriers(&at, 6);
    last_but_two += has_barriers(&at, 5);
  }
  ck_assert_int_eq(last_but_one, 0);
  ck_assert_int_eq(last_but_two, 24);
  expect_slow_asesina(&f, 2, 3);
  follow_close(&f);
}

CASE(asesina_of_three) {
  follow f;
  follow_open(ase, "players=3," TOY_ASE_BOARD_7, "1", 1, &f);
  expect_slow_asesina(&f, 3, 1);
  follow_close(&f);
}

static bool has_token_on(const follow *f, uint32_t slice, uint64_t index, int square) {
  game_position at;
  ase->position_at(f->rules, (game_place){slice, index}, &at);
  const ase_position position = ase_from_game(&at);
  for (int seat = 0; seat < position.seats; seat++)
    for (int i = 0; i < position.tokens; i++)
      if (position.square[seat][i] == square) return true;
  return false;
}

/* Counted outside the project: of the positions without a token home, stored, reached, and with one on death.
 */
enum { STORED_20 = 323928, REACHED_20 = 89702, ON_DEATH_20 = 59744, DEATH_20 = 16 };

CASE(asesina_on_the_board_of_20) {
  follow f;
  uint64_t on_death = 0;
  follow_open(ase, "base,board=20", "2", 2, &f);
  const uint32_t slice = f.slices.slices[f.slices.used - 1].slice;
  ck_assert_uint_eq(ase->positions(f.rules, slice), STORED_20);
  ck_assert_uint_eq(reached_count(&f.found, slice), REACHED_20);
  for (uint64_t index = 0; index < STORED_20; index++) {
    if (!has_token_on(&f, slice, index, DEATH_20)) continue;
    ck_assert(!reached_has(&f.found, (game_place){slice, index}));
    on_death++;
  }
  ck_assert_uint_eq(on_death, ON_DEATH_20);
  expect_slow_asesina(&f, 2, 2);
  follow_close(&f);
}

/* --- oca --- */

enum { MOST_OCA = 40000, MOST_SQUARES = 64, MOST_LOST = 4 };

/* In the order in which they are found. */
typedef struct {
  naive_oca_rules rules;
  naive_oca_position position[MOST_OCA];
  int used;
  bool seen[2][MOST_SQUARES][MOST_LOST][MOST_SQUARES][MOST_LOST];
} slow_oca;

static void note_place(slow_oca *s, const naive_oca_position *position) {
  const naive_oca_token *one = &position->token[0], *two = &position->token[1];
  bool *seen = &s->seen[position->seat][one->square][one->lost][two->square][two->lost];
  if (*seen) return;
  *seen = true;
  ck_assert_int_lt(s->used, MOST_OCA);
  s->position[s->used++] = *position;
}

/* Positions that differ by the seats' numbers alone have one index. */
CASE(oca_of_two) {
  static slow_oca s;
  char text[NAIVE_OCA_TEXT_BYTES];
  follow f;
  game_place place;
  uint64_t stored = 0;
  const naive_oca_position start = naive_oca_start(&s.rules, 2);
  follow_open(game_find("oca"), NULL, "2", 2, &f);
  bool *seen = suite_zeros(f.slices.slices[0].positions, sizeof *seen);
  note_place(&s, &start);
  for (int number = 0; number < s.used; number++) {
    const naive_oca_position at = s.position[number];
    const bool passes = naive_oca_must_pass(&s.rules, &at);
    for (int roll = 1; roll <= (passes ? 1 : 6); roll++) {
      const naive_oca_event event =
          passes ? naive_oca_pass(&s.rules, &at) : naive_oca_roll(&s.rules, &at, roll);
      if (event.winner == NAIVE_OCA_NOBODY) note_place(&s, &event.after);
    }
    naive_oca_write(&at, text);
    ck_assert(expect_reached(&f, text, &place));
    stored += !seen[place.index];
    seen[place.index] = true;
  }
  ck_assert_uint_eq(count_all(&f), stored);
  follow_close(&f);
}

/* --- resources --- */

CASE(memory_that_is_missing_is_an_error) {
  follow f;
  follow_open(ase, "base," TOY_ASE_BOARD_7, "2", 1, &f);
  reached_close(&f.found);
  const reached_job job = {
      .game = ase, .rules = f.rules, .slices = &f.slices, .threads = 1, .memory = &memory};
  for (uint64_t take = 1; take <= f.slices.used + 2; take++) {
    memory_fail_allocation(&memory, take, false);
    ck_assert_int_eq(reached_open(&job, &f.found, hear()), TAULER_NO_MEMORY);
    ck_assert_uint_eq(memory_allocated(&memory), 0);
    reached_close(&f.found);
  }
  memory_fail_allocation(&memory, 0, false);
  follow_close(&f);
}

SUITE("reached") {
  TIMEOUT(300);
  LOOP(asesina_under_every_flag, toy_ase_flag_sets);
  LOOP(asesina_with_jumps, ROWS(with_jumps));
  TEST(asesina_with_barriers_at_both_ends);
  TEST(asesina_of_three);
  TEST(asesina_on_the_board_of_20);
  TEST(oca_of_two);
  TEST(memory_that_is_missing_is_an_error);
}
