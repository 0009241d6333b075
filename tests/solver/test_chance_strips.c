/* The engine for games in strips against the general one, which shards nothing with it above the rules, and
 * that neither threads nor ranks change a cell. */
#include "games/registry.h"
#include "solver/engines/chance/sweeps.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_asesina_slow.h"
#include "tests/support/toy_comm.h"
#include "tests/support/toy_store.h"

static const game *const ase = &oca_asesina_game;
/* Of comparisons in the long run and the short one, and of what takes long enough for several threads. */
static const double finest = 1e-9, fine = 1e-6, coarse = 0.9;

static double wanted_width(void) {
  return suite_is_long() ? finest : fine;
}

/* All slices of a rule set, solved one after the other. */
typedef struct {
  game_rules *rules;
  game_slices slices;
  memory_budget *memory;
  chance_slices finished;
} solved;

static solved open_solved(const char *rules, const char *tokens) {
  solved s = {.rules = suite_rules(ase, rules, NULL)};
  const game_request request = {.largest = tokens};
  s.memory = suite_budget(0);
  s.slices = suite_slices(ase, s.rules, &request);
  s.finished.room = game_slices_largest(&s.slices) + 1;
  s.finished.list = suite_zeros(s.finished.room, sizeof *s.finished.list);
  return s;
}

static void close_solved(solved *s) {
  for (uint32_t i = 0; i < s->finished.room; i++) chance_slice_free(s->memory, &s->finished.list[i]);
}

static tauler_error solve_all(solved *s, const chance_engine *engine, double width, int threads, comm *comm) {
  solve_job of = toy_job(ase, s->rules, threads, s->memory);
  of.work.comm = comm;
  const chance_job job = {.job = &of, .finished = &s->finished, .width = width};
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < s->slices.used && !error; i++) {
    const uint32_t slice = s->slices.slices[i].slice;
    if (engine == &chance_strips && !chance_strips_serve(&of.problem, slice))
      ck_abort_msg("%s has no strips", ase->rules_text(s->rules));
    error = chance_solve_by(engine, &job, slice, &s->finished.list[slice], NULL, NULL);
  }
  return error;
}

/* Both have bounds of the same numbers: they overlap. */
static void assert_overlap(const solved *a, const solved *b) {
  for (size_t i = 0; i < a->slices.used; i++) {
    const uint32_t slice = a->slices.slices[i].slice;
    const chance_slice *x = &a->finished.list[slice], *y = &b->finished.list[slice];
    ck_assert_uint_eq(x->positions, y->positions);
    ck_assert_uint_eq(x->endless, y->endless);
    for (uint64_t k = 0; k < x->positions; k++) {
      if (x->lower[0][k] <= y->upper[0][k] && y->lower[0][k] <= x->upper[0][k] &&
          x->upper[0][k] - x->lower[0][k] <= wanted_width())
        continue;
      game_position position;
      char text[GAME_TEXT_BYTES];
      ase->position_at(a->rules, (game_place){slice, k}, &position);
      ase->print(a->rules, &position, text);
      ck_abort_msg("%s: %s is %.12f … %.12f in strips and %.12f … %.12f in general",
                   ase->rules_text(a->rules), text, x->lower[0][k], x->upper[0][k], y->lower[0][k],
                   y->upper[0][k]);
    }
  }
}

static void compare_engines(const char *flags, const char *board, const char *tokens) {
  char rules[GAME_TEXT_BYTES];
  snprintf(rules, sizeof rules, "%s,%s", flags, board);
  solved fast = open_solved(rules, tokens), slow = open_solved(rules, tokens);
  MUST(solve_all(&fast, &chance_strips, wanted_width(), suite_is_long() ? 2 : 1, NULL));
  MUST(solve_all(&slow, &chance_general, wanted_width(), suite_is_long() ? 2 : 1, NULL));
  assert_overlap(&fast, &slow);
  close_solved(&fast);
  close_solved(&slow);
}

static bool has_strips(const char *flags) {
  return !strstr(flags, "die-with-token") && !strstr(flags, "players");
}

/* In the short run on a board of seven squares, where all but three colours take a tenth of a
 * second each. */
CASE(flags_of_two_tokens) {
  for (int i = 0; i < toy_ase_flag_sets; i++) {
    const char *flags = toy_ase_flags[i];
    if (!has_strips(flags) || (!suite_is_long() && strstr(flags, "colours=3"))) continue;
    compare_engines(flags, TOY_ASE_BOARD_7, strstr(flags, "colours") ? "1" : "2");
    if (suite_is_long()) compare_engines(flags, TOY_ASE_BOARD_12, strstr(flags, "colours") ? "1" : "2");
  }
}

/* Jumps, which the seven squares have none of. */
CASE(twelve_squares) {
  compare_engines("base", TOY_ASE_BOARD_12, suite_is_long() ? "3" : "2");
}

