/* Moves packets from shard to shard: in memory, between ranks, or through a file. */
#include "parallel/exchange.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/clock.h"
#include "parallel/receive_queue.h"

enum {
  LEAST_CHOSEN_PACKET = 16 * 1024,
  MOST_CHOSEN_PACKET = 128 * 1024,
  ALL_PEERS_PACKETS = 4 * 1024 * 1024
};
enum { MEASURED_SWAPS = 3, MEASURED_BYTES = 32 * 1024 };
enum { MORE = 1, FAILED = 2, SUMS_AT = 8 };
static const char what_buffers[] = "buffers for packets on their way";

/* The head before the packets for a rank. The bits of `flags` from SUMS_AT on are the number of sums. */
typedef struct {
  uint64_t flags, sums[EXCHANGE_SUMS];
} swap_head;

/* The packets for a peer, record after record, with space for a head before `bytes`. */
typedef struct {
  uint8_t *bytes;
  _Atomic size_t used;
} outbox;

struct exchange {
  comm *comm;
  memory_budget *memory;
  arena lists;
  uint32_t shards, shards_per_rank;
  int rank, ranks;
  size_t packet_bytes, room;
  outbox *out;             /* [2][ranks] outboxes, of which this rank's own is empty */
  comm_buffer *sends, *in; /* [ranks] bytes being sent, [2][ranks] received bytes */
  int filled;              /* half of `out` to which packets are pushed, and of `in` that receives next */
  bool under_way;          /* true while the other half is being sent */
  uint8_t *buffers;
  receive_queues *receive_queues; /* NULL if packets are read from `in` */
  atomic_bool full;
  _Atomic uint64_t next; /* next record to read from `in`: number of the buffer << 32 | byte */

  pthread_mutex_t failing;
  atomic_bool failed;
  tauler_error error; /* first error, or TAULER_OK */
  tauler_message message;
};

static size_t choose_packet_bytes(const workspace *work, size_t peers) {
  size_t bytes = work->packet_bytes, least = EXCHANGE_LEAST_PACKET;
  if (bytes == 0) {
    bytes = ALL_PEERS_PACKETS / peers;
    least = LEAST_CHOSEN_PACKET;
  }
  const size_t most = work->packet_bytes ? EXCHANGE_PACKET : MOST_CHOSEN_PACKET;
  return bytes < least ? least : bytes > most ? most : bytes;
}

/* Returns the bytes of the buffer for a rank, which are the same on all ranks. When the exchange becomes
 * full, each thread may still push one packet. */
static size_t choose_room_bytes(const workspace *work, size_t packet) {
  const size_t threads = (size_t)(work->most_threads > work->threads ? work->most_threads : work->threads);
  return (sizeof(swap_head) + packet + threads * packet_record_bytes(packet) + 63) / 64 * 64;
}

static void list_buffers(arena *a, void *of) {
  exchange *x = of;
  const uint64_t ranks = (uint64_t)x->ranks;
  x->out = arena_allocate(a, 2 * ranks, sizeof *x->out);
  x->sends = arena_allocate(a, ranks, sizeof *x->sends);
  x->in = arena_allocate(a, 2 * ranks, sizeof *x->in);
  x->buffers = arena_allocate(a, 4 * (ranks - 1), x->room);
}

uint64_t exchange_bytes(const workspace *work, uint32_t shards, uint32_t shards_per_rank) {
  const uint32_t ranks = shards / shards_per_rank;
  const size_t packet = choose_packet_bytes(work, ranks);
  exchange planned = {.ranks = (int)ranks, .room = choose_room_bytes(work, packet)};
  return sizeof planned + arena_bytes(list_buffers, &planned) +
         (shards_per_rank > 1 ? receive_queues_bytes(shards_per_rank, packet, work->threads) : 0);
}

static tauler_error allocate_buffers(exchange *x, tauler_message *message) {
  const tauler_error error = arena_fill(&x->lists, x->memory, what_buffers, list_buffers, x, message);
  uint8_t *next = x->buffers;
  for (int r = 0; r < 2 * x->ranks && !error; r++) {
    if (r % x->ranks == x->rank) continue;
    x->out[r].bytes = next + sizeof(swap_head);
    x->in[r].bytes = next + x->room;
    next += 2 * x->room;
  }
  return error;
}

