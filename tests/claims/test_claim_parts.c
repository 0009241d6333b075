/* The parts of claims: reports with bounds, means and the digests of tables. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/claims/draw_report.h"
#include "analysis/claims/print_report.h"
#include "analysis/claims/stored.h"
#include "tests/support/suite.h"

static const report_column columns[] = {{"a", "a"}, {"b", "b"}, {"c", "c"}, {"d", "d"}};
static const report_plot_layout by_number[] = {
    {"by-number", "one", PLOT_LINES, false, "a", "a", "", {"c", "b"}}};
static const report_plot_layout by_name[] = {{"by-name", "two", PLOT_BARS, true, "a", "a", "", {"b"}},
                                             {"nothing", "three", PLOT_BARS, false, "b", "b", "", {"a"}}};
static const report_layout layouts[] = {{"t", "a table:", columns, 4, NULL, 0},
                                        {"two", "a table:", columns, 2, NULL, 0},
                                        {"numbers", "a table:", columns, 4, by_number, 1},
                                        {"names", "another:", columns, 2, by_name, 2}};
static const report empty = {.layouts = layouts, .layouts_used = sizeof layouts / sizeof *layouts};

START_TEST(figures_of_every_kind) {
  report r = empty;
  figure_digits room;
  report_table_begin(&r, "t");
  REPORT_ADD(&r, fig_bounds(0.50321946574, 0.50321946576), fig_bounds(0.50321, 0.50457));
  REPORT_ADD(&r, fig_mean(12.3456, 2), fig_number(-7));
  const report_figure *f = r.tables[0].figures;
  ck_assert_str_eq(print_report_figure(&f[0], &room), "0.503219466"); /* as far as they agree */
  ck_assert_str_eq(print_report_figure(&f[1], &room), "0.5032 to 0.5046");
  ck_assert_str_eq(print_report_figure(&f[2], &room), "12.35");
  ck_assert_str_eq(print_report_figure(&f[3], &room), "-7");
  for (size_t i = 0; i < 4; i++) ck_assert(print_report_is_numeric(&r.tables[0], i));
  ck_assert_int_eq(report_error(&r, NULL), TAULER_OK);
  REPORT_ADD(&r, fig_bounds(2, 1), fig_number(1), fig_number(1), fig_number(1));
  ck_assert_int_eq(report_error(&r, NULL), TAULER_INTERNAL);
  report_free(&r);
}
END_TEST

static tauler_error call(int *calls, tauler_error error, tauler_message *message) {
  ++*calls;
  return error ? tauler_fail(message, error, "the disk is gone") : TAULER_OK;
}

START_TEST(a_report_keeps_the_first_error) {
  report r = empty;
  tauler_message message = {""};
  int calls = 0;
  ck_assert(!REPORT_CATCH(&r, call(&calls, TAULER_OK, &r.message)));
  ck_assert(REPORT_CATCH(&r, call(&calls, TAULER_IO, &r.message)));
  ck_assert(REPORT_CATCH(&r, call(&calls, TAULER_OK, &r.message)));
  report_fail(&r, TAULER_NO_MEMORY, "no memory");
  ck_assert_int_eq(calls, 2); /* nothing is called after an error */
  ck_assert(report_calloc(&r, 1, 1) == NULL);
  ck_assert_int_eq(report_error(&r, &message), TAULER_IO);
  ck_assert_str_eq(message.text, "the disk is gone");
  report_free(&r);
}
END_TEST

START_TEST(sentences_have_a_place_for_every_figure) {
  static const report_sentence sentences[] = {{"two", "{boards} boards, {share} % «drawn»"},
                                              {"none", "none"}};
  report r = {.sentences = sentences, .sentences_used = 2};
  ck_assert_str_eq(REPORT_SAY(&r, "two", fig_number(-3), fig_mean(2.345, 1)), "-3 boards, 2.3 % «drawn»");
  ck_assert_str_eq(REPORT_SAY(&r, "none"), "none");
  ck_assert_int_eq(report_error(&r, NULL), TAULER_OK);
  ck_assert_str_eq(REPORT_SAY(&r, "two", fig_number(1)), "");
  ck_assert_int_eq(report_error(&r, NULL), TAULER_INTERNAL);
  report_free(&r);
  r = (report){.sentences = sentences, .sentences_used = 2};
  ck_assert_str_eq(REPORT_SAY(&r, "none", fig_number(1)), "");
  ck_assert_int_eq(report_error(&r, NULL), TAULER_INTERNAL);
  report_free(&r);
  r = (report){.sentences = sentences, .sentences_used = 2};
  ck_assert_str_eq(REPORT_SAY(&r, "not there"), "");
  ck_assert_int_eq(report_error(&r, NULL), TAULER_INTERNAL);
  report_free(&r);
}
END_TEST

