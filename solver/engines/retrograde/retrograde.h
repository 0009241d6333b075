/* Declares the state of the retrograde engine, which settles positions backwards from known values. Private
 * to the engine.
 *
 * The engine serves every game without chance in which no repetition ends play. For each position it has
 * `best`, the best worth of the known moves for each bound, and `open`, the number of moves whose worth for
 * the upper bound is not known yet. If the game lists predecessors, a bound of a child that settles sends one
 * update to each parent. So moves are listed once forwards, and once backwards for each bound that settles,
 * whatever the number of thresholds. */
#ifndef SOLVER_ENGINES_RETROGRADE_RETROGRADE_H
#define SOLVER_ENGINES_RETROGRADE_RETROGRADE_H

#include <pthread.h>

#include "solver/checkpoint/unit_arrays.h"
#include "solver/propagate/frontier.h"
#include "solver/propagate/remote_lookup.h"

/* The state of one shard of a slice, a range of indexes.
 *
 * Cells and depths belong to the slice (slice.h). The other arrays except the high bytes, including the
 * frontier's next set, are in one block of memory. Positions are counted from the first of the shard.
 * Checkpoints are saved between waves, when the only unfinished work is the positions marked for the next
 * wave. They are saved tile by tile, and the bytes of a tile do not depend on the shard that owns it.
 */
typedef struct {
  uint64_t first, n;
  int planes;
  bool with_depths;
  int8_t *best[SOLVE_PLANES];
  /* [plane] Depth of a settled position, or the wave in which a conversion of an open position falls due.
   * NULL without depths. */
  uint16_t *depth[SOLVE_PLANES];
  /* Low and high bytes of the number of quiet moves whose worth for the upper bound is not known yet. High
   * bytes are used once a position has 256 such moves. */
  uint8_t *open, *open_high;
  uint64_t *wide;  /* first word of the state, which is 1 if high bytes are used */
  uint64_t *ended; /* one bit per position */
  uint64_t *settled[SOLVE_PLANES];
  void *next;  /* next set of the frontier */
  void *state; /* block of memory of the members above, except best, depth and open_high */
} wave_shard;

static inline bool wave_shard_is_open(const wave_shard *shard, uint64_t i) {
  return shard->open[i] || (*shard->wide && shard->open_high[i]);
}
static inline void wave_shard_close_move(wave_shard *shard, uint64_t i) {
  if (shard->open[i]-- == 0) shard->open_high[i]--;
}

typedef struct {
  const solve_job *job;
  comm *comm;
  uint32_t slice;
  int planes, threads, largest;
  bool outcomes; /* true if t = 1 is the only threshold and depths count plies beyond conversions */
  bool with_depths;
  sharded_slice *sharded;
  const slice_layout *layout;
  uint32_t first_shard, shards_here;

  wave_shard shard;
  uint32_t local_shard;
  pthread_mutex_t widening;
  uint64_t high_bytes; /* bytes charged for high bytes of open moves */
  uint64_t *marks; /* [shards_here] number of positions marked for the next wave, without waiting packets */
  frontier frontier;
  remote_lookup lookup;
  lookup_round first_pass;
  bool skipped; /* true if the shard has no work in this wave, or after a failure */

  int least_threshold;
  uint16_t absorbing; /* wave that sent the updates that are being received */
  uint64_t due;       /* number of bounds that settle now in the loaded shard */
  bool any_failed;
  /* The state of the run, which checkpoints save as bytes. */
  struct {
    uint64_t active; /* marked positions and waiting packets of all ranks, or 1 if not known yet */
    _Atomic uint32_t latest_due; /* last wave in which a conversion falls due */
    int32_t threshold;
    uint32_t wave, unused;
  } run;

  unit_arrays kept_arrays;
  checkpoint_units units;
  checkpointer checkpointer;
  bool resumed;
} retrograde;

/* The argument of functions at barriers: a shard by its number on this rank. */
typedef struct {
  retrograde *r;
  uint32_t local;
} retrograde_shard;

/* The functions `begin` and `visit` of lookup_round in the first pass. `visit` raises `best` by a converting
 * move or counts a quiet one. */
void retrograde_begin_positions(void *user, const uint64_t *index, size_t n, const int16_t *ended);
tauler_error retrograde_count_move(void *user, const expand_edge *edge);

/* True if a conversion may fall due in this wave or a later one. */
bool retrograde_conversions_fall_due(const retrograde *r);
/* Functions of the frontier. retrograde_settle settles the positions of this wave and fills their updates. */
frontier_send retrograde_settle;
frontier_use_sums retrograde_receive_sums;

/* Calls `work` for the loaded shard's positions block by block, with all workers, and stops after a failure.
 */
typedef tauler_error retrograde_block(retrograde *r, int worker, uint64_t first, uint64_t end);
void retrograde_visit_blocks(retrograde *r, worker *self, retrograde_block *work);

/* Sets the cells of positions that did not settle: the value 0 or, for guarantees, the bounds −largest and
 * largest. Their depth becomes SOLVE_NO_DEPTH. */
retrograde_block retrograde_fill_open;

/* Loads a shard of this rank, and unloads the one before. If is_new, its state becomes empty. The leading
 * thread calls it. */
tauler_error retrograde_load(retrograde *r, uint32_t local, bool is_new, tauler_message *message);
/* Charges memory and reserves disk for the high bytes of open moves in the loaded shard, and sets
 * *shard.wide. Any worker may call it. Errors: TAULER_NO_MEMORY, TAULER_NO_SPACE, TAULER_IO. */
tauler_error retrograde_use_high_bytes(retrograde *r);

/* Runs a wave. All workers of all ranks call it. Increments run.wave, unless several ranks with one shard
 * each find that the wave was empty. If run.active is 0 afterwards, the only work left at this threshold is
 * conversions that fall due later. */
void retrograde_run_wave(retrograde *r, worker *self);
/* Receives the packets that wait for shards of this rank. One thread calls it. */
void retrograde_empty_receive_queues(retrograde *r);

#endif
