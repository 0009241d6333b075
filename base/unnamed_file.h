/* A file without a name: space on the disk for data that do not fit in memory.
 *
 * It begins as a hidden file of durable_file.h, whose name is removed at once. An unnamed_file owns its
 * descriptor. Several threads may read and write at once if their ranges do not overlap.
 */
#ifndef BASE_UNNAMED_FILE_H
#define BASE_UNNAMED_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tauler_error.h"

enum { UNNAMED_FILE_BLOCK = 4096 }; /* bytes of a block, the least that can be freed */

typedef struct unnamed_file unnamed_file;

/* Opens a new file in a folder. After an error *out is NULL. Errors of all functions here: TAULER_NO_SPACE,
 * TAULER_IO, TAULER_NO_MEMORY. */
tauler_error unnamed_file_open(const char *folder, unnamed_file **out, tauler_message *message);
void unnamed_file_close(unnamed_file *file); /* NULL is allowed */

tauler_error unnamed_file_write(const unnamed_file *file, uint64_t offset, const void *bytes, size_t n,
                                tauler_message *message);
/* Reads n bytes. If the file ends before, the error is TAULER_IO. */
tauler_error unnamed_file_read(const unnamed_file *file, uint64_t offset, void *bytes, size_t n,
                               tauler_message *message);
/* Writes the message that bytes read back differ from those written. Returns TAULER_IO. */
tauler_error unnamed_file_refuse(const unnamed_file *file, tauler_message *message);

int unnamed_file_descriptor(const unnamed_file *file); /* the file still owns it */
/* Sets the length of the file without reserving space. */
tauler_error unnamed_file_extend(const unnamed_file *file, uint64_t bytes, tauler_message *message);
/* Reserves space for a range, so that writing it cannot fail for lack of space, and extends a shorter file to
 * the end of the range. Does nothing if the file system cannot reserve space. */
tauler_error unnamed_file_reserve(const unnamed_file *file, uint64_t offset, uint64_t n,
                                  tauler_message *message);

/* Frees the whole blocks of a range, which then read as zeros. Returns false if they cannot be freed. */
bool unnamed_file_discard(const unnamed_file *file, uint64_t offset, uint64_t n);

static inline uint64_t unnamed_file_round(uint64_t bytes) {
  return (bytes + UNNAMED_FILE_BLOCK - 1) / UNNAMED_FILE_BLOCK * UNNAMED_FILE_BLOCK;
}

#endif
