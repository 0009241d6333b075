/* Writes records as programs for aualé write them and programs for PGN read them. */
#include <string.h>

#include "analysis/records/record.h"
#include "base/text_show.h"

typedef struct {
  FILE *out;
  size_t column;
} writer;

static void end_line(writer *w) {
  if (w->column) fputc('\n', w->out);
  w->column = 0;
}

static void write_word(writer *w, const char *word, size_t length) {
  const size_t shown = text_print(NULL, word, length);
  if (w->column && w->column + 1 + shown > RECORD_LINE_WIDTH) end_line(w);
  if (w->column) w->column += text_print(w->out, " ", 1);
  w->column += text_print(w->out, word, length);
}

static void write_words(writer *w, const char *words) {
  while (*words) {
    const size_t length = strcspn(words, " ");
    write_word(w, words, length);
    words += length;
    while (*words == ' ') words++;
  }
}

static void write_tag(FILE *out, const record_tag *tag) {
  char shown[TEXT_CHARACTER];
  fprintf(out, "[%s \"", text_shown(tag->name).text);
  for (const char *c = tag->value, *end = c + strlen(c); c < end;) {
    c += text_show_character(c, (size_t)(end - c), shown);
    if (*shown == '"' || *shown == '\\') fputc('\\', out);
    fputs(shown, out);
  }
  fputs("\"]\n", out);
}

static void write_comment(writer *w, const char *text) {
  if (strchr(text, '}')) {
    end_line(w);
    fputs("; ", w->out);
    text_print(w->out, text, strlen(text));
    fputc('\n', w->out);
    return;
  }
  write_word(w, "{", 1);
  write_words(w, text);
  write_word(w, "}", 1);
}

static void write_move(writer *w, const record_item *item, size_t ply, bool begins) {
  char number[32] = "";
  int digits = 0;
  if (ply % 2 == 0 || begins)
    digits = snprintf(number, sizeof number, "%zu.%s ", ply / 2 + 1, ply % 2 ? ".." : "");
  const size_t text = strlen(item->text), mark = strcspn(item->mark, " "), before = (size_t)digits;
  if (w->column && w->column + 1 + before + text + mark > RECORD_LINE_WIDTH) end_line(w);
  if (before) write_word(w, number, before - 1);
  write_word(w, item->text, text);
  fwrite(item->mark, 1, mark, w->out);
  w->column += mark;
  write_words(w, item->mark + mark + strspn(item->mark + mark, " "));
}

void record_write(const record *r, FILE *out) {
  writer w = {out, 0};
  size_t plies[RECORD_MOST_DEPTH + 1] = {0}, depth = 0;
  bool begins = false;
  for (size_t i = 0; i < r->tags_used; i++) write_tag(out, &r->tags[i]);
  if (r->tags_used) fputc('\n', out);
  if (r->position) fprintf(out, "%s moves\n", text_shown(r->position).text);
  for (size_t i = 0; i < r->items_used; i++) {
    const record_item *item = &r->items[i];
    switch (item->kind) {
    case RECORD_MOVE:
      write_move(&w, item, plies[depth]++, begins);
      begins = false;
      break;
    case RECORD_COMMENT:
      write_comment(&w, item->text);
      break;
    case RECORD_OPEN: /* the first move of a variation replaces the move before the variation */
      write_word(&w, "(", 1);
      plies[depth + 1] = plies[depth] ? plies[depth] - 1 : 0;
      depth++;
      begins = true;
      break;
    case RECORD_CLOSE:
      write_word(&w, ")", 1);
      depth--;
      begins = false;
      break;
    case RECORD_ENDING:
      write_word(&w, item->text, strlen(item->text));
      break;
    }
  }
  end_line(&w);
}
