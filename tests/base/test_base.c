/* base/: errors, text, memory, clock. JSON, CSV and progress: test_writers.c; options: test_command.c. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/available.h"
#include "base/clock.h"
#include "base/tauler_error.h"
#include "base/text.h"
#include "tests/support/suite.h"

START_TEST(exit_codes_are_the_documented_ones) {
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
END_TEST

START_TEST(messages_are_written_and_cut) {
  tauler_message message;
  ck_assert_int_eq(tauler_fail(&message, TAULER_IO, "cannot read %s", "x"), TAULER_IO);
  ck_assert_str_eq(message.text, "cannot read x");
  ck_assert_int_eq(tauler_fail(NULL, TAULER_STOPPED, "%d", 1), TAULER_STOPPED);
  char text[3000];
  memset(text, 'a', sizeof text - 1);
  text[sizeof text - 1] = '\0';
  tauler_fail(&message, TAULER_IO, "%s", text);
  ck_assert_uint_eq(strlen(message.text), sizeof message.text - 1);
}
END_TEST

START_TEST(whole_numbers_are_read_strictly) {
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
END_TEST

START_TEST(real_numbers_are_read_strictly) {
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
END_TEST

START_TEST(sizes_and_durations_are_read) {
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
END_TEST

START_TEST(figures_are_written_for_people) {
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
}
END_TEST

START_TEST(real_numbers_are_written_shortest) {
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
END_TEST

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

START_TEST(bounds_are_written_outward) {
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
END_TEST

START_TEST(texts_grow_and_are_cut) {
  char text[10] = "";
  text_add(text, sizeof text, "%d  ", 12);
  text_end_line(text, sizeof text);
  ck_assert_str_eq(text, "12\n");
  text_add(text, sizeof text, "%s", "abcdefgh");
  ck_assert_str_eq(text, "12\nabcdef");
  text_end_line(text, sizeof text);
  ck_assert_str_eq(text, "12\nabcdef");
}
END_TEST

START_TEST(the_word_that_was_meant_is_found) {
  static const char *const words[] = {"seeds", "pieces", "db", NULL, "depth", "width", "level"};
  const size_t n = sizeof words / sizeof *words;
  ck_assert_uint_eq(text_distance("kitten", "sitting"), 3);
  ck_assert_uint_eq(text_distance("abcd", "abdc"), 1);
  ck_assert_uint_eq(text_distance("", "abc"), 3);
  ck_assert_uint_eq(text_distance("same", "same"), 0);
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
END_TEST

/* Apart from ck_assert, which takes its time. */
static bool is_zero(const unsigned char *bytes, uint64_t n) {
  for (uint64_t i = 0; i < n; i++)
    if (bytes[i] != 0) return false;
  return true;
}

START_TEST(memory_is_zero_aligned_and_counted) {
  memory_budget budget;
  memory_budget_open(&budget, UINT64_C(64) << 20);
  static const uint64_t sizes[] = {0, 1, 63, 64, 100000, UINT64_C(1) << 20, UINT64_C(9) << 20};
  unsigned char *blocks[7];
  uint64_t sum = 0;
  for (size_t i = 0; i < 7; i++) {
    ck_assert_int_eq(memory_take(&budget, sizes[i], "a block", &blocks[i], NULL), TAULER_OK);
    ck_assert_uint_eq((uintptr_t)blocks[i] % 64, 0);
    ck_assert(is_zero(blocks[i], sizes[i]));
    if (sizes[i] > 0) memset(blocks[i], 0xFF, sizes[i]);
    sum += sizes[i];
    ck_assert_uint_eq(memory_taken(&budget), sum);
  }
  for (size_t i = 0; i < 7; i++) memory_give(&budget, blocks[i]);
  memory_give(&budget, NULL);
  ck_assert_uint_eq(memory_taken(&budget), 0);
  ck_assert_uint_eq(memory_peak(&budget), sum);
  ck_assert_uint_eq(memory_left(&budget), UINT64_C(64) << 20);
}
END_TEST

