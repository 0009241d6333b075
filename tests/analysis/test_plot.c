/* Plots: whole pictures that hold what they were given, whatever is in the texts; and programs in gnuplot's
 * place that are missing, fail, stop half-way or hang leave no file and are reported. */
#include <dirent.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "analysis/plot/gnuplot.h"
#include "analysis/plot/plot.h"
#include "analysis/plot/plot_script.h"
#include "base/clock.h"
#include "tests/support/suite.h"

enum { PATH_BYTES = 512, ROWS = 4 };

static char file[PATH_BYTES], kept_path[8192];

static void set_up(void) {
  make_folder();
  snprintf(file, sizeof file, "%s/picture", folder);
  snprintf(kept_path, sizeof kept_path, "%s", getenv("PATH"));
}

static size_t count_files(void) {
  size_t n = 0;
  DIR *open = opendir(folder);
  ck_assert_ptr_nonnull(open);
  for (const struct dirent *entry; (entry = readdir(open));)
    n += strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0 &&
         strcmp(entry->d_name, "bin") != 0;
  closedir(open);
  return n;
}

static void tear_down(void) {
  setenv("PATH", kept_path, 1);
  remove_folder();
}

static bool have_gnuplot(const char *test) {
  const tauler_error error = plot_check(NULL);
  if (error == TAULER_UNAVAILABLE) printf("SKIP: %s: there is no gnuplot\n", test);
  return error != TAULER_UNAVAILABLE;
}

/* The caller's to free; ends with a NUL that does not count. */
static char *read_file(const char *path, size_t *length) {
  FILE *in = fopen(path, "rb");
  ck_assert_msg(in != NULL, "there is no %s", path);
  char *bytes = calloc(1, 1 << 20);
  *length = fread(bytes, 1, (1 << 20) - 1, in);
  fclose(in);
  return bytes;
}

/* --- plots --- */

static const double numbers[ROWS] = {1, 2, 3, 4}, first[ROWS] = {3, 1, 4, 1.5}, second[ROWS] = {2, 7, 1, 8};
static const char *const names[ROWS] = {"rat", "cat", "dog", "wolf"};
static const plot_series two[] = {{"the first one", first}, {"the second one", second}};

static plot small_plot(plot_kind kind) {
  return (plot){.title = "A title",
                .x_label = "animals",
                .y_label = "their worth",
                .kind = kind,
                .points = ROWS,
                .x = numbers,
                .labels = kind == PLOT_LINES ? NULL : names,
                .series = two,
                .series_used = 2};
}

static void check_svg(const char *path) {
  char words[2 * PATH_BYTES];
  snprintf(words, sizeof words,
           "python3 -c 'import sys, xml.etree.ElementTree as t; "
           "e = t.parse(sys.argv[1]).getroot(); "
           "sys.exit(e.tag != \"{http://www.w3.org/2000/svg}svg\" or e.get(\"width\") != \"900\")' '%s'",
           path);
  ck_assert_msg(system(words) == 0, "%s is no SVG of the right width", path);
}

static unsigned big_endian(const char *bytes) {
  unsigned n = 0;
  for (int i = 0; i < 4; i++) n = n << 8 | (unsigned char)bytes[i];
  return n;
}

static void check_contains(const char *text, const char *part) {
  ck_assert_msg(strstr(text, part) != NULL, "there is no \"%s\"", part);
}

START_TEST(pictures_are_whole_and_the_same_again) {
  if (!have_gnuplot("pictures_are_whole_and_the_same_again")) return;
  for (int kind = PLOT_LINES; kind <= PLOT_STACKED_BARS; kind++) {
    const plot p = small_plot((plot_kind)kind);
    for (int format = 0; format < PLOT_FORMATS; format++) {
      size_t length, again;
      tauler_message message = {""};
      ck_assert_msg(plot_draw(&p, (plot_format)format, file, &message) == TAULER_OK, "%s", message.text);
      char *bytes = read_file(file, &length);
      if (format == PLOT_SVG) {
        check_svg(file);
        check_contains(bytes, "A title");
        check_contains(bytes, "their worth");
        check_contains(bytes, ">the first one<");
        check_contains(bytes, ">the second one<");
        if (kind != PLOT_LINES) check_contains(bytes, ">wolf<");
      } else {
        ck_assert(length > 1000 && memcmp(bytes, "\x89PNG\r\n\x1a\n", 8) == 0);
        ck_assert_uint_eq(big_endian(bytes + 16), PLOT_WIDTH);
        ck_assert_uint_eq(big_endian(bytes + 20), PLOT_HEIGHT);
      }
      ck_assert_int_eq(plot_draw(&p, (plot_format)format, file, &message), TAULER_OK);
      char *other = read_file(file, &again);
      ck_assert_msg(length == again && memcmp(bytes, other, length) == 0, "other bytes the second time");
      free(bytes);
      free(other);
    }
  }
  ck_assert_uint_eq(count_files(), 1);
}
END_TEST

