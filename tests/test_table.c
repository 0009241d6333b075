/* Table files and durable files: what is written is read again, and nothing damaged gets through. */
#include <check.h>
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

#include "base/durable_file.h"
#include "databases/table.h"
#include "databases/table_format.h"

enum { NONE = -1 };

static char folder[256], path[300];

static void make_folder(void) {
  const char *above = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%s/tauler-table-XXXXXX", above ? above : "/tmp");
  ck_assert_msg(mkdtemp(folder) != NULL, "cannot create a folder for the test");
  snprintf(path, sizeof path, "%s/t.zst", folder);
}

static size_t files_in_folder(bool remove_them) {
  DIR *listing = opendir(folder);
  size_t n = 0;
  for (const struct dirent *entry; (entry = readdir(listing));) {
    if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0) continue;
    if (remove_them) unlinkat(dirfd(listing), entry->d_name, 0);
    n++;
  }
  closedir(listing);
  return n;
}

static void remove_folder(void) {
  files_in_folder(true);
  rmdir(folder);
}

static void overwrite_in_place(size_t at, unsigned char byte, size_t n) {
  FILE *file = fopen(path, "r+b");
  fseek(file, (long)at, SEEK_SET);
  while (n--) fputc(byte, file);
  fclose(file);
}

/* How the cells of a test table come about. */
typedef struct {
  table_cell cell;
  table_coding coding;
  uint64_t seed;
  bool noise;         /* every value as likely, so that frames do not compress */
  int64_t fail_at;    /* the fill with this cell fails */
  int64_t lie_at;     /* this stored cell is neither implied nor the value */
  int64_t corrupt_at; /* at the fill with this cell, a byte written before is changed on the disk */
} recipe;

static const recipe plain_bytes = {TABLE_I8, TABLE_PLAIN, 1, false, NONE, NONE, NONE};

static uint64_t mix(uint64_t x) {
  x = (x ^ (x >> 31)) * 0x9E3779B97F4A7C15u;
  x = (x ^ (x >> 29)) * 0xBF58476D1CE4E5B9u;
  return x ^ (x >> 32);
}

static int64_t value_at(const recipe *r, uint64_t i) {
  const uint64_t x = mix(i + r->seed * 1000003);
  if (r->noise) return (int64_t)(x % 200) - (r->cell == TABLE_U8 || r->cell == TABLE_U16 ? 0 : 100);
  const int64_t small = (int64_t)(x % 7) * (int64_t)((x >> 32) % 3);
  switch (r->cell) {
  case TABLE_I8:
    return x % 1000 == 0 ? INT8_MIN + 1 : small - 6;
  case TABLE_U8:
    return x % 1000 == 0 ? UINT8_MAX : small;
  case TABLE_I16:
    return x % 1000 == 0 ? INT16_MIN : small * 700 - 6;
  case TABLE_U16:
    return x % 1000 == 0 ? UINT16_MAX : small * 700;
  default:
    return small - 6;
  }
}

static bool is_implied(const recipe *r, uint64_t i) {
  return r->coding == TABLE_IMPLIED && mix(i) % 3 == 0;
}

static int64_t reserved_of(const recipe *r) {
  return r->coding == TABLE_PLAIN ? 0 : r->cell == TABLE_U8 ? 200 : -128;
}

static void put_cell(const recipe *r, void *cells, size_t i, int64_t value) {
  switch (r->cell) {
  case TABLE_I8:
  case TABLE_U8:
    ((uint8_t *)cells)[i] = (uint8_t)value;
    break;
  case TABLE_I16:
  case TABLE_U16:
    ((uint16_t *)cells)[i] = (uint16_t)value;
    break;
  case TABLE_F32:
    ((float *)cells)[i] = (float)value / 8;
    break;
  case TABLE_F64:
    ((double *)cells)[i] = (double)value / 7;
    break;
  }
}

static int64_t stored_at(const recipe *r, uint64_t i) {
  return is_implied(r, i) ? reserved_of(r) : value_at(r, i);
}

static void corrupt_hidden_file(void) {
  char name[600] = "";
  DIR *listing = opendir(folder);
  for (const struct dirent *entry; (entry = readdir(listing));)
    if (strncmp(entry->d_name, ".tauler-tmp.", 12) == 0)
      snprintf(name, sizeof name, "%s/%s", folder, entry->d_name);
  closedir(listing);
  FILE *file = fopen(name, "r+b");
  ck_assert_msg(file != NULL, "no hidden file is being written");
  fseek(file, TABLE_HEADER_BYTES + 20, SEEK_SET);
  const int byte = fgetc(file);
  fseek(file, TABLE_HEADER_BYTES + 20, SEEK_SET);
  fputc(byte ^ 1, file);
  fclose(file);
}

static bool holds(int64_t cell, uint64_t first, size_t count) {
  return cell >= 0 && first <= (uint64_t)cell && (uint64_t)cell < first + count;
}

static tauler_error fill(void *user, uint64_t first, size_t count, void *stored, void *plain,
                         tauler_message *message) {
  const recipe *r = user;
  if (holds(r->fail_at, first, count)) return tauler_fail(message, TAULER_NOT_PROVEN, "as told");
  if (holds(r->corrupt_at, first, count)) corrupt_hidden_file();
  for (size_t i = 0; i < count; i++) {
    put_cell(r, plain, i, value_at(r, first + i));
    if (stored != plain) put_cell(r, stored, i, stored_at(r, first + i));
    if ((int64_t)(first + i) == r->lie_at) put_cell(r, stored, i, value_at(r, first + i) + 1);
  }
  return TAULER_OK;
}