tauler_error exchange_open(const workspace *work, uint32_t shards, uint32_t shards_per_rank, exchange **out,
                           tauler_message *message) {
  *out = NULL;
  const uint32_t ranks = (uint32_t)comm_ranks(work->comm);
  const size_t packet = choose_packet_bytes(work, ranks), room = choose_room_bytes(work, packet);
  if (shards_per_rank == 0 || work->threads < 1 || (uint64_t)shards_per_rank * ranks != shards ||
      (shards_per_rank > 1 && !work->spill_folder) || room > INT32_MAX)
    return tauler_fail(message, TAULER_INTERNAL, "an exchange of %u shards among %u ranks", shards, ranks);
  exchange *made;
  tauler_error error = memory_allocate(work->memory, sizeof *made, what_buffers, &made, message);
  if (error) return error;
  made->comm = work->comm;
  made->memory = work->memory;
  made->shards = shards;
  made->shards_per_rank = shards_per_rank;
  made->rank = comm_rank(work->comm);
  made->ranks = (int)ranks;
  made->packet_bytes = packet;
  made->room = room;
  pthread_mutex_init(&made->failing, NULL);
  error = allocate_buffers(made, message);
  if (!error && shards_per_rank > 1)
    error = receive_queues_open(work->spill_folder, shards_per_rank, made->packet_bytes, work->threads,
                                work->memory, &made->receive_queues, message);
  if (error) {
    exchange_close(made);
    return error;
  }
  *out = made;
  return TAULER_OK;
}

void exchange_close(exchange *x) {
  if (!x) return;
  receive_queues_close(x->receive_queues);
  pthread_mutex_destroy(&x->failing);
  arena_close(&x->lists);
  memory_free(x->memory, x);
}

static size_t measured_bytes(size_t packet) {
  return packet < MEASURED_BYTES ? packet : MEASURED_BYTES;
}

uint64_t exchange_measure_bytes(const workspace *work, uint64_t ranks) {
  return MEASURED_SWAPS * ranks * (ranks - 1) * measured_bytes(choose_packet_bytes(work, ranks));
}

size_t exchange_packet_bytes(const exchange *x) {
  return x->packet_bytes;
}

/* Times each swap by its slowest rank. Other work of the machine slows some swaps, so the best one counts. */
tauler_error exchange_measure(exchange *x, tauler_message *message) {
  tauler_error error = TAULER_OK;
  double best = 0;
  const size_t bytes = measured_bytes(x->packet_bytes);
  if (x->ranks == 1 || comm_bandwidth(x->comm) > 0) return TAULER_OK;
  for (int i = 0; i < MEASURED_SWAPS && !error; i++) {
    uint64_t nanoseconds = 0;
    for (int r = 0; r < x->ranks; r++) x->sends[r] = (comm_buffer){x->out[r].bytes, bytes};
    error = comm_allreduce(x->comm, COMM_MAX, &nanoseconds, 1, message);
    const double start = clock_wall();
    if (!error) error = comm_alltoallv(x->comm, x->sends, x->in, x->room, message);
    nanoseconds = 1 + (uint64_t)(1e9 * (clock_wall() - start));
    if (!error) error = comm_allreduce(x->comm, COMM_MAX, &nanoseconds, 1, message);
    const double now = 1e9 * (double)(bytes * (size_t)(x->ranks - 1)) / (double)nanoseconds;
    if (now > best) best = now;
  }
  for (int r = 0; r < x->ranks; r++) x->in[r].n = 0;
  if (!error) comm_set_bandwidth(x->comm, best);
  return error;
}

/* Keeps an error for the next advance, which reports it to all ranks. */
static tauler_error keep_failure(exchange *x, tauler_error error, const tauler_message *message) {
  pthread_mutex_lock(&x->failing);
  if (!x->error) {
    x->error = error;
    x->message = *message;
  }
  pthread_mutex_unlock(&x->failing);
  atomic_store(&x->failed, true);
  return error;
}

static bool rank_owns(const exchange *x, uint32_t shard, int rank) {
  return shard < x->shards && (int)(shard / x->shards_per_rank) == rank;
}

static uint32_t queue_number(const exchange *x, uint32_t shard) {
  return shard % x->shards_per_rank;
}

/* Reserves bytes of an outbox for this thread, which fills them while other threads fill theirs. *at becomes
 * the first of them. Returns false if the outbox has too few bytes left. */
static bool reserve_bytes(outbox *box, size_t bytes, size_t room, size_t *at) {
  *at = atomic_load_explicit(&box->used, memory_order_relaxed);
  do {
    if (bytes > room - *at) return false;
  } while (!atomic_compare_exchange_weak_explicit(&box->used, at, *at + bytes, memory_order_relaxed,
                                                  memory_order_relaxed));
  return true;
}

