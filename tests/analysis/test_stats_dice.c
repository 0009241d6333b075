/* Statistics of games of dice: what each start is worth, choices, policies and their regrets, samples;
 * against numbers worked out by hand on tables that hold chosen cells. And numbers rounded outward. */
#include <math.h>
#include <unistd.h>

#include "analysis/probe/rounded.h"
#include "analysis/stats/stats.h"
#include "tests/support/analysis/toy_tosses_tables.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"
#include "tests/support/toy/toy_tosses.h"

/* --- statistics --------------------------------------------------------------------------------------------
 */

/* Returns the output of stats_print_expectations. */
static char *stats_of(tauler_tables *tables, const char *largest, stats_job job, tauler_error wanted) {
  game_request request = {.largest = largest};
  progress quiet;
  FILE *to = tmpfile();
  ck_assert_ptr_nonnull(to);
  const game_slices slices = suite_slices(&toy_tosses, tables->rules, &request);
  progress_open(&quiet, stderr, PROGRESS_QUIET);
  job.tables = tables;
  job.slices = &slices;
  job.request = &request;
  job.shown = &quiet;
  fflush(stdout);
  const int kept = dup(STDOUT_FILENO);
  ck_assert(kept >= 0 && dup2(fileno(to), STDOUT_FILENO) >= 0);
  const tauler_error error = stats_print_expectations(&job, hear());
  fflush(stdout);
  ck_assert(dup2(kept, STDOUT_FILENO) >= 0);
  close(kept);
  ck_assert_msg(error == wanted, "%d: %s", error, said.text);
  char *text = suite_zeros(1, 8192);
  rewind(to);
  ck_assert_uint_lt(fread(text, 1, 8191, to), 8191);
  fclose(to);
  return text;
}

static void assert_stats(tauler_tables *tables, const char *largest, stats_job job, const char *wanted) {
  char *text = stats_of(tables, largest, job, TAULER_OK);
  ck_assert_str_eq(text, wanted);
}

CASE(statistics_are_about_the_start_of_each_slice) {
  assert_stats(tosses_duels(), NULL, (stats_job){.form = FORM_CSV, .with_total = true, .settings.threads = 1},
               "slice,quantity,lower,upper\n"
               "0,score-1,0.5,0.515625\n0,score-2,0.484375,0.5\n"
               "1,score-1,0.875,0.890625\n1,score-2,0.109375,0.125\n"
               "total,score-1,0.875,0.890625\ntotal,score-2,0.109375,0.125\n");
  tauler_tables *tables = tosses_carousels(); /* seat 2 of a pile of 1 */
  assert_stats(tables, "0", (stats_job){.form = FORM_CSV, .settings.threads = 1},
               "slice,quantity,lower,upper\n"
               "0,win-1,0.3125,0.3125\n0,win-2,0.0625,0.0625\n0,win-3,0.375,0.375\n0,turns,7,7\n");
  assert_stats(
      tables, "0", (stats_job){.form = FORM_JSON, .settings.threads = 1},
      "{\"game\":\"tosses\",\"rules\":\"carousel\",\"slice\":\"0\",\"position\":\"1/2\",\"quantities\":{"
      "\"win-1\":[0.3125,0.3125],\"win-2\":[0.0625,0.0625],\"win-3\":[0.375,0.375],\"turns\":[7,7]}}\n");
  assert_stats(tables, "0", (stats_job){.form = FORM_TEXT, .settings.threads = 1},
               "slice 0, from 1/2\n  win-1         0.312500000000\n  win-2         0.062500000000\n"
               "  win-3         0.375000000000\n  turns         7.000000000000\n");
  char *nothing =
      stats_of(tables, NULL, (stats_job){.form = FORM_CSV, .settings.threads = 1}, TAULER_TABLE_MISSING);
  ck_assert_str_eq(nothing, "");
  ck_assert_ptr_nonnull(strstr(said.text, "slice 1 in "));
}

/* Under `low` all four positions of slice 0 have a real choice, under `high` none. */
CASE(choices_are_counted_and_policies_held_against_them) {
  tauler_tables *tables = tosses_duels();
  for (int threads = 1; threads <= 3; threads++) {
    assert_stats(
        tables, "0",
        (stats_job){.form = FORM_CSV, .survey = SURVEY_CHOICES, .every = true, .settings.threads = threads},
        "slice,stride,positions,decisions,real,counted\n0,1,4,8,4,every\n");
    assert_stats(
        tables, "0",
        (stats_job){.form = FORM_CSV, .survey = SURVEY_POLICIES, .every = true, .settings.threads = threads},
        "slice,policy,largest_regret,position,roll,counted\n0,first,0.734375,0/1,low,every\n"
        "0,last,0.234375,1/1,low,every\n0,random,0.3671875,0/1,low,every\n");
  }
  assert_stats(
      tables, "0",
      (stats_job){.form = FORM_TEXT, .survey = SURVEY_CHOICES, .every = true, .settings.threads = 1},
      "slice 0, from 1/2\n  score-1       0.5000 to 0.5157\n  score-2       0.4843 to 0.5000\n"
      "  4 positions, all that tables hold, and their rolls: 8 decisions, 50.000 % of them real choices\n"
      "  policy            mean regret  largest regret  roll    position\n"
      "  first             0.136718750     0.734375000  low     0/1\n"
      "  last              0.029296875     0.234375000  low     1/1\n"
      "  random            0.081054688     0.367187500  low     0/1\n");
  assert_stats(
      tables, "0",
      (stats_job){
          .form = FORM_CSV, .survey = SURVEY_CHOICES, .every = true, .settings.threads = 1, .stride = 3},
      "slice,stride,positions,decisions,real,counted\n0,3,2,4,2,every\n");
  char *json = stats_of(
      tables, "0",
      (stats_job){.form = FORM_JSON, .survey = SURVEY_POLICIES, .every = true, .settings.threads = 1},
      TAULER_OK);
  ck_assert_ptr_nonnull(strstr(
      json, "},\"counted\":\"every\",\"stride\":1,\"positions\":4,\"decisions\":8,\"real\":4,\"policies\":["
            "{\"policy\":\"first\",\"largest_regret\":0.734375,\"position\":\"0/1\","
            "\"roll\":\"low\",\"mean_regret\":0.13671875},"));
  char *none = stats_of(tosses_carousels(), "0", (stats_job){.survey = SURVEY_CHOICES, .settings.threads = 1},
                        TAULER_BAD_USAGE);
  ck_assert_str_eq(none, "");
}

