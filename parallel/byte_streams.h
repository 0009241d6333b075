/* Sends bytes of any length from every rank to every rank in one call, in bounded buffers. */
#ifndef PARALLEL_BYTE_STREAMS_H
#define PARALLEL_BYTE_STREAMS_H

#include "base/memory.h"
#include "parallel/comm.h"

typedef struct {
  uint8_t *bytes;
  size_t n, room;
} byte_stream;

/* A stream for each rank, this one included. */
typedef struct {
  memory_budget *memory;
  int ranks;
  byte_stream *list;
} byte_streams;

tauler_error byte_streams_open(byte_streams *streams, comm *comm, memory_budget *memory,
                               tauler_message *message);
void byte_streams_free(byte_streams *streams);
void byte_streams_clear(byte_streams *streams); /* keeps the memory */

/* Makes space for n bytes at the end, which the caller fills and counts. Only one thread may call it at a
 * time. */
tauler_error byte_stream_reserve(byte_streams *streams, int rank, size_t n, uint8_t **end,
                                 tauler_message *message);

/* Moves out->list[r] of this rank to in->list[this rank] of rank r. Previous content of `in` is lost, and
 * `out` is empty afterwards. `error` is the error of this rank, if any: if a rank has one, nothing is sent,
 * and all ranks return the error of the first such rank. Collective. */
tauler_error byte_streams_swap(comm *comm, byte_streams *out, byte_streams *in, tauler_error error,
                               tauler_message *message);

#endif
