/* Dou Shou Qi (jungle): rule sets base and liacs with their flags behind games/game.h.
 *
 * A slice is a class of materials that have the same values, with its colour flip; see material.h.
 */
#ifndef GAMES_DOUSHOUQI_DOUSHOUQI_H
#define GAMES_DOUSHOUQI_DOUSHOUQI_H

#include "games/game.h"

extern const game doushouqi_game;

#endif
