/* Matches of policies in la oca asesina: exact values against the slow definition, against tables, and
 * against games played out. */
/* Tier: make check */
#include <math.h>

#include "analysis/dice/matches.h"
#include "games/registry.h"
#include "tests/naive/naive_asesina_match.h"
#include "tests/support/analysis/contest.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"

enum { SIGMAS = 4 };

static const game *const ase = &oca_asesina_game;

static double width(void) {
  return suite_is_long() ? 1e-9 : 1e-6;
}

static match_job job_of(contest *t, simulate_policy raises, simulate_policy lowers) {
  return (match_job){.game = ase,
                     .rules = t->rules,
                     .slices = &t->slices,
                     .raises = raises,
                     .lowers = lowers,
                     .width = width(),
                     .threads = 1,
                     .memory = t->memory};
}

static match_result play(contest *t, simulate_policy raises, simulate_policy lowers) {
  const match_job job = job_of(t, raises, lowers);
  match_result found;
  if (match_solve(&job, &found, hear())) ck_abort_msg("%s: %s", t->rules->base.text, said.text);
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

/* --- against the slow one --- */

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
  contest_open(rules, number, &t);
  const naive_ase_game game = toy_ase_slow_game(t.rules, 2, tokens);
  naive_ase_world *world = naive_ase_solve(&game, 0.5);
  for (size_t pair = step > 1 ? 3 : 0; pair < CONTEST_POLICIES * CONTEST_POLICIES; pair += step) {
    const size_t first = pair / CONTEST_POLICIES, second = pair % CONTEST_POLICIES;
    const naive_ase_match slow =
        naive_ase_play_match(world, &game, (naive_ase_policy)first, (naive_ase_policy)second);
    const match_result found = play_simple(&t, first, second);
    snprintf(what, sizeof what, "%.200s: %s against %s", t.rules->base.text,
             ase->chance->policies->names[first], ase->chance->policies->names[second]);
    expect_within(what, &found, POLICY_SCORE, slow.score);
    expect_within(what, &found, POLICY_TURNS, slow.turns);
  }
}

CASE(short_board) {
  /* a player who leaves the labyrinth rolls again */
  compare_matches(TOY_ASE_BOARD_7 ",labyrinth-exit=roll", 2, suite_is_long() ? 1 : 7);
  if (suite_is_long()) compare_matches(TOY_ASE_BOARD_7, 2, 1);
}

/* Rolls are cut into six. */
CASE(three_choices) {
  if (suite_is_long()) compare_matches(TOY_ASE_BOARD_7 ",colours=3", 1, 12);
}

CASE(all_kinds_of_squares) {
  if (suite_is_long()) compare_matches(TOY_ASE_BOARD_12, 2, 1);
}

CASE(flags) {
  char text[320];
  if (!suite_is_long()) return;
  const char *set = toy_ase_flags[_i + 1];
  snprintf(text, sizeof text, "%s,%s", TOY_ASE_BOARD_12, set);
  compare_matches(text, strstr(set, "colours") ? 1 : 2, 4);
}

/* --- against tables --- */

/* Reads the bounds of the start, of seat 1, in the tables. */
static void read_start(const contest *t, tauler_tables *tables, double *lower, double *upper) {
  const uint32_t slice = t->slices.slices[t->slices.used - 1].slice;
  game_position start;
  char text[GAME_TEXT_BYTES];
  tauler_worth worth;
  ase->chance->start(t->rules, slice, &start);
  ase->print(t->rules, &start, text);
  MUST(tauler_value(tables, text, &worth, hear()));
  *lower = worth.lower;
  *upper = worth.upper;
}

CASE(the_best_moves_come_to_the_tables) {
  tauler_tables *tables = contest_build(TOY_ASE_BOARD_7, "2");
  contest t;
  contest_open(TOY_ASE_BOARD_7, "2", &t);
  match_best best;
  match_best_open(&best, tables);
  double lower, upper, gained = 0;
  read_start(&t, tables, &lower, &upper);
  match_result found = play(&t, match_policy_best(&best), match_policy_best(&best));
  ck_assert_double_le(found.lower[POLICY_SCORE], upper);
  ck_assert_double_ge(found.upper[POLICY_SCORE], lower);
  for (size_t p = 0; p < CONTEST_POLICIES; p += suite_is_long() ? 1 : CONTEST_POLICIES) {
    found = play(&t, match_policy_best(&best), match_policy(&t.simple[p]));
    ck_assert_double_ge(found.upper[POLICY_SCORE], lower - width());
    gained = fmax(gained, found.lower[POLICY_SCORE] - upper);
    found = play(&t, match_policy(&t.simple[p]), match_policy_best(&best));
    ck_assert_double_le(found.lower[POLICY_SCORE], upper + width());
  }
  ck_assert_double_gt(gained, 0.01);
  ck_assert_int_eq(best.error, TAULER_OK);
}