CASE(of_equal_regrets_the_first_is_reported) {
  static const double half[4] = {0.5, 0.5, 0.5, 0.5};
  tosses_write("duel", 0, 0, half, half); /* a taker from nothing has it all, on either seat */
  assert_stats(
      tosses_select("duel"), "0",
      (stats_job){.form = FORM_CSV, .survey = SURVEY_POLICIES, .every = true, .settings.threads = 1},
      "slice,policy,largest_regret,position,roll,counted\n0,first,0.5,0/1,low,every\n0,last,0,0/1,low,every\n"
      "0,random,0.25,0/1,low,every\n");
}

CASE(a_survey_needs_the_slices_below) {
  tosses_write("duel", 1, 0, tosses_duel_lower[1], tosses_duel_upper[1]);
  tauler_tables *tables = tosses_select("duel");
  (void)stats_of(tables, "1", (stats_job){.form = FORM_CSV, .settings.threads = 1}, TAULER_OK);
  char *text =
      stats_of(tables, "1",
               (stats_job){.form = FORM_CSV, .survey = SURVEY_CHOICES, .every = true, .settings.threads = 1},
               TAULER_TABLE_MISSING);
  ck_assert_str_eq(text, "");
}

CASE(large_slices_are_sampled) {
  ck_assert_uint_eq(survey_stride(1), 1);
  ck_assert_uint_eq(survey_stride(SURVEY_POSITIONS), 1);
  ck_assert_uint_eq(survey_stride(SURVEY_POSITIONS + 1), 2);
  ck_assert_uint_eq(survey_stride(UINT64_C(25) * SURVEY_POSITIONS / 2), 13);
}

/* --- rounding ----------------------------------------------------------------------------------------------
 */

CASE(results_that_fit_are_exact_and_others_lie_between) {
  ck_assert_double_eq(rounded_sum(0.25, 0.5, ROUND_BELOW), 0.75);
  ck_assert_double_eq(rounded_sum(0.25, 0.5, ROUND_ABOVE), 0.75);
  ck_assert_double_eq(rounded_product(3, 0.375, ROUND_ABOVE), 1.125);
  ck_assert_double_eq(rounded_quotient(3, 4, ROUND_BELOW), 0.75);
  ck_assert_double_eq(rounded_sum(INFINITY, 1, ROUND_BELOW), INFINITY);
  ck_assert_double_eq(rounded_product(2, INFINITY, ROUND_ABOVE), INFINITY);
  ck_assert_double_eq(rounded_sum(1, 1e-30, ROUND_BELOW), 1);
  ck_assert_double_eq(rounded_sum(1, 1e-30, ROUND_ABOVE), nextafter(1, 2));
  ck_assert_double_eq(rounded_sum(1, -1e-30, ROUND_BELOW), nextafter(1, 0));
  ck_assert(rounded_product(3, 1e-310, ROUND_ABOVE) > rounded_product(3, 1e-310, ROUND_BELOW));
  uint64_t state = 5;
  for (int i = 0; i < 20000; i++) {
    double x[2];
    for (int k = 0; k < 2; k++) {
      state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      x[k] = (double)(state >> 20) * 0x1p-40 + 0x1p-50;
    }
    const long double sum = (long double)x[0] + x[1], product = (long double)x[0] * x[1],
                      quotient = (long double)x[0] / x[1];
    const bool right = rounded_sum(x[0], x[1], ROUND_BELOW) <= sum &&
                       rounded_sum(x[0], x[1], ROUND_ABOVE) >= sum &&
                       rounded_product(x[0], x[1], ROUND_BELOW) <= product &&
                       rounded_product(x[0], x[1], ROUND_ABOVE) >= product &&
                       rounded_quotient(x[0], x[1], ROUND_BELOW) <= quotient &&
                       rounded_quotient(x[0], x[1], ROUND_ABOVE) >= quotient &&
                       rounded_quotient(x[0], x[1], ROUND_ABOVE) <=
                           nextafter(rounded_quotient(x[0], x[1], ROUND_BELOW), INFINITY);
    if (!right) ck_abort_msg("%a, %a", x[0], x[1]);
  }
}

SUITE("stats_dice") {
  GROUP("statistics");
  tosses_fixture(suite);
  TEST(statistics_are_about_the_start_of_each_slice);
  TEST(choices_are_counted_and_policies_held_against_them);
  TEST(of_equal_regrets_the_first_is_reported);
  TEST(a_survey_needs_the_slices_below);
  TEST(large_slices_are_sampled);
  GROUP("rounding");
  TEST(results_that_fit_are_exact_and_others_lie_between);
}
