/* Sorts the cells of a frame by their classes, and puts them back into index order. */
#include "databases/frame_order.h"

#include <stdlib.h>
#include <string.h>

enum { CLASSES = 256, LANES = 4, FLAGS = 64 };

bool frame_order_reserve(frame_order *order, size_t n) {
  if (n <= order->room) return true;
  frame_order_free(order);
  order->payload = malloc(frame_order_payload(n));
  order->classes = malloc(n);
  order->sorted = malloc(n);
  if (order->payload && order->classes && order->sorted) order->room = n;
  return order->room != 0;
}

void frame_order_free(frame_order *order) {
  free(order->payload);
  free(order->classes);
  free(order->sorted);
  *order = (frame_order){0};
}

/* The place of the next cell of each class in each lane. A frame is cut into lanes that are worked on by
 * turns, because in a run of one class each place would wait for the place before. */
typedef struct {
  uint32_t next[LANES][CLASSES];
} places;

static void find_places(const uint8_t *classes, size_t n, places *p) {
  const size_t lane = n / LANES;
  memset(p, 0, sizeof *p);
  for (size_t i = 0; i < lane; i++) {
    for (size_t j = 0; j < LANES; j++) p->next[j][classes[j * lane + i]]++;
  }
  for (size_t i = LANES * lane; i < n; i++) p->next[LANES - 1][classes[i]]++;
  uint32_t used = 0;
  for (int c = 0; c < CLASSES; c++) {
    for (int j = 0; j < LANES; j++) {
      const uint32_t cells = p->next[j][c];
      p->next[j][c] = used;
      used += cells;
    }
  }
}

static inline void move_cell(uint32_t *next, uint8_t *cell, uint8_t *sorted, bool back) {
  uint8_t *at = &sorted[(*next)++];
  if (back)
    *cell = *at;
  else
    *at = *cell;
}

static inline void reorder_cells(const uint8_t *classes, size_t n, uint8_t *cells, uint8_t *sorted,
                                 bool back) {
  const size_t lane = n / LANES;
  places p;
  if (memcmp(classes, classes + 1, n - 1) == 0) { /* all have one class */
    memcpy(back ? cells : sorted, back ? sorted : cells, n);
    return;
  }
  find_places(classes, n, &p);
  for (size_t i = 0; i < lane; i++) {
    for (size_t j = 0; j < LANES; j++)
      move_cell(&p.next[j][classes[j * lane + i]], &cells[j * lane + i], sorted, back);
  }
  for (size_t i = LANES * lane; i < n; i++)
    move_cell(&p.next[LANES - 1][classes[i]], &cells[i], sorted, back);
}

void frame_order_sort(frame_order *order, const table_classes *by, uint64_t first, size_t n, uint8_t reserved,
                      const uint8_t *cells) {
  uint8_t *flags = order->payload + n;
  size_t kept = 0;
  by->find(by->of, first, n, order->classes);
  reorder_cells(order->classes, n, (uint8_t *)cells, order->sorted, false);
  memset(order->payload, 0, frame_order_payload(n));
  for (size_t i = 0; i < n; i++) {
    const bool is_implied = order->sorted[i] == reserved;
    flags[i / 8] |= (uint8_t)(is_implied << i % 8);
    if (!is_implied) order->payload[kept++] = order->sorted[i];
  }
}

/* Fills order->sorted. Returns the number of cells that are not reserved. */
static size_t insert_reserved_cells(const frame_order *order, size_t n, uint8_t reserved) {
  const uint8_t *flags = order->payload + n;
  size_t kept = 0;
  for (size_t at = 0; at < n; at += FLAGS) {
    const size_t here = n - at < FLAGS ? n - at : FLAGS;
    uint64_t word = 0;
    uint8_t *to = order->sorted + at;
    memcpy(&word, flags + at / 8, (here + 7) / 8);
    if (word == 0) {
      memcpy(to, order->payload + kept, here);
      kept += here;
      continue;
    }
    memset(to, reserved, here);
    uint64_t left = here < FLAGS ? ~word & ((UINT64_C(1) << here) - 1) : ~word;
    for (; left; left &= left - 1) to[__builtin_ctzll(left)] = order->payload[kept++];
  }
  return kept;
}

/* True if no kept cell is reserved, zeros follow the kept ones, and no flag is set behind the n flags. */
static bool is_made_by_sorting(const frame_order *order, size_t n, size_t kept, uint8_t reserved) {
  uint8_t rest = n % 8 ? (uint8_t)(order->payload[frame_order_payload(n) - 1] >> n % 8) : 0;
  for (size_t i = kept; i < n; i++) rest |= order->payload[i];
  return rest == 0 && !memchr(order->payload, reserved, kept);
}

bool frame_order_restore(frame_order *order, const table_classes *by, uint64_t first, size_t n,
                         uint8_t reserved, uint8_t *cells) {
  const size_t kept = insert_reserved_cells(order, n, reserved);
  if (!is_made_by_sorting(order, n, kept, reserved)) return false;
  by->find(by->of, first, n, order->classes);
  reorder_cells(order->classes, n, cells, order->sorted, true);
  return true;
}
