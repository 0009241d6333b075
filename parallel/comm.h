/* The ranks of one build and their collective calls.
 *
 * All ranks run the same program with the same arguments and make the same collective calls in the same
 * order. Only the thread that opened the communicator makes them, never inside a parallel region. One rank
 * needs no launcher and sends nothing. A comm_link carries the bytes: MPI in the program (comm_mpi.c),
 * threads in tests; the library is linked with neither. A communicator owns its link and its counters.
 *
 * Every wait checks the watchdog, since a rank that waits for a dead one would wait for ever.
 */
#ifndef PARALLEL_COMM_H
#define PARALLEL_COMM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tauler_error.h"

typedef struct comm comm;
typedef struct watchdog watchdog;

typedef struct {
  void *bytes;
  size_t n;
} comm_buffer;

typedef enum { COMM_SUM, COMM_MAX, COMM_OR } comm_operation; /* OR: bitwise */

/* A transport of bytes. Every call is collective. Errors: TAULER_IO; for split also TAULER_NO_MEMORY. */
typedef struct comm_link comm_link;
struct comm_link {
  void *link;
  int rank, ranks;
  int neighbours;   /* ranks on this rank's host, itself included, or 0 if unknown */
  double bandwidth; /* bytes per second that a rank sends to the others, or 0 if it must be measured */
  /* Sends out[r] to rank r, puts what rank r sends into in[r].bytes, which has space for `room` bytes, and
   * sets in[r].n. No buffer is larger than room < 2^31; out[rank] is ignored. The two calls have the same
   * arguments, with work between them. Without `wait`, `finish` only moves bytes on, and is called only if
   * there is a `start`, which may be NULL. */
  tauler_error (*start)(void *link, const comm_buffer *out, comm_buffer *in, size_t room);
  tauler_error (*finish)(void *link, const comm_buffer *out, comm_buffer *in, size_t room, bool wait);
  tauler_error (*allreduce)(void *link, comm_operation operation, uint64_t *numbers, size_t n);
  tauler_error (*bcast)(void *link, int from, void *bytes, size_t n);
  /* The next two members may be NULL if ranks do not fold. `split` makes a link for the ranks with the same
   * group; if the group is negative, *out is not set. */
  tauler_error (*split)(void *link, int group, comm_link *out);
  /* Used by comm_pulse; *all is 0 until the pulse completes. */
  tauler_error (*pulse)(void *link, uint64_t own, bool wait, uint64_t *all);
  void (*close)(void *link);
  const char *(*reason)(void *link); /* description of the last error, or NULL */
};

/* Opens a communicator over a link; NULL means one rank. The communicator then owns the link's content,
 * unless an error is returned. Errors: TAULER_NO_MEMORY. */
tauler_error comm_open(const comm_link *link, comm **out, tauler_message *message);
void comm_close(comm *comm);

/* In the calls below, NULL means one rank, except in comm_split, comm_pulse and the comm_set_ calls. */
int comm_rank(const comm *comm);
int comm_ranks(const comm *comm);
/* Ranks that share this rank's memory and processors, itself included; at least 1. */
int comm_ranks_on_host(const comm *comm);
static inline bool comm_is_root(const comm *comm) {
  return comm_rank(comm) == 0;
}

/* As start and finish of comm_link; in[rank].n becomes 0. Errors of this call and the next ones: TAULER_IO,
 * which breaks the communicator; TAULER_INTERNAL if a buffer is larger than `room`. */
tauler_error comm_alltoallv(comm *comm, const comm_buffer *out, comm_buffer *in, size_t room,
                            tauler_message *message);
/* comm_alltoallv in two calls, so that bytes travel while this rank works. Until comm_finish returns, the
 * arguments must not change, in[r] must not be read, and the only call allowed is comm_note_progress, which
 * moves bytes on. */
tauler_error comm_start(comm *comm, const comm_buffer *out, comm_buffer *in, size_t room,
                        tauler_message *message);
tauler_error comm_finish(comm *comm, tauler_message *message);
tauler_error comm_allreduce(comm *comm, comm_operation operation, uint64_t *numbers, size_t n,
                            tauler_message *message);
/* Sends the bytes of rank `from` to all others. */
tauler_error comm_bcast(comm *comm, int from, void *bytes, size_t n, tauler_message *message);
/* Sends the bytes of the lowest rank with *has to all others; *has becomes true if there is one. */
tauler_error comm_bcast_first(comm *comm, bool *has, void *bytes, size_t n, tauler_message *message);

/* Every rank gives its error, if any. All return the error and message of the lowest rank that failed, or
 * TAULER_OK if none did. To be called before the next collective call if a rank may have failed alone. */
tauler_error comm_agree(comm *comm, tauler_error error, tauler_message *message);

/* True if a collective call failed. The ranks can then no longer agree on anything: all later calls fail at
 * once, and this rank must report its error by itself. */
bool comm_is_broken(const comm *comm);

/* Opens a communicator for the ranks with the same group, 0 or more, in the order of their ranks. If the
 * group is negative, *out is NULL. It must be closed before this one. Errors: TAULER_IO, TAULER_NO_MEMORY. */
tauler_error comm_split(comm *comm, int group, struct comm **out, tauler_message *message);

/* A non-blocking OR-reduction, one pulse. Each rank gives a number other than 0; the number given when the
 * pulse starts counts, later ones do not. The call starts a pulse if none is under way. *all stays 0 until
 * the pulse completes; with `wait` the call sleeps until then. */
tauler_error comm_pulse(comm *comm, uint64_t own, bool wait, uint64_t *all, tauler_message *message);
/* The ranks of `waiting` are this rank, as rank 0, and the ranks that folded into it. When the opening thread
 * notes progress on `comm`, it starts a pulse of COMM_ALIVE on `waiting`, at most every 0.05 s. `comm`
 * borrows `waiting`; NULL removes it. */
enum { COMM_ALIVE = 1 };
void comm_set_waiting_ranks(comm *comm, struct comm *waiting);
/* The numbers of all completed pulses, combined by OR; 0 if none completed. */
uint64_t comm_pulse_bits(const comm *comm);

/* Bytes per second that each rank sends to the others while all send, the same on all ranks; 0: unknown. It
 * is set once, after it is measured. */
double comm_bandwidth(const comm *comm);
void comm_set_bandwidth(comm *comm, double bandwidth);

/* Payload bytes that this rank has sent to others so far by alltoallv and bcast. */
uint64_t comm_bytes_sent(const comm *comm);

/* Notes that work was done here. Any thread may call it; it is cheap. Calls that wait note it when they
 * receive something. */
void comm_note_progress(comm *comm);
/* Number of notes so far; 0 without a communicator. */
uint64_t comm_notes(const comm *comm);
/* The communicator borrows a watchdog; NULL removes it. */
void comm_set_watchdog(comm *comm, watchdog *watchdog);

#endif
