/* Tables of a game of wins, draws and losses, whose depths count on through smaller slices: built at once,
 * and built in several runs. */
#include <unistd.h>

#include "databases/folder.h"
#include "databases/streams.h"
#include "solver/engines/engine.h"
#include "solver/run/build.h"
#include "tests/naive/naive_wdl.h"
#include "tests/support/solver/tables.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_game.h"
#include "tests/support/toy_comm.h"

/* A path to a loss through all slices, and beside each of its positions one that draws. */
static const uint64_t lengths[] = {60, 128,
                                   300}; /* lengths of the path in a slice. 127 + 128 takes two bytes */

enum { LENGTHS = sizeof lengths / sizeof *lengths };

static toy_game *path_through_slices(uint64_t length) {
  toy_game *toy = toy_new(SOLVE_OUTCOMES, 3, (const uint64_t[]){2 * length, 2 * length, 2 * length});
  toy_end(toy, 0, 0, NAIVE_LOSS);
  for (uint32_t s = 0; s < 3; s++) {
    for (uint64_t i = 0; i < length; i++) {
      if (i > 0) toy_quiet(toy, s, i, i - 1);
      if (i == 0 && s > 0) toy_convert(toy, s, 0, 0, s - 1, length - 1);
      toy_quiet(toy, s, length + i, length + i);
    }
  }
  toy_seal(toy, true);
  return toy;
}

static void count_built(void *user, const build_table *table) {
  int *built = user;
  *built += table->built;
}

static tauler_error try_to_build(const toy_game *toy, int *built, tauler_message *message) {
  *built = 0;
  return suite_try_build(
      (build_job){.problem = {.game = &toy->game, .rules = toy->rules}, .report = count_built, .user = built},
      message);
}

static int build_all(const toy_game *toy) {
  int built;
  MUST(try_to_build(toy, &built, hear()));
  return built;
}

static void check_depths(const toy_game *toy, uint64_t length) {
  for (uint32_t s = 0; s < 3; s++) {
    char path[FOLDER_PATH_BYTES];
    table_header header;
    suite_table_path(&toy->game, toy->rules, s, STREAM_DEPTH, &header, path);
    const void *cells = suite_read_table(path, &header);
    const bool wide = header.cell == TABLE_U16;
    ck_assert(wide == ((s + 1) * length > UINT8_MAX));
    for (uint64_t i = 0; i < 2 * length; i++) {
      const uint16_t depth = wide ? ((const uint16_t *)cells)[i] : ((const uint8_t *)cells)[i];
      ck_assert_uint_eq(depth, i < length ? s * length + i : 0);
    }
  }
}

CASE(depths_count_on_through_slices) {
  const uint64_t length = lengths[_i];
  toy_game *toy = path_through_slices(length);
  ck_assert_int_eq(build_all(toy), 6);
  check_depths(toy, length);
  ck_assert_int_eq(build_all(toy), 0);
}

/* A later run has the depths of smaller slices from their tables. */
CASE(depths_count_on_in_a_later_run) {
  const uint64_t length = lengths[_i % LENGTHS];
  const char *stream = _i < LENGTHS ? STREAM_VALUE : STREAM_DEPTH;
  toy_game *toy = path_through_slices(length);
  build_all(toy);
  char path[FOLDER_PATH_BYTES];
  for (uint32_t s = 1; s < 3; s++) {
    suite_table_path(&toy->game, toy->rules, s, stream, NULL, path);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_gt(build_all(toy), 0);
    check_depths(toy, length);
  }
}

/* All slices have the same number of positions. */
CASE(a_table_of_another_slice_is_refused) {
  toy_game *toy = path_through_slices(lengths[0]);
  build_all(toy);
  char from[FOLDER_PATH_BYTES], to[FOLDER_PATH_BYTES];
  suite_table_path(&toy->game, toy->rules, 0, STREAM_VALUE, NULL, from);
  suite_table_path(&toy->game, toy->rules, 1, STREAM_VALUE, NULL, to);
  ck_assert_int_eq(rename(from, to), 0);
  int built;
  REFUSED(TAULER_DAMAGED_FILE, to, try_to_build(toy, &built, hear()));
}

/* --- cells that tables leave out --- */

enum { MOST_RANKS = 3 };

/* Plain digests by slice, of values and depths, and what of them was built. */
typedef struct {
  const toy_game *toy;
  table_digest digests[TOY_SLICES][2];
  int built;
  tauler_error errors[MOST_RANKS];
  tauler_message message;
} outcome_tables;

