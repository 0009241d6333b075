/* Runs the cases that a suite lists, and makes folders for them. */
#include "tests/support/suite.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

char folder[SUITE_FOLDER_BYTES];

static bool is_set(const char *name) {
  const char *wanted = getenv(name);
  return wanted && *wanted;
}

bool suite_is_long(void) {
  return is_set("TAULER_LONG");
}

bool suite_is_check(void) {
  return suite_is_long() || is_set("TAULER_CHECK");
}

int suite_run(const char *name, void (*list)(suite_cases *suite)) {
  setenv("CK_DEFAULT_TIMEOUT", "900", 0); /* as in run.sh */
  suite_cases suite = {.name = name, .check = suite_create(name)};
  list(&suite);
  SRunner *runner = srunner_create(suite.check);
  srunner_run_all(runner, CK_ENV);
  const int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

void suite_open_group(suite_cases *suite, const char *name) {
  suite->group = tcase_create(name);
  suite_add_tcase(suite->check, suite->group);
  if (suite->timeout > 0) tcase_set_timeout(suite->group, suite->timeout);
  for (int i = 0; i < suite->n_fixtures; i++) suite_add_fixture(suite, suite->fixtures[i]);
}

void suite_set_timeout(suite_cases *suite, double seconds) {
  if (suite->group)
    tcase_set_timeout(suite->group, seconds);
  else
    suite->timeout = seconds;
}

void suite_add_fixture(suite_cases *suite, suite_fixture fixture) {
  if (!suite->group)
    suite->fixtures[suite->n_fixtures++] = fixture;
  else if (fixture.once)
    tcase_add_unchecked_fixture(suite->group, fixture.set_up, fixture.tear_down);
  else
    tcase_add_checked_fixture(suite->group, fixture.set_up, fixture.tear_down);
}

void suite_add_tests(suite_cases *suite, const TTest *test, int start, int end) {
  if (!suite->group) suite_open_group(suite, suite->name);
  tcase_add_loop_test(suite->group, test, start, end);
}

void suite_add_all(suite_cases *suite, const TTest *const *tests, size_t count) {
  for (size_t i = 0; i < count; i++) suite_add_tests(suite, tests[i], 0, 1);
}

void make_folder_at(char made[SUITE_FOLDER_BYTES]) {
  const char *above = getenv("TMPDIR");
  snprintf(made, SUITE_FOLDER_BYTES, "%s/tauler-suite.XXXXXX", above ? above : "/tmp");
  ck_assert_msg(mkdtemp(made) != NULL, "cannot create a folder for the test");
}

static int remove_entry(const char *path, const struct stat *about, int type, struct FTW *where) {
  (void)about, (void)type, (void)where;
  return remove(path);
}

void remove_folder_at(const char *made) {
  nftw(made, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

void make_folder(void) {
  make_folder_at(folder);
}

void remove_folder(void) {
  remove_folder_at(folder);
}

void remove_empty_folder(void) {
  ck_assert_msg(rmdir(folder) == 0, "something is left in %s", folder);
}

uint64_t draw_below(uint64_t *state, uint64_t below) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state % below;
}

void flip_bit(const char *path, long at, int bit) {
  FILE *file = fopen(path, "r+b");
  ck_assert_ptr_nonnull(file);
  ck_assert_int_eq(fseek(file, at, at < 0 ? SEEK_END : SEEK_SET), 0);
  const int byte = fgetc(file);
  ck_assert_int_eq(fseek(file, -1, SEEK_CUR), 0);
  fputc(byte ^ 1 << bit, file);
  ck_assert_int_eq(fclose(file), 0);
}