static table_header header_of(const recipe *r, uint64_t positions) {
  table_header header = {
      .game = "auale", .rules = "abapa", .cycles = "even", .slice = "12", .stream = "value"};
  header.positions = positions;
  header.cell = r->cell;
  header.coding = r->coding;
  header.reserved = reserved_of(r);
  header.index_version = 3;
  return header;
}

static tauler_error try_write(const recipe *r, uint64_t positions, uint32_t frame_bytes, int threads,
                              tauler_message *message) {
  const table_header header = header_of(r, positions);
  const table_write_settings settings = {.level = 3, .frame_bytes = frame_bytes, .threads = threads};
  recipe user = *r;
  return table_write(path, &header, &settings, fill, &user, NULL, message);
}

static void must_write(const recipe *r, uint64_t positions, uint32_t frame_bytes, int threads) {
  tauler_message message = {""};
  const tauler_error error = try_write(r, positions, frame_bytes, threads, &message);
  ck_assert_msg(error == TAULER_OK, "table_write gives error %d: %s", (int)error, message.text);
}

static table *must_open(void) {
  table *t;
  tauler_message message = {""};
  const tauler_error error = table_open(path, &t, &message);
  ck_assert_msg(error == TAULER_OK, "table_open gives error %d: %s", (int)error, message.text);
  return t;
}

static unsigned char *read_file(const char *name, size_t *n) {
  FILE *file = fopen(name, "rb");
  ck_assert_msg(file != NULL, "cannot open %s", name);
  fseek(file, 0, SEEK_END);
  *n = (size_t)ftell(file);
  rewind(file);
  unsigned char *bytes = malloc(*n + 1);
  ck_assert_uint_eq(fread(bytes, 1, *n, file), *n);
  fclose(file);
  return bytes;
}

static void write_file(const unsigned char *bytes, size_t n) {
  FILE *file = fopen(path, "wb");
  ck_assert_msg(file != NULL && fwrite(bytes, 1, n, file) == n && fclose(file) == 0, "cannot write %s", path);
}

static void check_cells(const recipe *r, const table *t, frame_cache *cache, uint64_t step) {
  const uint64_t positions = table_get_header(t)->positions;
  const size_t cell_bytes = table_cell_bytes(r->cell);
  tauler_message message;
  unsigned char *cells = malloc(positions * cell_bytes), expected[8];
  ck_assert_int_eq(table_read(t, 0, positions, cells, &message), TAULER_OK);
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
        is_real ? table_get_real(t, cache, i, &real, &message) : table_get(t, cache, i, &value, &message);
    ck_assert_msg(error == TAULER_OK, "cell %" PRIu64 ": %s", i, message.text);
    if (r->cell == TABLE_F32) ck_assert(real == (double)((float)stored_at(r, i) / 8));
    if (r->cell == TABLE_F64) ck_assert(real == (double)stored_at(r, i) / 7);
    if (!is_real) ck_assert_msg(value == stored_at(r, i), "table_get is wrong at cell %" PRIu64, i);
  }
  free(cells);
}

/* The digests and counts of the header against those made here from the recipe. */
static void check_header(const recipe *r, const table_header *h) {
  uint64_t counted = 0;
  const size_t cell_bytes = table_cell_bytes(r->cell);
  unsigned char *plain = malloc(h->positions * cell_bytes), *stored = malloc(h->positions * cell_bytes);
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
  free(plain);
  free(stored);
}

static void round_trip(const recipe *r, uint64_t positions) {
  must_write(r, positions, 1024, 2);
  table *t = must_open();
  frame_cache *cache = frame_cache_new(4096);
  tauler_message message = {""};
  ck_assert_uint_eq(table_get_header(t)->positions, positions);
  ck_assert_msg(table_check(t, 2, &message) == TAULER_OK, "table_check: %s", message.text);
  check_header(r, table_get_header(t));
  check_cells(r, t, cache, 1 + positions / 50);
  if (positions < 3000) check_cells(r, t, NULL, 101);
  ck_assert_msg(files_in_folder(false) == 1, "a hidden file was left behind");
  frame_cache_free(cache);
  table_close(t);
}

START_TEST(every_cell_type_and_size_survives_a_round_trip) {
  const recipe r = {(table_cell)_i, TABLE_PLAIN, 5, false, NONE, NONE, NONE};
  const uint64_t frame = 1024 / table_cell_bytes(r.cell);
  const uint64_t sizes[] = {1, 2, frame - 1, frame, frame + 1, 2 * frame, 300 * frame + 7};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) round_trip(&r, sizes[i]);
}
END_TEST

START_TEST(implied_cells_are_stored_and_plain_values_counted) {
  const table_cell cells[] = {TABLE_I8, TABLE_U8, TABLE_I16};
  recipe r = {cells[_i], TABLE_IMPLIED, 6, false, NONE, NONE, NONE};
  round_trip(&r, 1);
  round_trip(&r, 100003);
}
END_TEST

START_TEST(parts_of_a_table_are_read_across_frames) {
  must_write(&plain_bytes, 5000, 1024, 1);
  table *t = must_open();
  tauler_message message;
  int8_t cells[5001];
  const uint64_t ranges[][2] = {{0, 0},       {5000, 0}, {1023, 2}, {1000, 3000},
                                {1024, 1024}, {4999, 1}, {1, 4999}};
  for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++) {
    memset(cells, 99, sizeof cells);
    ck_assert_int_eq(table_read(t, ranges[k][0], ranges[k][1], cells, &message), TAULER_OK);
    for (uint64_t i = 0; i < ranges[k][1]; i++)
      ck_assert_int_eq(cells[i], value_at(&plain_bytes, ranges[k][0] + i));
    ck_assert_msg(cells[ranges[k][1]] == 99, "table_read wrote beyond its cells");
  }
  table_close(t);
}
END_TEST

