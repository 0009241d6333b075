/* Tables whose cells are coded adaptively: what is written is read again, whole and cell by cell; what would
 * not shrink stays; damage and payloads that the coder does not make are refused. */
#include <inttypes.h>

#include "databases/table_format.h"
#include "tests/support/suite.h"
#include "tests/support/table_fixture.h"

enum { MANY = 3 * (1 << 15) + 777, FEW = 2 * ADAPTIVE_BLOCK - 324, LOW = -9, HIGH = 12 };

static uint8_t class_of(uint64_t i) {
  return (uint8_t)(mix(i / 5) % 6 * 51);
}

static void find_toy(const void *of, uint64_t first, size_t count, uint8_t *out) {
  for (size_t i = 0; i < count; i++) out[i] = class_of(first + i);
}

static const table_classes toy = {7, find_toy, NULL, NULL}, none = {0};

/* Mostly the class decides about a cell; blocks in the middle are all alike, others have all values. */
typedef struct {
  table_cell cell;
  table_coding coding;
  bool noise;
} kind;

static int64_t plain_at(const kind *k, uint64_t i) {
  const int64_t low = k->cell == TABLE_I8 ? LOW : 0;
  const uint64_t x = mix(i + 99);
  if (k->noise || i / 700 == 9) return low + (int64_t)(x % (uint64_t)(HIGH - low + 1));
  if (x % 16 == 0) return low + (int64_t)(x / 16 % (uint64_t)(HIGH - low + 1));
  return k->cell == TABLE_I8 ? class_of(i) / 51 - 3 : class_of(i) / 51;
}

static int64_t reserved_in(const kind *k) {
  return k->coding == TABLE_PLAIN ? 0 : k->cell == TABLE_I8 ? -128 : 255;
}

static int64_t cell_at(const kind *k, uint64_t i) {
  const bool implied = k->coding == TABLE_IMPLIED && (mix(i) % 5 == 0 || i / 4096 == 7);
  return implied ? reserved_in(k) : plain_at(k, i);
}

static tauler_error fill_kind(void *user, uint64_t first, size_t count, void *stored, void *plain,
                              tauler_message *message) {
  for (size_t i = 0; i < count; i++) {
    ((uint8_t *)plain)[i] = (uint8_t)plain_at(user, first + i);
    ((uint8_t *)stored)[i] = (uint8_t)cell_at(user, first + i);
  }
  return TAULER_OK;
}

static table_header write_kind(const kind *k, uint64_t positions) {
  const recipe r = {k->cell, k->coding, 6, false, NONE, NONE, NONE};
  table_header header = header_of(&r, positions), written;
  header.reserved = reserved_in(k);
  const table_write_settings settings = {.level = 3, .threads = 2};
  MUST(table_write(path, &header, &settings, fill_kind, (void *)(uintptr_t)k, &written, NULL));
  return written;
}

/* Writes the table at `path` again. */
static table_header recode(const table_classes *classes, int threads) {
  table_header written;
  tauler_message message = {""};
  table *t = must_open();
  ck_assert_msg(table_recode(t, classes, path, threads, &written, &message) == TAULER_OK, "%s", message.text);
  table_close(t);
  return written;
}

static table *open_adaptive(const table_classes *classes) {
  table *t = must_open();
  if (classes->find) MUST(table_set_classes(t, classes, NULL));
  return t;
}

static void expect_cells(const kind *k, const table *t, uint64_t positions) {
  frame_cache *cache = frame_cache_new(1 << 16);
  uint8_t *cells = malloc(positions);
  MUST(table_read(t, 0, positions, cells, NULL));
  for (uint64_t i = 0; i < positions; i++)
    EXPECT(cells[i] == (uint8_t)cell_at(k, i), "table_read is wrong at cell %" PRIu64, i);
  for (uint64_t n = 0; n < 800; n++) {
    const uint64_t i = n ? mix(n) % positions : positions - 1;
    int64_t cell;
    MUST(table_get(t, n % 8 ? cache : NULL, i, &cell, NULL));
    EXPECT(cell == cell_at(k, i), "table_get is wrong at cell %" PRIu64, i);
  }
  frame_cache_free(cache);
  free(cells);
}

