/* Prints lines for a terminal, filled up to a fixed width, and names colours. The streams keep write errors
 * (ferror). */
#ifndef BASE_COMMAND_TERMINAL_H
#define BASE_COMMAND_TERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/command/options.h"

enum { TERMINAL_COLUMNS = 100 };

/* Returns the number of columns of `length` bytes of UTF-8. Sequences that set a colour have none. */
size_t terminal_columns(const char *text, size_t length);

/* Prints words from column `at` on, fills lines up to TERMINAL_COLUMNS, indents continuation lines to
 * `indent`, and ends the line. An empty line in the text begins a paragraph. */
void terminal_wrap(FILE *out, const char *text, size_t at, size_t indent);

/* Sentences that are written in pieces to the stream that terminal_open returns. terminal_close writes them
 * to `out`, each line wrapped by itself, the first from column `at` on. If terminal_open finds no memory,
 * they go to `out` unchanged. */
typedef struct {
  FILE *out, *held;
  char *text;
  size_t length;
} terminal_sentences;
FILE *terminal_open(terminal_sentences *sentences, FILE *out);
void terminal_close(terminal_sentences *sentences, size_t at, size_t indent);

/* The option --color of commands that can print results in colour. */
#define TERMINAL_COLOR_OPTION                                                                                \
  {                                                                                                          \
    "color", "WHEN", "colours: auto (default; on a terminal, unless NO_COLOR is set), always or never",      \
        "auto always never"                                                                                  \
  }

/* Sets *colored to true if results on `out` have colours: as --color says or, by default, if `out` is a
 * terminal and the environment variable NO_COLOR is unset or empty. Errors: TAULER_BAD_USAGE. */
tauler_error terminal_color_option(const options *parsed, FILE *out, bool *colored, tauler_message *message);

typedef enum { TERMINAL_PLAIN, TERMINAL_RED, TERMINAL_GREEN, TERMINAL_YELLOW } terminal_color;

/* Texts to print before and after a text of a colour, perhaps empty. */
typedef struct {
  const char *on, *off;
} terminal_ink;
terminal_ink terminal_ink_of(bool colored, terminal_color color);

#endif
