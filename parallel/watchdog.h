/* A watchdog ends the process if nothing has changed for too long: a peer died or hangs, or a link is down.
 * MPI itself would wait for ever.
 *
 * It is a thread that reads a counter, which all work raises. If the counter has not changed for the allowed
 * time, it writes one line to the given descriptor, which says what to do, and ends the process with the exit
 * code of TAULER_STOPPED. It does no clean-up: nothing is lost, since a file gets its final name only when it
 * is complete. A launcher that can no longer reach its other hosts would itself stay for ever, so it is
 * killed a few seconds later. A watchdog owns its thread.
 */
#ifndef PARALLEL_WATCHDOG_H
#define PARALLEL_WATCHDOG_H

#include "base/tauler_error.h"

typedef struct watchdog watchdog;

/* `who` begins the line ("rank 3 on host n7"). Errors: TAULER_NO_MEMORY. */
tauler_error watchdog_start(double seconds, int descriptor, const char *who, watchdog **out,
                            tauler_message *message);
/* Raises the counter. Any thread may call it. */
void watchdog_note(watchdog *watchdog);
/* Ends the thread; NULL is allowed. */
void watchdog_stop(watchdog *watchdog);

#endif
