/* Packets that wait for the turn of their shard: the part of an exchange that keeps. Private to exchange.c.
 *
 * Each shard of this rank has a receive queue. Packets are gathered in memory, and a chunk that is full goes
 * to the disk, so that small rounds never touch the disk and large ones write in one go. All receive queues
 * share one unnamed file, whose chunks are used again. They own the file and all buffers. Any threads may add
 * and take at once.
 */
#ifndef PARALLEL_RECEIVE_QUEUE_H
#define PARALLEL_RECEIVE_QUEUE_H

#include "parallel/exchange.h"

/* Goes before the bytes of a packet, wherever it lies; a record is filled up to a multiple of 8. */
typedef struct {
  uint32_t from, to, n, mark;
} packet_head;

enum { PACKET_MARK = 0x65636570 };

static inline size_t packet_record_bytes(size_t n) {
  return sizeof(packet_head) + (n + 7) / 8 * 8;
}

/* The record at bytes[at], of which `end` are there: where the next begins, 0 where this is none. */
size_t packet_read(const uint8_t *bytes, size_t at, size_t end, size_t most, exchange_packet *packet);
/* Needs packet_record_bytes(packet->n) bytes of room. */
void packet_write(uint8_t *room, const exchange_packet *packet);

typedef struct receive_queues receive_queues;
typedef struct receive_cursor receive_cursor;

/* Receive queues 0 … n − 1. */
tauler_error receive_queues_open(const char *folder, uint32_t n, size_t packet_bytes, int threads,
                                 memory_budget *memory, receive_queues **out, tauler_message *message);
void receive_queues_close(receive_queues *boxes);
uint64_t receive_queues_bytes(uint32_t n, size_t packet_bytes, int threads);

tauler_error receive_queues_add(receive_queues *boxes, uint32_t receive_queue, const exchange_packet *packet,
                                tauler_message *message);
/* *packet has n == 0 and bytes == NULL when there is none left. */
tauler_error receive_queues_take(receive_queues *boxes, uint32_t receive_queue, receive_cursor **reader,
                                 exchange_packet *packet, tauler_message *message);
void receive_cursor_free(receive_cursor *reader);
void receive_queues_mark(receive_queues *boxes, uint32_t receive_queue);
void receive_queues_forget(receive_queues *boxes, uint32_t receive_queue);

#endif
