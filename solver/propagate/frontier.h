/* Private to the general engine: the state of one share of a slice, a range of indexes.
 *
 * Cells and depths belong to the slice (solved_slice, spread_slice); the rest lies in one block of
 * memory, so that a share whose turn is over goes to the disk in one piece. Positions are counted from
 * the first of the share. Between waves the frontier is empty, and what the share's state is then goes
 * to checkpoints tile by tile, in the same bytes whoever owns it. Blocks of positions without a mark
 * are skipped by a byte each.
 */
#ifndef SOLVER_PROPAGATE_FRONTIER_H
#define SOLVER_PROPAGATE_FRONTIER_H

#include "solver/shards/job.h"

enum { WAVE_BLOCK = 1024, WAVE_BLOCK_WORDS = WAVE_BLOCK / 64 };

typedef struct {
  uint64_t first, n; /* indexes */
  int planes;
  bool with_depths;
  int8_t *best[SOLVE_PLANES];
  uint16_t *depth[SOLVE_PLANES]; /* of settled positions; of others, when a conversion falls due; or NULL */
  uint16_t *open;                /* quiet moves whose child is not settled against the mover */
  uint64_t *ended;               /* bits per position, as those below */
  uint64_t *settled[SOLVE_PLANES];
  uint64_t *frontier[SOLVE_PLANES];  /* to be settled in this wave */
  uint64_t *following[SOLVE_PLANES]; /* in the next one */
  uint8_t *at_work[SOLVE_PLANES];    /* per block: has bits in the frontier, */
  uint8_t *stirred[SOLVE_PLANES];    /* in the following one */
  uint8_t *state, *passing;          /* the two blocks of memory */
} wave_share;

static inline bool has_bit(const uint64_t *bits, uint64_t i) {
  return bits[i / 64] >> (i % 64) & 1;
}
static inline void set_bit(uint64_t *bits, uint64_t i) {
  bits[i / 64] |= UINT64_C(1) << (i % 64);
}
static inline uint64_t wave_blocks(const wave_share *share) {
  return (share->n + WAVE_BLOCK - 1) / WAVE_BLOCK;
}

/* Takes memory for shares of at most `most` positions; cells and depths are the caller's affair. */
tauler_error wave_share_open(wave_share *share, memory_budget *memory, uint64_t most, int planes,
                             bool with_depths, tauler_message *message);
void wave_share_close(wave_share *share, memory_budget *memory);
uint64_t wave_share_bytes(uint64_t most, int planes);

/* Lays the arrays of n positions from index `first` on into the memory; the state is what lies there.
 * wave_share_clear makes it that of a share of which nothing is known. */
void wave_share_lay(wave_share *share, uint64_t first, uint64_t n);
void wave_share_clear(wave_share *share);
/* Bytes at share->state that make up the state of n positions. */
uint64_t wave_share_state_bytes(uint64_t n, int planes);

/* The following wave becomes the frontier, in one block; says how many bits there are. */
void wave_share_promote(wave_share *share, uint64_t block);

/* Own positions from … from + n − 1 as a checkpoint holds them; from is a multiple of 64. */
size_t wave_share_packed_bytes(uint64_t n, int planes, bool with_depths);
void wave_share_pack(const wave_share *share, uint64_t from, uint64_t n, void *bytes);
/* Returns how many bits the following wave got. */
uint64_t wave_share_unpack(wave_share *share, uint64_t from, uint64_t n, const void *bytes);

#endif
