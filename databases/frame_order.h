/* Sorts the cells of a frame by their classes, and puts them back into index order (FORMAT.md, version 2).
 * Private to databases/.
 *
 * A frame_order owns its buffers and belongs to one thread. A new one is all zeros.
 */
#ifndef DATABASES_FRAME_ORDER_H
#define DATABASES_FRAME_ORDER_H

#include "databases/table.h"

typedef struct {
  uint8_t *payload; /* decompressed bytes of the frame */
  uint8_t *classes, *sorted;
  size_t room; /* number of cells for which there is memory */
} frame_order;

/* Returns the bytes of the payload of n sorted cells: the cells, and a bit for each. */
static inline size_t frame_order_payload(size_t n) {
  return n + (n + 7) / 8;
}

bool frame_order_reserve(frame_order *order, size_t n); /* returns false if out of memory */
void frame_order_free(frame_order *order);

/* Makes order->payload from the n cells from `first` on. */
void frame_order_sort(frame_order *order, const table_classes *by, uint64_t first, size_t n, uint8_t reserved,
                      const uint8_t *cells);

/* Does the reverse of frame_order_sort. Returns false for a payload that frame_order_sort cannot make. */
bool frame_order_restore(frame_order *order, const table_classes *by, uint64_t first, size_t n,
                         uint8_t reserved, uint8_t *cells);

#endif
