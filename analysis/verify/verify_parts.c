/* Deals the chunks of a slice to ranks, and sends arrays and numbers of cells between ranks. */
#include "analysis/verify/verify_parts.h"

enum { MOST_BLOCK_BITS = 8, BLOCKS_PER_RANK = 8 };

parts parts_of(comm *comm, uint64_t chunks) {
  const uint64_t ranks = (uint64_t)comm_ranks(comm);
  parts p = {.comm = comm, .rank = comm_rank(comm), .ranks = comm_ranks(comm), .chunks = chunks};
  while (p.block_bits < MOST_BLOCK_BITS && (ranks * BLOCKS_PER_RANK) << (p.block_bits + 1) <= chunks)
    p.block_bits++;
  const uint64_t row = ranks << p.block_bits;
  p.slots = (chunks + row - 1) / row << p.block_bits;
  return p;
}

tauler_error parts_share(const parts *p, mail *m, void *array, uint64_t n, uint64_t chunk_bytes,
                         tauler_message *message) {
  const mail_part all = {.array = array, .item_bytes = chunk_bytes << p->block_bits, .bytes = n};
  return mail_share(m, &all, 1, message);
}

tauler_error parts_post(const parts *p, mail_stream *cells, uint64_t chunk_cells, mail *m) {
  const uint64_t *cell = (const uint64_t *)(const void *)cells->bytes, *end = cell + cells->n / sizeof *cell;
  tauler_error error = TAULER_OK;
  for (; cell < end && !error; cell++)
    error = mail_append(m, &m->out[parts_owner(p, *cell / chunk_cells)], cell, sizeof *cell, NULL);
  cells->n = 0;
  return error;
}

uint64_t parts_bytes(comm *comm, uint64_t cells) {
  const int ranks = comm_ranks(comm);
  return mail_bytes(ranks, 0) + (ranks == 1 ? 0 : 4 * cells * sizeof(uint64_t));
}
