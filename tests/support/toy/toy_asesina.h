/* Positions and moves of la oca asesina in words, for suites that look at its rules. */
#ifndef TESTS_TOY_ASESINA_H
#define TESTS_TOY_ASESINA_H

#include "games/oca_asesina/turn.h"

/* Each opens or reads, or ends the test. */
game_rules *toy_ase_open(const char *text);
ase_position toy_ase_read(const game_rules *rules, const char *text);

/* "12,63/0,5 lost=0,0 seat=1", with a + before it if the same seat rolls again; "over 1,2" with the winners.
 */
void toy_ase_print(const game_rules *rules, const ase_move *move, char text[GAME_TEXT_BYTES]);

/* The move of the first token on a square; NULL: it may not move. */
const ase_move *toy_ase_move_from(const ase_moves *moves, int square);

/* Any state of so many seats and tokens of each colour that nobody need pass; many tokens are near each
 * other. */
ase_position toy_ase_position(const game_rules *rules, int seats, int tokens, uint64_t *state);

#endif
