/* Sends bytes of any length from every rank to every rank in one go, in bounded buffers. */
#ifndef PARALLEL_BYTE_STREAMS_H
#define PARALLEL_BYTE_STREAMS_H

#include "base/memory.h"
#include "parallel/comm.h"

typedef struct {
  uint8_t *bytes;
  size_t n, room;
} byte_stream;

/* One for each rank, this one included. */
typedef struct {
  memory_budget *memory;
  int ranks;
  byte_stream *list;
} byte_streams;

tauler_error byte_streams_open(byte_streams *streams, comm *comm, memory_budget *memory,
                               tauler_message *message);
void byte_streams_free(byte_streams *streams);
void byte_streams_clear(byte_streams *streams); /* keeps the memory */

/* Makes room for n bytes at the end, which are the caller's to fill and count. By one thread at a time. */
tauler_error byte_stream_reserve(byte_streams *streams, int rank, size_t n, uint8_t **end,
                                 tauler_message *message);

/* out->list[r] of this rank becomes in->list[this] of rank r; what was in `in` is lost, and out is empty
 * then. `error` is how this rank fared; if any failed nothing is sent and all return the error of the first
 * that did. Collective. */
tauler_error byte_streams_swap(comm *comm, byte_streams *out, byte_streams *in, tauler_error error,
                               tauler_message *message);

#endif