CASE(missing_tables_are_named) {
  contest t;
  tauler_tables *tables;
  contest_open(TOY_ASE_BOARD_7, "2", &t);
  game_rules *own; /* by the tables */
  MUST(ase->open(TOY_ASE_BOARD_7, NULL, &own, hear()));
  MUST(tables_select(contest_db, ase, own, &tables, hear()));
  match_best best;
  match_best_open(&best, tables);
  const match_job job = job_of(&t, match_policy_best(&best), match_policy(&t.simple[0]));
  match_result found;
  ck_assert_int_ne(match_solve(&job, &found, hear()), TAULER_OK);
  ck_assert_int_eq(best.error, TAULER_TABLE_MISSING);
  ck_assert_ptr_nonnull(strstr(best.message.text, "tauler build"));
}

/* --- against games played out --- */

static void expect_mean(const match_result *found, const simulate_result *played, size_t first,
                        size_t second) {
  const double middle = (found->lower[POLICY_SCORE] + found->upper[POLICY_SCORE]) / 2;
  const double off = (played->mean[0] - middle) / played->error[0];
  ck_assert_uint_eq(played->given_up, 0);
  ck_assert_msg(fabs(off) < SIGMAS, "%zu against %zu: %.6f ± %.6f, not %.6f", first, second, played->mean[0],
                played->error[0], middle);
}

CASE(games_played_out) {
  contest t;
  contest_open(TOY_ASE_BOARD_7, "2", &t);
  game_position start;
  ase->chance->start(t.rules, t.slices.slices[t.slices.used - 1].slice, &start);
  for (size_t pair = 0; pair < CONTEST_POLICIES * CONTEST_POLICIES; pair += suite_is_long() ? 1 : 25) {
    const size_t first = (pair + 3) / CONTEST_POLICIES % CONTEST_POLICIES,
                 second = (pair + 3) % CONTEST_POLICIES;
    const match_result found = play_simple(&t, first, second);
    const simulate_job job = {.game = ase,
                              .rules = t.rules,
                              .start = &start,
                              .raises = match_policy(&t.simple[first]),
                              .lowers = match_policy(&t.simple[second]),
                              .games = suite_is_long() ? 1000000 : SOME(8000, 20000),
                              .seed = pair,
                              .threads = 2,
                              .memory = t.memory};
    simulate_result played;
    MUST(simulate(&job, &played, hear()));
    expect_mean(&found, &played, first, second);
  }
}

/* --- what is counted --- */

/* Two tokens in the labyrinth and two on the square just behind it, to which it leads, never move again: by
 * hand 4 positions, by who is where and who rolls, and each once more with a turn to lose, which nobody can
 * have lost there. */
enum { STUCK_REACHED = 4, STUCK_STORED = 8 };

/* The larger board takes ten seconds. */
static const struct {
  const char *rules;
  int out_of_labyrinth;
} stuck_boards[] = {{"board=length-5_geese-5_bridges-none_dice-none_inn-1-1_prison-none_well-none_labyrinth-"
                     "3-to-2_death-4-to-0",
                     2},
                    {"board=length-7_geese-7_bridges-none_dice-none_inn-2-1_prison-none_well-none_labyrinth-"
                     "5-to-4_death-6-to-0",
                     4}};

static uint64_t count_rolling(const naive_ase_world *world) {
  uint64_t count = 0;
  for (int number = 0; number < naive_ase_positions(world); number++) {
    const naive_ase_position at = naive_ase_position_of(world, number);
    count += !naive_ase_must_pass(&at);
  }
  return count;
}

