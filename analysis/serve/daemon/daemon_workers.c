/* Runs jobs on a few threads. */
#ifdef TAULER_HTTP

#include "analysis/serve/daemon/daemon.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Largest numbers of waiting jobs, in all and of one client. Searches take seconds each, so only few of them
 * wait: a client should rather ask again than wait long, and no client alone fills the queue of an expensive
 * kind. */
typedef struct {
  size_t all, of_one_client;
} job_limits;
static const job_limits most_waiting[JOB_KINDS] = {
    [JOB_SLOW] = {1024, 1024}, [JOB_DEAR] = {64, 16}, [JOB_SEARCH] = {16, 4}};

struct workers {
  server *of;
  pthread_mutex_t lock;
  pthread_cond_t ready;
  pthread_key_t doing; /* key of the job that a thread runs */
  job *first, **last;
  size_t working[JOB_KINDS], most_working[JOB_KINDS];
  bool stopping;
  size_t threads_used;
  pthread_t threads[];
};

/* Returns NULL if no job may start now. */
static job *remove_next_job(workers *all) {
  for (job **at = &all->first; *at; at = &(*at)->next) {
    job *found = *at;
    if (all->working[found->kind] >= all->most_working[found->kind]) continue;
    *at = found->next;
    if (!found->next) all->last = at;
    all->working[found->kind]++;
    return found;
  }
  return NULL;
}

static void *run_jobs(void *of) {
  workers *all = of;
  pthread_mutex_lock(&all->lock);
  for (;;) {
    job *next = remove_next_job(all);
    if (next) {
      const job_kind kind = next->kind;
      pthread_mutex_unlock(&all->lock);
      pthread_setspecific(all->doing, next);
      requests_answer_job(all->of, next);
      pthread_setspecific(all->doing, NULL);
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

workers *workers_start(server *of, int threads) {
  const size_t dear = threads < 2 ? 1 : (size_t)threads - 1, wanted = (JOB_KINDS - 1) * dear + 1;
  workers *all = calloc(1, sizeof *all + wanted * sizeof *all->threads);
  if (!all) return NULL;
  if (pthread_key_create(&all->doing, NULL) != 0) {
    free(all);
    return NULL;
  }
  all->last = &all->first;
  for (int kind = 0; kind < JOB_KINDS; kind++) all->most_working[kind] = kind == JOB_SLOW ? wanted : dear;
  all->of = of;
  pthread_mutex_init(&all->lock, NULL);
  pthread_cond_init(&all->ready, NULL);
  while (all->threads_used < wanted &&
         pthread_create(&all->threads[all->threads_used], NULL, run_jobs, all) == 0)
    all->threads_used++;
  if (all->threads_used == wanted) return all;
  workers_stop(all);
  workers_free(all);
  return NULL;
}

/* True if another job like this one may wait. If `look`, jobs whose client has left do not count. */
static bool has_room(const workers *all, const job *next, bool look) {
  job_limits left = most_waiting[next->kind];
  for (const job *at = all->first; at && left.all > 0 && left.of_one_client > 0; at = at->next) {
    if (at->kind != next->kind || (look && requests_client_left(at))) continue;
    left.all--;
    left.of_one_client -= memcmp(at->client, next->client, sizeof at->client) == 0;
  }
  return left.all > 0 && left.of_one_client > 0;
}

job *workers_current_job(const workers *all) {
  return pthread_getspecific(all->doing);
}

bool workers_add(workers *all, job *next) {
  pthread_mutex_lock(&all->lock);
  const bool room = !all->stopping && (has_room(all, next, false) || has_room(all, next, true));
  if (room) {
    next->next = NULL;
    *all->last = next;
    all->last = &next->next;
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
  pthread_key_delete(all->doing);
  pthread_cond_destroy(&all->ready);
  pthread_mutex_destroy(&all->lock);
  free(all);
}

#endif
