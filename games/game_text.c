/* Reads the text of a position from left to right. */
#include "games/game_text.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool game_text_refuse(game_text *in, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(in->why, sizeof in->why, format, arguments);
  va_end(arguments);
  return false;
}

size_t game_text_place(const game_text *in) {
  return (size_t)(in->at - in->text) + 1;
}

char game_text_shown(char c) {
  return (char)(isprint((unsigned char)c) ? c : '?');
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
  return game_text_refuse(in, "character %zu, '%c', is not expected%s", game_text_place(in),
                          game_text_shown(*in->at), hint);
}
