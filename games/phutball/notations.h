/* Private to phutball: notations of other programs. */
#ifndef GAMES_PHUTBALL_NOTATIONS_H
#define GAMES_PHUTBALL_NOTATIONS_H

#include "games/game_record.h"
#include "games/game_text.h"

/* The columns' letters in a line of turns. A to H mean the same in all of them. */
typedef enum {
  PHB_WITHOUT_I, /* A … H J K …, as on boards of Go and here */
  PHB_WITH_I,    /* A … H I J …, as in AbstractPlay and vying */
  PHB_EITHER     /* lower case, with columns beyond h but no i, so either of the two */
} phb_letters;

phb_letters phb_letters_of(const char *line);

/* Returns the column of a letter in upper or lower case, or −1 if no column has it. */
int phb_column_of(char letter, phb_letters letters);

extern const game_notation phb_notations[];

#endif
