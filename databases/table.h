/* Reads and writes table files. A file has one array of numbered cells, is compressed and checked, and is
 * never half written.
 *
 * A table has the cells 0 … positions − 1 of one stream (value, depth, lower, …) of one slice. Any zstd
 * program can decompress the file. FORMAT.md describes each byte. This module knows no game: it neither reads
 * positions nor computes implied cells.
 *
 * Only table_set_classes changes an open table, and any number of threads may read it at once. Threads and
 * tables may share a frame_cache.
 */
#ifndef DATABASES_TABLE_H
#define DATABASES_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tauler_error.h"

typedef enum { TABLE_I8, TABLE_U8, TABLE_I16, TABLE_U16, TABLE_F32, TABLE_F64 } table_cell;

/* TABLE_PLAIN: every cell is the value. TABLE_IMPLIED: a cell equal to `reserved` means that the reader
 * computes the value from the position, as the game defines. Every other cell is the value. */
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

/* The classes by which a table sorts or codes cells (FORMAT.md), all zeros if there are none. `find` writes
 * the class of each of `count` cells from `first` on; several threads call it at once. `close` frees `of`,
 * and may be NULL. */
typedef struct {
  uint32_t version; /* at least 1. It changes if the class of any cell changes */
  void (*find)(const void *of, uint64_t first, size_t count, uint8_t *out);
  void (*close)(void *of);
  void *of;
} table_classes;

/* The identity and layout of a table. The caller of table_write fills the first group. The second group, from
 * format_version on, is computed when a table is written and read when a table is opened. Texts are
 * NUL-terminated printable ASCII. */
typedef struct {
  char game[TABLE_NAME_BYTES];   /* "auale" */
  char rules[TABLE_RULES_BYTES]; /* rule set with every flag that differs from its default */
  char cycles[TABLE_NAME_BYTES]; /* value of infinite play, such as "even" or "own-row", or "" */
  char slice[TABLE_NAME_BYTES];  /* "12", "Lr", "5x3" */
  char stream[TABLE_NAME_BYTES]; /* "value", "depth", "lower", … */
  uint64_t positions;
  table_cell cell;
  table_coding coding;
  int64_t reserved;       /* cell of an implied value, or 0 for TABLE_PLAIN */
  uint32_t index_version; /* version of the game's numbering of positions */
  /* For bounds in f64, otherwise 0: the largest difference between the two bounds of a position in the slice,
   * the largest difference asked for, and the number of positions from which play may never end. */
  double width, asked_width;
  uint64_t endless;

  uint32_t format_version;
  uint32_t frame_bytes;       /* bytes of the cells of each frame except the last */
  uint32_t classes;           /* version of the classes that sort or code cells, or 0 if there are none */
  uint32_t zstd_version;      /* ZSTD_versionNumber() of the writer */
  table_digest stored_digest; /* digest of the stored cells in index order */
  table_digest plain_digest;  /* digest of the plain cells, little-endian: the identity of the table */
  uint64_t stored_bytes;      /* file size in bytes */
  const table_count *counts;  /* counts of the plain values, which rise, for integer cells only */
  size_t counts_used;         /* number of counts, 0 for floating-point cells */
} table_header;

/* Fills the stored cells and the plain values of `count` cells from cell `first` on. For plain coding both
 * arrays are the same (stored == plain). Several threads call it at once for disjoint ranges, once for
 * each. */
typedef tauler_error (*table_fill)(void *user, uint64_t first, size_t count, void *stored, void *plain,
                                   tauler_message *message);

typedef struct {
  int level;                             /* zstd level, 1 … 22 */
  uint32_t frame_bytes;                  /* a multiple of 8, 1 KiB … 1 MiB, or 0 for TABLE_FRAME_BYTES */
  int threads;                           /* number of threads, ≥ 1. The file does not depend on it */
  const table_classes *classes;          /* classes that sort or code cells of one byte, or NULL */
  const struct table_recoding *recoding; /* settings of table_recode, otherwise NULL */
} table_write_settings;

/* Writes a table: writes a temporary file beside `path`, decodes and compares every frame, syncs the
 * file, reads it back and checks it, renames it, and syncs the folder. After an error the temporary file is
 * removed and `path` is unchanged, except that the new file exists if only the folder cannot be synced.
 * `written` (may be NULL) receives the header without counts after success.
 * Errors: TAULER_IO, TAULER_NO_SPACE, TAULER_NO_MEMORY, those of `fill`, and TAULER_INTERNAL for a header or
 * settings that contradict themselves (no positions, implied floating-point cells, …), for a stored cell that
 * is neither reserved nor the plain value, and for a frame that does not decode to what was compressed. */
tauler_error table_write(const char *path, const table_header *header, const table_write_settings *settings,
                         table_fill fill, void *user, table_header *written, tauler_message *message);

typedef struct table table;

/* Opens a table and checks the header, the counts, the seek table, and their digests. Payload frames are
 * checked when they are read. Errors: TAULER_TABLE_MISSING (no such file), TAULER_DAMAGED_FILE (the message
 * names the contradiction), TAULER_IO, TAULER_NO_MEMORY.
 *
 * `in_part` is for reading single cells: if there is a file of offsets beside the table (FORMAT.md), the seek
 * table is not read. Each frame is found through one block of that file, which is checked when it is read. */
