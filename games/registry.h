/* The list of games. A new game is one folder here and one line in registry.c. */
#ifndef GAMES_REGISTRY_H
#define GAMES_REGISTRY_H

#include "games/game.h"

/* All games, ended by NULL. */
const game *const *game_list(void);

/* The game called `name`, or NULL. */
const game *game_find(const char *name);

#endif
