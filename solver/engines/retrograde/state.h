/* The state of one shard of a slice, a range of indexes. Private to the retrograde engine.
 *
 * Cells and depths belong to the slice (slice.h). Everything else, including the frontier's next set, is in
 * one block of memory, so that a shard is spilled in one piece. Positions are counted from the first of the
 * shard. Between waves the only unfinished work is what is marked for the next wave. Checkpoints are
 * therefore saved then, tile by tile, and their bytes are the same whatever shard owns a tile.
 */
#ifndef SOLVER_ENGINES_RETROGRADE_STATE_H
#define SOLVER_ENGINES_RETROGRADE_STATE_H

#include "solver/propagate/frontier.h"

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
  uint64_t *wide;  /* 1: high bytes are used; the first word of the state */
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

/* Sets the pointers to the arrays of n positions from index `first` on. The contents of the block stay as
 * they are. */
void wave_shard_lay(wave_shard *shard, uint64_t first, uint64_t n);
/* Bytes of the block for n positions. */
uint64_t wave_shard_state_bytes(uint64_t n, int planes);

/* The positions from … from + n − 1 of the shard, as a checkpoint has them. `from` is a multiple of 64.
 * `marked` is the frontier's next set. */
size_t wave_shard_packed_bytes(uint64_t n, int planes, bool with_depths);
void wave_shard_pack(const wave_shard *shard, const changed_set *marked, uint64_t from, uint64_t n,
                     void *bytes);
/* True if the packed bytes use high bytes of open moves. */
bool wave_shard_packed_wide(const wave_shard *shard, uint64_t n, const void *bytes);
/* Returns the number of marked positions. */
uint64_t wave_shard_unpack(wave_shard *shard, changed_set *marked, uint64_t from, uint64_t n,
                           const void *bytes);

#endif
