/* Reads the text of a position from left to right, and says what is wrong with it. */
#ifndef GAMES_GAME_TEXT_H
#define GAMES_GAME_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "base/told.h"
#include "games/game.h"

typedef struct {
  const char *text, *at; /* the whole text, and its unread rest */
  char why[512];         /* reason for which the text was refused, with data of base/told.h after its NUL */
} game_text;

/* Refuses a line with a character that occurs in no position and no move, and names that character. Errors:
 * TAULER_BAD_POSITION. */
tauler_error game_text_check(text_line line, tauler_message *message);

/* Cleans text from outside (base/text.h) and reads it by the game's parse, or by its parse_line if `past` is
 * not NULL. Errors: those of game_text_check and parse, TAULER_NO_MEMORY. */
tauler_error game_text_parse(const game *game, const game_rules *rules, const char *text, game_position *out,
                             game_past *past, tauler_message *message);

/* tauler_fail of TAULER_BAD_POSITION, with the reason in `why` as its cause. */
#define game_text_fail(message, in, ...)                                                                     \
  told_because(message, told_of((in)->why, sizeof(in)->why),                                                 \
               tauler_fail(message, TAULER_BAD_POSITION, __VA_ARGS__))

/* Writes `why` as printf does. Always returns false. */
__attribute__((format(printf, 2, 3))) bool game_text_refuse(game_text *in, const char *format, ...);

/* The number of the next character, from 1. */
size_t game_text_place(const game_text *in);

void game_text_skip_blanks(game_text *in);
bool game_text_ends_word(char c);

/* Reads these characters, or a whole word. If others follow, reads nothing and returns false. */
bool game_text_take(game_text *in, const char *characters);
bool game_text_take_word(game_text *in, const char *word);

/* Reads decimal digits; a number above `most` is returned as most + 1. Returns false if there are no
 * digits. */
bool game_text_take_number(game_text *in, int most, int *number);

/* Reads the letter of the side to move, 0 or 1, after a board; refuses anything else. */
bool game_text_take_side(game_text *in, const char letters[2], uint8_t *side);

/* Writes rows from the last to the first, separated by /, with numbers for empty squares, then a blank and
 * the letter of the side to move. Square row · columns + column is empty if `letter_on` returns NUL. */
void game_text_print_board(const void *position, int rows, int columns,
                           char (*letter_on)(const void *position, int square), char side,
                           char text[GAME_TEXT_BYTES]);

/* True at the end of the text; otherwise refuses what follows, and adds the hint. */
bool game_text_end(game_text *in, const char *hint);

#endif
