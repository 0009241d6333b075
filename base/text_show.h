/* Shows text from outside: arguments, names of files, contents of files.
 *
 * A terminal obeys control characters, and direction marks make a text look like another one. Both are
 * escaped, and so are other invisible formats and bytes that are not UTF-8. Other characters are unchanged,
 * backslashes too, so that showing a text twice changes nothing. tauler_fail, JSON and CSV escape by
 * themselves; other output uses text_shown or text_print. Any thread may call every function.
 */
#ifndef BASE_TEXT_SHOW_H
#define BASE_TEXT_SHOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Returns the number of bytes of the character at `text` and sets *code to its code point. If it is not
 * well-formed UTF-8, returns 0 and leaves *code. `left`, the bytes of the text, is above 0. */
size_t text_character(const char *text, size_t left, uint32_t *code);

/* True for control characters (C0, DEL, C1), direction marks and other invisible formats. */
bool text_is_control(uint32_t code);

enum { TEXT_CHARACTER = 12 };

/* Writes the character at `text` as it is shown: itself, or "\n", "\x1b", "\u202e", "\U000e0001". Returns its
 * number of bytes in the text. `left`, the bytes of the text, is above 0. */
size_t text_show_character(const char *text, size_t left, char shown[TEXT_CHARACTER]);

/* Writes a text as it is shown, cut to `room` bytes (1 or more, NUL included). */
void text_show(const char *text, char *shown, size_t room);

/* Prints a text as it is shown. Returns the number of bytes printed. If `out` is NULL, only counts them. */
size_t text_print(FILE *out, const char *text, size_t length);

/* A text as it is shown, cut to 4095 bytes, as an argument of printf: text_shown(path).text. */
typedef struct {
  char text[4096];
} text_display;
text_display text_shown(const char *text);

#endif
