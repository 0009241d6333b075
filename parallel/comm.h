/* The ranks of one build and their collective calls.
 *
 * All ranks run the same program on the same arguments and make the same collective calls in the same order.
 * Collective calls come from the thread that opened the communicator, never from inside a parallel region.
 * One rank needs no launcher and sends nothing. A comm_link carries the bytes: MPI in the program
 * (comm_mpi.c), threads in tests; the library is linked with neither. A communicator owns its link and its
 * counters.
 *
 * Every wait looks at the watchdog, since a rank that waits for a dead one would wait for ever.
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

/* A transport of bytes implements this; every call is collective. Errors: TAULER_IO; split: also
 * TAULER_NO_MEMORY. */
typedef struct comm_link comm_link;
struct comm_link {
  void *link;
  int rank, ranks;
  int neighbours;   /* ranks on this rank's host, itself included; 0: not known */
  double bandwidth; /* bytes a second that a rank sends to the others; 0: to be measured */
  /* out[r] goes to rank r; what rank r sends is put into in[r].bytes, which has room for `room`
   * bytes, and in[r].n set. No buffer is larger than room < 2^31; out[rank] is not looked at. */
  tauler_error (*alltoallv)(void *link, const comm_buffer *out, comm_buffer *in, size_t room);
  /* The same in two calls, with work between them; NULL: alltoallv does all in the second one. `finish`
   * without `wait` only moves bytes on. */
  tauler_error (*start)(void *link, const comm_buffer *out, comm_buffer *in, size_t room);
  tauler_error (*finish)(void *link, bool wait);
  tauler_error (*allreduce)(void *link, comm_operation operation, uint64_t *numbers, size_t n);
  tauler_error (*bcast)(void *link, int from, void *bytes, size_t n);
  /* The next two may be NULL where ranks do not fold. The ranks with the same group get a link of their own;
   * a negative group gets none and *out is not set. */
  tauler_error (*split)(void *link, int group, comm_link *out);
  /* See comm_pulse; *all is 0 as long as the pulse is under way. */
  tauler_error (*pulse)(void *link, uint64_t own, bool wait, uint64_t *all);
  void (*close)(void *link);
  const char *(*reason)(void *link); /* what the last error was, in words; may be NULL */
};

/* The link may be NULL: one rank. Takes the link's content over; on error it stays the caller's.
 * Errors: TAULER_NO_MEMORY. */
tauler_error comm_open(const comm_link *link, comm **out, tauler_message *message);
void comm_close(comm *comm);

/* NULL stands for one rank in the calls below, save comm_split, comm_pulse and the comm_set_ calls. */
int comm_rank(const comm *comm);
int comm_ranks(const comm *comm);
/* Ranks that share this rank's memory and processors, itself included; at least 1. */
int comm_ranks_on_host(const comm *comm);
static inline bool comm_is_root(const comm *comm) {
  return comm_rank(comm) == 0;
}

/* As comm_link.alltoallv; in[rank].n becomes 0. Errors of this and the next calls: TAULER_IO, which breaks
 * the comm; TAULER_INTERNAL when a buffer is larger than room. */
tauler_error comm_alltoallv(comm *comm, const comm_buffer *out, comm_buffer *in, size_t room,
                            tauler_message *message);
/* The same in two calls: bytes travel while this rank works. Until comm_finish comes back the arguments stay
 * as they are, in[r] is not looked at, and no other call is made but comm_note_progress, which moves bytes
 * on. */
tauler_error comm_start(comm *comm, const comm_buffer *out, comm_buffer *in, size_t room,
                        tauler_message *message);
tauler_error comm_finish(comm *comm, tauler_message *message);
tauler_error comm_allreduce(comm *comm, comm_operation operation, uint64_t *numbers, size_t n,
                            tauler_message *message);
/* The bytes of rank `from` reach all others. */
tauler_error comm_bcast(comm *comm, int from, void *bytes, size_t n, tauler_message *message);
/* The bytes of the lowest rank with *has reach all others; *has becomes whether there is one. */
tauler_error comm_bcast_first(comm *comm, bool *has, void *bytes, size_t n, tauler_message *message);
/* Rank r has the items i of n with i ≡ r modulo the ranks, each of so many bytes; all ranks get all. Errors
 * also: TAULER_NO_MEMORY. */
tauler_error comm_gather_turns(comm *comm, void *items, size_t n, size_t bytes, tauler_message *message);

/* Every rank says how it fared; all get the error and the message of the lowest rank that failed,
 * TAULER_OK when none did. To be called where a rank may fail alone, before the next collective call. */
tauler_error comm_agree(comm *comm, tauler_error error, tauler_message *message);

/* True if a call failed on its way, so that the ranks can agree on nothing any more: all later calls fail
 * at once, and what this rank has to say it must say itself. */
bool comm_is_broken(const comm *comm);

/* The ranks with the same group, 0 or more, open a communicator of their own, in the order of their ranks;
 * with a negative group *out is NULL. Close it before this one. Errors: TAULER_IO, TAULER_NO_MEMORY. */
tauler_error comm_split(comm *comm, int group, struct comm **out, tauler_message *message);

/* A non-blocking OR-reduction, one pulse. Each rank gives a number other than 0; the number given when the
 * pulse starts counts, later ones do not. The call starts a pulse if none is under way. *all stays 0 until
 * the pulse completes; with `wait` the call sleeps until then. */
tauler_error comm_pulse(comm *comm, uint64_t own, bool wait, uint64_t *all, tauler_message *message);
/* `waiting` holds this rank, its rank 0, and the ranks folded into it. When the opening thread notes progress
 * on `comm`, it starts a pulse of COMM_ALIVE on `waiting`, at most every 0.05 s. Borrowed; NULL takes it
 * away.
 */
enum { COMM_ALIVE = 1 };
void comm_set_waiting(comm *comm, struct comm *waiting);
/* The pulses combined so far. */
uint64_t comm_received(const comm *comm);

/* Bytes a second that each rank sends to the others while all send, the same on all ranks; 0: not known. Set
 * once, by who measures it. */
double comm_bandwidth(const comm *comm);
void comm_set_bandwidth(comm *comm, double bandwidth);

/* Bytes that this rank has sent to others so far, as payload of alltoallv and bcast. */
uint64_t comm_bytes_sent(const comm *comm);

/* Work was done here: from any thread, cheap. Waiting calls that get something note it themselves. */
void comm_note_progress(comm *comm);
/* How often that was said here; 0 without a communicator. */
uint64_t comm_notes(const comm *comm);
/* The comm borrows a watchdog; NULL takes it away. */
void comm_set_watchdog(comm *comm, watchdog *watchdog);

#endif
