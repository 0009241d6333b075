/* Private to the general engine: what settled positions tell their predecessors, on its way.
 *
 * An update says that a quiet child of some position is settled: its worth for the parent's mover, and
 * which of the parent's bounds it concerns. Bound and worth are the same for nearly all updates of a
 * wave, so they stand once before a run of them, and an update is an offset: four bytes in memory, and
 * one or two in a piece for another share, where offsets are sorted and stand as differences.
 *
 * The share at work is cut into shards, ranges of positions of the same power of two. A target is a
 * shard or another share. Members push without waiting for each other; then what stays in the share is
 * pulled shard by shard, and what goes elsewhere is packed target by target, each by one member at a
 * time. Updates may come in any order. Owns its blocks, of which there are enough, whatever a wave has to
 * tell: when wave_updates_are_many no member should begin with further positions before what there is
 * has been pulled and packed.
 */
#ifndef SOLVER_PROPAGATE_UPDATES_H
#define SOLVER_PROPAGATE_UPDATES_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/tauler_error.h"

enum {
  WAVE_LANES = 2,
  WAVE_RUN = 1018,
  WAVE_MOST_SHARDS = 64,
  WAVE_LEAST_SHARD_BITS = 12,
  WAVE_GUESSES = 4096
};

/* Updates of one lane and worth, for own positions base + offsets[i]. What a lane means is the engine's. */
typedef struct {
  int lane;
  int8_t worth;
  uint64_t base;
  const uint32_t *offsets;
  size_t n;
} wave_run;

typedef struct wave_block wave_block;

/* On the way from one member to one target: the run that is open, and those that are closed. */
typedef struct {
  uint32_t *offsets;
  uint32_t used, room;
  int8_t worth;
  wave_block *block, *closed;
} wave_lane;

/* Where updates for a range of indexes go: a shard of the share at work, or 2^32 positions of another. */
typedef struct {
  uint32_t share, part;
  bool here;
} wave_target;

typedef struct {
  wave_block *free_blocks;
  uint32_t free_used; /* how many; no member keeps many that others want */
  uint32_t *runs;     /* two of them, for sorting; the first also for unpacking */
  wave_lane *lanes;   /* [target][WAVE_LANES] */
  uint64_t packed;
} wave_sender;

typedef struct {
  memory_budget *memory;
  uint32_t shares, at_work, most_targets;
  const uint64_t *share_starts; /* [shares + 1]; the caller's */
  int members;
  wave_sender *senders;
  size_t piece_bytes;
  uint32_t run_room; /* updates in a piece, at most */

  uint64_t *starts; /* [targets + 1], indexes */
  wave_target *targets;
  uint32_t used, first_here, shards;
  unsigned shard_bits, guess_shift;
  uint32_t guesses[WAVE_GUESSES + 1];
  pthread_mutex_t locks[WAVE_MOST_SHARDS]; /* of shards, for those who absorb */

  pthread_mutex_t slab_lock; /* of the next two */
  void *slabs;
  wave_block *free_blocks;
  _Atomic uint64_t blocks_in_use;
  _Atomic uint64_t enough_blocks;
} wave_updates;

/* share_starts: the first index of each share and, last, the number of positions. piece_bytes: of pieces for
 * other shares. Errors: TAULER_NO_MEMORY. To be closed also after an error. */
tauler_error wave_updates_open(wave_updates *updates, memory_budget *memory, const uint64_t *share_starts,
                               uint32_t shares, int members, size_t piece_bytes, tauler_message *message);
void wave_updates_close(wave_updates *updates);
uint64_t wave_updates_bytes(uint64_t share_positions, uint32_t shares, int members, size_t piece_bytes);

/* Which share is at work from now on; nothing may be under way. */
void wave_updates_aim(wave_updates *updates, uint32_t share);

/* The first own position of each shard of the share at work. */
static inline uint64_t wave_shard_start(const wave_updates *updates, uint64_t shard) {
  const uint64_t *starts = updates->share_starts + updates->at_work;
  const uint64_t start = shard << updates->shard_bits, n = starts[1] - starts[0];
  return start < n ? start : n;
}

/* Opens another run. */
tauler_error wave_updates_turn(wave_updates *updates, int member, wave_lane *lane, int8_t worth);

/* Tells the position of that index. Errors: TAULER_NO_MEMORY. */
static inline tauler_error wave_updates_push(wave_updates *updates, int member, int lane, int8_t worth,
                                             uint64_t index) {
  uint32_t target = updates->guesses[index >> updates->guess_shift];
  while (index >= updates->starts[target + 1]) target++;
  wave_lane *to = &updates->senders[member].lanes[target * WAVE_LANES + (uint32_t)lane];
  if (to->used == to->room || to->worth != worth) {
    const tauler_error error = wave_updates_turn(updates, member, to, worth);
    if (error) return error;
  }
  to->offsets[to->used++] = (uint32_t)(index - updates->starts[target]);
  return TAULER_OK;
}

bool wave_updates_are_many(const wave_updates *updates);

/* The next run within a shard, out of what all members have pushed; false when there is none left. Its
 * offsets stay until the puller's next call. */
typedef struct {
  int from, lane;
  wave_block *pulled;
} wave_puller; /* zeroed at first */
bool wave_updates_pull(wave_updates *updates, int member, uint64_t shard, wave_puller *puller, wave_run *run);

/* A piece out of what all members have pushed for a target that is not here: bytes, room for piece_bytes, and
 * the share that it is for. 0 when there is nothing. Only by one member per target at a time. */
size_t wave_updates_pack(wave_updates *updates, int member, uint32_t target, void *bytes, uint32_t *share);

/* Reads a piece for the share at work as a run in rising order, until the member packs or unpacks another.
 * Errors: TAULER_INTERNAL. */
tauler_error wave_updates_unpack(wave_updates *updates, int member, const uint8_t *piece, size_t n,
                                 wave_run *run);

/* Updates packed so far. */
uint64_t wave_updates_packed(const wave_updates *updates);

#endif