START_TEST(cells_beyond_the_end_or_of_another_kind_are_refused) {
  must_write(&plain_bytes, 5000, 1024, 1);
  table *t = must_open();
  tauler_message message;
  int64_t value;
  double real;
  int8_t cells[8];
  frame_cache *cache = frame_cache_new(4096);
  ck_assert_int_eq(table_get(t, cache, 5000, &value, &message), TAULER_INTERNAL);
  ck_assert_int_eq(table_get(t, NULL, UINT64_MAX, &value, &message), TAULER_INTERNAL);
  ck_assert_int_eq(table_get_real(t, cache, 0, &real, &message), TAULER_INTERNAL);
  ck_assert_int_eq(table_read(t, 4998, 3, cells, &message), TAULER_INTERNAL);
  ck_assert_int_eq(table_read(t, UINT64_MAX, 2, cells, &message), TAULER_INTERNAL);
  ck_assert_int_eq(table_read(t, 1, SIZE_MAX, cells, &message), TAULER_INTERNAL);
  frame_cache_free(cache);
  table_close(t);
}
END_TEST

START_TEST(the_file_does_not_depend_on_the_number_of_threads) {
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
    free(bytes);
  }
  free(first);
}
END_TEST

START_TEST(stock_zstd_decodes_the_payload) {
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
  free(bytes);
}
END_TEST

