/* What claims are made of: slices solved by their moves alone, and reports with bounds, means and the digests
 * of tables. */
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/claims/print_report.h"
#include "analysis/claims/slow_solve.h"

/* --- a slice by hand --- */

enum { POSITIONS = 9, MOVES = 2, GOAL = -1, OWN_GOAL = -2, NOTHING = -3, OUTSIDE = 77 };

typedef struct {
  int to[POSITIONS][MOVES];
} graph;

static const graph *graph_of(const game_rules *rules) {
  return (const graph *)(const void *)rules;
}

static uint64_t toy_positions(const game_rules *rules, uint32_t slice) {
  (void)rules, (void)slice;
  return POSITIONS;
}

static void toy_position_at(const game_rules *rules, game_place place, game_position *out) {
  (void)rules;
  *out = (game_position){{place.index}};
}

static bool toy_locate(const game_rules *rules, const game_position *position, game_place *out) {
  (void)rules;
  *out = (game_place){5, position->words[0]};
  return position->words[0] < POSITIONS;
}

static tauler_error toy_moves(const game_rules *rules, const game_position *position, game_moves *out) {
  tauler_error error = TAULER_OK;
  for (int i = 0; i < MOVES && !error; i++) {
    const int to = graph_of(rules)->to[position->words[0]][i];
    if (to == NOTHING) continue;
    game_move move = {.name = "m",
                      .over = to == GOAL || to == OWN_GOAL,
                      .gain = to == GOAL       ? 1
                              : to == OWN_GOAL ? -1
                                               : 0};
    move.child.words[0] = (uint64_t)to;
    error = game_moves_add(out, &move);
  }
  return error;
}

static const game toy = {
    .positions = toy_positions, .position_at = toy_position_at, .locate = toy_locate, .moves = toy_moves};

START_TEST(a_slice_is_solved_by_hand) {
  /* 0 scores; 1 must let it; 2 wins by that; 3 goes round; 4 has an own goal alone; 5 loses late; 6 rather
   * wins than goes round; 7 goes round rather than lose; 8 takes the shorter of two ways. */
  const graph g = {
      {{GOAL, 1}, {0, NOTHING}, {1, NOTHING}, {3, 0}, {OWN_GOAL, NOTHING}, {0, 2}, {3, 5}, {2, 3}, {5, 1}}};
  static const int value[POSITIONS] = {1, -1, 1, 0, -1, -1, 1, 0, 1},
                   depth[POSITIONS] = {1, 2, 3, 0, 1, 4, 5, 0, 3};
  slow_solved solved;
  tauler_message message;
  ck_assert_int_eq(slow_solve(&toy, (const game_rules *)(const void *)&g, 5, &solved, &message), TAULER_OK);
  ck_assert_uint_eq(solved.positions, POSITIONS);
  for (int i = 0; i < POSITIONS; i++) {
    ck_assert_msg(solved.value[i] == value[i], "value of %d: %d", i, solved.value[i]);
    ck_assert_msg(solved.depth[i] == depth[i], "depth of %d: %d", i, solved.depth[i]);
  }
  slow_solved_free(&solved);
}
END_TEST

START_TEST(a_move_out_of_the_slice_is_refused) {
  graph g = {{{GOAL, 1}, {0, OUTSIDE}}};
  slow_solved solved;
  tauler_message message = {""};
  ck_assert_int_eq(slow_solve(&toy, (const game_rules *)(const void *)&g, 5, &solved, &message),
                   TAULER_INTERNAL);
  ck_assert(solved.value == NULL && *message.text);
  g.to[1][1] = 0;
  ck_assert_int_eq(slow_solve(&toy, (const game_rules *)(const void *)&g, 4, &solved, &message),
                   TAULER_INTERNAL);
}
END_TEST

/* --- figures --- */

static const report_column columns[] = {{"a", "a"}, {"b", "b"}, {"c", "c"}, {"d", "d"}};

