/* Reads the text of a position from left to right, and prints boards. */
#include "games/game_text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

tauler_error game_text_check(text_line line, tauler_message *message) {
  const size_t odd = text_find_odd(line);
  if (odd == line.length) return TAULER_OK;
  return tauler_fail(message, TAULER_BAD_POSITION,
                     "character %zu is %s: a position and its moves are written in ASCII, on one line",
                     text_characters(line.text, odd) + 1, text_sign(line.text + odd, line.length - odd).text);
}

tauler_error game_text_parse(const game *game, const game_rules *rules, const char *text, game_position *out,
                             game_past *past, tauler_message *message) {
  const text_line line = text_clean(text, strlen(text));
  char *copy = NULL;
  tauler_error error = game_text_check(line, message);
  if (error) return error;
  if (line.text[line.length]) {
    copy = strndup(line.text, line.length);
    if (!copy) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to read a position");
  }
  const char *clean = copy ? copy : line.text;
  error = past ? game->parse_line(rules, clean, out, past, message) : game->parse(rules, clean, out, message);
  free(copy);
  return error;
}

bool game_text_refuse(game_text *in, const char *format, ...) {
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  vsnprintf(in->why, sizeof in->why, format, arguments);
  told_write(in->why, sizeof in->why, format, again);
  va_end(again);
  va_end(arguments);
  return false;
}

size_t game_text_place(const game_text *in) {
  return (size_t)(in->at - in->text) + 1;
}

void game_text_skip_blanks(game_text *in) {
  in->at += strspn(in->at, " \t");
}

bool game_text_ends_word(char c) {
  return c == '\0' || c == ' ' || c == '\t';
}

bool game_text_take(game_text *in, const char *characters) {
  const size_t length = strlen(characters);
  if (strncmp(in->at, characters, length) != 0) return false;
  in->at += length;
  return true;
}

bool game_text_take_word(game_text *in, const char *word) {
  const char *before = in->at;
  if (game_text_take(in, word) && game_text_ends_word(*in->at)) return true;
  in->at = before;
  return false;
}

bool game_text_take_number(game_text *in, int most, int *number) {
  if (!isdigit((unsigned char)*in->at)) return false;
  for (*number = 0; isdigit((unsigned char)*in->at); in->at++) {
    if (*number <= most) *number = 10 * *number + (*in->at - '0');
  }
  if (*number > most) *number = most + 1;
  return true;
}

bool game_text_take_side(game_text *in, const char letters[2], uint8_t *side) {
  const char one = letters[0], other = letters[1];
  game_text_skip_blanks(in);
  if (*in->at == '\0')
    return game_text_refuse(in, "the side to move, %c or %c, is missing behind the board", one, other);
  if ((*in->at != one && *in->at != other) || !game_text_ends_word(in->at[1]))
    return game_text_refuse(in, "the side to move must be %c or %c, not '%.*s' (character %zu)", one, other,
                            (int)strcspn(in->at, " \t"), in->at, game_text_place(in));
  *side = *in->at++ == other;
  return true;
}

bool game_text_end(game_text *in, const char *hint) {
  if (*in->at == '\0') return true;
  return game_text_refuse(in, "character %zu, '%c', is not expected%s", game_text_place(in), *in->at, hint);
}

void game_text_print_board(const void *position, int rows, int columns,
                           char (*letter_on)(const void *position, int square), char side,
                           char text[GAME_TEXT_BYTES]) {
  text[0] = '\0';
  for (int row = rows - 1; row >= 0; row--) {
    int empty = 0;
    for (int column = 0; column <= columns; column++) {
      const bool beyond = column == columns;
      const char letter = beyond ? '\0' : letter_on(position, row * columns + column);
      if (empty && (letter || beyond)) text_add(text, GAME_TEXT_BYTES, "%d", empty);
      empty = letter ? 0 : empty + 1;
      if (letter) text_add(text, GAME_TEXT_BYTES, "%c", letter);
    }
    text_add(text, GAME_TEXT_BYTES, row ? "/" : " ");
  }
  text_add(text, GAME_TEXT_BYTES, "%c", side);
}
