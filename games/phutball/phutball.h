/* Phutball (Philosopher's Football) as a game: rule set base with its flags.
 *
 * A slice is a board (board.h).
 */
#ifndef GAMES_PHUTBALL_PHUTBALL_H
#define GAMES_PHUTBALL_PHUTBALL_H

#include "games/game.h"

extern const game phutball_game;

#endif