static void note_digest(void *user, const build_table *table) {
  outcome_tables *found = user;
  found->digests[atoi(table->slice)][strcmp(table->stream, STREAM_DEPTH) == 0] = table->digest;
  found->built += table->built;
}

static void build_as_rank(comm *comm, void *user) {
  outcome_tables *found = user;
  memory_budget *memory = suite_budget(UINT64_C(1) << 31);
  const game_request request = {0};
  const build_job job = {.problem.game = &found->toy->game,
                         .problem.rules = found->toy->rules,
                         .request = &request,
                         .folder = folder,
                         .problem.engine = &engine_retrograde,
                         .level = 1,
                         .work.threads = 1,
                         .work.memory = memory,
                         .work.comm = comm,
                         .report = note_digest,
                         .user = found};
  build_cost cost;
  tauler_message *message = comm_is_root(comm) ? &found->message : NULL;
  found->errors[comm_rank(comm)] = build_tables(&job, &cost, message);
}

static outcome_tables build_by(const toy_game *toy, int ranks) {
  outcome_tables found = {.toy = toy};
  toy_comm_run(ranks, build_as_rank, &found);
  for (int r = 0; r < ranks; r++) ck_assert_msg(!found.errors[r], "%s", found.message.text);
  return found;
}

static void compare_digests(const outcome_tables *found, const outcome_tables *right) {
  for (uint32_t s = 0; s < right->toy->used; s++) {
    for (int i = 0; i < 2; i++) {
      const table_digest is = found->digests[s][i], wanted = right->digests[s][i];
      ck_assert_msg(is.low == wanted.low && is.high == wanted.high, "other %s of slice %u",
                    i ? "depths" : "values", s);
    }
  }
}

static toy_game *random_outcomes(uint64_t positions) {
  const toy_shape shape = {.kind = SOLVE_OUTCOMES,
                           .slices = 3,
                           .positions = {3000, positions, 5000},
                           .most_moves = 3,
                           .ended_percent = 5,
                           .converts_percent = 20,
                           .finishes_percent = 5,
                           .draws_percent = 30};
  return toy_random(&shape, 5, true);
}

static const struct {
  int ranks;
  bool look;
  uint64_t path; /* length of the path in a slice, with wide depths in the second, or 0 for a random game */
  uint64_t positions; /* several chunks of stored cells */
} leaving_out[] = {{1, false, 140, 0}, {2, false, 140, 0}, {1, false, 0, 9000},
                   {1, true, 0, 9000}, {2, true, 0, 9000}, {3, false, 0, 270000}};

enum { LEAVING_OUT = sizeof leaving_out / sizeof *leaving_out };

static const char *const streams[] = {STREAM_VALUE, STREAM_DEPTH};

/* Depths of a later run count on from what came back; tables that leave nothing out say what that is. */
CASE(what_was_left_out_comes_back) {
  const int ranks = leaving_out[_i].ranks;
  const uint64_t path_length = leaving_out[_i].path;
  toy_game *toy = path_length ? path_through_slices(path_length) : random_outcomes(leaving_out[_i].positions);
  toy->game.lookup = NULL;
  const outcome_tables right = build_by(toy, 1);
  make_folder();
  toy_leave_out(toy, 70, leaving_out[_i].look, 3);
  uint64_t left_out = 0;
  for (uint64_t i = 0; i < toy->slices[1].positions; i++) left_out += toy->slices[1].left_out[i];
  ck_assert_uint_gt(left_out, toy->slices[1].positions / 8);
  const outcome_tables first = build_by(toy, ranks);
  ck_assert_int_eq(first.built, 6);
  compare_digests(&first, &right);
  for (uint32_t s = 1; s < 3; s++) {
    char path[FOLDER_PATH_BYTES];
    suite_table_path(&toy->game, toy->rules, s, streams[s % 2], NULL, path);
    ck_assert_int_eq(unlink(path), 0);
    const outcome_tables again = build_by(toy, ranks);
    ck_assert_int_ge(again.built, 1);
    compare_digests(&again, &right);
  }
}

SUITE("build of outcomes") {
  FIXTURE(make_folder, remove_folder);
  LOOP(depths_count_on_through_slices, LENGTHS);
  LOOP(depths_count_on_in_a_later_run, 2 * LENGTHS);
  TEST(a_table_of_another_slice_is_refused);
  LOOP(what_was_left_out_comes_back, LEAVING_OUT);
}
