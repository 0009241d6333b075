/* Plays the move under a roll that the learned network rates highest. */
#ifndef ANALYSIS_LEARN_LEARNED_PLAYER_H
#define ANALYSIS_LEARN_LEARNED_PLAYER_H

#include "analysis/dice/simulate.h"
#include "analysis/learn/learn.h"

typedef struct {
  learned learned;
  chance_sketch *sketch;
  afterstate_judge judge;
} learned_player;

/* Returns FILE if an option's text is "learned:FILE", otherwise NULL. */
const char *learned_path(const char *name);

/* Opens a player from a file; borrows game and rules. The caller does not move *out until it is closed.
 * Errors: those of learned_load and features->open. */
tauler_error learned_player_open(const char *path, const game *game, const game_rules *rules,
                                 learned_player *out, tauler_message *message);
void learned_player_close(learned_player *player);

simulate_policy learned_player_policy(const learned_player *player);

#endif
