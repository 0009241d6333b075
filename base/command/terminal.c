/* Fills lines with words, collects sentences until they are complete, and names colours. */
#include "base/command/terminal.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns the length of a sequence like "\033[32m" at the start of a text, or 0. */
static size_t color_bytes(const char *text, size_t length) {
  if (length < 2 || text[0] != '\033' || text[1] != '[') return 0;
  size_t n = 2;
  while (n < length && text[n] >= '0' && text[n] <= '9') n++;
  return n < length && text[n] == 'm' ? n + 1 : 0;
}

size_t terminal_columns(const char *text, size_t length) {
  size_t n = 0;
  for (size_t i = 0; i < length;) {
    const size_t skipped = color_bytes(text + i, length - i);
    n += skipped == 0 && ((unsigned char)text[i] & 0xC0) != 0x80;
    i += skipped > 0 ? skipped : 1;
  }
  return n;
}

void terminal_wrap(FILE *out, const char *text, size_t at, size_t indent) {
  bool at_start = true;
  while (*text != '\0') {
    size_t breaks = 0;
    for (; *text == ' ' || *text == '\n'; text++) breaks += *text == '\n';
    size_t length = strcspn(text, " \n"), wide = terminal_columns(text, length);
    if (length == 0) break;
    if (breaks > 1 || (!at_start && at + 1 + wide > TERMINAL_COLUMNS)) {
      fprintf(out, "%s%*s", breaks > 1 ? "\n\n" : "\n", (int)indent, "");
      at = indent;
      at_start = true;
    }
    if (!at_start) at += (size_t)fprintf(out, " ");
    fwrite(text, 1, length, out);
    at += wide;
    text += length;
    at_start = false;
  }
  fputc('\n', out);
}

FILE *terminal_open(terminal_sentences *sentences, FILE *out) {
  *sentences = (terminal_sentences){.out = out};
  sentences->held = open_memstream(&sentences->text, &sentences->length);
  return sentences->held ? sentences->held : out;
}

void terminal_close(terminal_sentences *sentences, size_t at, size_t indent) {
  if (!sentences->held) return;
  fflush(sentences->held); /* not fclose, which may move the text and find no memory for that */
  sentences->text[sentences->length] = '\0';
  for (char *line = sentences->text; *line;) {
    char *end = line + strcspn(line, "\n");
    const bool more = *end == '\n';
    *end = '\0';
    terminal_wrap(sentences->out, line, at, indent);
    at = 0;
    line = end + more;
  }
  fclose(sentences->held);
  free(sentences->text);
}

tauler_error terminal_color_option(const options *parsed, FILE *out, bool *colored, tauler_message *message) {
  enum { AUTO, ALWAYS };
  size_t when = AUTO;
  const tauler_error error = options_word(parsed, "color", &when, message);
  const char *refused = getenv("NO_COLOR");
  const bool suits = (refused == NULL || *refused == '\0') && isatty(fileno(out));
  *colored = when == AUTO ? suits : when == ALWAYS;
  return error;
}

terminal_ink terminal_ink_of(bool colored, terminal_color color) {
  static const char *const starts[] = {"", "\033[31m", "\033[32m", "\033[33m"};
  if (!colored || color == TERMINAL_PLAIN) return (terminal_ink){"", ""};
  return (terminal_ink){starts[color], "\033[0m"};
}
