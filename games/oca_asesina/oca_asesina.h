/* La oca asesina behind games/game.h and games/game_chance.h.
 *
 * A slice is the tokens of each player and how many of them are home; see slices.h. Two players choose, one
 * to raise the score of seat 1 and one to lower it; three to six have one token each and nothing to choose.
 * Under alone=… one of three raises its score, and the other two lower it.
 */
#ifndef GAMES_OCA_ASESINA_OCA_ASESINA_H
#define GAMES_OCA_ASESINA_OCA_ASESINA_H

#include "games/game.h"

extern const game oca_asesina_game;

#endif
