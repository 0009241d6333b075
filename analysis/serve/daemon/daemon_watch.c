/* Lists the connections, and shuts down those that take too long. */
#ifdef TAULER_HTTP

#include "analysis/serve/daemon/daemon.h"

#include <stdlib.h>
#include <sys/socket.h>

#include "base/clock.h"

watched *watch_add(watch *all, int socket) {
  watched *added = calloc(1, sizeof *added);
  if (!added) return NULL;
  added->socket = socket;
  watch_set_stage(added, WATCH_REQUEST);
  pthread_mutex_lock(&all->lock);
  added->next = all->first;
  if (all->first) all->first->previous = added;
  all->first = added;
  all->used++;
  pthread_mutex_unlock(&all->lock);
  return added;
}

void watch_remove(watch *all, watched *connection) {
  if (!connection) return;
  pthread_mutex_lock(&all->lock);
  if (connection->next) connection->next->previous = connection->previous;
  if (connection->previous) {
    connection->previous->next = connection->next;
  } else {
    all->first = connection->next;
  }
  all->used--;
  pthread_mutex_unlock(&all->lock);
  free(connection);
}

size_t watch_count(watch *all) {
  pthread_mutex_lock(&all->lock);
  const size_t used = all->used;
  pthread_mutex_unlock(&all->lock);
  return used;
}

void watch_set_stage(watched *connection, watch_stage stage) {
  if (!connection) return;
  atomic_store_explicit(&connection->since, clock_wall(), memory_order_relaxed);
  atomic_store_explicit(&connection->stage, stage, memory_order_relaxed);
}

/* The lock keeps a socket from being closed, and its number from being reused, while it is shut down. */
void watch_shut_slow(watch *all, double request_seconds, double answer_seconds) {
  const double now = clock_wall();
  pthread_mutex_lock(&all->lock);
  for (watched *at = all->first; at; at = at->next) {
    const watch_stage stage = atomic_load_explicit(&at->stage, memory_order_relaxed);
    const double waited = now - atomic_load_explicit(&at->since, memory_order_relaxed);
    if ((stage == WATCH_REQUEST && waited > request_seconds) ||
        (stage == WATCH_ANSWER && waited > answer_seconds))
      shutdown(at->socket, SHUT_RDWR);
  }
  pthread_mutex_unlock(&all->lock);
}

#endif
