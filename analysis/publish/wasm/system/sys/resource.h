/* Limits and usage of a system that has none. */
#ifndef WASM_SYS_RESOURCE_H
#define WASM_SYS_RESOURCE_H

#include <sys/time.h>

typedef unsigned long long rlim_t;
struct rlimit {
  rlim_t rlim_cur, rlim_max;
};
struct rusage {
  struct timeval ru_utime, ru_stime;
  long ru_maxrss;
};

enum { RLIMIT_NOFILE, RLIMIT_AS, RUSAGE_SELF };
#define RLIM_INFINITY ((rlim_t)-1)
#define getrlimit(which, limit) ((void)(limit), -1)
#define getrusage(who, usage) ((void)(usage), -1)

#endif
