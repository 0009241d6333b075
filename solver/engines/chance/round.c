/* Combines what workers and ranks measure in a sweep, and shares the arrays that ranks compute. */
#include <string.h>

#include "parallel/comm.h"
#include "solver/engines/chance/sweeps.h"

void chance_round_add(chance_round *total, const chance_round *part) {
  for (int q = 0; q < CHANCE_MOST_QUANTITIES; q++) chance_raise_to(&total->change[q], part->change[q]);
  chance_raise_to(&total->width, part->width);
  total->refused += part->refused;
}

/* Numbers that are not negative compare like their bits, so COMM_MAX of the bits finds the largest. */
tauler_error chance_round_combine(chance_work *work, tauler_error error, chance_round *round,
                                  tauler_message *message) {
  enum { WIDTH = CHANCE_MOST_QUANTITIES, REFUSED, FAILED, NUMBERS };
  comm *comm = work->job->job->work.comm;
  uint64_t most[NUMBERS] = {[REFUSED] = round->refused, [FAILED] = error != TAULER_OK};
  memcpy(most, round->change, sizeof round->change);
  memcpy(&most[WIDTH], &round->width, sizeof round->width);
  const tauler_error lost = comm_allreduce(comm, COMM_MAX, most, NUMBERS, error ? NULL : message);
  if (lost || most[FAILED]) return lost && !error ? lost : comm_agree(comm, error, message);
  memcpy(round->change, most, sizeof round->change);
  memcpy(&round->width, &most[WIDTH], sizeof round->width);
  round->refused = most[REFUSED];
  return TAULER_OK;
}

static size_t buffer_room(const solve_job *job) {
  enum { USUAL_ROOM = 1 << 17 };
  return job->work.packet_bytes ? job->work.packet_bytes : USUAL_ROOM;
}

uint64_t chance_sharing_bytes(const solve_job *job) {
  const uint64_t ranks = (uint64_t)comm_ranks(job->work.comm);
  return ranks == 1 ? 0 : ranks * (buffer_room(job) + 2 * sizeof(comm_buffer));
}

tauler_error chance_sharing_open(chance_work *work, tauler_message *message) {
  const solve_job *job = work->job->job;
  const int ranks = comm_ranks(job->work.comm);
  if (ranks == 1) return TAULER_OK;
  const tauler_error error = memory_take(job->work.memory, chance_sharing_bytes(job),
                                         "what ranks send of a slice of chance", &work->buffers, message);
  if (error) return error;
  uint8_t *bytes = (uint8_t *)(work->buffers + 2 * ranks);
  for (int rank = 0; rank < ranks; rank++) {
    work->buffers[rank].bytes = bytes; /* from this rank to all others */
    work->buffers[ranks + rank].bytes =
        bytes + (size_t)(rank < comm_rank(job->work.comm) ? rank + 1 : rank) * buffer_room(job);
  }
  return TAULER_OK;
}

static uint64_t bytes_of(const chance_shared *parts, int n, int rank) {
  uint64_t bytes = 0;
  for (int i = 0; i < n; i++)
    bytes +=
        (parts[i].first(parts[i].of, rank + 1) - parts[i].first(parts[i].of, rank)) * parts[i].item_bytes;
  return bytes;
}

/* Copies bytes of a rank's items to a buffer, or back. Bytes are counted through all arrays, and the copy
 * begins at `from`. Returns the number of bytes. */
static size_t move_bytes(const chance_shared *parts, int n, int rank, uint64_t from, uint8_t *buffer,
                         size_t room, bool back) {
  size_t moved = 0;
  for (int i = 0; i < n && moved < room; i++) {
    const size_t size = parts[i].item_bytes;
    const uint64_t first = parts[i].first(parts[i].of, rank) * size;
    const uint64_t bytes = parts[i].first(parts[i].of, rank + 1) * size - first;
    if (from >= bytes) {
      from -= bytes;
      continue;
    }
    uint8_t *array = (uint8_t *)parts[i].array + first + from;
    const size_t now = bytes - from < room - moved ? (size_t)(bytes - from) : room - moved;
    if (back)
      memcpy(array, buffer + moved, now);
    else
      memcpy(buffer + moved, array, now);
    moved += now;
    from = 0;
  }
  return moved;
}

tauler_error chance_share(chance_work *work, const chance_shared *parts, int n, tauler_message *message) {
  comm *comm = work->job->job->work.comm;
  const int ranks = comm_ranks(comm), own = comm_rank(comm);
  const size_t room = buffer_room(work->job->job);
  comm_buffer *out = work->buffers, *in = work->buffers + ranks;
  uint64_t most = 0;
  for (int rank = 0; rank < ranks; rank++) {
    const uint64_t bytes = bytes_of(parts, n, rank);
    if (bytes > most) most = bytes;
  }
  tauler_error error = TAULER_OK;
  for (uint64_t from = 0; from < most && !error; from += room) {
    const size_t here = move_bytes(parts, n, own, from, out->bytes, room, false);
    for (int rank = 0; rank < ranks; rank++) out[rank].n = here;
    error = comm_alltoallv(comm, out, in, room, message);
    for (int rank = 0; rank < ranks && !error; rank++)
      if (rank != own) move_bytes(parts, n, rank, from, in[rank].bytes, room, true);
  }
  return error;
}
