/* The cells of slices in memory, with the values of implied cells. */
#ifndef DATABASES_PLAIN_SLICE_H
#define DATABASES_PLAIN_SLICE_H

#include "base/memory.h"

enum { PLAIN_PLANES = 2 };

/* The cells of a slice in index order. If there is one plane, it has the values, which are also both bounds.
 * If there are two, they are the lower and the upper bounds. Depths that do not exist are 65535. */
typedef struct {
  uint32_t slice;
  uint64_t positions;
  int planes;
  int8_t *cells[PLAIN_PLANES];    /* NULL if the slice is not loaded or has no such plane */
  uint16_t *depths[PLAIN_PLANES]; /* NULL also if depths are not wanted */
} solved_slice;

/* Slices by number, 0 … room − 1. */
typedef struct {
  solved_slice *list;
  uint32_t room;
} plain_slices;

/* Frees cells and depths, which were allocated from this budget. */
static inline void solved_slice_free(memory_budget *memory, solved_slice *slice) {
  for (int plane = 0; plane < PLAIN_PLANES; plane++) {
    memory_free(memory, slice->cells[plane]);
    memory_free(memory, slice->depths[plane]);
    slice->cells[plane] = NULL;
    slice->depths[plane] = NULL;
  }
}

#endif
