/* A hidden file without a name: room on the disk for what does not fit in memory, and that no other process
 * will ever read.
 *
 * It begins as a hidden file of durable_file.h, whose name is taken away at once, so a dead process
 * leaves nothing behind: the system frees the room with the last descriptor, and of a process that
 * dies in between durable_folder_clean removes what is left. It owns its descriptor. Reads and
 * writes of ranges that do not overlap may be done by any threads at once.
 */
#ifndef BASE_UNNAMED_FILE_H
#define BASE_UNNAMED_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tauler_error.h"

enum { NAMELESS_BLOCK = 4096 }; /* room is given back in whole blocks */

typedef struct unnamed_file unnamed_file;

/* Errors: TAULER_NO_SPACE, TAULER_IO, TAULER_NO_MEMORY. */
tauler_error unnamed_file_open(const char *folder, unnamed_file **out, tauler_message *message);
void unnamed_file_close(unnamed_file *file); /* NULL is allowed */

/* All n bytes or an error: TAULER_NO_SPACE, TAULER_IO. */
tauler_error unnamed_file_write(const unnamed_file *file, uint64_t offset, const void *bytes, size_t n,
                                tauler_message *message);
/* Errors: TAULER_IO, also where the file ends too early. */
tauler_error unnamed_file_read(const unnamed_file *file, uint64_t offset, void *bytes, size_t n,
                               tauler_message *message);
/* For messages: what was read is not what was written. Returns TAULER_IO. */
tauler_error unnamed_file_refuse(const unnamed_file *file, tauler_message *message);

/* For mapping; still owned by the file. */
int unnamed_file_descriptor(const unnamed_file *file);
/* Makes the file so long, without taking room. Errors: TAULER_NO_SPACE, TAULER_IO. */
tauler_error unnamed_file_extend(const unnamed_file *file, uint64_t bytes, tauler_message *message);
/* Takes room for a range, so that writing it cannot fail for want of any; where the file system cannot do
 * that, nothing. Errors: TAULER_NO_SPACE, TAULER_IO. */
tauler_error unnamed_file_reserve(const unnamed_file *file, uint64_t offset, uint64_t n,
                                  tauler_message *message);

/* Gives the whole blocks of a range back to the disk, which are zeros then; false where its file system
 * cannot do that. */
bool unnamed_file_forget(const unnamed_file *file, uint64_t offset, uint64_t n);

/* Rounds an offset or size up to whole blocks. */
static inline uint64_t unnamed_file_round(uint64_t bytes) {
  return (bytes + NAMELESS_BLOCK - 1) / NAMELESS_BLOCK * NAMELESS_BLOCK;
}

#endif