START_TEST(figures_of_every_kind) {
  report r = {.rules = NULL};
  figure_digits room;
  report_table_begin(&r, "t", "a table:", columns, 4);
  report_bounds(&r, 0.50321946574, 0.50321946576);
  report_bounds(&r, 0.50321, 0.50457);
  report_mean(&r, 12.3456, 2);
  report_number(&r, -7);
  const report_figure *f = r.tables[0].figures;
  ck_assert_str_eq(print_report_figure(&f[0], &room), "0.503219466"); /* as far as they agree */
  ck_assert_str_eq(print_report_figure(&f[1], &room), "0.5032 to 0.5046");
  ck_assert_str_eq(print_report_figure(&f[2], &room), "12.35");
  ck_assert_str_eq(print_report_figure(&f[3], &room), "-7");
  for (size_t i = 0; i < 4; i++) ck_assert(print_report_is_numeric(&r.tables[0], i));
  ck_assert_int_eq(report_error(&r, NULL), TAULER_OK);
  report_bounds(&r, 2, 1);
  ck_assert_int_eq(report_error(&r, NULL), TAULER_INTERNAL);
  report_free(&r);
}
END_TEST

START_TEST(bounds_in_json_are_both_ends) {
  static const claim about = {.name = "n",
                              .game = "g",
                              .title = "t",
                              .language = "es",
                              .sentence = "s",
                              .english = "e",
                              .source = "o",
                              .method = "m",
                              .options = ""};
  report r = {.rules = NULL};
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  ck_assert_ptr_nonnull(out);
  report_rules(&r, "base");
  report_table_begin(&r, "t", "a table:", columns, 2);
  report_bounds(&r, 0.25, 0.5);
  report_mean(&r, 12.3456, 2);
  report_verdict(&r, VERDICT_OPEN, "nobody knows");
  report_add_source(&r, "base", "2", "lower", (table_digest){3, 0});
  print_report_json(out, &about, &r);
  fclose(out);
  ck_assert_msg(strstr(text, "\"rows\":[{\"a\":[0.25,0.5],\"b\":12.35}]") != NULL, "%s", text);
  ck_assert_msg(strstr(text,
                       "\"sources\":[{\"rules\":\"base\",\"digest\":\"00000000000000000000000000000003\","
                       "\"tables\":[{\"slice\":\"2\",\"stream\":\"lower\",\"digest\":"
                       "\"00000000000000000000000000000003\"}]}]") != NULL,
                "%s", text);
  free(text);
  report_free(&r);
}
END_TEST

/* --- sources --- */

START_TEST(sources_have_one_digest_for_each_rule_set) {
  static const char lines[] = "1 value 00000000000000000000000000000007\n"
                              "2 value 00000000000000010000000000000000\n";
  report r = {.rules = NULL};
  table_digest digest;
  size_t used = 0, first = 0;
  source_words words;
  char text[TABLE_DIGEST_TEXT];
  report_add_source(&r, "liacs", "1", "value", (table_digest){7, 0});
  report_add_source(&r, "base", "1", "value", (table_digest){7, 0});
  report_add_source(&r, "base", "2", "value", (table_digest){0, 1});
  ck_assert_int_eq(report_sources_of(&r, 0, &used, &digest), TAULER_OK);
  ck_assert(used == 1 && digest.low == 7 && digest.high == 0);
  ck_assert_int_eq(report_sources_of(&r, 1, &used, &digest), TAULER_OK);
  ck_assert_uint_eq(used, 2);
  table_digester *digester = table_digester_new();
  table_digester_add(digester, lines, sizeof lines - 1);
  const table_digest wanted = table_digester_end(digester);
  ck_assert(wanted.low == digest.low && wanted.high == digest.high);
  table_digest_text(wanted, text);
  ck_assert(print_report_sources(&r, &first, &words));
  ck_assert_str_eq(words.text, "liacs, 1 table: 00000000000000000000000000000007");
  ck_assert(print_report_sources(&r, &first, &words));
  ck_assert_msg(strncmp(words.text, "base, 2 tables: ", 16) == 0 && strcmp(words.text + 16, text) == 0, "%s",
                words.text);
  ck_assert(!print_report_sources(&r, &first, &words));
  report_free(&r);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("claim_parts");
  TCase *tests = tcase_create("parts");
  tcase_add_test(tests, a_slice_is_solved_by_hand);
  tcase_add_test(tests, a_move_out_of_the_slice_is_refused);
  tcase_add_test(tests, figures_of_every_kind);
  tcase_add_test(tests, bounds_in_json_are_both_ends);
  tcase_add_test(tests, sources_have_one_digest_for_each_rule_set);
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  const int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
