/* Lists the cases of a suite; stands in the place of main:
 *
 *   CASE(threads_change_nothing) {
 *     ...
 *   }
 *
 *   SUITE("solver") {
 *     LOOP(every_engine_gives_the_slow_values, VARIANTS);
 *     TESTS(threads_change_nothing, depths_can_be_added_later);
 *     GROUP("files");
 *     FIXTURE(make_folder, remove_folder);
 *     TEST(a_full_disk_is_reported);
 *   }
 *
 * TIMEOUT and FIXTURE before the first GROUP or TEST are for all groups, later ones for the group they stand
 * in. It includes what nearly every suite uses of the standard library. */
#ifndef SUITE_H
#define SUITE_H

#include <check.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/tauler_error.h"

/* Checks of the library write to a file each time, which is too slow for what is asked of every position. */
#define EXPECT(holds, ...)                                                                                   \
  do {                                                                                                       \
    if (!(holds)) ck_abort_msg(__VA_ARGS__);                                                                 \
  } while (0)
#define HOLDS(condition) EXPECT(condition, "%s", #condition)
/* The last words of the library in this thread. A call that is handed hear() forgets those before. */
extern _Thread_local tauler_message said;
tauler_message *hear(void);
/* A call of the library that has to end well; of any number of arguments, since compound literals hold
 * commas. */
#define MUST(...)                                                                                            \
  do {                                                                                                       \
    (void)hear();                                                                                            \
    const int error_ = (int)(__VA_ARGS__);                                                                   \
    EXPECT(error_ == 0, "%s: error %d, %s", #__VA_ARGS__, error_, said.text);                                \
  } while (0)
/* A call that has to end with this error, and with these words in its sentence. */
#define REFUSED(wanted, words, ...) suite_refused(#__VA_ARGS__, (int)(__VA_ARGS__), wanted, words)
#define ROWS(table) ((int)(sizeof(table) / sizeof *(table)))

enum { SUITE_FIXTURES = 4 };

typedef struct suite_fixture {
  SFun set_up, tear_down;
  bool once; /* for a whole group, not for each test */
} suite_fixture;

typedef struct suite_cases {
  const char *name;
  Suite *check;
  TCase *group; /* NULL before the first */
  suite_fixture fixtures[SUITE_FIXTURES];
  int n_fixtures;
  double timeout; /* seconds, or 0 for the limit of the run */
} suite_cases;

#define CASE(name) START_TEST(name) /* check.h defines its end as empty */
#define SUITE(name)                                                                                          \
  static void list_cases(suite_cases *suite);                                                                \
  int main(void) {                                                                                           \
    return suite_run(name, list_cases);                                                                      \
  }                                                                                                          \
  static void list_cases(suite_cases *suite)

#define GROUP(name) suite_open_group(suite, name)
#define TIMEOUT(seconds) suite_set_timeout(suite, seconds)
#define FIXTURE(set_up, tear_down) suite_add_fixture(suite, (suite_fixture){set_up, tear_down, false})
#define FIXTURE_ONCE(set_up, tear_down) suite_add_fixture(suite, (suite_fixture){set_up, tear_down, true})
#define TEST(test) suite_add_tests(suite, test, 0, 1)
#define TESTS(...)                                                                                           \
  suite_add_all(suite, (const TTest *const[]){__VA_ARGS__},                                                  \
                sizeof((const TTest *const[]){__VA_ARGS__}) / sizeof(TTest *))
#define LOOP(test, end) suite_add_tests(suite, test, 0, (int)(end))
#define LOOP_FROM(test, start, end) suite_add_tests(suite, test, start, (int)(end))

/* Sizes and like cases: few for make test, all for make check. */
#define SOME(few, all) (suite_is_check() ? (all) : (few))

void suite_refused(const char *call, int is, int wanted, const char *words);
bool suite_is_long(void);  /* make test-long */
bool suite_is_check(void); /* make check, or test-long */
int suite_run(const char *name, void (*list)(suite_cases *suite));
void suite_open_group(suite_cases *suite, const char *name);
void suite_set_timeout(suite_cases *suite, double seconds);
void suite_add_fixture(suite_cases *suite, suite_fixture fixture);
void suite_add_tests(suite_cases *suite, const TTest *test, int start, int end);
void suite_add_all(suite_cases *suite, const TTest *const *tests, size_t count);

/* Hands a thing to the running test. After the fixtures of the test its things are released, the last one
 * first. */
void suite_own(void *thing, void (*release)(void *thing));
void *suite_zeros(uint64_t count, size_t each);
memory_budget *suite_budget(uint64_t limit); /* must be empty when the test ends */

/* A folder below $TMPDIR that the running test owns, and more of them. */
enum { SUITE_FOLDER_BYTES = 256 };
extern char folder[SUITE_FOLDER_BYTES];
void make_folder(void);
void remove_folder(void);       /* with all that is in it */
void remove_empty_folder(void); /* fails where something is left */
void make_folder_at(char made[SUITE_FOLDER_BYTES]);
void remove_folder_at(const char *made);

/* A number below another at random: the next of a sequence that begins with any state but 0. */
uint64_t draw_below(uint64_t *state, uint64_t below);

/* Turns a bit of a file, at a byte from its start, or from its end if negative. */
void flip_bit(const char *path, long at, int bit);

#endif
