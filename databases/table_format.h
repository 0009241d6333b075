/* Encodes and decodes all parts of a table file except its payload. Private to databases/.
 *
 * FORMAT.md describes the bytes. Decoders read untrusted bytes and refuse those that contradict themselves.
 */
#ifndef DATABASES_TABLE_FORMAT_H
#define DATABASES_TABLE_FORMAT_H

#include "databases/adaptive.h"
#include "databases/frame_order.h"

enum {
  TABLE_FORMAT_PLACED = 1,       /* format version: cells in index order */
  TABLE_FORMAT_SORTED = 2,       /* format version: cells of a frame sorted by class */
  TABLE_FORMAT_ADAPTIVE = 3,     /* format version: blocks of adaptively coded cells */
  TABLE_HEADER_BYTES = 1024,     /* with the start of its skippable frame */
  TABLE_HEADER_DIGEST_AT = 1008, /* place of the digest of all bytes before it */
  TABLE_SKIPPABLE_BYTES = 8,     /* magic and size at the start of a skippable frame */
  TABLE_COUNT_BYTES = 16,        /* bytes of a value and its count */
  TABLE_SEEK_ENTRY_BYTES = 8,    /* bytes of a compressed and a decompressed size */
  TABLE_SEEK_FOOTER_BYTES = 9,   /* bytes of the number of entries, the descriptor and the magic */
  TABLE_SEEK_EXTRA_ENTRIES = 2,  /* entries of the header frame and the counts frame */
  TABLE_LARGEST_FRAME = 1 << 20,
  TABLE_SMALLEST_FRAME = 1 << 10
};

static const uint64_t TABLE_FRAMES_MAX =
    0x8000000 - TABLE_SEEK_EXTRA_ENTRIES; /* limit of the seekable format */

/* The public header, and fields that only the file has. */
typedef struct {
  table_header header;
  uint64_t frames;
  uint64_t counts_used; /* number of counts in the file. header.counts_used is 0 until they are read */
  /* Bytes of the compressed priors, which follow the counts. 0 unless the cells are coded adaptively. */
  uint32_t priors_bytes;
  table_digest frames_digest, counts_digest, seek_table_digest;
} table_layout;

/* Checks the first group of members, frame_bytes, and whether version and classes suit the cells. Returns the
 * fault as the end of a sentence, or NULL if it finds none. */
const char *table_header_fault(const table_header *header);

static inline bool table_is_adaptive(const table_header *header) {
  return header->format_version == TABLE_FORMAT_ADAPTIVE;
}

/* The functions below compute sizes from a header without a fault. */

static inline uint64_t table_cells_bytes(const table_header *header) {
  return header->positions * table_cell_bytes(header->cell);
}
uint64_t table_frame_count(const table_header *header);
size_t table_frame_size(const table_header *header, uint64_t frame); /* bytes of its cells */
/* Returns the bytes of a frame's payload or, if the cells are coded adaptively, the most that it can have. */
static inline size_t table_payload_size(const table_header *header, uint64_t frame) {
  const size_t size = table_frame_size(header, frame);
  if (table_is_adaptive(header)) return size + adaptive_blocks(size);
  return header->classes ? frame_order_payload(size) : size;
}
static inline bool table_payload_fits(const table_header *header, uint64_t frame, uint64_t size) {
  const size_t most = table_payload_size(header, frame);
  return size == most || (table_is_adaptive(header) &&
                          size >= adaptive_blocks(table_frame_size(header, frame)) && size < most);
}
/* Returns the number of frames of a chunk, which one thread processes at a time. */
static inline uint64_t table_chunk_frames(const table_header *header) {
  const uint64_t chunk_bytes = 1 << 18;
  return header->frame_bytes >= chunk_bytes ? 1 : chunk_bytes / header->frame_bytes;
}
uint64_t table_counts_bytes(const table_layout *layout); /* with the start of the skippable frame */
uint64_t table_seek_table_bytes(uint64_t frames);        /* with the start of the skippable frame */

void table_cell_range(table_cell cell, int64_t *low, int64_t *high); /* 0 and 0 for real cells */
static inline bool table_cell_is_real(table_cell cell) {
  return cell == TABLE_F32 || cell == TABLE_F64;
}

void table_header_encode(const table_layout *layout, unsigned char bytes[TABLE_HEADER_BYTES]);

/* Decodes a header and checks its digest, its fields and the file size. Errors: TAULER_DAMAGED_FILE. */
tauler_error table_header_decode(const unsigned char bytes[TABLE_HEADER_BYTES], const char *path,
                                 uint64_t file_bytes, table_layout *layout, tauler_message *message);

/* The types below have the same bytes in the file as in memory. */

typedef struct {
  uint32_t compressed, decompressed;
} table_seek_entry;

typedef struct {
  uint32_t magic, size;
} table_skippable; /* the start of a skippable frame */

typedef struct {
  unsigned char bytes[TABLE_SEEK_FOOTER_BYTES];
} table_seek_footer;

table_skippable table_counts_start(const table_layout *layout);
table_skippable table_seek_start(uint64_t frames);
table_seek_footer table_seek_footer_of(uint64_t frames);

table_digest table_digest_of(const void *bytes, size_t n);

/* Writes a message with the fault and the remedy. Returns TAULER_DAMAGED_FILE. */
__attribute__((format(printf, 3, 4))) tauler_error table_damaged(tauler_message *message, const char *path,
                                                                 const char *format, ...);

#endif
