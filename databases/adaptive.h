/* Codes cells of one byte in blocks, by binary decisions whose probabilities adapt (FORMAT.md, version 3).
 * Private to databases/.
 *
 * A model is what all blocks of a table share. It is filled once, and then any thread may use it. A coder
 * owns the memory of one thread. Arithmetic is exact in integers, so every machine gives the same bytes.
 */
#ifndef DATABASES_ADAPTIVE_H
#define DATABASES_ADAPTIVE_H

#include "databases/table.h"

enum {
  ADAPTIVE_BLOCK = 512, /* cells */
  ADAPTIVE_CONTEXTS = 2,
  ADAPTIVE_SLOTS = 1 << 15, /* slots of each context */
  ADAPTIVE_PRIORS = ADAPTIVE_CONTEXTS * ADAPTIVE_SLOTS,
  ADAPTIVE_PACKED_MOST = ADAPTIVE_PRIORS / 8 + ADAPTIVE_PRIORS
};

typedef struct {
  uint64_t positions;
  bool is_signed, is_implied;
  uint8_t common;                  /* cell that fills a block without a code: the reserved cell, or 0 */
  int low, high;                   /* the lowest and the highest value */
  uint8_t priors[ADAPTIVE_PRIORS]; /* odds that each slot begins with, 0 for even odds */
} adaptive_model;

typedef struct adaptive_coder adaptive_coder;

/* Number of decisions of a slot, and how many of them were 1. */
typedef struct {
  uint64_t all, ones;
} adaptive_count;

/* The model of a table's cells, without priors. The header has its counts. */
void adaptive_model_open(adaptive_model *model, const table_header *header);

adaptive_coder *adaptive_coder_new(void); /* NULL if out of memory */
void adaptive_coder_free(adaptive_coder *coder);

/* Counts what the n cells from `first` on decide, to make priors of; `first` begins a block. */
void adaptive_learn(adaptive_coder *coder, const adaptive_model *model, const table_classes *by,
                    uint64_t first, size_t n, const uint8_t *cells, adaptive_count counts[ADAPTIVE_PRIORS]);
void adaptive_set_priors(const adaptive_coder *coder, adaptive_model *model,
                         const adaptive_count counts[ADAPTIVE_PRIORS]);

/* Priors as a table stores them: a bit for each slot, then those that are not 0. `pack` returns the number of
 * bytes; `unpack` returns false for bytes that `pack` cannot produce. */
size_t adaptive_pack_priors(const adaptive_model *model, uint8_t bytes[ADAPTIVE_PACKED_MOST]);
bool adaptive_unpack_priors(adaptive_model *model, const uint8_t *bytes, size_t n);

static inline size_t adaptive_blocks(size_t n) {
  return (n + ADAPTIVE_BLOCK - 1) / ADAPTIVE_BLOCK;
}

/* Makes the payload of the n cells of a frame, at most n + adaptive_blocks(n) bytes. Returns its size. */
size_t adaptive_encode(adaptive_coder *coder, const adaptive_model *model, const table_classes *by,
                       uint64_t first, size_t n, const uint8_t *cells, uint8_t *payload);

/* Decodes `blocks` blocks from `block` on of the payload of a frame of n cells. Returns false for bytes that
 * adaptive_encode cannot produce. */
bool adaptive_decode(adaptive_coder *coder, const adaptive_model *model, const table_classes *by,
                     uint64_t first, size_t n, const uint8_t *payload, size_t size, size_t block,
                     size_t blocks, uint8_t *cells);

#endif
