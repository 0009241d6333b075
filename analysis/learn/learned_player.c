/* Picks moves by a learned network. */
#include "analysis/learn/learn.h"

#include <string.h>

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
