/* Threads that run jobs in order of arrival; expensive kinds of jobs never occupy all threads. Part of the
 * program.
 *
 * A workers owns its threads and nothing else. A job belongs to the caller that adds it, except during
 * `work`, which is called once for it. Any thread may add jobs. Jobs whose client has left do not count for
 * any limit.
 */
#ifndef ANALYSIS_SERVE_DAEMON_DAEMON_WORKERS_H
#define ANALYSIS_SERVE_DAEMON_DAEMON_WORKERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { JOB_SLOW, JOB_DEAR, JOB_SEARCH, JOB_KINDS } job_kind;

typedef struct job {
  struct job *next;
  job_kind kind;
  uint8_t client[16]; /* address of the client */
} job;

/* Largest numbers of waiting jobs of a kind. */
typedef struct {
  size_t all, of_one_client;
} job_limits;

typedef struct {
  void (*work)(void *user, job *next);
  bool (*has_left)(const job *waiting); /* true: nobody waits for the job any more */
  void *user;
} job_calls;

typedef struct workers workers;

/* Starts `threads` threads for each expensive kind, less one if there are two or more, and one for slow jobs
 * alone. NULL if the system gives no threads or memory. */
workers *workers_start(int threads, const job_limits most[JOB_KINDS], const job_calls *calls);

/* Returns false if too many of the kind are waiting, or if the threads are being stopped. */
bool workers_add(workers *all, job *next);

/* The job that the calling thread runs; NULL if none. */
job *workers_doing(const workers *all);

/* Finishes the waiting jobs and ends the threads. workers_add may still be called, but returns false. */
void workers_stop(workers *all);

/* Frees workers that have been stopped. NULL is ignored. */
void workers_free(workers *all);

#endif
