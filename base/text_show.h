/* Text of strangers as people see it: arguments, names of files, contents of files.
 *
 * A terminal obeys control characters, and direction marks let a text look like another. Both are escaped
 * wherever such text becomes output, and so are bytes that are no UTF-8. The other characters stay as they
 * are; so does a backslash, so that text that was shown is shown again as it stands. tauler_fail, JSON and
 * CSV escape by themselves; what is printed otherwise goes through text_shown or text_print. No state is
 * kept: every function may be called from any thread.
 */
#ifndef BASE_TEXT_SHOW_H
#define BASE_TEXT_SHOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The length of the character at text and its code point; 0 if no well-formed UTF-8 starts there. left > 0.
 */
size_t text_character(const char *text, size_t left, uint32_t *code);

/* True of control characters (C0, DEL, C1), direction marks and other invisible formats. */
bool text_is_control(uint32_t code);

enum { TEXT_CHARACTER = 12 };

/* The character at text as it is shown: itself, or "\n", "\x1b", "\u202e", "\U000e0001". Returns how many
 * bytes of text that was. left > 0. */
size_t text_show_character(const char *text, size_t left, char shown[TEXT_CHARACTER]);

/* A whole text; what has no room is left out. */
void text_show(const char *text, char *shown, size_t room);

/* Prints a text and returns how many bytes that is as shown; out may be NULL: only counts them. */
size_t text_print(FILE *out, const char *text, size_t length);

/* As an argument of printf: text_shown(path).text. */
typedef struct {
  char text[4096];
} text_display;
text_display text_shown(const char *text);

#endif
