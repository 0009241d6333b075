/* Table files: what is written is read again, and failing writes leave what was there. */
#include <dlfcn.h>
#include <inttypes.h>
#include <math.h>
#include <zstd.h>

#include "databases/table.h"
#include "databases/table_format.h"
#include "databases/table_frames.h"
#include "databases/table_parts.h"
#include "tests/support/suite.h"
#include "tests/support/table_fixture.h"

static void check_cells(const recipe *r, const table *t, frame_cache *cache, uint64_t step) {
  const uint64_t positions = table_get_header(t)->positions;
  const size_t cell_bytes = table_cell_bytes(r->cell);
  unsigned char *cells = suite_zeros(positions * cell_bytes, 1), expected[8];
  MUST(table_read(t, 0, positions, cells, hear()));
  for (uint64_t i = 0; i < positions; i++) {
    put_cell(r, expected, 0, stored_at(r, i));
    ck_assert_msg(memcmp(expected, cells + i * cell_bytes, cell_bytes) == 0,
                  "table_read is wrong at cell %" PRIu64, i);
  }
  for (uint64_t k = 0; k <= (positions - 1) / step + 1; k++) {
    const uint64_t i = k * step < positions ? k * step : positions - 1;
    int64_t value = 0;
    double real = 0;
    const bool is_real = r->cell == TABLE_F32 || r->cell == TABLE_F64;
    const tauler_error error =
        is_real ? table_get_real(t, cache, i, &real, hear()) : table_get(t, cache, i, &value, hear());
    ck_assert_msg(error == TAULER_OK, "cell %" PRIu64 ": %s", i, said.text);
    if (r->cell == TABLE_F32) ck_assert(real == (double)((float)stored_at(r, i) / 8));
    if (r->cell == TABLE_F64) ck_assert(real == (double)stored_at(r, i) / 7);
    if (!is_real) ck_assert_msg(value == stored_at(r, i), "table_get is wrong at cell %" PRIu64, i);
  }
}

/* The digests and counts of the header against those made here from the recipe. */
static void check_header(const recipe *r, const table_header *h) {
  uint64_t counted = 0;
  const size_t cell_bytes = table_cell_bytes(r->cell);
  unsigned char *plain = suite_zeros(h->positions * cell_bytes, 1),
                *stored = suite_zeros(h->positions * cell_bytes, 1);
  for (uint64_t i = 0; i < h->positions; i++) {
    put_cell(r, plain, i, value_at(r, i));
    put_cell(r, stored, i, stored_at(r, i));
  }
  table_digester *digester = table_digester_new();
  table_digester_add(digester, plain, 1);
  table_digester_add(digester, plain + 1, h->positions * cell_bytes - 1);
  ck_assert_msg(table_digests_equal(h->plain_digest, table_digester_end(digester)),
                "the plain digest is wrong");
  ck_assert_msg(table_digests_equal(h->stored_digest, table_digest_of(stored, h->positions * cell_bytes)),
                "the stored digest is wrong");
  for (size_t k = 0; k < h->counts_used; k++) {
    uint64_t count = 0;
    for (uint64_t i = 0; i < h->positions; i++) count += value_at(r, i) == h->counts[k].value;
    ck_assert_msg(count == h->counts[k].count, "the count of value %" PRId64 " is wrong", h->counts[k].value);
    ck_assert_msg(k == 0 || h->counts[k - 1].value < h->counts[k].value, "the counts do not rise");
    counted += count;
  }
  if (table_cell_is_real(r->cell))
    ck_assert_uint_eq(h->counts_used, 0);
  else
    ck_assert_msg(counted == h->positions, "values are missing from the counts");
  ck_assert_str_eq(h->game, "auale");
  ck_assert_str_eq(h->rules, "abapa");
  ck_assert_str_eq(h->cycles, "even");
  ck_assert_str_eq(h->slice, "12");
  ck_assert_str_eq(h->stream, "value");
  ck_assert(h->cell == r->cell && h->coding == r->coding && h->reserved == reserved_of(r) &&
            h->index_version == 3);
}

