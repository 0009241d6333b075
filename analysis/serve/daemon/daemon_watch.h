/* The connections of a server, and the end of those that take too long. Part of the program.
 *
 * libmicrohttpd closes idle connections; this module closes those that send only a byte now and then. Any
 * thread may call it. A watched connection lives from watch_add to watch_remove.
 */
#ifndef ANALYSIS_SERVE_DAEMON_DAEMON_WATCH_H
#define ANALYSIS_SERVE_DAEMON_DAEMON_WATCH_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

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

#endif
