/* Aualé (oware): rule sets awari, awari,grand-slam=captures and abapa behind games/game.h.
 *
 * A slice is all boards with n seeds whose opponent's row has an empty pit; the slice's number is n.
 */
#ifndef GAMES_AUALE_AUALE_H
#define GAMES_AUALE_AUALE_H

#include "games/game.h"

extern const game auale_game;

#endif