tauler_error exchange_push(exchange *x, uint32_t from, uint32_t to, const void *bytes, size_t n) {
  tauler_message message = {""};
  const exchange_packet packet = {from, to, bytes, n};
  if (!rank_owns(x, from, x->rank) || to >= x->shards || to == from || n > x->packet_bytes)
    return keep_failure(
        x, tauler_fail(&message, TAULER_INTERNAL, "a packet of %zu bytes from shard %u to %u", n, from, to),
        &message);
  if (rank_owns(x, to, x->rank)) {
    const tauler_error error = receive_queues_add(x->receive_queues, queue_number(x, to), &packet, &message);
    return error ? keep_failure(x, error, &message) : TAULER_OK;
  }
  outbox *box = &x->out[x->filled * x->ranks + (int)(to / x->shards_per_rank)];
  size_t at;
  if (!reserve_bytes(box, packet_record_bytes(n), x->room - sizeof(swap_head), &at))
    return keep_failure(x, tauler_fail(&message, TAULER_INTERNAL, "a packet was pushed to a full exchange"),
                        &message);
  packet_write(box->bytes + at, &packet);
  if (at + packet_record_bytes(n) >= x->packet_bytes)
    atomic_store_explicit(&x->full, true, memory_order_relaxed);
  comm_note_progress(x->comm);
  return TAULER_OK;
}

bool exchange_is_full(const exchange *x) {
  return atomic_load_explicit(&x->full, memory_order_relaxed) ||
         atomic_load_explicit(&x->failed, memory_order_relaxed);
}

static size_t head_bytes(uint64_t flags) {
  return (1 + (flags >> SUMS_AT)) * sizeof flags;
}

/* Checks all bytes that a peer has sent, so that readers need not. Adds flags and sums of its head to *all,
 * and packets to the receive queues if there are any. */
static tauler_error accept_received(exchange *x, const comm_buffer *received, int from, swap_head *all,
                                    tauler_message *message) {
  const uint8_t *bytes = received->bytes;
  swap_head head = {.flags = 0};
  bool good = received->n >= sizeof head.flags && received->n <= x->room;
  if (good) memcpy(&head.flags, bytes, sizeof head.flags);
  const size_t head_n = head_bytes(head.flags);
  good = good && (head.flags & ((1 << SUMS_AT) - 1)) <= (MORE | FAILED) && head_n <= sizeof head &&
         head_n <= received->n;
  tauler_error error = TAULER_OK;
  if (good) memcpy(&head, bytes, head_n);
  if (good) all->flags |= head.flags & (MORE | FAILED);
  for (size_t i = 0; i < EXCHANGE_SUMS && good; i++) all->sums[i] += head.sums[i];
  for (size_t at = head_n, next; good && at < received->n && !error; at = next) {
    exchange_packet packet;
    next = packet_read(bytes, at, received->n, x->packet_bytes, &packet);
    good = next && rank_owns(x, packet.from, from) && rank_owns(x, packet.to, x->rank);
    if (good && x->receive_queues)
      error = receive_queues_add(x->receive_queues, queue_number(x, packet.to), &packet, message);
  }
  if (good) return error;
  return tauler_fail(message, TAULER_IO,
                     "rank %d sent bytes that are no packet; check that all ranks run the same program",
                     from);
}

static tauler_error start_swap(exchange *x, const swap_head *own, tauler_message *message) {
  outbox *out = x->out + x->filled * x->ranks;
  comm_buffer *in = x->in + x->filled * x->ranks;
  const size_t head_n = head_bytes(own->flags);
  for (int r = 0; r < x->ranks; r++) {
    in[r].n = 0;
    if (r == x->rank) continue;
    uint8_t *bytes = memcpy(out[r].bytes - head_n, own, head_n);
    x->sends[r] = (comm_buffer){bytes, head_n + out[r].used};
  }
  x->filled = 1 - x->filled;
  x->full = false;
  x->under_way = true;
  return comm_start_alltoallv(x->comm, x->sends, in, x->room, message);
}

/* Returns an error of the link. Keeps an error in a peer's bytes for the next advance, since only this rank
 * has it. */
static tauler_error finish_swap(exchange *x, swap_head *all, tauler_message *message) {
  outbox *out = x->out + (1 - x->filled) * x->ranks;
  const comm_buffer *in = x->in + (1 - x->filled) * x->ranks;
  const tauler_error lost = comm_finish_alltoallv(x->comm, message);
  x->under_way = false;
  for (int r = 0; r < x->ranks; r++) {
    tauler_message failure = {""};
    out[r].used = 0;
    if (lost || r == x->rank) continue;
    /* After an error the bytes of other ranks are still accepted, since they say who has more or failed. */
    const tauler_error error = accept_received(x, &in[r], r, all, &failure);
    if (error) (void)keep_failure(x, error, &failure);
  }
  return lost;
}