START_TEST(memory_over_the_limit_is_refused_with_figures) {
  memory_budget budget;
  tauler_message message = {""};
  char *first, *second = (char *)&budget;
  memory_budget_open(&budget, 3 << 20);
  ck_assert_int_eq(memory_take(&budget, 2 << 20, "first", &first, &message), TAULER_OK);
  ck_assert_int_eq(memory_take(&budget, (1 << 20) + 1, "counters of slice 12", &second, &message),
                   TAULER_NO_MEMORY);
  ck_assert_ptr_null(second);
  static const char *const parts[] = {"counters of slice 12", "1048577", "3.00 MiB", "1.00 MiB", "--memory"};
  for (size_t i = 0; i < 5; i++)
    ck_assert_msg(strstr(message.text, parts[i]) != NULL, "%s: %s", parts[i], message.text);
  ck_assert_int_eq(memory_plan(&budget, 1 << 20, "plan", &message), TAULER_OK);
  ck_assert_int_eq(memory_plan(&budget, (1 << 20) + 1, "plan", &message), TAULER_NO_MEMORY);
  ck_assert_int_eq(memory_take(&budget, UINT64_MAX, "all", &second, &message), TAULER_NO_MEMORY);
  ck_assert_int_eq(
      memory_take_array(&budget, UINT64_C(1) << 40, UINT64_C(1) << 40, "wraps", &second, &message),
      TAULER_NO_MEMORY);
  ck_assert_int_eq(
      memory_take_array(&budget, UINT64_C(1) << 32, UINT64_C(1) << 32, "wraps to 0", &second, NULL),
      TAULER_NO_MEMORY);
  ck_assert_uint_eq(memory_taken(&budget), 2 << 20);
  ck_assert_uint_eq(memory_peak(&budget), 2 << 20);
  ck_assert_int_eq(memory_take_array(&budget, 1 << 18, 4, "fits", &second, &message), TAULER_OK);
  ck_assert_uint_eq(memory_left(&budget), 0);
  memory_give(&budget, first);
  memory_give(&budget, second);
}
END_TEST

START_TEST(memory_is_resized_with_its_content) {
  memory_budget budget;
  memory_budget_open(&budget, 8 << 20);
  unsigned char *block = NULL;
  ck_assert_int_eq(memory_resize(&budget, 10, "list", &block, NULL), TAULER_OK);
  memset(block, 5, 10);
  ck_assert_int_eq(memory_resize(&budget, 2 << 20, "list", &block, NULL), TAULER_OK);
  ck_assert(block[0] == 5 && block[9] == 5 && block[10] == 0 && block[(2 << 20) - 1] == 0);
  ck_assert_uint_eq(memory_taken(&budget), 2 << 20);
  unsigned char *before = block;
  ck_assert_int_eq(memory_resize(&budget, 8 << 20, "list", &block, NULL), TAULER_NO_MEMORY);
  ck_assert_ptr_eq(block, before);
  ck_assert_int_eq(memory_resize(&budget, 3, "list", &block, NULL), TAULER_OK);
  ck_assert(block[0] == 5 && block[2] == 5);
  memory_give(&budget, block);
  ck_assert_uint_eq(memory_taken(&budget), 0);
}
END_TEST

START_TEST(the_nth_take_fails_when_told) {
  memory_budget budget;
  tauler_message message;
  char *blocks[5];
  memory_budget_open(&budget, 1 << 20);
  ck_assert_int_eq(memory_take(&budget, 1, "before", &blocks[0], NULL), TAULER_OK);
  memory_give(&budget, blocks[0]);
  for (int onwards = 0; onwards < 2; onwards++) {
    memory_fail_take(&budget, 3, onwards);
    for (int i = 1; i <= 5; i++) {
      bool fails = onwards ? i >= 3 : i == 3;
      tauler_error error = memory_take(&budget, 8, "told to fail", &blocks[i - 1], &message);
      ck_assert_int_eq(error, fails ? TAULER_NO_MEMORY : TAULER_OK);
      ck_assert(fails == (blocks[i - 1] == NULL));
    }
    ck_assert_ptr_nonnull(strstr(message.text, "told to fail"));
    for (int i = 0; i < 5; i++) memory_give(&budget, blocks[i]);
    ck_assert_uint_eq(memory_taken(&budget), 0);
  }
  memory_fail_take(&budget, 0, false);
  ck_assert_int_eq(memory_take(&budget, 8, "after", &blocks[0], NULL), TAULER_OK);
  memory_give(&budget, blocks[0]);
}
END_TEST

