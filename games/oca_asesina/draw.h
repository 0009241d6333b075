/* Private to la oca asesina: drawings of positions, for game.h. */
#ifndef GAMES_OCA_ASESINA_DRAW_H
#define GAMES_OCA_ASESINA_DRAW_H

#include "games/oca_asesina/rules.h"

void ase_draw(const game_rules *rules, const game_position *game, char text[GAME_DRAWING_BYTES]);

#endif