static void round_trip(const recipe *r, uint64_t positions) {
  must_write(r, positions, 1024, 2);
  table *t = must_open();
  frame_cache *cache = frame_cache_new(4096);
  ck_assert_uint_eq(table_get_header(t)->positions, positions);
  ck_assert_msg(table_check(t, 2, hear()) == TAULER_OK, "table_check: %s", said.text);
  check_header(r, table_get_header(t));
  check_cells(r, t, cache, 1 + positions / 50);
  if (positions < 3000) check_cells(r, t, NULL, 101);
  ck_assert_msg(files_in_folder(false) == 1, "a hidden file was left behind");
  frame_cache_free(cache);
  table_close(t);
}

CASE(every_cell_type_and_size_survives_a_round_trip) {
  const recipe r = {(table_cell)_i, TABLE_PLAIN, 5, false, NONE, NONE, NONE};
  const uint64_t frame = 1024 / table_cell_bytes(r.cell);
  const uint64_t sizes[] = {1, 2, frame - 1, frame, frame + 1, 2 * frame, 300 * frame + 7};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) round_trip(&r, sizes[i]);
}

CASE(implied_cells_are_stored_and_plain_values_counted) {
  const table_cell cells[] = {TABLE_I8, TABLE_U8, TABLE_I16};
  recipe r = {cells[_i], TABLE_IMPLIED, 6, false, NONE, NONE, NONE};
  round_trip(&r, 1);
  round_trip(&r, 100003);
}

CASE(parts_of_a_table_are_read_across_frames) {
  must_write(&plain_bytes, 5000, 1024, 1);
  table *t = must_open();
  int8_t cells[5001];
  const uint64_t ranges[][2] = {{0, 0},       {5000, 0}, {1023, 2}, {1000, 3000},
                                {1024, 1024}, {4999, 1}, {1, 4999}};
  for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++) {
    memset(cells, 99, sizeof cells);
    MUST(table_read(t, ranges[k][0], ranges[k][1], cells, hear()));
    for (uint64_t i = 0; i < ranges[k][1]; i++)
      ck_assert_int_eq(cells[i], value_at(&plain_bytes, ranges[k][0] + i));
    ck_assert_msg(cells[ranges[k][1]] == 99, "table_read wrote beyond its cells");
  }
  table_close(t);
}

CASE(cells_beyond_the_end_or_of_another_kind_are_refused) {
  must_write(&plain_bytes, 5000, 1024, 1);
  table *t = must_open();
  int64_t value;
  double real;
  int8_t cells[8];
  frame_cache *cache = frame_cache_new(4096);
  ck_assert_int_eq(table_get(t, cache, 5000, &value, hear()), TAULER_INTERNAL);
  ck_assert_int_eq(table_get(t, NULL, UINT64_MAX, &value, hear()), TAULER_INTERNAL);
  ck_assert_int_eq(table_get_real(t, cache, 0, &real, hear()), TAULER_INTERNAL);
  ck_assert_int_eq(table_read(t, 4998, 3, cells, hear()), TAULER_INTERNAL);
  ck_assert_int_eq(table_read(t, UINT64_MAX, 2, cells, hear()), TAULER_INTERNAL);
  ck_assert_int_eq(table_read(t, 1, SIZE_MAX, cells, hear()), TAULER_INTERNAL);
  frame_cache_free(cache);
  table_close(t);
}

CASE(the_file_does_not_depend_on_the_number_of_threads) {
  const recipe r = {TABLE_I16, TABLE_IMPLIED, 8, false, NONE, NONE, NONE};
  unsigned char *first = NULL;
  size_t first_bytes = 0;
  for (int threads = 1; threads <= 3; threads++) {
    size_t n;
    must_write(&r, 1500001, 0, threads);
    unsigned char *bytes = read_file(path, &n);
    if (!first) {
      first = bytes;
      first_bytes = n;
      continue;
    }
    ck_assert_msg(n == first_bytes && memcmp(bytes, first, n) == 0, "%d threads write another file than 1",
                  threads);
  }
}

