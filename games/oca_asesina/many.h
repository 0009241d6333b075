/* Private to la oca asesina: the index of three players and more, with one token each.
 *
 * Seats that have finished stand on N. A slice has a section for each seat to roll; a section is the turns
 * that the other seats have to lose, in mixed radix, × the squares of all tokens not home. The seat to roll
 * comes first, and each token stands on a square that those before it leave free: without gaps.
 */
#ifndef GAMES_OCA_ASESINA_MANY_H
#define GAMES_OCA_ASESINA_MANY_H

#include "games/oca_asesina/place.h"
#include "games/oca_asesina/slices.h"

uint64_t ase_many_positions(const game_rules *rules, const ase_slice *slice);

/* False: the position has no index. */
bool ase_many_rank(const game_rules *rules, const ase_slice *slice, const ase_position *position,
                   uint64_t *index);

/* False: the index stands for nothing. */
bool ase_many_unrank(const game_rules *rules, const ase_slice *slice, uint64_t index, ase_position *out);

int ase_many_seat(const game_rules *rules, const ase_slice *slice, uint64_t index);

#endif
