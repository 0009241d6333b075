/* Lines for a person: filled up to the width that results keep to, and coloured.
 *
 * Everything is printed to the stream given; write errors stay in it (ferror). No state is kept.
 */
#ifndef BASE_COMMAND_TERMINAL_H
#define BASE_COMMAND_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/command/options.h"

enum { TERMINAL_COLUMNS = 100 };

/* How many columns `length` bytes of UTF-8 take; what sets a colour takes none. */
size_t terminal_columns(const char *text, size_t length);

/* Prints words from column `at` on, filled up to TERMINAL_COLUMNS, with continuation lines indented to
 * `indent`, and ends the line. An empty line in text starts a paragraph; a line that begins with a blank
 * stands on its own. */
void terminal_wrap(FILE *out, const char *text, size_t at, size_t indent);

/* Sentences that are made bit by bit: they go to the stream that is returned, and from there to `out` when
 * they are closed, each line wrapped by itself, the first from column `at` on. Without memory they go to
 * `out` as they are. */
typedef struct {
  FILE *out, *held;
  char *text;
  size_t length;
} terminal_sentences;
FILE *terminal_open(terminal_sentences *sentences, FILE *out);
void terminal_close(terminal_sentences *sentences, size_t at, size_t indent);

/* --color, for commands whose results for a person have colours. */
#define TERMINAL_COLOR_OPTION                                                                                \
  {                                                                                                          \
    "color", "WHEN", "colours: auto (default; on a terminal, unless NO_COLOR is set), always or never",      \
        "auto always never"                                                                                  \
  }

/* True if results on `out` have colours: as --color says, else on a terminal, unless the environment has a
 * NO_COLOR that is not empty. Errors: TAULER_BAD_USAGE. */
tauler_error terminal_color_option(const options *parsed, FILE *out, bool *colored, tauler_message *message);

typedef enum { TERMINAL_PLAIN, TERMINAL_RED, TERMINAL_GREEN, TERMINAL_YELLOW } terminal_color;

/* Printed before and after a text of this colour; both are empty if it is plain or nothing is `colored`. */
typedef struct {
  const char *on, *off;
} terminal_ink;
terminal_ink terminal_ink_of(bool colored, terminal_color color);

#endif