START_TEST(texts_stay_texts) {
  if (!have_gnuplot("texts_stay_texts")) return;
  char odd[PATH_BYTES];
  size_t length;
  snprintf(odd, sizeof odd,
           "`touch %s/ran` @x 'single' \"double\" <b>&amp;</b> x_{2}^3 \\n %%d\n\x01 \xff\xc3 né €", folder);
  const char *const labels[ROWS] = {"a'b", "'$data", "", "50% `touch ran`"};
  const plot_series series[] = {{"'; system('touch ran'); '", first}, {"x_{i}", second}};
  plot p = small_plot(PLOT_BARS);
  p.title = p.x_label = p.y_label = odd;
  p.labels = labels;
  p.series = series;
  tauler_message message = {""};
  ck_assert_msg(plot_draw(&p, PLOT_SVG, file, &message) == TAULER_OK, "%s", message.text);
  ck_assert_uint_eq(count_files(), 1);
  check_svg(file);
  char *bytes = read_file(file, &length);
  check_contains(bytes, "'single' \"double\" &lt;b>&amp;amp;&lt;/b> x_{2}^3 \\n %d");
  check_contains(bytes, "?? né €");
  check_contains(bytes, ">a'b<");
  check_contains(bytes, ">'$data<");
  check_contains(bytes, ">50% `touch ran`<");
  check_contains(bytes, ">x_{i}<");
  free(bytes);
  ck_assert_int_eq(plot_draw(&p, PLOT_PNG, file, &message), TAULER_OK);
}
END_TEST

/* --- scripts --- */

static char *script_of(const plot *p) {
  char *script;
  size_t length;
  ck_assert_int_eq(plot_script_write(p, PLOT_SVG, &script, &length, NULL), TAULER_OK);
  ck_assert_uint_eq(strlen(script), length);
  return script;
}

START_TEST(scripts_say_what_the_plot_does) {
  const double gaps[ROWS] = {3, NAN, 0, INFINITY}, below[ROWS] = {-3, -1, -2, -5},
               same[ROWS] = {60, 50, 40.2, 0}, rest[ROWS] = {40, 50, 60, 0};
  plot p = small_plot(PLOT_LINES);
  p.series = (plot_series[]){{"one", gaps}, {"two", second}};
  char *script = script_of(&p);
  check_contains(script, "\n1 3 2\n2 NaN 7\n3 0 1\n4 NaN 8\nEND\n");
  check_contains(script, "\nset xtics 1\n");
  ck_assert_ptr_null(strstr(script, "missing")); /* that would draw a line over the gap */
  free(script);
  p.logarithmic = true;
  script = script_of(&p);
  check_contains(script, "\n3 NaN 1\n");
  check_contains(script, "\nset yrange [0.5:16]\n");
  free(script);
  p = small_plot(PLOT_BARS);
  script = script_of(&p);
  check_contains(script, "\nset yrange [0:*]\n");
  check_contains(script, "norotate (\"rat\" 0, \"cat\" 1, \"dog\" 2, \"wolf\" 3)");
  free(script);
  p.series = (plot_series[]){{"one", below}, {"two", below}};
  p.labels = (const char *[]){"rat", "a name that is much longer than there is room for, whatever is done",
                              "dog", "wolf"};
  script = script_of(&p);
  check_contains(script, "\nset yrange [*:0]\n");
  check_contains(script, "rotate by 35 right (\"rat\" 0, \"a name that is much longer than th…\" 1");
  free(script);
  p = small_plot(PLOT_STACKED_BARS);
  p.series = (plot_series[]){{"one", same}, {"two", rest}};
  p.labels = NULL;
  script = script_of(&p);
  check_contains(script, "\nset yrange [0:100]\n");
  check_contains(script, "(\"1\" 0, \"2\" 1, \"3\" 2, \"4\" 3)");
  check_contains(script, "first 50 to graph 1, first 50 nohead"); /* a half */
  free(script);
}
END_TEST

