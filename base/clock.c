/* Reads the time and the memory that this process has used. */
#include "base/clock.h"

#include <sys/resource.h>
#include <time.h>

static double read_clock(clockid_t clock) {
  struct timespec now;
  if (clock_gettime(clock, &now) != 0) return 0;
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double clock_wall(void) {
  return read_clock(CLOCK_MONOTONIC);
}

double clock_process_cpu(void) {
  return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

double clock_thread_cpu(void) {
  return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

uint64_t clock_peak_memory(void) {
  struct rusage usage;
  return getrusage(RUSAGE_SELF, &usage) == 0 ? (uint64_t)usage.ru_maxrss * 1024 : 0;
}
