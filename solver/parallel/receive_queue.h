/* Pieces that wait for the turn of their share: the part of an exchange that keeps. Private to
 * exchange.c.
 *
 * Each share at home here has an inbox. What comes is gathered in memory, and when a chunk is full it
 * goes to the disk, so that small rounds never touch the disk and large ones write in one go. All
 * inboxes share one hidden file, whose chunks are used again. Inboxes own the file and all buffers.
 * Adding and taking may be done by any threads at once.
 */
#ifndef SOLVER_PARALLEL_RECEIVE_QUEUE_H
#define SOLVER_PARALLEL_RECEIVE_QUEUE_H

#include "solver/parallel/exchange.h"

/* Goes before the bytes of a piece, wherever it lies; a record is filled up to a multiple of 8. */
typedef struct {
  uint32_t from, to, n, mark;
} piece_head;

enum { PIECE_MARK = 0x65636570 };

static inline size_t piece_record_bytes(size_t n) {
  return sizeof(piece_head) + (n + 7) / 8 * 8;
}

/* The record at bytes[at], of which `end` are there: where the next begins, 0 where this is none. */
size_t piece_read(const uint8_t *bytes, size_t at, size_t end, size_t most, exchange_piece *piece);
/* Needs piece_record_bytes(piece->n) bytes of room. */
void piece_write(uint8_t *room, const exchange_piece *piece);

typedef struct inboxes inboxes;
typedef struct inbox_reader inbox_reader;

/* Inboxes 0 … n − 1. */
tauler_error inboxes_open(const char *folder, uint32_t n, size_t piece_bytes, int threads,
                          memory_budget *memory, inboxes **out, tauler_message *message);
void inboxes_close(inboxes *boxes);
uint64_t inboxes_bytes(uint32_t n, size_t piece_bytes, int threads);

tauler_error inboxes_add(inboxes *boxes, uint32_t inbox, const exchange_piece *piece,
                         tauler_message *message);
/* *piece has n == 0 and bytes == NULL when there is none left. */
tauler_error inboxes_take(inboxes *boxes, uint32_t inbox, inbox_reader **reader, exchange_piece *piece,
                          tauler_message *message);
void inbox_reader_free(inbox_reader *reader);
void inboxes_mark(inboxes *boxes, uint32_t inbox);
void inboxes_forget(inboxes *boxes, uint32_t inbox);

#endif
