/* Private to la oca asesina: in how many ways tokens of two players stand on 1 … N − 1, by formula.
 *
 * A stand is how many tokens of each colour are there, a number in base tokens + 1.
 */
#ifndef GAMES_OCA_ASESINA_COUNT_H
#define GAMES_OCA_ASESINA_COUNT_H

#include "games/oca_asesina/rules.h"

/* ways[stand of one player · stands + stand of the other], allocated; UINT64_MAX: more than can be counted.
 * Errors: TAULER_NO_MEMORY. */
tauler_error ase_count_ways(const game_rules *rules, int tokens, uint64_t **ways);

/* Pairs of hands, `home` of each player's tokens at home, of which the first may have one under a forced mark
 * besides. */
uint64_t ase_count_pairs(const game_rules *rules, int tokens, const uint64_t *ways, int home, int other_home);

#endif
