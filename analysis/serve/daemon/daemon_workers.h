/* Threads that do jobs in order of arrival; jobs of dear kinds never take all threads. Part of the program.
 *
 * A workers owns its threads and nothing else; a job belongs to the caller that adds it, but while `work`
 * runs with it, once. Any thread may add. Jobs whose client has left count for no limit.
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

/* Jobs of a kind that wait at once, at most. */
typedef struct {
  size_t all, of_one_client;
} job_limits;

typedef struct {
  void (*work)(void *user, job *next);
  bool (*has_left)(const job *waiting); /* true: nobody waits for the job any more */
  void *user;
} job_calls;

typedef struct workers workers;

/* As many threads for each of the dear kinds as `threads`, less one where there are two or more, and one for
 * slow jobs alone. NULL: the system gives no threads or memory. */
workers *workers_start(int threads, const job_limits most[JOB_KINDS], const job_calls *calls);

/* False: too many of the kind are waiting, or the threads are being ended. */
bool workers_add(workers *all, job *next);

/* The job that the calling thread works at; NULL: none. */
job *workers_doing(const workers *all);

/* Works off what is waiting, and ends the threads; workers_add goes on to be called in vain. */
void workers_stop(workers *all);

/* The workers must have stopped. NULL is ignored. */
void workers_free(workers *all);

#endif
