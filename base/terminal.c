/* Fills lines with words, and holds sentences until they are whole. */
#include "base/terminal.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

size_t terminal_columns(const char *text, size_t length) {
  size_t n = 0;
  for (size_t i = 0; i < length; i++) n += ((unsigned char)text[i] & 0xC0) != 0x80;
  return n;
}

static void print_blanks(FILE *out, size_t n) {
  fprintf(out, "%*s", (int)n, "");
}

void terminal_wrap(FILE *out, const char *text, size_t at, size_t indent) {
  bool fresh = true;
  while (*text != '\0') {
    size_t breaks = 0, blanks = 0;
    for (; *text == ' ' || *text == '\n'; text++) {
      blanks = *text == '\n' ? 0 : blanks + 1;
      breaks += *text == '\n';
    }
    size_t length = strcspn(text, " \n"), wide = terminal_columns(text, length);
    if (length == 0) break;
    bool kept_line = breaks > 0 && blanks > 0;
    if (breaks > 1 || kept_line) {
      for (size_t i = 0; i < (breaks > 1 ? 2u : 1u); i++) fputc('\n', out);
      at = indent + (kept_line ? blanks : 0);
      print_blanks(out, at);
      fresh = true;
    }
    if (!fresh && at + 1 + wide > TERMINAL_COLUMNS) {
      fputc('\n', out);
      print_blanks(out, at = indent);
      fresh = true;
    }
    if (!fresh) at += (size_t)fprintf(out, " ");
    fwrite(text, 1, length, out);
    at += wide;
    text += length;
    fresh = false;
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
  const bool whole = fclose(sentences->held) == 0;
  for (char *line = sentences->text; whole && *line;) {
    char *end = line + strcspn(line, "\n");
    const bool more = *end == '\n';
    *end = '\0';
    terminal_wrap(sentences->out, line, at, indent);
    at = 0;
    line = end + more;
  }
  free(sentences->text);
}
