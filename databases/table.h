/* Table files: one array of numbered cells per file, compressed, checked and never half written.
 *
 * A table holds the cells 0 … positions − 1 of one stream (value, depth, lower, …) of one slice. The
 * file is what any zstd program opens: a skippable frame with our header, independent zstd frames
 * with content checksums, and a seek table (zstd seekable format 0.1.0). FORMAT.md is the layout,
 * byte by byte. This module knows no game: it neither reads positions nor resolves implied cells. In its
 * folder names.h alone asks a game, for names.
 *
 * table_write owns its temporary file until it is renamed; a table owns its descriptor and the seek
 * table; a frame_cache owns decoded frames. A table is immutable once open and may be read by any
 * number of threads at once; a frame_cache may be shared by threads and tables.
 */
#ifndef DATABASES_TABLE_H
#define DATABASES_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tauler_error.h"

typedef enum { TABLE_I8, TABLE_U8, TABLE_I16, TABLE_U16, TABLE_F32, TABLE_F64 } table_cell;

/* plain: a cell is the value. implied: the cell equal to `reserved` stands for a value that the
 * reader works out from the position, as the game says; every other cell is the value. */
typedef enum { TABLE_PLAIN, TABLE_IMPLIED } table_coding;

typedef struct {
  uint64_t low, high;
} table_digest; /* XXH3-128 */

typedef struct {
  int64_t value;
  uint64_t count;
} table_count;

enum {
  TABLE_NAME_BYTES = 128,
  TABLE_RULES_BYTES = 256,
  TABLE_DIGEST_TEXT = 33,
  TABLE_FRAME_BYTES = 16384,
  TABLE_PATH_BYTES = 4096
};

/* The identity and layout of a table. The caller of table_write fills the first group; the second is computed
 * while writing and is filled in when a table is opened. Texts are NUL-terminated printable ASCII. */
typedef struct {
  char game[TABLE_NAME_BYTES];   /* "auale" */
  char rules[TABLE_RULES_BYTES]; /* rule set with every flag that differs from its default */
  char cycles[TABLE_NAME_BYTES]; /* the value of infinite play: "even", "forced"; may be empty */
  char slice[TABLE_NAME_BYTES];  /* "12", "Lr", "5x3" */
  char stream[TABLE_NAME_BYTES]; /* "value", "depth", "lower", … */
  uint64_t positions;
  table_cell cell;
  table_coding coding;
  int64_t reserved;       /* the implied cell; 0 when plain */
  uint32_t index_version; /* of the game's numbering of positions */
  /* Of bounds in f64, else 0: how far the two bounds of a position of the slice lie apart at most, how far
   * they were asked to, and from how many positions play may go on for ever. */
  double width, asked_width;
  uint64_t endless;

  uint32_t format_version;
  uint32_t frame_bytes;       /* payload bytes of every frame but the last */
  uint32_t zstd_version;      /* ZSTD_versionNumber() of the writer */
  table_digest stored_digest; /* of the payload */
  table_digest plain_digest;  /* of the plain cells, little-endian: the identity of the table */
  uint64_t stored_bytes;      /* size of the file */
  const table_count *counts;  /* plain values in rising order; integer cells only */
  size_t counts_used;         /* 0 for floating-point cells */
} table_header;

/* Fills count cells from cell `first` on: what is stored, and the plain values (the same array twice
 * for plain coding: stored == plain is then passed). Called from several threads at once, for
 * disjoint ranges, each range twice at most (written, then compared). */
typedef tauler_error (*table_fill)(void *user, uint64_t first, size_t count, void *stored, void *plain,
                                   tauler_message *message);

typedef struct {
  int level;            /* zstd level, 1 … 22 */
  uint32_t frame_bytes; /* 0: TABLE_FRAME_BYTES; a multiple of 8, 1 KiB … 1 MiB */
  int threads;          /* compressing at once, ≥ 1; the file does not depend on it */
} table_write_settings;

/* Writes a table under `path`: into a temporary file beside it, every frame decoded again and
 * compared, fsync, the whole file read back and checked, rename, fsync of the folder. On any error
 * the temporary file is removed and `path` is as it was (unless the folder alone cannot be synced:
 * then the new file is there). `written` (may be NULL) receives the full header with counts == NULL
 * and counts_used == 0. Errors: TAULER_IO, TAULER_NO_SPACE, TAULER_NO_MEMORY, what fill returns, and
 * TAULER_INTERNAL for a header or settings that contradict themselves (no positions, implied
 * floating-point cells, …), for a stored cell that is neither reserved nor the plain value, and for a
 * frame that does not decode to what was compressed. */
