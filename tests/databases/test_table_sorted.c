/* Tables whose frames are sorted by class: what is written is read again, by the library and as FORMAT.md
 * says; damage is found. */
#include <inttypes.h>
#include <sys/stat.h>
#include <zstd.h>

#include "databases/frame_order.h"
#include "databases/names.h"
#include "databases/table_format.h"
#include "tests/support/suite.h"
#include "tests/support/table_fixture.h"

enum { FRAME = 1024 };

static const recipe sorted_bytes = {TABLE_I8, TABLE_IMPLIED, 6, false, NONE, NONE, NONE};

/* Runs of one class, and classes at both ends of the range. */
static uint8_t class_of(uint64_t i) {
  const uint64_t x = mix(i / 3);
  return (uint8_t)(x % 5 == 0 ? 255 : x % 5 == 1 ? 0 : 100 + x % 7);
}

static void find_toy(const void *of, uint64_t first, size_t count, uint8_t *out) {
  ck_assert_str_eq(of, "toy");
  for (size_t i = 0; i < count; i++) out[i] = class_of(first + i);
}

static int closed;
static void close_toy(void *of) {
  closed++;
}

static const table_classes toy = {7, find_toy, close_toy, "toy"};

static tauler_error write_sorted(const recipe *r, uint64_t positions, const table_classes *classes) {
  const table_header header = header_of(r, positions);
  const table_write_settings settings = {.level = 3, .frame_bytes = FRAME, .threads = 2, .classes = classes};
  recipe user = *r;
  return table_write(path, &header, &settings, fill, &user, NULL, NULL);
}

static table *open_sorted(void) {
  table *t = must_open();
  MUST(table_set_classes(t, &toy, NULL));
  return t;
}

/* --- the payload as FORMAT.md says --- */

typedef struct {
  unsigned char bytes[FRAME + FRAME / 8];
  size_t cells;
} raw_frame;

/* The number of the cell of the frame that comes next when its cells are sorted: the first with the lowest
 * class of those not yet seen. */
static size_t next_of(const raw_frame *raw, uint64_t first, const bool *seen) {
  size_t next = raw->cells;
  for (size_t i = 0; i < raw->cells; i++)
    if (!seen[i] && (next == raw->cells || class_of(first + i) < class_of(first + next))) next = i;
  return next;
}

static void expect_payload(const recipe *r, const raw_frame *raw, uint64_t first) {
  const unsigned char *flags = raw->bytes + raw->cells;
  bool seen[FRAME] = {false};
  size_t kept = 0;
  for (size_t k = 0; k < raw->cells; k++) {
    const size_t i = next_of(raw, first, seen);
    const int64_t cell = stored_at(r, first + i);
    seen[i] = true;
    EXPECT((flags[k / 8] >> k % 8 & 1) == (cell == reserved_of(r)), "flag %zu is wrong", k);
    if (cell != reserved_of(r)) EXPECT(raw->bytes[kept++] == (uint8_t)cell, "sorted cell %zu is wrong", k);
  }
  for (size_t k = kept; k < raw->cells; k++) EXPECT(raw->bytes[k] == 0, "cell %zu is not a zero", k);
}

static size_t compressed_at(const unsigned char *file, size_t n, uint64_t frames, uint64_t frame,
                            size_t *size) {
  const unsigned char *entry = file + n - TABLE_SEEK_FOOTER_BYTES -
                               (frames + TABLE_SEEK_EXTRA_ENTRIES - frame - 1) * TABLE_SEEK_ENTRY_BYTES;
  table_seek_entry found;
  memcpy(&found, entry, sizeof found);
  *size = found.decompressed;
  return found.compressed;
}

static void expect_file(const recipe *r, uint64_t positions) {
  size_t n, size, at = TABLE_HEADER_BYTES;
  unsigned char *file = read_file(path, &n);
  const uint64_t frames = (positions + FRAME - 1) / FRAME;
  ck_assert_uint_eq(file[16], 2);
  for (uint64_t frame = 0; frame < frames; frame++) {
    raw_frame raw = {.cells = positions - frame * FRAME < FRAME ? positions - frame * FRAME : FRAME};
    const size_t compressed = compressed_at(file, n, frames, frame, &size);
    ck_assert_uint_eq(size, raw.cells + (raw.cells + 7) / 8);
    ck_assert_uint_eq(ZSTD_decompress(raw.bytes, sizeof raw.bytes, file + at, compressed), size);
    expect_payload(r, &raw, frame * FRAME);
    at += compressed;
  }
}

/* --- reading --- */

