/* Builds of games with words in levels, by threads and ranks: whatever the way, tables are those of the
 * general engine, and memory is kept to and given back. */
#include <unistd.h>

#include "databases/streams.h"
#include "parallel/workers.h"
#include "solver/engines/bitboard/bitboard.h"
#include "solver/engines/engine.h"
#include "solver/run/build.h"
#include "tests/support/rules.h"
#include "tests/support/solver/tables.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_levels.h"
#include "tests/support/toy_comm.h"
#include "tests/support/toy_disk.h"

enum { MOST_RANKS = 5, TABLES = 2 * TOY_LEVELS_SLICES };

static toy_game *toy;

static void empty_folder(void) {
  make_folder();
}

static void open_build(void) {
  make_folder();
  toy = toy_levels_random(400, 11);
}

static void tear_down(void) {
  toy_levels_free(toy);
}

/* A table as it was reported. */
typedef struct {
  char slice[16], stream[16];
  table_digest digest;
  bool built;
} line;

typedef struct {
  line lines[2 * TABLES];
  size_t used;
} listing;

typedef struct {
  int ranks, threads;
  bool general;
  uint64_t limit;     /* bytes, or 0 for no limit */
  uint64_t fail_take; /* ordinal of the allocation that fails on each rank */
  int failing_rank;   /* rank whose comm breaks at `failing_call`, or −1 */
  uint64_t failing_call;
  int stops_at; /* ordinal of the stop question that is answered yes, or 0 */
  int asked[MOST_RANKS];
  listing listed;
  tauler_error errors[MOST_RANKS];
  tauler_message messages[MOST_RANKS];
  uint64_t peak[MOST_RANKS], planned;
  build_cost cost;
} attempt;

typedef struct {
  attempt *a;
  int rank;
} rank_call;

static void note_line(void *user, const build_table *table) {
  const rank_call *call = user;
  ck_assert_int_eq(call->rank, 0);
  listing *all = &call->a->listed;
  ck_assert_uint_lt(all->used, 2 * TABLES);
  line *to = &all->lines[all->used++];
  *to = (line){.digest = table->digest, .built = table->built};
  snprintf(to->slice, sizeof to->slice, "%s", table->slice);
  snprintf(to->stream, sizeof to->stream, "%s", table->stream);
  ck_assert_uint_eq(table->positions, toy->slices[atoi(table->slice)].positions);
  ck_assert_uint_gt(table->file_bytes, 0);
}

static bool stops(void *user) {
  const rank_call *call = user;
  return ++call->a->asked[call->rank] == call->a->stops_at && call->rank == 0;
}

static void build_as_rank(comm *comm, void *user) {
  attempt *a = user;
  rank_call call = {a, comm_rank(comm)};
  memory_budget *memory = suite_budget(a->limit ? a->limit : UINT64_C(1) << 30);
  if (a->fail_take) memory_fail_allocation(memory, a->fail_take, false);
  const game_request request = {0};
  const build_job job = {.problem.game = &toy->game,
                         .problem.rules = toy->rules,
                         .request = &request,
                         .folder = folder,
                         .problem.engine = a->general ? &engine_retrograde : NULL,
                         .level = 1,
                         .work.threads = a->threads,
                         .work.memory = memory,
                         .work.comm = comm,
                         .stop = stops,
                         .report = note_line,
                         .user = &call};
  build_cost cost;
  a->errors[call.rank] = build_tables(&job, &cost, &a->messages[call.rank]);
  a->peak[call.rank] = memory_peak(memory);
  if (call.rank == 0) a->cost = cost;
  build_plan plan;
  const game_slices slices = suite_slices(&toy->game, toy->rules, &request);
  const tauler_error error = build_plan_for(&job, &slices, NULL, comm_ranks(comm), &plan, NULL);
  if (call.rank == 0 && !error) a->planned = plan.memory;
}

static attempt attempt_of(int ranks, int threads) {
  return (attempt){.ranks = ranks, .threads = threads, .failing_rank = -1};
}

