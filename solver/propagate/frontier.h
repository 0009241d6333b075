/* Declares the frontier, by which changed positions of a shard send updates to their predecessors in any
 * shard of any rank (frontier.c), and the lists of these updates (updates.c).
 *
 * A frontier has two sets of positions per plane: those that changed in the last round, and those that change
 * in this one. A round consists of steps, and a step has three parts. Workers go through the changed
 * positions block by block until enough updates are under way (updates.c). They send the updates for other
 * shards in packets. They receive the updates for this shard bucket by bucket; a bucket is a range of
 * positions. One worker at a time receives for a bucket, without atomic operations and on data that stay in
 * the cache.
 *
 *                           this shard
 *    changed position --push--> bucket --pull--> receive
 *             |             another shard
 *             '---------push--> target --pack--> packet --exchange--> unpack --> receive
 *
 * The engine gives two functions: one fills an update, the other applies it at the receiver. With one shard
 * per rank, packets are received in the round that sends them. With several, one shard at a time is in
 * memory, and packets wait until their shard is loaded. A byte per block of positions says whether the block
 * has changes, so that workers skip the others. A frontier owns its sets, updates and exchange. */
#ifndef SOLVER_PROPAGATE_FRONTIER_H
#define SOLVER_PROPAGATE_FRONTIER_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/tauler_error.h"
#include "parallel/exchange.h"
#include "parallel/failure.h"
#include "parallel/workers.h"
#include "solver/shards/job.h"

/* Updates of changed positions to their predecessors, for the engines retrograde and repetition.
 *
 * An update tells a position that one of its quiet children has changed. The engine defines the meaning of
 * its lane and worth. Nearly all updates of a lane have the same worth in a round, so it is stored once for a
 * run of updates. An update is then only an offset: four bytes in memory, and mostly one or two in a packet,
 * where offsets are sorted and stored as differences.
 *
 * The loaded shard is cut into buckets, ranges of positions whose size is a power of two. A target is a
 * bucket, or at most 2^32 positions of another shard. Workers push without waiting for each other. Then one
 * worker at a time pulls the updates of a bucket, or packs those of a target in another shard. Updates may
 * arrive in any order. If wave_updates_are_many returns true, workers go through no further positions until
 * enough updates are pulled or packed: this limits the memory. wave_updates owns the memory of all runs. */
enum {
  WAVE_LANES = 2,
  WAVE_RUN = 1018, /* most updates of a run in memory */
  WAVE_MOST_BUCKETS = 64,
  WAVE_LEAST_BUCKET_BITS = 12,
  WAVE_GUESSES = 4096
};

/* Updates of one lane and worth, for the positions base + offsets[i] of the loaded shard. */
typedef struct {
  int lane;
  int8_t worth;
  uint64_t base;
  const uint32_t *offsets;
  size_t n;
} wave_run;

typedef struct wave_block wave_block;

/* The updates of one worker for one target and lane: the open run and a list of closed runs. */
typedef struct {
  uint32_t *offsets;
  uint32_t used, room;
  int8_t worth;
  wave_block *block, *closed;
} wave_lane;

typedef struct {
  uint32_t shard, part;
  bool here;
} wave_target;

typedef struct {
  wave_block *free_blocks;
  uint32_t free_used; /* number of free blocks, limited so that other workers get some */
  uint32_t *runs;     /* two buffers for sorting, of which the first also serves for unpacking */
  wave_lane *lanes;   /* [target][WAVE_LANES] */
} wave_sender;

typedef struct {
  memory_budget *memory;
  uint32_t shards, loaded, most_targets;
  const uint64_t *shard_starts; /* [shards + 1], owned by the caller */
  int workers;
  arena lists;
  wave_sender *senders; /* [workers] */
  wave_lane *lanes;
  uint32_t *runs;
  size_t packet_bytes;
  uint32_t run_room; /* most updates in a packet */

  uint64_t *starts;     /* [used + 1] first index of each target */
  wave_target *targets; /* [used] */
  uint32_t used, first_here, buckets;
  /* bucket_bits: binary logarithm of the positions of a bucket. guesses[i] is the target of the index
   * i << guess_shift, where wave_updates_push begins its search. */
  unsigned bucket_bits, guess_shift;
  uint32_t guesses[WAVE_GUESSES + 1];
  pthread_mutex_t locks[WAVE_MOST_BUCKETS]; /* one per bucket, held while its updates are received */

  pthread_mutex_t arena_lock;
  void *arenas;
  wave_block *free_blocks;
  _Atomic uint64_t blocks_in_use;
  _Atomic uint64_t enough_blocks;
} wave_updates;