static void expect_cells(const recipe *r, const table *t, uint64_t positions) {
  frame_cache *cache = frame_cache_new(4 * FRAME);
  int8_t *cells = suite_zeros(positions, 1);
  MUST(table_read(t, 0, positions, cells, hear()));
  for (uint64_t i = 0; i < positions; i++)
    EXPECT(cells[i] == stored_at(r, i), "table_read is wrong at cell %" PRIu64, i);
  for (uint64_t i = 0; i < positions; i += 1 + positions / 40) {
    int64_t cell;
    MUST(table_get(t, cache, i, &cell, hear()));
    EXPECT(cell == stored_at(r, i), "table_get is wrong at cell %" PRIu64, i);
  }
  frame_cache_free(cache);
}

/* The digests do not depend on the order: they are those of the table with cells in index order. */
static void expect_digests(const recipe *r, const table *sorted, uint64_t positions) {
  const table_header is = *table_get_header(sorted);
  MUST(write_sorted(r, positions, NULL));
  table *t = must_open();
  const table_header *other = table_get_header(t);
  ck_assert_uint_eq(other->format_version, 1);
  ck_assert_uint_eq(other->classes, 0);
  ck_assert(table_digests_equal(is.plain_digest, other->plain_digest));
  ck_assert(table_digests_equal(is.stored_digest, other->stored_digest));
  table_close(t);
}

CASE(sorted_cells_survive_a_round_trip) {
  const uint64_t sizes[] = {1, 2, 7, 8, 9, 63, 64, 65, FRAME - 1, FRAME, FRAME + 1, 9 * FRAME + 77};
  const uint64_t positions = sizes[_i];
  MUST(write_sorted(&sorted_bytes, positions, &toy));
  table *t = open_sorted();
  ck_assert_uint_eq(table_get_header(t)->format_version, 2);
  ck_assert_uint_eq(table_get_header(t)->classes, 7);
  ck_assert_msg(table_check(t, 2, hear()) == TAULER_OK, "table_check: %s", said.text);
  expect_cells(&sorted_bytes, t, positions);
  expect_file(&sorted_bytes, positions);
  expect_digests(&sorted_bytes, t, positions);
  table_close(t);
}

/* All cells or none are reserved, and all have one class. */
static tauler_error fill_alike(void *user, uint64_t first, size_t count, void *stored, void *plain,
                               tauler_message *message) {
  for (size_t i = 0; i < count; i++) ((int8_t *)plain)[i] = (int8_t)((first + i) % 11);
  memcpy(stored, plain, count);
  if (*(const bool *)user) memset(stored, -128, count);
  return TAULER_OK;
}

static void find_one_class(const void *of, uint64_t first, size_t count, uint8_t *out) {
  memset(out, 9, count);
}

CASE(cells_that_are_alike_are_sorted) {
  const uint64_t positions = 2 * FRAME + 70;
  const table_header header = header_of(&sorted_bytes, positions);
  const table_classes one = {1, find_one_class, NULL, NULL};
  for (int all = 0; all < 4; all++) {
    const table_classes *classes = all / 2 ? &toy : &one;
    const table_write_settings settings = {
        .level = 3, .frame_bytes = FRAME, .threads = 1, .classes = classes};
    bool reserved = all % 2;
    int8_t cells[2 * FRAME + 70];
    MUST(table_write(path, &header, &settings, fill_alike, &reserved, NULL, NULL));
    table *t = must_open();
    MUST(table_set_classes(t, classes, NULL));
    MUST(table_read(t, 0, positions, cells, NULL));
    for (uint64_t i = 0; i < positions; i++)
      EXPECT(cells[i] == (reserved ? -128 : (int8_t)(i % 11)), "wrong");
    table_close(t);
  }
}

/* --- what is refused --- */

CASE(cells_are_not_read_without_their_classes) {
  table_classes other = toy;
  int64_t cell;
  MUST(write_sorted(&sorted_bytes, 3000, &toy));
  table *t = must_open();
  ck_assert_int_eq(table_get(t, NULL, 5, &cell, hear()), TAULER_INTERNAL);
  other.version++;
  closed = 0;
  REFUSED(TAULER_DAMAGED_FILE, "sorted by version 7 of the classes", table_set_classes(t, &other, hear()));
  ck_assert_int_eq(closed, 1);
  MUST(table_set_classes(t, &toy, NULL));
  ck_assert_int_eq(closed, 1);
  MUST(table_get(t, NULL, 5, &cell, hear()));
  table_close(t);
  ck_assert_int_eq(closed, 2);
  ck_assert_int_eq(names_open(path, false, &t, hear()), TAULER_DAMAGED_FILE);
  ck_assert_ptr_null(t);
}

