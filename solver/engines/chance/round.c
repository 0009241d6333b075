/* Adds up what workers and ranks measure in a sweep, and shares what they have made. */
#include <string.h>

#include "parallel/comm.h"
#include "solver/engines/chance/sweeps.h"

void chance_round_add(chance_round *total, const chance_round *part) {
  for (int q = 0; q < CHANCE_MOST_QUANTITIES; q++) chance_raise_to(&total->change[q], part->change[q]);
  chance_raise_to(&total->width, part->width);
  total->refused += part->refused;
}

/* Numbers that are not negative are in the order of their bits. */
tauler_error chance_round_combine(comm *comm, chance_round *round, tauler_message *message) {
  uint64_t bits[CHANCE_MOST_QUANTITIES + 1];
  memcpy(bits, round->change, sizeof round->change);
  memcpy(&bits[CHANCE_MOST_QUANTITIES], &round->width, sizeof round->width);
  tauler_error error = comm_allreduce(comm, COMM_MAX, bits, CHANCE_MOST_QUANTITIES + 1, message);
  if (!error) error = comm_allreduce(comm, COMM_SUM, &round->refused, 1, message);
  memcpy(round->change, bits, sizeof round->change);
  memcpy(&round->width, &bits[CHANCE_MOST_QUANTITIES], sizeof round->width);
  return error;
}

tauler_error chance_share(comm *comm, void *array, size_t item_bytes,
                          uint64_t (*first)(const void *of, int rank), const void *of,
                          tauler_message *message) {
  enum { MOST_BYTES = 1 << 24 };
  const uint64_t most = MOST_BYTES / item_bytes;
  tauler_error error = TAULER_OK;
  for (int rank = 0; rank < comm_ranks(comm) && !error; rank++) {
    const uint64_t end = first(of, rank + 1);
    for (uint64_t i = first(of, rank); i < end && !error; i += most)
      error = comm_bcast(comm, rank, (char *)array + i * item_bytes,
                         (end - i < most ? end - i : most) * item_bytes, message);
  }
  return error;
}
