/* Table files: one array of numbered cells per file, compressed, checked and never half written.
 *
 * A table has the cells 0 … positions − 1 of one stream (value, depth, lower, …) of one slice. Any zstd
 * program can open the file: a skippable frame with our header, independent zstd frames with content
 * checksums, and a seek table (zstd seekable format 0.1.0). FORMAT.md describes the layout byte by byte. This
 * module knows no game: it neither reads positions nor computes implied cells. In its folder only names.h
 * asks a game for names.
 *
 * table_write owns its temporary file until the file is renamed. A table owns its descriptor and the seek
 * table; a frame_cache owns decoded frames. An open table never changes, and any number of threads may read
 * it at once. Threads and tables may share a frame_cache.
 */
#ifndef DATABASES_TABLE_H
#define DATABASES_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tauler_error.h"

typedef enum { TABLE_I8, TABLE_U8, TABLE_I16, TABLE_U16, TABLE_F32, TABLE_F64 } table_cell;

/* plain: a cell is the value. implied: a cell equal to `reserved` stands for a value that the reader computes
 * from the position, as the game defines; every other cell is the value. */
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

/* The classes by which a table sorts the cells of a frame (FORMAT.md, version 2). `find` writes the class of
 * each of `count` cells from `first` on; several threads call it at once. `close` frees `of`, and may be
 * NULL. */
typedef struct {
  uint32_t version; /* at least 1, another one if any class differs */
  void (*find)(const void *of, uint64_t first, size_t count, uint8_t *out);
  void (*close)(void *of);
  void *of;
} table_classes;

/* Identity and layout of a table. The caller of table_write fills the first group. The second group is
 * computed during writing, and filled when a table is opened. Texts are NUL-terminated printable ASCII. */
typedef struct {
  char game[TABLE_NAME_BYTES];   /* "auale" */
  char rules[TABLE_RULES_BYTES]; /* rule set with every flag that differs from its default */
  char cycles[TABLE_NAME_BYTES]; /* value of infinite play, "even" or "forced", or "" */
  char slice[TABLE_NAME_BYTES];  /* "12", "Lr", "5x3" */
  char stream[TABLE_NAME_BYTES]; /* "value", "depth", "lower", … */
  uint64_t positions;
  table_cell cell;
  table_coding coding;
  int64_t reserved;       /* value of a cell that stands for an implied one, or 0 for TABLE_PLAIN */
  uint32_t index_version; /* version of the game's numbering of positions */
  /* For bounds in f64, otherwise 0: the largest difference between the two bounds of a position in the slice,
   * the largest difference asked for, and the number of positions from which play may never end. */
  double width, asked_width;
  uint64_t endless;

  uint32_t format_version;
  uint32_t frame_bytes;  /* bytes of the cells of each frame except the last */
  uint32_t classes;      /* version of the classes that sort the cells of a frame, or 0 for index order */
  uint32_t zstd_version; /* ZSTD_versionNumber() of the writer */
  table_digest stored_digest; /* digest of the stored cells in index order */
  table_digest plain_digest;  /* digest of the plain cells, little-endian: the identity of the table */
  uint64_t stored_bytes;      /* file size in bytes */
  const table_count *counts;  /* plain values in rising order, for integer cells only */
  size_t counts_used;         /* 0 for floating-point cells */
} table_header;

/* Fills `count` cells from cell `first` on: the stored cells and the plain values. For plain coding both
 * arrays are the same (stored == plain). Several threads call it at once for disjoint ranges, at most twice
 * for each range (to write, then to compare). */
typedef tauler_error (*table_fill)(void *user, uint64_t first, size_t count, void *stored, void *plain,
                                   tauler_message *message);

typedef struct {
  int level;                    /* zstd level, 1 … 22 */
  uint32_t frame_bytes;         /* a multiple of 8, 1 KiB … 1 MiB, or 0 for TABLE_FRAME_BYTES */
  int threads;                  /* threads that compress at once, ≥ 1, which the file does not depend on */
  const table_classes *classes; /* sort implied cells of one byte, or NULL for cells in index order */
  const struct table_recoding *recoding; /* NULL except in table_recode */
} table_write_settings;

/* Writes a table to `path`. It writes a temporary file beside it, decodes and compares every frame, syncs the
 * file, reads it back and checks it, renames it, and syncs the folder. After any error the temporary file is
 * removed and `path` is unchanged, except if only the folder cannot be synced: then the new file exists.
 * `written` (may be NULL) receives the full header with counts == NULL and counts_used == 0. Errors:
 * TAULER_IO, TAULER_NO_SPACE, TAULER_NO_MEMORY, those of `fill`, and TAULER_INTERNAL for a header or settings
 * that contradict themselves (no positions, implied floating-point cells, …), for a stored cell that is
 * neither reserved nor the plain value, and for a frame that does not decode to what was compressed. */
tauler_error table_write(const char *path, const table_header *header, const table_write_settings *settings,
                         table_fill fill, void *user, table_header *written, tauler_message *message);

typedef struct table table;

