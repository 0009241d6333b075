/* One process at a time works in a folder: a hidden file there that names it, locked while it lives.
 *
 * The system's lock tells whether a process of this host lives, and on a local file system whether any does;
 * a file that a killed process left behind is taken over. On a shared file system locks may end at a host, so
 * the file of a process on another host stands until it gives it up or the file is removed; only a job
 * that Slurm has put back into the queue takes over what its own earlier run left, where the lock is free. On
 * a file system without locks who makes the file is the owner, and the file of a process of another host
 * stands. The owner gives a lock back, which removes the file if it is still its own.
 */
#ifndef BASE_FOLDER_LOCK_H
#define BASE_FOLDER_LOCK_H

#include "base/tauler_error.h"

typedef struct folder_lock folder_lock;

enum { FOLDER_LOCK_TEXT = 256 };

/* The folder exists. In one where nothing can be written there is nothing to guard: TAULER_OK, and *out is
 * NULL. Errors: TAULER_BUSY (the message names the process that works there and says what to do), TAULER_IO,
 * TAULER_NO_SPACE, TAULER_NO_MEMORY. */
tauler_error folder_lock_take(const char *folder, folder_lock **out, tauler_message *message);
/* NULL is allowed. */
void folder_lock_give(folder_lock *lock);

/* The process named in the file, and the time it took the lock: "process 4711 on host n7 since …". "": there
 * is no file. */
void folder_lock_read(const char *folder, char text[FOLDER_LOCK_TEXT]);

#endif
