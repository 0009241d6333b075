/* Computes the worths of moves by a network, and picks moves by them. */
#include "analysis/learn/learn.h"

#include <string.h>

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

/* Adds the expected gains after the state: from a table of a smaller game if it has them, otherwise an
 * estimate. */
static tauler_error add_expected_gains(const afterstate_judge *judge, afterstate *out,
                                       tauler_message *message) {
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
  return out->over ? TAULER_OK : add_expected_gains(judge, out, message);
}

const char *learned_path(const char *name) {
  static const char before[] = "learned:";
  return strncmp(name, before, sizeof before - 1) == 0 ? name + sizeof before - 1 : NULL;
}

tauler_error learned_player_open(const char *path, const game *game, const game_rules *rules,
                                 learned_player *out, tauler_message *message) {
  learned_from from;
  *out = (learned_player){.sketch = NULL};
  tauler_error error = learned_load(path, game, &out->learned, &from, message);
  if (error) return error;
  error = game->chance->features->open(rules, &out->sketch, message);
  out->judge =
      (afterstate_judge){.game = game, .rules = rules, .sketch = out->sketch, .net = &out->learned.net};
  if (error) learned_player_close(out);
  return error;
}

void learned_player_close(learned_player *player) {
  if (player->sketch) player->judge.game->chance->features->close(player->sketch);
  learned_close(&player->learned);
  *player = (learned_player){.sketch = NULL};
}

static int pick_move(const void *user, const game_rules *rules, const game_position *position, size_t roll,
                     const game_moves *moves) {
  const learned_player *player = user;
  const int aim = player->judge.game->chance->aim(rules, position);
  int best = 0;
  double most = 0;
  (void)roll;
  for (size_t i = 0; i < moves->used; i++) {
    afterstate after;
    const tauler_error error = afterstate_of(&player->judge, &moves->moves[i], &after, NULL);
    if (error) return -1 - (int)error;
    if (i > 0 && aim * after.raised <= most) continue;
    most = aim * after.raised;
    best = (int)i;
  }
  return best;
}

simulate_policy learned_player_policy(const learned_player *player) {
  return (simulate_policy){pick_move, player};
}