tauler_error table_write(const char *path, const table_header *header, const table_write_settings *settings,
                         table_fill fill, void *user, table_header *written, tauler_message *message);

typedef struct table table;

/* Opens a table and checks header, seek table, sizes and their digests; payload frames are checked
 * when they are read. Errors: TAULER_TABLE_MISSING (no such file), TAULER_DAMAGED_FILE (the message
 * names what does not agree), TAULER_IO, TAULER_NO_MEMORY. */
tauler_error table_open(const char *path, table **out, tauler_message *message);

/* The same for single cells, leaving the seek table unread where a file of offsets stands beside the table
 * (FORMAT.md): a frame is then found by one block of that file, which is checked as it is read. */
tauler_error table_open_in_part(const char *path, table **out, tauler_message *message);
void table_close(table *table);

/* Offsets of the frames of a large table in blocks: whether a table is that large, where the file of them
 * stands, and writing it; the table is open whole. Errors: as durable_file_commit; TAULER_BAD_USAGE for a
 * path that is too long. */
bool table_has_offsets(const table_header *header);
tauler_error table_offsets_path(const char *path, char out[TABLE_PATH_BYTES], tauler_message *message);
tauler_error table_offsets_write(const table *table, const char *path, tauler_message *message);

/* True if the file under the table's path is the one that was opened, not written to since: one stat. */
bool table_is_current(const table *table);

/* The header alone, without counts (NULL, 0), checked against its digest and the size of the file: what a
 * list of many tables needs. Errors: as table_open. */
tauler_error table_read_header(const char *path, table_header *out, tauler_message *message);

/* The same of n bytes with which a file of file_bytes at `path` begins. Errors: TAULER_DAMAGED_FILE. */
tauler_error table_header_parse(const void *bytes, size_t n, const char *path, uint64_t file_bytes,
                                table_header *out, tauler_message *message);
const table_header *table_get_header(const table *table);
size_t table_cell_bytes(table_cell cell);

/* Reads count cells from `first` on into cells (count × table_cell_bytes bytes, little-endian host
 * order), decoding each frame once; no cache. Errors: TAULER_DAMAGED_FILE, TAULER_IO. */
tauler_error table_read(const table *table, uint64_t first, size_t count, void *cells,
                        tauler_message *message);

/* Reads every frame and recomputes the stored digest, and for plain tables the plain digest and the
 * counts. Errors: TAULER_DAMAGED_FILE, TAULER_IO, TAULER_NO_MEMORY. */
tauler_error table_check(const table *table, int threads, tauler_message *message);

typedef struct frame_cache frame_cache;

/* A cache of at most `bytes` of decoded frames (rounded up to a few frames), evicting by least
 * recent use, sharded by locks so that threads rarely wait. NULL when memory is missing. */
frame_cache *frame_cache_new(size_t bytes);
void frame_cache_free(frame_cache *cache);

/* Cells that were found in the cache, cells for which a frame had to be read, and what is in it now. */
typedef struct {
  uint64_t hits, misses;
  size_t bytes;
} frame_cache_counts;
frame_cache_counts frame_cache_count(frame_cache *cache);

/* One integer cell through the cache, widened to 64 bits (for f32, f64: table_get_real). A damaged
 * frame never yields a value: TAULER_DAMAGED_FILE. index ≥ positions: TAULER_INTERNAL. */
tauler_error table_get(const table *table, frame_cache *cache, uint64_t index, int64_t *cell,
                       tauler_message *message);
tauler_error table_get_real(const table *table, frame_cache *cache, uint64_t index, double *cell,
                            tauler_message *message);

/* 32 hexadecimal digits and a NUL, most significant first, as xxh128sum prints. */
void table_digest_text(table_digest digest, char text[TABLE_DIGEST_TEXT]);

/* Digest of cells given piece by piece, the same that table_write computes for plain cells. */
typedef struct table_digester table_digester;
table_digester *table_digester_new(void);
void table_digester_add(table_digester *digester, const void *bytes, size_t n);
table_digest table_digester_end(table_digester *digester); /* frees it */

/* Where a digester stands, as bytes, so that cells which lie with several processes, one after the other,
 * are digested where they lie. */
enum { TABLE_DIGESTER_BYTES = 344 };
void table_digester_pack(const table_digester *digester, unsigned char bytes[TABLE_DIGESTER_BYTES]);
/* False, and the digester as new: n bytes that no digester packs. */
bool table_digester_unpack(table_digester *digester, const unsigned char *bytes, size_t n);

#endif
