/* Private to the retrograde engine: the walkers of workers, and what they must ask of other ranks.
 *
 * Where finished slices lie compressed with all ranks, edges into them are put off: workers walk until
 * enough is asked for, the leading thread has all of it answered in one collective call, and every
 * worker visits the edges that its own walker put off; and so on as long as any rank has more. The same
 * loop serves slices at hand, for which nothing is ever put off and no other rank is spoken to. An
 * remote_lookup owns its walkers and buffers.
 */
#ifndef SOLVER_PROPAGATE_REMOTE_LOOKUP_H
#define SOLVER_PROPAGATE_REMOTE_LOOKUP_H

#include "parallel/failure.h"
#include "parallel/workers.h"
#include "solver/propagate/expand.h"

enum { LOOKUP_PLACES = 64 * 1024 };

typedef struct {
  const solve_job *job;
  bool asking;
  int planes, threads;
  expander *expanders; /* per thread */
  game_place *places;
  int8_t *values[SOLVE_PLANES];
  uint16_t *depths;
  size_t used, room;
} remote_lookup;

/* Errors: TAULER_NO_MEMORY. To be closed also after an error. */
tauler_error remote_lookup_open(remote_lookup *lookup, const solve_job *job, uint32_t slice, int planes,
                                bool with_depths, tauler_message *message);
void remote_lookup_close(remote_lookup *lookup);
uint64_t remote_lookup_bytes(bool asking, int planes, int threads);

/* What walkers put off from now on. */
void remote_lookup_set_mode(remote_lookup *lookup, expand_mode mode);

/* One pass over the moves of a shard's positions, in batches. `choose` lists by index which of the n
 * positions from the shard's first-th on are visited (NULL: all); `begin` gets their values, GAME_NOT_ENDED
 * where play goes on; `visit` gets the moves of those, by the same worker, some of them later. */
typedef struct {
  remote_lookup *lookup;
  uint64_t first, positions; /* of the shard, by index */
  size_t (*choose)(void *user, uint64_t first, size_t n, uint64_t *index);
  void (*begin)(void *user, const uint64_t *index, size_t n, const int16_t *ended);
  expand_visit *visit;
  void *user;
  _Atomic uint64_t cursor; /* the rest is the inquiry's; zeroed at first */
  bool more;
  failure failed; /* in the end the same on all ranks that ask */
} lookup_round;

/* By all workers; a failure from before is kept. Collective where it asks. */
void lookup_round_run(lookup_round *round, worker *self);

/* A round over all of its positions by workers of the inquiry's. `error` is how getting there fared; where
 * children are asked for, all ranks get it and come here in any case. Errors: that one, those of the round.
 */
tauler_error lookup_round_go(lookup_round *round, tauler_error error, tauler_message *message);

#endif