START_TEST(written_receives_the_header_that_open_finds) {
  const table_header header = header_of(&plain_bytes, 100003);
  const table_write_settings settings = {.level = 1, .threads = 1};
  recipe user = plain_bytes;
  table_header written;
  ck_assert_int_eq(table_write(path, &header, &settings, fill, &user, &written, NULL), TAULER_OK);
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
END_TEST

START_TEST(digest_text_is_that_of_xxh128sum) {
  char text[TABLE_DIGEST_TEXT];
  table_digest_text(table_digest_of("tauler\n", 7), text);
  ck_assert_str_eq(text, "f57f345bf97d85e55c687407ad43e709");
  table_digest_text((table_digest){.low = 1, .high = 2}, text);
  ck_assert_str_eq(text, "00000000000000020000000000000001");
}
END_TEST

/* ---- damage ---- */

/* Whether open or check refuses; a cell that can be got must be right all the same. */
static bool is_detected(const recipe *r, bool look_up) {
  table *t;
  tauler_message message = {""};
  tauler_error error = table_open(path, &t, &message);
  if (error == TAULER_OK) {
    const uint64_t positions = table_get_header(t)->positions;
    for (uint64_t i = 0; look_up && i < positions; i += 1 + positions / 3) {
      int64_t value;
      const tauler_error got = table_get(t, NULL, i, &value, &message);
      ck_assert_msg(got == TAULER_DAMAGED_FILE || value == stored_at(r, i),
                    "a damaged frame gives a wrong value");
    }
    error = table_check(t, 1, &message);
    table_close(t);
  }
  ck_assert_msg(error == TAULER_OK || error == TAULER_DAMAGED_FILE, "damage shows as error %d: %s",
                (int)error, message.text);
  ck_assert_msg(error == TAULER_OK || message.text[0], "damage is found and no sentence says so");
  return error != TAULER_OK;
}

START_TEST(every_flipped_bit_is_found) {
  const recipe recipes[] = {{TABLE_I8, TABLE_PLAIN, 1, false, NONE, NONE, NONE},
                            {TABLE_F32, TABLE_PLAIN, 2, false, NONE, NONE, NONE},
                            {TABLE_I16, TABLE_IMPLIED, 3, false, NONE, NONE, NONE}};
  const recipe *r = &recipes[_i];
  size_t n;
  must_write(r, 1100, 1024, 1);
  unsigned char *bytes = read_file(path, &n);
  for (size_t bit = 0; bit < 8 * n; bit++) {
    overwrite_in_place(bit / 8, bytes[bit / 8] ^ (unsigned char)(1u << bit % 8), 1);
    ck_assert_msg(is_detected(r, r->cell != TABLE_F32), "bit %zu of byte %zu flipped, and nobody notices",
                  bit % 8, bit / 8);
    overwrite_in_place(bit / 8, bytes[bit / 8], 1);
  }
  free(bytes);
}
END_TEST

START_TEST(every_truncation_and_appended_junk_is_found) {
  size_t n;
  must_write(&plain_bytes, 3000, 1024, 1);
  unsigned char *bytes = read_file(path, &n);
  for (size_t length = n; length-- > 0;) {
    ck_assert_int_eq(truncate(path, (off_t)length), 0);
    ck_assert_msg(is_detected(&plain_bytes, false), "cut to %zu of %zu bytes, and nobody notices", length, n);
  }
  bytes[n] = 0;
  write_file(bytes, n + 1);
  ck_assert_msg(is_detected(&plain_bytes, false), "a byte was appended, and nobody notices");
  free(bytes);
}
END_TEST

START_TEST(swapped_frames_are_found) {
  const recipe r = {TABLE_U8, TABLE_PLAIN, 3, true, NONE, NONE, NONE};
  size_t n, frame = 0;
  must_write(&r, 3 * 1024, 1024, 1);
  unsigned char *bytes = read_file(path, &n), swap[2048];
  const unsigned char *entries = bytes + n - TABLE_SEEK_FOOTER_BYTES - 5 * TABLE_SEEK_ENTRY_BYTES;
  memcpy(&frame, entries + TABLE_SEEK_ENTRY_BYTES, 4);
  ck_assert_msg(memcmp(entries + 8, entries + 16, 8) == 0,
                "the frames of noise differ in size: change the seed");
  memcpy(swap, bytes + TABLE_HEADER_BYTES, frame);
  memmove(bytes + TABLE_HEADER_BYTES, bytes + TABLE_HEADER_BYTES + frame, frame);
  memcpy(bytes + TABLE_HEADER_BYTES + frame, swap, frame);
  write_file(bytes, n);
  ck_assert_msg(is_detected(&r, false), "two frames were swapped, and nobody notices");
  free(bytes);
}
END_TEST

/* A change by somebody who makes the digests of header, counts and seek table agree again. */
typedef struct {
  const char *sentence; /* that must come out, in part */
  size_t at, n;
  bool from_end;
  uint64_t value;
} forgery;

static const forgery forgeries[] = {
    {"this is not a table", 0, 4, false, 0x184D2A51},
    {"this is not a table", 8, 1, false, 'X'},
    {"format version 2", 16, 4, false, 2},
    {"the size of the header", 4, 4, false, 1017},
    {"there are no positions", 24, 8, false, 0},
    {"more positions than", 24, 8, false, UINT64_MAX / 2},
    {"more positions than", 24, 8, false, (uint64_t)1 << 60},
    {"the number of frames", 24, 8, false, 2048},
    {"the cell type", 32, 4, false, 6},
    {"the coding", 36, 4, false, 2},
    {"a plain table has a reserved", 40, 8, false, 1},
    {"the frame size", 52, 4, false, 512},
    {"the frame size", 52, 4, false, 1028},
    {"the frame size", 52, 4, false, 1 << 21},
    {"bytes and must have", 56, 8, false, 1},
    {"the number of frames", 64, 8, false, 4},
    {"the number of counts", 72, 8, false, 257},
    {"the number of counts", 72, 8, false, 0},
    {"two different digests", 96, 8, false, 1},
    {"the compressed frames", 112, 8, false, 1},
    {"has no name", 160, 8, false, 0},
    {"not printable", 160, 1, false, 0xE9},
    {"must be zero", 287, 1, false, 1},
    {"must be zero", 1007, 1, false, 1},
    {"does not start or end", 4, 4, true, 0}, /* magic of the footer */
    {"does not start or end", 5, 1, true, 0x80},
    {"does not start or end", 9, 1, true, 6},
    {"entry 4 of the seek table", 17, 4, true, 8},         /* of the counts */
    {"entry 4 of the seek table", 13, 4, true, 1},         /* … decoded */
    {"does not start or end", 57, 4, true, 0x184D2A50},    /* magic of the skippable frame */
    {"entry 3 of the seek table", 21, 4, true, 1023},      /* the last frame decoded */
    {"entry 3 of the seek table", 25, 4, true, 0},         /* … and compressed */
    {"entry 3 of the seek table", 25, 4, true, 1u << 31},  /* … and compressed */
    {"do not add up to that of the file", 25, 4, true, 9}, /* … and compressed */
    {"entry 0 of the seek table", 49, 4, true, 1023},
};

static void forge(unsigned char *bytes, size_t n, const forgery *f) {
  memcpy(bytes + (f->from_end ? n - f->at : f->at), &f->value, f->n);
}

static void put_digest(unsigned char *at, table_digest digest) {
  memcpy(at, &digest.low, 8);
  memcpy(at + 8, &digest.high, 8);
}

/* Makes the digests of header, counts and seek table agree. */
static void sign(unsigned char *bytes, size_t n, size_t frames, size_t used) {
  const size_t seek_table = n - table_seek_table_bytes(frames),
               counts = seek_table - table_counts_bytes(used);
  put_digest(bytes + 128, table_digest_of(bytes + counts, seek_table - counts));
  put_digest(bytes + 144, table_digest_of(bytes + seek_table, n - seek_table));
  put_digest(bytes + TABLE_HEADER_DIGEST_AT, table_digest_of(bytes, TABLE_HEADER_DIGEST_AT));
}

static void must_be_refused(const char *sentence) {
  table *t;
  tauler_message message = {""};
  tauler_error error = table_open(path, &t, &message);
  if (error == TAULER_OK) {
    error = table_check(t, 1, &message);
    table_close(t);
  }
  ck_assert_msg(error == TAULER_DAMAGED_FILE, "'%s' must be refused; got error %d", sentence, (int)error);
  ck_assert_msg(strstr(message.text, sentence) != NULL, "refused as '%s' instead of '%s'", message.text,
                sentence);
}

static size_t counts_of_file(void) {
  table *t = must_open();
  const size_t used = table_get_header(t)->counts_used;
  table_close(t);
  return used;
}

START_TEST(forged_fields_are_refused_for_what_they_are) {
  size_t n;
  must_write(&plain_bytes, 3 * 1024, 1024, 1);
  unsigned char *bytes = read_file(path, &n), *forged = malloc(n);
  memcpy(forged, bytes, n);
  forge(forged, n, &forgeries[_i]);
  sign(forged, n, 3, counts_of_file());
  write_file(forged, n);
  must_be_refused(forgeries[_i].sentence);
  free(forged);
  free(bytes);
}
END_TEST

START_TEST(forged_counts_are_refused_for_what_they_are) {
  size_t n;
  must_write(&plain_bytes, 3 * 1024, 1024, 1);
  unsigned char *bytes = read_file(path, &n);
  const size_t used = counts_of_file(), at = n - table_seek_table_bytes(3) - table_counts_bytes(used);
  ck_assert_uint_ge(used, 3);
  const struct {
    const char *sentence;
    size_t at;
    int64_t add;
  } changes[] = {{"do not start as", 4, 1},        {"do not add up", 16, 1},
                 {"do not add up", 16, INT64_MIN}, {"does not fit a cell", 8, -200},
                 {"do not rise", 8, 200},          {"not those of the cells", 8, -1},
                 {"do not add up", 16, -1},        {"does not fit a cell", 8 + 16 * (used - 1), 200}};
  for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
    unsigned char *forged = malloc(n);
    uint64_t value;
    memcpy(forged, bytes, n);
    memcpy(&value, bytes + at + changes[i].at, 8);
    value += (uint64_t)changes[i].add;
    memcpy(forged + at + changes[i].at, &value, 8);
    sign(forged, n, 3, used);
    write_file(forged, n);
    must_be_refused(changes[i].sentence);
    free(forged);
  }
  free(bytes);
}
END_TEST

