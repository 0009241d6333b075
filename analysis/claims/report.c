#include "analysis/claims/report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SENTENCE_BYTES = 2048 };

const char *claim_verdict_name(claim_verdict verdict) {
  static const char *const names[] = {"open", "holds", "holds for", "fails"};
  return names[verdict];
}

static void keep_error(report *r, tauler_error error) {
  if (!r->error) r->error = error;
}

static const char *keep_text(report *r, const char *text) {
  if (!text) return NULL;
  const char *copy = text_pool_add(&r->texts, text);
  if (!copy) keep_error(r, TAULER_NO_MEMORY);
  return copy;
}

static const char *keep_sentence(report *r, const char *format, va_list arguments) {
  char sentence[SENTENCE_BYTES];
  const int length = vsnprintf(sentence, sizeof sentence, format, arguments);
  if (length < 0 || (size_t)length >= sizeof sentence) keep_error(r, TAULER_INTERNAL);
  return keep_text(r, sentence);
}

/* A list with room for one more item; NULL after an error, and then the list is as it was. */
static void *with_room(report *r, void *list, size_t used, size_t *room, size_t bytes) {
  if (r->error) return NULL;
  if (used < *room) return list;
  const size_t wider = *room ? 2 * *room : 16;
  void *grown = realloc(list, wider * bytes);
  if (grown) {
    *room = wider;
  } else {
    keep_error(r, TAULER_NO_MEMORY);
  }
  return grown;
}

void report_free(report *r) {
  for (size_t i = 0; i < r->tables_used; i++) free(r->tables[i].figures);
  for (size_t i = 0; i < r->witnesses_used; i++) free(r->witnesses[i].steps);
  free(r->tables);
  free(r->plots);
  free(r->witnesses);
  free(r->sources);
  free(r->notes);
  text_pool_free(&r->texts);
  *r = (report){.rules = NULL};
}

tauler_error report_error(const report *r, tauler_message *message) {
  if (r->error == TAULER_NO_MEMORY)
    return tauler_fail(message, r->error, "no memory for the report of a claim");
  if (r->error)
    return tauler_fail(message, r->error, "the report of a claim was not put together as it must be");
  return TAULER_OK;
}

void report_rules(report *r, const char *text) {
  r->rules = keep_text(r, text);
}

void report_note(report *r, const char *format, ...) {
  const char **grown = with_room(r, r->notes, r->notes_used, &r->notes_room, sizeof *r->notes);
  if (!grown) return;
  r->notes = grown;
  va_list arguments;
  va_start(arguments, format);
  r->notes[r->notes_used++] = keep_sentence(r, format, arguments);
  va_end(arguments);
}

void report_verdict(report *r, claim_verdict verdict, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  r->verdict = verdict;
  r->reason = keep_sentence(r, format, arguments);
  va_end(arguments);
}

/* --- tables --- */

void report_table_begin(report *r, const char *key, const char *title, const report_column *columns,
                        size_t columns_used) {
  report_table *grown = with_room(r, r->tables, r->tables_used, &r->tables_room, sizeof *r->tables);
  if (!grown) return;
  r->tables = grown;
  r->tables[r->tables_used++] = (report_table){.key = keep_text(r, key),
                                               .title = keep_text(r, title),
                                               .columns = columns,
                                               .columns_used = columns_used};
}

static void add_figure(report *r, report_figure figure) {
  if (r->tables_used == 0) {
    keep_error(r, TAULER_INTERNAL);
    return;
  }
  report_table *t = &r->tables[r->tables_used - 1];
  report_figure *grown = with_room(r, t->figures, t->figures_used, &t->figures_room, sizeof *t->figures);
  if (!grown) return;
  t->figures = grown;
  t->figures[t->figures_used++] = figure;
}

void report_number(report *r, int64_t number) {
  add_figure(r, (report_figure){.kind = FIGURE_NUMBER, .number = number});
}

void report_text(report *r, const char *text) {
  add_figure(r, (report_figure){.kind = text ? FIGURE_TEXT : FIGURE_NONE, .text = keep_text(r, text)});
}

void report_bounds(report *r, double lower, double upper) {
  if (!(lower <= upper)) keep_error(r, TAULER_INTERNAL);
  add_figure(r, (report_figure){.kind = FIGURE_BOUNDS, .lower = lower, .upper = upper});
}

void report_mean(report *r, double mean, int decimals) {
  add_figure(r, (report_figure){.kind = FIGURE_MEAN, .number = decimals, .lower = mean, .upper = mean});
}

void report_none(report *r) {
  add_figure(r, (report_figure){.kind = FIGURE_NONE});
}

/* --- plots --- */

/* The column of the plot's table; a claim that names one that is not there is wrong itself. */
static size_t find_column(report *r, size_t table, const char *key) {
  const report_table *t = &r->tables[table];
  for (size_t i = 0; i < t->columns_used; i++)
    if (strcmp(t->columns[i].key, key) == 0) return i;
  keep_error(r, TAULER_INTERNAL);
  return 0;
}

