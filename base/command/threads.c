/* Finds out how many threads a command may use. */
#include "base/command/threads.h"

#include <pthread.h>
#include <sched.h>

#include "base/available.h"

enum { MOST_THREADS = 4096 };

int threads_available(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  const uint64_t n = (uint64_t)CPU_COUNT(&set), paid = available_group_processors("");
  return n == 0 ? 1 : (int)(n < paid ? n : paid);
}

/* Keeps a thread alive until all have been started. */
static void *wait_for_gate(void *user) {
  pthread_mutex_t *gate = user;
  pthread_mutex_lock(gate);
  pthread_mutex_unlock(gate);
  return NULL;
}

int threads_startable(int wanted) {
  if (wanted <= 1) return 1;
  pthread_t started[MOST_THREADS];
  pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
  int n = 0;
  pthread_mutex_lock(&gate);
  while (n + 1 < wanted && n < MOST_THREADS && pthread_create(&started[n], NULL, wait_for_gate, &gate) == 0)
    n++;
  pthread_mutex_unlock(&gate);
  for (int i = 0; i < n; i++) pthread_join(started[i], NULL);
  return n + 1;
}

tauler_error threads_option(const options *parsed, int *threads, tauler_message *message) {
  uint64_t wanted = (uint64_t)threads_available();
  const tauler_error error = options_number(parsed, "threads", 1, MOST_THREADS, &wanted, message);
  if (!error) *threads = threads_startable((int)wanted);
  return error;
}
