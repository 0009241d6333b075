/* How many threads a command may use.
 *
 * Nothing is owned. OpenMP ends the process if the system refuses it a thread, so a command asks here first
 * how many it can have.
 */
#ifndef BASE_COMMAND_THREADS_H
#define BASE_COMMAND_THREADS_H

#include "base/command/options.h"

/* The processors that this process may run on and that the quota of its control groups allows; at least 1. */
int threads_available(void);

/* How many threads can run at once, the calling one included: `wanted`, or fewer if the system refuses more;
 * at least 1. */
int threads_startable(int wanted);

/* The number of threads given by --threads, otherwise one per processor, as far as the system lets them
 * start. Errors: TAULER_BAD_USAGE. */
tauler_error threads_option(const options *parsed, int *threads, tauler_message *message);

#endif
