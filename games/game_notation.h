/* How other programs write the positions and moves of a game. */
#ifndef GAMES_GAME_NOTATION_H
#define GAMES_GAME_NOTATION_H

#include "games/game.h"

enum { GAME_NOTATION_MORE = 16 }; /* bytes that a move's name may grow by beyond twice its own */

/* Only for writing: the game's parse reads all notations of its table beside its own, and tells them apart by
 * the text. */
struct game_notation {
  const char *name;  /* "playstrategy" */
  const char *about; /* whose it is, and an example */
  void (*print)(const game_rules *rules, const game_position *position, char text[GAME_TEXT_BYTES]);
  /* Writes the move called `name` of the position. The room is 2 × strlen(name) + GAME_NOTATION_MORE. */
  void (*move)(const game_rules *rules, const game_position *position, const char *name, char *text);
};

/* The game's notation of this name. Errors: TAULER_BAD_USAGE. */
tauler_error game_notation_called(const game *game, const char *name, const game_notation **out,
                                  tauler_message *message);

#endif
