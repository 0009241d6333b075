/* Tables whose frames come from several framers are the same files; digests go on elsewhere. */
#include "databases/table.h"
#include "databases/table_format.h"
#include "databases/table_frames.h"
#include "databases/table_parts.h"
#include "tests/support/suite.h"
#include "tests/support/table_fixture.h"

CASE(a_digester_goes_on_elsewhere_from_where_it_stands) {
  unsigned char bytes[5000], state[TABLE_DIGESTER_BYTES];
  for (size_t i = 0; i < sizeof bytes; i++) bytes[i] = (unsigned char)mix(i);
  for (size_t cut = 0; cut <= sizeof bytes; cut += 1 + cut / 9) {
    table_digester *first = table_digester_new(), *second = table_digester_new();
    table_digester_add(second, "something else", 14);
    table_digester_add(first, bytes, cut);
    table_digester_pack(first, state);
    table_digester_end(first);
    ck_assert(table_digester_unpack(second, state, sizeof state));
    table_digester_add(second, bytes + cut, sizeof bytes - cut);
    ck_assert(table_digests_equal(table_digester_end(second), table_digest_of(bytes, sizeof bytes)));
  }
}

/* Of what comes from another process nothing is believed that leads out of a buffer. */
CASE(what_no_digester_packs_is_refused) {
  static const size_t numbers = TABLE_DIGESTER_BYTES - 3 * sizeof(uint64_t);
  static const struct {
    size_t number;
    uint64_t is, total;
  } wrong[] = {
      {0, 257, 9999}, {0, UINT64_C(1) << 32, UINT64_MAX}, {0, 9, 5}, {1, 17, 9999}, {1, UINT64_MAX, 9999}};
  unsigned char state[TABLE_DIGESTER_BYTES];
  table_digester *first = table_digester_new(), *second = table_digester_new();
  table_digester_add(first, "a few", 5);
  table_digester_pack(first, state);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    unsigned char changed[TABLE_DIGESTER_BYTES];
    memcpy(changed, state, sizeof state);
    memcpy(changed + numbers + wrong[i].number * sizeof(uint64_t), &wrong[i].is, sizeof wrong[i].is);
    memcpy(changed + sizeof changed - sizeof wrong[i].total, &wrong[i].total, sizeof wrong[i].total);
    ck_assert_msg(!table_digester_unpack(second, changed, sizeof changed), "%zu", i);
  }
  ck_assert(!table_digester_unpack(second, state, sizeof state - 1));
  ck_assert(!table_digester_unpack(second, state, 0));
  table_digester_add(second, "a few", 5);
  ck_assert(table_digests_equal(table_digester_end(second), table_digester_end(first)));
}

/* Frames of pieces that were made by several framers, appended in order. */
static tauler_error write_in_parts(const recipe *r, uint64_t positions, uint64_t piece_frames, uint64_t lost,
                                   tauler_message *message) {
  const table_header header = header_of(r, positions);
  const table_write_settings settings = {.level = 3, .frame_bytes = 1024, .threads = 1};
  const size_t cell_bytes = table_cell_bytes(r->cell), piece = piece_frames * 1024 / cell_bytes;
  unsigned char *stored = suite_zeros(piece * cell_bytes, 1), *plain = suite_zeros(piece, cell_bytes);
  table_framer *framers[2];
  table_writer *writer;
  for (int i = 0; i < 2; i++) MUST(table_framer_new(path, &header, &settings, &framers[i], message));
  cell_histogram *counted = table_cell_is_real(r->cell) ? NULL : cell_histogram_new(r->cell);
  tauler_error error = table_writer_begin(path, &header, &settings, &writer, message);
  for (uint64_t at = 0; at < positions && !error; at += piece) {
    const size_t n = positions - at < piece ? (size_t)(positions - at) : piece;
    const uint64_t frame = at * cell_bytes / 1024;
    table_frames frames;
    recipe user = *r;
    MUST(fill(&user, at, n, stored, r->coding == TABLE_PLAIN ? stored : plain, message));
    const void *values = r->coding == TABLE_PLAIN ? stored : plain;
    error = table_frames_make(framers[frame / piece_frames % 2], frame, n, stored, values, &frames, message);
    if (error || frame == lost) continue;
    if (counted) cell_histogram_add(counted, values, n);
    error = table_writer_append(writer, &frames, stored, values, message);
  }
  if (counted && !error) table_writer_count(writer, counted);
  if (error)
    table_writer_abandon(writer);
  else
    error = table_writer_end(writer, NULL, message);
  for (int i = 0; i < 2; i++) table_framer_free(framers[i]);
  free(counted);
  return error;
}