CASE(stock_zstd_decodes_the_payload) {
  if (system("zstd --version >/dev/null 2>&1") != 0) {
    printf("SKIP: stock_zstd_decodes_the_payload: the program zstd is not installed\n");
    return;
  }
  char command[700], output[300];
  size_t n;
  must_write(&plain_bytes, 100003, 0, 2);
  snprintf(output, sizeof output, "%s/out", folder);
  snprintf(command, sizeof command, "zstd -q -dc %s > %s", path, output);
  ck_assert_msg(system(command) == 0, "zstd -dc fails");
  unsigned char *bytes = read_file(output, &n);
  ck_assert_uint_eq(n, 100003);
  for (size_t i = 0; i < n; i++) ck_assert_int_eq((int8_t)bytes[i], value_at(&plain_bytes, i));
}

CASE(written_receives_the_header_that_open_finds) {
  const table_header header = header_of(&plain_bytes, 100003);
  const table_write_settings settings = {.level = 1, .threads = 1};
  recipe user = plain_bytes;
  table_header written;
  MUST(table_write(path, &header, &settings, fill, &user, &written, NULL));
  table *t = must_open();
  const table_header *h = table_get_header(t);
  ck_assert(written.counts == NULL && written.counts_used == 0);
  ck_assert_uint_eq(written.stored_bytes, h->stored_bytes);
  ck_assert_uint_eq(h->frame_bytes, TABLE_FRAME_BYTES);
  ck_assert_uint_eq(written.format_version, h->format_version);
  ck_assert_uint_eq(written.zstd_version, h->zstd_version);
  ck_assert(table_digests_equal(written.plain_digest, h->plain_digest));
  table_close(t);
}

CASE(digest_text_is_that_of_xxh128sum) {
  char text[TABLE_DIGEST_TEXT];
  table_digest_text(table_digest_of("tauler\n", 7), text);
  ck_assert_str_eq(text, "f57f345bf97d85e55c687407ad43e709");
  table_digest_text((table_digest){.low = 1, .high = 2}, text);
  ck_assert_str_eq(text, "00000000000000020000000000000001");
}

static void must_leave_the_old_file(const recipe *bad, uint64_t positions, tauler_error expected) {
  size_t before_bytes, after_bytes;
  must_write(&plain_bytes, 100, 1024, 1);
  unsigned char *before = read_file(path, &before_bytes);
  for (int threads = 1; threads <= 3; threads++) {
    const tauler_error error = try_write(bad, positions, 1024, threads, hear());
    ck_assert_msg(error == expected, "error %d instead of %d: %s", (int)error, (int)expected, said.text);
    ck_assert_msg(said.text[0] != 0, "no message says what went wrong");
    unsigned char *after = read_file(path, &after_bytes);
    ck_assert_msg(before_bytes == after_bytes && memcmp(before, after, after_bytes) == 0,
                  "the old file has changed");
    ck_assert_msg(files_in_folder(false) == 1, "a hidden file was left behind");
  }
}

CASE(a_failing_fill_leaves_the_old_file) {
  recipe bad = plain_bytes;
  bad.fail_at = _i == 0 ? 0 : _i == 1 ? 500000 : 999999;
  must_leave_the_old_file(&bad, 1000000, TAULER_NOT_PROVEN);
}

CASE(a_stored_cell_that_is_neither_implied_nor_the_value_is_refused) {
  recipe bad = {_i ? TABLE_I16 : TABLE_I8, TABLE_IMPLIED, 3, false, NONE, 1234, NONE};
  must_leave_the_old_file(&bad, 5000, TAULER_INTERNAL);
}

CASE(a_file_that_does_not_read_back_is_refused) {
  recipe bad = plain_bytes;
  bad.corrupt_at = 999999;
  REFUSED(TAULER_IO, "read back", try_write(&bad, 1000000, 1024, 1, hear()));
  ck_assert_uint_eq(files_in_folder(false), 0);
}

static bool faulty_encoder;

/* Stands before the function of the library and, when asked to, compresses something else. */
size_t ZSTD_compress2(ZSTD_CCtx *context, void *to, size_t capacity, const void *from, size_t n) {
  size_t (*compress)(ZSTD_CCtx *, void *, size_t, const void *, size_t);
  void *found = dlsym(RTLD_NEXT, "ZSTD_compress2");
  memcpy(&compress, &found, sizeof compress);
  if (!faulty_encoder) return compress(context, to, capacity, from, n);
  unsigned char *other = malloc(n);
  memcpy(other, from, n);
  other[n / 2] ^= 1;
  const size_t result = compress(context, to, capacity, other, n);
  free(other);
  return result;
}

