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
_Static_assert(sizeof(table_count) == TABLE_COUNT_BYTES, "counts are stored as they are in memory");
_Static_assert(sizeof(table_seek_entry) == TABLE_SEEK_ENTRY_BYTES, "and so are entries");
_Static_assert(sizeof(table_skippable) == TABLE_SKIPPABLE_BYTES, "and the start of a skippable frame");

/* A place in the bytes of a file. Fields are moved to it or from it, one after the other. */
typedef struct {
  unsigned char *bytes;
  size_t at;
  bool writes;    /* true if fields are moved to the bytes, false if from them */
  bool canonical; /* true if all bytes read that must be zero were zero */
} cursor;

static void transfer_bytes(cursor *c, void *field, size_t n) {
  if (c->writes)
    memcpy(c->bytes + c->at, field, n);
  else
    memcpy(field, c->bytes + c->at, n);
  c->at += n;
}

#define TRANSFER(c, field) transfer_bytes(c, &(field), sizeof(field))

/* Moves a text and the zeros after it. If it writes, the bytes must be zeros before. */
static void transfer_text(cursor *c, char *text, size_t room) {
  const size_t length = strnlen(text, room - 1);
  if (c->writes) {
    memcpy(c->bytes + c->at, text, length);
    c->at += room;
    return;
  }
  transfer_bytes(c, text, room);
  for (size_t i = strnlen(text, room); i < room; i++) c->canonical &= text[i] == 0;
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

static const struct {
  size_t bytes;
  int64_t low, high;
} cells[] = {[TABLE_I8] = {1, INT8_MIN, INT8_MAX},
             [TABLE_U8] = {1, 0, UINT8_MAX},
             [TABLE_I16] = {2, INT16_MIN, INT16_MAX},
             [TABLE_U16] = {2, 0, UINT16_MAX},
             [TABLE_F32] = {4, 0, 0},
             [TABLE_F64] = {8, 0, 0}};

size_t table_cell_bytes(table_cell cell) {
  return (size_t)cell < sizeof cells / sizeof *cells ? cells[cell].bytes : 0;
}

void table_cell_range(table_cell cell, int64_t *low, int64_t *high) {
  *low = cells[cell].low;
  *high = cells[cell].high;
}

uint64_t table_frame_count(const table_header *header) {
  const uint64_t bytes = table_cells_bytes(header);
  return bytes / header->frame_bytes + (bytes % header->frame_bytes != 0);
}

size_t table_frame_size(const table_header *header, uint64_t frame) {
  const uint64_t left = table_cells_bytes(header) - frame * header->frame_bytes;
  return left < header->frame_bytes ? (size_t)left : header->frame_bytes;
}

uint64_t table_counts_bytes(const table_layout *layout) {
  return TABLE_SKIPPABLE_BYTES + layout->counts_used * TABLE_COUNT_BYTES + layout->priors_bytes;
}

uint64_t table_seek_table_bytes(uint64_t frames) {
  return TABLE_SKIPPABLE_BYTES + (frames + TABLE_SEEK_EXTRA_ENTRIES) * TABLE_SEEK_ENTRY_BYTES +
         TABLE_SEEK_FOOTER_BYTES;
}

static bool is_clean_text(const char *text, size_t room) {
  const size_t length = strnlen(text, room);
  for (size_t i = 0; i < length; i++)
    if (text[i] < ' ' || text[i] > '~') return false;
  return length < room;
}

static const char *text_fault(const table_header *h) {
  if (!is_clean_text(h->game, sizeof h->game) || !is_clean_text(h->rules, sizeof h->rules) ||
      !is_clean_text(h->cycles, sizeof h->cycles) || !is_clean_text(h->slice, sizeof h->slice) ||
      !is_clean_text(h->stream, sizeof h->stream))
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

/* True if the width is at least 0. A negative zero is refused, so that a header has only one form. */
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

/* The first fields of a header, the same in every version. */
typedef struct {
  uint32_t skippable, size;
  char magic[8];
  uint32_t version;
} header_start;

static header_start header_start_of(uint32_t version) {
  return (header_start){HEADER_MAGIC, TABLE_HEADER_BYTES - TABLE_SKIPPABLE_BYTES, "TAULER\r\n", version};
}

static void transfer_fields(cursor *c, table_layout *layout) {
  table_header *h = &layout->header;
  TRANSFER(c, h->zstd_version);
  TRANSFER(c, h->positions);
  TRANSFER(c, h->cell);
  TRANSFER(c, h->coding);
  TRANSFER(c, h->reserved);
  TRANSFER(c, h->index_version);
  TRANSFER(c, h->frame_bytes);
  TRANSFER(c, h->stored_bytes);
  TRANSFER(c, layout->frames);
  TRANSFER(c, layout->counts_used);
  TRANSFER(c, h->stored_digest);
  TRANSFER(c, h->plain_digest);
  TRANSFER(c, layout->frames_digest);
  TRANSFER(c, layout->counts_digest);
  TRANSFER(c, layout->seek_table_digest);
  transfer_text(c, h->game, sizeof h->game);
  transfer_text(c, h->rules, sizeof h->rules);
  transfer_text(c, h->cycles, sizeof h->cycles);
  transfer_text(c, h->slice, sizeof h->slice);
  transfer_text(c, h->stream, sizeof h->stream);
  TRANSFER(c, h->width);
  TRANSFER(c, h->asked_width);
  TRANSFER(c, h->endless);
  TRANSFER(c, h->classes);
  TRANSFER(c, layout->priors_bytes);
  c->canonical &= h->format_version >= TABLE_FORMAT_SORTED || h->classes == 0;
  c->canonical &= table_is_adaptive(h) || layout->priors_bytes == 0;
}

void table_header_encode(const table_layout *layout, unsigned char bytes[TABLE_HEADER_BYTES]) {
  table_layout fields = *layout;
  header_start start = header_start_of(layout->header.format_version);
  cursor c = {.bytes = bytes, .writes = true};
  memset(bytes, 0, TABLE_HEADER_BYTES);
  TRANSFER(&c, start);
  transfer_fields(&c, &fields);
  table_digest digest = table_digest_of(bytes, TABLE_HEADER_DIGEST_AT);
  c.at = TABLE_HEADER_DIGEST_AT;
  TRANSFER(&c, digest);
}

static tauler_error check_start(const header_start *found, const char *path, tauler_message *message) {
  const header_start right = header_start_of(found->version);
  if (found->skippable != right.skippable || memcmp(found->magic, right.magic, sizeof right.magic) != 0)
    return table_damaged(message, path, "this is not a table, or its first bytes are damaged");
  if (found->version < TABLE_FORMAT_PLACED || found->version > TABLE_FORMAT_ADAPTIVE)
    return table_damaged(message, path,
                         "format version %" PRIu32
                         " is not known here (only %d to %d): the table was written by another "
                         "version of the program, or is damaged",
                         found->version, TABLE_FORMAT_PLACED, TABLE_FORMAT_ADAPTIVE);
  if (found->size != right.size) return table_damaged(message, path, "the size of the header is damaged");
  return TAULER_OK;
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
  cursor c = {.bytes = (unsigned char *)bytes, .canonical = true};
  header_start start;
  table_digest digest = {0};
  memset(layout, 0, sizeof *layout);
  TRANSFER(&c, start);
  const tauler_error error = check_start(&start, path, message);
  if (error != TAULER_OK) return error;
  layout->header.format_version = start.version;
  transfer_fields(&c, layout);
  while (c.at < TABLE_HEADER_DIGEST_AT) c.canonical &= bytes[c.at++] == 0;
  TRANSFER(&c, digest);
  if (!table_digests_equal(digest, table_digest_of(bytes, TABLE_HEADER_DIGEST_AT)))
    return table_damaged(message, path, "the header does not agree with its digest");
  if (!c.canonical) return table_damaged(message, path, "bytes of the header that must be zero are not");
  if (layout->header.stored_bytes != file_bytes)
    return table_damaged(message, path, "the file has %" PRIu64 " bytes and must have %" PRIu64, file_bytes,
                         layout->header.stored_bytes);
  const char *fault = layout_fault(layout, file_bytes);
  return fault ? table_damaged(message, path, "%s", fault) : TAULER_OK;
}

table_skippable table_counts_start(const table_layout *layout) {
  return (table_skippable){COUNTS_MAGIC, (uint32_t)(table_counts_bytes(layout) - TABLE_SKIPPABLE_BYTES)};
}

table_skippable table_seek_start(uint64_t frames) {
  return (table_skippable){SEEK_TABLE_MAGIC,
                           (uint32_t)(table_seek_table_bytes(frames) - TABLE_SKIPPABLE_BYTES)};
}

table_seek_footer table_seek_footer_of(uint64_t frames) {
  const uint32_t entries = (uint32_t)(frames + TABLE_SEEK_EXTRA_ENTRIES);
  table_seek_footer footer = {{0}};
  memcpy(footer.bytes, &entries, sizeof entries);
  memcpy(footer.bytes + TABLE_SEEK_FOOTER_BYTES - sizeof SEEKABLE_MAGIC, &SEEKABLE_MAGIC,
         sizeof SEEKABLE_MAGIC);
  return footer;
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
  XXH3_state_t state;
};

table_digester *table_digester_new(void) {
  table_digester *digester = aligned_alloc(_Alignof(table_digester), sizeof *digester);
  if (digester) XXH3_128bits_reset(&digester->state);
  return digester;
}

void table_digester_add(table_digester *digester, const void *bytes, size_t n) {
  if (n) XXH3_128bits_update(&digester->state, bytes, n);
}

/* The secret and the seed are the same in every new state, so they are not moved. */
static void transfer_digester(cursor *c, XXH3_state_t *state, uint64_t numbers[3]) {
  _Static_assert(sizeof state->acc + sizeof state->buffer + 3 * sizeof *numbers == TABLE_DIGESTER_BYTES,
                 "the state of a digest is another one");
  TRANSFER(c, state->acc);
  TRANSFER(c, state->buffer);
  transfer_bytes(c, numbers, 3 * sizeof *numbers);
}

void table_digester_pack(const table_digester *digester, unsigned char bytes[TABLE_DIGESTER_BYTES]) {
  const XXH3_state_t *state = &digester->state;
  uint64_t numbers[3] = {state->bufferedSize, state->nbStripesSoFar, state->totalLen};
  transfer_digester(&(cursor){.bytes = bytes, .writes = true}, (XXH3_state_t *)state, numbers);
}

bool table_digester_unpack(table_digester *digester, const unsigned char *bytes, size_t n) {
  XXH3_state_t *state = &digester->state;
  uint64_t numbers[3];
  XXH3_128bits_reset(state);
  if (n != TABLE_DIGESTER_BYTES) return false;
  transfer_digester(&(cursor){.bytes = (unsigned char *)bytes}, state, numbers);
  const uint64_t buffered = numbers[0], stripes = numbers[1], total = numbers[2];
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
  const table_digest digest = digest_of_hash(XXH3_128bits_digest(&digester->state));
  free(digester);
  return digest;
}
