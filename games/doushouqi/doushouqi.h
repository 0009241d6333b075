/* Dou Shou Qi (jungle) as a game: rule sets base and liacs with their flags.
 *
 * A slice is a class of materials that have the same values, with its colour flip (material.h).
 */
#ifndef GAMES_DOUSHOUQI_DOUSHOUQI_H
#define GAMES_DOUSHOUQI_DOUSHOUQI_H

#include "games/game.h"

extern const game doushouqi_game;

#endif