/* The error that all ranks met. */
static tauler_error try_to_build(attempt *a) {
  toy_comm_run_failing(a->ranks, a->failing_rank, a->failing_call, build_as_rank, a);
  const toy_bitboards *words = toy->more;
  ck_assert_uint_eq(words->opened, 0);
  for (int r = 1; r < a->ranks && a->failing_rank < 0; r++) {
    ck_assert_int_eq(a->errors[r], a->errors[0]);
    if (a->errors[0]) ck_assert_str_eq(a->messages[r].text, a->messages[0].text);
  }
  return a->errors[0];
}

static attempt build(int ranks, int threads) {
  attempt a = attempt_of(ranks, threads);
  const tauler_error error = try_to_build(&a);
  ck_assert_msg(!error, "%s", a.messages[0].text);
  return a;
}

/* The result of the general engine, computed once per test. */
static listing find_right(void) {
  attempt a = attempt_of(1, 1);
  a.general = true;
  ck_assert_msg(!try_to_build(&a), "%s", a.messages[0].text);
  ck_assert_uint_eq(a.listed.used, TABLES);
  empty_folder();
  return a.listed;
}

static bool is_same_table(const line *a, const line *b) {
  return strcmp(a->slice, b->slice) == 0 && strcmp(a->stream, b->stream) == 0 &&
         a->digest.low == b->digest.low && a->digest.high == b->digest.high;
}

static void check_listing(const listing *found, const listing *right) {
  ck_assert_uint_eq(found->used, right->used);
  for (size_t i = 0; i < right->used; i++) {
    const line *is = &found->lines[i], *wanted = &right->lines[i];
    ck_assert_msg(is_same_table(is, wanted), "line %zu is %s.%s, not %s.%s, or has other cells", i, is->slice,
                  is->stream, wanted->slice, wanted->stream);
    ck_assert(is->built);
  }
}

/* --- needs that are wrong --- */

static tauler_error need_itself(const game_rules *rules, uint32_t slice, game_slices *out,
                                tauler_message *message) {
  *out = (game_slices){calloc(1, sizeof *out->slices), 1};
  out->slices[0] = (game_slice){slice, false, 1};
  return TAULER_OK;
}

static tauler_error need_strangers(const game_rules *rules, uint32_t slice, game_slices *out,
                                   tauler_message *message) {
  const tauler_error error = need_itself(rules, slice, out, message);
  out->slices[0].slice = 1000;
  return error;
}

CASE(needs_that_are_not_before_are_refused) {
  toy->game.needs = _i ? need_strangers : need_itself;
  attempt a = attempt_of(2, 1);
  ck_assert_int_eq(try_to_build(&a), TAULER_INTERNAL);
}

/* --- builds --- */

static const struct { int ranks, threads; } ways[] = {{1, 1}, {1, 3}, {2, 1}, {3, 2}, {5, 1}};
enum { WAYS = sizeof ways / sizeof *ways };

CASE(tables_are_those_of_the_general_engine) {
  const listing right = find_right();
  attempt a = build(ways[_i].ranks, ways[_i].threads);
  check_listing(&a.listed, &right);
  for (int r = 0; r < a.ranks; r++) ck_assert_uint_le(a.peak[r], a.planned);
  uint64_t positions = 0;
  for (uint32_t s = 0; s < toy->used; s++) positions += toy->slices[s].positions;
  ck_assert_uint_eq(a.cost.positions_solved, positions);
  ck_assert(a.cost.solving > 0 && a.cost.writing > 0 && a.cost.solving_wall > 0);
}

/* Fewer slices are in work at once, down to one. */
CASE(tables_are_the_same_with_less_memory) {
  const listing right = find_right();
  attempt most = build(_i ? 2 : 1, 3);
  ck_assert_uint_le(most.peak[0], most.planned);
  int built = 0;
  uint64_t less = most.planned, tight = 0;
  for (;; built++) {
    empty_folder();
    attempt a = attempt_of(most.ranks, 3);
    a.limit = less;
    const tauler_error error = try_to_build(&a);
    if (error) {
      ck_assert_int_eq(error, TAULER_NO_MEMORY);
      break;
    }
    check_listing(&a.listed, &right);
    ck_assert_uint_le(a.planned, less);
    for (int r = 0; r < a.ranks; r++) ck_assert_uint_le(a.peak[r], a.planned);
    tight = less;
    less -= 700;
  }
  ck_assert_int_ge(built, _i ? 1 : 2); /* with ranks, the largest level has one slice for each */
  ck_assert(_i || tight < most.planned);
}

