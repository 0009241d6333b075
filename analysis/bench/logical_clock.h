/* Estimates the time of a build over ranks that have processors of their own and a network of a given latency
 * and bandwidth.
 *
 * A logical clock is a comm that passes exchanges, reductions and broadcasts to the comm below. Between calls
 * the clock of a rank advances with the processor time of the rank; the calls, which mostly wait, do not
 * count. A packet carries the clock of its sender: the receiver's becomes max(own, sent + latency + bytes /
 * bandwidth). After a reduction or a broadcast all clocks are equal: the largest one plus a step of the
 * network for each level of a tree of all ranks. Packets do not wait for each other, nor for the disk. The
 * new comm owns the clock, and borrows the comm below, which the caller closes later. */
#ifndef ANALYSIS_BENCH_LOGICAL_CLOCK_H
#define ANALYSIS_BENCH_LOGICAL_CLOCK_H

#include "parallel/comm.h"

typedef struct logical_clock logical_clock;

typedef struct {
  double latency;   /* seconds */
  double bandwidth; /* bytes per second */
} logical_network;

/* The function `seconds` returns how long this rank has worked: the processor seconds of its process, or a
 * number that a test sets. */
typedef struct {
  double (*seconds)(void *user);
  void *user;
} logical_work;

/* Opens a clock that starts at 0. `below` is NULL for one rank. Errors: TAULER_NO_MEMORY, perhaps on this
 * rank alone. */
tauler_error logical_clock_open(comm *below, const logical_network *network, logical_work work,
                                logical_clock **clock, comm **out, tauler_message *message);

/* Advances the clock by the work since the last call or reading. Returns its time in seconds. */
double logical_clock_now(logical_clock *clock);

/* Returns the seconds by which the clock advanced through work alone. */
double logical_clock_work_seconds(const logical_clock *clock);

uint64_t logical_clock_exchanges(const logical_clock *clock);

#endif