/* Counts whose sum is right all the same: it wraps around, or one of them is 0. */
START_TEST(impossible_counts_of_the_right_sum_are_refused) {
  size_t n;
  must_write(&plain_bytes, 3 * 1024, 1024, 1);
  unsigned char *bytes = read_file(path, &n);
  const size_t used = counts_of_file(), at = n - table_seek_table_bytes(3) - table_counts_bytes(used);
  uint64_t first, second;
  memcpy(&first, bytes + at + 16, 8);
  memcpy(&second, bytes + at + 32, 8);
  const uint64_t moved = _i == 0 ? first : (uint64_t)1 << 63;
  first -= moved;
  second += moved;
  memcpy(bytes + at + 16, &first, 8);
  memcpy(bytes + at + 32, &second, 8);
  sign(bytes, n, 3, used);
  write_file(bytes, n);
  must_be_refused("the counts do not add up");
  free(bytes);
}
END_TEST

START_TEST(cells_that_are_not_those_digested_are_refused) {
  size_t n;
  must_write(&plain_bytes, 3 * 1024, 1024, 1);
  unsigned char *bytes = read_file(path, &n);
  const table_digest other = {1, 2};
  put_digest(bytes + 80, other);
  put_digest(bytes + 96, other);
  sign(bytes, n, 3, counts_of_file());
  write_file(bytes, n);
  must_be_refused("the cells do not agree with their digest");
  free(bytes);
}
END_TEST

START_TEST(a_frame_without_checksum_is_refused) {
  size_t n;
  must_write(&plain_bytes, 1024, 1024, 1);
  unsigned char *bytes = read_file(path, &n);
  bytes[TABLE_HEADER_BYTES + 4] &= (unsigned char)~4u;
  write_file(bytes, n);
  must_be_refused("is not a zstd frame with a checksum");
  free(bytes);
}
END_TEST

/* Payloads that zstd itself would decode: frames in a row as if they were one, without checksum, or
 * of another size. */
static const struct {
  size_t frames, frame_bytes;
  int checksum;
  const char *sentence;
} strange_payloads[] = {{2, 512, 1, "is not a zstd frame with a checksum"},
                        {1, 1024, 0, "is not a zstd frame with a checksum"},
                        {1, 1000, 1, "holds 1000 bytes and must hold 1024"}};

static size_t compress_strangely(int i, unsigned char *to) {
  size_t n = 0;
  int8_t cells[1024];
  for (size_t k = 0; k < 1024; k++) cells[k] = (int8_t)value_at(&plain_bytes, k);
  ZSTD_CCtx *context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, strange_payloads[i].checksum);
  for (size_t k = 0; k < strange_payloads[i].frames; k++)
    n += ZSTD_compress2(context, to + n, 2048, cells + k * strange_payloads[i].frame_bytes,
                        strange_payloads[i].frame_bytes);
  ZSTD_freeCCtx(context);
  return n;
}

START_TEST(a_payload_that_only_zstd_would_take_is_refused) {
  size_t n;
  must_write(&plain_bytes, 1024, 1024, 1);
  unsigned char *bytes = read_file(path, &n), *forged = calloc(1, n + 4096);
  const size_t used = counts_of_file(), tail = (size_t)(table_counts_bytes(used) + table_seek_table_bytes(1));
  memcpy(forged, bytes, TABLE_HEADER_BYTES);
  const uint32_t compressed = (uint32_t)compress_strangely(_i, forged + TABLE_HEADER_BYTES);
  const uint64_t file_bytes = TABLE_HEADER_BYTES + compressed + tail;
  memcpy(forged + TABLE_HEADER_BYTES + compressed, bytes + n - tail, tail);
  memcpy(forged + file_bytes - TABLE_SEEK_FOOTER_BYTES - 2 * TABLE_SEEK_ENTRY_BYTES, &compressed, 4);
  memcpy(forged + 56, &file_bytes, 8);
  put_digest(forged + 112, table_digest_of(forged + TABLE_HEADER_BYTES, compressed));
  sign(forged, file_bytes, 1, used);
  write_file(forged, file_bytes);
  must_be_refused(strange_payloads[_i].sentence);
  free(forged);
  free(bytes);
}
END_TEST

START_TEST(what_is_no_file_is_refused) {
  table *t;
  tauler_message message = {""};
  char under[320];
  ck_assert_int_eq(table_open(path, &t, &message), TAULER_TABLE_MISSING);
  ck_assert_msg(strstr(message.text, path) != NULL, "the message does not name the file: %s", message.text);
  ck_assert_int_eq(table_open(folder, &t, NULL), TAULER_DAMAGED_FILE);
  ck_assert_int_eq(mkfifo(path, 0600), 0);
  ck_assert_int_eq(table_open(path, &t, NULL), TAULER_DAMAGED_FILE);
  unlink(path);
  write_file((const unsigned char *)"x", 1);
  ck_assert_int_eq(table_open(path, &t, NULL), TAULER_DAMAGED_FILE);
  snprintf(under, sizeof under, "%s/below", path);
  ck_assert_int_eq(table_open(under, &t, NULL), TAULER_TABLE_MISSING);
  ck_assert_ptr_null(t);
}
END_TEST

