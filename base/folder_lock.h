/* Lets one process at a time work in a folder. A hidden file in the folder names the process, which locks the
 * file as long as it lives.
 *
 * The system's lock tells whether a process of this host lives and, on a local file system, whether any
 * process does. A file that a killed process left is taken over. On a shared file system locks may be limited
 * to a host. So the file of a process on another host stays until that process releases it or somebody
 * removes it; only a job that Slurm has queued again takes over the file of its own earlier run if the lock
 * is free. On a file system without locks the process that makes the file is the owner, and the file of a
 * process on another host stays. When the owner releases a lock, it removes the file if that is still its
 * own.
 */
#ifndef BASE_FOLDER_LOCK_H
#define BASE_FOLDER_LOCK_H

#include "base/tauler_error.h"

typedef struct folder_lock folder_lock;

enum { FOLDER_LOCK_TEXT = 256 };

/* Locks an existing folder. If the folder cannot be written to, no lock is needed: *out is NULL, without an
 * error. Errors: TAULER_BUSY (the message names the process that works there and says what to do),
 * TAULER_IO, TAULER_NO_SPACE, TAULER_NO_MEMORY. */
tauler_error folder_lock_acquire(const char *folder, folder_lock **out, tauler_message *message);
/* Releases a lock; NULL is allowed. */
void folder_lock_release(folder_lock *lock);

/* Reads who owns the lock since when, "process 4711 on host n7 since …"; "" if there is no file. */
void folder_lock_read(const char *folder, char text[FOLDER_LOCK_TEXT]);

#endif
