/* What is put aside comes back as it was or not at all, whatever its size and the number of threads, and
 * takes the room of what was compressed, however often it is put aside again. */
#include <check.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "solver/shards/spill.h"
#include "tests/toy_disk.h"

enum { PIECE = 1 << 20, MOST = 6 * PIECE, THREADS = 3 };

typedef enum { ZEROS, CELLS, NOISE, MIXED, KINDS } kind;

static char folder[64];
static memory_budget memory;
static uint8_t *bytes, *back;

static uint64_t scramble(uint64_t x) {
  x += UINT64_C(0x9E3779B97F4A7C15);
  x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
  x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
  return x ^ (x >> 31);
}

static void fill(uint8_t *to, uint64_t n, kind what, uint64_t seed) {
  for (uint64_t i = 0; i < n; i++) {
    const uint64_t dice = scramble(seed * MOST + i);
    const kind here = what == MIXED ? (kind)(i / (PIECE / 2 + 1) % MIXED) : what;
    to[i] = here == ZEROS ? 0 : here == CELLS ? (uint8_t)(dice % 5 * (dice >> 40 & 1)) : (uint8_t)dice;
  }
}

static void set_up(void) {
  strcpy(folder, "tauler-spill-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
  memory_budget_open(&memory, UINT64_C(1) << 30);
  bytes = malloc(MOST);
  back = malloc(MOST);
}

static void tear_down(void) {
  ck_assert_uint_eq(memory_taken(&memory), 0);
  ck_assert_int_eq(rmdir(folder), 0); /* nothing is left in it */
  free(bytes);
  free(back);
}

static spill *open_spill(int threads) {
  spill *made;
  tauler_message message = {""};
  ck_assert_msg(spill_open(folder, threads, &memory, &made, &message) == TAULER_OK, "%s", message.text);
  return made;
}

static void put(spill *spill, uint32_t share, uint32_t part, uint64_t n, kind what, uint64_t seed) {
  tauler_message message = {""};
  fill(bytes, n, what, seed);
  ck_assert_msg(spill_put(spill, share, part, bytes, n, &message) == TAULER_OK, "%s", message.text);
}

static void expect(spill *spill, uint32_t share, uint32_t part, uint64_t n, kind what, uint64_t seed) {
  tauler_message message = {""};
  fill(bytes, n, what, seed);
  memset(back, 0xA5, n + 1);
  ck_assert_msg(spill_get(spill, share, part, back, n, &message) == TAULER_OK, "%s", message.text);
  ck_assert_msg(memcmp(bytes, back, n) == 0, "%lu bytes of kind %d", (unsigned long)n, (int)what);
  ck_assert_msg(back[n] == 0xA5, "more than %lu bytes came back", (unsigned long)n);
}

static tauler_error get_error(spill *spill, uint32_t share, uint32_t part, uint64_t n) {
  tauler_message message = {""};
  const tauler_error error = spill_get(spill, share, part, back, n, &message);
  ck_assert_int_eq(error != TAULER_OK, message.text[0] != '\0');
  return error;
}

static const uint64_t sizes[] = {0, 1, 2, 4095, PIECE - 1, PIECE, PIECE + 1, 4 * PIECE, 5 * PIECE + 12345};

enum { SIZES = sizeof sizes / sizeof *sizes };

START_TEST(arrays_of_every_size_come_back) {
  spill *s = open_spill(_i);
  for (uint32_t i = 0; i < SIZES; i++)
    for (kind what = ZEROS; what < KINDS; what++) put(s, i, (uint32_t)what, sizes[i], what, i);
  for (uint32_t i = SIZES; i-- > 0;)
    for (kind what = ZEROS; what < KINDS; what++) expect(s, i, (uint32_t)what, sizes[i], what, i);
  spill_close(s);
}
END_TEST

START_TEST(an_array_takes_the_place_of_the_one_before) {
  spill *s = open_spill(2);
  put(s, 7, 0, 3 * PIECE + 5, CELLS, 1);
  put(s, 8, 0, PIECE + 9, MIXED, 2);
  for (uint32_t i = 0; i < 3 * SIZES; i++) {
    const kind what = (kind)(i % KINDS);
    put(s, 7, 1, sizes[i * 5 % SIZES], what, i);
    expect(s, 7, 1, sizes[i * 5 % SIZES], what, i);
  }
  expect(s, 7, 0, 3 * PIECE + 5, CELLS, 1);
  expect(s, 8, 0, PIECE + 9, MIXED, 2);
  spill_close(s);
}
END_TEST

START_TEST(what_was_not_stored_is_refused) {
  spill *s = open_spill(1);
  put(s, 1, 2, 1000, CELLS, 1);
  ck_assert_int_eq(get_error(s, 2, 1, 1000), TAULER_INTERNAL);
  ck_assert_int_eq(get_error(s, 1, 1, 1000), TAULER_INTERNAL);
  ck_assert_int_eq(get_error(s, 1, 2, 999), TAULER_INTERNAL);
  ck_assert_int_eq(get_error(s, 1, 2, 0), TAULER_INTERNAL);
  put(s, 1, 3, 0, CELLS, 1);
  expect(s, 1, 3, 0, CELLS, 1);
  put(s, 2, 2, PIECE, CELLS, 5);
  spill_drop(s, 1);
  ck_assert_int_eq(get_error(s, 1, 2, 1000), TAULER_INTERNAL);
  ck_assert_int_eq(get_error(s, 1, 3, 0), TAULER_INTERNAL);
  expect(s, 2, 2, PIECE, CELLS, 5);
  spill_close(s);
}
END_TEST

START_TEST(the_disk_holds_what_was_compressed_however_often) {
  enum { ROUNDS = 600, SLACK = 64 * 1024 };
  spill *s = open_spill(1);
  static uint8_t array[2 * PIECE];
  uint64_t most = 0;
  for (uint32_t i = 0; i < ROUNDS; i++) {
    /* Noise and zeros in turn, of one, two or no pieces. */
    memset(array, 0, sizeof array);
    if (i % 3 == 0) memcpy(array, bytes, PIECE);
    if (i % 5 == 0) memcpy(array + PIECE, bytes, PIECE / 2);
    if (i == 0) fill(bytes, PIECE, NOISE, 1), memcpy(array, bytes, PIECE);
    const uint64_t n = i % 7 == 0 ? PIECE - 5 : sizeof array;
    ck_assert_int_eq(spill_put(s, i % 2, i % 3 % 2, array, n, NULL), TAULER_OK);
    if (i % 50 == 49) spill_drop(s, 1);
    const struct stat about = toy_look_at_hidden(folder);
    const uint64_t used = (uint64_t)about.st_blocks * 512, told = spill_disk_bytes(s);
    ck_assert_msg(used <= told + SLACK, "%lu bytes on the disk for %lu", (unsigned long)used,
                  (unsigned long)told);
    ck_assert_int_le(about.st_size, 8 * PIECE);
    if (told > most) most = told;
  }
  ck_assert_uint_ge(most, PIECE);
  ck_assert_uint_le(most, 8 * PIECE);
  spill_drop(s, 0);
  spill_drop(s, 1);
  ck_assert_uint_eq(spill_disk_bytes(s), 0);
  ck_assert_uint_le((uint64_t)toy_look_at_hidden(folder).st_blocks * 512, SLACK);
  spill_close(s);
}
END_TEST

START_TEST(noise_is_stored_as_it_is_and_cells_small) {
  spill *s = open_spill(1);
  put(s, 0, 0, 4 * PIECE, NOISE, 1);
  ck_assert_uint_eq(spill_disk_bytes(s), 4 * PIECE);
  put(s, 0, 0, 4 * PIECE, CELLS, 1);
  ck_assert_uint_le(spill_disk_bytes(s), 2 * PIECE);
  ck_assert_uint_ge(spill_disk_bytes(s), PIECE / 2);
  spill_close(s);
}
END_TEST

static void flip(off_t at) {
  const int file = toy_hidden_file(folder);
  uint8_t byte;
  ck_assert_int_eq(pread(file, &byte, 1, at), 1);
  byte ^= 0x40;
  ck_assert_int_eq(pwrite(file, &byte, 1, at), 1);
}

START_TEST(a_flipped_byte_is_found) {
  spill *s = open_spill(2);
  const kind what = _i ? NOISE : CELLS;
  put(s, 0, 0, 3 * PIECE, what, 3);
  const off_t stored = (off_t)spill_disk_bytes(s) / 3 - 4096;
  for (int i = 0; i < 40; i++) {
    const off_t at = i % 3 * (off_t)PIECE + (i * 7919 + 3) * 131 % stored;
    flip(at);
    ck_assert_msg(get_error(s, 0, 0, 3 * PIECE) == TAULER_IO, "byte %ld", (long)at);
    flip(at);
  }
  expect(s, 0, 0, 3 * PIECE, what, 3);
  ck_assert_int_eq(ftruncate(toy_hidden_file(folder), 2 * PIECE + 5), 0);
  ck_assert_int_eq(get_error(s, 0, 0, 3 * PIECE), TAULER_IO);
  spill_close(s);
}
END_TEST

/* No file may end behind this; 0: anywhere. */
START_TEST(a_full_disk_is_told) {
  tauler_message message = {""};
  spill *s = open_spill(THREADS);
  put(s, 0, 0, PIECE, NOISE, 1);
  fill(bytes, MOST, NOISE, 2);
  toy_limit_files(5 * PIECE / 2);
  const tauler_error error = spill_put(s, 1, 0, bytes, MOST - 5, &message);
  toy_limit_files(0);
  ck_assert_int_eq(error, TAULER_NO_SPACE);
  ck_assert_ptr_nonnull(strstr(message.text, "free some space"));
  ck_assert_ptr_nonnull(strstr(message.text, folder));
  ck_assert_int_eq(get_error(s, 1, 0, MOST - 5), TAULER_INTERNAL);
  ck_assert_int_eq(get_error(s, 1, 0, 0), TAULER_INTERNAL);
  ck_assert_uint_eq(spill_disk_bytes(s), PIECE);
  ck_assert_int_le(toy_look_at_hidden(folder).st_blocks * 512, PIECE + 65536);
  expect(s, 0, 0, PIECE, NOISE, 1);
  put(s, 1, 0, MOST - 5, NOISE, 3);
  expect(s, 1, 0, MOST - 5, NOISE, 3);
  spill_close(s);
}
END_TEST

START_TEST(a_folder_that_is_not_there_is_told) {
  spill *s;
  tauler_message message = {""};
  ck_assert_int_eq(spill_open("tauler-spill-missing", 1, &memory, &s, &message), TAULER_IO);
  ck_assert_ptr_null(s);
  ck_assert_ptr_nonnull(strstr(message.text, "tauler-spill-missing"));
}
END_TEST

START_TEST(memory_is_that_of_the_budget) {
  spill *s = open_spill(THREADS);
  const uint64_t open = memory_taken(&memory);
  ck_assert_uint_ge(open, spill_working_bytes(THREADS));
  ck_assert_uint_le(open, spill_working_bytes(THREADS) + 4096);
  for (uint32_t i = 0; i < 20; i++) put(s, i, 0, 3 * PIECE, CELLS, i);
  ck_assert_uint_le(memory_peak(&memory), open + 8192);
  spill_close(s);
  ck_assert_uint_eq(memory_taken(&memory), 0);
}
END_TEST

START_TEST(many_arrays_are_dropped_and_stored_anew) {
  spill *s = open_spill(1);
  for (int round = 0; round < 2; round++) {
    for (uint32_t i = 0; i < 500; i++) put(s, i % 50, i / 50, 1000, CELLS, i);
    for (uint32_t i = 0; i < 500; i++) expect(s, i % 50, i / 50, 1000, CELLS, i);
    const int64_t end = toy_look_at_hidden(folder).st_size;
    for (uint32_t i = 0; i < 50; i++) spill_drop(s, i);
    ck_assert_uint_eq(spill_disk_bytes(s), 0);
    ck_assert_int_le(end, 500 * (int64_t)PIECE);
  }
  spill_close(s);
}
END_TEST

START_TEST(missing_memory_is_told_and_leaves_nothing) {
  tauler_error error = TAULER_NO_MEMORY;
  int failures = 0;
  for (uint64_t nth = 1; error; nth++) {
    spill *s = NULL;
    memory_fail_take(&memory, nth, false);
    error = spill_open(folder, 2, &memory, &s, NULL);
    if (!error) {
      for (uint32_t i = 0; i < 40 && !error; i++) {
        fill(bytes, 2 * PIECE, ZEROS, 0);
        error = spill_put(s, i, 0, bytes, 2 * PIECE, NULL);
        if (error) ck_assert_int_eq(get_error(s, i, 0, 2 * PIECE), TAULER_INTERNAL);
        if (error && i > 0) expect(s, 0, 0, 2 * PIECE, ZEROS, 0);
      }
    }
    ck_assert(!error || error == TAULER_NO_MEMORY);
    failures += error != TAULER_OK;
    spill_close(s);
    ck_assert_uint_eq(memory_taken(&memory), 0);
  }
  ck_assert_int_ge(failures, 8);
  memory_fail_take(&memory, 0, false);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("spill");
  TCase *c = tcase_create("spill");
  tcase_add_checked_fixture(c, set_up, tear_down);
  tcase_add_loop_test(c, arrays_of_every_size_come_back, 1, THREADS + 1);
  tcase_add_test(c, an_array_takes_the_place_of_the_one_before);
  tcase_add_test(c, what_was_not_stored_is_refused);
  tcase_add_test(c, the_disk_holds_what_was_compressed_however_often);
  tcase_add_test(c, noise_is_stored_as_it_is_and_cells_small);
  tcase_add_loop_test(c, a_flipped_byte_is_found, 0, 2);
  tcase_add_test(c, a_full_disk_is_told);
  tcase_add_test(c, a_folder_that_is_not_there_is_told);
  tcase_add_test(c, memory_is_that_of_the_budget);
  tcase_add_test(c, many_arrays_are_dropped_and_stored_anew);
  tcase_add_test(c, missing_memory_is_told_and_leaves_nothing);
  suite_add_tcase(suite, c);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  const int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
