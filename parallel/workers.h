/* Workers: the threads that work on one slice, with barriers between rounds.
 *
 * OpenMP starts the threads once per slice. At a barrier they spin for a short while and then sleep, so that
 * a loaded machine loses nothing. Work is handed out item by item from one queue. All workers of a
 * workers_run make the same calls of worker_barrier.
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

/* Calls work(user, worker) on `threads` threads (fewer where the system gives fewer; one at least)
 * and returns when all have come back. */
void workers_run(int threads, void (*work)(void *user, worker *self), void *user);

/* Takes the next of the items 0 … n − 1 of this round; false when none is left. */
bool worker_next(worker *self, uint64_t n, uint64_t *item);

/* Waits for all workers, lets exactly one of them run `between` (may be NULL), and starts a new
 * round with a full queue. All workers see after it what any of them wrote before it. */
void worker_barrier(worker *self, void (*between)(void *user), void *user);

/* As worker_barrier, but the thread that called workers_run runs `between`: that thread may pass messages. */
void worker_barrier_main(worker *self, void (*between)(void *user), void *user);

#endif
