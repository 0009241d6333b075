#include "tests/support/toy_comm.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum { CALL_SWAP, CALL_COMBINE, CALL_SPREAD } call_kind;

/* A rank's data, for the others to read between two barriers. */
typedef struct {
  call_kind kind;
  size_t n;   /* room, numbers or bytes: the same for all */
  int detail; /* operation or sender */
  const comm_buffer *out;
  const uint64_t *numbers;
  void *bytes;
} toy_call;

typedef struct {
  pthread_mutex_t lock;
  pthread_cond_t met;
  int ranks, waiting, gone;
  uint64_t barriers;
  toy_call *calls;
  int failing_rank;
  uint64_t failing_call;
  bool failed;
} toy_world;

typedef struct {
  toy_world *world;
  int rank;
  uint64_t calls;
  void (*rank_main)(comm *comm, void *user);
  void *user;
} toy_rank;

static void abort_world(const toy_world *world, const char *what) {
  fprintf(stderr, "toy_comm: %d ranks: %s\n", world->ranks, what);
  abort();
}

static void barrier(toy_world *world) {
  pthread_mutex_lock(&world->lock);
  if (world->gone > 0 && !world->failed) abort_world(world, "one waits for another that has come back");
  if (++world->waiting == world->ranks) {
    world->waiting = 0;
    world->barriers++;
    pthread_cond_broadcast(&world->met);
  } else {
    const uint64_t barrier = world->barriers;
    while (world->barriers == barrier && !world->failed) pthread_cond_wait(&world->met, &world->lock);
  }
  pthread_mutex_unlock(&world->lock);
}

static bool has_failed(toy_world *world) {
  pthread_mutex_lock(&world->lock);
  const bool failed = world->failed;
  pthread_mutex_unlock(&world->lock);
  return failed;
}

/* All ranks come with their calls; false when the comm is broken. */
static bool begin(toy_rank *self, toy_call call) {
  toy_world *world = self->world;
  if (self->rank == world->failing_rank && self->calls++ == world->failing_call) {
    pthread_mutex_lock(&world->lock);
    world->failed = true;
    pthread_cond_broadcast(&world->met);
    pthread_mutex_unlock(&world->lock);
    return false;
  }
  world->calls[self->rank] = call;
  barrier(world);
  if (has_failed(world)) return false;
  for (int rank = 0; rank < world->ranks; rank++) {
    const toy_call *other = &world->calls[rank];
    if (other->kind != call.kind || other->n != call.n || other->detail != call.detail)
      abort_world(world, "they have come to different calls");
  }
  return true;
}

static tauler_error end(toy_rank *self) {
  barrier(self->world);
  return has_failed(self->world) ? TAULER_IO : TAULER_OK;
}

static tauler_error swap(void *link, const comm_buffer *out, comm_buffer *in, size_t room, bool wait) {
  toy_rank *self = link;
  if (!begin(self, (toy_call){.kind = CALL_SWAP, .n = room, .out = out})) return TAULER_IO;
  for (int from = 0; from < self->world->ranks; from++) {
    if (from == self->rank) continue;
    const comm_buffer *buffer = &self->world->calls[from].out[self->rank];
    if (buffer->n > room) abort_world(self->world, "what a rank sends is larger than the room for it");
    if (buffer->n) memcpy(in[from].bytes, buffer->bytes, buffer->n);
    in[from].n = buffer->n;
  }
  return end(self);
}

static tauler_error allreduce(void *link, comm_operation operation, uint64_t *numbers, size_t n) {
  toy_rank *self = link;
  if (!begin(self, (toy_call){CALL_COMBINE, n, (int)operation, .numbers = numbers})) return TAULER_IO;
  uint64_t *results = calloc(n + 1, sizeof *results);
  for (int rank = 0; results && rank < self->world->ranks; rank++) {
    for (size_t i = 0; i < n; i++) {
      const uint64_t number = self->world->calls[rank].numbers[i];
      if (operation == COMM_SUM) results[i] += number;
      if (operation == COMM_MAX && number > results[i]) results[i] = number;
      if (operation == COMM_OR) results[i] |= number;
    }
  }
  const tauler_error error = end(self);
  if (results && !error) memcpy(numbers, results, n * sizeof *numbers);
  free(results);
  return results ? error : TAULER_IO;
}

static tauler_error bcast(void *link, int from, void *bytes, size_t n) {
  toy_rank *self = link;
  if (!begin(self, (toy_call){CALL_SPREAD, n, from, .bytes = bytes})) return TAULER_IO;
  if (from != self->rank && n) memcpy(bytes, self->world->calls[from].bytes, n);
  return end(self);
}

static void *run_rank(void *user) {
  toy_rank *self = user;
  comm *own = NULL;
  const comm_link link = {.link = self,
                          .rank = self->rank,
                          .ranks = self->world->ranks,
                          .finish = swap,
                          .allreduce = allreduce,
                          .bcast = bcast};
  if (comm_open(&link, &own, NULL) != TAULER_OK) abort_world(self->world, "no memory");
  self->rank_main(own, self->user);
  comm_close(own);
  pthread_mutex_lock(&self->world->lock);
  self->world->gone++;
  if (self->world->waiting > 0 && !self->world->failed)
    abort_world(self->world, "one comes back while another waits");
  pthread_mutex_unlock(&self->world->lock);
  return NULL;
}

void toy_comm_run_failing(int ranks, int rank, uint64_t fails, void (*rank_main)(comm *comm, void *user),
                          void *user) {
  toy_world world = {.lock = PTHREAD_MUTEX_INITIALIZER,
                     .met = PTHREAD_COND_INITIALIZER,
                     .ranks = ranks,
                     .calls = calloc((size_t)ranks, sizeof *world.calls),
                     .failing_rank = rank,
                     .failing_call = fails};
  toy_rank *all = calloc((size_t)ranks, sizeof *all);
  pthread_t *threads = calloc((size_t)ranks, sizeof *threads);
  if (!world.calls || !all || !threads) abort_world(&world, "no memory");
  for (int r = 0; r < ranks; r++) {
    all[r] = (toy_rank){.world = &world, .rank = r, .rank_main = rank_main, .user = user};
    if (pthread_create(&threads[r], NULL, run_rank, &all[r]) != 0) abort_world(&world, "no thread");
  }
  for (int r = 0; r < ranks; r++) pthread_join(threads[r], NULL);
  free(threads);
  free(all);
  free(world.calls);
  pthread_mutex_destroy(&world.lock);
  pthread_cond_destroy(&world.met);
}

void toy_comm_run(int ranks, void (*rank_main)(comm *comm, void *user), void *user) {
  toy_comm_run_failing(ranks, -1, 0, rank_main, user);
}
