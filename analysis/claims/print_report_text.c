#include <string.h>

#include "analysis/claims/print_report.h"

enum { WIDTH = 100, INDENT = 2 };

/* Words filled up to WIDTH; an empty line starts a paragraph. */
static void print_wrapped(FILE *out, const char *text, int indent) {
  size_t at = 0;
  while (*text) {
    const size_t blanks = strspn(text, " \n");
    const bool paragraph = memchr(text, '\n', blanks) != NULL;
    text += blanks;
    const size_t length = strcspn(text, " \n");
    if (length == 0) break;
    char word[256];
    snprintf(word, sizeof word, "%.*s", (int)length, text);
    const size_t wide = print_report_columns(word);
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

static void print_padded(FILE *out, const char *text, size_t wide, bool right, bool last) {
  const size_t own = print_report_columns(text);
  const int blanks = own < wide ? (int)(wide - own) : 0;
  fprintf(out, "  %*s%s%*s", right ? blanks : 0, "", text, right || last ? 0 : blanks, "");
}

static size_t column_width(const report_table *t, size_t column) {
  size_t widest = print_report_columns(t->columns[column].title);
  for (size_t row = 0; row < report_rows(t); row++) {
    figure_digits room;
    const size_t wide =
        print_report_columns(print_report_figure(&t->figures[row * t->columns_used + column], &room));
    if (wide > widest) widest = wide;
  }
  return widest;
}

/* Row 0 has the titles. */
static void print_row(FILE *out, const report_table *t, size_t row) {
  for (size_t i = 0; i < t->columns_used; i++) {
    figure_digits room;
    const char *text =
        row ? print_report_figure(&t->figures[(row - 1) * t->columns_used + i], &room) : t->columns[i].title;
    print_padded(out, text, column_width(t, i), print_report_is_numeric(t, i), i + 1 == t->columns_used);
  }
  fputc('\n', out);
}

static void print_table(FILE *out, const report_table *t) {
  fprintf(out, "\n");
  print_wrapped(out, t->title, INDENT);
  if (t->figures_used == 0) fprintf(out, "  none\n");
  for (size_t row = 0; t->figures_used && row <= report_rows(t); row++) print_row(out, t, row);
}

static void print_drawing(FILE *out, const char *drawing) {
  while (*drawing) {
    const size_t length = strcspn(drawing, "\n");
    fprintf(out, "  %.*s\n", (int)length, drawing);
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
    fprintf(out, "  %3zu. %s  %-*s  %-*s%s%s\n", i + 1, step->turn, (int)move, step->move,
            *remark ? (int)position : 0, step->position ? step->position : "over", *remark ? "  " : "",
            remark);
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

void print_report_text(FILE *out, const claim *about, const report *r) {
  fprintf(out, "%s: %s\n%s, rules %s\n", about->name, about->title, about->game, r->rules);
  print_heading(out, "Statement");
  print_wrapped(out, about->sentence, INDENT);
  fputc('\n', out);
  print_wrapped(out, about->english, INDENT);
  print_heading(out, "Source");
  print_wrapped(out, about->source, INDENT);
  print_heading(out, "Method");
  print_wrapped(out, about->method, INDENT);
  print_heading(out, "Figures");
  for (size_t i = 0; i < r->tables_used; i++) print_table(out, &r->tables[i]);
  if (r->notes_used) fputc('\n', out);
  for (size_t i = 0; i < r->notes_used; i++) print_wrapped(out, r->notes[i], INDENT);
  print_heading(out, "Verdict");
  fprintf(out, "  %s\n", claim_verdict_name(r->verdict));
  print_wrapped(out, r->reason, INDENT);
  for (size_t i = 0; i < r->witnesses_used; i++) print_witness(out, &r->witnesses[i]);
  if (r->sources_used) print_heading(out, "Tables");
  source_words words;
  for (size_t first = 0; print_report_sources(r, &first, &words);) fprintf(out, "  %s\n", words.text);
}
