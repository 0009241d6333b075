/* A game of chance written down edge by edge, whose values are reckoned by hand. */
#ifndef TESTS_TOY_COIN_H
#define TESTS_TOY_COIN_H

#include "games/game.h"

/* Two slices of positions in which a coin that shows heads two times in three decides; toy_coin.c lists the
 * edges. */
extern const game toy_coin_game;

#endif
