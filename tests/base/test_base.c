/* base/: errors, text, clock. Memory: test_memory.c; JSON, CSV and progress: test_writers.c; options:
 * test_command.c. */
#include <errno.h>
#include <math.h>

#include "base/clock.h"
#include "base/tauler_error.h"
#include "base/text.h"
#include "base/text_show.h"
#include "base/told.h"
#include "tests/support/suite.h"

CASE(exit_codes_are_the_documented_ones) {
  static const int codes[] = {0, 1, 64, 65, 65, 66, 69, 69, 74, 75, 70};
  for (int error = TAULER_OK; error <= TAULER_INTERNAL; error++) {
    ck_assert_int_eq(tauler_exit_code((tauler_error)error), codes[error]);
    ck_assert_str_ne(tauler_error_name((tauler_error)error), "unknown error");
    for (int other = 0; other < error; other++)
      ck_assert_str_ne(tauler_error_name((tauler_error)error), tauler_error_name((tauler_error)other));
  }
  ck_assert_int_eq(tauler_exit_code((tauler_error)99), 70);
  ck_assert_str_eq(tauler_error_name((tauler_error)99), "unknown error");
}

CASE(failed_calls_have_one_error_each) {
  ck_assert_int_eq(tauler_errno_error(ENOMEM), TAULER_NO_MEMORY);
  ck_assert_int_eq(tauler_errno_error(ENOSPC), TAULER_NO_SPACE);
  ck_assert_int_eq(tauler_errno_error(EDQUOT), TAULER_NO_SPACE);
  ck_assert_int_eq(tauler_errno_error(EFBIG), TAULER_NO_SPACE);
  ck_assert_int_eq(tauler_errno_error(EIO), TAULER_IO);
  ck_assert_int_eq(tauler_errno_error(EACCES), TAULER_IO);
}

CASE(messages_are_written_and_cut) {
  ck_assert_int_eq(tauler_fail(hear(), TAULER_IO, "cannot read %s", "x"), TAULER_IO);
  ck_assert_str_eq(said.text, "cannot read x");
  ck_assert_int_eq(tauler_fail(NULL, TAULER_STOPPED, "%d", 1), TAULER_STOPPED);
  (void)tauler_fail(hear(), TAULER_IO, "cannot read %s", "a\x1b[31m\nb");
  ck_assert_str_eq(said.text, "cannot read a\\x1b[31m\\nb");
  (void)tauler_fail(&said, TAULER_IO, "%s, again", said.text);
  ck_assert_str_eq(said.text, "cannot read a\\x1b[31m\\nb, again");
  char text[3000];
  memset(text, 'a', sizeof text - 1);
  text[sizeof text - 1] = '\0';
  (void)tauler_fail(hear(), TAULER_IO, "%s", text);
  ck_assert_uint_eq(strlen(said.text), sizeof said.text - 1);
}

/* Behind the sentence stands what it is made of, for other languages. */
CASE(messages_are_told_apart) {
  tauler_message message, outer;
  char code[TOLD_CODE];
  (void)tauler_fail(&message, TAULER_BAD_POSITION, "it has %d row%s of %.*s, %zu%% of '%c'", 3, "s", 2, "abc",
                    (size_t)7, '\n');
  ck_assert_str_eq(told_of(message.text, sizeof message.text), "it-has-row-of-of\x1f"
                                                               "3\x1fs\x1f"
                                                               "ab\x1f"
                                                               "7\x1f\\n");
  ck_assert_int_eq(told_because(&outer, told_of(message.text, sizeof message.text),
                                tauler_fail(&outer, TAULER_IO, "No: %s", message.text)),
                   TAULER_IO);
  const char *told = told_of(outer.text, sizeof outer.text);
  ck_assert_int_eq(strncmp(told, "no\x1fit has 3 rows", 16), 0);
  ck_assert_str_eq(strchr(told, TOLD_CAUSE) + 1, told_of(message.text, sizeof message.text));
  (void)tauler_fail(&message, TAULER_IO, "%s", "A sentence (made elsewhere).");
  ck_assert_str_eq(told_of(message.text, sizeof message.text), "a-sentence-made-elsewhere");
  snprintf(message.text, sizeof message.text, "another");
  ck_assert_str_eq(told_of(message.text, sizeof message.text), "");
  memset(message.text, 'x', sizeof message.text);
  ck_assert_str_eq(told_of(message.text, sizeof message.text), "");
  told_code("a word of a code is never cut in two, wherever the room of the code ends: §", code);
  ck_assert_str_eq(code, "a-word-of-a-code-is-never-cut-in-two-wherever-the-room-of-the");
}