/* Finishes the previous swap and starts the next one with the head *all. If `finish`, also finishes the next
 * swap, and *all becomes the flags and sums of all ranks. If another rank has reported a failure in the
 * previous swap, starts no swap, and *all becomes the sum of the heads received in the previous one. All
 * ranks make the same swaps, since another swap follows while a rank has more. */
static tauler_error swap_packets(exchange *x, bool finish, swap_head *all, tauler_message *message) {
  swap_head own = *all, before = {0};
  tauler_error error = x->under_way ? finish_swap(x, &before, message) : TAULER_OK;
  *all = before;
  if (error || (before.flags & FAILED)) return error;
  error = start_swap(x, &own, message);
  *all = own;
  return error || !finish ? error : finish_swap(x, all, message);
}

tauler_error exchange_advance(exchange *x, bool *more, uint64_t *sums, size_t n, tauler_message *message) {
  swap_head all = {.flags = (*more ? MORE : 0) | (x->failed ? FAILED : 0) | n << SUMS_AT};
  if (n) memcpy(all.sums, sums, n * sizeof *sums);
  for (int r = 0; r < 2 * x->ranks; r++) x->in[r].n = 0;
  x->next = 0;
  x->full = false;
  const bool finish = n > 0 || !*more || x->failed || x->receive_queues;
  tauler_error error = x->ranks > 1 ? swap_packets(x, finish, &all, message) : TAULER_OK;
  /* If the ranks have lost each other, this rank reports its first error. */
  if (error && x->failed) return tauler_fail(message, x->error, "%s", x->message.text);
  if (error) return error;
  if (n) memcpy(sums, all.sums, n * sizeof *sums);
  *more = all.flags & MORE;
  if (!(all.flags & FAILED)) return TAULER_OK;
  tauler_message failure = x->message;
  error = comm_agree(x->comm, x->error, &failure);
  return tauler_fail(message, error, "%s", failure.text);
}

/* A record is read before it is claimed, which is safe since records were checked when they arrived. */
static bool claim_next_packet(exchange *x, exchange_packet *packet) {
  uint64_t place = atomic_load(&x->next), next;
  do {
    uint32_t rank = (uint32_t)(place >> 32);
    size_t at = (uint32_t)place;
    for (; rank < 2 * (uint32_t)x->ranks; rank++, at = 0) {
      if (at == 0 && x->in[rank].n) at = head_bytes(*(const uint64_t *)x->in[rank].bytes);
      if (at < x->in[rank].n) break;
    }
    if (rank == 2 * (uint32_t)x->ranks) return false;
    next = (uint64_t)rank << 32 | packet_read(x->in[rank].bytes, at, x->in[rank].n, x->packet_bytes, packet);
  } while (!atomic_compare_exchange_weak(&x->next, &place, next));
  return true;
}

bool exchange_receive(exchange *x, uint32_t shard, exchange_cursor *cursor, exchange_packet *packet,
                      failure *failed) {
  tauler_message message = {""};
  tauler_error error;
  if (x->failed)
    error = tauler_fail(&message, x->error, "%s", x->message.text);
  else if (!rank_owns(x, shard, x->rank))
    error = tauler_fail(&message, TAULER_INTERNAL, "packets of shard %u are not here", shard);
  else if (!x->receive_queues)
    return claim_next_packet(x, packet);
  else
    error =
        receive_queues_receive(x->receive_queues, queue_number(x, shard), &cursor->reader, packet, &message);
  if (!error) return packet->bytes != NULL;
  exchange_cursor_free(cursor);
  failure_note(failed, keep_failure(x, error, &message), &message);
  return false;
}

void exchange_cursor_free(exchange_cursor *cursor) {
  receive_cursor_free(cursor->reader);
  cursor->reader = NULL;
}

void exchange_mark_received(exchange *x, uint32_t shard) {
  if (x->receive_queues && rank_owns(x, shard, x->rank))
    receive_queues_set_mark(x->receive_queues, queue_number(x, shard));
}

void exchange_drop_received(exchange *x, uint32_t shard) {
  if (x->receive_queues && rank_owns(x, shard, x->rank))
    receive_queues_drop(x->receive_queues, queue_number(x, shard));
}
