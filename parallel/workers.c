/* Starts worker threads, distributes items to them, and lets them wait for each other. */
#include "parallel/workers.h"

#include <pthread.h>
#include <stdatomic.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include "base/command/threads.h"

struct workers {
  pthread_mutex_t lock;
  pthread_cond_t next_round;
  int members, waiting;
  bool roomy; /* true if each thread has a processor, so that a thread may spin while it waits */
  _Atomic uint64_t rounds;
  _Atomic uint64_t next_item;
};

void workers_run(int threads, void (*work)(void *user, worker *self), void *user) {
  workers shared = {.lock = PTHREAD_MUTEX_INITIALIZER, .next_round = PTHREAD_COND_INITIALIZER, .members = 1};
  shared.roomy = threads <= threads_available();
  if (threads <= 1) {
    worker alone = {&shared, 0};
    work(user, &alone);
    return;
  }
#pragma omp parallel num_threads(threads)
  {
    worker self = {&shared, 0};
#ifdef _OPENMP
    self.number = omp_get_thread_num();
#pragma omp single
    shared.members = omp_get_num_threads();
#endif
    work(user, &self);
  }
}

bool worker_next(worker *self, uint64_t n, uint64_t *item) {
  *item = atomic_fetch_add_explicit(&self->workers->next_item, 1, memory_order_relaxed);
  return *item < n;
}

/* Most barriers open within microseconds, sooner than a thread can fall asleep and wake. */
static bool round_ends_soon(const workers *shared, uint64_t round) {
  enum { LOOKS = 1000 };
  for (int i = 0; i < LOOKS; i++) {
    if (atomic_load_explicit(&shared->rounds, memory_order_acquire) != round) return true;
#ifdef __SSE2__
    __builtin_ia32_pause();
#endif
  }
  return false;
}

void worker_barrier(worker *self, void (*between)(void *user), void *user) {
  workers *shared = self->workers;
  const uint64_t round = atomic_load_explicit(&shared->rounds, memory_order_acquire);
  pthread_mutex_lock(&shared->lock);
  const bool is_last = ++shared->waiting == shared->members;
  if (is_last) {
    if (between) between(user);
    atomic_store_explicit(&shared->next_item, 0, memory_order_relaxed);
    shared->waiting = 0;
    shared->rounds++;
    pthread_cond_broadcast(&shared->next_round);
  }
  pthread_mutex_unlock(&shared->lock);
  if (is_last || (shared->roomy && round_ends_soon(shared, round))) return;
  pthread_mutex_lock(&shared->lock);
  while (shared->rounds == round) pthread_cond_wait(&shared->next_round, &shared->lock);
  pthread_mutex_unlock(&shared->lock);
}

void worker_barrier_main(worker *self, void (*between)(void *user), void *user) {
  worker_barrier(self, NULL, NULL);
  if (self->number == 0) between(user);
  worker_barrier(self, NULL, NULL);
}
