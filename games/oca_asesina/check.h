/* Private to la oca asesina: what a position may not have. */
#ifndef GAMES_OCA_ASESINA_CHECK_H
#define GAMES_OCA_ASESINA_CHECK_H

#include "games/oca_asesina/rules.h"

enum { ASE_WHY_BYTES = 200 };

/* Whether such a position can be and is not over; `why` says what is wrong. Which token lost turns is filled
 * in where there is but one that can have (lost-turns=die-with-token). */
bool ase_check(const game_rules *rules, ase_position *position, char why[ASE_WHY_BYTES]);

/* Whether a text must name the token that lost a player's turns. */
bool ase_culprit_is_doubtful(const game_rules *rules, const ase_position *position, int seat);

#endif
