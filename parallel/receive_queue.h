/* Packets that wait until their shard is processed: the part of an exchange that keeps packets. Private to
 * exchange.c.
 *
 * Each shard of this rank has a receive queue. Packets are collected in memory, and a full chunk is written
 * to the disk, so that small rounds never use the disk and large ones write in large pieces. All receive
 * queues share one unnamed file, whose chunks are reused. They own the file and all buffers. Any threads may
 * add and read at once.
 */
#ifndef PARALLEL_RECEIVE_QUEUE_H
#define PARALLEL_RECEIVE_QUEUE_H

#include "parallel/exchange.h"

/* Comes before the bytes of a packet, wherever it is stored; a record is padded to a multiple of 8. */
typedef struct {
  uint32_t from, to, n, mark;
} packet_head;

enum { PACKET_MARK = 0x65636570 };

static inline size_t packet_record_bytes(size_t n) {
  return sizeof(packet_head) + (n + 7) / 8 * 8;
}

/* Reads the record at bytes[at], of which `end` bytes are valid. Returns the place of the next record, or 0
 * if this is none. */
size_t packet_read(const uint8_t *bytes, size_t at, size_t end, size_t most, exchange_packet *packet);
/* Needs packet_record_bytes(packet->n) bytes of space. */
void packet_write(uint8_t *room, const exchange_packet *packet);

typedef struct receive_queues receive_queues;
typedef struct receive_cursor receive_cursor;

/* Opens receive queues 0 … n − 1. */
tauler_error receive_queues_open(const char *folder, uint32_t n, size_t packet_bytes, int threads,
                                 memory_budget *memory, receive_queues **out, tauler_message *message);
void receive_queues_close(receive_queues *boxes);
uint64_t receive_queues_bytes(uint32_t n, size_t packet_bytes, int threads);

tauler_error receive_queues_add(receive_queues *boxes, uint32_t receive_queue, const exchange_packet *packet,
                                tauler_message *message);
/* If no packet is left, *packet has n == 0 and bytes == NULL. */
tauler_error receive_queues_receive(receive_queues *boxes, uint32_t receive_queue, receive_cursor **reader,
                                    exchange_packet *packet, tauler_message *message);
void receive_cursor_free(receive_cursor *reader);
void receive_queues_mark(receive_queues *boxes, uint32_t receive_queue);
void receive_queues_drop(receive_queues *boxes, uint32_t receive_queue);

#endif