static void *take_and_give(void *argument) {
  memory_budget *budget = argument;
  for (int i = 0; i < 2000; i++) {
    char *block;
    if (memory_take(budget, 600, "of a thread", &block, NULL) == TAULER_OK) memory_give(budget, block);
  }
  return NULL;
}

START_TEST(threads_share_a_budget) {
  memory_budget budget;
  pthread_t threads[4];
  memory_budget_open(&budget, 1000);
  for (int i = 0; i < 4; i++) ck_assert_int_eq(pthread_create(&threads[i], NULL, take_and_give, &budget), 0);
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  ck_assert_uint_eq(memory_taken(&budget), 0);
  ck_assert_uint_eq(memory_peak(&budget), 600);
}
END_TEST

START_TEST(untouched_pages_cost_nothing) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  puts("SKIP: untouched_pages_cost_nothing: sanitizers map memory of their own");
#else
  memory_budget budget;
  memory_budget_open(&budget, UINT64_C(64) << 30);
  uint64_t before = clock_peak_memory();
  char *block;
  ck_assert_int_eq(memory_take(&budget, UINT64_C(32) << 30, "large", &block, NULL), TAULER_OK);
  block[UINT64_C(16) << 30] = 1;
  ck_assert_uint_lt(clock_peak_memory() - before, 64 << 20);
  memory_give(&budget, block);
#endif
}
END_TEST

START_TEST(sparse_blocks_are_charged_what_is_touched) {
  memory_budget budget;
  tauler_message message = {""};
  unsigned char *block, *other = (unsigned char *)&budget;
  memory_budget_open(&budget, 1 << 20);
  const uint64_t all = UINT64_C(1) << 33;
  ck_assert_int_eq(memory_take_sparse(&budget, all, 3 << 18, "sparse", &block, &message), TAULER_OK);
  ck_assert_uint_eq(memory_taken(&budget), 3 << 18);
  ck_assert_uint_eq((uintptr_t)block % 64, 0);
  for (uint64_t i = 0; i < 64; i++) {
    unsigned char *piece = block + i * (all / 64);
    ck_assert(is_zero(piece, 64) && is_zero(piece + all / 64 - 64, 64));
    piece[0] = piece[all / 64 - 1] = 1;
  }
  ck_assert_int_eq(memory_take_sparse(&budget, 10, (1 << 18) + 1, "too much", &other, &message),
                   TAULER_NO_MEMORY);
  ck_assert_ptr_null(other);
  ck_assert_msg(strstr(message.text, "too much: 256 KiB (262145 bytes)") != NULL, "%s", message.text);
  ck_assert_int_eq(memory_take_sparse(&budget, UINT64_MAX, 1, "all", &other, &message), TAULER_NO_MEMORY);
  ck_assert_uint_eq(memory_taken(&budget), 3 << 18);
  memory_fail_take(&budget, 1, false);
  ck_assert_int_eq(memory_take_sparse(&budget, 10, 10, "told to fail", &other, &message), TAULER_NO_MEMORY);
  ck_assert_int_eq(memory_take_sparse(&budget, 10, 10, "small", &other, &message), TAULER_OK);
  ck_assert_uint_eq(memory_taken(&budget), (3 << 18) + 10);
  memory_give(&budget, other);
  memory_give(&budget, block);
  ck_assert_uint_eq(memory_taken(&budget), 0);
}
END_TEST

static uint64_t resident_pages(const unsigned char *block, uint64_t pages) {
  unsigned char *there = malloc(pages);
  uint64_t n = 0;
  ck_assert_int_eq(mincore((void *)((uintptr_t)block / 4096 * 4096), pages * 4096, there), 0);
  for (uint64_t i = 0; i < pages; i++) n += there[i] & 1;
  free(there);
  return n;
}

/* Of huge pages one touched byte would bring in two MiB. */
START_TEST(sparse_blocks_have_the_pages_that_are_touched) {
  memory_budget budget;
  unsigned char *block;
  memory_budget_open(&budget, 1 << 20);
  ck_assert_int_eq(memory_take_sparse(&budget, 64 << 20, 1 << 16, "sparse", &block, NULL), TAULER_OK);
  for (uint64_t i = 0; i < 8; i++) block[i << 23] = 1;
  ck_assert_uint_le(resident_pages(block, 16384), 9);
  memory_give(&budget, block);
}
END_TEST

