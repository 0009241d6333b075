/* Passes requests between libmicrohttpd and an `api`. Part of the program; daemon.c starts and stops all of
 * it. */
#ifndef ANALYSIS_SERVE_DAEMON_DAEMON_REQUESTS_H
#define ANALYSIS_SERVE_DAEMON_DAEMON_REQUESTS_H

#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>

#include "analysis/serve/daemon/daemon.h"
#include "analysis/serve/daemon/daemon_watch.h"
#include "analysis/serve/daemon/daemon_workers.h"

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
