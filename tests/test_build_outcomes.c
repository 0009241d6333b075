/* Tables of a game of wins, draws and losses, whose depths count on through smaller slices: built at once,
 * and built in several runs. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "databases/folder.h"
#include "databases/streams.h"
#include "solver/build.h"
#include "tests/naive/naive_wdl.h"
#include "tests/toy_game.h"

static char folder[256];

static void make_folder(void) {
  const char *above = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%s/tauler-outcomes-XXXXXX", above ? above : "/tmp");
  ck_assert_msg(mkdtemp(folder) != NULL, "cannot create a folder for the test");
}

static void remove_folder(void) {
  char command[300];
  snprintf(command, sizeof command, "rm -r '%s'", folder);
  ck_assert_int_eq(system(command), 0);
}

/* A path to a loss through all slices, and beside each of its positions one that draws. */
static const uint64_t lengths[] = {60, 128, 300}; /* of the path in a slice; 127 + 128 takes two bytes */

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
  memory_budget memory;
  memory_budget_open(&memory, 0);
  *built = 0;
  const game_request request = {0};
  const build_job job = {.game = &toy->game,
                         .rules = toy->rules,
                         .request = &request,
                         .folder = folder,
                         .level = 1,
                         .threads = 2,
                         .memory = &memory,
                         .report = count_built,
                         .user = built};
  build_cost cost;
  const tauler_error error = build_tables(&job, &cost, message);
  ck_assert_uint_eq(memory_taken(&memory), 0);
  return error;
}

static int build_all(const toy_game *toy) {
  int built;
  tauler_message message = {""};
  ck_assert_msg(!try_to_build(toy, &built, &message), "%s", message.text);
  return built;
}

static void path_of_table(const toy_game *toy, uint32_t slice, const char *stream,
                          char path[FOLDER_PATH_BYTES]) {
  table_header header;
  build_header(&toy->game, toy->rules, slice, stream, &header);
  ck_assert_int_eq(folder_table_path(folder, &header, path, NULL), TAULER_OK);
}

static void check_depths(const toy_game *toy, uint64_t length) {
  for (uint32_t s = 0; s < 3; s++) {
    char path[FOLDER_PATH_BYTES];
    table *depths;
    tauler_message message = {""};
    path_of_table(toy, s, STREAM_DEPTH, path);
    ck_assert_msg(!table_open(path, &depths, &message), "%s", message.text);
    const bool wide = table_get_header(depths)->cell == TABLE_U16;
    ck_assert(wide == ((s + 1) * length > UINT8_MAX));
    for (uint64_t i = 0; i < 2 * length; i++) {
      uint16_t depth = 0;
      ck_assert_int_eq(table_read(depths, i, 1, &depth, NULL), TAULER_OK);
      ck_assert_uint_eq(depth, i < length ? s * length + i : 0);
    }
    table_close(depths);
  }
}

START_TEST(depths_count_on_through_slices) {
  const uint64_t length = lengths[_i];
  toy_game *toy = path_through_slices(length);
  ck_assert_int_eq(build_all(toy), 6);
  check_depths(toy, length);
  ck_assert_int_eq(build_all(toy), 0);
  toy_free(toy);
}
END_TEST

/* A later run has the depths of smaller slices from their tables. */
START_TEST(depths_count_on_in_a_later_run) {
  const uint64_t length = lengths[_i % LENGTHS];
  const char *stream = _i < LENGTHS ? STREAM_VALUE : STREAM_DEPTH;
  toy_game *toy = path_through_slices(length);
  build_all(toy);
  char path[FOLDER_PATH_BYTES];
  for (uint32_t s = 1; s < 3; s++) {
    path_of_table(toy, s, stream, path);
    ck_assert_int_eq(unlink(path), 0);
    ck_assert_int_gt(build_all(toy), 0);
    check_depths(toy, length);
  }
  toy_free(toy);
}
END_TEST

/* All slices have the same number of positions. */
START_TEST(a_table_of_another_slice_is_refused) {
  toy_game *toy = path_through_slices(lengths[0]);
  build_all(toy);
  char from[FOLDER_PATH_BYTES], to[FOLDER_PATH_BYTES];
  path_of_table(toy, 0, STREAM_VALUE, from);
  path_of_table(toy, 1, STREAM_VALUE, to);
  ck_assert_int_eq(rename(from, to), 0);
  int built;
  tauler_message message = {""};
  ck_assert_int_eq(try_to_build(toy, &built, &message), TAULER_DAMAGED_FILE);
  ck_assert_msg(strstr(message.text, to) != NULL, "%s", message.text);
  toy_free(toy);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("build of outcomes");
  TCase *depths = tcase_create("depths");
  tcase_add_checked_fixture(depths, make_folder, remove_folder);
  tcase_add_loop_test(depths, depths_count_on_through_slices, 0, LENGTHS);
  tcase_add_loop_test(depths, depths_count_on_in_a_later_run, 0, 2 * LENGTHS);
  tcase_add_test(depths, a_table_of_another_slice_is_refused);
  suite_add_tcase(suite, depths);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  const int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
