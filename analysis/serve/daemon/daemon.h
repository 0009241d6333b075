/* Serves an `api` on the network with libmicrohttpd. Part of the program, not of the library.
 *
 * Event threads answer quick questions themselves. Workers answer the others; searches never occupy all
 * workers. If the program was built without libmicrohttpd, serving is TAULER_UNAVAILABLE.
 */
#ifndef ANALYSIS_SERVE_DAEMON_DAEMON_H
#define ANALYSIS_SERVE_DAEMON_DAEMON_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/serve/api.h"

typedef struct {
  const char *address;
  uint16_t port; /* 0 for any free port */
  int threads;   /* number of event threads, from which the number of workers follows */
  unsigned connections;
  unsigned timeout; /* seconds without a byte after which a connection is closed */
} daemon_settings;

tauler_error daemon_check_built(tauler_message *message);

/* Serves until a signal arrives (the caller holds signals), then finishes the requests in progress, but
 * refuses those that still wait after 20 seconds. Prints its address on a line. Errors: TAULER_BAD_USAGE (a
 * wrong address), TAULER_IO (an address that is not available), TAULER_NO_MEMORY, TAULER_UNAVAILABLE. */
tauler_error daemon_run(const api_settings *served, const daemon_settings *settings, tauler_message *message);

#ifdef TAULER_HTTP

#include <microhttpd.h>

typedef struct watched watched;

/* Threads that run jobs. The next one is the earliest whose kind may occupy one more thread. Expensive kinds
 * of jobs never occupy all threads.
 *
 * A workers owns its threads and nothing else. A job belongs to its caller, except between workers_add and
 * the end of requests_answer_job, which is called once for it. Any thread may add jobs. A waiting job whose
 * client has left takes the place of no other job.
 */

typedef enum { JOB_SLOW, JOB_DEAR, JOB_SEARCH, JOB_KINDS } job_kind;

typedef struct job {
  struct job *next;
  job_kind kind;
  uint8_t client[16];
} job;

typedef struct workers workers;
typedef struct server server;

/* Starts threads: for each expensive kind `threads` − 1, but at least one, and one thread more, which is
 * always left for slow jobs. Returns NULL if the system gives no threads or memory. */
workers *workers_start(server *of, int threads);

/* Adds a job. Returns false if too many of its kind are waiting, or if workers_stop was called. */
bool workers_add(workers *all, job *next);

job *workers_current_job(const workers *all);

/* Finishes the waiting jobs and ends the threads. workers_add may still be called, but then returns false. */
void workers_stop(workers *all);

/* Frees workers that have been stopped. NULL is ignored. */
void workers_free(workers *all);

/* Passes requests between libmicrohttpd and an `api`. daemon.c starts and stops both. */

struct server {
  api *api;
  workers *workers;
  atomic_bool stopping, hurrying; /* `hurrying` means that jobs that still wait are refused */
  watched *connections;
  size_t connections_used;
  pthread_mutex_t lock;
  pthread_cond_t fewer;
  size_t under_way; /* number of requests between the end of their headers and the end of their answer */
};

/* Callbacks of libmicrohttpd; `user` is the server. */
void *requests_begin(void *user, const char *uri, struct MHD_Connection *connection);
enum MHD_Result requests_answer(void *user, struct MHD_Connection *connection, const char *url,
                                const char *method, const char *version, const char *upload,
                                size_t *upload_size, void **request);
void requests_end(void *user, struct MHD_Connection *connection, void **request,
                  enum MHD_RequestTerminationCode how);
void requests_watch(void *user, struct MHD_Connection *connection, void **socket_context,
                    enum MHD_ConnectionNotificationCode what);

void requests_answer_job(server *all, job *next);

/* True if the client has closed the connection or its side of it. */
bool requests_client_left(const job *waiting);

/* True if the client whose request the calling thread answers has left. */
bool requests_own_client_left(void *user);

/* Shuts down connections that wait longer than this for the rest of a request, or for the end of the sending
 * of an answer. libmicrohttpd itself closes only those on which no byte moves. */
void requests_shut_slow(server *all, double request_seconds, double answer_seconds);

/* Waits until no request is in progress, but at most this many seconds. */
void requests_wait(server *all, double seconds);

#endif

#endif