CASE(three_tokens) {
  if (suite_is_long()) compare_engines("base", TOY_ASE_BOARD_7, "3");
}

CASE(boards_as_given) {
  if (!suite_is_long()) return;
  compare_engines("base", "board=63", "1");
  compare_engines("base", "board=20", "2");
}

/* --- threads and ranks --- */

static void assert_same(const solved *a, const solved *b) {
  for (size_t i = 0; i < a->slices.used; i++) {
    const uint32_t slice = a->slices.slices[i].slice;
    const chance_slice *x = &a->finished.list[slice], *y = &b->finished.list[slice];
    const size_t bytes = x->positions * sizeof(double);
    ck_assert_int_eq(memcmp(x->lower[0], y->lower[0], bytes), 0);
    ck_assert_int_eq(memcmp(x->upper[0], y->upper[0], bytes), 0);
  }
}

/* Registers of two doubles and of eight, where the processor has both. */
CASE(widths_of_registers) {
  const char *rules = suite_is_long() ? TOY_ASE_BOARD_12 : TOY_ASE_BOARD_7;
  solved wide = open_solved(rules, "3"), narrow = open_solved(rules, "3");
  MUST(solve_all(&wide, &chance_strips, coarse, 1, NULL));
  MUST(solve_all(&narrow, &chance_strips_narrow, coarse, 1, NULL));
  assert_same(&wide, &narrow);
  close_solved(&wide);
  close_solved(&narrow);
}

typedef struct {
  const solved *one;
  int threads;
} rank_work;

static void solve_as_rank(comm *comm, void *user) {
  const rank_work *work = user;
  solved own = open_solved(ase->rules_text(work->one->rules), "2");
  MUST(solve_all(&own, &chance_strips, coarse, work->threads, comm));
  assert_same(work->one, &own);
  close_solved(&own);
}

CASE(threads_and_ranks) {
  solved one = open_solved("board=20", "2");
  MUST(solve_all(&one, &chance_strips, coarse, 1, NULL));
  for (int ranks = 1; ranks <= (suite_is_long() ? 3 : 2); ranks++) {
    rank_work work = {&one, ranks == 1 ? 3 : ranks == 2 ? 2 : 1};
    toy_comm_run(ranks, solve_as_rank, &work);
  }
  close_solved(&one);
}

/* --- sweeps --- */

typedef struct {
  double *lower, *upper;
  uint64_t positions, sweeps;
} watched;

static watched seen; /* an engine's calls have no room for one's own */

static tauler_error watch_sweep(chance_work *work, chance_step step, chance_measures *out,
                                tauler_message *message) {
  const uint64_t n = work->positions;
  if (seen.positions < n) {
    seen.lower = realloc(seen.lower, n * sizeof(double));
    seen.upper = realloc(seen.upper, n * sizeof(double));
    seen.positions = n;
  }
  memcpy(seen.lower, work->lower[0], n * sizeof(double));
  memcpy(seen.upper, work->upper[0], n * sizeof(double));
  const tauler_error error = chance_strips.sweep(work, step, out, message);
  if (step == CHANCE_ENDLESS) return error;
  if (step != CHANCE_BOUNDS) ck_abort_msg("step %d where somebody chooses", step);
  for (uint64_t i = 0; i < n; i++) {
    const double low = work->lower[0][i], high = work->upper[0][i];
    if (!(seen.lower[i] <= low && low <= high && high <= seen.upper[i]))
      ck_abort_msg("position %lu: %g … %g after %g … %g", (unsigned long)i, low, high, seen.lower[i],
                   seen.upper[i]);
  }
  seen.sweeps++;
  return error;
}

CASE(every_sweep_closes_in) {
  chance_engine watching = chance_strips;
  watching.sweep = watch_sweep;
  seen = (watched){NULL, NULL, 0, 0};
  solved s = open_solved(suite_is_long() ? TOY_ASE_BOARD_12 : TOY_ASE_BOARD_7, "2");
  MUST(solve_all(&s, &watching, fine, 1, NULL));
  ck_assert_uint_gt(seen.sweeps, 50);
  close_solved(&s);
  free(seen.lower);
  free(seen.upper);
}

CASE(little_memory) {
  for (uint64_t take = 1;; take++) {
    solved s = open_solved(TOY_ASE_BOARD_7, "1");
    memory_fail_allocation(s.memory, take, false);
    const tauler_error error = solve_all(&s, &chance_strips, fine, 2, NULL);
    close_solved(&s);
    if (error == TAULER_OK) break;
    ck_assert_int_eq(error, TAULER_NO_MEMORY);
    ck_assert_uint_lt(take, 1000);
  }
}

SUITE("chance_strips") {
  TESTS(flags_of_two_tokens, twelve_squares, three_tokens, boards_as_given, widths_of_registers,
        threads_and_ranks, every_sweep_closes_in, little_memory);
}
