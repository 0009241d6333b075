/* Makes the collective calls of the ranks of one command.
 *
 * All ranks run the same program with the same arguments and make the same collective calls in the same
 * order. Only the thread that opened the communicator makes them. A comm_link carries the bytes: by MPI in
 * the program (comm_mpi.c), and between threads in tests. A communicator owns its link. Each collective call
 * between several ranks notes progress for the watchdog when it is complete (watchdog.h).
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

typedef enum { COMM_SUM, COMM_MAX, COMM_OR } comm_operation; /* COMM_OR is bitwise */

/* A transport of bytes. All calls are collective except `reason`, `finish` without `wait`, and `pulse` while
 * one is under way. Errors: TAULER_IO; for split also TAULER_NO_MEMORY. */
typedef struct comm_link comm_link;
struct comm_link {
  void *link;
  int rank, ranks;
  int neighbours;   /* number of ranks on this rank's host, itself included, or 0 if unknown */
  double bandwidth; /* bytes per second that a rank sends to the others, or 0 if it must be measured */
  /* `start` and `finish` send out[r] to rank r, receive the bytes from rank r in in[r].bytes, which has space
   * for `room` bytes, and set in[r].n. out[r].n ≤ room < 2^31; out[rank] and in[rank] are ignored. Both calls
   * have the same arguments, and this rank may work between them. `finish` without `wait`
   * lets the transport make progress and returns at once. `start` may be NULL; then `finish` does everything
   * and is called only with `wait`. */
  tauler_error (*start)(void *link, const comm_buffer *out, comm_buffer *in, size_t room);
  tauler_error (*finish)(void *link, const comm_buffer *out, comm_buffer *in, size_t room, bool wait);
  tauler_error (*allreduce)(void *link, comm_operation operation, uint64_t *numbers, size_t n);
  tauler_error (*bcast)(void *link, int from, void *bytes, size_t n);
  /* The next two members may be NULL if ranks do not fold. `split` opens a link between the ranks with the
   * same group. If the group is negative, it does not set *out. */
  tauler_error (*split)(void *link, int group, comm_link *out);
  /* Does the work of comm_pulse. *all becomes the result when the pulse completes, and is not set before. */
  tauler_error (*pulse)(void *link, uint64_t own, bool wait, uint64_t *all);
  void (*close)(void *link);
  const char *(*reason)(void *link); /* description of the last error, or NULL */
};

/* Opens a communicator over a link or, if `link` is NULL, for a single rank. Unless the call fails, the
 * communicator owns the link's content. Errors: TAULER_NO_MEMORY. */
tauler_error comm_open(const comm_link *link, comm **out, tauler_message *message);
void comm_close(comm *comm);

/* In the calls below, a NULL communicator means one rank. Only comm_split, comm_pulse,
 * comm_set_waiting_ranks and comm_set_bandwidth need a communicator. */
int comm_rank(const comm *comm);
int comm_ranks(const comm *comm);
int comm_ranks_on_host(const comm *comm); /* this rank included */
static inline bool comm_is_root(const comm *comm) {
  return comm_rank(comm) == 0;
}

/* Sends out[r] to each rank r and receives in[r] from it, as start and finish of comm_link do. in[rank].n
 * becomes 0. Errors of this call and the next ones: TAULER_IO, which breaks the communicator. This call and
 * comm_start_alltoallv also return TAULER_INTERNAL, if a buffer is larger than `room` or `room` is 2^31 or
 * more. */
tauler_error comm_alltoallv(comm *comm, const comm_buffer *out, comm_buffer *in, size_t room,
                            tauler_message *message);
/* Do the work of comm_alltoallv in two calls, so that bytes travel while this rank works. Until
 * comm_finish_alltoallv returns, the arguments must not change, in[r] must not be read, and no other
 * collective call is allowed. The opening thread lets bytes travel whenever it notes progress. */
tauler_error comm_start_alltoallv(comm *comm, const comm_buffer *out, comm_buffer *in, size_t room,
                                  tauler_message *message);
tauler_error comm_finish_alltoallv(comm *comm, tauler_message *message);
tauler_error comm_allreduce(comm *comm, comm_operation operation, uint64_t *numbers, size_t n,
                            tauler_message *message);
tauler_error comm_bcast(comm *comm, int from, void *bytes, size_t n, tauler_message *message);
/* Sends bytes of the lowest rank whose *has is true to all ranks, where *has becomes true. */
tauler_error comm_bcast_first(comm *comm, bool *has, void *bytes, size_t n, tauler_message *message);

/* Returns on all ranks the error and the message of the lowest rank whose `error` is set, or TAULER_OK if no
 * rank failed. Must be called before the next collective call if a rank may have failed alone. If the
 * communicator is broken, returns this rank's own error, or TAULER_IO if it has none. */
tauler_error comm_agree(comm *comm, tauler_error error, tauler_message *message);

/* True if a collective call of the link failed. The ranks can then no longer agree on an error: all later
 * collective calls fail at once, and this rank must report its error by itself. */
bool comm_is_broken(const comm *comm);

/* Opens a communicator for the ranks with the same group, 0 or more, in the order of their ranks. If the
 * group is negative, *out becomes NULL. The new communicator must be closed before this one. Errors:
 * TAULER_IO, TAULER_NO_MEMORY. */
tauler_error comm_split(comm *comm, int group, struct comm **out, tauler_message *message);

/* Combines a number of each rank by OR; one such reduction is a pulse. If none is under way, the call starts
 * one with `own`, which must not be 0; otherwise `own` is ignored. *all becomes the result, or 0 if the pulse
 * is not complete yet. With `wait` the call sleeps until it is complete. */
tauler_error comm_pulse(comm *comm, uint64_t own, bool wait, uint64_t *all, tauler_message *message);
/* Sets the communicator of the ranks that wait for this one: rank 0 is this rank, the others have folded into
 * it. When the opening thread notes progress on `comm`, it starts or tests a pulse of COMM_ALIVE on
 * `waiting`, at most once in 0.05 s. `comm` borrows `waiting`; NULL removes it. */
enum { COMM_ALIVE = 1 };
void comm_set_waiting_ranks(comm *comm, struct comm *waiting);
uint64_t comm_pulse_bits(const comm *comm); /* results of all completed pulses, combined by OR */

/* Returns the bytes per second that each rank sends while all send, or 0 if unknown. All ranks have the same
 * number. */
double comm_bandwidth(const comm *comm);
void comm_set_bandwidth(comm *comm, double bandwidth);

/* Returns the bytes that this rank has sent to others so far, except in reductions. */
uint64_t comm_bytes_sent(const comm *comm);

/* Raises the counter of notes and, if there is a watchdog, its counter. Any thread may call it. */
void comm_note_progress(comm *comm);
uint64_t comm_notes(const comm *comm);
void comm_set_watchdog(comm *comm, watchdog *watchdog); /* borrowed. NULL removes it */

#endif
