/* Every packet that is pushed arrives once, as it was, at its target and in the turn it is meant for: for
 * any number of ranks, shards and threads, in memory and by way of the disk. */
#include <stdatomic.h>

#include "parallel/exchange.h"
#include "tests/support/suite.h"
#include "tests/support/toy_comm.h"

enum { MOST_RANKS = 4, MOST_SHARDS = 12, MOST_PACKETS = 330, ROUNDS = 2, HEAD = 16 };

static uint32_t scramble(uint32_t x) {
  x = (x ^ (x >> 16)) * 0x85EBCA6Bu;
  x = (x ^ (x >> 13)) * 0xC2B2AE35u;
  return x ^ (x >> 16);
}

/* The k-th packet of shard `from` to shard `to` in a round: a size and bytes that follow from these
 * numbers. The last packet is empty, the one before as large as any may be. */
typedef struct {
  uint32_t round, from, to, k;
} tale;

static size_t tale_bytes(tale t, uint32_t packets, size_t most) {
  if (t.k == packets - 1) return 0;
  if (t.k == packets - 2) return most;
  return HEAD + scramble(t.round * 7919 + t.from * 104729 + t.to * 1299709 + t.k) % (most - HEAD + 1);
}

static uint8_t tale_byte(tale t, size_t i) {
  return (uint8_t)(scramble(t.round + 3 * t.from + 50 * t.to + 999 * t.k) + i * 7);
}

static size_t fill_packet(tale t, uint32_t packets, size_t most, uint8_t *bytes) {
  const size_t n = tale_bytes(t, packets, most);
  for (size_t i = HEAD; i < n; i++) bytes[i] = tale_byte(t, i);
  if (n) memcpy(bytes, &t, HEAD);
  return n;
}

/* One run: what all ranks share. */
typedef struct {
  uint32_t ranks, per_rank, shards, packets;
  int threads;
  size_t packet_bytes;
  atomic_uchar seen[ROUNDS + 1][MOST_SHARDS][MOST_SHARDS][MOST_PACKETS];
  atomic_int wrong;
  atomic_bool spread_out; /* some step did not end the round */
} world;

typedef struct {
  world *w;
  exchange *x;
  uint32_t rank;
  atomic_uint next; /* next update to push */
} rank_state;

/* Shard `from` has sent to all others, packet by packet, when the counter reaches this. */
static uint32_t tales_of_shard(const world *w) {
  return (w->shards - 1) * w->packets;
}

static void push_some(rank_state *r, uint32_t round, uint32_t from) {
  const world *w = r->w;
  const size_t most = exchange_packet_bytes(r->x);
#pragma omp parallel num_threads(w->threads)
  {
    uint8_t *bytes = suite_zeros(most, 1);
    while (!exchange_is_full(r->x)) {
      const uint32_t i = atomic_fetch_add(&r->next, 1);
      if (i >= tales_of_shard(w)) break;
      uint32_t to = i % (w->shards - 1);
      to += to >= from;
      const tale t = {round, from, to, i / (w->shards - 1)};
      if (exchange_push(r->x, from, to, bytes, fill_packet(t, w->packets, most, bytes)))
        atomic_fetch_add(&r->w->wrong, 1);
    }
  }
}

static void note_tale(rank_state *r, const exchange_packet *packet, uint32_t shard, uint32_t round) {
  world *w = r->w;
  const size_t most = exchange_packet_bytes(r->x);
  tale t = {round, packet->from, shard, w->packets - 1};
  bool right = packet->to == shard && packet->from < w->shards && packet->from != shard;
  if (right && packet->n) {
    if (packet->n >= HEAD) memcpy(&t, packet->bytes, HEAD);
    right = t.from == packet->from && t.to == shard && t.round == round && t.k < w->packets &&
            packet->n == tale_bytes(t, w->packets, most) && (uintptr_t)packet->bytes % 8 == 0;
    for (size_t i = HEAD; right && i < packet->n; i++) right = packet->bytes[i] == tale_byte(t, i);
  }
  if (right)
    atomic_fetch_add(&w->seen[round][t.from][shard][t.k], 1);
  else
    atomic_fetch_add(&w->wrong, 1);
}

/* In its turn `turn` of a round a shard receives packets of the shards with earlier turns. */
static uint32_t round_sent_in(const world *w, uint32_t from, uint32_t shard, uint32_t round) {
  if (w->per_rank == 1 || from % w->per_rank < shard % w->per_rank) return round;
  return round - 1;
}

