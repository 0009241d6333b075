/* Collects what a claim finds: figures, plots, notes, witnesses, verdict. */
#include "analysis/claims/report.h"
#include "analysis/claims/print_report.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { SENTENCE_BYTES = 2048 };

const char *claim_verdict_name(claim_verdict verdict) {
  static const char *const names[] = {"open", "holds", "holds for", "fails"};
  return names[verdict];
}

bool report_keep(report *r, tauler_error error) {
  if (!r->error) r->error = error;
  return r->error != TAULER_OK;
}

void report_fail(report *r, tauler_error error, const char *format, ...) {
  va_list arguments;
  if (r->error) return;
  r->error = error;
  va_start(arguments, format);
  vsnprintf(r->message.text, sizeof r->message.text, format, arguments);
  va_end(arguments);
}

void *report_calloc(report *r, size_t n, size_t bytes) {
  void *taken = r->error ? NULL : calloc(n, bytes);
  if (!taken) report_fail(r, TAULER_NO_MEMORY, "no memory for %zu bytes that a claim needs", n * bytes);
  return taken;
}

static const char *keep_text(report *r, const char *text) {
  if (!text) return NULL;
  const char *copy = text_pool_add(&r->texts, text);
  if (!copy) report_keep(r, TAULER_NO_MEMORY);
  return copy;
}

static const char *keep_sentence(report *r, const char *format, va_list arguments) {
  char sentence[SENTENCE_BYTES];
  const int length = vsnprintf(sentence, sizeof sentence, format, arguments);
  if (length < 0 || (size_t)length >= sizeof sentence) report_keep(r, TAULER_INTERNAL);
  return keep_text(r, sentence);
}

/* Whether the list has room for one more item; not after an error. */
static bool has_room(report *r, void *list, size_t *room, size_t used, size_t bytes) {
  if (!r->error && !memory_make_room(list, room, used + 1, bytes)) report_keep(r, TAULER_NO_MEMORY);
  return !r->error;
}

static bool has_whole_rows(const report_table *t) {
  return t->figures_used % t->columns_used == 0;
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
  if (r->kept) report_free(r->kept);
  free(r->kept);
  *r = (report){.rules = NULL};
}

tauler_error report_error(const report *r, tauler_message *message) {
  if (r->error && *r->message.text) return tauler_fail(message, r->error, "%s", r->message.text);
  if (r->error == TAULER_NO_MEMORY)
    return tauler_fail(message, r->error, "no memory for the report of a claim");
  if (r->error || (r->tables_used && !has_whole_rows(&r->tables[r->tables_used - 1])))
    return tauler_fail(message, TAULER_INTERNAL, "the report of a claim was not put together as it must be");
  return TAULER_OK;
}

void report_rules(report *r, const char *text) {
  r->rules = keep_text(r, text);
}

