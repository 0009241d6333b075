/* Fuzzing of the table reader: any bytes may be given as a table file.
 *
 * The first byte of an input says what is made to agree before the rest is opened: a random change
 * would otherwise stop at the first digest and never reach what lies behind it.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "databases/table.h"
#include "databases/table_format.h"
#include "tests/fuzz/file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { SIGN_HEADER = 1, SET_FILE_SIZE = 2, SIGN_TAIL = 4, SIGN_FRAMES = 8 };

enum {
  AT_VERSION = 16,
  AT_STORED_BYTES = 56,
  AT_FRAMES = 64,
  AT_COUNTS = 72,
  AT_FRAMES_DIGEST = 112,
  AT_COUNTS_DIGEST = 128,
  AT_PRIORS = 956
};

static uint64_t get_u64(const uint8_t *at) {
  uint64_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

static void put_digest(uint8_t *at, table_digest digest) {
  memcpy(at, &digest.low, 8);
  memcpy(at + 8, &digest.high, 8);
}

static void sign_tail(uint8_t *file, size_t n, bool sign_frames) {
  const uint64_t frames = get_u64(file + AT_FRAMES), used = get_u64(file + AT_COUNTS);
  if (frames > n || used > n) return;
  table_layout layout = {.counts_used = used};
  if (file[AT_VERSION] == TABLE_FORMAT_ADAPTIVE) memcpy(&layout.priors_bytes, file + AT_PRIORS, 4);
  const uint64_t seek_table = table_seek_table_bytes(frames), counts = table_counts_bytes(&layout);
  if (TABLE_HEADER_BYTES + seek_table + counts > n) return;
  const uint8_t *at = file + n - seek_table - counts;
  put_digest(file + AT_COUNTS_DIGEST, table_digest_of(at, counts));
  put_digest(file + AT_COUNTS_DIGEST + 16, table_digest_of(at + counts, seek_table));
  if (sign_frames)
    put_digest(file + AT_FRAMES_DIGEST,
               table_digest_of(file + TABLE_HEADER_BYTES, (size_t)(at - file) - TABLE_HEADER_BYTES));
}

static void make_agree(uint8_t *file, size_t n, uint8_t what) {
  const uint64_t file_bytes = n;
  if (n < TABLE_HEADER_BYTES) return;
  if (what & SET_FILE_SIZE) memcpy(file + AT_STORED_BYTES, &file_bytes, sizeof file_bytes);
  if (what & SIGN_TAIL) sign_tail(file, n, what & SIGN_FRAMES);
  if (what & SIGN_HEADER)
    put_digest(file + TABLE_HEADER_DIGEST_AT, table_digest_of(file, TABLE_HEADER_DIGEST_AT));
}

static void must(bool holds, const char *what) {
  if (holds) return;
  fprintf(stderr, "does not hold: %s\n", what);
  abort();
}

static bool get_any(const table *table, frame_cache *cache, uint64_t index, void *cell) {
  const bool real = table_cell_is_real(table_get_header(table)->cell);
  tauler_message message;
  return real ? table_get_real(table, cache, index, cell, &message) == TAULER_OK
              : table_get(table, cache, index, cell, &message) == TAULER_OK;
}

/* All ways to read agree: with a cache, without, and whole. */
static void read_table(const table *table) {
  const table_header *header = table_get_header(table);
  const size_t cell_bytes = table_cell_bytes(header->cell);
  const uint64_t positions = header->positions;
  const bool whole = positions <= 1 << 20;
  tauler_message message;
  void *cells = whole ? malloc(positions * cell_bytes) : NULL;
  const bool readable = whole && table_read(table, 0, positions, cells, &message) == TAULER_OK;
  const bool sound = table_check(table, 1, &message) == TAULER_OK;
  must(!whole || !sound || readable, "a table that passes its check can be read");
  frame_cache *cache = frame_cache_new(1 << 16);
  const uint64_t indexes[] = {0, 1, positions / 2, positions - 1, positions};
  for (size_t i = 0; cache && i < sizeof indexes / sizeof *indexes; i++) {
    uint64_t first = 0, again = 0, uncached = 0;
    const bool got = get_any(table, cache, indexes[i], &first);
    must(got == get_any(table, cache, indexes[i], &again) && first == again,
         "a cell is the same when asked again");
    must(got == get_any(table, NULL, indexes[i], &uncached) && first == uncached, "a cache changes nothing");
    must(got || !readable || indexes[i] >= positions, "a table that can be read answers for each cell");
    must(!got || indexes[i] < positions, "there is no cell beyond the last");
  }
  frame_cache_free(cache);
  free(cells);
}

static void find_classes(const void *of, uint64_t first, size_t count, uint8_t *out) {
  for (size_t i = 0; i < count; i++) out[i] = (uint8_t)((first + i) * 0x9E3779B97F4A7C15u >> 61);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const table_classes classes = {.version = 1, .find = find_classes};
  table *table = NULL;
  tauler_message message;
  if (size < 1) return 0;
  const fuzz_file file = fuzz_file_open(data, size, make_agree);
  if (table_open(file.path, false, &table, &message) == TAULER_OK) {
    if (table_set_classes(table, &classes, &message) == TAULER_OK) read_table(table);
    table_close(table);
  }
  close(file.descriptor);
  return 0;
}