CASE(a_table_written_in_parts_is_the_same_file) {
  const recipe kinds[] = {{TABLE_I8, TABLE_IMPLIED, 6, false, NONE, NONE, NONE},
                          {TABLE_U16, TABLE_PLAIN, 7, false, NONE, NONE, NONE},
                          {TABLE_I16, TABLE_IMPLIED, 8, true, NONE, NONE, NONE},
                          {TABLE_F32, TABLE_PLAIN, 9, false, NONE, NONE, NONE}};
  const uint64_t sizes[] = {1, 1024, 40000, 100003};
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    size_t n, found;
    must_write(&kinds[_i], sizes[k], 1024, 2);
    unsigned char *whole = read_file(path, &n);
    files_in_folder(true);
    MUST(write_in_parts(&kinds[_i], sizes[k], 1 + 6 * k, UINT64_MAX, hear()));
    unsigned char *parts = read_file(path, &found);
    ck_assert_msg(n == found && memcmp(whole, parts, n) == 0, "the file in parts is another one");
  }
}

CASE(parts_that_are_missing_or_wrong_leave_no_file) {
  recipe r = {TABLE_I8, TABLE_IMPLIED, 6, false, NONE, NONE, NONE};
  /* the first, one in between, the last */
  const uint64_t lost[] = {0, 7, 14};
  for (size_t k = 0; k < 3; k++) {
    ck_assert_int_eq(write_in_parts(&r, 15 * 1024, 7, lost[k], hear()), TAULER_INTERNAL);
    ck_assert_uint_eq(files_in_folder(false), 0);
  }
  r.lie_at = 5000;
  ck_assert_int_eq(write_in_parts(&r, 15 * 1024, 7, UINT64_MAX, hear()), TAULER_INTERNAL);
  ck_assert_uint_eq(files_in_folder(false), 0);
}

CASE(cells_that_are_no_whole_frames_are_refused) {
  const table_header header = header_of(&plain_bytes, 5000);
  const table_write_settings settings = {.level = 3, .frame_bytes = 1024, .threads = 1};
  unsigned char cells[6000] = {0};
  table_framer *framer;
  table_frames frames;
  MUST(table_framer_new(path, &header, &settings, &framer, NULL));
  const struct {
    uint64_t first;
    size_t count;
    bool good;
  } asked[] = {{0, 1024, true}, {0, 5000, true},  {4, 904, true},  {0, 1000, false},
               {0, 0, false},   {4, 1024, false}, {5, 100, false}, {0, 6000, false}};
  for (size_t k = 0; k < sizeof asked / sizeof *asked; k++)
    ck_assert_msg((table_frames_make(framer, asked[k].first, asked[k].count, cells, cells, &frames, NULL) ==
                   TAULER_OK) == asked[k].good,
                  "case %zu", k);
  table_framer_free(framer);
}

/* A table opened in part has the same cells, by blocks of offsets of its own alone. */
CASE(offsets_beside_a_table_find_its_frames) {
  enum { FRAMES = 1100, BLOCK = 4096, CELLS = FRAMES * 1024 - 5 };
  const recipe r = plain_bytes;
  char beside[TABLE_PATH_BYTES];
  size_t n;
  int64_t cell;
  must_write(&r, CELLS, 1024, 1);
  table *whole = must_open(), *part;
  ck_assert(table_wants_offsets(table_get_header(whole)));
  MUST(table_offsets_path(path, beside, hear()));
  MUST(table_offsets_write(whole, beside, hear()));
  table_close(whole);
  /* The last entries of the seek table: whoever opens all of it sees that they are wrong. */
  unsigned char *bytes = read_file(path, &n);
  overwrite_in_place(n - 100, (unsigned char)(bytes[n - 100] ^ 1), 1);
  ck_assert_int_eq(table_open(path, false, &whole, NULL), TAULER_DAMAGED_FILE);
  MUST(table_open(path, true, &part, hear()));
  for (uint64_t i = 0; i < CELLS; i += 509) {
    MUST(table_get(part, NULL, i, &cell, hear()));
    ck_assert_int_eq(cell, value_at(&r, i));
  }
  ck_assert_int_eq(table_check(part, 1, hear()), TAULER_INTERNAL);
  /* A block in the place of another, as in a file that lost some bytes. */
  bytes = read_file(beside, &n);
  ck_assert_uint_eq(n, 2 * BLOCK + (FRAMES - 2 * 509 + 1) * 8 + 16);
  memcpy(bytes, bytes + BLOCK, BLOCK);
  FILE *file = fopen(beside, "wb");
  ck_assert_uint_eq(fwrite(bytes, 1, n, file), n);
  ck_assert_int_eq(fclose(file), 0);
  REFUSED(TAULER_DAMAGED_FILE, beside, table_get(part, NULL, 0, &cell, hear()));
  MUST(table_get(part, NULL, 509 * 1024, &cell, hear()));
  table_close(part);
  ck_assert_int_eq(remove(beside), 0);
  ck_assert_int_eq(table_open(path, true, &part, NULL), TAULER_DAMAGED_FILE);
}

SUITE("table in parts") {
  table_fixture(suite);
  LOOP(a_table_written_in_parts_is_the_same_file, 4);
  TESTS(what_no_digester_packs_is_refused, a_digester_goes_on_elsewhere_from_where_it_stands,
        parts_that_are_missing_or_wrong_leave_no_file, cells_that_are_no_whole_frames_are_refused,
        offsets_beside_a_table_find_its_frames);
}
