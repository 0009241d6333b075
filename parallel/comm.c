/* Makes the collective calls of the ranks, and counts the bytes that this rank sends. */
#include "parallel/comm.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/clock.h"
#include "parallel/watchdog.h"

struct comm {
  comm_link link;
  bool broken;
  uint64_t bytes_sent;
  bool under_way;         /* true between comm_start_alltoallv and comm_finish_alltoallv */
  const comm_buffer *out; /* argument of comm_start_alltoallv, like `in` and `room` */
  comm_buffer *in;
  size_t room;
  _Atomic(watchdog *) watched_by;
  _Atomic uint64_t notes;
  pthread_t opened_by;
  comm *waiting;
  _Atomic uint64_t received;
  double next_pulse; /* wall time in seconds before which send_pulse does nothing */
};

tauler_error comm_open(const comm_link *link, comm **out, tauler_message *message) {
  *out = calloc(1, sizeof **out);
  if (!*out) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for the communicator");
  (*out)->link = link ? *link : (comm_link){.ranks = 1};
  (*out)->opened_by = pthread_self();
  return TAULER_OK;
}

void comm_close(comm *comm) {
  if (!comm) return;
  if (comm->link.close) comm->link.close(comm->link.link);
  free(comm);
}

int comm_rank(const comm *comm) {
  return comm ? comm->link.rank : 0;
}

int comm_ranks_on_host(const comm *comm) {
  return comm && comm->link.neighbours > 0 ? comm->link.neighbours : 1;
}

int comm_ranks(const comm *comm) {
  return comm ? comm->link.ranks : 1;
}

bool comm_is_broken(const comm *comm) {
  return comm && comm->broken;
}

uint64_t comm_bytes_sent(const comm *comm) {
  return comm ? comm->bytes_sent : 0;
}

double comm_bandwidth(const comm *comm) {
  return comm ? comm->link.bandwidth : 0;
}

void comm_set_bandwidth(comm *comm, double bandwidth) {
  comm->link.bandwidth = bandwidth;
}

void comm_set_watchdog(comm *comm, watchdog *watchdog) {
  if (comm) atomic_store(&comm->watched_by, watchdog);
}

uint64_t comm_notes(const comm *comm) {
  return comm ? atomic_load_explicit(&comm->notes, memory_order_relaxed) : 0;
}

void comm_set_waiting_ranks(comm *comm, struct comm *waiting) {
  comm->waiting = waiting;
}

uint64_t comm_pulse_bits(const comm *comm) {
  return comm ? atomic_load_explicit(&comm->received, memory_order_relaxed) : 0;
}

/* Ignores an error, which breaks `waiting` but not the work; ranks_command reports it. */
static void send_pulse(comm *waiting) {
  const double period = 0.05, now = clock_wall();
  uint64_t all = 0;
  if (now < waiting->next_pulse) return;
  waiting->next_pulse = now + period;
  (void)comm_pulse(waiting, COMM_ALIVE, false, &all, NULL);
}

static tauler_error finish_messages(const comm *comm, bool wait) {
  return comm->link.finish(comm->link.link, comm->out, comm->in, comm->room, wait);
}

void comm_note_progress(comm *comm) {
  if (comm) atomic_fetch_add_explicit(&comm->notes, 1, memory_order_relaxed);
  watchdog *watched_by = comm ? atomic_load_explicit(&comm->watched_by, memory_order_acquire) : NULL;
  if (watched_by) watchdog_note(watched_by);
  if (!comm || !pthread_equal(comm->opened_by, pthread_self())) return;
  if (comm->waiting) send_pulse(comm->waiting);
  /* The error can be ignored: comm_finish_alltoallv reports it again. */
  if (comm->under_way && comm->link.start) (void)finish_messages(comm, false);
}

/* Notes progress or, after an error of the link, marks the communicator as broken and writes a message with
 * the link's reason. Returns the error. */
static tauler_error end_call(comm *comm, tauler_error error, tauler_message *message) {
  if (!error) {
    comm_note_progress(comm);
    return TAULER_OK;
  }
  comm->broken = true;
  const char *reason = comm->link.reason ? comm->link.reason(comm->link.link) : NULL;
  return tauler_fail(message, error, "rank %d of %d cannot reach the others: %s", comm->link.rank,
                     comm->link.ranks, reason ? reason : tauler_error_name(error));
}

static tauler_error refuse_broken(tauler_message *message) {
  return tauler_fail(message, TAULER_IO, "the ranks have lost each other");
}

