/* Processors of a system that does not count them. */
#ifndef WASM_SCHED_H
#define WASM_SCHED_H

typedef int cpu_set_t;

#define sched_getaffinity(pid, bytes, set) ((void)(set), -1)
#define CPU_COUNT(set) 1

#endif
