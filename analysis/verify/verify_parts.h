/* Private to the proof check: the chunks of a slice that a rank looks at, and the messages between ranks
 * about them.
 *
 * Every rank has all cells of a slice and looks at some of its chunks. Blocks of neighbouring chunks are
 * dealt to the ranks in turn, so that each rank has some from every region, and each chunk has one rank. The
 * chunks of a rank, in their order, are its slots. Cells that a pass writes in its own chunks are shared with
 * the ranks that read them. A finding about a cell of another rank is sent there as the number of the cell.
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
  uint64_t slots;      /* slots of each rank. The last may have no chunk */
  unsigned block_bits; /* binary logarithm of the chunks of a block */
} parts;

parts parts_of(comm *comm, uint64_t chunks);

static inline int parts_owner(const parts *p, uint64_t chunk) {
  return p->comm ? (int)((chunk >> p->block_bits) % (uint64_t)p->ranks) : 0;
}

/* The chunk of a slot of this rank. From p->chunks on, there is no such chunk. */
static inline uint64_t parts_chunk(const parts *p, uint64_t slot) {
  const uint64_t in_block = slot & ((UINT64_C(1) << p->block_bits) - 1);
  const uint64_t row = slot >> p->block_bits;
  return ((row * (uint64_t)p->ranks + (uint64_t)p->rank) << p->block_bits) + in_block;
}

/* Collective: sends each chunk of an array of n bytes from its owner to all ranks. A chunk has `chunk_bytes`
 * bytes, the last one fewer. Errors: TAULER_IO, TAULER_NO_MEMORY. */
tauler_error parts_share(const parts *p, mail *m, void *array, uint64_t n, uint64_t chunk_bytes,
                         tauler_message *message);

/* Appends the numbers of cells in a stream to the mail for their owners, and empties the stream. A chunk has
 * `chunk_cells` cells. Errors: TAULER_NO_MEMORY. */
tauler_error parts_post(const parts *p, mail_stream *cells, uint64_t chunk_cells, mail *m);

/* Bytes that sending and sharing allocate if a rank sends so many cells. */
uint64_t parts_bytes(comm *comm, uint64_t cells);

#endif
