/* Runs the cases that a suite lists, and makes folders for them. */
#include <ftw.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tests/naive/naive_memory.h"
#include "tests/support/suite.h"

char folder[SUITE_FOLDER_BYTES];
_Thread_local tauler_message said;

tauler_message *hear(void) {
  said.text[0] = '\0';
  return &said;
}

void suite_refused(const char *call, int is, int wanted, const char *words) {
  EXPECT(is == wanted, "%s: error %d, not %d: %s", call, is, wanted, said.text);
  EXPECT(strstr(said.text, words), "'%s' is not in: %s", words, said.text);
}

/* --- what the running test owns --- */

typedef struct {
  void *thing;
  void (*release)(void *thing);
} owned;

static owned *list;
static size_t used, room, owned_before; /* the running test */
static pthread_mutex_t owning = PTHREAD_MUTEX_INITIALIZER;

void suite_own(void *thing, void (*release)(void *thing)) {
  pthread_mutex_lock(&owning);
  if (used == room) {
    owned *longer = realloc(list, (room = 2 * room + 64) * sizeof *list);
    if (!longer) abort();
    list = longer;
  }
  list[used++] = (owned){thing, release};
  pthread_mutex_unlock(&owning);
}

void *suite_zeros(uint64_t count, size_t each) {
  void *block = calloc(count + 1, each);
  EXPECT(block, "no memory");
  suite_own(block, free);
  return block;
}

static void expect_empty(void *thing) {
  const uint64_t left = memory_allocated(thing);
  EXPECT(left == 0, "%llu bytes of a budget are left", (unsigned long long)left);
}

memory_budget *suite_budget(uint64_t limit) {
  memory_budget *budget = suite_zeros(1, sizeof *budget);
  memory_budget_open(budget, limit);
  suite_own(budget, expect_empty);
  return budget;
}

static void begin_owning(void) {
  owned_before = used;
}

static void release_owned(void) {
  while (used > owned_before) {
    const owned last = list[--used];
    last.release(last.thing);
  }
}

/* --- suites --- */

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
  naive_owner = suite_own;
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
  tcase_add_checked_fixture(suite->group, begin_owning, release_owned);
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
  return remove(path);
}

void remove_folder_at(const char *made) {
  nftw(made, remove_entry, 16, FTW_DEPTH | FTW_PHYS);
}

static void remove_owned(void *path) {
  remove_folder_at(path);
  free(path);
}

void make_folder(void) {
  make_folder_at(folder);
  suite_own(strdup(folder), remove_owned);
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
