/* A watchdog ends the process when nothing has moved for too long: a peer that died or hangs, a link
 * that is down. Message passing itself would wait for ever.
 *
 * It is a thread that looks at a counter which everything that works keeps raising. When the counter
 * has stood still for the time allowed, it writes one line to the descriptor given, says what to do,
 * and ends the process with the exit code of TAULER_STOPPED, without clean-up: nothing is lost, since
 * nothing has its final name unless it is whole. A launcher that cannot reach its other hosts any
 * more would itself stay for ever, so it is killed a few seconds later. Owns its thread.
 */
#ifndef PARALLEL_WATCHDOG_H
#define PARALLEL_WATCHDOG_H

#include "base/tauler_error.h"

typedef struct watchdog watchdog;

/* `who` opens the line ("rank 3 on host n7"). Errors: TAULER_NO_MEMORY. */
tauler_error watchdog_start(double seconds, int descriptor, const char *who, watchdog **out,
                            tauler_message *message);
/* From any thread. */
void watchdog_note(watchdog *watchdog);
/* Ends the thread; NULL is allowed. */
void watchdog_stop(watchdog *watchdog);

#endif
