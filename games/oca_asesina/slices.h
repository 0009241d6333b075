/* Private to la oca asesina: slices, given by each player's number of tokens at home, and the indexes of
 * their positions.
 *
 * Two players have up to 12 tokens each. More players have one token each; three may have two each under
 * alone=… without lost-turns=die-with-token. Slices with more tokens at home are solved first. In a slice
 * with a finished seat, only seats after all finished ones roll: it is their last turn.
 */
#ifndef GAMES_OCA_ASESINA_SLICES_H
#define GAMES_OCA_ASESINA_SLICES_H

#include "games/oca_asesina/rules.h"

enum { ASE_SLICES = (ASE_MOST_TOKENS + 1) << 9 /* slice numbers are smaller */ };

typedef struct {
  int tokens; /* tokens of each colour */
  uint8_t home[ASE_MOST_SEATS];
  int first_to_roll; /* first seat that rolls. If it is above 0, it and later seats have their last turn */
} ase_slice;

/* Reads a slice from its number. Returns false if there is no such slice. */
bool ase_slice_open(const game_rules *rules, uint32_t number, ase_slice *out);

/* Returns the number of the slice with these `tokens` and `home`, or GAME_NO_SLICE if there is none, as when
 * the game is over. */
uint32_t ase_slice_number(const game_rules *rules, const ase_slice *slice);

/* Members of oca_asesina_game, in slices.c. */
GAME_MEMBER(slice_of) ase_slice_of;
GAME_MEMBER(slices) ase_slices;
GAME_MEMBER(needs) ase_needs;
GAME_MEMBER(slice_name) ase_slice_name, ase_size_text;
GAME_MEMBER(slice_named) ase_slice_named;
GAME_MEMBER(part) ase_part;
GAME_MEMBER(position_slice) ase_position_slice;
GAME_MEMBER(alike) ase_alike, ase_origin; /* ase_origin and ase_start are members of game_chance.h */
void ase_start(const game_rules *rules, uint32_t number, game_position *out);

/* --- place.c: indexes of positions, for two players and more --- */

#define ASE_MOST_POSITIONS (UINT64_C(1) << 48)

/* Finds the place of a position. If no table has the position, because the mover has turns to lose or the
 * position cannot occur, the slice of the place is GAME_NO_SLICE. Errors: TAULER_NO_MEMORY. */
tauler_error ase_find(const game_rules *rules, const ase_position *position, game_place *out);

/* Reads the position of a place. *there becomes false if the index is unused, otherwise true. Errors:
 * TAULER_BAD_USAGE (no such slice), TAULER_NO_MEMORY. */
tauler_error ase_read_place(const game_rules *rules, game_place place, ase_position *out, bool *there);

/* Returns the seat to roll in the position of a place, or 0 if there is no such slice or no memory. */
int ase_seat_at(const game_rules *rules, game_place place);

/* Members of oca_asesina_game. */
GAME_MEMBER(positions) ase_positions;
GAME_MEMBER(locate) ase_locate;
GAME_MEMBER(position_at) ase_position_at;
GAME_MEMBER(numbers) ase_numbers;
GAME_MEMBER(copies) ase_copies;

/* In many.c: the index of three players and more, with one token or two each.
 *
 * Seats that have finished stand on N. A slice has a section for each seat that may roll. A section is the
 * product of the turns that the other unfinished seats have to lose, as digits, and the squares of all tokens
 * not home. The seat to roll comes first. Each seat's tokens stand on squares that those before it leave
 * free, so an index is unused only if a seat has turns to lose that its token cannot have lost.
 */

uint64_t ase_many_positions(const game_rules *rules, const ase_slice *slice);

/* Sets *index to the index of a position. Returns false if the position has none. */
bool ase_many_rank(const game_rules *rules, const ase_slice *slice, const ase_position *position,
                   uint64_t *index);

/* Reads the position of an index. Returns false if the index is unused. */
bool ase_many_unrank(const game_rules *rules, const ase_slice *slice, uint64_t index, ase_position *out);

int ase_many_seat(const game_rules *rules, const ase_slice *slice, uint64_t index);

#endif
