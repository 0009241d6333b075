/* Plays the move under a roll that the learned network rates highest. Private to analysis/. */
#ifndef ANALYSIS_LEARN_LEARNED_PLAYER_H
#define ANALYSIS_LEARN_LEARNED_PLAYER_H

#include "analysis/dice/simulate.h"
#include "analysis/learn/learn.h"

typedef struct {
  learned learned;
  chance_sketch *sketch;
  afterstate_judge judge;
} learned_player;

/* "learned:FILE" is how options name one; NULL: that is another name. */
const char *learned_path(const char *name);

/* Borrows game and rules, and is not moved while it plays. Errors: of learned_load, of features->open. */
tauler_error learned_player_open(const char *path, const game *game, const game_rules *rules,
                                 learned_player *out, tauler_message *message);
void learned_player_close(learned_player *player);

/* For several threads at once. */
simulate_policy learned_player_policy(const learned_player *player);

#endif
