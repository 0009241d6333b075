/* The frontier: changed positions of a shard send to their predecessors, in whichever shard and rank they
 * are.
 *
 * A frontier has two sets of positions per plane: those that changed in the last round, and those that change
 * in this one. A round takes steps: workers go through the changed positions, block by block, until enough
 * updates are under way (updates.h); packets with updates for other shards are sent; updates for this shard
 * are received bucket by bucket, each by one worker at a time, so that a receiver needs no atomic operation
 * and finds its data near. The engine defines the content of an update and its effect on the position that
 * receives it: a program has one function for each. Every quiet edge is touched once for each change of its
 * child.
 *
 * With one shard per rank, packets are received in the step that they arrive in; with several, one shard at
 * a time is in memory, and packets wait for its next turn. A frontier owns its sets, updates and exchange.
 * Blocks of positions without a change are skipped by a byte each.
 */
#ifndef SOLVER_PROPAGATE_FRONTIER_H
#define SOLVER_PROPAGATE_FRONTIER_H

#include <stdatomic.h>

#include "parallel/exchange.h"
#include "parallel/failure.h"
#include "parallel/workers.h"
#include "solver/propagate/updates.h"
#include "solver/shards/job.h"

enum {
  FRONTIER_BLOCK = 1024,
  FRONTIER_BLOCK_WORDS = FRONTIER_BLOCK / 64,
  FRONTIER_BATCH = 1024,
  FRONTIER_EDGES = 2048
};

/* A bit per position, and a byte per block: whether it has bits. */
typedef struct {
  uint64_t *bits[SOLVE_PLANES];
  uint8_t *dirty[SOLVE_PLANES];
  void *memory;
} changed_set;

/* The update of a changed position to all its predecessors. */
typedef struct {
  int8_t lane, value;
} frontier_update;

/* Fills the updates of n changed positions of a plane, by index. */
typedef void frontier_send(void *user, int plane, const uint64_t *index, size_t n, frontier_update *updates);
/* Takes updates in; may mark positions of the run's bucket as changed. */
typedef void frontier_receive(void *user, int mine, const wave_run *run);

/* Is given what the ranks added up, in frontier.sums. */
typedef void frontier_take_sums(void *user);

typedef struct frontier frontier;

/* The private state of a worker. */
typedef struct {
  frontier *all;
  int number;
  uint64_t marked;  /* positions, since they were last gathered */
  uint64_t packets; /* sent */
  exchange_cursor cursor;
  uint8_t *packet;
  size_t used[SOLVE_PLANES];
  uint64_t index[SOLVE_PLANES][FRONTIER_BATCH];
  frontier_update updates[FRONTIER_BATCH];
  game_edge edges[FRONTIER_EDGES];
} frontier_worker;

struct frontier {
  const solve_job *job;
  comm *comm;
  uint32_t slice;
  int planes;
  bool waits; /* several shards per rank: packets wait for the next turn of theirs */
  frontier_send *send;
  frontier_take_sums *take_sums;
  void *user;
  uint64_t *starts;  /* indexes, of all shards and the end */
  uint32_t shard;    /* at work */
  uint64_t first, n; /* its positions, by index; elsewhere they are counted from the first */
  changed_set changed, next;
  void *own, *mapped; /* the frontier's memory of a set; where the next one lies when a shard leaves */
  frontier_worker *workers;
  wave_updates updates;
  exchange *exchange;           /* NULL: there is one shard */
  exchange_packet first_packet; /* taken by one thread, to see whether there are any */
  bool has_packet;

  _Atomic uint64_t cursor; /* items of a round handed out; outlasts barriers */
  _Atomic bool sent;       /* a packet left in this pass */
  bool again, unsent;      /* pass once more; the exchange was full */
  bool more, broken;       /* some rank has; the exchange can be used no more */
  bool unfinished;         /* the round takes another step */
  uint64_t sums[EXCHANGE_SUMS];
  size_t summed; /* of the sums, those that the next packets take along */
  failure failed;
};

static inline bool has_bit(const uint64_t *bits, uint64_t i) {
  return bits[i / 64] >> (i % 64) & 1;
}
static inline void set_bit(uint64_t *bits, uint64_t i) {
  bits[i / 64] |= UINT64_C(1) << (i % 64);
}
static inline uint64_t frontier_blocks(const frontier *f) {
  return (f->n + FRONTIER_BLOCK - 1) / FRONTIER_BLOCK;
}

/* Marks a position for the next round. By the worker that may write the data of its block. */
static inline void frontier_mark(frontier *f, int mine, int plane, uint64_t i) {
  uint64_t *word = &f->next.bits[plane][i / 64];
  const uint64_t bit = UINT64_C(1) << (i % 64);
  if (*word & bit) return;
  *word |= bit;
  f->next.dirty[plane][i / FRONTIER_BLOCK] = 1;
  f->workers[mine].marked++;
}

/* The frontier of a rank's shards; job, comm, slice, planes, send and user are set before. Errors:
 * TAULER_NO_MEMORY, those of the exchange. To be closed also after an error. */
tauler_error frontier_open(frontier *f, const slice_layout *layout, tauler_message *message);
void frontier_close(frontier *f);

/* Bytes of one set of n positions; and what a frontier takes at most, one of its two sets included, for
 * shards of at most n positions. */
uint64_t frontier_set_bytes(uint64_t n, int planes);
uint64_t frontier_bytes(const solve_job *job, uint64_t n, int planes, uint32_t shards,
                        uint32_t shards_per_rank);
/* Positions of the largest shard of a slice that is cut by index. */
uint64_t frontier_largest_shard(const solve_problem *problem, uint32_t slice, uint32_t shards,
                                uint32_t shards_per_rank);

/* Has a shard at work. `next` has frontier_set_bytes and the positions marked for the next round; nothing may
 * be left of the last one. frontier_leave puts them back there. */
void frontier_enter(frontier *f, uint32_t shard, void *next);
void frontier_leave(frontier *f);

/* The outcome of a run of workers: the first failure, with a message in any case. */
tauler_error frontier_outcome(const frontier *f, tauler_message *message);
/* Calls `between` while all workers wait, in the thread that may pass messages if there are other shards. */
void frontier_lead(const frontier *f, worker *self, void (*between)(void *user), void *user);

/* How many positions were marked since the last time. By one thread while the others wait. */
uint64_t frontier_gather(frontier *f);
/* A new round: what was marked is what changed. By one thread while the others wait. */
void frontier_turn(frontier *f);
/* All changed positions send their updates, and those for this shard are received. Collective. With the first
 * packets ranks add up f->summed numbers of f->sums, and f->take_sums is called before anything is received.
 */
void frontier_propagate(frontier *f, worker *self, frontier_receive *receive);

/* With several shards per rank, at the beginning of a shard's turn: whether a packet waits for it (by one
 * thread), and all that do are received (by all workers, or by worker 0 alone). */
bool frontier_has_packet(frontier *f, uint32_t shard);
void frontier_receive_packets(frontier *f, int mine, frontier_receive *receive);
/* At the end of a round of all shards here: lets packets of other ranks in until those are done. */
void frontier_wait(frontier *f);

#endif
