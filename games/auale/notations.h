/* Private to aualé: notations of other programs, and the book of another program. */
#ifndef GAMES_AUALE_NOTATIONS_H
#define GAMES_AUALE_NOTATIONS_H

#include "games/auale/position.h"
#include "games/game_record.h"
#include "games/game_text.h"

/* Reads a FEN such as "3,2S,1S,2S/4S,1,3S,3 20 17 S 50": North's row from f to a, South's from A to F, the
 * captures of South and North, and the side to move. A number without S means that many empty pits. The
 * number of the move at the end may be missing. If the captures add up to 48, the game has ended and they
 * include the seeds of the rows; *out has them without these seeds. */
bool auale_read_fen(game_text *in, auale_position *out);

/* Reads OpenSpiel's drawing of a state, its lines joined by blanks. */
bool auale_read_drawing(game_text *in, auale_position *out);

/* Returns the pit 0–11 of the square at `text`, or −1 if there is none: a1 to f1 are A to F, a2 to f2 are f
 * to a. */
int auale_square(const char *text);

int auale_last_pit(const auale_position *position, int pit);

void auale_square_name(int pit, char name[3]);

extern const game_notation auale_notations[];
extern const game_book auale_book;

#endif
