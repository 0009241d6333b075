/* The text of a position: read from left to right, and what is wrong with it. */
#ifndef GAMES_GAME_TEXT_H
#define GAMES_GAME_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "base/told.h"
#include "games/game.h"

typedef struct {
  const char *text, *at; /* the whole, and what is not read yet */
  char why[512];         /* once it is refused; behind it what base/told.h has */
} game_text;

/* Refuses a line with a sign that no position and no move has, and names it: TAULER_BAD_POSITION. */
tauler_error game_text_check(text_line line, tauler_message *message);

/* Reads text from outside by the game's parse, or by its parse_line where `past` is not NULL: base/text.h
 * cleans it. Errors: those of game_text_check and parse, TAULER_NO_MEMORY. */
tauler_error game_text_parse(const game *game, const game_rules *rules, const char *text, game_position *out,
                             game_past *past, tauler_message *message);

/* What `why` tells, as a cause for told_because. */
const char *game_text_why(const game_text *in);

/* Writes `why` as printf does. Always false. */
__attribute__((format(printf, 2, 3))) bool game_text_refuse(game_text *in, const char *format, ...);

/* The number of the next character, from 1. */
size_t game_text_place(const game_text *in);

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
