/* Phutball (Philosopher's Football): rule set base with its flags behind games/game.h.
 *
 * A slice is a board; see board.h.
 */
#ifndef GAMES_PHUTBALL_PHUTBALL_H
#define GAMES_PHUTBALL_PHUTBALL_H

#include "games/game.h"

extern const game phutball_game;

#endif