/* Opens a table and checks the header, the seek table, their sizes and digests. Payload frames are checked
 * when they are read. Errors: TAULER_TABLE_MISSING (no such file), TAULER_DAMAGED_FILE (the message names the
 * contradiction), TAULER_IO, TAULER_NO_MEMORY. */
tauler_error table_open(const char *path, table **out, tauler_message *message);

/* Opens a table for single cells. If a file of offsets is beside the table (FORMAT.md), the seek table is not
 * read: a frame is then found through one block of that file, which is checked when it is read. */
tauler_error table_open_in_part(const char *path, table **out, tauler_message *message);
void table_close(table *table);

/* Passes in the classes by which the cells of a table are sorted, before any cell is read. The table closes
 * them with itself, or at once if it does not need them. Errors: TAULER_DAMAGED_FILE if the table has other
 * classes. */
tauler_error table_sort_by(table *table, const table_classes *classes, tauler_message *message);

/* Writes a table with the cells, digests and counts of an open one, coded adaptively (FORMAT.md, version 3),
 * if that makes the file smaller; otherwise nothing is written, and written->stored_bytes is 0. `classes` may
 * have no `find`. Errors: those of table_write and table_read. */
tauler_error table_recode(const table *from, const table_classes *classes, const char *path, int threads,
                          table_header *written, tauler_message *message);

/* A large table has a file of the offsets of its frames, in blocks. These functions say whether a table is
 * that large, name the file, and write it; the table must be open with its seek table. Errors: those of
 * durable_file_commit; TAULER_BAD_USAGE for a path that is too long. */
bool table_has_offsets(const table_header *header);
tauler_error table_offsets_path(const char *path, char out[TABLE_PATH_BYTES], tauler_message *message);
tauler_error table_offsets_write(const table *table, const char *path, tauler_message *message);

/* True if the file at the table's path is the opened one and has not been changed since. Costs one stat. */
bool table_is_current(const table *table);

/* Reads only the header, without counts (NULL, 0), and checks its digest and the file size; lists of many
 * tables need no more. Errors: those of table_open. */
tauler_error table_read_header(const char *path, table_header *out, tauler_message *message);

/* The same from the first n bytes of a file of `file_bytes` at `path`. Errors: TAULER_DAMAGED_FILE. */
tauler_error table_header_parse(const void *bytes, size_t n, const char *path, uint64_t file_bytes,
                                table_header *out, tauler_message *message);
const table_header *table_get_header(const table *table);
size_t table_cell_bytes(table_cell cell);

/* Reads `count` cells from `first` on into `cells` (count × table_cell_bytes bytes, little-endian), decoding
 * each frame once, without a cache. Errors: TAULER_DAMAGED_FILE, TAULER_IO. */
tauler_error table_read(const table *table, uint64_t first, size_t count, void *cells,
                        tauler_message *message);

/* Reads every frame and recomputes the stored digest and, for plain tables, the plain digest and the counts.
 * Errors: TAULER_DAMAGED_FILE, TAULER_IO, TAULER_NO_MEMORY. */
tauler_error table_check(const table *table, int threads, tauler_message *message);

typedef struct frame_cache frame_cache;

/* A cache of at most `bytes` of decoded frames (rounded up to a few frames) that evicts the least recently
 * used ones. It is split into shards with a lock each, so that threads rarely wait. NULL if out of memory. */
frame_cache *frame_cache_new(size_t bytes);
void frame_cache_free(frame_cache *cache);

/* Cells that were found in the cache, cells for which a frame was read, and bytes in the cache now. */
typedef struct {
  uint64_t hits, misses;
  size_t bytes;
} frame_cache_counts;
frame_cache_counts frame_cache_count(frame_cache *cache);

/* One integer cell through the cache, widened to 64 bits (for f32 and f64: table_get_real). A damaged frame
 * never gives a value. Errors: TAULER_DAMAGED_FILE; TAULER_INTERNAL if index ≥ positions. */
tauler_error table_get(const table *table, frame_cache *cache, uint64_t index, int64_t *cell,
                       tauler_message *message);
tauler_error table_get_real(const table *table, frame_cache *cache, uint64_t index, double *cell,
                            tauler_message *message);

/* Writes 32 hexadecimal digits and a NUL, most significant first, as xxh128sum prints them. */
void table_digest_text(table_digest digest, char text[TABLE_DIGEST_TEXT]);

/* Computes the digest of cells piece by piece; the same digest as table_write computes for plain cells. */
typedef struct table_digester table_digester;
table_digester *table_digester_new(void);
void table_digester_add(table_digester *digester, const void *bytes, size_t n);
table_digest table_digester_end(table_digester *digester); /* frees the digester */

/* The state of a digester as bytes. It is passed on if several processes have consecutive cells, so that each
 * digests its own cells. */
enum { TABLE_DIGESTER_BYTES = 344 };
void table_digester_pack(const table_digester *digester, unsigned char bytes[TABLE_DIGESTER_BYTES]);
/* Returns false and resets the digester if the n bytes are no packed digester. */
bool table_digester_unpack(table_digester *digester, const unsigned char *bytes, size_t n);

#endif