START_TEST(tables_have_a_layout_and_whole_rows) {
  report r = empty;
  report_table_begin(&r, "two");
  REPORT_ADD(&r, fig_number(1), fig_text("x"), fig_number(2));
  ck_assert_int_eq(report_error(&r, NULL), TAULER_INTERNAL);
  REPORT_ADD(&r, fig_if(false, fig_number(3)));
  ck_assert_int_eq(report_error(&r, NULL), TAULER_OK);
  ck_assert_int_eq(r.tables[0].figures[3].kind, FIGURE_NONE);
  REPORT_ADD(&r, fig_number(1));
  report_table_begin(&r, "t");
  ck_assert_int_eq(report_error(&r, NULL), TAULER_INTERNAL);
  report_free(&r);
  r = empty;
  report_table_begin(&r, "not there");
  ck_assert_int_eq(report_error(&r, NULL), TAULER_INTERNAL);
  report_free(&r);
}
END_TEST

START_TEST(bounds_in_json_are_both_ends) {
  static const claim_text said = {
      .title = "t", .language = "es", .sentence = "s", .english = "e", .source = "o", .method = "m"};
  static const claim about = {.name = "n", .game = "g", .text = &said, .options = ""};
  report r = empty;
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  ck_assert_ptr_nonnull(out);
  report_rules(&r, "base");
  report_table_begin(&r, "two");
  REPORT_ADD(&r, fig_bounds(0.25, 0.5), fig_mean(12.3456, 2));
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

/* --- plots --- */

/* A program in gnuplot's place keeps what it gets. */
static void keep_scripts(const char *folder) {
  char path[SUITE_FOLDER_BYTES + 16], all[8192];
  snprintf(path, sizeof path, "%s/gnuplot", folder);
  FILE *out = fopen(path, "w");
  ck_assert_ptr_nonnull(out);
  fprintf(
      out,
      "#!/bin/sh\ncat >'%s/script'\nif grep -q 'terminal svg' '%s/script'; then echo '<?xml'; echo '</svg>'\n"
      "else printf '\\211PNG\\r\\n\\032\\nIEND\\256\\102\\140\\202'; fi\n",
      folder, folder);
  fclose(out);
  ck_assert_int_eq(chmod(path, 0755), 0);
  snprintf(all, sizeof all, "%s:%s", folder, getenv("PATH"));
  setenv("PATH", all, 1);
}

static void check_script(const char *folder, const char *part) {
  char path[SUITE_FOLDER_BYTES + 16], script[4096];
  snprintf(path, sizeof path, "%s/script", folder);
  FILE *in = fopen(path, "r");
  ck_assert_ptr_nonnull(in);
  script[fread(script, 1, sizeof script - 1, in)] = '\0';
  fclose(in);
  ck_assert_msg(strstr(script, part) != NULL, "no \"%s\" in: %s", part, script);
}

START_TEST(plots_are_of_the_columns_they_name) {
  static const claim about = {.name = "n"};
  char path[4096];
  report r = empty;
  tauler_message message = {""};
  snprintf(path, sizeof path, "%s", getenv("PATH"));
  make_folder();
  keep_scripts(folder);
  report_table_begin(&r, "numbers");
  for (int row = 0; row < 3; row++) {
    const char *places[] = {"2", "10", "7"};
    REPORT_ADD(&r, fig_text(places[row]), fig_number(5 + row),
               row == 1 ? fig_text("none") : fig_bounds(0.25, 0.5), fig_mean(1.5, 1));
  }
  ck_assert_msg(draw_report(&about, folder, &r, &message) == TAULER_OK, "%s", message.text);
  check_script(folder, "\n2 0.375 5\n10 NaN 6\n7 0.375 7\nEND\n");
  check_script(folder, "title \"c\"");
  char picture[SUITE_FOLDER_BYTES + 16];
  snprintf(picture, sizeof picture, "%s/n-by-number.png", folder);
  ck_assert_str_eq(r.plots[0].files[PLOT_PNG], picture);
  report_table_begin(&r, "names");
  REPORT_ADD(&r, fig_text("3x1"), fig_mean(12.5, 1));
  ck_assert_msg(draw_report(&about, folder, &r, &message) == TAULER_OK, "%s", message.text);
  check_script(folder, "(\"3x1\" 0)");
  check_script(folder, "\n0 12.5\nEND\n");
  check_script(folder, "logscale y");
  ck_assert(r.plots[2].files[PLOT_SVG] == NULL && r.plots[1].files[PLOT_SVG] != NULL);
  setenv("PATH", path, 1);
  remove_folder();
  report_free(&r);
}
END_TEST

START_TEST(keys_of_plots_are_names_of_files) {
  static const char *const wrong[] = {"../a", "a b", "A", "", "a"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    const report_plot_layout plots[] = {{.key = "a", .x = "a", .series = {"b"}},
                                        {.key = wrong[i], .x = "a", .series = {"b"}}};
    const report_layout with_plots[] = {{"one", "", columns, 2, plots, 1},
                                        {"both", "", columns, 2, plots, 2}};
    report r = {.layouts = with_plots, .layouts_used = 2};
    report_table_begin(&r, "one");
    ck_assert_int_eq(report_error(&r, NULL), TAULER_OK);
    report_free(&r);
    r = (report){.layouts = with_plots, .layouts_used = 2};
    report_table_begin(&r, "both");
    ck_assert_msg(report_error(&r, NULL) == TAULER_INTERNAL, "'%s' is taken", wrong[i]);
    report_free(&r);
  }
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

/* --- what is stored of a larger size --- */

static const report_sentence items[] = {
    {"verdict", "holds for"},
    {"reason", "So it is up to 9."},
    {"tables of base, cycles even", "10, 0123456789abcdef0123456789abcdef"},
    {"row of two", "1 | 12.50"},
    {"row of two", "9 | -"},
    {"row of t", "-4 | 3x1 W | 0.5032 to 0.5046 | 7"}};
static const report_stored stored = {"--seeds 9", "2026-11-23", items, sizeof items / sizeof *items};

/* Found here: a row of the table "two", which begins with 1 as a stored one does. */
static report found_with(double mean) {
  report r = empty;
  report_rules(&r, "base");
  report_table_begin(&r, "two");
  REPORT_ADD(&r, fig_number(1), fig_mean(mean, 2), fig_number(5), fig_number(6));
  report_verdict(&r, VERDICT_OPEN, "nobody knows");
  stored_add(&r, &stored);
  return r;
}

START_TEST(stored_figures_are_held_against_those_found) {
  static const double means[] = {12.5, 12.51};
  for (int i = 0; i < 2; i++) {
    report r = found_with(means[i]);
    ck_assert_int_eq(report_error(&r, NULL), TAULER_OK);
    const stored_comparison c = r.compared;
    ck_assert_uint_eq(c.rows, 3);
    ck_assert_uint_eq(c.again, i == 0);
    ck_assert(c.differs == (i == 1)); /* that 5 is not stored decides nothing */
    ck_assert_int_eq(r.kept->verdict, VERDICT_HOLDS_FOR);
    ck_assert_str_eq(r.kept->reason, "So it is up to 9.");
    ck_assert_uint_eq(r.kept->tables_used, 2);
    ck_assert_int_eq(r.kept->tables[0].figures[3].kind, FIGURE_NONE);
    ck_assert_int_eq(r.kept->tables[1].figures[1].kind, FIGURE_TEXT);
    ck_assert_int_eq(r.kept->tables[1].figures[0].number, -4);
    report_free(&r);
  }
}
END_TEST

START_TEST(stored_items_that_nothing_knows_are_refused) {
  static const report_sentence wrong[] = {
      {"row of nothing", "1 | 2"}, {"row of two", "1"}, {"verdict", "perhaps"}, {"verdicts", "open"}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    const report_sentence said[] = {{"reason", "So it is."}, wrong[i]};
    report r = empty;
    stored_add(&r, &(report_stored){"--seeds 9", "2026-11-23", said, 2});
    ck_assert_msg(report_error(&r, NULL) == TAULER_INTERNAL, "%s is taken", wrong[i].key);
    report_free(&r);
  }
  report r = empty;
  stored_add(&r, &(report_stored){"--seeds 9", "2026-11-23", items, 1});
  ck_assert_int_eq(report_error(&r, NULL), TAULER_INTERNAL); /* no reason */
  report_free(&r);
}
END_TEST

static void check_print(void (*print)(FILE *out, const claim *about, const report *r), const report *r,
                        const char *const *parts) {
  static const claim_text said = {
      .title = "t", .language = "es", .sentence = "s", .english = "e", .source = "o", .method = "m"};
  static const claim about = {.name = "n", .game = "g", .text = &said, .options = ""};
  char *text = NULL;
  size_t length = 0;
  FILE *out = open_memstream(&text, &length);
  ck_assert_ptr_nonnull(out);
  print(out, &about, r);
  fclose(out);
  const char *at = text;
  for (; *parts; parts++) {
    at = strstr(at, *parts);
    ck_assert_msg(at != NULL, "no \"%s\", in its order, in: %s", *parts, text);
  }
  free(text);
}

START_TEST(stored_figures_are_told_from_those_found) {
  static const char *const as_text[] = {"Verdict\n  open\n",
                                        "\nStored: --seeds 9\n",
                                        "2026-11-23",
                                        "stored and were",
                                        "1 of",
                                        "3 rows",
                                        "the same.",
                                        "12.50\n",
                                        "3x1 W",
                                        "\n  holds for\n",
                                        "  base, cycles even, 10 tables: 0123456789abcdef0123456789abcdef\n",
                                        NULL};
  static const char *const as_markdown[] = {
      "**open**",          "\n### Stored: `--seeds 9`\n",          "| 1 | 12.50 |",
      "**holds for**: So", "- base, cycles even, 10 tables: 0123", NULL};
  static const char *const as_json[] = {"\"verdict\":\"open\"",
                                        "\"stored\":{\"size\":\"--seeds 9\",\"date\":\"2026-11-23\"",
                                        "\"rows\":3,\"rows_found_again\":1,\"figures\":[",
                                        "{\"a\":1,\"b\":12.5},{\"a\":9,\"b\":null}",
                                        "\"verdict\":\"holds for\"",
                                        "\"sources\":[{\"rules\":\"base, cycles even\",",
                                        "\"digest\":\"0123456789abcdef0123456789abcdef\",\"tables\":10}]",
                                        NULL};
  report r = found_with(12.5);
  report none = empty;
  check_print(print_report_text, &r, as_text);
  check_print(print_report_markdown, &r, as_markdown);
  check_print(print_report_json, &r, as_json);
  report_free(&r);
  report_rules(&none, "base");
  report_verdict(&none, VERDICT_OPEN, "nobody knows");
  check_print(print_report_json, &none, (const char *const[]){"\"stored\":null}", NULL});
  report_free(&none);
}
END_TEST

SUITE("claim_parts") {
  TEST(figures_of_every_kind);
  TEST(a_report_keeps_the_first_error);
  TEST(sentences_have_a_place_for_every_figure);
  TEST(tables_have_a_layout_and_whole_rows);
  TEST(bounds_in_json_are_both_ends);
  TEST(plots_are_of_the_columns_they_name);
  TEST(keys_of_plots_are_names_of_files);
  TEST(sources_have_one_digest_for_each_rule_set);
  TEST(stored_figures_are_held_against_those_found);
  TEST(stored_items_that_nothing_knows_are_refused);
  TEST(stored_figures_are_told_from_those_found);
}
