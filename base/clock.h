/* Returns the time and the memory that this process has used.
 *
 * Any thread may call every function. A clock that the system lacks returns 0.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

#include <stdint.h>

double clock_wall(void);          /* seconds since a fixed moment, never decreasing */
double clock_process_cpu(void);   /* seconds of processor time of all threads of the process */
double clock_thread_cpu(void);    /* seconds of processor time of the calling thread */
uint64_t clock_peak_memory(void); /* most bytes that the process has had in memory */

#endif
