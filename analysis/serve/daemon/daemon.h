/* Serves an `api` on the network with libmicrohttpd. Part of the program, not of the library.
 *
 * Event threads, each with up to a thousand connections, answer quick questions themselves. Slow ones go to
 * workers; searches never occupy all of them. If the program was built without libmicrohttpd, serving is
 * TAULER_UNAVAILABLE.
 */
#ifndef ANALYSIS_SERVE_DAEMON_DAEMON_H
#define ANALYSIS_SERVE_DAEMON_DAEMON_H

#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/serve/api.h"

typedef struct {
  const char *address; /* "127.0.0.1", "::1" */
  uint16_t port;       /* 0: any free port */
  int threads;
  unsigned connections; /* largest number at once */
  unsigned timeout;     /* seconds without a byte, and for a request to arrive */
} daemon_settings;

/* TAULER_OK if the program can serve at all, otherwise TAULER_UNAVAILABLE. */
tauler_error daemon_is_built(tauler_message *message);

/* Serves until a signal is noted (base/command/signals.h), which the caller holds; then finishes requests in
 * progress. When connections are accepted, a line on standard output says where. Errors: TAULER_BAD_USAGE (a
 * wrong address), TAULER_IO (an address that is not available), TAULER_NO_MEMORY, TAULER_UNAVAILABLE. */
tauler_error daemon_run(api *api, const daemon_settings *settings, tauler_message *message);

/* Compresses answers for clients that accept gzip. Private to analysis/serve/daemon; any thread may call
 * it. */

/* True if a header Accept-Encoding (NULL: none) accepts gzip. */
bool gzip_is_taken(const char *accepted);

/* Compresses the body of a long answer and makes its tag a weak one. A body that cannot be compressed is
 * unchanged. */
void gzip_response(api_response *response);

/* The connections of a server, and the end of those that take too long. Part of the program.
 *
 * libmicrohttpd closes idle connections; this module closes those that send only a byte now and then. Any
 * thread may call it. A watched connection lives from watch_add to watch_remove.
 */

/* The event that a connection is waiting for. */
typedef enum {
  WATCH_REQUEST, /* the rest of its next request */
  WATCH_WORK,    /* nothing: the answer is being computed */
  WATCH_ANSWER   /* reception of the answer */
} watch_stage;

typedef struct watched {
  struct watched *next, *previous;
  int socket;
  _Atomic double since; /* clock_wall() at the start of the stage */
  _Atomic watch_stage stage;
} watched;

typedef struct {
  pthread_mutex_t lock;
  watched *first;
  size_t used;
} watch;

/* NULL if out of memory. */
watched *watch_add(watch *all, int socket);
void watch_remove(watch *all, watched *connection); /* NULL is ignored */
size_t watch_count(watch *all);

void watch_set(watched *connection, watch_stage stage); /* NULL is ignored */

/* Shuts down the sockets of connections that have been waited for too long. */
void watch_shut(watch *all, double request_seconds, double answer_seconds);

/* Threads that run jobs in order of arrival; expensive kinds of jobs never occupy all threads. Part of the
 * program.
 *
 * A workers owns its threads and nothing else. A job belongs to the caller that adds it, except during
 * `work`, which is called once for it. Any thread may add jobs. Jobs whose client has left do not count for
 * any limit.
 */

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

/* Passes requests between libmicrohttpd and an `api`. Part of the program; daemon.c starts and stops all of
 * it. */

/* The state that all requests of a server share. */
typedef struct {
  api *api;
  workers *workers;
  atomic_bool stopping, hurrying; /* hurrying: jobs that still wait are refused */
  watch connections;
  pthread_mutex_t lock;
  pthread_cond_t fewer;
  size_t under_way; /* requests in progress, from the end of their headers to the end of their answer */
} server;

/* Callbacks of libmicrohttpd; `user` is the server. */
void *requests_begin(void *user, const char *uri, struct MHD_Connection *connection);
enum MHD_Result requests_answer(void *user, struct MHD_Connection *connection, const char *url,
                                const char *method, const char *version, const char *upload,
                                size_t *upload_size, void **request);
void requests_end(void *user, struct MHD_Connection *connection, void **request,
                  enum MHD_RequestTerminationCode how);
void requests_watch(void *user, struct MHD_Connection *connection, void **socket_context,
                    enum MHD_ConnectionNotificationCode what);

/* Callbacks of workers. requests_work answers a request and wakes its connection. requests_left returns true
 * if the client has closed the connection, or its side of it. */
void requests_work(void *user, job *next);
bool requests_left(const job *waiting);

/* requests_left for the request that the calling thread answers. */
bool requests_asker_left(void *user);

/* Waits until no request is in progress, at most `seconds`. */
void requests_wait(server *all, double seconds);

#endif
