/* Sends byte streams of any length from every rank to every rank, in bounded packets. */
#include "parallel/byte_streams.h"

#include <assert.h>
#include <string.h>

enum { MOST_PIECE = 1 << 20, FIRST_ROOM = 4096 };

tauler_error byte_streams_open(byte_streams *streams, comm *comm, memory_budget *memory,
                               tauler_message *message) {
  *streams = (byte_streams){.memory = memory, .ranks = comm_ranks(comm)};
  return memory_take_array(memory, (uint64_t)streams->ranks, sizeof *streams->list, "streams of chunks",
                           &streams->list, message);
}

void byte_streams_free(byte_streams *streams) {
  for (int r = 0; streams->list && r < streams->ranks; r++)
    memory_give(streams->memory, streams->list[r].bytes);
  if (streams->memory) memory_give(streams->memory, streams->list);
  *streams = (byte_streams){0};
}

void byte_streams_clear(byte_streams *streams) {
  for (int r = 0; r < streams->ranks; r++) streams->list[r].n = 0;
}

tauler_error byte_stream_reserve(byte_streams *streams, int rank, size_t n, uint8_t **end,
                                 tauler_message *message) {
  byte_stream *stream = &streams->list[rank];
  const size_t need = stream->n + n;
  if (need > stream->room) {
    size_t room = stream->room ? stream->room : FIRST_ROOM;
    while (room < need) room += room / 2;
    const tauler_error error =
        memory_resize(streams->memory, room, "streams of chunks", &stream->bytes, message);
    if (error) return error;
    stream->room = room;
  }
  *end = stream->bytes + stream->n;
  return TAULER_OK;
}

static void swap_own(byte_stream *out, byte_stream *in) {
  const byte_stream own = *out;
  *out = *in;
  *in = own;
  out->n = 0;
}

/* Bytes for a rank, and the longest stream that the sender has for any rank. */
typedef struct {
  uint64_t n, longest;
} stream_length;

/* Exchanges the lengths of streams, so that every rank can make space for what it receives. */
static tauler_error swap_lengths(comm *comm, const byte_streams *out, byte_streams *in, comm_buffer *buffers,
                                 uint64_t *longest, tauler_message *message) {
  const int ranks = out->ranks, rank = comm_rank(comm);
  assert(buffers);
  comm_buffer *to = buffers, *from = buffers + ranks;
  stream_length *lengths = (stream_length *)(void *)(buffers + 2 * ranks);
  for (int r = 0; r < ranks; r++) {
    if (r != rank && out->list[r].n > *longest) *longest = out->list[r].n;
  }
  for (int r = 0; r < ranks; r++) {
    lengths[r] = (stream_length){out->list[r].n, *longest};
    to[r] = (comm_buffer){&lengths[r], sizeof *lengths};
    from[r] = (comm_buffer){&lengths[ranks + r], 0};
  }
  const tauler_error lost = comm_alltoallv(comm, to, from, sizeof *lengths, message);
  if (lost) return lost;
  for (int r = 0; r < ranks; r++) {
    if (r != rank && lengths[ranks + r].longest > *longest) *longest = lengths[ranks + r].longest;
  }
  tauler_error error = TAULER_OK;
  byte_streams_clear(in);
  for (int r = 0; r < ranks && !error; r++) {
    uint8_t *end;
    if (r == rank) continue;
    error = byte_stream_reserve(in, r, lengths[ranks + r].n + 1, &end, message);
    if (!error) in->list[r].n = lengths[ranks + r].n;
  }
  return comm_agree(comm, error, message);
}

static tauler_error swap_pieces(comm *comm, const byte_streams *out, const byte_streams *in,
                                comm_buffer *buffers, uint64_t longest, tauler_message *message) {
  const int ranks = out->ranks, rank = comm_rank(comm);
  comm_buffer *to = buffers, *from = buffers + ranks;
  tauler_error error = TAULER_OK;
  for (uint64_t at = 0; at < longest && !error; at += MOST_PIECE) {
    for (int r = 0; r < ranks; r++) {
      const uint64_t all = r == rank ? 0 : out->list[r].n, left = at < all ? all - at : 0;
      to[r] = (comm_buffer){NULL, left < MOST_PIECE ? left : MOST_PIECE};
      if (left) to[r].bytes = out->list[r].bytes + at;
      const uint64_t start = at < in->list[r].n ? at : 0; /* a rank that has sent everything sends no more */
      from[r] = (comm_buffer){in->list[r].bytes + (r == rank ? 0 : start), 0};
    }
    error = comm_alltoallv(comm, to, from, MOST_PIECE, message);
  }
  return error;
}

tauler_error byte_streams_swap(comm *comm, byte_streams *out, byte_streams *in, tauler_error error,
                               tauler_message *message) {
  const int ranks = comm_ranks(comm), rank = comm_rank(comm);
  comm_buffer *buffers = NULL;
  if (!error && ranks > 1)
    error = memory_take(out->memory, 2 * (size_t)ranks * (sizeof *buffers + sizeof(stream_length)),
                        "packets of chunks", &buffers, message);
  error = comm_agree(comm, error, message);
  uint64_t longest = 0;
  if (!error && ranks > 1) error = swap_lengths(comm, out, in, buffers, &longest, message);
  if (!error && ranks > 1) error = swap_pieces(comm, out, in, buffers, longest, message);
  if (buffers) memory_give(out->memory, buffers);
  if (error) return error;
  swap_own(&out->list[rank], &in->list[rank]);
  byte_streams_clear(out);
  return TAULER_OK;
}