tauler_error table_open(const char *path, bool in_part, table **out, tauler_message *message);
void table_close(table *table);

/* Passes to a table the classes of its cells; the caller does so before it reads a cell. If the table uses
 * them, table_close closes them. Otherwise they are closed at once, also after an error. Errors:
 * TAULER_DAMAGED_FILE if the table has other classes. */
tauler_error table_set_classes(table *table, const table_classes *classes, tauler_message *message);

/* Writes a table with the cells, digests and counts of an open one, coded adaptively (FORMAT.md, version 3),
 * if that suits the cells and makes the file smaller. Otherwise there is no new file, and
 * written->stored_bytes is 0. If classes->find is NULL, all cells have one class. Errors: those of
 * table_write and table_read. */
tauler_error table_recode(const table *from, const table_classes *classes, const char *path, int threads,
                          table_header *written, tauler_message *message);

/* A large table may have beside it a file with the offsets of its frames, in blocks. These functions tell
 * whether a table is large enough, make the path of the file, and write it. Errors: those of durable_file.h;
 * TAULER_BAD_USAGE for a path that is too long, TAULER_INTERNAL for a table opened `in_part`. */
bool table_wants_offsets(const table_header *header);
tauler_error table_offsets_path(const char *path, char out[TABLE_PATH_BYTES], tauler_message *message);
tauler_error table_offsets_write(const table *table, const char *path, tauler_message *message);

/* True if the file at the table's path is the opened one and has not changed since. */
bool table_is_current(const table *table);

/* Reads only the header, without counts, and checks its digest and the file size. Errors: as table_open. */
tauler_error table_read_header(const char *path, table_header *out, tauler_message *message);

/* As table_read_header, but takes the first n bytes of a file whose size is `file_bytes`. `path` is for
 * messages. Errors: TAULER_DAMAGED_FILE. */
tauler_error table_header_parse(const void *bytes, size_t n, const char *path, uint64_t file_bytes,
                                table_header *out, tauler_message *message);
const table_header *table_get_header(const table *table);
size_t table_cell_bytes(table_cell cell);

/* Reads `count` cells from `first` on into `cells`, which has table_cell_bytes bytes for each, little-endian.
 * Decodes each frame once, without a cache. Errors: TAULER_DAMAGED_FILE, TAULER_IO, TAULER_NO_MEMORY,
 * TAULER_INTERNAL for cells beyond the table or without their classes. */
tauler_error table_read(const table *table, uint64_t first, size_t count, void *cells,
                        tauler_message *message);

/* Reads every frame, recomputes the digests of frames and stored cells and, for plain integer cells, the
 * counts, and compares them. Errors: those of table_read; TAULER_INTERNAL for a table opened `in_part`. */
tauler_error table_check(const table *table, int threads, tauler_message *message);

typedef struct frame_cache frame_cache;

/* Makes a cache of decoded frames, with space for `bytes` bytes of cells, or for one frame if that is more.
 * When it is full, frames that have not been used for long are removed. NULL if out of memory. */
frame_cache *frame_cache_new(size_t bytes);
void frame_cache_free(frame_cache *cache);

typedef struct {
  uint64_t hits, misses; /* number of cells found in the cache, and of cells not found in it */
  size_t bytes;
} frame_cache_counts;
frame_cache_counts frame_cache_count(frame_cache *cache);

/* Read one cell, through the cache unless it is NULL: table_get an integer cell, table_get_real one of type
 * f32 or f64. Errors: those of table_read; TAULER_INTERNAL if index ≥ positions or for another type. */
tauler_error table_get(const table *table, frame_cache *cache, uint64_t index, int64_t *cell,
                       tauler_message *message);
tauler_error table_get_real(const table *table, frame_cache *cache, uint64_t index, double *cell,
                            tauler_message *message);

/* Writes a digest as 32 hexadecimal digits, most significant first, as xxh128sum prints it, and a NUL. */
void table_digest_text(table_digest digest, char text[TABLE_DIGEST_TEXT]);
bool table_digests_equal(table_digest a, table_digest b);

/* Computes a digest of bytes piece by piece. */
typedef struct table_digester table_digester;
table_digester *table_digester_new(void); /* NULL if out of memory */
void table_digester_add(table_digester *digester, const void *bytes, size_t n);
table_digest table_digester_end(table_digester *digester); /* frees the digester, NULL is allowed */

/* Writes the state of a digester as bytes. If several processes have consecutive cells, each digests its own
 * cells and sends the state to the next. */
enum { TABLE_DIGESTER_BYTES = 344 };
void table_digester_pack(const table_digester *digester, unsigned char bytes[TABLE_DIGESTER_BYTES]);
/* Restores the state of a digester. If the bytes are no packed state, resets it and returns false. */
bool table_digester_unpack(table_digester *digester, const unsigned char *bytes, size_t n);

#endif
