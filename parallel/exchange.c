/* Moves packets from shard to shard: in memory, between ranks, or through a file. */
#include "parallel/exchange.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

#include "base/clock.h"
#include "parallel/receive_queue.h"

enum { LEAST_CHOSEN_PACKET = 32 * 1024, ALL_PEERS_PACKETS = 8 * 1024 * 1024 };
enum { MEASURED_SWAPS = 3, MEASURED_BYTES = 32 * 1024 };
enum { MORE = 1, FAILED = 2 };
static const char what_buffers[] = "buffers for packets on their way";

/* Goes before the packets of a parcel. Of the sums only those that the ranks add up. */
typedef struct {
  uint64_t flags, sums[EXCHANGE_SUMS];
} swap_head;

/* Packets on their way to a peer, one record after the other, with room for a head before them. */
typedef struct {
  uint8_t *bytes;
  _Atomic size_t used;
} outbox;

struct exchange {
  comm *comm;
  memory_budget *memory;
  uint32_t shards, shards_per_rank;
  int rank, ranks;
  size_t packet_bytes, room;
  size_t head_bytes; /* of the last parcels */
  outbox *out;       /* [ranks]; nothing for this rank itself */
  comm_buffer *parcels, *in;
  uint8_t *buffers;
  receive_queues *receive_queues; /* NULL: packets are taken from `in` */
  atomic_bool full;
  _Atomic uint64_t next; /* to take from `in`: rank << 32 | byte */

  pthread_mutex_t failing;
  atomic_bool failed;
  tauler_error error; /* the first; it stays */
  tauler_message message;
};

static size_t choose_packet(const workspace *work, size_t peers) {
  size_t bytes = work->packet_bytes, least = EXCHANGE_LEAST_PACKET;
  if (bytes == 0) {
    bytes = ALL_PEERS_PACKETS / peers;
    least = LEAST_CHOSEN_PACKET;
  }
  return bytes < least ? least : bytes > EXCHANGE_PACKET ? EXCHANGE_PACKET : bytes;
}

/* Of a parcel: while it is not full each thread may still push a packet. */
static size_t choose_room(const workspace *work, size_t packet) {
  return (sizeof(swap_head) + packet + (size_t)work->threads * packet_record_bytes(packet) + 63) / 64 * 64;
}

uint64_t exchange_bytes(const workspace *work, uint32_t shards, uint32_t shards_per_rank) {
  const uint64_t ranks = shards / shards_per_rank;
  const size_t packet = choose_packet(work, ranks);
  uint64_t bytes = sizeof(exchange) + ranks * (sizeof(outbox) + 2 * sizeof(comm_buffer)) +
                   2 * (ranks - 1) * choose_room(work, packet);
  if (shards_per_rank > 1) bytes += receive_queues_bytes(shards_per_rank, packet, work->threads);
  return bytes;
}

static tauler_error take_buffers(exchange *x, tauler_message *message) {
  const uint64_t ranks = (uint64_t)x->ranks;
  tauler_error error = memory_take_array(x->memory, ranks, sizeof(outbox), what_buffers, &x->out, message);
  if (!error)
    error = memory_take_array(x->memory, ranks, sizeof(comm_buffer), what_buffers, &x->parcels, message);
  if (!error) error = memory_take_array(x->memory, ranks, sizeof(comm_buffer), what_buffers, &x->in, message);
  if (!error)
    error = memory_take_array(x->memory, 2 * (ranks - 1), x->room, what_buffers, &x->buffers, message);
  if (error) return error;
  uint8_t *next = x->buffers;
  for (int r = 0; r < x->ranks; r++) {
    if (r == x->rank) continue;
    x->out[r].bytes = next + sizeof(swap_head);
    x->in[r].bytes = next + x->room;
    next += 2 * x->room;
  }
  return TAULER_OK;
}

tauler_error exchange_open(const workspace *work, uint32_t shards, uint32_t shards_per_rank, exchange **out,
                           tauler_message *message) {
  *out = NULL;
  const uint32_t ranks = (uint32_t)comm_ranks(work->comm);
  const size_t packet = choose_packet(work, ranks), room = choose_room(work, packet);
  if (shards_per_rank == 0 || work->threads < 1 || (uint64_t)shards_per_rank * ranks != shards ||
      (shards_per_rank > 1 && !work->spill_folder) || room > INT32_MAX)
    return tauler_fail(message, TAULER_INTERNAL, "an exchange of %u shards among %u ranks", shards, ranks);
  exchange *made;
  tauler_error error = memory_take(work->memory, sizeof *made, what_buffers, &made, message);
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
  error = take_buffers(made, message);
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
  memory_give(x->memory, x->out);
  memory_give(x->memory, x->parcels);
  memory_give(x->memory, x->in);
  memory_give(x->memory, x->buffers);
  memory_give(x->memory, x);
}

