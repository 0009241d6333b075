/* A crew: the threads that work on one slice, meeting between rounds.
 *
 * OpenMP starts the threads once per slice; between rounds they wait asleep, not spinning, so that a
 * loaded machine loses nothing. Work is handed out item by item from one queue. A crew lives inside
 * crew_run; its members must all come to the same crew_meet calls.
 */
#ifndef SOLVER_PARALLEL_WORKERS_H
#define SOLVER_PARALLEL_WORKERS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct crew crew;

typedef struct {
  crew *crew;
  int number; /* 0 … threads − 1 */
} crew_member;

/* Calls work(user, member) on `threads` threads (fewer where the system gives fewer; one at least)
 * and returns when all have come back. */
void crew_run(int threads, void (*work)(void *user, crew_member *member), void *user);

/* Takes the next of the items 0 … n − 1 of this round; false when none is left. */
bool crew_next(crew_member *member, uint64_t n, uint64_t *item);

/* Waits for all members, lets exactly one of them run `between` (may be NULL), and starts a new
 * round with a full queue. What any member wrote before is seen by all after. */
void crew_meet(crew_member *member, void (*between)(void *user), void *user);

/* As crew_meet, but `between` is run by the thread that called crew_run: message passing is its affair. */
void crew_lead(crew_member *member, void (*between)(void *user), void *user);

#endif
