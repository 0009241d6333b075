/* Adds up what workers and ranks measure in a sweep. */
#include <string.h>

#include "solver/engines/chance/sweeps.h"
#include "solver/parallel/comm.h"

static void raise_to(double *most, double value) {
  if (value > *most) *most = value;
}

void chance_round_add(chance_round *total, const chance_round *part) {
  for (int q = 0; q < CHANCE_MOST_QUANTITIES; q++) raise_to(&total->change[q], part->change[q]);
  raise_to(&total->width, part->width);
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
