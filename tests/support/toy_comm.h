/* Ranks as threads of one process: a comm for tests, without message passing.
 *
 * Every rank is a thread of its own and may start others with OpenMP. Ranks that come to different calls,
 * or that end while others still wait for them, are a mistake of what is tested: the process says so and
 * aborts instead of waiting for ever. */
#ifndef TESTS_TOY_COMM_H
#define TESTS_TOY_COMM_H

#include "parallel/comm.h"

/* Calls rank_main on each rank and returns when all have come back. Called any number of times, also
 * side by side; ranks ≥ 1. */
void toy_comm_run(int ranks, void (*rank_main)(comm *comm, void *user), void *user);

/* The same with collective call `fails` (0: the first) coming to grief: on that rank alone at once, on
 * the others in their next call. Later calls must not be made. */
void toy_comm_run_failing(int ranks, int rank, uint64_t fails, void (*rank_main)(comm *comm, void *user),
                          void *user);

#endif
