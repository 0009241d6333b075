/* Prints reports as JSON, and has what all forms of a report share. */
#include <inttypes.h>
#include <stdlib.h>

#include "analysis/claims/print_report.h"
#include "analysis/claims/stored.h"
#include "analysis/print/print_dice.h"
#include "base/json.h"

const char *print_report_figure(const report_figure *figure, figure_digits *room) {
  if (figure->kind == FIGURE_TEXT) return figure->text;
  if (figure->kind == FIGURE_NONE) return "-";
  if (figure->kind == FIGURE_BOUNDS) {
    snprintf(room->digits, sizeof room->digits, "%s", dice_words_of(true, figure->lower, figure->upper).text);
  } else if (figure->kind == FIGURE_MEAN) {
    snprintf(room->digits, sizeof room->digits, "%.*f", (int)figure->number, figure->lower);
  } else {
    snprintf(room->digits, sizeof room->digits, "%" PRId64, figure->number);
  }
  return room->digits;
}

bool print_report_is_numeric(const report_table *t, size_t column) {
  for (size_t row = 0; row < report_rows(t); row++)
    if (t->figures[row * t->columns_used + column].kind == FIGURE_TEXT) return false;
  return true;
}

bool print_report_sources(const report *r, size_t *first, source_words *out) {
  size_t used = 0;
  table_digest digest;
  char text[TABLE_DIGEST_TEXT] = "not known, for want of memory";
  if (*first >= r->sources_used) return false;
  if (!report_sources_of(r, *first, &used, &digest)) table_digest_text(digest, text);
  snprintf(out->text, sizeof out->text, "%.240s, %zu table%s: %s", r->sources[*first].rules, used,
           used == 1 ? "" : "s", text);
  *first += used;
  return true;
}

const char *print_report_outcome(const report_recheck *recheck) {
  return !recheck->done ? "not done" : recheck->holds ? "holds" : "FAILS";
}

static void print_figure(json_writer *json, const char *key, const report_figure *figure) {
  if (figure->kind == FIGURE_NONE) {
    json_field_null(json, key);
  } else if (figure->kind == FIGURE_NUMBER) {
    json_field_integer(json, key, figure->number);
  } else if (figure->kind == FIGURE_MEAN) {
    figure_digits room;
    json_key(json, key);
    json_number(json, strtod(print_report_figure(figure, &room), NULL));
  } else if (figure->kind == FIGURE_BOUNDS) {
    json_key(json, key);
    dice_bounds_to_json(json, true, figure->lower, figure->upper);
  } else {
    json_field_string(json, key, figure->text);
  }
}

static void print_table(json_writer *json, const report_table *t) {
  json_begin_object(json);
  json_field_string(json, "name", t->key);
  json_field_string(json, "title", t->title);
  json_key(json, "rows");
  json_begin_array(json);
  for (size_t row = 0; row < report_rows(t); row++) {
    json_begin_object(json);
    for (size_t i = 0; i < t->columns_used; i++)
      print_figure(json, t->columns[i].key, &t->figures[row * t->columns_used + i]);
    json_end_object(json);
  }
  json_end_array(json);
  json_end_object(json);
}

static void print_plot(json_writer *json, const report *r, const report_plot *plot) {
  static const char *const kinds[] = {"lines", "bars", "stacked bars"};
  const report_table *t = &r->tables[plot->table];
  json_begin_object(json);
  json_field_string(json, "key", plot->key);
  json_field_string(json, "title", plot->title);
  json_field_string(json, "kind", kinds[plot->kind]);
  json_field_bool(json, "logarithmic", plot->logarithmic);
  json_field_string(json, "table", t->key);
  json_field_string(json, "x", t->columns[plot->x].key);
  json_key(json, "series");
  json_begin_array(json);
  for (size_t i = 0; i < plot->series_used; i++) json_string(json, t->columns[plot->series[i]].key);
  json_end_array(json);
  json_key(json, "files");
  json_begin_array(json);
  for (int i = 0; i < PLOT_FORMATS; i++)
    if (plot->files[i]) json_string(json, plot->files[i]);
  json_end_array(json);
  json_end_object(json);
}

static void print_step(json_writer *json, const report_step *step) {
  json_begin_object(json);
  json_field_string(json, "turn", step->turn);
  json_field_string(json, "move", step->move);
  json_field_string(json, "position", step->position);
  json_field_string(json, "remark", step->remark);
  json_end_object(json);
}

static void print_recheck(json_writer *json, const report_recheck *recheck) {
  json_begin_object(json);
  json_field_string(json, "method", recheck->method);
  json_key(json, "holds");
  if (recheck->done) {
    json_bool(json, recheck->holds);
  } else {
    json_null(json);
  }
  json_field_string(json, "text", recheck->text);
  json_end_object(json);
}

