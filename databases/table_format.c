/* Encodes and decodes header, counts and seek table of a table file. */
#include "databases/table_format.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

/* Cells have the same bytes in memory and in the file. */
_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "tables are read and written on little-endian machines");
_Static_assert(sizeof(float) == 4 && sizeof(double) == 8, "cells f32 and f64 are IEEE 754");

static const uint32_t HEADER_MAGIC = 0x184D2A50, COUNTS_MAGIC = 0x184D2A51;
static const uint32_t SEEK_TABLE_MAGIC = 0x184D2A5E, SEEKABLE_MAGIC = 0x8F92EAB1;
static const unsigned char TABLE_MAGIC[8] = {'T', 'A', 'U', 'L', 'E', 'R', '\r', '\n'};

/* Reads or writes fields one after the other and never beyond the end. After an overrun, reads return 0,
 * writes do nothing, and `overrun` stays true. */
typedef struct {
  unsigned char *out;
  const unsigned char *in;
  size_t at, end;
  bool overrun;
} cursor;

static bool cursor_has(cursor *c, size_t n) {
  if (c->end - c->at >= n) return true;
  c->overrun = true;
  c->at = c->end;
  return false;
}

static void put_bytes(cursor *c, const void *bytes, size_t n) {
  if (!cursor_has(c, n)) return;
  memcpy(c->out + c->at, bytes, n);
  c->at += n;
}

static void put_zeros(cursor *c, size_t n) {
  if (!cursor_has(c, n)) return;
  memset(c->out + c->at, 0, n);
  c->at += n;
}

static void put_u32(cursor *c, uint32_t value) {
  put_bytes(c, &value, sizeof value);
}
static void put_u64(cursor *c, uint64_t value) {
  put_bytes(c, &value, sizeof value);
}

static void put_f64(cursor *c, double value) {
  put_bytes(c, &value, sizeof value);
}

static void put_digest(cursor *c, table_digest digest) {
  put_u64(c, digest.low);
  put_u64(c, digest.high);
}

static void put_text(cursor *c, const char *text, size_t room) {
  const size_t length = strnlen(text, room - 1);
  put_bytes(c, text, length);
  put_zeros(c, room - length);
}

static void get_bytes(cursor *c, void *bytes, size_t n) {
  memset(bytes, 0, n);
  if (!cursor_has(c, n)) return;
  memcpy(bytes, c->in + c->at, n);
  c->at += n;
}

static uint32_t get_u32(cursor *c) {
  uint32_t value;
  get_bytes(c, &value, sizeof value);
  return value;
}

static uint64_t get_u64(cursor *c) {
  uint64_t value;
  get_bytes(c, &value, sizeof value);
  return value;
}

static double get_f64(cursor *c) {
  double value;
  get_bytes(c, &value, sizeof value);
  return value;
}

static table_digest get_digest(cursor *c) {
  table_digest digest;
  digest.low = get_u64(c);
  digest.high = get_u64(c);
  return digest;
}

static bool get_zeros(cursor *c, size_t n) {
  if (!cursor_has(c, n)) return false;
  bool zero = true;
  for (size_t i = 0; i < n; i++) zero = zero && c->in[c->at + i] == 0;
  c->at += n;
  return zero;
}