/* Opens updates with no shard selected. shard_starts has the first index of each shard, then the number of
 * positions. Errors: TAULER_NO_MEMORY. After an error the caller closes the updates, too. */
tauler_error wave_updates_open(wave_updates *updates, memory_budget *memory, const uint64_t *shard_starts,
                               uint32_t shards, int workers, size_t packet_bytes, tauler_message *message);
void wave_updates_close(wave_updates *updates);
uint64_t wave_updates_bytes(uint64_t shard_positions, uint32_t shards, int threads, size_t packet_bytes);

void wave_updates_select(wave_updates *updates, uint32_t shard);

tauler_error wave_updates_open_run(wave_updates *updates, int worker, wave_lane *lane, int8_t worth);

/* Errors: TAULER_NO_MEMORY. */
static inline tauler_error wave_updates_push(wave_updates *updates, int worker, int lane, int8_t worth,
                                             uint64_t index) {
  uint32_t target = updates->guesses[index >> updates->guess_shift];
  while (index >= updates->starts[target + 1]) target++;
  wave_lane *to = &updates->senders[worker].lanes[target * WAVE_LANES + (uint32_t)lane];
  if (to->used == to->room || to->worth != worth) {
    const tauler_error error = wave_updates_open_run(updates, worker, to, worth);
    if (error) return error;
  }
  to->offsets[to->used++] = (uint32_t)(index - updates->starts[target]);
  return TAULER_OK;
}

bool wave_updates_are_many(const wave_updates *updates);

/* The place of the next run to pull from a bucket. All members are 0 at first. */
typedef struct {
  int from, lane;
  wave_block *pulled;
} wave_puller;
/* Pulls the next run of a bucket from the updates of all workers. Returns false if none is left. The offsets
 * are valid until the next call with the same puller. */
bool wave_updates_pull(wave_updates *updates, int worker, uint64_t bucket, wave_puller *puller,
                       wave_run *run);

/* Packs updates of all workers for a target outside the loaded shard. `bytes` has room for packet_bytes, and
 * *shard becomes the shard that receives them. Returns the bytes used, 0 if there are no updates. Only one
 * worker at a time may pack a target. */
size_t wave_updates_pack(wave_updates *updates, int worker, uint32_t target, void *bytes, uint32_t *shard);

/* Reads a packet for the loaded shard as a run of sorted offsets. The run is valid until the worker packs or
 * unpacks another packet. Errors: TAULER_INTERNAL. */
tauler_error wave_updates_unpack(wave_updates *updates, int worker, const uint8_t *packet, size_t n,
                                 wave_run *run);

enum {
  FRONTIER_BLOCK = 1024,
  FRONTIER_BLOCK_WORDS = FRONTIER_BLOCK / 64,
  FRONTIER_BATCH = 1024,
  FRONTIER_EDGES = 2048
};

/* A set of positions has a bit per position, and a byte per block that is 1 if the block may have bits. */
typedef struct {
  uint64_t *bits[SOLVE_PLANES];
  uint8_t *dirty[SOLVE_PLANES];
  void *memory;
} changed_set;

/* The update that a changed position sends to all its predecessors. */
typedef struct {
  int8_t lane, value;
} frontier_update;

/* Fills updates[i] for the changed position index[i] of a plane, for i < n. */
typedef void frontier_send(void *user, int plane, const uint64_t *index, size_t n, frontier_update *updates);
/* Applies the updates of a run. It may mark positions of the run's bucket as changed. */
typedef void frontier_receive(void *user, int mine, const wave_run *run);

/* Called when frontier.sums has the sums over all ranks. */
typedef void frontier_use_sums(void *user);

typedef struct frontier frontier;

typedef struct {
  frontier *all;
  int number;
  uint64_t marked;
  uint64_t packets;
  exchange_cursor cursor;
  uint8_t *packet;
  size_t used[SOLVE_PLANES];
  uint64_t index[SOLVE_PLANES][FRONTIER_BATCH];
  frontier_update updates[FRONTIER_BATCH];
  game_edge edges[FRONTIER_EDGES];
} frontier_worker;

