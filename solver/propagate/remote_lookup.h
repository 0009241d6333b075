/* Passes over moves whose children other ranks may own. Private to the engines.
 *
 * If finished slices are compressed, their cells are spread over all ranks, and a lookup of a single cell
 * would be slow. Moves into such slices are therefore deferred. Workers expand moves until enough cells are
 * asked for; one collective call answers all of them; every worker visits the moves that it deferred. This
 * repeats as long as any rank has more moves. If this rank holds all finished slices, the same loop defers
 * nothing and exchanges nothing. A remote_lookup owns its expanders and buffers.
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
  expander *expanders; /* [threads] */
  arena answers;
  game_place *places;           /* [room] */
  int8_t *values[SOLVE_PLANES]; /* [plane][room] */
  uint16_t *depths;             /* [room] */
  size_t used, room;
} remote_lookup;

/* Errors: TAULER_NO_MEMORY. It must be closed after an error, too. */
tauler_error remote_lookup_open(remote_lookup *lookup, const solve_job *job, uint32_t slice, int planes,
                                bool with_depths, tauler_message *message);
void remote_lookup_close(remote_lookup *lookup);
uint64_t remote_lookup_bytes(bool asking, int planes, int threads);

/* Sets which moves the expanders defer from now on. */
void remote_lookup_set_mode(remote_lookup *lookup, expand_mode mode);

/* One pass over the moves of a shard's positions. `choose` lists the indexes of the positions that are
 * visited, among the n positions from the shard's first-th on; NULL chooses all. `begin` gets the values of
 * the chosen positions, GAME_NOT_ENDED if play continues. `visit` gets the moves of those that continue. The
 * same worker calls it, for deferred moves later. */
typedef struct {
  remote_lookup *lookup;
  uint64_t first, positions; /* first index and number of positions of the shard */
  size_t (*choose)(void *user, uint64_t first, size_t n, uint64_t *index);
  void (*begin)(void *user, const uint64_t *index, size_t n, const int16_t *ended);
  expand_visit *visit;
  void *user;
  _Atomic uint64_t cursor; /* this and all below are zero at first */
  bool more;
  failure failed; /* at the end the same on all ranks that look up cells */
} lookup_round;

/* Runs a round in all workers. A failure from before is kept. Collective if cells are looked up. */
void lookup_round_run(lookup_round *round, worker *self);

/* Starts the workers of the lookup for a round over all of its positions. `error` is the error of the caller
 * so far. If cells are looked up, all ranks must call this even after an error, and all return it. Errors:
 * `error` and those of the round. */
tauler_error lookup_round_go(lookup_round *round, tauler_error error, tauler_message *message);

#endif