/* ---- writing that fails ---- */

static void must_leave_the_old_file(const recipe *bad, uint64_t positions, tauler_error expected) {
  size_t before_bytes, after_bytes;
  must_write(&plain_bytes, 100, 1024, 1);
  unsigned char *before = read_file(path, &before_bytes);
  for (int threads = 1; threads <= 3; threads++) {
    tauler_message message = {""};
    const tauler_error error = try_write(bad, positions, 1024, threads, &message);
    ck_assert_msg(error == expected, "error %d instead of %d: %s", (int)error, (int)expected, message.text);
    ck_assert_msg(message.text[0] != 0, "no message says what went wrong");
    unsigned char *after = read_file(path, &after_bytes);
    ck_assert_msg(before_bytes == after_bytes && memcmp(before, after, after_bytes) == 0,
                  "the old file has changed");
    ck_assert_msg(files_in_folder(false) == 1, "a hidden file was left behind");
    free(after);
  }
  free(before);
}

START_TEST(a_failing_fill_leaves_the_old_file) {
  recipe bad = plain_bytes;
  bad.fail_at = _i == 0 ? 0 : _i == 1 ? 500000 : 999999;
  must_leave_the_old_file(&bad, 1000000, TAULER_NOT_PROVEN);
}
END_TEST

START_TEST(a_stored_cell_that_is_neither_implied_nor_the_value_is_refused) {
  recipe bad = {_i ? TABLE_I16 : TABLE_I8, TABLE_IMPLIED, 3, false, NONE, 1234, NONE};
  must_leave_the_old_file(&bad, 5000, TAULER_INTERNAL);
}
END_TEST

START_TEST(a_file_that_does_not_read_back_is_refused) {
  recipe bad = plain_bytes;
  bad.corrupt_at = 999999;
  tauler_message message = {""};
  ck_assert_int_eq(try_write(&bad, 1000000, 1024, 1, &message), TAULER_IO);
  ck_assert_msg(strstr(message.text, "read back") != NULL, "the message is '%s'", message.text);
  ck_assert_uint_eq(files_in_folder(false), 0);
}
END_TEST

static bool faulty_encoder;

/* Stands before the function of the library and, when told, compresses something else. */
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

START_TEST(a_faulty_encoder_is_found_before_there_is_a_file) {
  tauler_message message = {""};
  faulty_encoder = true;
  const tauler_error error = try_write(&plain_bytes, 5000, 1024, 2, &message);
  faulty_encoder = false;
  ck_assert_int_eq(error, TAULER_INTERNAL);
  ck_assert_msg(strstr(message.text, "does not decode") != NULL, "the message is '%s'", message.text);
  ck_assert_uint_eq(files_in_folder(false), 0);
}
END_TEST