CASE(a_build_with_everything_there_does_nothing) {
  toy_bitboards *words = toy->more;
  build(1, 2);
  words->begun = words->recovered = 0;
  attempt a = build(_i + 1, 2);
  ck_assert_uint_eq(a.listed.used, TABLES);
  for (size_t i = 0; i < TABLES; i++) ck_assert(!a.listed.lines[i].built);
  ck_assert_uint_eq(words->begun + words->recovered, 0);
}

static uint64_t tiles_of(uint32_t slice) {
  game_bitboards_plan plan;
  toy->game.bitboards->plan(toy->rules, slice, &plan);
  return plan.tiles;
}

/* Only what a missing slice needs is loaded. */
CASE(a_missing_table_is_built_again) {
  toy_bitboards *words = toy->more;
  const attempt first = build(1, 2);
  for (uint32_t s = 0; s < toy->used; s++) {
    const char *stream = s % 2 ? STREAM_VALUE : STREAM_DEPTH;
    char path[FOLDER_PATH_BYTES];
    suite_table_path(&toy->game, toy->rules, s, stream, NULL, path);
    ck_assert_int_eq(unlink(path), 0);
    words->begun = words->recovered = 0;
    const attempt a = build(1 + (int)s % 3, 1 + (int)s % 2);
    ck_assert_uint_eq(a.listed.used, TABLES);
    const line *built = &a.listed.lines[TABLES - 1];
    for (size_t i = 0; i < TABLES; i++) ck_assert_int_eq(a.listed.lines[i].built, i == TABLES - 1);
    ck_assert(is_same_table(built, &first.listed.lines[2 * s + (s % 2 ? 0 : 1)]));
    bool needs[TOY_LEVELS_SLICES] = {false};
    uint64_t tiles = 0;
    toy_levels_need_all(toy, s, needs);
    for (uint32_t i = 0; i < s; i++) tiles += needs[i] ? tiles_of(i) : 0;
    ck_assert_uint_eq(words->begun, tiles_of(s));
    const uint64_t passes = 2; /* by the rank alone that solves the slice */
    ck_assert_uint_eq(words->recovered, passes * tiles);
  }
}

CASE(several_missing_slices_are_built_again) {
  const listing right = find_right();
  build(1, 1);
  const uint32_t gone[] = {0, 5, 8};
  for (size_t i = 0; i < 3; i++) {
    char path[FOLDER_PATH_BYTES];
    suite_table_path(&toy->game, toy->rules, gone[i], STREAM_VALUE, NULL, path);
    ck_assert_int_eq(unlink(path), 0);
    suite_table_path(&toy->game, toy->rules, gone[i], STREAM_DEPTH, NULL, path);
    ck_assert_int_eq(unlink(path), 0);
  }
  const attempt a = build(2, 2);
  ck_assert_uint_eq(a.listed.used, TABLES);
  for (size_t i = 0; i < 6; i++) {
    const line *is = &a.listed.lines[TABLES - 6 + i];
    ck_assert(is->built && is_same_table(is, &right.lines[2 * gone[i / 2] + i % 2]));
  }
}

/* --- what goes wrong --- */

/* Slices built before an error are listed once, in the solving order, and count. */
static void go_on_and_check(const attempt *failed, const listing *right) {
  int last = -1;
  for (size_t i = 0; i < failed->listed.used; i++) {
    const int slice = atoi(failed->listed.lines[i].slice);
    ck_assert_int_ge(slice, last);
    last = slice;
  }
  attempt a = build(failed->ranks, failed->threads);
  ck_assert_uint_eq(a.listed.used, right->used);
  size_t kept = 0;
  for (size_t i = 0; i < right->used; i++) {
    size_t met = 0;
    for (size_t k = 0; k < a.listed.used; k++) met += is_same_table(&a.listed.lines[k], &right->lines[i]);
    ck_assert_uint_eq(met, 1);
    kept += !a.listed.lines[i].built;
  }
  ck_assert_uint_ge(kept, failed->listed.used);
}

