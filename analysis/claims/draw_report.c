/* Draws the plots of a report as files. */
#include "analysis/claims/draw_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/claims/print_report.h"
#include "base/durable_file.h"
#include "base/text.h"

enum { PATH_BYTES = 4096, LARGEST = 1 << 30 };

tauler_error draw_report_prepare(const char *folder, tauler_message *message) {
  char path[PATH_BYTES];
  durable_file *file;
  const int length = snprintf(path, sizeof path, "%s/try", folder);
  if (length < 0 || (size_t)length >= sizeof path)
    return tauler_fail(message, TAULER_BAD_USAGE, "the name of the folder for plots is too long");
  tauler_error error = plot_check(message);
  if (!error) error = durable_folder_create(folder, message);
  if (!error) error = durable_file_create(path, &file, message);
  if (!error) durable_file_abandon(file);
  return error;
}

/* --- from figures to numbers --- */

static double number_of(const report_figure *figure) {
  switch (figure->kind) {
  case FIGURE_NUMBER:
    return (double)figure->number;
  case FIGURE_BOUNDS:
    return figure->lower + (figure->upper - figure->lower) / 2;
  case FIGURE_MEAN:
    return figure->lower;
  case FIGURE_NONE:
  case FIGURE_TEXT:
    return NAN;
  }
  return NAN;
}

/* Along the x axis text may be a number, too. */
static double place_of(const report_figure *figure) {
  double place = number_of(figure);
  if (figure->kind == FIGURE_TEXT) text_read_real(figure->text, -LARGEST, LARGEST, &place);
  return place;
}

static const report_figure *figure_of(const report_table *t, size_t row, size_t column) {
  return &t->figures[row * t->columns_used + column];
}

static bool is_by_number(const report_table *t, size_t column) {
  for (size_t row = 0; row < report_rows(t); row++)
    if (!isfinite(place_of(figure_of(t, row, column)))) return false;
  return true;
}

/* --- drawing --- */

typedef struct {
  double *x, *values; /* values: series by series */
  figure_digits *digits;
  const char **labels;
  plot_series series[REPORT_MOST_SERIES];
} columns;

static void free_columns(columns *c) {
  free(c->x);
  free(c->values);
  free(c->digits);
  free(c->labels);
}

static bool make_room(columns *c, size_t rows, size_t series) {
  *c = (columns){.x = calloc(rows, sizeof *c->x),
                 .values = calloc(rows * series, sizeof *c->values),
                 .digits = calloc(rows, sizeof *c->digits),
                 .labels = calloc(rows, sizeof *c->labels)};
  return c->x && c->values && c->digits && c->labels;
}

static plot fill_plot(const report_plot *about, const report_table *t, columns *c) {
  const size_t rows = report_rows(t);
  for (size_t row = 0; row < rows; row++) {
    c->x[row] = place_of(figure_of(t, row, about->x));
    c->labels[row] = print_report_figure(figure_of(t, row, about->x), &c->digits[row]);
    for (size_t s = 0; s < about->series_used; s++)
      c->values[s * rows + row] = number_of(figure_of(t, row, about->series[s]));
  }
  for (size_t s = 0; s < about->series_used; s++)
    c->series[s] = (plot_series){t->columns[about->series[s]].title, c->values + s * rows};
  return (plot){.title = about->title,
                .x_label = about->x_label,
                .y_label = about->y_label,
                .kind = about->kind,
                .points = rows,
                .labels = is_by_number(t, about->x) ? NULL : c->labels,
                .x = c->x,
                .series = c->series,
                .series_used = about->series_used,
                .logarithmic = about->logarithmic};
}

/* Where pictures go: FOLDER/CLAIM-KEY`end`.svg */
typedef struct {
  const char *folder, *claim, *end;
} picture_names;

static tauler_error draw_files(const picture_names *names, report *r, size_t which, const plot *drawn,
                               tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int i = 0; i < PLOT_FORMATS && !error; i++) {
    const plot_format format = (plot_format)i;
    char path[PATH_BYTES];
    const int length = snprintf(path, sizeof path, "%s/%s-%s%s.%s", names->folder, names->claim,
                                r->plots[which].key, names->end, plot_format_name(format));
    if (length < 0 || (size_t)length >= sizeof path)
      return tauler_fail(message, TAULER_BAD_USAGE, "the name of the folder for plots is too long");
    error = plot_draw(drawn, format, path, message);
    if (!error) report_plot_drawn(r, which, format, path);
  }
  return error;
}

static tauler_error draw_plots(const picture_names *names, report *r, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < r->plots_used && !error; i++) {
    const report_plot *one = &r->plots[i];
    const report_table *t = &r->tables[one->table];
    columns c;
    if (report_rows(t) == 0 || one->series_used == 0) continue;
    if (make_room(&c, report_rows(t), one->series_used)) {
      const plot filled = fill_plot(one, t, &c);
      if (!plot_is_empty(&filled)) error = draw_files(names, r, i, &filled, message);
    } else {
      error = tauler_fail(message, TAULER_NO_MEMORY, "no memory for a plot of %zu rows", report_rows(t));
    }
    free_columns(&c);
  }
  return error ? error : report_error(r, message);
}

tauler_error draw_report(const claim *about, const char *folder, report *r, tauler_message *message) {
  const picture_names found = {folder, about->name, ""}, stored = {folder, about->name, "-stored"};
  const tauler_error error = draw_plots(&found, r, message);
  return error || !r->kept ? error : draw_plots(&stored, r->kept, message);
}
