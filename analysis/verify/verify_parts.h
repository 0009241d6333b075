/* Private to the proof check: which chunks of a slice a rank looks at, and what ranks send each other of
 * them.
 *
 * Every rank has all cells of a slice and looks at some of its chunks: blocks of them go to one rank after
 * the other, so that each has some from everywhere, and each chunk has exactly one. The chunks of a rank, in
 * their order, are its slots. Cells that a pass writes in its own chunks are shared with ranks that read
 * them; its findings about a cell of another rank are sent there as the number of the cell.
 *
 * Calls that say so are collective (parallel/comm.h). One rank has all chunks and sends nothing.
 */
#ifndef ANALYSIS_VERIFY_VERIFY_PARTS_H
#define ANALYSIS_VERIFY_VERIFY_PARTS_H

#include "parallel/mail.h"

typedef struct {
  comm *comm; /* NULL: one rank */
  int rank, ranks;
  uint64_t chunks;     /* chunks of the slice */
  uint64_t slots;      /* slots of each rank, of which the last may have no chunk */
  unsigned block_bits; /* chunks in a row of one rank, as a power of two */
} parts;

parts parts_of(comm *comm, uint64_t chunks);

static inline int parts_owner(const parts *p, uint64_t chunk) {
  return p->comm ? (int)((chunk >> p->block_bits) % (uint64_t)p->ranks) : 0;
}

/* The chunk of a slot of this rank; from p->chunks on there is none. */
static inline uint64_t parts_chunk(const parts *p, uint64_t slot) {
  const uint64_t in_block = slot & ((UINT64_C(1) << p->block_bits) - 1);
  const uint64_t row = slot >> p->block_bits;
  return ((row * (uint64_t)p->ranks + (uint64_t)p->rank) << p->block_bits) + in_block;
}

/* Collective: every rank gets what the owners of chunks have in an array of n bytes, of which each chunk has
 * `chunk_bytes`, the last one fewer. Errors: TAULER_IO, TAULER_NO_MEMORY. */
tauler_error parts_share(const parts *p, mail *m, void *array, uint64_t n, uint64_t chunk_bytes,
                         tauler_message *message);

/* Posts the numbers of cells in a stream, which is empty then, to their owners. A chunk has `chunk_cells`
 * cells. Errors: TAULER_NO_MEMORY. */
tauler_error parts_post(const parts *p, mail_stream *cells, uint64_t chunk_cells, mail *m);

/* Bytes that sending and sharing take, where a rank sends as many cells as that. */
uint64_t parts_bytes(comm *comm, uint64_t cells);

#endif
