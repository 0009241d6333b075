/* Updates of settled positions to their predecessors: for the frontier of retrograde and repetition.
 *
 * An update says that a quiet child of some position is settled: its worth for the parent's mover, and
 * which of the parent's bounds it concerns. Bound and worth are the same for nearly all updates of a
 * wave, so they stand once before a run of them, and an update is an offset: four bytes in memory, and
 * one to five in a packet, mostly one or two, for another shard, where offsets are sorted and stand as
 * differences.
 *
 * The shard at work is cut into buckets, ranges of positions of the same power of two. A target is a
 * bucket or another shard. Members push without waiting for each other; then what stays in the shard is
 * pulled bucket by bucket, and what goes elsewhere is packed target by target, each by one worker at a
 * time. Updates may come in any order. It owns its blocks. When wave_updates_are_many returns true,
 * workers start no further positions until all updates are pulled or packed; this bounds the blocks.
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
  WAVE_MOST_BUCKETS = 64,
  WAVE_LEAST_BUCKET_BITS = 12,
  WAVE_GUESSES = 4096
};

/* Updates of one lane and worth, for own positions base + offsets[i]. The engine defines the meaning of a
 * lane. */
typedef struct {
  int lane;
  int8_t worth;
  uint64_t base;
  const uint32_t *offsets;
  size_t n;
} wave_run;

typedef struct wave_block wave_block;

/* On the way from one worker to one target: the run that is open, and those that are closed. */
typedef struct {
  uint32_t *offsets;
  uint32_t used, room;
  int8_t worth;
  wave_block *block, *closed;
} wave_lane;

/* Where updates for a range of indexes go: a bucket of the shard at work, or 2^32 positions of another. */
typedef struct {
  uint32_t shard, part;
  bool here;
} wave_target;

typedef struct {
  wave_block *free_blocks;
  uint32_t free_used; /* how many; no worker keeps many that others want */
  uint32_t *runs;     /* two of them, for sorting; the first also for unpacking */
  wave_lane *lanes;   /* [target][WAVE_LANES] */
} wave_sender;

typedef struct {
  memory_budget *memory;
  uint32_t shards, at_work, most_targets;
  const uint64_t *shard_starts; /* [shards + 1]; the caller's */
  int workers;
  wave_sender *senders;
  size_t packet_bytes;
  uint32_t run_room; /* updates in a packet, at most */

  uint64_t *starts; /* [targets + 1], indexes */
  wave_target *targets;
  uint32_t used, first_here, buckets;
  unsigned bucket_bits, guess_shift;
  uint32_t guesses[WAVE_GUESSES + 1];
  pthread_mutex_t locks[WAVE_MOST_BUCKETS]; /* of buckets, for those who absorb */

  pthread_mutex_t arena_lock; /* of the next two */
  void *arenas;
  wave_block *free_blocks;
  _Atomic uint64_t blocks_in_use;
  _Atomic uint64_t enough_blocks;
} wave_updates;

/* shard_starts: the first index of each shard and, last, the number of positions. packet_bytes: of packets
 * for other shards. Errors: TAULER_NO_MEMORY. To be closed also after an error. */
tauler_error wave_updates_open(wave_updates *updates, memory_budget *memory, const uint64_t *shard_starts,
                               uint32_t shards, int workers, size_t packet_bytes, tauler_message *message);
void wave_updates_close(wave_updates *updates);
uint64_t wave_updates_bytes(uint64_t shard_positions, uint32_t shards, int threads, size_t packet_bytes);

/* Sets the shard at work; nothing may be under way. */
void wave_updates_aim(wave_updates *updates, uint32_t shard);

/* Opens another run. */
tauler_error wave_updates_turn(wave_updates *updates, int worker, wave_lane *lane, int8_t worth);

/* Sends to the position of that index. Errors: TAULER_NO_MEMORY. */
static inline tauler_error wave_updates_push(wave_updates *updates, int worker, int lane, int8_t worth,
                                             uint64_t index) {
  uint32_t target = updates->guesses[index >> updates->guess_shift];
  while (index >= updates->starts[target + 1]) target++;
  wave_lane *to = &updates->senders[worker].lanes[target * WAVE_LANES + (uint32_t)lane];
  if (to->used == to->room || to->worth != worth) {
    const tauler_error error = wave_updates_turn(updates, worker, to, worth);
    if (error) return error;
  }
  to->offsets[to->used++] = (uint32_t)(index - updates->starts[target]);
  return TAULER_OK;
}

bool wave_updates_are_many(const wave_updates *updates);

/* The next run within a bucket, out of what all workers have pushed; false when there is none left. Its
 * offsets stay until the puller's next call. */
typedef struct {
  int from, lane;
  wave_block *pulled;
} wave_puller; /* zeroed at first */
bool wave_updates_pull(wave_updates *updates, int worker, uint64_t bucket, wave_puller *puller,
                       wave_run *run);

/* A packet out of what all workers have pushed for a target that is not here: bytes, room for packet_bytes,
 * and the shard that it is for. 0 when there is nothing. Only by one worker per target at a time. */
size_t wave_updates_pack(wave_updates *updates, int worker, uint32_t target, void *bytes, uint32_t *shard);

/* Reads a packet for the shard at work as a run in rising order, until the worker packs or unpacks another.
 * Errors: TAULER_INTERNAL. */
tauler_error wave_updates_unpack(wave_updates *updates, int worker, const uint8_t *packet, size_t n,
                                 wave_run *run);

#endif
