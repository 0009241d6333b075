/* Prints reports as chapters of Markdown. */
#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "analysis/claims/print_report.h"
#include "analysis/claims/stored.h"

/* Text outside of code, with what Markdown would take as markup kept from it. */
static void print_character(FILE *out, char c) {
  if (strchr("\\`*_[]<>|#", c)) fputc('\\', out);
  fputc(c, out);
}

static void print_plain(FILE *out, const char *text) {
  for (; *text; text++) print_character(out, *text);
}

static void print_paragraph(FILE *out, const char *text) {
  fputc('\n', out);
  print_plain(out, text);
  fputc('\n', out);
}

static void print_quote(FILE *out, const char *text) {
  fprintf(out, "\n> ");
  print_plain(out, text);
  fputc('\n', out);
}

static void print_row(FILE *out, const report_table *t, size_t row) {
  fprintf(out, "\n|");
  for (size_t i = 0; i < t->columns_used; i++) {
    figure_digits room;
    fputc(' ', out);
    print_plain(out, print_report_figure(&t->figures[row * t->columns_used + i], &room));
    fprintf(out, " |");
  }
}

static void print_table(FILE *out, const report_table *t) {
  fprintf(out, "\n");
  print_plain(out, t->title);
  fprintf(out, "\n\n|");
  for (size_t i = 0; i < t->columns_used; i++) {
    fputc(' ', out);
    print_plain(out, t->columns[i].title);
    fprintf(out, " |");
  }
  fprintf(out, "\n|");
  for (size_t i = 0; i < t->columns_used; i++)
    fprintf(out, " %s |", print_report_is_numeric(t, i) ? "---:" : "---");
  for (size_t row = 0; row < report_rows(t); row++) print_row(out, t, row);
  fputc('\n', out);
}

/* A path as it may stand behind a link, which blanks and brackets would end. */
static void print_path(FILE *out, const char *path) {
  for (; *path; path++) {
    if (*path <= ' ' || *path > '~' || strchr("()<>\\%\"", *path)) {
      fprintf(out, "%%%02X", (unsigned char)*path);
    } else {
      fputc(*path, out);
    }
  }
}

static void print_pictures(FILE *out, const report *r, size_t table) {
  for (size_t i = 0; i < r->plots_used; i++) {
    const report_plot *plot = &r->plots[i];
    if (plot->table != table || !plot->files[PLOT_SVG]) continue;
    fprintf(out, "\n![");
    print_plain(out, plot->title);
    fprintf(out, "](");
    print_path(out, plot->files[PLOT_SVG]);
    fprintf(out, ")\n");
  }
}

static void print_tables(FILE *out, const report *r) {
  for (size_t i = 0; i < r->tables_used; i++) {
    print_table(out, &r->tables[i]);
    print_pictures(out, r, i);
  }
}

static void print_step(FILE *out, const report_step *step, size_t number) {
  fprintf(out, "%zu. %s `%s`", number, step->turn, step->move);
  if (step->position) fprintf(out, " → `%s`", step->position);
  if (step->remark) {
    fprintf(out, " (");
    print_plain(out, step->remark);
    fputc(')', out);
  }
  fputc('\n', out);
}

static void print_witness(FILE *out, const report_witness *w) {
  fprintf(out, "\n### Witness\n");
  print_paragraph(out, w->title);
  fprintf(out, "\n`%s`\n", w->position);
  if (w->drawing) {
    const size_t length = strlen(w->drawing);
    fprintf(out, "\n```text\n%s%s```\n", w->drawing, length && w->drawing[length - 1] == '\n' ? "" : "\n");
  }
  if (w->steps_used) fputc('\n', out);
  for (size_t i = 0; i < w->steps_used; i++) print_step(out, &w->steps[i], i + 1);
  for (size_t i = 0; i < w->rechecks_used; i++) {
    const report_recheck *recheck = &w->rechecks[i];
    fprintf(out, "\n**Recheck by %s: %s.** ", recheck->method, print_report_outcome(recheck));
    print_plain(out, recheck->text);
    fputc('\n', out);
  }
}

static void print_sources(FILE *out, const report *r) {
  source_words words;
  if (r->sources_used) fprintf(out, "\n### Tables\n\n");
  for (size_t first = 0; print_report_sources(r, &first, &words);) {
    fprintf(out, "- ");
    print_plain(out, words.text);
    fputc('\n', out);
  }
}

static void print_verdict(FILE *out, const report *r) {
  fprintf(out, "\n**%s**: ", claim_verdict_name(r->verdict));
  print_plain(out, r->reason);
  fputc('\n', out);
}

static void print_stored(FILE *out, const report *r) {
  stored_words words = {""};
  stored_tables tables;
  fprintf(out, "\n### Stored: `%s`\n", r->stored->size);
  print_paragraph(out, stored_say(r, &words));
  print_tables(out, r->kept);
  print_verdict(out, r->kept);
  fputc('\n', out);
  for (size_t at = 0; stored_next_tables(r->stored, &at, &tables);) {
    fprintf(out, "- ");
    print_plain(out, tables.rules);
    fprintf(out, ", %d tables: %s\n", tables.tables, tables.digest);
  }
}

void print_report_markdown(FILE *out, const claim *about, const report *r) {
  fprintf(out, "## %s\n", about->name);
  print_paragraph(out, about->text->title);
  if (about->text->plainly) print_paragraph(out, about->text->plainly);
  fprintf(out, "\n%s, rules `%s`\n\n### Statement\n", about->game, r->rules);
  print_quote(out, about->text->sentence);
  print_paragraph(out, about->text->english);
  fprintf(out, "\n### Source\n");
  print_paragraph(out, about->text->source);
  fprintf(out, "\n### Method\n");
  print_paragraph(out, about->text->method);
  if (r->tables_used || r->notes_used) fprintf(out, "\n### Figures\n");
  print_tables(out, r);
  for (size_t i = 0; i < r->notes_used; i++) print_paragraph(out, r->notes[i]);
  fprintf(out, "\n### Verdict\n");
  print_verdict(out, r);
  for (size_t i = 0; i < r->witnesses_used; i++) print_witness(out, &r->witnesses[i]);
  print_sources(out, r);
  if (r->kept) print_stored(out, r);
}

/* --- contents --- */

/* Where the first sentence ends: a full stop that a blank and a capital letter or the text's end follow. */
static size_t first_sentence(const char *text) {
  size_t n = 0;
  for (; text[n]; n++) {
    if (text[n] != '.') continue;
    const bool goes_on = text[n + 1] && !(text[n + 1] == ' ' && isupper((unsigned char)text[n + 2]));
    if (!goes_on) return n + 1;
  }
  return n;
}

void print_report_markdown_contents(FILE *out) {
  fprintf(out, "## What was found\n\n| claim | game | verdict | in short |\n| --- | --- | --- | --- |\n");
}

void print_report_markdown_row(FILE *out, const claim *about, const report *r) {
  fprintf(out, "| [");
  print_plain(out, about->text->title);
  fprintf(out, "](#%s) | %s | %s | ", about->name, about->game, claim_verdict_name(r->verdict));
  const size_t length = first_sentence(r->reason);
  for (size_t i = 0; i < length; i++) print_character(out, r->reason[i]);
  fprintf(out, " |\n");
}
