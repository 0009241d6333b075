/* Private to the engines: passes over moves whose children may lie with other ranks.
 *
 * Where finished slices lie compressed on all ranks, moves into them are put off: workers expand moves until
 * enough cells are asked for, one collective call answers all of them, and every worker visits the moves
 * that it put off; and so on as long as any rank has more. The same loop serves slices that this rank holds:
 * it puts no move off and exchanges nothing. A remote_lookup owns its expanders and buffers.
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

/* Sets what expanders put off from now on. */
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
  _Atomic uint64_t cursor; /* the rest is zeroed at first */
  bool more;
  failure failed; /* in the end the same on all ranks that ask */
} lookup_round;

/* By all workers; a failure from before is kept. Collective where it asks. */
void lookup_round_run(lookup_round *round, worker *self);

/* A round over all of its positions by the workers of the lookup. `error` is how getting there fared; where
 * children are asked for, all ranks get it and come here in any case. Errors: that one, those of the round.
 */
tauler_error lookup_round_go(lookup_round *round, tauler_error error, tauler_message *message);

#endif
