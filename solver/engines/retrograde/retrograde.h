/* Private to the retrograde engine: its parts, and what they share while a slice is solved.
 *
 * retrograde.c opens, goes through thresholds and waves, and closes; settle.c says what a position's first
 * pass, an update and a threshold mean; wave.c has shards settle and receive; shards.c has them in memory one
 * after the other; state.h is the state of one.
 */
#ifndef SOLVER_ENGINES_RETROGRADE_RETROGRADE_H
#define SOLVER_ENGINES_RETROGRADE_RETROGRADE_H

#include <pthread.h>

#include "solver/checkpoint/checkpointer.h"
#include "solver/engines/retrograde/state.h"
#include "solver/propagate/remote_lookup.h"

typedef struct {
  const solve_job *job;
  comm *comm; /* or NULL */
  uint32_t slice;
  int planes, threads, largest;
  bool outcomes; /* depths count through conversions, and t = 1 only */
  bool with_depths;
  sharded_slice *sharded;
  const slice_layout *layout;
  uint32_t first_shard, shards_here;

  wave_shard shard;     /* at work */
  uint32_t local_shard; /* its number among those of this rank; shards_here: none */
  pthread_mutex_t widening;
  uint64_t high_bytes; /* charged for high bytes of open moves */
  uint64_t *marks;     /* [shards_here]: positions of the following wave, packets left out */
  frontier frontier;
  remote_lookup lookup;
  lookup_round first_pass;
  bool skipped; /* nothing to do for this shard in this wave */

  int threshold, least_threshold;
  uint16_t wave, absorbing;    /* absorbing: the wave in which the updates were sent that are absorbed */
  uint64_t due;                /* to be settled in this turn */
  uint64_t active;             /* what waits for the next wave, on all ranks, as far as they know */
  bool over;                   /* some rank failed */
  _Atomic uint32_t latest_due; /* conversions fall due up to this wave */

  checkpoint_units units;
  checkpointer checkpointer;
  bool resumed;
  struct {
    uint64_t active;
    uint32_t latest_due;
    int32_t threshold;
    uint32_t wave, unused;
  } kept; /* of the fields above, in a checkpoint */
} retrograde;

/* The turn of one shard of this rank, by its number among them. */
typedef struct {
  retrograde *r;
  uint32_t local;
} retrograde_turn;

/* The first pass over positions and their moves, for lookup_round. */
void retrograde_begin_positions(void *user, const uint64_t *index, size_t n, const int16_t *ended);
tauler_error retrograde_count_move(void *user, const expand_edge *edge);

bool retrograde_conversions_fall_due(const retrograde *r);
/* Marks what needs no other position of the slice: ended positions in wave 0, conversions when they
 * fall due. */
void retrograde_find_conversions(retrograde *r, int worker, uint64_t first, uint64_t end);

/* The lane of updates for the parents of positions settled in a plane at a worth for their movers. */
int8_t retrograde_lane(const retrograde *r, int plane, int worth);
/* The engine's part of the frontier: positions of this wave are settled, and what they send is taken in. */
frontier_send retrograde_send;
frontier_receive retrograde_absorb;
frontier_take_sums retrograde_take_sums;

/* Without predecessors: open positions are evaluated again. */
tauler_error retrograde_reevaluate(retrograde *r, int worker, uint64_t first, size_t n);

/* Gives unforced positions a draw, or guarantees of nothing. */
void retrograde_fill_open(retrograde *r, uint64_t first, uint64_t end);

/* Brings a shard of this rank into memory; `is_new`: nothing is known of it. By the leading thread. */
tauler_error retrograde_bring(retrograde *r, uint32_t local, bool is_new, tauler_message *message);
/* Lets the one in memory go. */
void retrograde_put_away(retrograde *r);
/* Gives the state of all back. */
void retrograde_drop(retrograde *r);
/* Has room for high bytes of open moves in the shard at work, by any worker. Errors: TAULER_NO_MEMORY,
 * TAULER_NO_SPACE, TAULER_IO. */
tauler_error retrograde_widen(retrograde *r);

/* By all workers of all ranks; r->wave moves on, unless the wave turned out to be empty; r->active says
 * whether anything may be left to do. */
void retrograde_run_wave(retrograde *r, worker *self);
/* Takes in what waits for the shards here, by one thread. */
void retrograde_empty_receive_queues(retrograde *r);

#endif
