/* The text of a position: read from left to right, and what is wrong with it. */
#ifndef GAMES_GAME_TEXT_H
#define GAMES_GAME_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  const char *text, *at; /* the whole, and what is not read yet */
  char why[200];         /* once it is refused */
} game_text;

/* Writes `why` as printf does. Always false. */
__attribute__((format(printf, 2, 3))) bool game_text_refuse(game_text *in, const char *format, ...);

/* The number of the next character, from 1, and that character as a message may show it. */
size_t game_text_place(const game_text *in);
char game_text_shown(char c);

void game_text_skip_blanks(game_text *in);
bool game_text_ends_word(char c);

/* Reads these characters, or a whole word. False where others stand there; nothing is read then. */
bool game_text_take(game_text *in, const char *characters);
bool game_text_take_word(game_text *in, const char *word);

/* Reads decimal digits; larger numbers count as most + 1. False where none stand there. */
bool game_text_take_number(game_text *in, int most, int *number);

/* Reads the letter of the side to move, 0 or 1, behind a board; refuses anything else. */
bool game_text_take_side(game_text *in, const char letters[2], uint8_t *side);

/* Refuses what is not read yet, and adds the hint; true at the end. */
bool game_text_end(game_text *in, const char *hint);

#endif
