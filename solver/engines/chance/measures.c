/* Combines what workers and ranks measure in a sweep. */
#include <string.h>

#include "parallel/comm.h"
#include "solver/engines/chance/sweeps.h"

void chance_measures_add(chance_measures *total, const chance_measures *part) {
  for (int q = 0; q < CHANCE_MOST_QUANTITIES; q++) chance_raise_to(&total->change[q], part->change[q]);
  chance_raise_to(&total->width, part->width);
  total->refused += part->refused;
}

/* Numbers that are not negative compare like their bits, so COMM_MAX of the bits finds the largest. */
tauler_error chance_measures_combine(chance_work *work, tauler_error error, chance_measures *measures,
                                     tauler_message *message) {
  enum { WIDTH = CHANCE_MOST_QUANTITIES, REFUSED, FAILED, NUMBERS };
  comm *comm = work->job->job->work.comm;
  uint64_t most[NUMBERS] = {[REFUSED] = measures->refused, [FAILED] = error != TAULER_OK};
  memcpy(most, measures->change, sizeof measures->change);
  memcpy(&most[WIDTH], &measures->width, sizeof measures->width);
  const tauler_error lost = comm_allreduce(comm, COMM_MAX, most, NUMBERS, error ? NULL : message);
  if (lost || most[FAILED]) return lost && !error ? lost : comm_agree(comm, error, message);
  memcpy(measures->change, most, sizeof measures->change);
  memcpy(&measures->width, &most[WIDTH], sizeof measures->width);
  measures->refused = most[REFUSED];
  return TAULER_OK;
}
