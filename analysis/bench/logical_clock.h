/* A logical clock of each rank: what a build over ranks would take where each has a processor of its own and
 * packets travel by a network of given latency and bandwidth.
 *
 * A logical clock is a comm that passes all calls on to another one. Between calls a rank's clock advances
 * with the processor time of the rank; what the calls themselves take, waiting above all, is not counted. A
 * packet carries the clock of its sender: the receiver's becomes max(own, sent + latency + bytes /
 * bandwidth). After a call that combines or spreads, all clocks are at the largest of them, and as many steps
 * later as a tree of all ranks is high. Packets do not wait for each other, nor for the disk.
 *
 * The new comm owns the clock, and borrows the one below; close that one later.
 */
#ifndef ANALYSIS_BENCH_LOGICAL_CLOCK_H
#define ANALYSIS_BENCH_LOGICAL_CLOCK_H

#include "parallel/comm.h"

typedef struct logical_clock logical_clock;

typedef struct {
  double latency;   /* seconds */
  double bandwidth; /* bytes a second */
} logical_network;

/* Seconds that this rank has worked: of its process, or what a test says. */
typedef struct {
  double (*seconds)(void *user);
  void *user;
} logical_work;

/* The clock starts at 0. `below` may be NULL: one rank. Errors: TAULER_NO_MEMORY, of this rank alone. */
tauler_error logical_clock_open(comm *below, const logical_network *network, logical_work work,
                                logical_clock **clock, comm **out, tauler_message *message);

/* Seconds. After a call that combines or spreads they are the same on all ranks. */
double logical_clock_now(logical_clock *clock);

/* Seconds that it advanced by work alone. */
double logical_clock_worked(const logical_clock *clock);

/* How often packets were exchanged. */
uint64_t logical_clock_exchanges(const logical_clock *clock);

#endif
