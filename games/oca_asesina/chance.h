/* Private to la oca asesina: rolls and choices as games/game_chance.h asks for them.
 *
 * A row of gains is a set of winners, a bit for each seat. Positions whose mover has turns to lose have no
 * index: edges lead to what stands behind the passes.
 */
#ifndef GAMES_OCA_ASESINA_CHANCE_H
#define GAMES_OCA_ASESINA_CHANCE_H

#include "games/game_chance.h"

extern const game_chance ase_chance;

#endif
