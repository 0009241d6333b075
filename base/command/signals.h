/* Signals from outside, for the whole program: SIGINT, SIGTERM and SIGUSR1 ask it to stop, SIGBUS says that a
 * mapped file, or memory, has failed.
 *
 * A command that has nothing to save ends at the first signal: it writes its last line to standard error and
 * ends with the exit code of TAULER_STOPPED. Between signals_hold and signals_release a first signal is only
 * noted, and the work asks for it (signals_asked) where everything can be saved; a second SIGINT or SIGTERM
 * ends the process at once. If two signals come within 0.2 seconds, as from timeout(1), they count as one. If
 * SIGINT was ignored when the program started, it stays ignored. This is the only module with process-wide
 * state, since a handler has no other place for it. The library does not use it.
 */
#ifndef BASE_COMMAND_SIGNALS_H
#define BASE_COMMAND_SIGNALS_H

#include <stdbool.h>

/* Catches the three signals. The program calls it once, before it starts other threads. A process that is
 * ended by a signal writes `line` last. The line has its newline and is copied. */
void signals_open(const char *line);

void signals_hold(void);
/* Ends the time in which signals are only noted. If a signal was noted, ends the process at once. */
void signals_release(void);

/* True if a signal was noted. Any thread may call it. */
bool signals_asked(void);
bool signals_stop(void *user); /* the same as a callback, which ignores `user` */
/* Waits until a signal is noted, at most `seconds`. Returns true if one was noted. */
bool signals_wait(double seconds);

/* Watches for SIGBUS: if a mapped file can no longer be read or written, or memory is damaged, the process
 * ends with a line on `descriptor` and the exit code of TAULER_IO. */
void signals_watch_disk(int descriptor);

#endif