CASE(one_slice_that_fails_ends_the_build) {
  const listing right = find_right();
  toy_bitboards *words = toy->more;
  attempt a = attempt_of(ways[_i].ranks, ways[_i].threads);
  words->failing_slice = 5;
  ck_assert_int_eq(try_to_build(&a), TAULER_INTERNAL);
  ck_assert_msg(strstr(a.messages[0].text, "slice 5"), "%s", a.messages[0].text);
  words->failing_slice = 0;
  ck_assert_uint_gt(a.listed.used, 0);
  ck_assert_uint_lt(a.listed.used, TABLES);
  go_on_and_check(&a, &right);
}

CASE(a_full_disk_ends_the_build) {
  const listing right = find_right();
  attempt a = attempt_of(ways[_i].ranks, ways[_i].threads);
  toy_limit_files(1100);
  const tauler_error error = try_to_build(&a);
  toy_limit_files(0);
  ck_assert_int_eq(error, TAULER_NO_SPACE);
  go_on_and_check(&a, &right);
}

CASE(memory_may_fail_anywhere) {
  const listing right = find_right();
  attempt a = attempt_of(ways[_i].ranks, ways[_i].threads);
  uint64_t nth = 1;
  int failed = 0;
  for (;; nth += 1 + nth / 3) {
    a = attempt_of(ways[_i].ranks, ways[_i].threads);
    a.fail_take = nth;
    const tauler_error error = try_to_build(&a);
    if (!error) break;
    ck_assert_int_eq(error, TAULER_NO_MEMORY);
    failed++;
    if (nth % 2) empty_folder();
  }
  ck_assert_int_ge(failed, 5);
  empty_folder();
  a = build(ways[_i].ranks, ways[_i].threads);
  check_listing(&a.listed, &right);
}

CASE(a_build_that_is_stopped_goes_on) {
  const listing right = find_right();
  for (int at = 1; at < 6; at++) {
    attempt a = attempt_of(ways[_i].ranks, ways[_i].threads);
    a.stops_at = at;
    const tauler_error error = try_to_build(&a);
    if (!error) {
      check_listing(&a.listed, &right);
    } else {
      ck_assert_int_eq(error, TAULER_STOPPED);
      ck_assert_uint_lt(a.listed.used, TABLES);
      if (at == 1) ck_assert_uint_eq(a.listed.used, 0);
      go_on_and_check(&a, &right);
    }
    ck_assert(at > 1 || error);
    empty_folder();
  }
}

CASE(ranks_that_lose_each_other_end) {
  int lost = 0;
  for (uint64_t call = 5; call < 60; call += 6) {
    attempt a = attempt_of(3, 2);
    a.failing_rank = (int)(call % 3);
    a.failing_call = call;
    (void)try_to_build(&a);
    for (int r = 0; r < 3; r++) lost += a.errors[r] == TAULER_IO;
    empty_folder();
  }
  ck_assert_int_ge(lost, 3);
}

static void do_nothing(void *user, worker *self) {}

SUITE("build of words") {
  workers_run(2, do_nothing, NULL); /* libomp 14 under its checker wants its first threads here */
  FIXTURE(open_build, tear_down);
  GROUP("needs");
  LOOP(needs_that_are_not_before_are_refused, 2);
  GROUP("builds");
  LOOP(tables_are_those_of_the_general_engine, WAYS);
  LOOP(tables_are_the_same_with_less_memory, 2);
  LOOP(a_build_with_everything_there_does_nothing, 2);
  TESTS(a_missing_table_is_built_again, several_missing_slices_are_built_again);
  GROUP("faults");
  LOOP(one_slice_that_fails_ends_the_build, 4);
  LOOP_FROM(a_full_disk_ends_the_build, 1, 3);
  LOOP_FROM(memory_may_fail_anywhere, 1, 3);
  LOOP_FROM(a_build_that_is_stopped_goes_on, 1, 3);
  TEST(ranks_that_lose_each_other_end);
}
