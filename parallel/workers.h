/* Workers: the threads that work on one slice, with barriers between rounds.
 *
 * OpenMP starts the threads once per slice. At a barrier they spin for a short time and then sleep, so that a
 * busy machine loses nothing. Work is distributed item by item from one queue. All workers of a workers_run
 * make the same calls of worker_barrier.
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

/* Calls work(user, worker) on `threads` threads, or on as many as the system gives, at least one. Returns
 * when all have returned. */
void workers_run(int threads, void (*work)(void *user, worker *self), void *user);

/* Gives the next of the items 0 … n − 1 of this round. Returns false if none is left. */
bool worker_next(worker *self, uint64_t n, uint64_t *item);

/* Waits for all workers, runs `between` (may be NULL) on exactly one of them, and starts a new round with a
 * full queue. Afterwards all workers see what any of them wrote before. */
void worker_barrier(worker *self, void (*between)(void *user), void *user);

/* As worker_barrier, but the thread that called workers_run runs `between`, since only that thread may call
 * comm.h. */
void worker_barrier_main(worker *self, void (*between)(void *user), void *user);

#endif
