/* Threads that do jobs in order of arrival; jobs of dear kinds never take all threads. Part of the program.
 *
 * A workers owns its threads and nothing else; a job belongs to the caller that adds it, but while `work`
 * runs with it, once. Any thread may add.
 */
#ifndef ANALYSIS_SERVE_DAEMON_DAEMON_WORKERS_H
#define ANALYSIS_SERVE_DAEMON_DAEMON_WORKERS_H

#include <stdbool.h>
#include <stddef.h>

typedef enum { JOB_SLOW, JOB_DEAR, JOB_SEARCH, JOB_KINDS } job_kind;

typedef struct job {
  struct job *next;
  job_kind kind;
} job;

typedef struct workers workers;

/* As many threads for each of the dear kinds as `threads`, less one where there are two or more, and one for
 * slow jobs alone. At most `most[kind]` jobs of a kind wait at once. NULL: the system gives no threads or
 * memory.
 */
workers *workers_start(int threads, const size_t most[JOB_KINDS], void (*work)(void *user, job *next),
                       void *user);

/* False: too many of the kind are waiting, or the threads are being ended. */
bool workers_add(workers *all, job *next);

/* Works off what is waiting, and ends the threads; workers_add goes on to be called in vain. */
void workers_stop(workers *all);

/* The workers must have stopped. NULL is ignored. */
void workers_free(workers *all);

#endif
