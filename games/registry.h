/* The list of games. A new game is one folder here and one line of the list. */
#ifndef GAMES_REGISTRY_H
#define GAMES_REGISTRY_H

#include "games/game.h"

/* Each game's table and its name. */
#define GAMES(GAME)                                                                                          \
  GAME(auale_game, "auale")                                                                                  \
  GAME(doushouqi_game, "doushouqi")                                                                          \
  GAME(phutball_game, "phutball")                                                                            \
  GAME(oca_game, "oca")                                                                                      \
  GAME(oca_asesina_game, "oca-asesina")                                                                      \
  GAME(morris_game, "morris")

/* `extern const game auale_game;`, and so for each. */
#define GAME_TABLE(table, name) extern const game(table);
GAMES(GAME_TABLE)

/* The names of all games, each followed by a blank. */
#define GAME_NAME(table, name) name " "
#define GAME_NAMES GAMES(GAME_NAME)

/* All games; the list ends with NULL. */
const game *const *game_list(void);

/* The game whose tables are called `name`, or NULL. */
const game *game_find(const char *name);

/* The game with this name or other name, in upper or lower case, or NULL. */
const game *game_called(const char *name);

#endif
