/* The list of games. Another game is one folder here and one line of the list. */
#ifndef GAMES_REGISTRY_H
#define GAMES_REGISTRY_H

#include "games/game.h"

/* Each game's table, and the name that the table has. */
#define GAMES(GAME)                                                                                          \
  GAME(auale_game, "auale")                                                                                  \
  GAME(doushouqi_game, "doushouqi")                                                                          \
  GAME(phutball_game, "phutball")                                                                            \
  GAME(oca_game, "oca")                                                                                      \
  GAME(oca_asesina_game, "oca-asesina")                                                                      \
  GAME(morris_game, "morris")

/* Their names, a blank behind each. */
#define GAME_NAME(table, name) name " "
#define GAME_NAMES GAMES(GAME_NAME)

/* All games, ended by NULL. */
const game *const *game_list(void);

/* The game whose tables are called `name`, or NULL. */
const game *game_find(const char *name);

/* The game that people call `name`, by any of its names, or NULL. */
const game *game_called(const char *name);

#endif
