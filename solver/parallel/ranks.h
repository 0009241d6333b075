/* A team: the processes that work on one build, its ranks 0 … ranks − 1.
 *
 * All ranks run the same program on the same arguments and come to the same collective calls in the
 * same order; what each does in between is its own. A team of one needs no launcher and costs
 * nothing. How bytes travel is a team_link: message passing in the program (team_mpi.c), threads in
 * tests; the library itself is linked with neither. A team owns its link and its counters. Collective
 * calls are made by the thread that opened the team, never inside a parallel region by another.
 *
 * A rank that waits for a dead one would wait for ever, so all that wait here look at the watchdog.
 */
#ifndef SOLVER_PARALLEL_RANKS_H
#define SOLVER_PARALLEL_RANKS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tauler_error.h"

typedef struct team team;
typedef struct watchdog watchdog;

typedef struct {
  void *bytes;
  size_t n;
} team_parcel;

typedef enum { TEAM_SUM, TEAM_MOST, TEAM_ANY } team_operation; /* ANY: bitwise or */

/* What a means of travel must do; every call is collective. Errors: TAULER_IO. */
typedef struct {
  void *link;
  int rank, ranks;
  int neighbours; /* ranks on this rank's host, itself included; 0 where nobody knows */
  /* out[r] goes to rank r; what rank r sends is put into in[r].bytes, which has room for `room`
   * bytes, and in[r].n set. No parcel is larger than room < 2^31; out[rank] is not looked at. */
  tauler_error (*swap)(void *link, const team_parcel *out, team_parcel *in, size_t room);
  tauler_error (*combine)(void *link, team_operation operation, uint64_t *numbers, size_t n);
  tauler_error (*spread)(void *link, int from, void *bytes, size_t n);
  void (*close)(void *link);
  const char *(*reason)(void *link); /* what the last error was, in words; may be NULL */
} team_link;

/* The link may be NULL: a team of one. Takes the link's content over; on error it stays the caller's.
 * Errors: TAULER_NO_MEMORY. */
tauler_error team_open(const team_link *link, team **out, tauler_message *message);
void team_close(team *team);

/* NULL stands for a team of one in all calls below. */
int team_rank(const team *team);
int team_ranks(const team *team);
/* Ranks that share this rank's memory and processors, itself included; at least 1. */
int team_neighbours(const team *team);
static inline bool team_leads(const team *team) {
  return team_rank(team) == 0;
}

/* What team_link says of swap; in[rank].n becomes 0. Errors of this and the next two: TAULER_IO, which
 * breaks the team; TAULER_INTERNAL when a parcel is larger than room. */
tauler_error team_swap(team *team, const team_parcel *out, team_parcel *in, size_t room,
                       tauler_message *message);
tauler_error team_combine(team *team, team_operation operation, uint64_t *numbers, size_t n,
                          tauler_message *message);
/* The bytes of rank `from` reach all others. */
tauler_error team_spread(team *team, int from, void *bytes, size_t n, tauler_message *message);

/* Every rank says how it fared; all get the error and the message of the lowest rank that failed,
 * TAULER_OK when none did. To be called where a rank may fail alone, before the next collective call. */
tauler_error team_agree(team *team, tauler_error error, tauler_message *message);

/* Whether a call failed on its way, so that the ranks can agree on nothing any more: all later calls fail
 * at once, and what this rank has to say it must say itself. */
bool team_is_broken(const team *team);

/* Bytes that this rank has sent to others so far, as payload of swap and spread. */
uint64_t team_bytes_sent(const team *team);

/* Work was done here: from any thread, cheap. Waiting calls that get something note it themselves. */
void team_note_progress(team *team);
/* How often that was said here; 0 without a team. */
uint64_t team_notes(const team *team);
/* The team borrows a watchdog; NULL takes it away. */
void team_set_watchdog(team *team, watchdog *watchdog);

#endif
