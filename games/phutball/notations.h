/* Private to phutball: notations of other programs. */
#ifndef GAMES_PHUTBALL_NOTATIONS_H
#define GAMES_PHUTBALL_NOTATIONS_H

#include "games/game_record.h"
#include "games/game_text.h"

/* How a line of turns may name its columns: A to H are the same in both. */
typedef enum {
  PHB_WITHOUT_I, /* A … H J K …, as on boards of Go and here */
  PHB_WITH_I,    /* A … H I J …, as in AbstractPlay and vying */
  PHB_EITHER     /* lower case, with columns beyond h but no i */
} phb_letters;

phb_letters phb_letters_of(const char *line);

/* The column of a letter in either case; −1 if it is none. */
int phb_column_of(char letter, phb_letters letters);

extern const game_notation phb_notations[];

#endif