tauler_error comm_start_alltoallv(comm *comm, const comm_buffer *out, comm_buffer *in, size_t room,
                                  tauler_message *message) {
  in[comm_rank(comm)].n = 0;
  if (comm_ranks(comm) == 1) return TAULER_OK;
  if (comm->broken) return refuse_broken(message);
  uint64_t sent = 0;
  for (int rank = 0; rank < comm->link.ranks; rank++) {
    if (rank == comm->link.rank) continue;
    if (out[rank].n > room || room > INT32_MAX)
      return tauler_fail(message, TAULER_INTERNAL, "%zu bytes for rank %d, with room for %zu", out[rank].n,
                         rank, room);
    sent += out[rank].n;
  }
  const tauler_error error = comm->link.start ? comm->link.start(comm->link.link, out, in, room) : TAULER_OK;
  if (error) return end_call(comm, error, message);
  comm->out = out;
  comm->in = in;
  comm->room = room;
  comm->under_way = true;
  comm->bytes_sent += sent;
  return TAULER_OK;
}

tauler_error comm_finish_alltoallv(comm *comm, tauler_message *message) {
  if (comm_ranks(comm) == 1) return TAULER_OK;
  if (comm->broken) return refuse_broken(message);
  comm->under_way = false;
  return end_call(comm, finish_messages(comm, true), message);
}

tauler_error comm_alltoallv(comm *comm, const comm_buffer *out, comm_buffer *in, size_t room,
                            tauler_message *message) {
  const tauler_error error = comm_start_alltoallv(comm, out, in, room, message);
  return error ? error : comm_finish_alltoallv(comm, message);
}

tauler_error comm_allreduce(comm *comm, comm_operation operation, uint64_t *numbers, size_t n,
                            tauler_message *message) {
  if (comm_ranks(comm) == 1) return TAULER_OK;
  if (comm->broken) return refuse_broken(message);
  return end_call(comm, comm->link.allreduce(comm->link.link, operation, numbers, n), message);
}

tauler_error comm_bcast(comm *comm, int from, void *bytes, size_t n, tauler_message *message) {
  if (comm_ranks(comm) == 1) return TAULER_OK;
  if (comm->broken) return refuse_broken(message);
  const tauler_error error = comm->link.bcast(comm->link.link, from, bytes, n);
  if (!error && from == comm->link.rank) comm->bytes_sent += (uint64_t)n * (uint64_t)(comm->link.ranks - 1);
  return end_call(comm, error, message);
}

tauler_error comm_pulse(comm *comm, uint64_t own, bool wait, uint64_t *all, tauler_message *message) {
  *all = 0;
  if (comm->broken) return refuse_broken(message);
  const tauler_error error = comm->link.pulse(comm->link.link, own, wait, all);
  if (!error && *all == 0) return TAULER_OK;
  if (!error) atomic_fetch_or_explicit(&comm->received, *all, memory_order_relaxed);
  return end_call(comm, error, message);
}

tauler_error comm_split(comm *comm, int group, struct comm **out, tauler_message *message) {
  comm_link link;
  *out = NULL;
  if (comm->broken) return refuse_broken(message);
  tauler_error error = end_call(comm, comm->link.split(comm->link.link, group, &link), message);
  if (error || group < 0) return error;
  error = comm_open(&link, out, message);
  if (error) link.close(link.link);
  return error;
}

tauler_error comm_agree(comm *comm, tauler_error error, tauler_message *message) {
  const int ranks = comm_ranks(comm);
  if (ranks == 1) return error;
  if (comm->broken) return error ? error : refuse_broken(message);
  /* The lowest rank that failed has the largest number. */
  uint64_t worst = error ? (uint64_t)(ranks - comm_rank(comm)) << 32 | (uint64_t)error : 0;
  tauler_message said = {""};
  tauler_error lost = comm_allreduce(comm, COMM_MAX, &worst, 1, &said);
  if (!lost && worst == 0) return TAULER_OK;
  const int first = ranks - (int)(worst >> 32);
  if (!lost) {
    if (message && first == comm_rank(comm)) said = *message;
    lost = comm_bcast(comm, first, said.text, sizeof said.text, &said);
  }
  if (lost && error) return error; /* this rank's own error explains more than a lost rank */
  if (message) *message = said;
  return lost ? lost : (tauler_error)(worst & UINT32_MAX);
}

tauler_error comm_bcast_first(comm *comm, bool *has, void *bytes, size_t n, tauler_message *message) {
  uint64_t first = *has ? (uint64_t)(comm_ranks(comm) - comm_rank(comm)) : 0;
  const tauler_error error = comm_allreduce(comm, COMM_MAX, &first, 1, message);
  *has = first > 0;
  return error || !*has ? error : comm_bcast(comm, comm_ranks(comm) - (int)first, bytes, n, message);
}
