/* La oca asesina.
 *
 * A slice says how many tokens each player has and how many of them are home (slices.h). With two players,
 * seat 1 raises its score and seat 2 lowers it. Three to six players have one token each and no choice. Under
 * alone=…, one of three players raises its score, and the other two lower it.
 */
#ifndef GAMES_OCA_ASESINA_OCA_ASESINA_H
#define GAMES_OCA_ASESINA_OCA_ASESINA_H

#include "games/game.h"

extern const game oca_asesina_game;

#endif
