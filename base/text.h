/* Reads figures and lines from outside, writes figures for readers, and finds the word that was meant.
 *
 * text_read_… functions accept the whole string or nothing: no leading or trailing blanks, no misplaced sign,
 * no silent overflow. If they fail, they return false and leave the result unchanged. Writers return a struct
 * by value, so that `text_size(n).text` can be an argument. Any thread may call every function, in any
 * locale.
 */
#ifndef BASE_TEXT_H
#define BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
  char text[40];
} text_figure;

/* Read decimal digits, or a finite number such as 12, -0.5 or 1e-9, with min ≤ value ≤ max. */
bool text_read_unsigned(const char *text, uint64_t min, uint64_t max, uint64_t *value);
bool text_read_real(const char *text, double min, double max, double *value);

/* Reads bytes: "4096", "512M", "1.5GiB". K M G T P and KiB … PiB are powers of 1024, KB … PB of 1000; upper
 * and lower case are alike. A fraction needs one of these units and is rounded down to a whole byte. */
bool text_read_size(const char *text, uint64_t *bytes);

/* Reads seconds: "90", "30s", "10m", "2h", "1d", "1h30m", "0.5s", "500ms". */
bool text_read_duration(const char *text, double *seconds);

text_figure text_size(uint64_t bytes);     /* "1.50 GiB", or "17 bytes" below 1024 */
text_figure text_count(double count);      /* rounded to three digits: "12.3 M", "950", "7" */
text_figure text_duration(double seconds); /* "0.35 s", "42 s", "3 min 05 s", "2 h 07 min", "4 d 03 h" */
text_figure text_real(double value);       /* decimal that reads back as value, or "nan", "inf", "-inf" */
text_figure text_unsigned(uint64_t value);
text_figure text_signed(double value); /* "+2.5", "-1", "0" */

/* Return the shortest decimal that is at most (text_below) or at least (text_above) `value` and reads back as
 * it; "nan", "inf" or "-inf" if it is not finite. */
text_figure text_below(double value);
text_figure text_above(double value);

/* A cleaned line of text from outside: without a byte order mark at the start, without blanks around it and
 * without the line end, LF or CRLF. It points into the text. */
typedef struct {
  const char *text;
  size_t length;
} text_line;

text_line text_clean(const char *text, size_t length);

/* Sets *line to the next line, cleaned, and moves *left and *length past it. Returns false at the end. */
bool text_next_line(const char **left, size_t *length, text_line *line);

/* Returns the place of the first character that is neither printable ASCII nor a tab, or the length. */
size_t text_find_odd(text_line line);

/* Returns the name of the character at the start of `length` bytes, for messages: "'x'", "a carriage return",
 * "U+00A0, a no-break space", "byte FF, which is no UTF-8", or "the end" if there are no bytes. */
text_figure text_sign(const char *at, size_t length);

size_t text_characters(const char *text, size_t length);

/* Appends to a text as printf does, and cuts it to `room` bytes, NUL included. */
__attribute__((format(printf, 3, 4))) void text_add(char *text, size_t room, const char *format, ...);

/* Removes blanks at the end of the text, and appends a newline as text_add does. */
void text_end_line(char *text, size_t room);

/* Returns the candidate that was probably meant by `word`, or NULL if none is similar enough. A candidate
 * that begins with `word` is similar if `word` has two bytes or more. NULL candidates are skipped. */
const char *text_nearest(const char *word, const char *const *candidates, size_t n);

/* Returns the width in bytes of a column that is at least `width` wide and holds the text. */
int text_wider(int width, const char *text);

#endif
