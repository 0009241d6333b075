/* The retrograde engine: settles positions backwards from known values. Private to the engine.
 *
 * The engine serves every game without chance in which no repetition ends play. It therefore knows a position
 * only by two numbers: `best`, the best worth of its known moves, and `open`, the number of moves that are
 * not known yet. When a child settles, one update to each parent keeps both up to date. Moves are therefore
 * listed once forwards, and backwards once for each bound that settles, whatever the number of thresholds.
 *
 * retrograde.c opens, runs thresholds and waves, loads shards, and closes. wave.c defines the first pass,
 * updates and thresholds, and settles and receives shard by shard.
 */
#ifndef SOLVER_ENGINES_RETROGRADE_RETROGRADE_H
#define SOLVER_ENGINES_RETROGRADE_RETROGRADE_H

#include <pthread.h>

#include "solver/checkpoint/unit_arrays.h"
#include "solver/propagate/frontier.h"
#include "solver/propagate/remote_lookup.h"

/* The state of one shard of a slice, a range of indexes.
 *
 * Cells and depths belong to the slice (slice.h). Everything else, including the frontier's next set, is in
 * one block of memory, so that a shard is spilled in one piece. Positions are counted from the first of the
 * shard. Between waves the only unfinished work is what is marked for the next wave. Checkpoints are
 * therefore saved then, tile by tile, and their bytes are the same whatever shard owns a tile.
 */
typedef struct {
  uint64_t first, n; /* first index, number of positions */
  int planes;
  bool with_depths;
  int8_t *best[SOLVE_PLANES];
  /* [plane] Depth of a settled position. Of another one, the wave in which a conversion falls due. NULL
   * without depths. */
  uint16_t *depth[SOLVE_PLANES];
  /* The number of quiet moves whose child is not settled against the mover, as low and high bytes. High bytes
   * are used once a position has 256 moves. */
  uint8_t *open, *open_high;
  uint64_t *wide;  /* 1 if high bytes are used, in the first word of the state */
  uint64_t *ended; /* one bit per position, as in `settled` */
  uint64_t *settled[SOLVE_PLANES];
  void *next;  /* next set of the frontier */
  void *state; /* the block of memory */
} wave_shard;

static inline bool wave_shard_is_open(const wave_shard *shard, uint64_t i) {
  return shard->open[i] || (*shard->wide && shard->open_high[i]);
}
static inline void wave_shard_close_move(wave_shard *shard, uint64_t i) {
  if (shard->open[i]-- == 0) shard->open_high[i]--;
}

typedef struct {
  const solve_job *job;
  comm *comm; /* NULL if there is one process */
  uint32_t slice;
  int planes, threads, largest;
  bool outcomes; /* true: t = 1 is the only threshold, and depths count through conversions */
  bool with_depths;
  sharded_slice *sharded;
  const slice_layout *layout;
  uint32_t first_shard, shards_here;

  wave_shard shard;     /* the loaded shard */
  uint32_t local_shard; /* its index among those of this rank, or shards_here if none is loaded */
  pthread_mutex_t widening;
  uint64_t high_bytes; /* bytes charged for high bytes of open moves */
  uint64_t *marks;     /* [shards_here] positions marked for the next wave, without packets */
  frontier frontier;
  remote_lookup lookup;
  lookup_round first_pass;
  bool skipped; /* the shard has nothing to do in this wave */

  int least_threshold;
  uint16_t absorbing; /* the wave that sent the updates that are being received */
  uint64_t due;       /* positions that settle now in the loaded shard */
  bool any_failed;    /* some rank failed */
  /* The state of the run, saved in checkpoints as it is. */
  struct {
    uint64_t active; /* marked positions and waiting packets of all ranks, or 1 while ranks do not know it */
    _Atomic uint32_t latest_due; /* last wave in which a conversion falls due */
    int32_t threshold;
    uint32_t wave, unused;
  } run;

  unit_arrays kept_arrays; /* arrays of the loaded shard that a checkpoint contains */
  checkpoint_units units;
  checkpointer checkpointer;
  bool resumed;
} retrograde;

/* A shard of this rank, by its index, as an argument of functions at barriers. */
typedef struct {
  retrograde *r;
  uint32_t local;
} retrograde_shard;

/* The first pass over positions and their moves, for lookup_round. */
void retrograde_begin_positions(void *user, const uint64_t *index, size_t n, const int16_t *ended);
tauler_error retrograde_count_move(void *user, const expand_edge *edge);

bool retrograde_conversions_fall_due(const retrograde *r);
/* The engine's part of the frontier: retrograde_settle settles the positions of this wave and says what they
 * send. */
frontier_send retrograde_settle;
frontier_use_sums retrograde_receive_sums;

/* Gives positions that did not settle the value 0 or, for guarantees, the bounds −largest and largest, and no
 * depth. */
void retrograde_fill_open(retrograde *r, uint64_t first, uint64_t end);

/* Loads a shard of this rank. If is_new, its state is empty. The leading thread calls it. */
tauler_error retrograde_load(retrograde *r, uint32_t local, bool is_new, tauler_message *message);
/* Makes room for high bytes of open moves in the loaded shard. Any worker may call it. Errors:
 * TAULER_NO_MEMORY, TAULER_NO_SPACE, TAULER_IO. */
tauler_error retrograde_widen(retrograde *r);

/* Runs a wave; all workers of all ranks call it. It increments run.wave unless the wave was empty. If
 * run.active is 0 afterwards, nothing is left to do but conversions that fall due later. */
void retrograde_run_wave(retrograde *r, worker *self);
/* Receives the packets that wait for shards of this rank. One thread calls it. */
void retrograde_empty_receive_queues(retrograde *r);

#endif
