/* Finds the number of threads that a command may use.
 *
 * OpenMP ends the process if the system refuses a thread, so a command first finds out how many it can start.
 */
#ifndef BASE_COMMAND_THREADS_H
#define BASE_COMMAND_THREADS_H

#include "base/command/options.h"

/* Returns the number of processors that affinity and control groups allow; at least 1. */
int threads_available(void);

/* Returns the number of threads, with the calling one, that the system starts: at least 1, at most `wanted`,
 * which must not be above 4096. */
int threads_startable(int wanted);

/* Reads --threads (default: threads_available), limited by threads_startable. Errors: TAULER_BAD_USAGE. */
tauler_error threads_option(const options *parsed, int *threads, tauler_message *message);

#endif
