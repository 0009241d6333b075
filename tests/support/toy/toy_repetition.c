#include "tests/support/toy/toy_repetition.h"

bool toy_repetition_pays(const game_rules *rules, uint32_t slice, uint64_t first, size_t count,
                         int8_t *value) {
  const int largest = toy_of(rules)->slices[slice].largest;
  for (size_t i = 0; i < count; i++)
    value[i] = (int8_t)((int)((first + i) * 7 + slice * 3) % (2 * largest + 1) - largest);
  return true;
}

toy_game *toy_repetition_random(int number, uint64_t positions, int most_gain) {
  const int shape_of = number % 3;
  const toy_shape shape = {.kind = SOLVE_GUARANTEES,
                           .slices = 2,
                           .positions = {positions, positions},
                           .most_moves = 2 + shape_of,
                           .ended_percent = 4,
                           .converts_percent = 4 + 4 * shape_of,
                           .finishes_percent = 3,
                           .most_gain = most_gain};
  toy_game *toy = toy_random(&shape, (uint64_t)number, true);
  toy->game.repeated = toy_repetition_pays;
  return toy;
}
