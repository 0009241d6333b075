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

int toy_line_value(toy_line *line, uint64_t index, int turn) {
  const toy_slice *slice = &line->toy->slices[line->slice];
  if (slice->ended[index] != GAME_NOT_ENDED) return slice->ended[index];
  int8_t pays;
  toy_repetition_pays(line->toy->rules, line->slice, index, 1, &pays);
  if (line->met[turn][index]) return pays;
  line->met[turn][index] = true;
  int best = INT16_MIN;
  for (uint64_t e = slice->first[index]; e < slice->first[index + 1]; e++) {
    const game_edge *edge = &slice->edges[e];
    int worth = edge->gain;
    if (edge->to.slice == line->slice) {
      worth = -toy_line_value(line, edge->to.index, !turn);
    } else if (edge->to.slice != GAME_OVER) {
      worth -= line->list[edge->to.slice].cells[turn == line->favoured][edge->to.index];
    }
    if (worth > best) best = worth;
  }
  line->met[turn][index] = false;
  return best;
}
