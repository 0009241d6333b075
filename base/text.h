/* Reading figures from text strictly, writing them for people, showing text of strangers, and finding the
 * word that was meant.
 *
 * A reader takes the whole string or nothing: no leading or trailing blanks, no sign where none
 * belongs, no silent overflow. On failure it returns false and leaves *value as it was; the caller
 * knows the context and writes the message. Writers return a small struct by value, so that
 * `text_size(n).text` can stand in an argument list. The module owns nothing and holds no state:
 * every function may be called from any thread, whatever the locale.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  char text[40];
} text_figure;

/* Decimal digits only, min ≤ value ≤ max. */
bool text_read_unsigned(const char *text, uint64_t min, uint64_t max, uint64_t *value);

/* A finite decimal number such as 12, -0.5 or 1e-9, min ≤ value ≤ max. */
bool text_read_real(const char *text, double min, double max, double *value);

/* Bytes: "4096", "512M", "1.5GiB". K M G T P and KiB … PiB count in 1024s, KB … PB in 1000s; case
 * does not matter. A fraction needs a unit and is rounded down to a whole byte. */
bool text_read_size(const char *text, uint64_t *bytes);

/* Seconds: "90", "30s", "10m", "2h", "1d", "1h30m", "0.5s", "500ms". */
bool text_read_duration(const char *text, double *seconds);

text_figure text_size(uint64_t bytes);     /* "1.50 GiB"; below 1024 "17 bytes" */
text_figure text_count(double count);      /* three digits and a magnitude: "12.3 M", "950" */
text_figure text_duration(double seconds); /* "0.35 s", "42 s", "3 min 05 s", "2 h 07 min", "4 d 03 h" */
text_figure text_real(double value);       /* shortest decimal that reads back as value; nan, inf */
text_figure text_unsigned(uint64_t value); /* plain digits */
text_figure text_signed(double value);     /* "+2.5", "-1", "0" */

/* The shortest decimal that is no greater, or no less, than value and reads back as value; nan, inf. */
text_figure text_below(double value);
text_figure text_above(double value);

/* A line of text from outside, as every reader has it: without a byte order mark in front, blanks around and
 * the line end, LF or CRLF. It points into the text. */
typedef struct {
  const char *text;
  size_t length;
} text_line;

text_line text_clean(const char *text, size_t length);

/* The first line of what is left of a text, cleaned; *left and *length become those of the rest. False:
 * nothing is left. */
bool text_next_line(const char **left, size_t *length, text_line *line);

/* Where the first sign stands that is neither printable ASCII nor a blank nor a tab, from 0; the length if
 * none does. */
size_t text_find_odd(text_line line);

/* The sign at a place of a text, as a message names it: "'x'", "a carriage return", "U+00A0, a no-break
 * space", "byte FF", which is no UTF-8. */
text_figure text_sign(const char *at, size_t length);

/* The characters of UTF-8 in so many bytes. */
size_t text_characters(const char *text, size_t length);

/* Appends to a text of `room` bytes, NUL included, as printf does; what has no room is left out. */
__attribute__((format(printf, 3, 4))) void text_add(char *text, size_t room, const char *format, ...);

/* Takes back blanks at the end of such a text, and ends the line. */
void text_end_line(char *text, size_t room);

/* The number of insertions, deletions, substitutions and swaps of neighbours from one word to the
 * other; words are compared by their first 63 bytes. */
size_t text_distance(const char *from, const char *to);

/* The candidate that was probably meant by word, or NULL when none is near enough. Words that
 * continue word count as near. NULL candidates are skipped. */
const char *text_nearest(const char *word, const char *const *candidates, size_t n);

/* The width of a column of at least so many bytes that also holds the text. */
int text_wider(int width, const char *text);

#endif