static void receive_all(rank_state *r, uint32_t shard, uint32_t round) {
#pragma omp parallel num_threads(r->w->threads)
  {
    exchange_cursor cursor = {0};
    exchange_packet packet;
    failure failed = {0};
    while (exchange_receive(r->x, shard, &cursor, &packet, &failed))
      note_tale(r, &packet, shard, round_sent_in(r->w, packet.from, shard, round));
    if (failed.error) atomic_fetch_add(&r->w->wrong, 1);
    exchange_cursor_free(&cursor);
  }
}

static void check_turn(world *w, uint32_t shard, uint32_t round) {
  for (uint32_t from = 0; from < w->shards; from++) {
    const uint32_t sent = round_sent_in(w, from, shard, round);
    for (uint32_t k = 0; k < w->packets && from != shard && sent < ROUNDS; k++)
      if (w->seen[sent][from][shard][k] != 1) atomic_fetch_add(&w->wrong, 1);
  }
}

/* Without a receive queue, round −1 and packets after the last round do not exist. */
static void play_round(rank_state *r, uint32_t round) {
  world *w = r->w;
  for (uint32_t turn = 0; turn < w->per_rank; turn++) {
    const uint32_t shard = r->rank * w->per_rank + turn;
    exchange_mark_received(r->x, shard);
    if (w->per_rank > 1) {
      receive_all(r, shard, round);
      exchange_drop_received(r->x, shard);
      check_turn(w, shard, round);
    }
    if (round == ROUNDS) continue;
    bool more = true;
    uint32_t steps = 0;
    for (r->next = 0; more && steps < 5000; steps++) {
      push_some(r, round, shard);
      more = r->next < tales_of_shard(w);
      if (exchange_advance(r->x, &more, NULL, 0, hear())) atomic_fetch_add(&w->wrong, 1);
      if (more) w->spread_out = true;
      if (w->per_rank == 1) receive_all(r, shard, round);
    }
    if (more) atomic_fetch_add(&w->wrong, 1);
    if (w->per_rank == 1) check_turn(w, shard, round);
  }
}

static void play(comm *comm, void *user) {
  world *w = user;
  memory_budget *memory = suite_budget(UINT64_C(1) << 30);
  const workspace work = {.threads = w->threads,
                          .memory = memory,
                          .comm = comm,
                          .packet_bytes = w->packet_bytes,
                          .spill_folder = folder};
  rank_state r = {.w = w, .rank = (uint32_t)comm_rank(comm)};
  if (exchange_open(&work, w->shards, w->per_rank, &r.x, hear())) {
    atomic_fetch_add(&w->wrong, 1000000);
    return;
  }
  const uint64_t planned = exchange_bytes(&work, w->shards, w->per_rank), taken = memory_allocated(memory);
  if (taken > planned || taken + 4096 < planned) atomic_fetch_add(&w->wrong, 100000);
  const bool sends = w->shards > 1;
  for (uint32_t round = 0; sends && round <= ROUNDS; round++) play_round(&r, round);
  if (memory_peak(memory) > planned) atomic_fetch_add(&w->wrong, 10000);
  exchange_close(r.x);
  if (memory_allocated(memory)) atomic_fetch_add(&w->wrong, 1000);
}

static const struct {
  size_t packet_bytes;
  uint32_t packets;
} shapes[] = {{1024, 14}, {1024, MOST_PACKETS}, {20000, 16}, {0, 8}};

enum { SHAPES = sizeof shapes / sizeof *shapes };

CASE(every_packet_arrives_once_in_its_turn) {
  world *w = suite_zeros(sizeof *w, 1);
  const uint32_t ranks = (uint32_t)_i;
  for (uint32_t per_rank = 1; per_rank <= 3; per_rank += SOME(2, 1)) {
    for (int threads = 1; threads <= 3; threads += ranks > 2 ? 2 : 1) {
      for (int shape = 0; shape < SHAPES; shape++) {
        if (ranks * per_rank > 3 && shape == 1 && (ranks != 2 || threads != 2)) continue; /* they take long */
        memset(w, 0, sizeof *w);
        w->ranks = ranks;
        w->per_rank = per_rank;
        w->shards = ranks * per_rank;
        w->packets = shapes[shape].packets;
        w->threads = threads;
        w->packet_bytes = shapes[shape].packet_bytes;
        toy_comm_run((int)ranks, play, w);
        ck_assert_msg(w->wrong == 0, "%u ranks, %u shards each, %d threads, shape %d: %d wrong", ranks,
                      per_rank, threads, shape, w->wrong);
        ck_assert(w->spread_out == (ranks > 1));
      }
    }
  }
}

SUITE("exchange_ranks") {
  FIXTURE(make_folder, remove_empty_folder);
  LOOP_FROM(every_packet_arrives_once_in_its_turn, 1, MOST_RANKS + 1);
}
