/* Deals the chunks of a slice to ranks, and sends cells between ranks. Private to the proof check.
 *
 * Every rank has all cells of a slice and checks some of its chunks. Blocks of neighbouring chunks are dealt
 * to the ranks round-robin, so each rank has chunks in every region. A slot is the number of a chunk among
 * those of its rank. A single rank has all chunks and sends nothing.
 */
#ifndef ANALYSIS_VERIFY_VERIFY_PARTS_H
#define ANALYSIS_VERIFY_VERIFY_PARTS_H

#include "parallel/mail.h"

typedef struct {
  comm *comm; /* ranks that share the work, or NULL for one */
  int rank, ranks;
  uint64_t chunks;
  uint64_t slots;      /* number of slots of each rank, of which the last ones may have no chunk */
  unsigned block_bits; /* binary logarithm of the chunks of a block */
} parts;

parts parts_of(comm *comm, uint64_t chunks);

static inline int parts_owner(const parts *p, uint64_t chunk) {
  return p->comm ? (int)((chunk >> p->block_bits) % (uint64_t)p->ranks) : 0;
}

/* Returns the chunk of a slot of this rank. If the result is p->chunks or more, the slot has no chunk. */
static inline uint64_t parts_chunk(const parts *p, uint64_t slot) {
  const uint64_t in_block = slot & ((UINT64_C(1) << p->block_bits) - 1);
  const uint64_t row = slot >> p->block_bits;
  return ((row * (uint64_t)p->ranks + (uint64_t)p->rank) << p->block_bits) + in_block;
}

/* Collective: sends each chunk of an array of n bytes from its owner to all ranks. A chunk has `chunk_bytes`
 * bytes, the last one perhaps fewer. Errors: TAULER_IO, TAULER_NO_MEMORY. */
tauler_error parts_share(const parts *p, mail *m, void *array, uint64_t n, uint64_t chunk_bytes,
                         tauler_message *message);

/* Appends the cell numbers in a stream to the mail for the ranks that own the cells, and empties the stream.
 * A chunk has `chunk_cells` cells. Errors: TAULER_NO_MEMORY. */
tauler_error parts_post(const parts *p, mail_stream *cells, uint64_t chunk_cells, mail *m);

/* Returns the bytes that sending and sharing allocate if a rank sends this number of cells. */
uint64_t parts_bytes(comm *comm, uint64_t cells);

#endif
