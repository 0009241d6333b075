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

#include "base/memory.h"
#include "parallel/comm.h"

typedef struct {
  comm *comm; /* NULL: one rank */
  int rank, ranks;
  uint64_t chunks, slots; /* of the slice; of each rank, the last ones of some being no chunk */
  unsigned block_bits;    /* chunks in a row of one rank, as a power of two */
  char *shared;           /* of parts_share */
} parts;

parts parts_of(comm *comm, uint64_t chunks);
/* Memory for parts_share. Errors: TAULER_NO_MEMORY. */
tauler_error parts_open(parts *p, memory_budget *memory, tauler_message *message);
void parts_close(parts *p, memory_budget *memory);

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
 * `chunk_bytes`, at most 4096, the last one fewer. Errors: TAULER_IO. */
tauler_error parts_share(const parts *p, void *array, uint64_t n, uint64_t chunk_bytes,
                         tauler_message *message);

/* Cells of other ranks, that a thread has something to say of. */
typedef struct {
  uint64_t *cells;
  uint64_t used, room;
} parts_list;

tauler_error parts_list_add(parts_list *list, uint64_t cell, memory_budget *memory);

/* Outgoing items sorted by rank, and room for the incoming ones. Belongs to a slice; zeroed it is empty. */
typedef struct {
  uint64_t *cells, cells_room;
  arena lists;
  uint64_t ranks, packet; /* packet: cells */
  uint64_t *room;         /* of a packet from each rank */
  uint64_t *first;        /* [ranks + 1] of the cells that go to each rank */
  comm_buffer *out, *in;
} parts_mail;

/* Errors: TAULER_NO_MEMORY. */
tauler_error parts_mail_open(const parts *p, memory_budget *memory, parts_mail *out, tauler_message *message);
void parts_mail_close(parts_mail *mail, memory_budget *memory);

/* Sorts lists, which are empty then, by who owns the cells, of which a chunk has `chunk_cells`. *packets: how
 * many the fullest rank gets. Errors: TAULER_NO_MEMORY; then there are none. */
tauler_error parts_sort(const parts *p, parts_list *lists, int n, uint64_t chunk_cells, memory_budget *memory,
                        parts_mail *mail, uint64_t *packets);

/* Takes what others sent about `n` cells of this rank. */
typedef void parts_receive(void *user, const uint64_t *cells, size_t n);

/* Collective: sends what was sorted, in as many packets as any rank has, and lets this rank receive what
 * others send. Errors: TAULER_IO. */
tauler_error parts_send(const parts *p, const parts_mail *mail, uint64_t packets, parts_receive *receive,
                        void *user, tauler_message *message);

/* Bytes that sending and sharing take, where a rank sends as many cells as that. */
uint64_t parts_bytes(comm *comm, uint64_t cells);

#endif
