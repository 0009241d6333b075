/* Writes files that are complete or absent, such as tables and checkpoints.
 *
 * A durable_file is written under a hidden name in the folder of its final name. So a crash at any moment
 * leaves the old file or the new one, and perhaps the hidden file, which durable_folder_clean removes (unless
 * durable_file_resume made it). The order of calls is: create, write, sync, (read back through
 * durable_file_descriptor,) commit or abandon. The module owns the descriptor and the hidden file until then.
 * A durable_file belongs to one thread at a time.
 */
#ifndef BASE_DURABLE_FILE_H
#define BASE_DURABLE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tauler_error.h"

typedef struct durable_file durable_file;

/* Opens a new hidden file beside `path`, whose folder must exist; `path` itself is not touched. After an
 * error *out is NULL. Errors of all functions here that name no others: TAULER_NO_SPACE (the disk is full, or
 * a quota or file size limit is reached), TAULER_IO, TAULER_NO_MEMORY. After an error of write, write_at or
 * sync only abandon or keep may be called. */
tauler_error durable_file_create(const char *path, durable_file **out, tauler_message *message);

/* durable_file_write appends. durable_file_write_at does not move the place of the next append. */
tauler_error durable_file_write(durable_file *file, const void *bytes, size_t n, tauler_message *message);
tauler_error durable_file_write_at(durable_file *file, uint64_t offset, const void *bytes, size_t n,
                                   tauler_message *message);

void durable_file_seek(durable_file *file, uint64_t offset); /* moves the place of the next append */

/* Writes all bytes to the disk and asks for an empty cache, so that reading back reads the disk. */
tauler_error durable_file_sync(durable_file *file, tauler_message *message);

/* Sets the length of the file to n bytes; bytes that were not written are zeros. */
tauler_error durable_file_resize(durable_file *file, uint64_t n, tauler_message *message);

/* Several processes may write a file: the process that created it sends its hidden name to the others, which
 * join it. A process that joined only writes or only reads: if it did both, a network file system might write
 * back whole blocks, with old bytes around the new bytes. At the end it calls durable_file_abandon, which
 * then leaves the file as it is. `path` is for messages. */
const char *durable_file_hidden(const durable_file *file);
tauler_error durable_file_join(const char *path, const char *hidden, bool writes, durable_file **out,
                               tauler_message *message);

/* Opens the hidden file `hidden` beside `path` that an earlier call left, or creates it. *n is its length in
 * bytes; durable_file_write begins at byte 0. durable_file_keep frees `file` and leaves the hidden file for
 * the next call. If anything else has that name (a folder, a link, a file with several names), the error is
 * TAULER_IO. The caller must ensure that only one process uses the file. */
tauler_error durable_file_resume(const char *path, const char *hidden, durable_file **out, uint64_t *n,
                                 tauler_message *message);
void durable_file_keep(durable_file *file);

int durable_file_descriptor(const durable_file *file); /* the durable_file still owns it */

/* True if the hidden name, and no other name, leads to the open file. */
bool durable_file_is_named(const durable_file *file);

/* Syncs the file, renames it to the final name and syncs the folder. Frees `file`, also after an error. If
 * the folder cannot be synced, the final name already leads to the new file; after other errors the hidden
 * file is removed. */
tauler_error durable_file_commit(durable_file *file, tauler_message *message);

/* Removes the hidden file unless it was joined, and frees `file`, which may be NULL. */
void durable_file_abandon(durable_file *file);

tauler_error durable_file_put(const char *path, const void *bytes, size_t n, tauler_message *message);

/* Creates a folder and all missing folders above it. A folder that exists is no error. */
tauler_error durable_folder_create(const char *path, tauler_message *message);

/* Removes the files that dead writers left in a folder. Keeps files that a running writer has locked, and
 * files that changed within a day if they are from another host or the file system has no locks. */
tauler_error durable_folder_clean(const char *path, tauler_message *message);

/* Writes n bytes at offset into an open file. Returns 0, or the errno of the failed write. */
int durable_write_range(int descriptor, uint64_t offset, const void *bytes, size_t n);

/* Opens a regular file, or a link to one, for reading, without waiting. *n is its size in bytes. The caller
 * closes *descriptor, which is −1 after an error. Errors: TAULER_TABLE_MISSING (there is no file),
 * TAULER_DAMAGED_FILE (it is no regular file), TAULER_NO_MEMORY, TAULER_IO. */
tauler_error durable_read_open(const char *path, int *descriptor, uint64_t *n, tauler_message *message);

/* Reads exactly n bytes at offset. If the file ends before, the error is TAULER_DAMAGED_FILE. `path` is for
 * messages. Several threads may call it at once. */
tauler_error durable_read_range(int descriptor, const char *path, uint64_t offset, void *bytes, size_t n,
                                tauler_message *message);

#endif