CASE(coded_cells_survive_a_round_trip) {
  const kind kinds[] = {{TABLE_I8, TABLE_IMPLIED, false},
                        {TABLE_U8, TABLE_IMPLIED, false},
                        {TABLE_I8, TABLE_PLAIN, false},
                        {TABLE_U8, TABLE_PLAIN, false}};
  const kind *k = &kinds[_i / 2];
  const table_classes *classes = _i % 2 ? &none : &toy;
  const table_header plainly = write_kind(k, MANY);
  const table_header is = recode(classes, 1 + _i % 2);
  tauler_message message = {""};
  ck_assert_uint_eq(is.format_version, 3);
  ck_assert(is.stored_bytes < plainly.stored_bytes);
  ck_assert(table_digests_equal(is.plain_digest, plainly.plain_digest));
  ck_assert(table_digests_equal(is.stored_digest, plainly.stored_digest));
  table *t = open_adaptive(classes);
  ck_assert_msg(table_check(t, 2, &message) == TAULER_OK, "table_check: %s", message.text);
  expect_cells(k, t, MANY);
  table_close(t);
  ck_assert_uint_eq(recode(classes, 1).stored_bytes, 0); /* it is so already */
}

CASE(the_file_does_not_depend_on_the_threads) {
  const kind k = {TABLE_I8, TABLE_IMPLIED, false};
  size_t n[2];
  unsigned char *bytes[2];
  for (int i = 0; i < 2; i++) {
    write_kind(&k, 40 * MANY / 10);
    recode(&toy, 1 + i);
    bytes[i] = read_file(path, &n[i]);
  }
  ck_assert_uint_eq(n[0], n[1]);
  ck_assert_mem_eq(bytes[0], bytes[1], n[0]);
}

CASE(what_would_not_shrink_stays) {
  const kind k = {TABLE_I8, TABLE_PLAIN, true};
  size_t n, again;
  const recipe wide = {TABLE_I16, TABLE_PLAIN, 6, false, NONE, NONE, NONE};
  write_kind(&k, 5000);
  unsigned char *before = read_file(path, &n);
  ck_assert_uint_eq(recode(&none, 1).stored_bytes, 0);
  unsigned char *after = read_file(path, &again);
  ck_assert_uint_eq(n, again);
  ck_assert_mem_eq(before, after, n);
  ck_assert_uint_eq(files_in_folder(false), 1);
  must_write(&wide, MANY, 0, 1);
  ck_assert_uint_eq(recode(&none, 1).stored_bytes, 0);
}

/* --- damage --- */

static tauler_error check_whole(void) {
  table *t;
  tauler_message message;
  tauler_error error = table_open(path, false, &t, &message);
  if (error) return error;
  error = table_set_classes(t, &toy, &message);
  if (!error) error = table_check(t, 1, &message);
  table_close(t);
  return error;
}

CASE(flipped_bits_of_a_coded_table_are_found) {
  const kind k = {TABLE_I8, TABLE_IMPLIED, false};
  size_t n;
  write_kind(&k, 9000);
  ck_assert_uint_ne(recode(&toy, 1).stored_bytes, 0);
  ck_assert_int_eq(check_whole(), TAULER_OK);
  unsigned char *bytes = read_file(path, &n);
  for (size_t at = 0; at < n; at++) {
    overwrite_in_place(at, bytes[at] ^ (unsigned char)(1u << mix(at) % 8), 1);
    ck_assert_msg(check_whole() == TAULER_DAMAGED_FILE, "byte %zu is changed, and nobody notices", at);
    overwrite_in_place(at, bytes[at], 1);
  }
}

/* A frame of two blocks. */
typedef struct {
  adaptive_coder *coder;
  adaptive_model model;
  uint8_t cells[FEW], back[FEW], payload[FEW + 2];
  size_t size;
} frame;

static frame *frame_new(void) {
  const kind k = {TABLE_I8, TABLE_IMPLIED, false};
  frame *f = calloc(1, sizeof *f);
  f->coder = adaptive_coder_new();
  f->model = (adaptive_model){
      .positions = FEW, .is_signed = true, .is_implied = true, .common = 128, .low = LOW, .high = HIGH};
  for (size_t i = 0; i < FEW; i++) f->cells[i] = (uint8_t)cell_at(&k, i);
  f->size = adaptive_encode(f->coder, &f->model, &toy, 0, FEW, f->cells, f->payload);
  return f;
}

