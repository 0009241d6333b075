/* Prints reports as text for a terminal. */
#include <string.h>

#include "analysis/claims/print_report.h"
#include "analysis/claims/stored.h"
#include "base/command/terminal.h"
#include "base/text_show.h"

enum { WIDTH = 100, INDENT = 2 };

/* Up to where a line may be broken: "5 %" stays together. */
static size_t word_length(const char *text) {
  size_t length = strcspn(text, " \n");
  while (length && text[length] == ' ' && text[length + 1] == '%')
    length += 1 + strcspn(text + length + 1, " \n");
  return length;
}

/* Words filled up to WIDTH; an empty line starts a paragraph. */
static void print_wrapped(FILE *out, const char *text, int indent) {
  size_t at = 0;
  while (*text) {
    const size_t blanks = strspn(text, " \n");
    const bool paragraph = memchr(text, '\n', blanks) != NULL;
    text += blanks;
    const size_t length = word_length(text);
    if (length == 0) break;
    char word[256];
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    const size_t wide = terminal_columns(word, strlen(word));
    if (at && (paragraph || at + 1 + wide > WIDTH)) {
      fputs(paragraph ? "\n\n" : "\n", out);
      at = 0;
    }
    at += at ? 1 + wide : (size_t)indent + wide;
    fprintf(out, "%*s", at == (size_t)indent + wide ? indent : 1, "");
    fwrite(text, 1, length, out);
    text += length;
  }
  fputc('\n', out);
}

static void print_heading(FILE *out, const char *heading) {
  fprintf(out, "\n%s\n", heading);
}

/* Blanks wait for what they stand in front of, so that no line ends with them. */
static void print_padded(FILE *out, const char *text, size_t wide, bool right, size_t *blanks) {
  const size_t own = terminal_columns(text, strlen(text)), room = own < wide ? wide - own : 0;
  *blanks += 2 + (right ? room : 0);
  if (*text) {
    fprintf(out, "%*s%s", (int)*blanks, "", text);
    *blanks = 0;
  }
  if (!right) *blanks += room;
}

typedef struct {
  char text[128];
} title_words;

/* Line `wanted` of a title that is filled up to `wide`, "" behind the last one; the number of lines. */
static size_t fill_title(const char *title, size_t wide, size_t wanted, title_words *line) {
  size_t lines = 0, at = 0;
  line->text[0] = '\0';
  while (*title) {
    const size_t length = strcspn(title, " ");
    char word[sizeof line->text];
    snprintf(word, sizeof word, "%.*s", (int)length, title);
    const size_t own = terminal_columns(word, strlen(word));
    const bool next = lines == 0 || at + 1 + own > wide;
    at = next ? own : at + 1 + own;
    lines += next;
    if (lines == wanted + 1) {
      const size_t used = strlen(line->text);
      snprintf(line->text + used, sizeof line->text - used, "%s%s", used ? " " : "", word);
    }
    title += length;
    title += strspn(title, " ");
  }
  return lines;
}

static size_t longest_word(const char *title) {
  size_t longest = 0;
  title_words line;
  const size_t lines = fill_title(title, 0, 0, &line);
  for (size_t i = 0; i < lines; i++) {
    fill_title(title, 0, i, &line);
    const size_t wide = terminal_columns(line.text, strlen(line.text));
    if (wide > longest) longest = wide;
  }
  return longest;
}

static size_t column_width(const report_table *t, size_t column, bool narrow) {
  const char *title = t->columns[column].title;
  size_t widest = narrow ? longest_word(title) : terminal_columns(title, strlen(title));
  for (size_t row = 0; row < report_rows(t); row++) {
    figure_digits room;
    const char *text = print_report_figure(&t->figures[row * t->columns_used + column], &room);
    const size_t wide = terminal_columns(text, strlen(text));
    if (wide > widest) widest = wide;
  }
  return widest;
}

/* Columns of a table that stand side by side: the first one, which says what a row is about, and `from` …
 * `to` − 1. */
typedef struct {
  const report_table *table;
  bool narrow; /* titles have several lines */
  size_t from, to;
} table_part;

/* The column that follows, or the end. */
static size_t next_column(const table_part *part, size_t column) {
  return column == 0 && part->from > 1 ? part->from : column + 1;
}

static bool is_too_wide(const table_part *part) {
  size_t wide = 0;
  for (size_t i = 0; i < part->to; i = next_column(part, i))
    wide += 2 + column_width(part->table, i, part->narrow);
  return wide > WIDTH;
}

/* Titles of several lines end on one. */
static void print_titles(FILE *out, const table_part *part) {
  const report_table *t = part->table;
  size_t most = 0;
  title_words line;
  for (size_t i = 0; i < part->to; i = next_column(part, i)) {
    const size_t lines = fill_title(t->columns[i].title, column_width(t, i, part->narrow), 0, &line);
    if (lines > most) most = lines;
  }
  for (size_t left = most; left-- > 0;) {
    size_t blanks = 0;
    for (size_t i = 0; i < part->to; i = next_column(part, i)) {
      const size_t wide = column_width(t, i, part->narrow);
      const size_t lines = fill_title(t->columns[i].title, wide, 0, &line);
      fill_title(t->columns[i].title, wide, left < lines ? lines - 1 - left : lines, &line);
      print_padded(out, line.text, wide, print_report_is_numeric(t, i), &blanks);
    }
    fputc('\n', out);
  }
}