CASE(only_implied_bytes_are_sorted) {
  recipe r = sorted_bytes;
  r.coding = TABLE_PLAIN;
  ck_assert_int_eq(write_sorted(&r, 100, &toy), TAULER_INTERNAL);
  r = sorted_bytes;
  r.cell = TABLE_I16;
  ck_assert_int_eq(write_sorted(&r, 100, &toy), TAULER_INTERNAL);
  ck_assert_uint_eq(files_in_folder(false), 0);
}

static tauler_error check_whole(tauler_message *message) {
  table *t;
  tauler_error error = table_open(path, false, &t, message);
  if (error) return error;
  error = table_set_classes(t, &toy, message);
  if (!error) error = table_check(t, 1, message);
  table_close(t);
  return error;
}

CASE(every_flipped_bit_of_a_sorted_table_is_found) {
  size_t n;
  MUST(write_sorted(&sorted_bytes, 1100, &toy));
  unsigned char *bytes = read_file(path, &n);
  for (size_t bit = 0; bit < 8 * n; bit++) {
    overwrite_in_place(bit / 8, bytes[bit / 8] ^ (unsigned char)(1u << bit % 8), 1);
    ck_assert_msg(check_whole(hear()) == TAULER_DAMAGED_FILE,
                  "bit %zu of byte %zu flipped, and nobody notices", bit % 8, bit / 8);
    overwrite_in_place(bit / 8, bytes[bit / 8], 1);
  }
}

static void put_digest(unsigned char *at, table_digest digest) {
  memcpy(at, &digest.low, 8);
  memcpy(at + 8, &digest.high, 8);
}

CASE(forged_classes_are_refused_for_what_they_are) {
  const struct {
    const char *sentence;
    size_t at;
    unsigned char value;
  } forgeries[] = {{"sorted by no classes", 952, 0}, {"sorted by version 8", 952, 8},
                   {"must be zero", 956, 1},         {"must be zero", 16, 1},
                   {"priors of its coder", 16, 3},   {"format version 4", 16, 4}};
  size_t n;
  MUST(write_sorted(&sorted_bytes, 1100, &toy));
  unsigned char *bytes = read_file(path, &n);
  bytes[forgeries[_i].at] = forgeries[_i].value;
  put_digest(bytes + TABLE_HEADER_DIGEST_AT, table_digest_of(bytes, TABLE_HEADER_DIGEST_AT));
  write_file(bytes, n);
  REFUSED(TAULER_DAMAGED_FILE, forgeries[_i].sentence, check_whole(hear()));
}

/* Payloads that sorting does not make, as a frame of 100 cells; 70 of them are reserved. */
CASE(payloads_that_sorting_does_not_make_are_refused) {
  enum { CELLS = 100, KEPT = 30 };
  uint8_t cells[CELLS], back[CELLS];
  frame_order order = {0};
  for (size_t i = 0; i < CELLS; i++) cells[i] = i % 10 < 3 ? (uint8_t)i : 0x80;
  ck_assert(frame_order_reserve(&order, CELLS));
  frame_order_sort(&order, &toy, 0, CELLS, 0x80, cells);
  ck_assert(frame_order_restore(&order, &toy, 0, CELLS, 0x80, back));
  ck_assert_mem_eq(cells, back, CELLS);
  const struct {
    size_t at;
    uint8_t value;
  } changes[] = {{0, 0x80},          /* a reserved cell among those that are kept */
                 {KEPT, 1},          /* a cell behind them */
                 {CELLS - 1, 1},     /* … the last */
                 {CELLS + 12, 0xFF}, /* flags of cells that do not exist */
                 {CELLS, 0}};        /* a flag less, so that there is a cell more … */
  for (int i = 0; i < ROWS(changes); i++) {
    frame_order_sort(&order, &toy, 0, CELLS, 0x80, cells);
    order.payload[changes[i].at] = changes[i].value;
    if (i == ROWS(changes) - 1) order.payload[KEPT] = 0x80; /* … which is reserved */
    ck_assert_msg(!frame_order_restore(&order, &toy, 0, CELLS, 0x80, back), "change %d is taken", i);
  }
  frame_order_free(&order);
}

SUITE("table sorted") {
  table_fixture(suite);
  LOOP(sorted_cells_survive_a_round_trip, 12);
  TESTS(cells_that_are_alike_are_sorted, cells_are_not_read_without_their_classes,
        only_implied_bytes_are_sorted, every_flipped_bit_of_a_sorted_table_is_found,
        payloads_that_sorting_does_not_make_are_refused);
  LOOP(forged_classes_are_refused_for_what_they_are, 6);
}
