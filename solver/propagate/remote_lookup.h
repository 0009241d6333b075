/* Visits moves whose children other ranks may own. Private to the engines.
 *
 * If finished slices are compressed, their cells are spread over all ranks, and a lookup of a single cell
 * would be slow. Moves into such slices are therefore deferred. Workers expand moves until enough cells are
 * asked for; one collective call answers all of them; every worker visits the moves that it deferred. This
 * repeats as long as any rank has more moves. If this rank holds all finished slices, the same loop defers
 * nothing and exchanges nothing. An expander has the buffers of one thread. A remote_lookup owns its
 * expanders and buffers. */
#ifndef SOLVER_PROPAGATE_REMOTE_LOOKUP_H
#define SOLVER_PROPAGATE_REMOTE_LOOKUP_H

#include "parallel/failure.h"
#include "parallel/workers.h"
#include "solver/shards/job.h"

enum { EXPAND_BATCH = 1024, EXPAND_EDGES = 8192 };

/* A move of position `index`. If it is quiet, it leads to `child` of the same slice. If it converts or was
 * deferred, worth[plane] is its worth, and child_depth is the depth of the child in its slice, or 0 if depths
 * are not counted through conversions. */
typedef struct {
  uint64_t index;
  bool quiet;
  uint64_t child;
  int worth[SOLVE_PLANES];
  uint16_t child_depth;
} expand_edge;

typedef struct {
  uint64_t index;
  game_place to;
  int16_t gain;
} expand_request;

typedef enum { EXPAND_LOCAL, EXPAND_ASKS_CONVERTING, EXPAND_ASKS_ALL } expand_mode;

typedef struct remote_lookup remote_lookup;
typedef tauler_error expand_visit(void *user, const expand_edge *edge);

typedef struct {
  const remote_lookup *all;
  expand_request *requests;
  size_t asked, asked_room;
  size_t answers_from; /* place of its first answer among those of all expanders */
  game_edge edges[EXPAND_EDGES];
  uint64_t batch[EXPAND_BATCH];
  int16_t values[EXPAND_BATCH];
  expand_visit *visit;
  void *user;
} expander;

/* Visits or defers each move of n ≤ EXPAND_BATCH positions. Errors: those of the visitor and of the game;
 * TAULER_NO_MEMORY for deferred moves, TAULER_INTERNAL if a slice is not finished. */
tauler_error expand_moves(expander *expander, const uint64_t *index, size_t n, expand_visit *visit,
                          void *user);

enum { LOOKUP_PLACES = 64 * 1024 };

struct remote_lookup {
  const solve_job *job;
  uint32_t slice;
  int planes, threads;
  bool with_depths;
  expand_mode mode;
  plain_slices finished;
  expander *expanders; /* [threads] */
  arena answers;
  game_place *places;           /* [room] */
  int8_t *values[SOLVE_PLANES]; /* [plane][room] */
  uint16_t *depths;             /* [room] NULL if depths are not wanted */
  size_t used, room;
};

/* Errors: TAULER_NO_MEMORY. After an error the caller closes the lookup, too. */
tauler_error remote_lookup_open(remote_lookup *lookup, const solve_job *job, uint32_t slice, int planes,
                                bool with_depths, tauler_message *message);
void remote_lookup_close(remote_lookup *lookup);
uint64_t remote_lookup_bytes(const solve_job *job, int planes);

/* A round of lookups over the moves of a shard's positions. `choose` lists the indexes of the positions to
 * visit among positions `first` … first + n − 1 of the shard, and returns their number. If it is NULL, all
 * are visited. `begin` gets the values of the chosen positions, GAME_NOT_ENDED if play continues. `visit`
 * gets the moves of those that continue. The worker that called `begin` for a position also calls `visit` for
 * its moves, and for deferred moves once they were looked up. */
typedef struct {
  remote_lookup *lookup;
  uint64_t first, positions;
  size_t (*choose)(void *user, uint64_t first, size_t n, uint64_t *index);
  void (*begin)(void *user, const uint64_t *index, size_t n, const int16_t *ended);
  expand_visit *visit;
  void *user;
  /* First failure. If cells are looked up, it is the same on all ranks, except a failure of the last visits.
   * lookup_round_start_workers keeps its own. */
  failure *failed;
  _Atomic uint64_t cursor; /* next batch of positions, 0 at first */
  bool more;
} lookup_round;

/* Runs a lookup_round. All workers call it. Keeps a failure from before. Collective if cells are looked up.
 */
void lookup_round_run(void *round, worker *self);

/* Starts the workers of the lookup for a round over all of its positions. `error` is the error of the caller
 * so far. If cells are looked up, all ranks must call this function even after an error, and all return the
 * error unless it arose in the last visits. Errors: `error` and those of the round. */
tauler_error lookup_round_start_workers(const lookup_round *round, tauler_error error,
                                        tauler_message *message);

#endif
