/* Updates of settled positions to their predecessors, for the frontier of retrograde and repetition.
 *
 * An update says that a quiet child of a position is settled: it has the child's worth for the mover of the
 * parent and the bound that it concerns. Both are the same for nearly all updates of a wave. They are
 * therefore stored once for a run of updates, and an update is only an offset: four bytes in memory, and
 * mostly one or two in a packet, where offsets are sorted and stored as differences.
 *
 * The loaded shard is cut into buckets, ranges of positions whose size is a power of two. A target is a
 * bucket or another shard. Workers push without waiting for each other. Then updates for the shard are pulled
 * bucket by bucket, and updates for other shards are packed target by target; only one worker at a time has a
 * bucket or a target. Updates may arrive in any order. When wave_updates_are_many returns true, workers start
 * no further positions until all updates are pulled or packed: this limits the memory. wave_updates owns its
 * blocks.
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

/* Updates of one lane and worth, for the positions base + offsets[i] of the loaded shard. The engine defines
 * the meaning of a lane. */
typedef struct {
  int lane;
  int8_t worth;
  uint64_t base;
  const uint32_t *offsets;
  size_t n;
} wave_run;

typedef struct wave_block wave_block;

/* The updates of one worker for one target: the open run and a list of closed runs. */
typedef struct {
  uint32_t *offsets;
  uint32_t used, room;
  int8_t worth;
  wave_block *block, *closed;
} wave_lane;

/* The target of a range of indexes: a bucket of the loaded shard, or 2^32 positions of another shard. */
typedef struct {
  uint32_t shard, part;
  bool here;
} wave_target;

typedef struct {
  wave_block *free_blocks;
  uint32_t free_used; /* number of free blocks, limited so that others get some */
  uint32_t *runs;     /* two buffers for sorting; the first also for unpacking */
  wave_lane *lanes;   /* [target][WAVE_LANES] */
} wave_sender;

typedef struct {
  memory_budget *memory;
  uint32_t shards, at_work, most_targets;
  const uint64_t *shard_starts; /* [shards + 1], owned by the caller */
  int workers;
  arena lists;
  wave_sender *senders; /* [workers] */
  wave_lane *lanes;     /* of all workers */
  uint32_t *runs;       /* of all workers */
  size_t packet_bytes;
  uint32_t run_room; /* most updates in a packet */

  uint64_t *starts;     /* [used + 1] first index of each target */
  wave_target *targets; /* [used] */
  uint32_t used, first_here, buckets;
  unsigned bucket_bits, guess_shift;
  uint32_t guesses[WAVE_GUESSES + 1];
  pthread_mutex_t locks[WAVE_MOST_BUCKETS]; /* one per bucket, held while its updates are received */

  pthread_mutex_t arena_lock; /* protects arenas and free_blocks */
  void *arenas;
  wave_block *free_blocks;
  _Atomic uint64_t blocks_in_use;
  _Atomic uint64_t enough_blocks;
} wave_updates;

/* shard_starts is the first index of each shard, then the number of positions. packet_bytes is the size of
 * packets for other shards. Errors: TAULER_NO_MEMORY. It must be closed after an error, too. */
tauler_error wave_updates_open(wave_updates *updates, memory_budget *memory, const uint64_t *shard_starts,
                               uint32_t shards, int workers, size_t packet_bytes, tauler_message *message);
void wave_updates_close(wave_updates *updates);
uint64_t wave_updates_bytes(uint64_t shard_positions, uint32_t shards, int threads, size_t packet_bytes);

/* Selects the loaded shard. No update may be under way. */
void wave_updates_aim(wave_updates *updates, uint32_t shard);

/* Closes the open run of a lane and opens another. */
tauler_error wave_updates_turn(wave_updates *updates, int worker, wave_lane *lane, int8_t worth);

/* Adds an update for the position of that index. Errors: TAULER_NO_MEMORY. */
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

/* Pulls the next run of a bucket from the updates of all workers. Returns false if none is left. The offsets
 * are valid until the next call with the same puller. */
typedef struct {
  int from, lane;
  wave_block *pulled;
} wave_puller; /* zero at first */
bool wave_updates_pull(wave_updates *updates, int worker, uint64_t bucket, wave_puller *puller,
                       wave_run *run);

/* Packs updates of all workers for a target outside the loaded shard. `bytes` has room for packet_bytes, and
 * *shard becomes the shard that receives them. Returns the bytes used, 0 if there are no updates. Only one
 * worker at a time may pack a target. */
size_t wave_updates_pack(wave_updates *updates, int worker, uint32_t target, void *bytes, uint32_t *shard);

/* Reads a packet for the loaded shard as a run of rising offsets. It is valid until the worker packs or
 * unpacks another packet. Errors: TAULER_INTERNAL. */
tauler_error wave_updates_unpack(wave_updates *updates, int worker, const uint8_t *packet, size_t n,
                                 wave_run *run);

#endif