START_TEST(bars_of_numbers_stand_where_their_numbers_are) {
  const double odd[ROWS] = {-3, -1, 1, 7};
  plot p = small_plot(PLOT_BARS);
  p.labels = NULL;
  p.x = odd;
  char *script = script_of(&p);
  check_contains(script, "\nset xrange [-4.4:8.4]\n");
  check_contains(script, "using ($1+(-0.4)):2:(0.8) with boxes linecolor rgb '#0072b2'");
  check_contains(script, "using ($1+(0.4)):3:(0.8) with boxes");
  free(script);
  p.series_used = 1;
  p.colours = (plot_colour[]){PLOT_BY_SIGN};
  script = script_of(&p);
  check_contains(script, ":($1>0?0x006b50:$1<0?0xa93226:0xf0b32c) with boxes linecolor rgb variable");
  free(script);
  p.colours = (plot_colour[]){PLOT_LOST};
  script = script_of(&p);
  check_contains(script, "linecolor rgb '#a93226'");
  free(script);
}
END_TEST

START_TEST(plots_with_nothing_to_show_are_refused) {
  const double none[ROWS] = {NAN, INFINITY, NAN, NAN}, zeros[ROWS] = {0, -1, NAN, 0};
  plot p = small_plot(PLOT_BARS);
  tauler_message message = {""};
  p.series = (plot_series[]){{"none", none}, {"none", none}};
  ck_assert(plot_is_empty(&p));
  ck_assert_int_eq(plot_draw(&p, PLOT_SVG, file, &message), TAULER_BAD_USAGE);
  check_contains(message.text, "A title");
  p.series = (plot_series[]){{"none", none}, {"zeros", zeros}};
  ck_assert(!plot_is_empty(&p));
  p.logarithmic = true;
  ck_assert(plot_is_empty(&p));
  p.points = 0;
  ck_assert(plot_is_empty(&p));
  ck_assert_uint_eq(count_files(), 0);
}
END_TEST

START_TEST(long_plots_are_drawn) {
  if (!have_gnuplot("long_plots_are_drawn")) return;
  enum { LONG = 60000 };
  double *x = calloc(LONG, sizeof *x), *y = calloc(LONG, sizeof *y);
  for (int i = 0; i < LONG; i++) {
    x[i] = i;
    y[i] = i % 17 + 0.123456789;
  }
  const plot p = {
      .title = "long", .points = LONG, .x = x, .series = (plot_series[]){{"y", y}}, .series_used = 1};
  tauler_message message = {""};
  ck_assert_msg(plot_draw(&p, PLOT_PNG, file, &message) == TAULER_OK, "%s", message.text);
  free(x);
  free(y);
}
END_TEST

/* --- faults --- */

/* A program in gnuplot's place. */
static void replace_gnuplot(const char *script) {
  char path[PATH_BYTES], all[sizeof kept_path + PATH_BYTES];
  snprintf(path, sizeof path, "%s/bin", folder);
  ck_assert_int_eq(mkdir(path, 0755), 0);
  snprintf(all, sizeof all, "%s:%s", path, kept_path);
  setenv("PATH", script ? all : path, 1);
  if (!script) return;
  snprintf(path, sizeof path, "%s/bin/gnuplot", folder);
  FILE *out = fopen(path, "w");
  ck_assert_ptr_nonnull(out);
  fprintf(out, "#!/bin/sh\n%s\n", script);
  fclose(out);
  ck_assert_int_eq(chmod(path, 0755), 0);
}

static void check_failure(tauler_error wanted, const char *said) {
  const plot p = small_plot(PLOT_LINES);
  for (int format = 0; format < PLOT_FORMATS; format++) {
    tauler_message message = {""};
    const tauler_error error = plot_draw(&p, (plot_format)format, file, &message);
    ck_assert_msg(error == wanted, "error %d: %s", error, message.text);
    check_contains(message.text, said);
    ck_assert_ptr_null(strchr(message.text, '\n'));
    ck_assert_uint_eq(count_files(), 0);
  }
}

START_TEST(without_gnuplot_the_package_is_named) {
  replace_gnuplot(NULL);
  check_failure(TAULER_UNAVAILABLE, "gnuplot-nox");
  ck_assert_int_eq(tauler_exit_code(TAULER_UNAVAILABLE), 69);
  ck_assert_int_eq(plot_check(NULL), TAULER_UNAVAILABLE);
}
END_TEST

START_TEST(what_gnuplot_says_is_told_in_short) {
  replace_gnuplot("echo '' >&2; echo '  plot $x   ^' >&2; echo 'line 7: bad' >&2; head -c 100000 /dev/zero | "
                  "tr '\\0' y >&2; "
                  "cat >/dev/null; exit 3");
  check_failure(TAULER_IO, "gnuplot failed: plot $x ^ line 7: bad yyy");
}
END_TEST

