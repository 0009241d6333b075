/* The slow solvers that claims about aualé check witnesses with, against the slow definition; lists of seeds.
 */
#include <string.h>

#include "analysis/claims/auale/boards.h"
#include "analysis/claims/reference.h"
#include "games/auale/auale.h"
#include "tests/support/naive_tables.h"
#include "tests/support/suite.h"

enum { SEEDS = 5 };

static naive_tables *awari, *abapa, *forced;

static void prepare(void) {
  awari = naive_tables_new("awari", "even", SEEDS);
  abapa = naive_tables_new("abapa", "even", SEEDS);
  forced = naive_tables_new("abapa", "forced", SEEDS);
}

static void tidy(void) {
  naive_tables_free(forced);
  naive_tables_free(abapa);
  naive_tables_free(awari);
}

static void check_slow_slice(const naive_tables *t, const reference_scores *slow, int seeds) {
  const naive_slice *slice = &t->slices[seeds];
  ck_assert_uint_eq(slow->positions[seeds], (uint64_t)slice->positions);
  for (int i = 0; i < slice->positions; i++) {
    const bool same = t->planes == 1 ? slow->value[seeds][i] == slice->plain[0][i]
                                     : slow->lower[seeds][i] == slice->plain[0][i] &&
                                           slow->upper[seeds][i] == slice->plain[1][i];
    if (!same) ck_abort_msg("%d seeds, board %d", seeds, i);
  }
}

START_TEST(reference_scores_are_those_of_the_slow_definition) {
  const naive_tables *all[] = {awari, abapa, forced};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    reference_scores slow;
    const reference_known known = all[k]->planes == 1 ? REFERENCE_VALUES : REFERENCE_BOUNDS;
    ck_assert_int_eq(reference_scores_solve(&auale_game, all[k]->rules, SEEDS, known, &slow, NULL),
                     TAULER_OK);
    for (int seeds = 0; seeds <= SEEDS; seeds++) check_slow_slice(all[k], &slow, seeds);
    reference_scores_free(&slow);
  }
}
END_TEST

START_TEST(lists_of_seeds) {
  static const struct {
    const char *set, *text;
  } lists[] = {{"", "none"},
               {"0010", "2"},
               {"0111", "1-3"},
               {"01011", "1 and 3-4"},
               {"1010101", "0, 2, 4 and 6"},
               {"0001100100", "3-4 and 7"}};
  for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
    bool set[AUALE_MOST_SEEDS + 1] = {false};
    char text[AUALE_LIST_BYTES];
    const int n = (int)strlen(lists[k].set);
    for (int i = 0; i < n; i++) set[i] = lists[k].set[i] == '1';
    auale_list_seeds(set, n ? n - 1 : 0, text);
    ck_assert_str_eq(text, lists[k].text);
  }
}
END_TEST

SUITE("auale_rechecks") {
  FIXTURE_ONCE(prepare, tidy);
  TEST(reference_scores_are_those_of_the_slow_definition);
  TEST(lists_of_seeds);
}