tauler_error table_damaged(tauler_message *message, const char *path, const char *format, ...) {
  char how[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(how, sizeof how, format, arguments);
  va_end(arguments);
  return tauler_fail(message, TAULER_DAMAGED_FILE,
                     "%s: %s; remove it and build it again, or restore it from a copy", path, how);
}

size_t table_cell_bytes(table_cell cell) {
  switch (cell) {
  case TABLE_I8:
  case TABLE_U8:
    return 1;
  case TABLE_I16:
  case TABLE_U16:
    return 2;
  case TABLE_F32:
    return 4;
  case TABLE_F64:
    return 8;
  }
  return 0;
}

void table_cell_range(table_cell cell, int64_t *low, int64_t *high) {
  *low = cell == TABLE_I8 ? INT8_MIN : cell == TABLE_I16 ? INT16_MIN : 0;
  *high = cell == TABLE_I8    ? INT8_MAX
          : cell == TABLE_U8  ? UINT8_MAX
          : cell == TABLE_I16 ? INT16_MAX
                              : UINT16_MAX;
}

uint64_t table_frame_count(const table_header *header) {
  const uint64_t bytes = table_cells_bytes(header);
  return bytes / header->frame_bytes + (bytes % header->frame_bytes != 0);
}

size_t table_frame_size(const table_header *header, uint64_t frame) {
  const uint64_t left = table_cells_bytes(header) - frame * header->frame_bytes;
  return left < header->frame_bytes ? (size_t)left : header->frame_bytes;
}

static uint64_t counts_content(const table_layout *layout) {
  return layout->counts_used * TABLE_COUNT_BYTES + layout->priors_bytes;
}

uint64_t table_counts_bytes(const table_layout *layout) {
  return TABLE_SKIPPABLE_BYTES + counts_content(layout);
}

static uint64_t seek_table_content(uint64_t frames) {
  return (frames + TABLE_SEEK_EXTRA_ENTRIES) * TABLE_SEEK_ENTRY_BYTES + TABLE_SEEK_FOOTER_BYTES;
}

uint64_t table_seek_table_bytes(uint64_t frames) {
  return TABLE_SKIPPABLE_BYTES + seek_table_content(frames);
}

static bool text_is_clean(const char *text, size_t room) {
  const size_t length = strnlen(text, room);
  for (size_t i = 0; i < length; i++)
    if (text[i] < ' ' || text[i] > '~') return false;
  return length < room;
}

static const char *text_fault(const table_header *h) {
  if (!text_is_clean(h->game, sizeof h->game) || !text_is_clean(h->rules, sizeof h->rules) ||
      !text_is_clean(h->cycles, sizeof h->cycles) || !text_is_clean(h->slice, sizeof h->slice) ||
      !text_is_clean(h->stream, sizeof h->stream))
    return "a text is too long or not printable ASCII";
  if (!h->game[0] || !h->rules[0] || !h->slice[0] || !h->stream[0])
    return "game, rules, slice or stream has no name";
  return NULL;
}

static const char *coding_fault(const table_header *h) {
  if (table_is_adaptive(h) && (table_cell_bytes(h->cell) != 1 || h->frame_bytes % ADAPTIVE_BLOCK))
    return "only cells of one byte, in frames of whole blocks, are coded adaptively";
  if (h->coding == TABLE_PLAIN && h->classes && !table_is_adaptive(h)) return "plain cells are not sorted";
  if (h->coding == TABLE_PLAIN) return h->reserved ? "a plain table has a reserved cell" : NULL;
  if (h->coding != TABLE_IMPLIED) return "the coding is unknown";
  if (table_cell_is_real(h->cell)) return "floating-point cells cannot be implied";
  int64_t low, high;
  table_cell_range(h->cell, &low, &high);
  if (h->classes && table_cell_bytes(h->cell) != 1) return "only cells of one byte are sorted";
  return h->reserved < low || h->reserved > high ? "the reserved value does not fit a cell" : NULL;
}

/* A zero has no sign, so that a header has only one form. */
static bool is_distance(double width) {
  return width >= 0 && !signbit(width);
}

static const char *bounds_fault(const table_header *h) {
  if (!is_distance(h->width) || !is_distance(h->asked_width)) return "the width of its bounds is no distance";
  if (h->endless > h->positions) return "play is endless from more positions than there are";
  if (h->cell != TABLE_F64 && (h->width > 0 || h->asked_width > 0 || h->endless > 0))
    return "only bounds in f64 have a width or endless play";
  return NULL;
}

const char *table_header_fault(const table_header *h) {
  if (table_cell_bytes(h->cell) == 0) return "the cell type is unknown";
  if (h->frame_bytes < TABLE_SMALLEST_FRAME || h->frame_bytes > TABLE_LARGEST_FRAME || h->frame_bytes % 8)
    return "the frame size is not a multiple of 8 from 1 KiB to 1 MiB";
  if (h->positions == 0) return "there are no positions";
  if (h->positions > UINT64_MAX / 8 || table_frame_count(h) > TABLE_FRAMES_MAX)
    return "there are more positions than a file can hold";
  const char *fault = coding_fault(h);
  if (!fault) fault = bounds_fault(h);
  return fault ? fault : text_fault(h);
}

void table_header_encode(const table_layout *layout, unsigned char bytes[TABLE_HEADER_BYTES]) {
  const table_header *h = &layout->header;
  cursor c = {.out = bytes, .end = TABLE_HEADER_BYTES};
  put_u32(&c, HEADER_MAGIC);
  put_u32(&c, TABLE_HEADER_BYTES - TABLE_SKIPPABLE_BYTES);
  put_bytes(&c, TABLE_MAGIC, sizeof TABLE_MAGIC);
  put_u32(&c, h->format_version);
  put_u32(&c, h->zstd_version);
  put_u64(&c, h->positions);
  put_u32(&c, (uint32_t)h->cell);
  put_u32(&c, (uint32_t)h->coding);
  put_u64(&c, (uint64_t)h->reserved);
  put_u32(&c, h->index_version);
  put_u32(&c, h->frame_bytes);
  put_u64(&c, h->stored_bytes);
  put_u64(&c, layout->frames);
  put_u64(&c, layout->counts_used);
  put_digest(&c, h->stored_digest);
  put_digest(&c, h->plain_digest);
  put_digest(&c, layout->frames_digest);
  put_digest(&c, layout->counts_digest);
  put_digest(&c, layout->seek_table_digest);
  put_text(&c, h->game, sizeof h->game);
  put_text(&c, h->rules, sizeof h->rules);
  put_text(&c, h->cycles, sizeof h->cycles);
  put_text(&c, h->slice, sizeof h->slice);
  put_text(&c, h->stream, sizeof h->stream);
  put_f64(&c, h->width);
  put_f64(&c, h->asked_width);
  put_u64(&c, h->endless);
  put_u32(&c, h->classes);
  put_u32(&c, layout->priors_bytes);
  put_zeros(&c, TABLE_HEADER_DIGEST_AT - c.at);
  put_digest(&c, table_digest_of(bytes, TABLE_HEADER_DIGEST_AT));
}

static bool get_text(cursor *c, char *text, size_t room) {
  get_bytes(c, text, room);
  for (size_t i = strnlen(text, room); i < room; i++)
    if (text[i]) return false;
  return true;
}

/* The part of a header that every later version keeps in place. */
static tauler_error check_start(cursor *c, const char *path, uint32_t *version, tauler_message *message) {
  unsigned char magic[sizeof TABLE_MAGIC];
  const uint32_t skippable = get_u32(c), size = get_u32(c);
  get_bytes(c, magic, sizeof magic);
  *version = get_u32(c);
  if (skippable != HEADER_MAGIC || memcmp(magic, TABLE_MAGIC, sizeof magic) != 0)
    return table_damaged(message, path, "this is not a table, or its first bytes are damaged");
  if (*version < TABLE_FORMAT_PLACED || *version > TABLE_FORMAT_ADAPTIVE)
    return table_damaged(message, path,
                         "format version %" PRIu32
                         " is not known here (only %d to %d): the table was written by another "
                         "version of the program, or is damaged",
                         *version, TABLE_FORMAT_PLACED, TABLE_FORMAT_ADAPTIVE);
  if (size != TABLE_HEADER_BYTES - TABLE_SKIPPABLE_BYTES)
    return table_damaged(message, path, "the size of the header is damaged");
  return TAULER_OK;
}

static bool get_fields(cursor *c, table_layout *layout) {
  table_header *h = &layout->header;
  h->zstd_version = get_u32(c);
  h->positions = get_u64(c);
  h->cell = (table_cell)get_u32(c);
  h->coding = (table_coding)get_u32(c);
  h->reserved = (int64_t)get_u64(c);
  h->index_version = get_u32(c);
  h->frame_bytes = get_u32(c);
  h->stored_bytes = get_u64(c);
  layout->frames = get_u64(c);
  layout->counts_used = get_u64(c);
  h->stored_digest = get_digest(c);
  h->plain_digest = get_digest(c);
  layout->frames_digest = get_digest(c);
  layout->counts_digest = get_digest(c);
  layout->seek_table_digest = get_digest(c);
  bool padded = get_text(c, h->game, sizeof h->game);
  padded = get_text(c, h->rules, sizeof h->rules) && padded;
  padded = get_text(c, h->cycles, sizeof h->cycles) && padded;
  padded = get_text(c, h->slice, sizeof h->slice) && padded;
  padded = get_text(c, h->stream, sizeof h->stream) && padded;
  h->width = get_f64(c);
  h->asked_width = get_f64(c);
  h->endless = get_u64(c);
  if (h->format_version >= TABLE_FORMAT_SORTED) h->classes = get_u32(c);
  if (table_is_adaptive(h)) layout->priors_bytes = get_u32(c);
  return get_zeros(c, TABLE_HEADER_DIGEST_AT - c->at) && padded && !c->overrun;
}

static const char *layout_fault(const table_layout *layout, uint64_t file_bytes) {
  const table_header *h = &layout->header;
  const char *fault = table_header_fault(h);
  if (fault) return fault;
  if (h->format_version == TABLE_FORMAT_SORTED && !h->classes) return "its cells are sorted by no classes";
  if (h->coding == TABLE_PLAIN && !table_digests_equal(h->stored_digest, h->plain_digest))
    return "a plain table has two different digests of its cells";
  if (layout->frames != table_frame_count(h))
    return "the number of frames does not follow from that of positions";
  int64_t low, high;
  table_cell_range(h->cell, &low, &high);
  const uint64_t counts_max = table_cell_is_real(h->cell) ? 0 : (uint64_t)(high - low) + 1;
  if (layout->counts_used > counts_max || (layout->counts_used == 0) != table_cell_is_real(h->cell))
    return "the number of counts does not suit the cells";
  const uint64_t around =
      TABLE_HEADER_BYTES + table_counts_bytes(layout) + table_seek_table_bytes(layout->frames);
  if (around > file_bytes) return "the file is too short for its seek table";
  return NULL;
}

tauler_error table_header_decode(const unsigned char bytes[TABLE_HEADER_BYTES], const char *path,
                                 uint64_t file_bytes, table_layout *layout, tauler_message *message) {
  cursor c = {.in = bytes, .end = TABLE_HEADER_BYTES};
  memset(layout, 0, sizeof *layout);
  const tauler_error error = check_start(&c, path, &layout->header.format_version, message);
  if (error != TAULER_OK) return error;
  const bool canonical = get_fields(&c, layout);
  if (!table_digests_equal(get_digest(&c), table_digest_of(bytes, TABLE_HEADER_DIGEST_AT)))
    return table_damaged(message, path, "the header does not agree with its digest");
  if (!canonical) return table_damaged(message, path, "bytes of the header that must be zero are not");
  if (layout->header.stored_bytes != file_bytes)
    return table_damaged(message, path, "the file has %" PRIu64 " bytes and must have %" PRIu64, file_bytes,
                         layout->header.stored_bytes);
  const char *fault = layout_fault(layout, file_bytes);
  return fault ? table_damaged(message, path, "%s", fault) : TAULER_OK;
}

static void encode_skippable(uint32_t magic, uint64_t size, unsigned char bytes[TABLE_SKIPPABLE_BYTES]) {
  cursor c = {.out = bytes, .end = TABLE_SKIPPABLE_BYTES};
  put_u32(&c, magic);
  put_u32(&c, (uint32_t)size);
}

static bool skippable_agrees(uint32_t magic, uint64_t size,
                             const unsigned char bytes[TABLE_SKIPPABLE_BYTES]) {
  unsigned char expected[TABLE_SKIPPABLE_BYTES];
  encode_skippable(magic, size, expected);
  return memcmp(expected, bytes, TABLE_SKIPPABLE_BYTES) == 0;
}

void table_counts_start_encode(const table_layout *layout, unsigned char bytes[TABLE_SKIPPABLE_BYTES]) {
  encode_skippable(COUNTS_MAGIC, counts_content(layout), bytes);
}

bool table_counts_start_agrees(const table_layout *layout, const unsigned char bytes[TABLE_SKIPPABLE_BYTES]) {
  return skippable_agrees(COUNTS_MAGIC, counts_content(layout), bytes);
}

void table_count_encode(table_count count, unsigned char bytes[TABLE_COUNT_BYTES]) {
  cursor c = {.out = bytes, .end = TABLE_COUNT_BYTES};
  put_u64(&c, (uint64_t)count.value);
  put_u64(&c, count.count);
}

table_count table_count_decode(const unsigned char bytes[TABLE_COUNT_BYTES]) {
  cursor c = {.in = bytes, .end = TABLE_COUNT_BYTES};
  table_count count;
  count.value = (int64_t)get_u64(&c);
  count.count = get_u64(&c);
  return count;
}

void table_seek_start_encode(uint64_t frames, unsigned char bytes[TABLE_SKIPPABLE_BYTES]) {
  encode_skippable(SEEK_TABLE_MAGIC, seek_table_content(frames), bytes);
}

bool table_seek_start_agrees(uint64_t frames, const unsigned char bytes[TABLE_SKIPPABLE_BYTES]) {
  return skippable_agrees(SEEK_TABLE_MAGIC, seek_table_content(frames), bytes);
}

void table_seek_entry_encode(table_seek_entry entry, unsigned char bytes[TABLE_SEEK_ENTRY_BYTES]) {
  cursor c = {.out = bytes, .end = TABLE_SEEK_ENTRY_BYTES};
  put_u32(&c, entry.compressed);
  put_u32(&c, entry.decompressed);
}

table_seek_entry table_seek_entry_decode(const unsigned char bytes[TABLE_SEEK_ENTRY_BYTES]) {
  cursor c = {.in = bytes, .end = TABLE_SEEK_ENTRY_BYTES};
  table_seek_entry entry;
  entry.compressed = get_u32(&c);
  entry.decompressed = get_u32(&c);
  return entry;
}

void table_seek_footer_encode(uint64_t frames, unsigned char bytes[TABLE_SEEK_FOOTER_BYTES]) {
  cursor c = {.out = bytes, .end = TABLE_SEEK_FOOTER_BYTES};
  put_u32(&c, (uint32_t)(frames + TABLE_SEEK_EXTRA_ENTRIES));
  put_zeros(&c, 1);
  put_u32(&c, SEEKABLE_MAGIC);
}

bool table_seek_footer_agrees(uint64_t frames, const unsigned char bytes[TABLE_SEEK_FOOTER_BYTES]) {
  unsigned char expected[TABLE_SEEK_FOOTER_BYTES];
  table_seek_footer_encode(frames, expected);
  return memcmp(expected, bytes, TABLE_SEEK_FOOTER_BYTES) == 0;
}

static table_digest digest_of_hash(XXH128_hash_t hash) {
  return (table_digest){.low = hash.low64, .high = hash.high64};
}

bool table_digests_equal(table_digest a, table_digest b) {
  return a.low == b.low && a.high == b.high;
}

table_digest table_digest_of(const void *bytes, size_t n) {
  return digest_of_hash(XXH3_128bits(bytes, n));
}

void table_digest_text(table_digest digest, char text[TABLE_DIGEST_TEXT]) {
  snprintf(text, TABLE_DIGEST_TEXT, "%016" PRIx64 "%016" PRIx64, digest.high, digest.low);
}

struct table_digester {
  XXH3_state_t *state;
};

table_digester *table_digester_new(void) {
  table_digester *digester = malloc(sizeof *digester);
  if (!digester) return NULL;
  digester->state = XXH3_createState();
  if (!digester->state) {
    free(digester);
    return NULL;
  }
  XXH3_128bits_reset(digester->state);
  return digester;
}

void table_digester_add(table_digester *digester, const void *bytes, size_t n) {
  if (n) XXH3_128bits_update(digester->state, bytes, n);
}

/* The secret, the seed and what follows from them are the same in every new state, so they are not packed. */
void table_digester_pack(const table_digester *digester, unsigned char bytes[TABLE_DIGESTER_BYTES]) {
  const XXH3_state_t *state = digester->state;
  cursor c = {.out = bytes, .end = TABLE_DIGESTER_BYTES};
  _Static_assert(sizeof state->acc + sizeof state->buffer + 3 * sizeof(uint64_t) == TABLE_DIGESTER_BYTES,
                 "the state of a digest is another one");
  put_bytes(&c, state->acc, sizeof state->acc);
  put_bytes(&c, state->buffer, sizeof state->buffer);
  put_u64(&c, state->bufferedSize);
  put_u64(&c, state->nbStripesSoFar);
  put_u64(&c, state->totalLen);
}

bool table_digester_unpack(table_digester *digester, const unsigned char *bytes, size_t n) {
  XXH3_state_t *state = digester->state;
  cursor c = {.in = bytes, .end = TABLE_DIGESTER_BYTES};
  XXH3_128bits_reset(state);
  if (n != TABLE_DIGESTER_BYTES) return false;
  get_bytes(&c, state->acc, sizeof state->acc);
  get_bytes(&c, state->buffer, sizeof state->buffer);
  const uint64_t buffered = get_u64(&c), stripes = get_u64(&c), total = get_u64(&c);
  if (buffered > sizeof state->buffer || buffered > total || stripes > state->nbStripesPerBlock) {
    XXH3_128bits_reset(state);
    return false;
  }
  state->bufferedSize = (XXH32_hash_t)buffered;
  state->nbStripesSoFar = (size_t)stripes;
  state->totalLen = total;
  return true;
}

table_digest table_digester_end(table_digester *digester) {
  if (!digester) return (table_digest){0, 0};
  const table_digest digest = digest_of_hash(XXH3_128bits_digest(digester->state));
  XXH3_freeState(digester->state);
  free(digester);
  return digest;
}
