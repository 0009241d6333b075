/* Files that are whole or absent: the durable-write rule of tables and checkpoints.
 *
 * A durable_file is written under a hidden name in the folder of its final name, so that a crash at
 * any moment leaves either the old file or the new one, and at worst a leftover that
 * durable_folder_clean recognises and removes. The order is: create, write, sync, (check by reading
 * back through durable_file_descriptor,) commit or abandon. The module owns the descriptor and the
 * hidden file until one of these two ends it. A durable_file belongs to one thread at a time.
 */
#ifndef BASE_DURABLE_FILE_H
#define BASE_DURABLE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tauler_error.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct durable_file durable_file;

/* Opens a new hidden file beside `path`, whose folder must exist. `path` itself is not touched.
 * Errors of all functions here: TAULER_NO_SPACE (disk full, quota or file size limit reached),
 * TAULER_IO, TAULER_NO_MEMORY. After an error of write, write_at or sync: abandon. */
tauler_error durable_file_create(const char *path, durable_file **out, tauler_message *message);

/* Appends; write_at overwrites or reserves and does not move the place where write appends. */
tauler_error durable_file_write(durable_file *file, const void *bytes, size_t n, tauler_message *message);
tauler_error durable_file_write_at(durable_file *file, uint64_t offset, const void *bytes, size_t n,
                                   tauler_message *message);

/* Moves the place where write appends, to leave room for what is known last. */
void durable_file_seek(durable_file *file, uint64_t offset);

/* Brings everything written to the disk and asks the system to forget its copy, so that reading back
 * shows what the disk holds. */
tauler_error durable_file_sync(durable_file *file, tauler_message *message);

/* Makes the file so long; what was not written reads as zeros. */
tauler_error durable_file_resize(durable_file *file, uint64_t n, tauler_message *message);

/* Several processes write a file: the one that created it says what its hidden name is, and the others join
 * it. A process that joined either writes or reads (a network file system reads the block around what a
 * reader writes, and writes all of it), and abandons: that leaves the file as it is. `path` is for messages.
 */
const char *durable_file_hidden(const durable_file *file);
tauler_error durable_file_join(const char *path, const char *hidden, bool writes, durable_file **out,
                               tauler_message *message);

/* Goes on with the hidden file `hidden` beside `path`, that an earlier call left, or begins it; *n is its
 * length in bytes, and bytes from any offset on may be written again. durable_file_keep leaves it for the
 * next call, durable_file_abandon removes it. What no such call left (a folder, a link, a file of several
 * names) is TAULER_IO. The caller sees to it that one process works with it. */
tauler_error durable_file_resume(const char *path, const char *hidden, durable_file **out, uint64_t *n,
                                 tauler_message *message);
void durable_file_keep(durable_file *file);

/* For reading back with durable_read_range; still owned by the file. */
int durable_file_descriptor(const durable_file *file);

/* True if the hidden name leads to the file that is open. */
bool durable_file_is_named(const durable_file *file);

/* Syncs, renames to the final name and syncs the folder. Frees file, also on error; the hidden file
 * is then gone. Only when the very last step fails, the final name may hold the new file. */
tauler_error durable_file_commit(durable_file *file, tauler_message *message);

/* Removes the hidden file, unless it was joined, and frees file, which may be NULL. */
void durable_file_abandon(durable_file *file);

/* Writes a whole file. Errors: as durable_file_create. */
tauler_error durable_file_put(const char *path, const void *bytes, size_t n, tauler_message *message);

/* Creates a folder and the folders above it that are missing; an existing one is no error. */
tauler_error durable_folder_create(const char *path, tauler_message *message);

/* Removes what dead writers left in a folder and counts it in removed (may be NULL). Left alone are
 * files of running writers of this host, and those of other hosts that changed within a day. */
tauler_error durable_folder_clean(const char *path, uint64_t *removed, tauler_message *message);

/* Opens a regular file, or what a link to one leads to, for reading, and waits for nothing; *n is its size in
 * bytes. The caller closes *descriptor, which is -1 on error. Errors: TAULER_TABLE_MISSING (nothing is
 * there), TAULER_DAMAGED_FILE (it is no regular file), TAULER_NO_MEMORY, TAULER_IO. */
tauler_error durable_read_open(const char *path, int *descriptor, uint64_t *n, tauler_message *message);

/* Reads exactly n bytes at offset. A file that ends before is TAULER_DAMAGED_FILE. `path` is for the
 * message only. Safe from several threads at once. */
tauler_error durable_read_range(int descriptor, const char *path, uint64_t offset, void *bytes, size_t n,
                                tauler_message *message);

#ifdef __cplusplus
}
#endif
#endif