/* It is part of a file's name. */
static bool is_new_key(const report *r, const char *key) {
  bool fits = *key && key[strspn(key, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0';
  for (size_t i = 0; i < r->plots_used; i++) fits = fits && strcmp(r->plots[i].key, key) != 0;
  return fits;
}

void report_plot_begin(report *r, const char *key, const char *title, plot_kind kind, const char *x_column,
                       const char *x_label, const char *y_label) {
  if (r->tables_used == 0 || (!r->error && !is_new_key(r, key))) keep_error(r, TAULER_INTERNAL);
  report_plot *grown = with_room(r, r->plots, r->plots_used, &r->plots_room, sizeof *r->plots);
  if (!grown) return;
  const size_t table = r->tables_used - 1;
  r->plots = grown;
  r->plots[r->plots_used++] = (report_plot){.key = keep_text(r, key),
                                            .title = keep_text(r, title),
                                            .x_label = keep_text(r, x_label),
                                            .y_label = keep_text(r, y_label),
                                            .kind = kind,
                                            .table = table,
                                            .x = find_column(r, table, x_column)};
}

static report_plot *last_plot(report *r) {
  if (r->plots_used) return &r->plots[r->plots_used - 1];
  keep_error(r, TAULER_INTERNAL);
  return NULL;
}

void report_plot_series(report *r, const char *column) {
  report_plot *plot = last_plot(r);
  if (!plot) return;
  if (plot->series_used == REPORT_MOST_SERIES) {
    keep_error(r, TAULER_INTERNAL);
    return;
  }
  plot->series[plot->series_used++] = find_column(r, plot->table, column);
}

void report_plot_logarithmic(report *r) {
  report_plot *plot = last_plot(r);
  if (plot) plot->logarithmic = true;
}

void report_plot_drawn(report *r, size_t which, plot_format format, const char *file) {
  r->plots[which].files[format] = keep_text(r, file);
}

/* --- sources --- */

void report_add_source(report *r, const char *rules, const char *slice, const char *stream,
                       table_digest digest) {
  report_source *grown = with_room(r, r->sources, r->sources_used, &r->sources_room, sizeof *r->sources);
  if (!grown) return;
  r->sources = grown;
  const size_t used = r->sources_used;
  const bool alike = used && grown[used - 1].rules && strcmp(grown[used - 1].rules, rules) == 0;
  r->sources[r->sources_used++] =
      (report_source){.rules = alike ? grown[used - 1].rules : keep_text(r, rules),
                      .slice = keep_text(r, slice),
                      .stream = keep_text(r, stream),
                      .digest = digest};
}

tauler_error report_sources_of(const report *r, size_t first, size_t *used, table_digest *digest) {
  const report_source *sources = r->sources + first;
  size_t n = 0;
  while (first + n < r->sources_used && strcmp(sources[n].rules, sources[0].rules) == 0) n++;
  *used = n;
  *digest = sources[0].digest;
  if (n == 1) return TAULER_OK;
  table_digester *digester = table_digester_new();
  if (!digester) return TAULER_NO_MEMORY;
  for (size_t i = 0; i < n; i++) {
    char line[2 * TABLE_NAME_BYTES + TABLE_DIGEST_TEXT + 4], text[TABLE_DIGEST_TEXT];
    table_digest_text(sources[i].digest, text);
    const int length = snprintf(line, sizeof line, "%s %s %s\n", sources[i].slice, sources[i].stream, text);
    table_digester_add(digester, line, (size_t)length);
  }
  *digest = table_digester_end(digester);
  return TAULER_OK;
}

/* --- witnesses --- */

void report_witness_begin(report *r, const char *title, const char *position, const char *drawing) {
  report_witness *grown =
      with_room(r, r->witnesses, r->witnesses_used, &r->witnesses_room, sizeof *r->witnesses);
  if (!grown) return;
  r->witnesses = grown;
  r->witnesses[r->witnesses_used++] = (report_witness){
      .title = keep_text(r, title), .position = keep_text(r, position), .drawing = keep_text(r, drawing)};
}

static report_witness *last_witness(report *r) {
  if (r->witnesses_used) return &r->witnesses[r->witnesses_used - 1];
  keep_error(r, TAULER_INTERNAL);
  return NULL;
}

void report_add_step(report *r, const char *turn, const char *move, const char *position,
                     const char *remark) {
  report_witness *w = last_witness(r);
  if (!w) return;
  report_step *grown = with_room(r, w->steps, w->steps_used, &w->steps_room, sizeof *w->steps);
  if (!grown) return;
  w->steps = grown;
  w->steps[w->steps_used++] = (report_step){.turn = keep_text(r, turn),
                                            .move = keep_text(r, move),
                                            .position = keep_text(r, position),
                                            .remark = keep_text(r, remark)};
}

void report_add_recheck(report *r, const char *method, bool done, bool holds, const char *format, ...) {
  report_witness *w = last_witness(r);
  if (!w) return;
  if (w->rechecks_used == REPORT_MOST_RECHECKS) {
    keep_error(r, TAULER_INTERNAL);
    return;
  }
  va_list arguments;
  va_start(arguments, format);
  w->rechecks[w->rechecks_used++] =
      (report_recheck){keep_text(r, method), keep_sentence(r, format, arguments), done, holds};
  va_end(arguments);
}

bool report_is_sound(const report *r) {
  for (size_t i = 0; i < r->witnesses_used; i++) {
    const report_witness *w = &r->witnesses[i];
    for (size_t k = 0; k < w->rechecks_used; k++)
      if (w->rechecks[k].done && !w->rechecks[k].holds) return false;
  }
  return true;
}