START_TEST(what_is_forgotten_is_zero_and_gone) {
  enum { PAGES = 40, BYTES = PAGES * 4096 };
  static const struct {
    uint64_t from, n;
  } ranges[] = {{0, BYTES},        {1, 1},           {4096 - 64, 1}, {4000, 500},
                {4096 - 64, 4096}, {4096, 8192},     {4031, 4098},   {4033, 4 * 4096},
                {100, 0},          {8 * 4096, 2000}, {5, BYTES - 10}};
  memory_budget budget;
  unsigned char *block;
  memory_budget_open(&budget, 1 << 20);
  ck_assert_int_eq(memory_take_sparse(&budget, BYTES, BYTES, "sparse", &block, NULL), TAULER_OK);
  for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
    const uint64_t from = ranges[i].from, end = from + ranges[i].n;
    memset(block, 0xFF, BYTES);
    memory_forget(block + from, ranges[i].n);
    uint64_t wrong = 0;
    for (uint64_t k = 0; k < BYTES; k++) wrong += block[k] != (k >= from && k < end ? 0 : 0xFF);
    ck_assert_msg(wrong == 0, "%lu bytes are wrong after %lu from %lu", (unsigned long)wrong,
                  (unsigned long)ranges[i].n, (unsigned long)from);
  }
  memset(block, 0xFF, BYTES);
  ck_assert_uint_ge(resident_pages(block, PAGES), PAGES);
  memory_forget(block + 1000, BYTES - 2000);
  ck_assert_uint_le(resident_pages(block, PAGES), 3);
  memory_give(&budget, block);
}
END_TEST

START_TEST(what_is_taken_in_another_way_is_charged) {
  memory_budget budget;
  tauler_message message = {""};
  memory_budget_open(&budget, 1000);
  ck_assert_int_eq(memory_charge(&budget, 600, "mapped", &message), TAULER_OK);
  ck_assert_uint_eq(memory_taken(&budget), 600);
  ck_assert_int_eq(memory_charge(&budget, 401, "more", &message), TAULER_NO_MEMORY);
  ck_assert_msg(strstr(message.text, "more: 401 bytes") != NULL, "%s", message.text);
  ck_assert_uint_eq(memory_taken(&budget), 600);
  ck_assert_int_eq(memory_charge(&budget, 400, "fits", &message), TAULER_OK);
  memory_discharge(&budget, 600);
  ck_assert_uint_eq(memory_taken(&budget), 400);
  memory_discharge(&budget, 400);
  ck_assert_uint_eq(memory_taken(&budget), 0);
  ck_assert_uint_eq(memory_peak(&budget), 1000);
}
END_TEST

static void write_file(const char *root, const char *path, const char *content) {
  char name[512];
  snprintf(name, sizeof name, "%s%s", root, path);
  for (char *slash = name + strlen(root) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
    *slash = '\0';
    mkdir(name, 0755);
    *slash = '/';
  }
  FILE *file = fopen(name, "w");
  ck_assert_ptr_nonnull(file);
  fputs(content, file);
  fclose(file);
}

START_TEST(available_memory_heeds_machine_and_groups) {
  const char *root = folder;
  make_folder();
  write_file(root, "/proc/meminfo", "MemTotal: 9000 kB\nMemAvailable:    8000 kB\n");
  ck_assert_uint_eq(memory_available(root), 8000 * 1024);

  write_file(root, "/proc/self/cgroup", "0::/a/b\n");
  write_file(root, "/sys/fs/cgroup/a/b/memory.max", "max\n");
  ck_assert_uint_eq(memory_available(root), 8000 * 1024);
  write_file(root, "/sys/fs/cgroup/a/memory.max", "5000000\n");
  write_file(root, "/sys/fs/cgroup/a/memory.current", "2000000\n");
  write_file(root, "/sys/fs/cgroup/a/memory.stat", "anon 1\ninactive_file 500000\n");
  ck_assert_uint_eq(memory_available(root), 3500000);
  write_file(root, "/sys/fs/cgroup/a/b/memory.max", "1000000\n");
  ck_assert_uint_eq(memory_available(root), 1000000);
  write_file(root, "/sys/fs/cgroup/a/b/memory.current", "1000001\n");
  ck_assert_uint_eq(memory_available(root), 1);

  /* version 1, as seen in a container: the path of the outside does not exist inside */
  write_file(root, "/proc/self/cgroup", "3:cpu,memory:/docker/x\n2:cpuset:/\n");
  write_file(root, "/sys/fs/cgroup/memory/memory.limit_in_bytes", "4000000\n");
  write_file(root, "/sys/fs/cgroup/memory/memory.usage_in_bytes", "1000000\n");
  ck_assert_uint_eq(memory_available(root), 3000000);
  remove_folder();

  ck_assert_uint_gt(memory_available(""), 1 << 20);
  memory_budget budget;
  memory_budget_open(&budget, 0);
  ck_assert_uint_gt(budget.limit, 1 << 20);
}
END_TEST