static void frame_free(frame *f) {
  free(f->coder);
  free(f);
}

static bool decodes(frame *f, const uint8_t *payload, size_t size) {
  return adaptive_decode(f->coder, &f->model, &toy, 0, FEW, payload, size, 0, 2, f->back);
}

CASE(sizes_that_are_wrong_are_refused) {
  frame *f = frame_new();
  uint8_t longer[FEW + 16] = {0};
  ck_assert(decodes(f, f->payload, f->size));
  ck_assert_mem_eq(f->cells, f->back, FEW);
  ck_assert(adaptive_decode(f->coder, &f->model, &toy, 0, FEW, f->payload, f->size, 1, 1, f->back));
  ck_assert_mem_eq(f->cells + ADAPTIVE_BLOCK, f->back, FEW - ADAPTIVE_BLOCK);
  for (size_t size = 0; size < f->size; size++) ck_assert(!decodes(f, f->payload, size));
  memcpy(longer, f->payload, f->size);
  ck_assert(!decodes(f, longer, f->size + 1)); /* bytes that belong to no block */
  longer[1] += 9;                              /* … to the last, which does not need them */
  ck_assert(!decodes(f, longer, f->size + 9));
  frame_free(f);
}

CASE(cells_that_cannot_be_are_refused) {
  frame *f = frame_new();
  int accepted = 0;
  for (uint64_t n = 0; n < 4000; n++) {
    uint8_t random[2 + 400];
    f->model.low = n % 2 ? LOW : -HIGH;
    f->model.high = n % 2 ? HIGH : -LOW;
    random[0] = random[1] = (uint8_t)(1 + n % 200);
    for (size_t i = 2; i < sizeof random; i++) random[i] = (uint8_t)mix(n << 10 | i);
    if (!decodes(f, random, 2 + 2u * random[0])) continue;
    accepted++;
    for (size_t i = 0; i < FEW; i++) {
      const int8_t cell = (int8_t)f->back[i];
      ck_assert_msg(cell == -128 || (cell >= f->model.low && cell <= f->model.high), "%d", cell);
    }
  }
  ck_assert_int_gt(accepted, 10);
  frame_free(f);
}

/* One cell that may only be reserved: a code that says otherwise is refused. */
CASE(a_reserved_cell_is_not_coded_as_a_value) {
  frame *f = frame_new();
  f->model.low = f->model.high = f->model.common = 2;
  for (int byte = 0; byte < 256; byte++) {
    const uint8_t payload[] = {1, (uint8_t)byte};
    ck_assert_int_eq(adaptive_decode(f->coder, &f->model, &none, 0, 1, payload, 2, 0, 1, f->back),
                     byte < 128);
  }
  frame_free(f);
}

CASE(priors_come_back) {
  frame *f = frame_new();
  uint8_t *packed = calloc(1, ADAPTIVE_PACKED_MOST);
  adaptive_model *back = calloc(1, sizeof *back);
  for (size_t i = 0; i < ADAPTIVE_PRIORS; i++) f->model.priors[i] = mix(i) % 9 ? 0 : (uint8_t)(1 + i % 63);
  const size_t n = adaptive_pack_priors(&f->model, packed);
  ck_assert(adaptive_unpack_priors(back, packed, n));
  ck_assert_mem_eq(f->model.priors, back->priors, ADAPTIVE_PRIORS);
  ck_assert(!adaptive_unpack_priors(back, packed, n - 1));
  ck_assert(!adaptive_unpack_priors(back, packed, n + 1));
  ck_assert(!adaptive_unpack_priors(back, packed, 100));
  packed[n - 1] = 64;
  ck_assert(!adaptive_unpack_priors(back, packed, n));
  packed[n - 1] = 0;
  ck_assert(!adaptive_unpack_priors(back, packed, n));
  free(packed);
  free(back);
  frame_free(f);
}

SUITE("table adaptive") {
  table_fixture(suite);
  LOOP(coded_cells_survive_a_round_trip, 8);
  TESTS(the_file_does_not_depend_on_the_threads, what_would_not_shrink_stays,
        flipped_bits_of_a_coded_table_are_found, sizes_that_are_wrong_are_refused,
        cells_that_cannot_be_are_refused, a_reserved_cell_is_not_coded_as_a_value, priors_come_back);
}