static size_t measured_bytes(size_t packet) {
  return packet < MEASURED_BYTES ? packet : MEASURED_BYTES;
}

uint64_t exchange_measure_bytes(const workspace *work, uint64_t ranks) {
  return MEASURED_SWAPS * ranks * (ranks - 1) * measured_bytes(choose_packet(work, ranks));
}

size_t exchange_packet_bytes(const exchange *x) {
  return x->packet_bytes;
}

/* The best of some swaps, as the slowest rank sees each: what else the machine does should not count. */
tauler_error exchange_measure(exchange *x, tauler_message *message) {
  tauler_error error = TAULER_OK;
  double best = 0;
  const size_t bytes = measured_bytes(x->packet_bytes);
  if (x->ranks == 1 || comm_bandwidth(x->comm) > 0) return TAULER_OK;
  for (int i = 0; i < MEASURED_SWAPS && !error; i++) {
    uint64_t nanoseconds = 0;
    for (int r = 0; r < x->ranks; r++) x->parcels[r] = (comm_buffer){x->out[r].bytes, bytes};
    error = comm_allreduce(x->comm, COMM_MAX, &nanoseconds, 1, message);
    const double start = clock_wall();
    if (!error) error = comm_alltoallv(x->comm, x->parcels, x->in, x->room, message);
    nanoseconds = 1 + (uint64_t)(1e9 * (clock_wall() - start));
    if (!error) error = comm_allreduce(x->comm, COMM_MAX, &nanoseconds, 1, message);
    const double now = 1e9 * (double)(bytes * (size_t)(x->ranks - 1)) / (double)nanoseconds;
    if (now > best) best = now;
  }
  for (int r = 0; r < x->ranks; r++) x->in[r].n = 0;
  if (!error) comm_set_bandwidth(x->comm, best);
  return error;
}

/* Kept for the next advance, where all ranks learn of it. */
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

static bool owns(const exchange *x, uint32_t shard, int rank) {
  return shard < x->shards && (int)(shard / x->shards_per_rank) == rank;
}

static uint32_t receive_queue_of(const exchange *x, uint32_t shard) {
  return shard % x->shards_per_rank;
}

/* Threads reserve their part of an outbox and fill it side by side. */
static bool reserve(outbox *box, size_t bytes, size_t room, size_t *at) {
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
  if (!owns(x, from, x->rank) || to >= x->shards || to == from || n > x->packet_bytes)
    return keep_failure(
        x, tauler_fail(&message, TAULER_INTERNAL, "a packet of %zu bytes from shard %u to %u", n, from, to),
        &message);
  if (owns(x, to, x->rank)) {
    const tauler_error error =
        receive_queues_add(x->receive_queues, receive_queue_of(x, to), &packet, &message);
    return error ? keep_failure(x, error, &message) : TAULER_OK;
  }
  outbox *box = &x->out[to / x->shards_per_rank];
  size_t at;
  if (!reserve(box, packet_record_bytes(n), x->room - sizeof(swap_head), &at))
    return keep_failure(x, tauler_fail(&message, TAULER_INTERNAL, "a packet was pushed to a full exchange"),
                        &message);
  packet_write(box->bytes + at, &packet);
  if (at + packet_record_bytes(n) >= x->packet_bytes)
    atomic_store_explicit(&x->full, true, memory_order_relaxed);
  return TAULER_OK;
}

bool exchange_is_full(const exchange *x) {
  return atomic_load_explicit(&x->full, memory_order_relaxed) ||
         atomic_load_explicit(&x->failed, memory_order_relaxed);
}

/* Looks at all that a peer has sent, so that whoever takes it need not, and keeps what is to be kept. */
static tauler_error sort_received(exchange *x, int from, swap_head *all, tauler_message *message) {
  const comm_buffer *parcel = &x->in[from];
  const uint8_t *bytes = parcel->bytes;
  swap_head head = {.flags = UINT64_MAX};
  if (parcel->n >= x->head_bytes && parcel->n <= x->room) memcpy(&head, bytes, x->head_bytes);
  bool good = head.flags <= (MORE | FAILED);
  tauler_error error = TAULER_OK;
  if (good) all->flags |= head.flags;
  for (size_t i = 0; i < EXCHANGE_SUMS && good; i++) all->sums[i] += head.sums[i];
  for (size_t at = x->head_bytes, next; good && at < parcel->n && !error; at = next) {
    exchange_packet packet;
    next = packet_read(bytes, at, parcel->n, x->packet_bytes, &packet);
    good = next && owns(x, packet.from, from) && owns(x, packet.to, x->rank);
    if (good && x->receive_queues)
      error = receive_queues_add(x->receive_queues, receive_queue_of(x, packet.to), &packet, message);
  }
  if (good) return error;
  return tauler_fail(message, TAULER_IO,
                     "rank %d sent what is no packet; check that all ranks run the same program", from);
}

