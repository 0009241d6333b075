/* Private to la oca asesina: slices of two players as strips (games/game_strips.h). */
#ifndef GAMES_OCA_ASESINA_STRIPS_H
#define GAMES_OCA_ASESINA_STRIPS_H

#include "games/game_strips.h"

extern const game_strips ase_strips;

#endif