START_TEST(settings_of_the_user_do_not_count) {
  const plot p = small_plot(PLOT_LINES);
  tauler_message message = {""};
  replace_gnuplot("cat >/dev/null; env | grep '^LC_\\|^LANG\\|^GNUPLOT' >&2; exit 3");
  setenv("LC_NUMERIC", "ca_ES.UTF-8", 1);
  setenv("GNUPLOT_FONTPATH", "/nowhere", 1);
  ck_assert_int_eq(plot_draw(&p, PLOT_SVG, file, &message), TAULER_IO);
  ck_assert_str_eq(message.text, "gnuplot failed: LC_ALL=C.UTF-8");
  unsetenv("LC_NUMERIC");
  unsetenv("GNUPLOT_FONTPATH");
}
END_TEST

static const char *const halves[][2] = {
    {"cat >/dev/null; echo '<?xml version=\"1.0\"?>'; echo '<svg>'", "no whole picture"},
    {"cat >/dev/null; printf '\\211PNG\\r\\n\\032\\n1234'", "no whole picture"},
    {"exit 0", "no whole picture"}, /* reads nothing */
    {"exec <&-; echo '<?xml'; exit 2", "it does not say why"},
    {"cat >/dev/null; echo '<?xml'; kill -9 $$", "signal 9"}};

START_TEST(half_a_picture_is_none) {
  replace_gnuplot(halves[_i][0]);
  check_failure(TAULER_IO, halves[_i][1]);
}
END_TEST

static const char *const hangers[] = {"exec sleep 600", "exec >&- 2>&-; exec sleep 600",
                                      "while echo x; do :; done | head -c 1000; exec sleep 600"};

START_TEST(who_hangs_is_ended) {
  replace_gnuplot(hangers[_i]);
  gnuplot_output drawn;
  tauler_message message = {""};
  const double start = clock_wall();
  ck_assert_int_eq(gnuplot_run("plot x\n", 7, 0.3, &drawn, &message), TAULER_IO);
  ck_assert_msg(clock_wall() - start < 60, "ended after %.0f s", clock_wall() - start);
  check_contains(message.text, "too long");
  ck_assert_int_eq(waitpid(-1, NULL, WNOHANG), -1); /* nobody is left */
}
END_TEST

static int draw_with_full_disk(void) {
  const struct rlimit limit = {1000, 1000};
  const plot p = small_plot(PLOT_LINES);
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &limit);
  return (int)plot_draw(&p, PLOT_SVG, file, NULL);
}

START_TEST(disks_and_folders_that_take_nothing_are_reported) {
  replace_gnuplot("cat >/dev/null; echo '<?xml'; head -c 5000 /dev/zero | tr '\\0' x; echo '</svg>'");
  const plot p = small_plot(PLOT_LINES);
  int status = 0;
  const pid_t child = fork();
  if (child == 0) _exit(draw_with_full_disk());
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert(WIFEXITED(status));
  ck_assert_int_eq(WEXITSTATUS(status), TAULER_NO_SPACE);
  ck_assert_uint_eq(count_files(), 0);
  char nowhere[2 * PATH_BYTES];
  tauler_message message = {""};
  snprintf(nowhere, sizeof nowhere, "%s/missing/picture.svg", folder);
  ck_assert_int_eq(plot_draw(&p, PLOT_SVG, nowhere, &message), TAULER_IO);
  check_contains(message.text, nowhere);
  ck_assert_int_eq(plot_draw(&p, PLOT_SVG, file, &message), TAULER_OK);
}
END_TEST

SUITE("plot") {
  FIXTURE(set_up, tear_down);
  TEST(pictures_are_whole_and_the_same_again);
  TEST(texts_stay_texts);
  TEST(scripts_say_what_the_plot_does);
  TEST(bars_of_numbers_stand_where_their_numbers_are);
  TEST(plots_with_nothing_to_show_are_refused);
  TEST(long_plots_are_drawn);
  TEST(without_gnuplot_the_package_is_named);
  TEST(what_gnuplot_says_is_told_in_short);
  TEST(settings_of_the_user_do_not_count);
  LOOP(half_a_picture_is_none, ROWS(halves));
  LOOP(who_hangs_is_ended, ROWS(hangers));
  TEST(disks_and_folders_that_take_nothing_are_reported);
}
