/* Sends packets from shard to shard by the same calls, whether in memory, between ranks, or through a file.
 *
 * Rounds are bulk-synchronous. In a step, workers push packets until the exchange is full or they have no
 * more. Then the main thread of the rank calls exchange_advance, which is collective. Afterwards the packets
 * for shards of this rank can be read, each by one worker. Steps are repeated until no rank has more:
 *
 *   do { push while there is something and not exchange_is_full; exchange_advance; receive; } while (more);
 *
 * Unless exchange_advance waits, the packets of step n are sent while the workers make those of step n + 1,
 * and can be read after the advance of step n + 1. When no rank has more, all packets have arrived.
 *
 * With one shard per rank, packets stay in memory from one advance to the next and must be read by then. With
 * several, they are kept until exchange_drop_received and are read when their shard is processed; a full
 * buffer of them is written to the disk. Packets may arrive in any order, and no result may depend on it.
 *
 * Between two calls of exchange_is_full a worker may push one packet to each rank. An exchange owns its
 * buffers and its file. Any threads may call exchange_push, exchange_is_full and exchange_receive at once;
 * one thread at a time makes the other calls.
 *
 * An error of a push or a received packet is kept: exchange_receive reports it on this rank, whose next
 * exchange_advance returns it. Other ranks return it from that advance or the one after it. A worker that
 * gets an error stops pushing and still takes part in the advance. After an error of exchange_advance only
 * exchange_close may be called.
 */
#ifndef PARALLEL_EXCHANGE_H
#define PARALLEL_EXCHANGE_H

#include "parallel/failure.h"
#include "parallel/workspace.h"

enum { EXCHANGE_PACKET = 256 * 1024, EXCHANGE_LEAST_PACKET = 1024, EXCHANGE_SUMS = 5 };

typedef struct exchange exchange;

typedef struct {
  uint32_t from, to;
  const uint8_t *bytes; /* aligned to 8, valid until the next exchange_receive with the same cursor or the
                           next advance */
  size_t n;
} exchange_packet;

/* The place up to which a thread has read the packets of a shard. A cursor starts as zeros. After
 * exchange_receive returns false, the cursor may be used for the next shard. At most work->threads cursors
 * are in use at once. */
typedef struct {
  struct receive_cursor *reader;
} exchange_cursor;

/* Opens an exchange to which work->threads threads may push at once. work->most_threads must be the same on
 * all ranks. If a rank has several shards, work->spill_folder must be set. */
tauler_error exchange_open(const workspace *work, uint32_t shards, uint32_t shards_per_rank, exchange **out,
                           tauler_message *message);
void exchange_close(exchange *exchange);
/* Returns the bytes that the exchange allocates from the budget. Its list of chunks on the disk may need in
 * addition up to 1 / 4096 of the bytes of these chunks. */
uint64_t exchange_bytes(const workspace *work, uint32_t shards, uint32_t shards_per_rank);
size_t exchange_packet_bytes(const exchange *exchange);

/* Measures the bandwidth, unless it is known. Collective; called before the first push. */
tauler_error exchange_measure(exchange *exchange, tauler_message *message);
/* Returns the bytes that all ranks together send for exchange_measure. */
uint64_t exchange_measure_bytes(const workspace *work, uint64_t ranks);

/* Pushes a packet of n ≤ exchange_packet_bytes bytes without waiting for a peer. `from` is a shard of this
 * rank, and `to` any other shard of any rank. Errors for packets to shards of this rank: TAULER_NO_SPACE,
 * TAULER_IO, TAULER_NO_MEMORY. */
tauler_error exchange_push(exchange *exchange, uint32_t from, uint32_t to, const void *bytes, size_t n);

/* True if no packet should be made before the next advance. */
bool exchange_is_full(const exchange *exchange);

/* Ends a step. The caller sets *more if this rank has more to send in this round; it becomes true if any rank
 * has. Each of the n ≤ EXCHANGE_SUMS numbers becomes its sum over all ranks. Both are sent with the packets.
 * If n > 0, if this rank has no more or has failed, or with several shards per rank, the call waits for the
 * packets of this step. Collective; errors are the same on all ranks unless they have lost each other. */
tauler_error exchange_advance(exchange *exchange, bool *more, uint64_t *sums, size_t n,
                              tauler_message *message);

/* Reads the next packet for a shard of this rank that no thread has read. Returns false if none is left, or
 * after an error, which is noted in *failed. */
bool exchange_receive(exchange *exchange, uint32_t shard, exchange_cursor *cursor, exchange_packet *packet,
                      failure *failed);
void exchange_cursor_free(exchange_cursor *cursor);

/* exchange_mark_received is called before a shard is processed: exchange_receive then returns only packets
 * that arrived before the mark. exchange_drop_received deletes these packets, whether or not they were read.
 * With one shard per rank both do nothing. */
void exchange_mark_received(exchange *exchange, uint32_t shard);
void exchange_drop_received(exchange *exchange, uint32_t shard);

#endif
