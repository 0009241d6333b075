/* Reads the text of a position from left to right, describes its first fault, and prints boards. */
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

/* Fails with TAULER_BAD_POSITION; the cause of the message is the reason in `why`. */
#define game_text_fail(message, in, ...)                                                                     \
  told_because(message, told_of((in)->why, sizeof(in)->why),                                                 \
               tauler_fail(message, TAULER_BAD_POSITION, __VA_ARGS__))

/* Writes the reason of a refusal to `why`, as printf does. Always returns false. */
__attribute__((format(printf, 2, 3))) bool game_text_refuse(game_text *in, const char *format, ...);

/* Returns the number of the next character, from 1. */
size_t game_text_place(const game_text *in);

void game_text_skip_blanks(game_text *in);
bool game_text_ends_word(char c);

/* Take these characters, or this whole word. If something else follows, they take nothing and return
 * false. */
bool game_text_take(game_text *in, const char *characters);
bool game_text_take_word(game_text *in, const char *word);

/* Takes decimal digits. *number becomes most + 1 if the number is above `most`. Returns false if there are no
 * digits. */
bool game_text_take_number(game_text *in, int most, int *number);

/* Takes blanks and the letter of the side to move behind a board. Refuses anything else. *side becomes 0 or
 * 1. */
bool game_text_take_side(game_text *in, const char letters[2], uint8_t *side);

/* Writes the rows of a board from the last to the first, separated by /, with numbers for runs of empty
 * squares, then a blank and the letter of the side to move. Square row · columns + column is empty if
 * `letter_on` returns NUL. */
void game_text_print_board(const void *position, int rows, int columns,
                           char (*letter_on)(const void *position, int square), char side,
                           char text[GAME_TEXT_BYTES]);

/* True if the text has ended. Otherwise refuses the next character, with the hint behind the reason. */
bool game_text_end(game_text *in, const char *hint);

#endif
