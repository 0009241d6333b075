/* Private to the general engine: the state of one share of a slice, a range of indexes.
 *
 * Cells and depths belong to the slice (slice.h); the rest lies in one block of memory, the frontier's next
 * set among it, so that a share whose turn is over goes to the disk in one piece. Positions are counted from
 * the first of the share. Between waves nothing is changed but what is marked for the next one, and what the
 * share's state is then goes to checkpoints tile by tile, in the same bytes whoever owns it.
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
} wave_share;

static inline bool wave_share_is_open(const wave_share *share, uint64_t i) {
  return share->open[i] || (*share->wide && share->open_high[i]);
}
static inline void wave_share_close_move(wave_share *share, uint64_t i) {
  if (share->open[i]-- == 0) share->open_high[i]--;
}

/* Lays the arrays of n positions from index `first` on into the memory; the state is what lies there. */
void wave_share_lay(wave_share *share, uint64_t first, uint64_t n);
/* Bytes at share->state that make up the state of n positions. */
uint64_t wave_share_state_bytes(uint64_t n, int planes);

/* Own positions from … from + n − 1 as a checkpoint holds them; from is a multiple of 64. `marked` are the
 * bits of the frontier's next set. */
size_t wave_share_packed_bytes(uint64_t n, int planes, bool with_depths);
void wave_share_pack(const wave_share *share, const changed_set *marked, uint64_t from, uint64_t n,
                     void *bytes);
/* Whether such bytes have high bytes of open moves. */
bool wave_share_packed_wide(const wave_share *share, uint64_t n, const void *bytes);
/* Returns how many positions are marked. */
uint64_t wave_share_unpack(wave_share *share, changed_set *marked, uint64_t from, uint64_t n,
                           const void *bytes);

#endif
