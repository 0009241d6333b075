/* Lets one process at a time work in a folder. A hidden file in the folder names this process and is locked
 * by it.
 *
 * The system's lock tells whether a process of this host lives and, on a local file system, whether any
 * process does. The file of a process that is known to be dead is taken over. On a shared file system locks
 * may be limited to a host. So the file of a process on another host stays until it is released or removed by
 * hand. But if Slurm has queued a job again and the lock is free, the job takes over the file of its earlier
 * run. On a file system without locks the process that makes the file is the owner.
 */
#ifndef BASE_FOLDER_LOCK_H
#define BASE_FOLDER_LOCK_H

#include "base/tauler_error.h"

typedef struct folder_lock folder_lock;

enum { FOLDER_LOCK_TEXT = 256 };

/* Locks an existing folder. On a read-only file system, and in a folder that cannot be written to and has no
 * lock file, no lock is needed: *out is NULL, without an error. Errors: TAULER_BUSY (the message says what to
 * do and, if it is known, which process works there), TAULER_IO, TAULER_NO_SPACE, TAULER_NO_MEMORY. */
tauler_error folder_lock_acquire(const char *folder, folder_lock **out, tauler_message *message);
void folder_lock_release(folder_lock *lock); /* NULL is allowed */

/* Reads the text of the lock file, "process 4711 on host n7 since …"; "" if it cannot be read. */
void folder_lock_read(const char *folder, char text[FOLDER_LOCK_TEXT]);

#endif
