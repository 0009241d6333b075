/* Keeps the packets of an exchange until their shard is processed. Only exchange.c uses the queues.
 *
 * Each shard of this rank has a receive queue. A queue collects packets in a buffer of fixed size, here
 * called a chunk, and writes it to the disk when the next packet does not fit. So small rounds do not use the
 * disk, and large ones write large pieces. All queues share one unnamed file with slots for chunks, which are
 * reused. The receive_queues own
 * the file and all buffers. Any threads may add and read at once.
 */
#ifndef PARALLEL_RECEIVE_QUEUE_H
#define PARALLEL_RECEIVE_QUEUE_H

#include "parallel/exchange.h"

/* The head of a record, before the bytes of a packet. A record is padded to a multiple of 8 bytes. */
typedef struct {
  uint32_t from, to, n, mark;
} packet_head;

enum { PACKET_MARK = 0x65636570 };

static inline size_t packet_record_bytes(size_t n) {
  return sizeof(packet_head) + (n + 7) / 8 * 8;
}

/* Reads the record at bytes[at] into *packet, if it is whole before bytes[end] and its packet has at most
 * `most` bytes. Returns the place of the next record, or 0 if this is no record. */
size_t packet_read(const uint8_t *bytes, size_t at, size_t end, size_t most, exchange_packet *packet);
/* Writes the record of a packet, which has packet_record_bytes(packet->n) bytes. */
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
/* Reads the next packet before the mark. If none is left, sets packet->n to 0 and packet->bytes to NULL. */
tauler_error receive_queues_receive(receive_queues *boxes, uint32_t receive_queue, receive_cursor **reader,
                                    exchange_packet *packet, tauler_message *message);
void receive_cursor_free(receive_cursor *reader);
/* receive_queues_set_mark sets the mark behind the last packet. receive_queues_drop removes the packets
 * before the mark. */
void receive_queues_set_mark(receive_queues *boxes, uint32_t receive_queue);
void receive_queues_drop(receive_queues *boxes, uint32_t receive_queue);

#endif
