/* The connections of a server, and the end of those that take too long. Part of the program.
 *
 * libmicrohttpd closes idle connections; a connection that sends a byte now and then is closed here. Any
 * thread may call; a watched connection lives from watch_add to watch_remove.
 */
#ifndef ANALYSIS_SERVE_DAEMON_DAEMON_WATCH_H
#define ANALYSIS_SERVE_DAEMON_DAEMON_WATCH_H

#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

/* The event that a connection is waited for. */
typedef enum {
  WATCH_REQUEST, /* to send the whole of its next request */
  WATCH_WORK,    /* nothing: the answer is being made */
  WATCH_ANSWER   /* to take its answer */
} watch_stage;

typedef struct watched {
  struct watched *next, *previous;
  int socket;
  _Atomic double since; /* clock_wall() at the beginning of the stage */
  _Atomic watch_stage stage;
} watched;

typedef struct {
  pthread_mutex_t lock;
  watched *first;
  size_t used;
} watch;

/* NULL: no memory. */
watched *watch_add(watch *all, int socket);
void watch_remove(watch *all, watched *connection); /* NULL is ignored */
size_t watch_count(watch *all);

void watch_set(watched *connection, watch_stage stage); /* NULL is ignored */

/* Shuts the sockets of those that have been waited for too long. */
void watch_shut(watch *all, double request_seconds, double answer_seconds);

#endif
