/* Ends the process if it has made no progress for too long, for example because a peer died or hangs or a
 * link is down. MPI itself would wait for ever.
 *
 * A watchdog is a thread that reads a counter, which work raises. If the counter has not changed for the
 * allowed time, the watchdog writes a line with advice to the given descriptor and ends the process with the
 * exit code of TAULER_STOPPED, without clean-up. A launcher that cannot reach its other hosts would wait for
 * ever, so a launcher of Open MPI or MPICH is killed a few seconds later. A watchdog owns its thread.
 */
#ifndef PARALLEL_WATCHDOG_H
#define PARALLEL_WATCHDOG_H

#include "base/tauler_error.h"

typedef struct watchdog watchdog;

/* Allows `seconds` without progress. The line names the process as `who`: "rank 3 on host n7". Errors:
 * TAULER_NO_MEMORY. */
tauler_error watchdog_start(double seconds, int descriptor, const char *who, watchdog **out,
                            tauler_message *message);
void watchdog_note(watchdog *watchdog); /* raises the counter. Any thread may call it */
void watchdog_stop(watchdog *watchdog); /* frees the watchdog, which may be NULL */

#endif
