/* Aualé (oware) as a game: rule sets awari, awari,grand-slam=captures and abapa.
 *
 * A slice consists of all boards with n seeds whose opponent's row has an empty pit. Its number is n.
 */
#ifndef GAMES_AUALE_AUALE_H
#define GAMES_AUALE_AUALE_H

#include "games/game.h"

extern const game auale_game;

#endif
