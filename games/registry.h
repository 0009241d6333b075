/* The list of games. A new game needs a folder here and a line of the list. */
#ifndef GAMES_REGISTRY_H
#define GAMES_REGISTRY_H

#include "games/game.h"

/* The table and the name of each game. */
#define GAMES(GAME)                                                                                          \
  GAME(auale_game, "auale")                                                                                  \
  GAME(doushouqi_game, "doushouqi")                                                                          \
  GAME(phutball_game, "phutball")                                                                            \
  GAME(oca_game, "oca")                                                                                      \
  GAME(oca_asesina_game, "oca-asesina")                                                                      \
  GAME(morris_game, "morris")

/* Declares the table of each game, as in `extern const game auale_game;`. */
#define GAME_TABLE(table, name) extern const game(table);
GAMES(GAME_TABLE)

/* The names of all games, each followed by a blank. */
#define GAME_NAME(table, name) name " "
#define GAME_NAMES GAMES(GAME_NAME)

/* Returns all games; the list ends with NULL. */
const game *const *game_list(void);

/* Returns the game with exactly this name, or NULL. */
const game *game_find(const char *name);

/* Returns the game that has this name among its names, in upper or lower case, or NULL. */
const game *game_called(const char *name);

#endif