struct frontier {
  const solve_job *job;
  uint32_t slice;
  int planes;
  bool waits; /* true if a rank has several shards, so that packets wait until their shard is loaded */
  frontier_send *send;
  frontier_use_sums *use_sums;
  void *user;
  arena lists;
  uint32_t shards;
  uint64_t largest; /* positions of the largest shard of this rank */
  uint64_t *starts; /* [shards + 1] first index of each shard, then the number of positions */
  uint32_t shard;
  uint64_t first, n; /* first index and number of positions of the loaded shard */
  changed_set changed, next;
  void *own;                /* memory for one set, which the shards use one after the other */
  void *next_memory;        /* argument of frontier_select */
  frontier_worker *workers; /* [threads] */
  size_t packet_bytes;      /* 0 if there is one shard */
  uint8_t *packets;         /* [threads] packet_bytes each */
  wave_updates updates;
  exchange *exchange;           /* NULL if there is one shard */
  exchange_packet first_packet; /* packet that is fetched but not applied yet, if has_packet */
  bool has_packet;

  _Atomic uint64_t cursor; /* next block to send in this round */
  /* A step sends in passes of at most one packet to each target. sent: true if a packet was sent in this
   * pass. again: true if another pass follows. unsent: true if the exchange was full. */
  _Atomic bool sent;
  bool again, unsent;
  /* more: true if some rank has more to send. broken: true if the exchange has failed. */
  bool more, broken;
  bool unfinished;
  uint64_t sums[EXCHANGE_SUMS];
  size_t summed; /* number of sums that the next packets carry */
  failure failed;
};

static inline uint64_t frontier_blocks(uint64_t n) {
  return (n + FRONTIER_BLOCK - 1) / FRONTIER_BLOCK;
}

/* Marks position i of the loaded shard for the next round. Only the worker that may write to its bucket calls
 * this function. */
static inline void frontier_mark(frontier *f, int mine, int plane, uint64_t i) {
  uint64_t *word = &f->next.bits[plane][i / 64];
  const uint64_t bit = UINT64_C(1) << (i % 64);
  if (*word & bit) return;
  *word |= bit;
  f->next.dirty[plane][i / FRONTIER_BLOCK] = 1;
  f->workers[mine].marked++;
}

/* Opens the frontier of a rank's shards. The caller has set job, slice, planes, send, use_sums and
 * user. Errors: TAULER_NO_MEMORY and those of the exchange. After an error the caller closes the frontier,
 * too. */
tauler_error frontier_open(frontier *f, const slice_layout *layout, tauler_message *message);
void frontier_close(frontier *f);

uint64_t frontier_bytes_of_sets(uint64_t n, int planes);
/* Returns the most bytes if shards have at most n positions, including one of the two sets. */
uint64_t frontier_bytes(const solve_job *job, uint64_t n, int planes, uint32_t shards,
                        uint32_t shards_per_rank);
/* Returns the positions of the largest shard of a slice that is cut by index. If memory is missing, returns
 * an estimate. */
uint64_t frontier_largest_shard(const solve_problem *problem, uint32_t slice, uint32_t shards,
                                uint32_t shards_per_rank);

/* Selects the loaded shard. `next` has frontier_bytes_of_sets bytes and the positions that are marked for the
 * next round. The shard selected before must have no changed positions left. frontier_write_back writes the
 * marked positions back to `next`. */
void frontier_select(frontier *f, uint32_t shard, void *next);
void frontier_write_back(frontier *f);

/* Returns the first error of the workers, or TAULER_OK. An error always has a message. */
tauler_error frontier_outcome(const frontier *f, tauler_message *message);
/* Calls `between` while all workers wait. If there are other shards, the thread that may call the
 * communicator calls it. */
void frontier_barrier(const frontier *f, worker *self, void (*between)(void *user), void *user);

/* Returns the number of positions marked since the last call, while the workers wait. */
uint64_t frontier_count_marked(frontier *f);
/* Turns the marked positions into the changed ones. One thread calls it while the others wait. */
void frontier_begin_round(frontier *f);
/* Sends the updates of all changed positions and receives those for this shard. If this rank has several
 * shards, frontier_receive_packets receives the packets of other shards. Collective. If there are other
 * shards, the first packets carry f->summed numbers of f->sums, which are added over all ranks, and
 * f->use_sums is called before an update is received. */
void frontier_propagate(frontier *f, worker *self, frontier_receive *receive);

/* For a rank with several shards. One thread calls frontier_fetch_packet before it loads a shard: it keeps
 * the next packet of the shard for frontier_receive_packets, or returns false if no packet waits.
 * frontier_receive_packets receives all packets that wait for the loaded shard. Either all workers call it or
 * worker 0 alone. */
bool frontier_fetch_packet(frontier *f, uint32_t shard);
void frontier_receive_packets(frontier *f, int mine, frontier_receive *receive);
/* Receives packets until the other ranks have finished the round. Called when all shards of this rank have
 * sent. */
void frontier_wait(frontier *f);

#endif
