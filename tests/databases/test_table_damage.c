/* Damaged and forged table files: nothing of the kind gets through. */
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "databases/table.h"
#include "databases/table_format.h"
#include "databases/table_frames.h"
#include "tests/support/suite.h"
#include "tests/support/table_fixture.h"

/* Whether open or check refuses; a cell that can be got must be right all the same. */
static bool is_detected(const recipe *r, bool look_up) {
  table *t;
  tauler_error error = table_open(path, false, &t, hear());
  if (error == TAULER_OK) {
    const uint64_t positions = table_get_header(t)->positions;
    for (uint64_t i = 0; look_up && i < positions; i += 1 + positions / 3) {
      int64_t value;
      const tauler_error got = table_get(t, NULL, i, &value, hear());
      ck_assert_msg(got == TAULER_DAMAGED_FILE || value == stored_at(r, i),
                    "a damaged frame gives a wrong value");
    }
    error = table_check(t, 1, hear());
    table_close(t);
  }
  ck_assert_msg(error == TAULER_OK || error == TAULER_DAMAGED_FILE, "damage shows as error %d: %s",
                (int)error, said.text);
  ck_assert_msg(error == TAULER_OK || said.text[0], "damage is found and no sentence says so");
  return error != TAULER_OK;
}

CASE(every_flipped_bit_is_found) {
  const recipe recipes[] = {{TABLE_I8, TABLE_PLAIN, 1, false, NONE, NONE, NONE},
                            {TABLE_F32, TABLE_PLAIN, 2, false, NONE, NONE, NONE},
                            {TABLE_I16, TABLE_IMPLIED, 3, false, NONE, NONE, NONE}};
  const recipe *r = &recipes[_i];
  size_t n;
  must_write(r, 1100, 1024, 1);
  unsigned char *bytes = read_file(path, &n);
  for (size_t bit = 0; bit < 8 * n; bit += SOME(3, 1)) { /* some of every byte, each bit of some */
    overwrite_in_place(bit / 8, bytes[bit / 8] ^ (unsigned char)(1u << bit % 8), 1);
    ck_assert_msg(is_detected(r, r->cell != TABLE_F32), "bit %zu of byte %zu flipped, and nobody notices",
                  bit % 8, bit / 8);
    overwrite_in_place(bit / 8, bytes[bit / 8], 1);
  }
}

CASE(every_truncation_and_appended_junk_is_found) {
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
}

CASE(swapped_frames_are_found) {
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
}

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
    {"format version 4", 16, 4, false, 4},
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
    {"must be zero", 952, 1, false, 1},
    {"only bounds in f64", 928, 8, false, 0x3FF0000000000000},
    {"only bounds in f64", 936, 8, false, 0x3FF0000000000000},
    {"only bounds in f64", 944, 8, false, 1},
    {"is no distance", 928, 8, false, 0x7FF8000000000000}, /* NaN */
    {"is no distance", 928, 8, false, 0x8000000000000000}, /* −0 */
    {"is no distance", 936, 8, false, 0xBFF0000000000000},
    {"more positions than there are", 944, 8, false, UINT64_MAX},
    {"does not start or end", 4, 4, true, 0}, /* magic of the footer */
    {"does not start or end", 5, 1, true, 0x80},
    {"does not start or end", 9, 1, true, 6},
    {"entry 4 of the seek table", 17, 4, true, 8},         /* size of the counts */
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
               counts = seek_table - table_counts_bytes(&(table_layout){.counts_used = used});
  put_digest(bytes + 128, table_digest_of(bytes + counts, seek_table - counts));
  put_digest(bytes + 144, table_digest_of(bytes + seek_table, n - seek_table));
  put_digest(bytes + TABLE_HEADER_DIGEST_AT, table_digest_of(bytes, TABLE_HEADER_DIGEST_AT));
}

static void must_be_refused(const char *sentence) {
  table *t;
  tauler_error error = table_open(path, false, &t, hear());
  if (error == TAULER_OK) {
    error = table_check(t, 1, hear());
    table_close(t);
  }
  ck_assert_msg(error == TAULER_DAMAGED_FILE, "'%s' must be refused; got error %d", sentence, (int)error);
  ck_assert_msg(strstr(said.text, sentence) != NULL, "refused as '%s' instead of '%s'", said.text, sentence);
}

static size_t counts_of_file(void) {
  table *t = must_open();
  const size_t used = table_get_header(t)->counts_used;
  table_close(t);
  return used;
}

CASE(forged_fields_are_refused_for_what_they_are) {
  size_t n;
  must_write(&plain_bytes, 3 * 1024, 1024, 1);
  unsigned char *bytes = read_file(path, &n), *forged = suite_zeros(n, 1);
  memcpy(forged, bytes, n);
  forge(forged, n, &forgeries[_i]);
  sign(forged, n, 3, counts_of_file());
  write_file(forged, n);
  must_be_refused(forgeries[_i].sentence);
}

