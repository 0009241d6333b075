/* Runs worker threads, with barriers between rounds.
 *
 * At a barrier workers sleep, so that other threads get their processors; if each has a processor, they spin
 * for a short time before. Workers get the items of a round one by one from a common counter. All workers of
 * a workers_run make the same calls of worker_barrier.
 */
#ifndef PARALLEL_WORKERS_H
#define PARALLEL_WORKERS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct workers workers;

typedef struct {
  workers *workers;
  int number; /* 0 … threads − 1 */
} worker;

/* Calls work(user, worker) on `threads` threads or, if the system does not start all of them, on fewer, but
 * at least on one. Returns when all calls have returned. */
void workers_run(int threads, void (*work)(void *user, worker *self), void *user);

/* Sets *item to the next of the items 0 … n − 1 of this round. Returns false if no item is left. */
bool worker_next(worker *self, uint64_t n, uint64_t *item);

/* Waits for all workers, runs `between` (may be NULL) on exactly one of them, and starts a new round with
 * item 0. Afterwards all workers see what any worker wrote before. */
void worker_barrier(worker *self, void (*between)(void *user), void *user);

/* As worker_barrier, but runs `between` (not NULL) on the thread that called workers_run, because only that
 * thread may make collective calls. */
void worker_barrier_main(worker *self, void (*between)(void *user), void *user);

#endif
