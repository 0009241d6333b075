/* Private to the retrograde engine: the state of one shard of a slice, a range of indexes.
 *
 * Cells and depths belong to the slice (slice.h); the rest lies in one block of memory, the frontier's next
 * set among it, so that a shard whose turn is over is written to the disk in one piece. Positions are counted
 * from the first of the shard. Between waves nothing is changed but what is marked for the next one, and what
 * the shard's state is then goes to checkpoints tile by tile, in the same bytes for every owner.
 */
#ifndef SOLVER_ENGINES_RETROGRADE_STATE_H
#define SOLVER_ENGINES_RETROGRADE_STATE_H

#include "solver/propagate/frontier.h"

typedef struct {
  uint64_t first, n; /* indexes */
  int planes;
  bool with_depths;
  int8_t *best[SOLVE_PLANES];
  uint16_t *depth[SOLVE_PLANES]; /* of settled positions; of others, when a conversion falls due; or NULL */
  /* Quiet moves whose child is not settled against the mover: low bytes, and high ones, of which none is
   * touched before a position has 256 moves. */
  uint8_t *open, *open_high;
  uint64_t *wide;  /* whether any has; the first word of the state */
  uint64_t *ended; /* bits per position, as those below */
  uint64_t *settled[SOLVE_PLANES];
  void *next;  /* of the frontier */
  void *state; /* the block of memory */
} wave_shard;

static inline bool wave_shard_is_open(const wave_shard *shard, uint64_t i) {
  return shard->open[i] || (*shard->wide && shard->open_high[i]);
}
static inline void wave_shard_close_move(wave_shard *shard, uint64_t i) {
  if (shard->open[i]-- == 0) shard->open_high[i]--;
}

/* Lays the arrays of n positions from index `first` on into the memory; the state is what lies there. */
void wave_shard_lay(wave_shard *shard, uint64_t first, uint64_t n);
/* Bytes at shard->state that make up the state of n positions. */
uint64_t wave_shard_state_bytes(uint64_t n, int planes);

/* Own positions from … from + n − 1 as a checkpoint holds them; from is a multiple of 64. `marked` are the
 * bits of the frontier's next set. */
size_t wave_shard_packed_bytes(uint64_t n, int planes, bool with_depths);
void wave_shard_pack(const wave_shard *shard, const changed_set *marked, uint64_t from, uint64_t n,
                     void *bytes);
/* True if such bytes have high bytes of open moves. */
bool wave_shard_packed_wide(const wave_shard *shard, uint64_t n, const void *bytes);
/* Returns how many positions are marked. */
uint64_t wave_shard_unpack(wave_shard *shard, changed_set *marked, uint64_t from, uint64_t n,
                           const void *bytes);

#endif
