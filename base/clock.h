/* Time and memory that this process has used.
 *
 * Nothing is owned and no state is kept; every function may be called from any thread. A clock that
 * the system does not have reads 0.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

double clock_wall(void);          /* seconds since some fixed moment; never runs backwards */
double clock_process_cpu(void);   /* seconds of processor time of all threads of the process */
double clock_thread_cpu(void);    /* seconds of processor time of the calling thread */
uint64_t clock_peak_memory(void); /* most bytes of the process that were in memory at any time */

#endif
