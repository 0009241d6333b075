/* Signals from outside, for the whole program: SIGINT, SIGTERM and SIGUSR1 ask it to stop, SIGBUS says that a
 * mapped file is lost.
 *
 * A command that holds nothing ends at the first signal: it writes its last line to standard error and
 * ends with the exit code of TAULER_STOPPED. Between signals_hold and signals_release a first signal is only
 * noted, and work asks for it where everything can be kept; a second SIGINT or SIGTERM ends the
 * process at once. Senders that send one signal twice in a moment, as timeout(1) does, send one. SIGINT that
 * was ignored when the program started stays ignored. This is the only module with state of the process: a
 * handler has no other place to look. The library calls nothing here.
 */
#ifndef BASE_COMMAND_SIGNALS_H
#define BASE_COMMAND_SIGNALS_H

#include <stdbool.h>

/* Once, before other threads are started. `line` ends with a newline; it is copied. */
void signals_open(const char *line);

void signals_hold(void);
/* Ends the process as the signal would have, if one was noted. */
void signals_release(void);

/* True if a signal was noted. From any thread. */
bool signals_asked(void);
bool signals_stop(void *user); /* the same, for work that asks whether to stop; `user` is ignored */
/* Waits until a signal is noted, or so many seconds; whether one was noted. */
bool signals_wait(double seconds);

/* From now on a mapped file that cannot be read or written any more ends the process with a line on
 * `descriptor` and the exit code of TAULER_IO. */
void signals_watch_disk(int descriptor);

#endif
