/* Private to la oca asesina: where positions stand in the index, for two players and more. */
#ifndef GAMES_OCA_ASESINA_PLACE_H
#define GAMES_OCA_ASESINA_PLACE_H

#include "games/oca_asesina/rules.h"

#define ASE_MOST_POSITIONS (UINT64_C(1) << 48)

/* Slice GAME_NO_SLICE where no table holds the position: its mover has turns to lose, or it cannot be.
 * Errors: TAULER_NO_MEMORY. */
tauler_error ase_find(const game_rules *rules, const ase_position *position, game_place *out);

/* The position of an index, false if it stands for nothing. Errors: TAULER_NO_MEMORY. */
tauler_error ase_read_place(const game_rules *rules, game_place place, ase_position *out, bool *there);

/* The seat that rolls there. */
int ase_seat_at(const game_rules *rules, game_place place);

/* For game.h. */
uint64_t ase_positions(const game_rules *rules, uint32_t slice);
bool ase_locate(const game_rules *rules, const game_position *game, game_place *out);
void ase_position_at(const game_rules *rules, game_place place, game_position *out);
void ase_copies(const game_rules *rules, uint32_t slice, uint64_t first, size_t count, uint8_t *out);

#endif