CASE(positions_are_those_that_play_reaches) {
  contest t;
  reached where;
  match_result found[2];
  contest_open(stuck_boards[_i / 2].rules, "2", &t);
  naive_ase_game game = toy_ase_slow_game(t.rules, 2, 2);
  game.board.prison = game.board.prison_turns = 0;
  game.board.out_of_labyrinth = stuck_boards[_i / 2].out_of_labyrinth;
  naive_ase_world *world = naive_ase_reach(&game);
  const reached_job follow = {
      .game = ase, .rules = t.rules, .slices = &t.slices, .threads = 1, .memory = t.memory};
  MUST(reached_open(&follow, &where, hear()));
  match_job job = job_of(&t, match_policy(&t.simple[NAIVE_ASE_REARMOST]), match_policy(&t.simple[_i % 2]));
  job.width = 0.5;
  uint64_t stored = 0;
  for (size_t i = 0; i < t.slices.used; i++) stored += t.slices.slices[i].positions;
  for (int every = 0; every < 2; every++) {
    job.reached = every ? NULL : &where;
    MUST(match_solve(&job, &found[every], hear()));
  }
  ck_assert_uint_eq(found[0].positions, count_rolling(world));
  ck_assert_uint_eq(found[1].positions, stored);
  ck_assert_int_eq(naive_ase_count_endless(world, &game, NAIVE_ASE_REARMOST, (naive_ase_policy)(_i % 2)),
                   STUCK_REACHED);
  ck_assert_uint_eq(found[0].endless, STUCK_REACHED);
  ck_assert_uint_eq(found[1].endless, STUCK_STORED);
  for (int q = 0; q < POLICY_QUANTITIES; q++) {
    ck_assert_double_le(found[0].lower[q], found[1].upper[q]);
    ck_assert_double_le(found[1].lower[q], found[0].upper[q]);
  }
  reached_close(&where);
}

/* --- what else --- */

CASE(threads_do_not_matter) {
  contest t;
  contest_open(TOY_ASE_BOARD_7, "2", &t);
  match_job job = job_of(&t, match_policy(&t.simple[0]), match_policy(&t.simple[3]));
  match_result one, three;
  MUST(match_solve(&job, &one, hear()));
  job.threads = 3;
  MUST(match_solve(&job, &three, hear()));
  ck_assert_mem_eq(&one, &three, sizeof one);
}

CASE(memory_is_planned) {
  contest t;
  contest_open(TOY_ASE_BOARD_7, "2", &t);
  match_job job = job_of(&t, match_policy(&t.simple[1]), match_policy(&t.simple[2]));
  match_result found;
  job.memory = suite_budget(1 << 18);
  REFUSED(TAULER_NO_MEMORY, "match", match_solve(&job, &found, hear()));
}

static int fail_to_pick(const void *user, const game_rules *rules, const game_position *position, size_t roll,
                        const game_moves *moves) {
  return -1 - TAULER_NO_MEMORY;
}

CASE(an_error_of_a_policy_ends_a_match) {
  contest t;
  contest_open(TOY_ASE_BOARD_7, "2", &t);
  const match_job job = job_of(&t, match_policy(&t.simple[0]), (simulate_policy){fail_to_pick, NULL});
  match_result found;
  ck_assert_int_eq(match_solve(&job, &found, hear()), TAULER_NO_MEMORY);
}

CASE(nobody_chooses_in_oca) {
  const game *oca = game_find("oca");
  game_rules *rules = suite_rules(oca, NULL, NULL);
  const game_slices slices = suite_slices(oca, rules, &(game_request){.largest = "2"});
  const match_job job = {
      .game = oca, .rules = rules, .slices = &slices, .threads = 1, .memory = suite_budget(1 << 20)};
  match_result found;
  REFUSED(TAULER_BAD_USAGE, "nobody chooses in oca", match_solve(&job, &found, hear()));
}

SUITE("matches") {
  GROUP("slow");
  TIMEOUT(1800);
  TESTS(short_board, three_choices, all_kinds_of_squares);
  LOOP(flags, toy_ase_flag_sets - 1);
  GROUP("tables");
  FIXTURE(contest_open_folder, NULL);
  TESTS(the_best_moves_come_to_the_tables, missing_tables_are_named);
  GROUP("rest");
  TIMEOUT(1800);
  LOOP(positions_are_those_that_play_reaches, SOME(1, 4));
  TESTS(games_played_out, threads_do_not_matter, memory_is_planned, an_error_of_a_policy_ends_a_match,
        nobody_chooses_in_oca);
}