CASE(a_faulty_encoder_is_found_before_there_is_a_file) {
  faulty_encoder = true;
  const tauler_error error = try_write(&plain_bytes, 5000, 1024, 2, hear());
  faulty_encoder = false;
  REFUSED(TAULER_INTERNAL, "does not decode", error);
  ck_assert_uint_eq(files_in_folder(false), 0);
}

CASE(headers_that_contradict_themselves_are_refused) {
  recipe user = plain_bytes;
  for (int i = 0; i < 11; i++) {
    table_header header = header_of(&plain_bytes, 100);
    table_write_settings settings = {.level = 3, .threads = 1};
    switch (i) {
    case 0:
      header.positions = 0;
      break;
    case 1:
      header.positions = UINT64_MAX;
      break;
    case 2:
      header.reserved = -128;
      break;
    case 3:
      header.coding = TABLE_IMPLIED, header.reserved = 128;
      break;
    case 4:
      header.coding = TABLE_IMPLIED, header.cell = TABLE_F64;
      break;
    case 5:
      header.game[0] = 0;
      break;
    case 6:
      strcpy(header.slice, "caf\xC3\xA9");
      break;
    case 7:
      settings.frame_bytes = 1025;
      break;
    case 8:
      settings.level = 23;
      break;
    case 9:
      settings.threads = 0;
      break;
    default:
      memset(header.rules, 'x', sizeof header.rules);
      break;
    }
    ck_assert_msg(table_write(path, &header, &settings, fill, &user, NULL, NULL) == TAULER_INTERNAL,
                  "contradiction %d was accepted", i);
  }
  ck_assert_uint_eq(files_in_folder(false), 0);
}

CASE(a_table_of_bounds_says_how_good_they_are) {
  const table_write_settings settings = {.level = 3, .threads = 1};
  recipe r = plain_bytes;
  r.cell = TABLE_F64;
  static const double widths[] = {0, 1e-300, 1e-9, INFINITY};
  for (size_t i = 0; i < sizeof widths / sizeof *widths; i++) {
    table_header header = header_of(&r, 100), written;
    header.width = widths[i], header.asked_width = 1e-12, header.endless = 25 * i;
    MUST(table_write(path, &header, &settings, fill, &r, &written, NULL));
    table *found;
    MUST(table_open(path, false, &found, NULL));
    const table_header *read = table_get_header(found);
    ck_assert(read->width == widths[i] && read->asked_width == 1e-12 && read->endless == 25 * i);
    ck_assert(written.width == widths[i]);
    table_close(found);
  }
  const struct {
    double width, asked;
    uint64_t endless;
  } wrong[] = {{-1e-9, 0, 0}, {-0.0, 0, 0}, {NAN, 0, 0}, {0, NAN, 0}, {0, -1, 0}, {0, 0, 101}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    table_header header = header_of(&r, 100);
    header.width = wrong[i].width, header.asked_width = wrong[i].asked, header.endless = wrong[i].endless;
    ck_assert_int_eq(table_write(path, &header, &settings, fill, &r, NULL, NULL), TAULER_INTERNAL);
  }
}

SUITE("table") {
  table_fixture(suite);
  GROUP("round trip");
  LOOP(every_cell_type_and_size_survives_a_round_trip, 6);
  LOOP(implied_cells_are_stored_and_plain_values_counted, 3);
  TESTS(parts_of_a_table_are_read_across_frames, cells_beyond_the_end_or_of_another_kind_are_refused,
        the_file_does_not_depend_on_the_number_of_threads, stock_zstd_decodes_the_payload,
        written_receives_the_header_that_open_finds, digest_text_is_that_of_xxh128sum);
  GROUP("failing writes");
  LOOP(a_failing_fill_leaves_the_old_file, 3);
  LOOP(a_stored_cell_that_is_neither_implied_nor_the_value_is_refused, 2);
  TESTS(a_file_that_does_not_read_back_is_refused, a_faulty_encoder_is_found_before_there_is_a_file,
        a_table_of_bounds_says_how_good_they_are, headers_that_contradict_themselves_are_refused);
}
