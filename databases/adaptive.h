/* Codes cells of one byte in blocks, by binary decisions whose probabilities adapt (FORMAT.md, version 3).
 * Private to databases/.
 *
 * All blocks of a table share a model, which any thread may read. A coder belongs to one thread. All
 * arithmetic is in integers, so every machine makes the same bytes.
 */
#ifndef DATABASES_ADAPTIVE_H
#define DATABASES_ADAPTIVE_H

#include "databases/table.h"

enum {
  ADAPTIVE_BLOCK = 512, /* cells of a block */
  ADAPTIVE_CONTEXTS = 2,
  ADAPTIVE_SLOTS = 1 << 15, /* slots of each context */
  ADAPTIVE_PRIORS = ADAPTIVE_CONTEXTS * ADAPTIVE_SLOTS,
  ADAPTIVE_PACKED_MOST = ADAPTIVE_PRIORS / 8 + ADAPTIVE_PRIORS
};

typedef struct {
  uint64_t positions;
  bool is_signed, is_implied;
  uint8_t common;                  /* cell that fills a block without a code: the reserved cell, or 0 */
  int low, high;                   /* lowest and highest value */
  uint8_t priors[ADAPTIVE_PRIORS]; /* number of the odds with which each slot begins, 0 for even odds */
} adaptive_model;

typedef struct adaptive_coder adaptive_coder;

typedef struct {
  uint64_t all, ones; /* decisions of a slot, and those that were 1 */
} adaptive_count;

/* Fills the model of a table's cells, with even odds as priors. The header must have its counts. */
void adaptive_model_open(adaptive_model *model, const table_header *header);

adaptive_coder *adaptive_coder_new(void); /* NULL if out of memory. free() frees it */

/* Adds to `counts` the decisions that code the n cells from `first` on. Cell `first` begins a block. */
void adaptive_learn(adaptive_coder *coder, const adaptive_model *model, const table_classes *by,
                    uint64_t first, size_t n, const uint8_t *cells, adaptive_count counts[ADAPTIVE_PRIORS]);
void adaptive_set_priors(const adaptive_coder *coder, adaptive_model *model,
                         const adaptive_count counts[ADAPTIVE_PRIORS]);

/* Writes priors as a table stores them before compression (a bit for each slot, then the priors that are not
 * 0), or reads them into a model without priors. adaptive_pack_priors returns the number of bytes.
 * adaptive_unpack_priors returns false for bytes that adaptive_pack_priors cannot produce. */
size_t adaptive_pack_priors(const adaptive_model *model, uint8_t bytes[ADAPTIVE_PACKED_MOST]);
bool adaptive_unpack_priors(adaptive_model *model, const uint8_t *bytes, size_t n);

static inline size_t adaptive_blocks(size_t n) {
  return (n + ADAPTIVE_BLOCK - 1) / ADAPTIVE_BLOCK;
}

/* Makes the payload of the n cells from `first` on. Returns its size, at most n + adaptive_blocks(n) bytes.
 */
size_t adaptive_encode(adaptive_coder *coder, const adaptive_model *model, const table_classes *by,
                       uint64_t first, size_t n, const uint8_t *cells, uint8_t *payload);

/* Decodes `blocks` blocks of a frame, from block `block` on, into `cells`. The frame has n cells from `first`
 * on and a payload of `size` bytes. Returns false if the sizes of all blocks do not add up to the payload, or
 * if a code in these blocks has bytes left over or a cell that the model excludes. */
bool adaptive_decode(adaptive_coder *coder, const adaptive_model *model, const table_classes *by,
                     uint64_t first, size_t n, const uint8_t *payload, size_t size, size_t block,
                     size_t blocks, uint8_t *cells);

#endif