CASE(forged_counts_are_refused_for_what_they_are) {
  size_t n;
  must_write(&plain_bytes, 3 * 1024, 1024, 1);
  unsigned char *bytes = read_file(path, &n);
  const size_t used = counts_of_file(),
               at = n - table_seek_table_bytes(3) - table_counts_bytes(&(table_layout){.counts_used = used});
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
    unsigned char *forged = suite_zeros(n, 1);
    uint64_t value;
    memcpy(forged, bytes, n);
    memcpy(&value, bytes + at + changes[i].at, 8);
    value += (uint64_t)changes[i].add;
    memcpy(forged + at + changes[i].at, &value, 8);
    sign(forged, n, 3, used);
    write_file(forged, n);
    must_be_refused(changes[i].sentence);
  }
}

/* Counts whose sum is right all the same: it wraps around, or one of them is 0. */
CASE(impossible_counts_of_the_right_sum_are_refused) {
  size_t n;
  must_write(&plain_bytes, 3 * 1024, 1024, 1);
  unsigned char *bytes = read_file(path, &n);
  const size_t used = counts_of_file(),
               at = n - table_seek_table_bytes(3) - table_counts_bytes(&(table_layout){.counts_used = used});
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
}

CASE(cells_that_are_not_those_digested_are_refused) {
  size_t n;
  must_write(&plain_bytes, 3 * 1024, 1024, 1);
  unsigned char *bytes = read_file(path, &n);
  const table_digest other = {1, 2};
  put_digest(bytes + 80, other);
  put_digest(bytes + 96, other);
  sign(bytes, n, 3, counts_of_file());
  write_file(bytes, n);
  must_be_refused("the cells do not agree with their digest");
}

CASE(a_frame_without_checksum_is_refused) {
  size_t n;
  must_write(&plain_bytes, 1024, 1024, 1);
  unsigned char *bytes = read_file(path, &n);
  bytes[TABLE_HEADER_BYTES + 4] &= (unsigned char)~4u;
  write_file(bytes, n);
  must_be_refused("is not a zstd frame with a checksum");
}

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

CASE(a_payload_that_only_zstd_would_take_is_refused) {
  size_t n;
  must_write(&plain_bytes, 1024, 1024, 1);
  unsigned char *bytes = read_file(path, &n), *forged = suite_zeros(1, n + 4096);
  const size_t used = counts_of_file(),
               tail = (size_t)(table_counts_bytes(&(table_layout){.counts_used = used}) +
                               table_seek_table_bytes(1));
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
}

CASE(what_is_no_file_is_refused) {
  table *t;
  char under[320];
  REFUSED(TAULER_TABLE_MISSING, path, table_open(path, false, &t, hear()));
  ck_assert_int_eq(table_open(folder, false, &t, NULL), TAULER_DAMAGED_FILE);
  ck_assert_int_eq(mkfifo(path, 0600), 0);
  ck_assert_int_eq(table_open(path, false, &t, NULL), TAULER_DAMAGED_FILE);
  unlink(path);
  write_file((const unsigned char *)"x", 1);
  ck_assert_int_eq(table_open(path, false, &t, NULL), TAULER_DAMAGED_FILE);
  snprintf(under, sizeof under, "%s/below", path);
  ck_assert_int_eq(table_open(under, false, &t, NULL), TAULER_TABLE_MISSING);
  ck_assert_ptr_null(t);
}

/* zstd says so by a number near the end of a size_t. */
CASE(memory_that_zstd_lacks_is_no_damage) {
  ck_assert_int_eq(zstd_error((size_t)-ZSTD_error_memory_allocation, TAULER_DAMAGED_FILE), TAULER_NO_MEMORY);
  ck_assert_int_eq(zstd_error((size_t)-ZSTD_error_corruption_detected, TAULER_DAMAGED_FILE),
                   TAULER_DAMAGED_FILE);
}

SUITE("table damage") {
  table_fixture(suite);
  LOOP(every_flipped_bit_is_found, 3);
  TESTS(every_truncation_and_appended_junk_is_found, swapped_frames_are_found);
  LOOP(forged_fields_are_refused_for_what_they_are, ROWS(forgeries));
  TEST(forged_counts_are_refused_for_what_they_are);
  LOOP(impossible_counts_of_the_right_sum_are_refused, 2);
  TESTS(cells_that_are_not_those_digested_are_refused, a_frame_without_checksum_is_refused);
  LOOP(a_payload_that_only_zstd_would_take_is_refused, 3);
  TESTS(what_is_no_file_is_refused, memory_that_zstd_lacks_is_no_damage);
}