START_TEST(headers_that_contradict_themselves_are_refused) {
  table_write_settings settings = {.level = 3, .threads = 1};
  recipe user = plain_bytes;
  for (int i = 0; i < 11; i++) {
    table_header header = header_of(&plain_bytes, 100);
    settings = (table_write_settings){.level = 3, .threads = 1};
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
END_TEST

/* Runs in a child, since limits and identity cannot be taken back; returns its exit code. */
static int in_child(int (*run)(void)) {
  const pid_t child = fork();
  int status = 0;
  if (child == 0) _exit(run());
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  ck_assert_msg(WIFEXITED(status), "the child was killed by signal %d", WTERMSIG(status));
  return WEXITSTATUS(status);
}

static int write_with_full_disk(void) {
  const struct rlimit limit = {20000, 20000};
  const recipe noise = {TABLE_U8, TABLE_PLAIN, 3, true, NONE, NONE, NONE};
  signal(SIGXFSZ, SIG_IGN);
  setrlimit(RLIMIT_FSIZE, &limit);
  return (int)try_write(&noise, 1000000, 1024, 1, NULL);
}

START_TEST(a_full_disk_is_told_and_leaves_nothing) {
  ck_assert_int_eq(in_child(write_with_full_disk), TAULER_NO_SPACE);
  ck_assert_uint_eq(files_in_folder(false), 0);
}
END_TEST

static int write_as_nobody(void) {
  if (geteuid() == 0 && setuid(65534) != 0) return 99;
  return (int)try_write(&plain_bytes, 1000, 1024, 1, NULL);
}

START_TEST(a_folder_without_permission_is_an_input_output_error) {
  ck_assert_int_eq(chmod(folder, 0555), 0);
  ck_assert_int_eq(in_child(write_as_nobody), TAULER_IO);
  chmod(folder, 0755);
  tauler_message message = {""};
  snprintf(path, sizeof path, "%s/missing/t.zst", folder);
  ck_assert_int_eq(try_write(&plain_bytes, 1000, 1024, 1, &message), TAULER_IO);
  ck_assert_msg(strstr(message.text, path) != NULL, "the message does not name the file: %s", message.text);
}
END_TEST

/* ---- cache ---- */

START_TEST(a_small_cache_evicts_and_stays_right) {
  must_write(&plain_bytes, 200000, 1024, 1);
  table *t = must_open();
  frame_cache *cache = frame_cache_new(_i == 0 ? 0 : 3000);
  for (uint64_t k = 0; k < 20000; k++) {
    const uint64_t i = k % 3 ? mix(k) % 200000 : mix(k / 30) % 4000;
    int64_t value;
    ck_assert_int_eq(table_get(t, cache, i, &value, NULL), TAULER_OK);
    ck_assert_msg(value == value_at(&plain_bytes, i), "cell %" PRIu64 " is wrong through the cache", i);
  }
  frame_cache_free(cache);
  table_close(t);
}
END_TEST

START_TEST(the_cache_keeps_what_was_used_last) {
  must_write(&plain_bytes, 8 * 1024, 1024, 1);
  table *t = must_open();
  frame_cache *cache = frame_cache_new(3 * 1024);
  int64_t value;
  const uint64_t order[] = {0, 1, 2, 0, 3, 4};
  for (size_t k = 0; k < sizeof order / sizeof *order; k++)
    ck_assert_int_eq(table_get(t, cache, order[k] * 1024, &value, NULL), TAULER_OK);
  /* With all frames destroyed on the disk, what is still answered comes from the cache. */
  overwrite_in_place(TABLE_HEADER_BYTES, 0, table_get_header(t)->stored_bytes - TABLE_HEADER_BYTES);
  const bool kept[] = {true, false, false, true, true};
  for (uint64_t frame = 0; frame < 5; frame++) {
    const tauler_error error = table_get(t, cache, frame * 1024 + 5, &value, NULL);
    ck_assert_msg((error == TAULER_OK) == kept[frame], "frame %" PRIu64 " must%s be in the cache", frame,
                  kept[frame] ? "" : " not");
  }
  frame_cache_free(cache);
  table_close(t);
}
END_TEST

START_TEST(the_cache_never_answers_for_another_table) {
  recipe r = plain_bytes;
  frame_cache *cache = frame_cache_new(1 << 20);
  for (r.seed = 0; r.seed < 20; r.seed++) {
    must_write(&r, 3000, 1024, 1);
    table *t = must_open(); /* as a rule at the address of the one before */
    for (uint64_t i = 0; i < 3000; i += 7) {
      int64_t value;
      ck_assert_int_eq(table_get(t, cache, i, &value, NULL), TAULER_OK);
      ck_assert_msg(value == value_at(&r, i), "a cell of a closed table was given");
    }
    table_close(t);
  }
  frame_cache_free(cache);
}
END_TEST

typedef struct {
  const table *t;
  frame_cache *cache;
  uint64_t seed;
  int wrong;
} reader;

static void *read_at_random(void *user) {
  reader *me = user;
  for (uint64_t k = 0; k < 20000; k++) {
    const uint64_t i = mix(k + me->seed) % 200000;
    int64_t value = 0;
    int8_t cells[3];
    if (table_get(me->t, me->cache, i, &value, NULL) != TAULER_OK || value != value_at(&plain_bytes, i))
      me->wrong++;
    if (k % 100 == 0 && (table_read(me->t, i / 2, 3, cells, NULL) != TAULER_OK ||
                         cells[2] != value_at(&plain_bytes, i / 2 + 2)))
      me->wrong++;
  }
  return NULL;
}

START_TEST(threads_share_a_table_and_a_cache) {
  must_write(&plain_bytes, 200000, 1024, 2);
  table *t = must_open();
  frame_cache *cache = frame_cache_new(_i == 0 ? 20000 : 4 << 20);
  pthread_t threads[4];
  reader readers[4];
  for (int i = 0; i < 4; i++) {
    readers[i] = (reader){t, cache, (uint64_t)i % 3, 0};
    ck_assert_int_eq(pthread_create(&threads[i], NULL, read_at_random, &readers[i]), 0);
  }
  for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < 4; i++)
    ck_assert_msg(readers[i].wrong == 0, "thread %d got %d wrong cells", i, readers[i].wrong);
  frame_cache_free(cache);
  table_close(t);
}
END_TEST

/* ---- durable files ---- */

START_TEST(a_durable_file_appears_only_when_committed) {
  durable_file *file;
  size_t n;
  ck_assert_int_eq(durable_file_create(path, &file, NULL), TAULER_OK);
  durable_file_seek(file, 4);
  ck_assert_int_eq(durable_file_write(file, "efgh", 4, NULL), TAULER_OK);
  ck_assert_int_eq(durable_file_write_at(file, 0, "abcd", 4, NULL), TAULER_OK);
  ck_assert_int_eq(durable_file_write(file, "ij", 2, NULL), TAULER_OK);
  ck_assert_int_ne(access(path, F_OK), 0);
  ck_assert_int_eq(durable_file_commit(file, NULL), TAULER_OK);
  unsigned char *bytes = read_file(path, &n);
  ck_assert_msg(n == 10 && memcmp(bytes, "abcdefghij", 10) == 0, "the file is not what was written");
  ck_assert_uint_eq(files_in_folder(false), 1);
  free(bytes);
}
END_TEST

START_TEST(an_abandoned_durable_file_leaves_nothing) {
  durable_file *file;
  ck_assert_int_eq(durable_file_create(path, &file, NULL), TAULER_OK);
  ck_assert_int_eq(durable_file_write(file, "x", 1, NULL), TAULER_OK);
  durable_file_abandon(file);
  ck_assert_uint_eq(files_in_folder(false), 0);
}
END_TEST

static int die_while_writing(void) {
  durable_file *file;
  return (int)durable_file_create(path, &file, NULL);
}

START_TEST(cleaning_removes_what_dead_writers_left_and_nothing_else) {
  durable_file *alive;
  uint64_t removed = 99;
  char foreign[320], old[320];
  must_write(&plain_bytes, 10, 1024, 1);
  ck_assert_int_eq(durable_file_create(path, &alive, NULL), TAULER_OK);
  ck_assert_int_eq(in_child(die_while_writing), TAULER_OK);
  snprintf(foreign, sizeof foreign, "%s/.tauler-tmp.elsewhere-.1.2.t", folder);
  snprintf(old, sizeof old, "%s/.tauler-tmp.elsewhere-.1.3.t", folder);
  const struct timespec times[2] = {{1000000000, 0}, {1000000000, 0}};
  fclose(fopen(foreign, "w"));
  fclose(fopen(old, "w"));
  ck_assert_int_eq(utimensat(AT_FDCWD, old, times, 0), 0);
  ck_assert_uint_eq(files_in_folder(false), 5);
  ck_assert_int_eq(durable_folder_clean(folder, &removed, NULL), TAULER_OK);
  ck_assert_msg(removed == 2, "%" PRIu64 " files were removed: of a dead writer and of long ago are 2",
                removed);
  ck_assert_msg(access(foreign, F_OK) == 0, "the new file of a writer elsewhere was removed");
  ck_assert_int_ne(access(old, F_OK), 0);
  ck_assert_msg(durable_file_commit(alive, NULL) == TAULER_OK, "the file of a living writer was removed");
  ck_assert_int_eq(durable_folder_clean(path, NULL, NULL), TAULER_IO);
}
END_TEST

START_TEST(folders_are_created_with_those_above) {
  char deep[320];
  tauler_message message = {""};
  struct stat status;
  snprintf(deep, sizeof deep, "%s/a//b/c/", folder);
  ck_assert_int_eq(durable_folder_create(deep, NULL), TAULER_OK);
  ck_assert_int_eq(durable_folder_create(deep, NULL), TAULER_OK);
  ck_assert(stat(deep, &status) == 0 && S_ISDIR(status.st_mode));
  write_file((const unsigned char *)"x", 1);
  ck_assert_int_eq(durable_folder_create(path, &message), TAULER_IO);
  ck_assert_msg(strstr(message.text, "in the way") != NULL, "the message is '%s'", message.text);
  ck_assert_int_eq(durable_folder_create("", NULL), TAULER_IO);
  snprintf(deep, sizeof deep, "rm -r %s/a", folder);
  ck_assert_int_eq(system(deep), 0);
}
END_TEST

static void add_loop(TCase *tests, const TTest *test, int n) {
  tcase_add_loop_test(tests, test, 0, n);
}

static TCase *new_case(Suite *suite, const char *name) {
  TCase *tests = tcase_create(name);
  tcase_add_checked_fixture(tests, make_folder, remove_folder);
  tcase_set_timeout(tests, 120);
  suite_add_tcase(suite, tests);
  return tests;
}

int main(void) {
  Suite *suite = suite_create("table");
  TCase *tests = new_case(suite, "round trip");
  add_loop(tests, every_cell_type_and_size_survives_a_round_trip, 6);
  add_loop(tests, implied_cells_are_stored_and_plain_values_counted, 3);
  tcase_add_test(tests, parts_of_a_table_are_read_across_frames);
  tcase_add_test(tests, cells_beyond_the_end_or_of_another_kind_are_refused);
  tcase_add_test(tests, the_file_does_not_depend_on_the_number_of_threads);
  tcase_add_test(tests, stock_zstd_decodes_the_payload);
  tcase_add_test(tests, written_receives_the_header_that_open_finds);
  tcase_add_test(tests, digest_text_is_that_of_xxh128sum);
  tests = new_case(suite, "damage");
  add_loop(tests, every_flipped_bit_is_found, 3);
  tcase_add_test(tests, every_truncation_and_appended_junk_is_found);
  tcase_add_test(tests, swapped_frames_are_found);
  add_loop(tests, forged_fields_are_refused_for_what_they_are, sizeof forgeries / sizeof *forgeries);
  tcase_add_test(tests, forged_counts_are_refused_for_what_they_are);
  add_loop(tests, impossible_counts_of_the_right_sum_are_refused, 2);
  tcase_add_test(tests, cells_that_are_not_those_digested_are_refused);
  tcase_add_test(tests, a_frame_without_checksum_is_refused);
  add_loop(tests, a_payload_that_only_zstd_would_take_is_refused, 3);
  tcase_add_test(tests, what_is_no_file_is_refused);
  tests = new_case(suite, "failing writes");
  add_loop(tests, a_failing_fill_leaves_the_old_file, 3);
  add_loop(tests, a_stored_cell_that_is_neither_implied_nor_the_value_is_refused, 2);
  tcase_add_test(tests, a_file_that_does_not_read_back_is_refused);
  tcase_add_test(tests, a_faulty_encoder_is_found_before_there_is_a_file);
  tcase_add_test(tests, headers_that_contradict_themselves_are_refused);
  tcase_add_test(tests, a_full_disk_is_told_and_leaves_nothing);
  tcase_add_test(tests, a_folder_without_permission_is_an_input_output_error);
  tests = new_case(suite, "cache");
  add_loop(tests, a_small_cache_evicts_and_stays_right, 2);
  tcase_add_test(tests, the_cache_keeps_what_was_used_last);
  tcase_add_test(tests, the_cache_never_answers_for_another_table);
  add_loop(tests, threads_share_a_table_and_a_cache, 2);
  tests = new_case(suite, "durable files");
  tcase_add_test(tests, a_durable_file_appears_only_when_committed);
  tcase_add_test(tests, an_abandoned_durable_file_leaves_nothing);
  tcase_add_test(tests, cleaning_removes_what_dead_writers_left_and_nothing_else);
  tcase_add_test(tests, folders_are_created_with_those_above);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  const int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
