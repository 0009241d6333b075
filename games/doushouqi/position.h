/* A position of Dou Shou Qi, its text and its place in the index. */
#ifndef GAMES_DOUSHOUQI_POSITION_H
#define GAMES_DOUSHOUQI_POSITION_H

#include "games/doushouqi/rules.h"
#include "games/game_record.h"

/* The words of a game_position: the square of every animal (DSQ_NOWHERE if captured), and the side to
 * move. */
typedef struct {
  uint8_t square[2][DSQ_ANIMALS];
  uint8_t side;
  uint8_t unused[7];
} dsq_position;

GAME_POSITION(dsq_position, dsq)

uint16_t dsq_material_of(const dsq_position *position);

/* Returns the position with colours and the side to move exchanged and the ranks reversed. */
dsq_position dsq_flip_position(const dsq_position *position);

void dsq_square_name(int square, char name[3]);

/* dsq_letter returns the letter of an animal, one of "rcwdptle", White's in upper case. dsq_read_letter reads
 * it and returns false for any other letter. */
char dsq_letter(int side, int animal);
bool dsq_read_letter(char letter, int *side, int *animal);

/* Members of game.h, in text.c. `parse` reads "FEN" and "startpos", either with "moves a3a4 …" after it. */
GAME_MEMBER(parse) dsq_parse;
GAME_MEMBER(print) dsq_print;
GAME_MEMBER(draw) dsq_draw;
extern const game_notation dsq_notations[];

/* Members of game.h, in place.c. `locate` returns false if the game is over by a den or captures, or if there
 * are more than DSQ_MOST_PIECES pieces. `position_slice` writes the name of the position's own material, with
 * the mover as White. */
GAME_MEMBER(slice_of) dsq_slice_of;
GAME_MEMBER(locate) dsq_locate;
GAME_MEMBER(position_at) dsq_position_at;
GAME_MEMBER(numbers) dsq_numbers;
GAME_MEMBER(copies) dsq_copies, dsq_left_out;
GAME_MEMBER(position_slice) dsq_position_slice;

/* Returns the index of a position with White to move. `square` has the squares of the pieces in the order of
 * the slice. */
uint64_t dsq_index(const dsq_slice *slice, int part, const uint8_t square[]);

#endif