CASE(whole_numbers_are_read_strictly) {
  uint64_t n = 7;
  ck_assert(text_read_unsigned("0", 0, 9, &n) && n == 0);
  ck_assert(text_read_unsigned("18446744073709551615", 0, UINT64_MAX, &n) && n == UINT64_MAX);
  n = 7;
  static const char *const bad[] = {"",    "-1", "+1", " 1", "1 ", "1x", "0x1", "18446744073709551616",
                                    "1e3", "11", "2"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    ck_assert_msg(!text_read_unsigned(bad[i], 3, 10, &n), "%s", bad[i]);
  ck_assert(!text_read_unsigned("18446744073709551616", 0, UINT64_MAX, &n));
  ck_assert(!text_read_unsigned("18446744073709551620", 0, UINT64_MAX, &n));
  ck_assert(!text_read_unsigned(NULL, 0, 9, &n));
  ck_assert_uint_eq(n, 7);
}

CASE(real_numbers_are_read_strictly) {
  double x = 7;
  ck_assert(text_read_real("-0.5", -1, 1, &x) && x == -0.5);
  ck_assert(text_read_real("1e-9", 0, 1, &x) && x == 1e-9);
  ck_assert(text_read_real(".5", 0, 1, &x) && x == 0.5);
  x = 7;
  static const char *const bad[] = {"",    ".",     "-",  "nan", "inf",   "0x1p3", "1e",
                                    "1e+", "1.2.3", " 1", "1 ",  "1e999", "2"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    ck_assert_msg(!text_read_real(bad[i], -1, 1, &x), "%s", bad[i]);
  ck_assert_double_eq(x, 7);
}

CASE(sizes_and_durations_are_read) {
  static const struct {
    const char *text;
    uint64_t bytes;
  } sizes[] = {{"0", 0},
               {"4096", 4096},
               {"17B", 17},
               {"2G", UINT64_C(2) << 30},
               {"512M", 512 << 20},
               {"1.5GiB", UINT64_C(3) << 29},
               {"1.5gib", UINT64_C(3) << 29},
               {"3kb", 3000},
               {"2TB", 2000000000000},
               {"18446744073709551615", UINT64_MAX},
               {"0.5K", 512}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    uint64_t bytes = 1;
    ck_assert_msg(text_read_size(sizes[i].text, &bytes) && bytes == sizes[i].bytes, "%s", sizes[i].text);
  }
  uint64_t bytes = 7;
  static const char *const bad[] = {"",     "G",   "-1",  "1X",     "1 G",   "1.5",
                                    "1.5B", "1GG", "1e3", "16384P", "1..5G", "GiB"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    ck_assert_msg(!text_read_size(bad[i], &bytes), "%s", bad[i]);
  ck_assert_uint_eq(bytes, 7);

  static const struct {
    const char *text;
    double seconds;
  } durations[] = {{"0", 0},       {"90", 90},    {"30s", 30},       {"10m", 600},
                   {"2h", 7200},   {"1d", 86400}, {"1h30m", 5400},   {"0.5s", 0.5},
                   {"500ms", 0.5}, {"2m", 120},   {"1m250ms", 60.25}};
  for (size_t i = 0; i < sizeof durations / sizeof *durations; i++) {
    double seconds = -1;
    ck_assert_msg(text_read_duration(durations[i].text, &seconds) && seconds == durations[i].seconds, "%s",
                  durations[i].text);
  }
  double seconds = 7;
  static const char *const wrong[] = {"", "m", "10x", "-5", "1h1h", "30m1h", "1h30", "5 s", "s5"};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    ck_assert_msg(!text_read_duration(wrong[i], &seconds), "%s", wrong[i]);
  ck_assert_double_eq(seconds, 7);
}

CASE(figures_are_written_for_people) {
  ck_assert_str_eq(text_size(0).text, "0 bytes");
  ck_assert_str_eq(text_size(1).text, "1 byte");
  ck_assert_str_eq(text_size(1023).text, "1023 bytes");
  ck_assert_str_eq(text_size(1536).text, "1.50 KiB");
  ck_assert_str_eq(text_size(UINT64_C(12) << 30).text, "12.0 GiB");
  ck_assert_str_eq(text_size(UINT64_C(1023) << 20).text, "1023 MiB");
  ck_assert_str_eq(text_size(UINT64_MAX).text, "16.0 EiB");
  ck_assert_str_eq(text_count(0).text, "0");
  ck_assert_str_eq(text_count(950).text, "950");
  ck_assert_str_eq(text_count(12345678).text, "12.3 M");
  ck_assert_str_eq(text_count(999999).text, "1.00 M");
  ck_assert_str_eq(text_count(4.5).text, "4.50");
  ck_assert_str_eq(text_duration(0.349).text, "0.35 s");
  ck_assert_str_eq(text_duration(42.2).text, "42 s");
  ck_assert_str_eq(text_duration(59.7).text, "1 min 00 s");
  ck_assert_str_eq(text_duration(185).text, "3 min 05 s");
  ck_assert_str_eq(text_duration(7620).text, "2 h 07 min");
  ck_assert_str_eq(text_duration(4 * 86400 + 3 * 3600).text, "4 d 03 h");
  ck_assert_str_eq(text_duration(-1).text, "0.00 s");
  ck_assert_str_eq(text_signed(0).text, "0");
  ck_assert_str_eq(text_signed(-0.0).text, "0");
  ck_assert_str_eq(text_signed(2.5).text, "+2.5");
  ck_assert_str_eq(text_signed(-1).text, "-1");
}

CASE(real_numbers_are_written_shortest) {
  ck_assert_str_eq(text_real(0.1).text, "0.1");
  ck_assert_str_eq(text_real(1.0 / 3).text, "0.3333333333333333");
  ck_assert_str_eq(text_real(-2).text, "-2");
  ck_assert_str_eq(text_real(NAN).text, "nan");
  ck_assert_str_eq(text_real(-INFINITY).text, "-inf");
  uint64_t state = 1;
  for (int i = 0; i < 20000; i++) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    uint64_t bits = state ^ state >> 29;
    double x;
    memcpy(&x, &bits, sizeof x);
    if (isfinite(x) && strtod(text_real(x).text, NULL) != x) ck_abort_msg("%a", x);
  }
}

/* Compares a decimal with the exact digits of a double. */
static int compare_decimal(const char *decimal, double x) {
  char exact[1200], given[1200];
  snprintf(exact, sizeof exact, "%.1100f", fabs(x));
  memset(given, '0', sizeof given);
  const size_t n = strlen(decimal), point = strcspn(decimal, ".");
  memcpy(given, decimal, n);
  if (point == n) given[n] = '.';
  given[strlen(exact)] = '\0';
  return strcmp(given, exact);
}

CASE(bounds_are_written_outward) {
  ck_assert_str_eq(text_below(0.5).text, "0.5");
  ck_assert_str_eq(text_above(0.5).text, "0.5");
  ck_assert_str_eq(text_below(0).text, "0");
  ck_assert_str_eq(text_above(-0.0).text, "0");
  ck_assert_str_eq(text_below(0.1).text, "0.1"); /* is 0.1000000000000000055… */
  ck_assert_str_eq(text_above(0.1).text, "0.10000000000000001");
  ck_assert_str_eq(text_below(0.3).text, "0.29999999999999998"); /* 0.2999999999999999888… */
  ck_assert_str_eq(text_above(0.3).text, "0.3");
  ck_assert_str_eq(text_below(-0.1).text, "-0.10000000000000001");
  ck_assert_str_eq(text_above(-0.1).text, "-0.1");
  ck_assert_str_eq(text_below(1 - 0x1p-53).text, "0.99999999999999988");
  ck_assert_str_eq(text_above(1 - 0x1p-53).text, "0.9999999999999999");
  ck_assert_str_eq(text_above(28).text, "28");
  ck_assert_str_eq(text_below(1200).text, "1200");
  ck_assert_str_eq(text_below(0x1p-60).text, "8.673617379884035e-19");
  ck_assert_str_eq(text_above(0x1p-60).text, "8.673617379884036e-19");
  ck_assert_str_eq(text_below(1e23).text, "9.999999999999999e+22"); /* is 99999999999999991611392 */
  ck_assert_str_eq(text_above(1e23).text, "1e+23");
  ck_assert_str_eq(text_above(INFINITY).text, "inf");
  uint64_t state = 1;
  for (int i = 0; i < 3000; i++) {
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    const double x = (double)(state >> 11) * (i % 2 ? 0x1p-53 : 0x1p-48) + 0x1p-12;
    const text_figure low = text_below(x), high = text_above(x);
    const bool right = strtod(low.text, NULL) == x && strtod(high.text, NULL) == x &&
                       compare_decimal(low.text, x) <= 0 && compare_decimal(high.text, x) >= 0;
    if (!right) ck_abort_msg("%a: %s, %s", x, low.text, high.text);
  }
}

CASE(texts_grow_and_are_cut) {
  char text[10] = "";
  text_add(text, sizeof text, "%d  ", 12);
  text_end_line(text, sizeof text);
  ck_assert_str_eq(text, "12\n");
  text_add(text, sizeof text, "%s", "abcdefgh");
  ck_assert_str_eq(text, "12\nabcdef");
  text_end_line(text, sizeof text);
  ck_assert_str_eq(text, "12\nabcdef");
}

CASE(lines_from_outside_are_cleaned) {
  static const char text[] = "\xEF\xBB\xBF one \r\n\r\n\ttwo\rthree\n\0four";
  static const char *const lines[] = {"one", "", "two\rthree"};
  const char *left = text;
  size_t length = sizeof text - 1;
  text_line line;
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
    ck_assert(text_next_line(&left, &length, &line));
    ck_assert_uint_eq(line.length, strlen(lines[i]));
    ck_assert_int_eq(memcmp(line.text, lines[i], line.length), 0);
  }
  ck_assert(text_next_line(&left, &length, &line));
  ck_assert(line.length == 5 && line.text[0] == '\0' && line.text[4] == 'r');
  ck_assert(!text_next_line(&left, &length, &line));
}

CASE(signs_are_named) {
  static const struct {
    const char *text, *name;
    size_t odd;
  } cases[] = {{"x", "'x'", 1},
               {"\t", "a tab", 1},
               {"\r", "a carriage return", 0},
               {"\n", "a line end", 0},
               {"\xC2\xA0", "U+00A0, a no-break space", 0},
               {"\xEF\xBB\xBF", "U+FEFF, a byte order mark", 0},
               {"\x1B", "U+001B", 0},
               {"\x7F", "U+007F", 0},
               {"\xF0\x9F\x99\x82", "U+1F642", 0},
               {"\xC0\xAF", "byte C0, which is no UTF-8", 0},     /* longer than needed */
               {"\xED\xA0\x80", "byte ED, which is no UTF-8", 0}, /* half of a pair */
               {"\xE2\x80", "byte E2, which is no UTF-8", 0},     /* cut short */
               {"\xA0", "byte A0, which is no UTF-8", 0},
               {"\xF8\x88\x80\x80\x80", "byte F8, which is no UTF-8", 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const text_line line = {cases[i].text, strlen(cases[i].text)};
    ck_assert_str_eq(text_sign(line.text, line.length).text, cases[i].name);
    ck_assert_uint_eq(text_find_odd(line), cases[i].odd);
  }
  ck_assert_str_eq(text_sign("\0", 1).text, "a NUL byte");
  ck_assert_str_eq(text_sign("", 0).text, "the end");
  ck_assert_uint_eq(text_find_odd((text_line){"a b\0c", 5}), 3);
  ck_assert_uint_eq(text_characters("a\xC2\xA0z", 4), 3);
}

CASE(what_a_terminal_obeys_is_shown_escaped) {
  static const struct {
    const char *text, *shown;
  } cases[] = {
      {"", ""},
      {"plain \\ ~", "plain \\ ~"},
      {"aual\xC3\xA9 \xE2\x80\xA6 \xF0\x9F\x8E\xB2", "aual\xC3\xA9 \xE2\x80\xA6 \xF0\x9F\x8E\xB2"},
      {"\n\r\t", "\\n\\r\\t"},
      {"\x01\x1f\x7f", "\\x01\\x1f\\x7f"},
      {"\xC2\x9B", "\\u009b"},
      {"\xE2\x80\x8E|\xE2\x80\x8F|\xD8\x9C", "\\u200e|\\u200f|\\u061c"},
      {"\xE2\x80\xAA|\xE2\x80\xAE|\xE2\x81\xA6|\xE2\x81\xA9", "\\u202a|\\u202e|\\u2066|\\u2069"},
      {"\xE2\x80\x90\xE2\x80\xA7\xE2\x80\xAF", "\xE2\x80\x90\xE2\x80\xA7\xE2\x80\xAF"},
      {"\xEF\xBB\xBF", "\\ufeff"},
      {"\xF3\xA0\x80\x81", "\\U000e0001"},
      {"\x9B"
       "1m",
       "\\x9b1m"},
      {"\xC3", "\\xc3"},
      {"\xC0\xAF", "\\xc0\\xaf"},
      {"\xE0\x80\x80", "\\xe0\\x80\\x80"},
      {"\xED\xA0\x80", "\\xed\\xa0\\x80"},
  };
  char cut[8];
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    ck_assert_str_eq(text_shown(cases[i].text).text, cases[i].shown);
    ck_assert_str_eq(text_shown(cases[i].shown).text, cases[i].shown);
  }
  text_show("abcd\x1b[31m", cut, sizeof cut);
  ck_assert_str_eq(cut, "abcd");
}

CASE(the_word_that_was_meant_is_found) {
  static const char *const words[] = {"seeds", "pieces", "db", NULL, "depth", "width", "level"};
  const size_t n = sizeof words / sizeof *words;
  ck_assert_str_eq(text_nearest("seed", words, n), "seeds");
  ck_assert_str_eq(text_nearest("sedes", words, n), "seeds");
  ck_assert_str_eq(text_nearest("pie", words, n), "pieces");
  ck_assert_str_eq(text_nearest("detph", words, n), "depth");
  ck_assert_str_eq(text_nearest("bd", words, n), "db");
  ck_assert_ptr_null(text_nearest("checkpoint", words, n));
  ck_assert_ptr_null(text_nearest("", words, n));
  char longest[500];
  memset(longest, 'x', sizeof longest - 1);
  longest[sizeof longest - 1] = '\0';
  ck_assert_ptr_null(text_nearest(longest, words, n));
}

CASE(clocks_run) {
  double wall = clock_wall(), process = clock_process_cpu(), thread = clock_thread_cpu();
  while (clock_thread_cpu() - thread < 0.01) {}
  ck_assert_double_ge(clock_process_cpu() - process, 0.009);
  ck_assert_double_ge(clock_wall() - wall, 0.009);
  ck_assert_uint_gt(clock_peak_memory(), 100 << 10);
}

SUITE("base") {
  TESTS(exit_codes_are_the_documented_ones, failed_calls_have_one_error_each, messages_are_written_and_cut,
        messages_are_told_apart, whole_numbers_are_read_strictly, real_numbers_are_read_strictly,
        sizes_and_durations_are_read, figures_are_written_for_people, real_numbers_are_written_shortest,
        bounds_are_written_outward, texts_grow_and_are_cut, lines_from_outside_are_cleaned, signs_are_named,
        what_a_terminal_obeys_is_shown_escaped, the_word_that_was_meant_is_found, clocks_run);
}