START_TEST(groups_pay_for_processors_and_memory) {
  const char *root = folder;
  make_folder();
  ck_assert_uint_eq(available_group_processors(root), UINT64_MAX);
  ck_assert_uint_eq(available_group_memory(root), UINT64_MAX);
  write_file(root, "/proc/self/cgroup", "0::/a/b\n");
  write_file(root, "/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
  ck_assert_uint_eq(available_group_processors(root), UINT64_MAX);
  write_file(root, "/sys/fs/cgroup/a/b/cpu.max", "250000 100000\n");
  ck_assert_uint_eq(available_group_processors(root), 3);
  write_file(root, "/sys/fs/cgroup/a/cpu.max", "200000 100000\n");
  ck_assert_uint_eq(available_group_processors(root), 2);
  write_file(root, "/sys/fs/cgroup/a/cpu.max", "1000 100000\n");
  ck_assert_uint_eq(available_group_processors(root), 1);
  write_file(root, "/sys/fs/cgroup/a/memory.max", "5000000\n");
  ck_assert_uint_eq(available_group_memory(root), 5000000);

  write_file(root, "/proc/self/cgroup", "3:cpuset:/\n2:cpu,cpuacct:/step/task\n");
  ck_assert_uint_eq(available_group_processors(root), UINT64_MAX);
  write_file(root, "/sys/fs/cgroup/cpu/step/cpu.cfs_period_us", "100000\n");
  write_file(root, "/sys/fs/cgroup/cpu/step/cpu.cfs_quota_us", "400000\n");
  ck_assert_uint_eq(available_group_processors(root), 4);
  write_file(root, "/sys/fs/cgroup/cpu/step/cpu.cfs_quota_us", "-1\n");
  ck_assert_uint_eq(available_group_processors(root), UINT64_MAX);
  remove_folder();
}
END_TEST

START_TEST(clocks_run) {
  double wall = clock_wall(), process = clock_process_cpu(), thread = clock_thread_cpu();
  while (clock_thread_cpu() - thread < 0.01) {}
  ck_assert_double_ge(clock_process_cpu() - process, 0.009);
  ck_assert_double_ge(clock_wall() - wall, 0.009);
  ck_assert_uint_gt(clock_peak_memory(), 100 << 10);
}
END_TEST

SUITE("base") {
  TEST(exit_codes_are_the_documented_ones);
  TEST(messages_are_written_and_cut);
  TEST(whole_numbers_are_read_strictly);
  TEST(real_numbers_are_read_strictly);
  TEST(sizes_and_durations_are_read);
  TEST(figures_are_written_for_people);
  TEST(real_numbers_are_written_shortest);
  TEST(bounds_are_written_outward);
  TEST(texts_grow_and_are_cut);
  TEST(the_word_that_was_meant_is_found);
  TEST(memory_is_zero_aligned_and_counted);
  TEST(memory_over_the_limit_is_refused_with_figures);
  TEST(memory_is_resized_with_its_content);
  TEST(the_nth_take_fails_when_told);
  TEST(threads_share_a_budget);
  TEST(untouched_pages_cost_nothing);
  TEST(sparse_blocks_are_charged_what_is_touched);
  TEST(sparse_blocks_have_the_pages_that_are_touched);
  TEST(what_is_forgotten_is_zero_and_gone);
  TEST(what_is_taken_in_another_way_is_charged);
  TEST(available_memory_heeds_machine_and_groups);
  TEST(groups_pay_for_processors_and_memory);
  TEST(clocks_run);
}