static void print_witness(json_writer *json, const report_witness *w) {
  json_begin_object(json);
  json_field_string(json, "title", w->title);
  json_field_string(json, "position", w->position);
  json_field_string(json, "drawing", w->drawing);
  json_key(json, "steps");
  json_begin_array(json);
  for (size_t i = 0; i < w->steps_used; i++) print_step(json, &w->steps[i]);
  json_end_array(json);
  json_key(json, "rechecks");
  json_begin_array(json);
  for (size_t i = 0; i < w->rechecks_used; i++) print_recheck(json, &w->rechecks[i]);
  json_end_array(json);
  json_end_object(json);
}

static void print_statement(json_writer *json, const claim *about) {
  json_key(json, "statement");
  json_begin_object(json);
  json_field_string(json, "language", about->text->language);
  json_field_string(json, "sentence", about->text->sentence);
  json_field_string(json, "english", about->text->english);
  json_end_object(json);
  json_field_string(json, "source", about->text->source);
  json_field_string(json, "method", about->text->method);
}

/* All tables of a rule set, and one digest for them. */
static void print_sources(json_writer *json, const report *r, size_t first, size_t used,
                          table_digest digest) {
  char text[TABLE_DIGEST_TEXT];
  table_digest_text(digest, text);
  json_begin_object(json);
  json_field_string(json, "rules", r->sources[first].rules);
  json_field_string(json, "digest", text);
  json_key(json, "tables");
  json_begin_array(json);
  for (size_t i = first; i < first + used; i++) {
    table_digest_text(r->sources[i].digest, text);
    json_begin_object(json);
    json_field_string(json, "slice", r->sources[i].slice);
    json_field_string(json, "stream", r->sources[i].stream);
    json_field_string(json, "digest", text);
    json_end_object(json);
  }
  json_end_array(json);
  json_end_object(json);
}

static void print_all_sources(json_writer *json, const report *r) {
  table_digest digest;
  json_key(json, "sources");
  json_begin_array(json);
  for (size_t first = 0, used = 0; first < r->sources_used; first += used) {
    if (report_sources_of(r, first, &used, &digest)) digest = (table_digest){0, 0};
    print_sources(json, r, first, used, digest);
  }
  json_end_array(json);
}

static void print_figures(json_writer *json, const report *r) {
  json_key(json, "figures");
  json_begin_array(json);
  for (size_t i = 0; i < r->tables_used; i++) print_table(json, &r->tables[i]);
  json_end_array(json);
  json_key(json, "plots");
  json_begin_array(json);
  for (size_t i = 0; i < r->plots_used; i++) print_plot(json, r, &r->plots[i]);
  json_end_array(json);
}

static void print_stored_tables(json_writer *json, const report_stored *stored) {
  stored_tables tables;
  json_key(json, "sources");
  json_begin_array(json);
  for (size_t at = 0; stored_next_tables(stored, &at, &tables);) {
    json_begin_object(json);
    json_field_string(json, "rules", tables.rules);
    json_field_string(json, "digest", tables.digest);
    json_field_integer(json, "tables", tables.tables);
    json_end_object(json);
  }
  json_end_array(json);
}

static void print_stored(json_writer *json, const report *r) {
  json_begin_object(json);
  json_field_string(json, "size", r->stored->size);
  json_field_string(json, "date", r->stored->date);
  json_field_unsigned(json, "rows", r->compared.rows);
  json_field_unsigned(json, "rows_found_again", r->compared.again);
  print_figures(json, r->kept);
  json_field_string(json, "verdict", claim_verdict_name(r->kept->verdict));
  json_field_string(json, "reason", r->kept->reason);
  print_stored_tables(json, r->stored);
  json_end_object(json);
}

static void print_findings(json_writer *json, const report *r) {
  print_figures(json, r);
  json_key(json, "notes");
  json_begin_array(json);
  for (size_t i = 0; i < r->notes_used; i++) json_string(json, r->notes[i]);
  json_end_array(json);
  json_field_string(json, "verdict", claim_verdict_name(r->verdict));
  json_field_string(json, "reason", r->reason);
  json_key(json, "witnesses");
  json_begin_array(json);
  for (size_t i = 0; i < r->witnesses_used; i++) print_witness(json, &r->witnesses[i]);
  json_end_array(json);
  print_all_sources(json, r);
}

void print_report_json(FILE *out, const claim *about, const report *r) {
  json_writer json;
  json_open_file(&json, out);
  json_begin_object(&json);
  json_field_string(&json, "claim", about->name);
  json_field_string(&json, "game", about->game);
  json_field_string(&json, "rules", r->rules);
  json_field_string(&json, "title", about->text->title);
  json_field_string(&json, "plainly", about->text->plainly);
  print_statement(&json, about);
  print_findings(&json, r);
  json_key(&json, "stored");
  if (r->kept) {
    print_stored(&json, r);
  } else {
    json_null(&json);
  }
  json_end_object(&json);
  (void)json_close(&json, NULL); /* a lost line is found when standard output is closed */
}
