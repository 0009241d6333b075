/* Finds the number of threads that a command may use.
 *
 * OpenMP ends the process if the system refuses it a thread, so a command first asks here for the number that
 * it can start.
 */
#ifndef BASE_COMMAND_THREADS_H
#define BASE_COMMAND_THREADS_H

#include "base/command/options.h"

/* Returns the number of processors that affinity and control groups allow; at least 1. */
int threads_available(void);

/* Returns `wanted` (at most 4096), or the number of threads, the calling one included, that the system
 * starts; at least 1. */
int threads_startable(int wanted);

/* Reads --threads (default: threads_available), cut to what the system starts. Errors: TAULER_BAD_USAGE. */
tauler_error threads_option(const options *parsed, int *threads, tauler_message *message);

#endif
