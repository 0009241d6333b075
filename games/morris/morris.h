/* Three men's morris as a game. */
#ifndef GAMES_MORRIS_MORRIS_H
#define GAMES_MORRIS_MORRIS_H

#include "games/game.h"

extern const game morris_game;

#endif