static void print_row(FILE *out, const table_part *part, size_t row) {
  const report_table *t = part->table;
  size_t blanks = 0;
  for (size_t i = 0; i < part->to; i = next_column(part, i)) {
    figure_digits room;
    const char *text = print_report_figure(&t->figures[row * t->columns_used + i], &room);
    print_padded(out, text, column_width(t, i, part->narrow), print_report_is_numeric(t, i), &blanks);
  }
  fputc('\n', out);
}

/* Columns that do not fit side by side stand below. */
static void print_table(FILE *out, const report_table *t) {
  fprintf(out, "\n");
  print_wrapped(out, t->title, INDENT);
  if (t->figures_used == 0) {
    fprintf(out, "  none\n");
    return;
  }
  table_part part = {t, false, 1, t->columns_used};
  part.narrow = is_too_wide(&part);
  for (;;) {
    while (part.to > part.from + 1 && is_too_wide(&part)) part.to--;
    print_titles(out, &part);
    for (size_t row = 0; row < report_rows(t); row++) print_row(out, &part, row);
    if (part.to == t->columns_used) return;
    fputc('\n', out);
    part.from = part.to;
    part.to = t->columns_used;
  }
}

static void print_files(FILE *out, const report_plot *plot) {
  if (!plot->files[PLOT_SVG]) return;
  fputc('\n', out);
  print_wrapped(out, plot->title, INDENT);
  for (int i = 0; i < PLOT_FORMATS; i++) fprintf(out, "  %s\n", text_shown(plot->files[i]).text);
}

static void print_figures(FILE *out, const report *r) {
  for (size_t i = 0; i < r->tables_used; i++) print_table(out, &r->tables[i]);
  for (size_t i = 0; i < r->plots_used; i++) print_files(out, &r->plots[i]);
}

static void print_drawing(FILE *out, const char *drawing) {
  while (*drawing) {
    const size_t length = strcspn(drawing, "\n");
    fprintf(out, "%*s%.*s\n", length ? INDENT : 0, "", (int)length, drawing);
    drawing += length + (drawing[length] == '\n');
  }
}

static void print_steps(FILE *out, const report_witness *w) {
  size_t move = 4, position = 8;
  for (size_t i = 0; i < w->steps_used; i++) {
    const report_step *step = &w->steps[i];
    if (strlen(step->move) > move) move = strlen(step->move);
    if (step->position && strlen(step->position) > position) position = strlen(step->position);
  }
  for (size_t i = 0; i < w->steps_used; i++) {
    const report_step *step = &w->steps[i];
    const char *remark = step->remark ? step->remark : "";
    const int before =
        fprintf(out, "  %3zu. %s  %-*s  %-*s%s", i + 1, step->turn, (int)move, step->move,
                *remark ? (int)position : 0, step->position ? step->position : "over", *remark ? "  " : "");
    terminal_wrap(out, remark, (size_t)before, (size_t)before);
  }
}

static void print_witness(FILE *out, const report_witness *w) {
  print_heading(out, "Witness");
  print_wrapped(out, w->title, INDENT);
  fprintf(out, "  %s\n\n", w->position);
  if (w->drawing) print_drawing(out, w->drawing);
  if (w->steps_used) fputc('\n', out);
  print_steps(out, w);
  for (size_t i = 0; i < w->rechecks_used; i++) {
    const report_recheck *recheck = &w->rechecks[i];
    fprintf(out, "\n  Recheck by %s: %s.\n", recheck->method, print_report_outcome(recheck));
    print_wrapped(out, recheck->text, INDENT);
  }
}

static void print_stored(FILE *out, const report *r) {
  stored_words words = {""};
  stored_tables tables;
  fprintf(out, "\nStored: %s\n", r->stored->size);
  print_wrapped(out, stored_say(r, &words), INDENT);
  print_figures(out, r->kept);
  fprintf(out, "\n  %s\n", claim_verdict_name(r->kept->verdict));
  print_wrapped(out, r->kept->reason, INDENT);
  fputc('\n', out);
  for (size_t at = 0; stored_next_tables(r->stored, &at, &tables);)
    fprintf(out, "  %s, %d tables: %s\n", tables.rules, tables.tables, tables.digest);
}

void print_report_text(FILE *out, const claim *about, const report *r) {
  char name[256];
  snprintf(name, sizeof name, "%s: %s", about->name, about->text->title);
  print_wrapped(out, name, 0);
  fprintf(out, "%s, rules %s\n", about->game, r->rules);
  if (about->text->plainly) fputc('\n', out);
  if (about->text->plainly) print_wrapped(out, about->text->plainly, INDENT);
  print_heading(out, "Statement");
  print_wrapped(out, about->text->sentence, INDENT);
  fputc('\n', out);
  print_wrapped(out, about->text->english, INDENT);
  print_heading(out, "Source");
  print_wrapped(out, about->text->source, INDENT);
  print_heading(out, "Method");
  print_wrapped(out, about->text->method, INDENT);
  if (r->tables_used || r->notes_used) print_heading(out, "Figures");
  print_figures(out, r);
  if (r->notes_used) fputc('\n', out);
  for (size_t i = 0; i < r->notes_used; i++) print_wrapped(out, r->notes[i], INDENT);
  print_heading(out, "Verdict");
  fprintf(out, "  %s\n", claim_verdict_name(r->verdict));
  print_wrapped(out, r->reason, INDENT);
  for (size_t i = 0; i < r->witnesses_used; i++) print_witness(out, &r->witnesses[i]);
  if (r->sources_used) print_heading(out, "Tables");
  source_words words;
  for (size_t first = 0; print_report_sources(r, &first, &words);) fprintf(out, "  %s\n", words.text);
  if (r->kept) print_stored(out, r);
}
