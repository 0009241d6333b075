/* Computes the worths of moves by a network. */
#include "analysis/learn/learn.h"

#include "analysis/probe/chance_worth.h"

static tauler_error add_gain(const afterstate_judge *judge, const game_position *position, int row,
                             double *sum) {
  const chance_gain(*rows)[CHANCE_MOST_QUANTITIES];
  const uint32_t slice = judge->game->slice_of(judge->rules, position);
  if (row == 0) return TAULER_OK;
  if (row < 0 || (size_t)row >= judge->game->chance->gains(judge->rules, slice, &rows))
    return TAULER_INTERNAL;
  *sum += (double)rows[row][0].numerator / rows[row][0].denominator;
  return TAULER_OK;
}

static double estimate_quantity(const afterstate_judge *judge, const game_position *position) {
  float input[NETWORK_MOST_INPUTS];
  const game_chance *chance = judge->game->chance;
  chance->features->list(judge->sketch, position, input);
  const double expected = network_ask(judge->net, input);
  return chance->aim(judge->rules, position) > 0 ? expected : 1 - expected;
}

/* Adds exact gains if a table of a smaller game has them. */
static tauler_error add_expected(const afterstate_judge *judge, afterstate *out, tauler_message *message) {
  game_position less;
  chance_values values;
  if (judge->ends && judge->game->chance->features->reduce(judge->rules, &out->position, &less)) {
    const tauler_error error = chance_values_of(judge->ends, &less, &values, message);
    if (error && error != TAULER_TABLE_MISSING) return error;
    if (!error && values.known) {
      out->over = true;
      out->raised += (values.lower[0] + values.upper[0]) / 2;
      return TAULER_OK;
    }
  }
  out->raised += estimate_quantity(judge, &out->position);
  return TAULER_OK;
}

static tauler_error follow_pass(const afterstate_judge *judge, afterstate *out) {
  const game_position before = out->position;
  int gain;
  const tauler_error error = simulate_pass(judge->game, judge->rules, &out->position, &gain, &out->over);
  return error ? error : add_gain(judge, &before, gain, &out->raised);
}

tauler_error afterstate_of(const afterstate_judge *judge, const game_move *move, afterstate *out,
                           tauler_message *message) {
  *out = (afterstate){.over = move->over, .position = move->child};
  tauler_error error = add_gain(judge, &move->child, move->gain, &out->raised);
  while (!error && !out->over && judge->game->chance->must_pass(judge->rules, &out->position))
    error = follow_pass(judge, out);
  if (error) return tauler_fail(message, error, "a game of %s cannot be played on", judge->game->name);
  return out->over ? TAULER_OK : add_expected(judge, out, message);
}