void report_note(report *r, const char *format, ...) {
  if (!has_room(r, &r->notes, &r->notes_room, r->notes_used, sizeof *r->notes)) return;
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

/* --- sentences --- */

/* Writes a sentence with as many places as there are figures; false: it does not fit. */
static bool fill_places(const char *text, const report_figure *figures, size_t used, char *out, size_t room) {
  size_t length = 0, filled = 0;
  while (*text && length < room) {
    figure_digits digits;
    const bool place = *text == '{';
    if (place && filled == used) return false;
    const char *part = place ? print_report_figure(&figures[filled++], &digits) : text;
    length += (size_t)snprintf(out + length, room - length, place ? "%s" : "%.1s", part);
    text += place ? strcspn(text, "}") + 1 : 1;
  }
  return filled == used && length < room;
}

const char *report_say(report *r, const char *key, const report_figure *figures, size_t used) {
  char sentence[SENTENCE_BYTES] = "";
  for (size_t i = 0; i < r->sentences_used; i++) {
    if (strcmp(r->sentences[i].key, key) != 0) continue;
    const char *text = r->sentences[i].text;
    const char *kept =
        fill_places(text, figures, used, sentence, sizeof sentence) ? keep_text(r, sentence) : NULL;
    if (kept) return kept;
  }
  report_keep(r, TAULER_INTERNAL);
  return "";
}

/* --- tables --- */

static const report_layout *find_layout(const report *r, const char *key) {
  for (size_t i = 0; i < r->layouts_used; i++)
    if (strcmp(r->layouts[i].key, key) == 0) return &r->layouts[i];
  return NULL;
}

static report_table *last_table(report *r) {
  if (r->tables_used) return &r->tables[r->tables_used - 1];
  report_keep(r, TAULER_INTERNAL);
  return NULL;
}

/* Finds a column of a table; a missing column is an error of the layout. */
static size_t find_column(report *r, const report_table *t, const char *key) {
  for (size_t i = 0; i < t->columns_used; i++)
    if (strcmp(t->columns[i].key, key) == 0) return i;
  report_keep(r, TAULER_INTERNAL);
  return 0;
}

/* It is part of a file's name. */
static bool is_new_key(const report *r, const char *key) {
  bool fits = *key && key[strspn(key, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0';
  for (size_t i = 0; i < r->plots_used; i++) fits = fits && strcmp(r->plots[i].key, key) != 0;
  return fits;
}

/* Adds a plot of the last table. */
static void add_plot(report *r, const report_plot_layout *layout) {
  if (!is_new_key(r, layout->key)) report_keep(r, TAULER_INTERNAL);
  if (!has_room(r, &r->plots, &r->plots_room, r->plots_used, sizeof *r->plots)) return;
  const report_table *t = last_table(r);
  report_plot *plot = &r->plots[r->plots_used++];
  *plot = (report_plot){.key = layout->key,
                        .title = layout->title,
                        .x_label = layout->x_label,
                        .y_label = layout->y_label,
                        .kind = layout->kind,
                        .table = r->tables_used - 1,
                        .x = find_column(r, t, layout->x),
                        .logarithmic = layout->logarithmic};
  for (size_t i = 0; i < REPORT_MOST_SERIES && layout->series[i]; i++)
    plot->series[plot->series_used++] = find_column(r, t, layout->series[i]);
}

void report_table_begin(report *r, const char *key) {
  const report_layout *layout = find_layout(r, key);
  if (!has_room(r, &r->tables, &r->tables_room, r->tables_used, sizeof *r->tables)) return;
  if (!layout || (r->tables_used && !has_whole_rows(last_table(r)))) {
    report_keep(r, TAULER_INTERNAL);
    return;
  }
  r->tables[r->tables_used++] = (report_table){.key = layout->key,
                                               .title = layout->title,
                                               .columns = layout->columns,
                                               .columns_used = layout->columns_used};
  for (size_t i = 0; i < layout->plots_used; i++) add_plot(r, &layout->plots[i]);
}

void report_add(report *r, const report_figure *figures, size_t used) {
  report_table *t = last_table(r);
  for (size_t i = 0; i < used && t; i++) {
    if (!has_room(r, &t->figures, &t->figures_room, t->figures_used, sizeof *t->figures)) return;
    t->figures[t->figures_used] = figures[i];
    t->figures[t->figures_used++].text = keep_text(r, figures[i].text);
    if (figures[i].kind == FIGURE_BOUNDS && !(figures[i].lower <= figures[i].upper))
      report_keep(r, TAULER_INTERNAL);
  }
}

void report_plot_drawn(report *r, size_t which, plot_format format, const char *file) {
  r->plots[which].files[format] = keep_text(r, file);
}

/* --- sources --- */

void report_add_source(report *r, const char *rules, const char *slice, const char *stream,
                       table_digest digest) {
  for (size_t i = 0; i < r->sources_used && !r->error; i++)
    if (strcmp(r->sources[i].rules, rules) == 0 && strcmp(r->sources[i].slice, slice) == 0 &&
        strcmp(r->sources[i].stream, stream) == 0)
      return;
  if (!has_room(r, &r->sources, &r->sources_room, r->sources_used, sizeof *r->sources)) return;
  const size_t used = r->sources_used;
  const char *before = used ? r->sources[used - 1].rules : NULL;
  const bool alike = before && strcmp(before, rules) == 0;
  r->sources[r->sources_used++] = (report_source){.rules = alike ? before : keep_text(r, rules),
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
  if (!has_room(r, &r->witnesses, &r->witnesses_room, r->witnesses_used, sizeof *r->witnesses)) return;
  r->witnesses[r->witnesses_used++] = (report_witness){
      .title = keep_text(r, title), .position = keep_text(r, position), .drawing = keep_text(r, drawing)};
}

static report_witness *last_witness(report *r) {
  if (r->witnesses_used) return &r->witnesses[r->witnesses_used - 1];
  report_keep(r, TAULER_INTERNAL);
  return NULL;
}

void report_add_step(report *r, const char *turn, const char *move, const char *position,
                     const char *remark) {
  report_witness *w = last_witness(r);
  if (!w) return;
  if (!has_room(r, &w->steps, &w->steps_room, w->steps_used, sizeof *w->steps)) return;
  w->steps[w->steps_used++] = (report_step){.turn = keep_text(r, turn),
                                            .move = keep_text(r, move),
                                            .position = keep_text(r, position),
                                            .remark = keep_text(r, remark)};
}

void report_add_recheck(report *r, const char *method, bool done, bool holds, const char *format, ...) {
  report_witness *w = last_witness(r);
  if (!w) return;
  if (w->rechecks_used == REPORT_MOST_RECHECKS) {
    report_keep(r, TAULER_INTERNAL);
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