/* An error of sorting is this rank's alone, and kept. */
static tauler_error swap_boxes(exchange *x, swap_head *all, tauler_message *message) {
  const swap_head own = *all;
  for (int r = 0; r < x->ranks; r++) {
    x->in[r].n = 0;
    if (r == x->rank) continue;
    uint8_t *parcel = memcpy(x->out[r].bytes - x->head_bytes, &own, x->head_bytes);
    x->parcels[r] = (comm_buffer){parcel, x->head_bytes + x->out[r].used};
  }
  const tauler_error lost = comm_alltoallv(x->comm, x->parcels, x->in, x->room, message);
  tauler_message failure = {""};
  tauler_error error = TAULER_OK;
  for (int r = 0; r < x->ranks; r++) {
    x->out[r].used = 0;
    if (!lost && r != x->rank && !error) error = sort_received(x, r, all, &failure);
  }
  if (error) keep_failure(x, error, &failure);
  return lost;
}

tauler_error exchange_advance(exchange *x, bool *more, uint64_t *sums, size_t n, tauler_message *message) {
  swap_head all = {.flags = (*more ? MORE : 0) | (x->failed ? FAILED : 0)};
  if (n) memcpy(all.sums, sums, n * sizeof *sums);
  x->head_bytes = (1 + n) * sizeof(uint64_t);
  x->next = x->head_bytes;
  x->full = false;
  tauler_error error = x->ranks > 1 ? swap_boxes(x, &all, message) : TAULER_OK;
  /* Of ranks that have lost each other, this one knows best what it met first. */
  if (error && x->failed) return tauler_fail(message, x->error, "%s", x->message.text);
  if (error) return error;
  if (n) memcpy(sums, all.sums, n * sizeof *sums);
  *more = all.flags & MORE;
  if (!(all.flags & FAILED)) return TAULER_OK;
  tauler_message failure = x->message;
  error = comm_agree(x->comm, x->error, &failure);
  return tauler_fail(message, error, "%s", failure.text);
}

/* Records were looked at when they came, so the next one's length can be trusted. */
static bool take_here(exchange *x, exchange_packet *packet) {
  uint64_t place = atomic_load(&x->next), next;
  do {
    uint32_t rank = (uint32_t)(place >> 32);
    size_t at = (uint32_t)place;
    while (rank < (uint32_t)x->ranks && at >= x->in[rank].n) {
      rank++;
      at = x->head_bytes;
    }
    if (rank >= (uint32_t)x->ranks) return false;
    next = (uint64_t)rank << 32 | packet_read(x->in[rank].bytes, at, x->in[rank].n, x->packet_bytes, packet);
  } while (!atomic_compare_exchange_weak(&x->next, &place, next));
  return true;
}

bool exchange_take(exchange *x, uint32_t shard, exchange_cursor *cursor, exchange_packet *packet,
                   failure *failed) {
  tauler_message message = {""};
  tauler_error error;
  if (x->failed)
    error = tauler_fail(&message, x->error, "%s", x->message.text);
  else if (!owns(x, shard, x->rank))
    error = tauler_fail(&message, TAULER_INTERNAL, "packets of shard %u are not here", shard);
  else if (!x->receive_queues)
    return take_here(x, packet);
  else
    error =
        receive_queues_take(x->receive_queues, receive_queue_of(x, shard), &cursor->reader, packet, &message);
  if (!error) return packet->bytes != NULL;
  exchange_cursor_free(cursor);
  failure_note(failed, keep_failure(x, error, &message), &message);
  return false;
}

void exchange_cursor_free(exchange_cursor *cursor) {
  receive_cursor_free(cursor->reader);
  cursor->reader = NULL;
}

void exchange_mark(exchange *x, uint32_t shard) {
  if (x->receive_queues && owns(x, shard, x->rank))
    receive_queues_mark(x->receive_queues, receive_queue_of(x, shard));
}

void exchange_forget(exchange *x, uint32_t shard) {
  if (x->receive_queues && owns(x, shard, x->rank))
    receive_queues_forget(x->receive_queues, receive_queue_of(x, shard));
}
