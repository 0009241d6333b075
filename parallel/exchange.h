/* Sends packets from shard to shard: in memory, between ranks, or through a file on the disk, by the same
 * calls.
 *
 * A packet is at most `packet_bytes` bytes, which only the engines understand. Rounds are bulk-synchronous.
 * In a step, workers push packets until the exchange is full or they have no more; then the main thread of
 * the rank calls exchange_advance, which is collective; after it the packets for shards of this rank can be
 * taken, each by one worker. Steps go on until no rank has more:
 *
 *   do { push while there is something and not exchange_is_full; exchange_advance; take; } while (more);
 *
 * While a rank has more, packets of step n travel while it makes those of step n + 1, and can be taken after
 * the advance of step n + 1. When no rank has more, all packets have arrived.
 *
 * With one shard per rank, packets are held in memory from one advance to the next and must be taken by then.
 * With more, they are kept until exchange_forget, full chunks of them on the disk, so that a shard takes them
 * in its turn. Packets may come in any order, and nothing computed may depend on it.
 *
 * Buffers hold at most the packets of a step, whatever a round has to send: about `packet_bytes` per peer and
 * per worker. Between two calls of exchange_is_full a worker pushes at most one packet to any one rank. An
 * exchange owns its buffers and its file. Any threads at once may call exchange_push, exchange_is_full and
 * exchange_take; one thread calls the others.
 *
 * An error of a push, a take or a received packet is kept: exchange_take reports it on this rank, the next
 * exchange_advance returns it on all ranks. A worker that gets an error stops pushing and still comes to
 * advance. After an error of exchange_advance only exchange_close is left.
 */
#ifndef PARALLEL_EXCHANGE_H
#define PARALLEL_EXCHANGE_H

#include "parallel/failure.h"
#include "parallel/workspace.h"

enum { EXCHANGE_PACKET = 256 * 1024, EXCHANGE_LEAST_PACKET = 1024, EXCHANGE_SUMS = 5 };

typedef struct exchange exchange;

typedef struct {
  uint32_t from, to;
  const uint8_t *bytes; /* aligned to 8; until the next take with the same cursor, or advance */
  size_t n;
} exchange_packet;

/* Where a thread stands in taking the packets of a shard; zeroed at first. When exchange_take has said
 * false it may be used for the next shard. At most `threads` of them are in use at once. */
typedef struct {
  struct receive_cursor *reader;
} exchange_cursor;

/* Each of work->threads may push at once; work->most_threads is the same on all ranks. More shards than one
 * per rank need work->spill_folder. */
tauler_error exchange_open(const workspace *work, uint32_t shards, uint32_t shards_per_rank, exchange **out,
                           tauler_message *message);
void exchange_close(exchange *exchange);
/* Bytes the exchange takes from the budget; queues on the disk take up to 1 / 4096 of their size more. */
uint64_t exchange_bytes(const workspace *work, uint32_t shards, uint32_t shards_per_rank);
size_t exchange_packet_bytes(const exchange *exchange);

/* Measures the bandwidth between ranks once for their comm. Collective, before the first push. */
tauler_error exchange_measure(exchange *exchange, tauler_message *message);
uint64_t exchange_measure_bytes(const workspace *work, uint64_t ranks); /* that all ranks send for it */

/* n ≤ exchange_packet_bytes. Never waits for a peer. `to` may be any shard but `from`, of this rank or
 * another. Errors: TAULER_NO_SPACE, TAULER_IO, TAULER_NO_MEMORY of packets that are kept. */
tauler_error exchange_push(exchange *exchange, uint32_t from, uint32_t to, const void *bytes, size_t n);

/* True if no further packet should be made before the next advance. */
bool exchange_is_full(const exchange *exchange);

/* *more: in, whether this rank has more to send in this round; out, whether any has. n ≤ EXCHANGE_SUMS
 * numbers of each rank become their sums over all; both go with the packets. The call waits for the packets
 * of this step if it is given sums or the rank has no more. Collective, and errors are the same on all ranks.
 */
tauler_error exchange_advance(exchange *exchange, bool *more, uint64_t *sums, size_t n,
                              tauler_message *message);

/* The next packet for a shard of this rank that no thread has taken; false when there is none left, or after
 * an error, which is noted. */
bool exchange_take(exchange *exchange, uint32_t shard, exchange_cursor *cursor, exchange_packet *packet,
                   failure *failed);
void exchange_cursor_free(exchange_cursor *cursor);

/* exchange_mark starts a shard's turn: in it exchange_take returns only packets that arrived before the mark.
 * exchange_forget deletes these packets, also ones not taken. With one shard per rank both do nothing. */
void exchange_mark(exchange *exchange, uint32_t shard);
void exchange_forget(exchange *exchange, uint32_t shard);

#endif
