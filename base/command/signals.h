/* Handles signals for the whole program: SIGINT, SIGTERM and SIGUSR1 ask it to stop, SIGBUS says that a
 * mapped file, or memory, has failed.
 *
 * At a signal the process writes its last line to standard error and ends with the exit code of
 * TAULER_STOPPED. Between signals_hold and signals_release a first signal is only noted, and the work asks
 * for it (signals_asked) where everything can be saved; a second SIGINT or SIGTERM ends the process at once.
 * If two signals come within 0.2 seconds, as from timeout(1), they count as one. If SIGINT was ignored when
 * the program started, it stays ignored. The state belongs to the process, since a handler has no other
 * place for it.
 */
#ifndef BASE_COMMAND_SIGNALS_H
#define BASE_COMMAND_SIGNALS_H

#include <stdbool.h>

/* Catches SIGINT, SIGTERM and SIGUSR1. Called once, before other threads start. Copies the last line. */
void signals_open(const char *line);

void signals_hold(void);
void signals_release(void); /* ends the process if a signal was noted */

bool signals_asked(void);      /* true if a signal was noted. Any thread may call it */
bool signals_stop(void *user); /* the same as a callback, which ignores `user` */
/* Waits until a signal is noted, at most `seconds`. Returns true if one was noted. */
bool signals_wait(double seconds);

/* Watches for SIGBUS: if a mapped file can no longer be read or written, or memory is damaged, the process
 * ends with a line on `descriptor` and the exit code of TAULER_IO. */
void signals_watch_disk(int descriptor);

#endif
