/* Works jobs off in their order, on a few threads. */
#include "analysis/serve/daemon/daemon_workers.h"

#include <pthread.h>
#include <stdlib.h>

struct workers {
  pthread_mutex_t lock;
  pthread_cond_t ready;
  job *first, **last;
  size_t waiting[JOB_KINDS], most[JOB_KINDS];
  size_t working[JOB_KINDS], most_working[JOB_KINDS];
  bool stopping;
  void (*work)(void *user, job *next);
  void *user;
  size_t threads_used;
  pthread_t threads[];
};

/* The first job that may be begun now, taken out; NULL: none. */
static job *take(workers *all) {
  for (job **at = &all->first; *at; at = &(*at)->next) {
    job *found = *at;
    if (all->working[found->kind] >= all->most_working[found->kind]) continue;
    *at = found->next;
    if (!found->next) all->last = at;
    all->waiting[found->kind]--;
    all->working[found->kind]++;
    return found;
  }
  return NULL;
}

static void *run(void *of) {
  workers *all = of;
  pthread_mutex_lock(&all->lock);
  for (;;) {
    job *next = take(all);
    if (next) {
      const job_kind kind = next->kind;
      pthread_mutex_unlock(&all->lock);
      all->work(all->user, next);
      pthread_mutex_lock(&all->lock);
      all->working[kind]--;
      if (kind != JOB_SLOW) pthread_cond_signal(&all->ready);
    } else if (all->stopping && !all->first) {
      break;
    } else {
      pthread_cond_wait(&all->ready, &all->lock);
    }
  }
  pthread_cond_broadcast(&all->ready);
  pthread_mutex_unlock(&all->lock);
  return NULL;
}

workers *workers_start(int threads, const size_t most[JOB_KINDS], void (*work)(void *user, job *next),
                       void *user) {
  const size_t dear = threads < 2 ? 1 : (size_t)threads - 1, wanted = (JOB_KINDS - 1) * dear + 1;
  workers *all = calloc(1, sizeof *all + wanted * sizeof *all->threads);
  if (!all) return NULL;
  all->last = &all->first;
  for (int kind = 0; kind < JOB_KINDS; kind++) {
    all->most[kind] = most[kind];
    all->most_working[kind] = kind == JOB_SLOW ? wanted : dear;
  }
  all->work = work;
  all->user = user;
  pthread_mutex_init(&all->lock, NULL);
  pthread_cond_init(&all->ready, NULL);
  while (all->threads_used < wanted && pthread_create(&all->threads[all->threads_used], NULL, run, all) == 0)
    all->threads_used++;
  if (all->threads_used == wanted) return all;
  workers_stop(all);
  workers_free(all);
  return NULL;
}

bool workers_add(workers *all, job *next) {
  pthread_mutex_lock(&all->lock);
  const bool room = !all->stopping && all->waiting[next->kind] < all->most[next->kind];
  if (room) {
    next->next = NULL;
    *all->last = next;
    all->last = &next->next;
    all->waiting[next->kind]++;
    pthread_cond_signal(&all->ready);
  }
  pthread_mutex_unlock(&all->lock);
  return room;
}

void workers_stop(workers *all) {
  pthread_mutex_lock(&all->lock);
  all->stopping = true;
  pthread_cond_broadcast(&all->ready);
  pthread_mutex_unlock(&all->lock);
  for (size_t i = 0; i < all->threads_used; i++) pthread_join(all->threads[i], NULL);
}

void workers_free(workers *all) {
  if (!all) return;
  pthread_cond_destroy(&all->ready);
  pthread_mutex_destroy(&all->lock);
  free(all);
}
