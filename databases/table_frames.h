/* Makes the frames of a table, and writes frames to a file: the two parts of table_write (table.h).
 *
 * A framer makes the frames of any part of a table. It owns its buffers and belongs to one thread. A writer
 * receives frames in the order of the cells, and owns its temporary file until it is ended or abandoned. The
 * file has the bytes that table_write would write for the same cells, whichever framer made them: frames
 * depend only on header, settings and cells.
 */
#ifndef DATABASES_TABLE_FRAMES_H
#define DATABASES_TABLE_FRAMES_H

#include "databases/table.h"

/* Consecutive frames. */
typedef struct {
  uint64_t first, used;       /* number of the first frame, and number of frames */
  const uint32_t *sizes;      /* compressed bytes of each frame */
  const unsigned char *bytes; /* may be NULL for table_writer_note */
  size_t n;                   /* sum of the sizes, and length of `bytes` */
} table_frames;

/* Returns TAULER_NO_MEMORY if a function of zstd returned that memory ran out, otherwise `other`. */
tauler_error zstd_error(size_t result, tauler_error other);

typedef struct table_framer table_framer;

/* Makes a framer, which borrows classes and recoding of the settings. `path` names the table in messages, and
 * no file need exist there. Errors: TAULER_NO_MEMORY, TAULER_INTERNAL for a header or settings that
 * contradict themselves. */
tauler_error table_framer_new(const char *path, const table_header *header,
                              const table_write_settings *settings, table_framer **out,
                              tauler_message *message);
void table_framer_free(table_framer *framer);

/* Makes the frames of `count` cells, which begin with frame `first` and must fill whole frames or be the last
 * cells of the table. Each frame is decoded again and compared. For implied coding each stored cell must be
 * reserved or equal the plain one; for plain coding pass the same array twice. *out is valid until the next
 * call. Errors: TAULER_INTERNAL, TAULER_NO_MEMORY. */
tauler_error table_frames_make(table_framer *framer, uint64_t first, size_t count, const void *stored,
                               const void *plain, table_frames *out, tauler_message *message);

enum { TABLE_FRAMES_AT = 1024 }; /* place of the first frame in a file */

typedef struct table_writer table_writer;

tauler_error table_writer_begin(const char *path, const table_header *header,
                                const table_write_settings *settings, table_writer **out,
                                tauler_message *message);

/* Appends the next frames, in order and without gaps. Their cells are digested and counted elsewhere
 * (table_writer_set_digests). After an error only table_writer_abandon may be called. */
tauler_error table_writer_add(table_writer *writer, const table_frames *frames, tauler_message *message);

/* Lets other processes write the frames, from TABLE_FRAMES_AT on, into the temporary file, which is made long
 * enough for `bytes` bytes of frames. *hidden becomes its name (durable_file_join), which the writer owns.
 * The other processes sync the frames and read them back before table_writer_end; the writer only notes the
 * sizes of frames. */
tauler_error table_writer_share(table_writer *writer, uint64_t bytes, const char **hidden,
                                tauler_message *message);
tauler_error table_writer_note(table_writer *writer, const table_frames *frames, tauler_message *message);

/* Digests of cells, and of frames that other processes write. */
typedef struct {
  table_digest stored, plain, frames;
} table_digests;

/* Passes digests and counts to a writer that does not compute them, before table_writer_end is called. */
void table_writer_set_digests(table_writer *writer, const table_digests *digests, const table_count *counts,
                              size_t used);

/* Writes counts, seek table and header, reads the file back (without frames that other processes wrote), and
 * renames it. Frees the writer, also after an error. Sets *written as table_write does. Errors: those of
 * table_write; TAULER_INTERNAL if frames are missing. */
tauler_error table_writer_end(table_writer *writer, table_header *written, tauler_message *message);
void table_writer_abandon(table_writer *writer); /* NULL is ignored */

#endif
