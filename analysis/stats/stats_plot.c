/* Draws the picture of statistics. */
#include "analysis/stats/stats_plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/plot/plot.h"
#include "analysis/probe/text_pool.h"
#include "base/durable_file.h"
#include "base/memory.h"

enum { TITLE_BYTES = 512, MOST_NAMED = 60, SIDES = 2 };

typedef struct {
  const char *name;
  tally_shares shares;
} counted_slice;

struct stats_plot {
  const char *path;
  plot_format format;
  plot_subject subject;
  counted_slice *slices;
  size_t slices_used, slices_room;
  tally drawn; /* of values the last slice, of depths all */
  text_pool pool;
};

/* Memory that a plot points to while it is drawn. */
typedef struct {
  char title[TITLE_BYTES];
  double *x, *values; /* values: series by series */
  const char **labels;
  plot_series series[TALLY_SHARES];
} room;

static tauler_error no_memory(tauler_message *message) {
  return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a plot");
}

/* --- before --- */

static bool ends_with(const char *path, const char *end) {
  const size_t length = strlen(path), wanted = strlen(end);
  return length > wanted && strcmp(path + length - wanted, end) == 0;
}

static tauler_error try_file(const char *path, tauler_message *message) {
  durable_file *file;
  const tauler_error error = durable_file_create(path, &file, message);
  if (!error) durable_file_abandon(file);
  return error;
}

tauler_error stats_plot_open(const char *path, plot_subject subject, stats_plot **out,
                             tauler_message *message) {
  *out = NULL;
  if (!ends_with(path, ".svg") && !ends_with(path, ".png"))
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "--plot takes a file whose name ends with .svg or .png, not '%.200s'", path);
  tauler_error error = plot_check(message);
  if (!error) error = try_file(path, message);
  if (error) return error;
  stats_plot *p = calloc(1, sizeof *p);
  if (!p) return no_memory(message);
  p->path = path;
  p->subject = subject;
  p->format = ends_with(path, ".svg") ? PLOT_SVG : PLOT_PNG;
  *out = p;
  return TAULER_OK;
}

void stats_plot_close(stats_plot *p) {
  if (!p) return;
  free(p->slices);
  tally_free(&p->drawn);
  text_pool_free(&p->pool);
  free(p);
}

tauler_error stats_plot_add(stats_plot *p, const char *slice, const tally *counted, tauler_message *message) {
  if (!memory_make_room(&p->slices, &p->slices_room, p->slices_used + 1, sizeof *p->slices))
    return no_memory(message);
  const char *name = text_pool_add(&p->pool, slice);
  if (!name) return no_memory(message);
  p->slices[p->slices_used++] = (counted_slice){name, tally_shares_of(counted)};
  if (p->subject == PLOT_VALUES) {
    tally_free(&p->drawn);
    p->drawn = (tally){.slots = NULL};
  }
  return tally_add_all(&p->drawn, counted, message);
}

/* --- drawing --- */

static bool make_room(room *r, size_t points, size_t series) {
  r->x = calloc(points + 1, sizeof *r->x);
  r->labels = calloc(points + 1, sizeof *r->labels);
  r->values = calloc((points + 1) * series, sizeof *r->values);
  return r->x && r->labels && r->values;
}

static void free_room(room *r) {
  free(r->x);
  free(r->labels);
  free(r->values);
}

static void write_title(room *r, const stats_plot *p, const tauler_tables *tables, const char *what) {
  const char *cycles = tables->game->cycles_text(tables->rules);
  const char *unit = tables->game->slice_unit;
  const size_t last = p->slices_used - 1;
  const int used =
      snprintf(r->title, sizeof r->title, "%s, %s%s%s: %s", tables->game->name,
               tables->game->rules_text(tables->rules), *cycles ? ", cycles " : "", cycles, what);
  if ((p->slices_used == 1 || p->subject == PLOT_VALUES) && used > 0 && used < TITLE_BYTES)
    snprintf(r->title + used, sizeof r->title - (size_t)used, ", %.100s%s%.40s", p->slices[last].name,
             unit ? " " : "", unit ? unit : "");
}

static tauler_error draw(const stats_plot *p, const plot *drawn, tauler_message *message) {
  if (drawn->points == 0 || plot_is_empty(drawn))
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "--plot has nothing to show: %s has no positions of the kind", drawn->title);
  return plot_draw(drawn, p->format, p->path, message);
}

static int by_who_wins(const void *a, const void *b) {
  static const int order[] = {0, 3, 1};
  const tally_shares *l = &((const counted_slice *)a)->shares, *r = &((const counted_slice *)b)->shares;
  for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
    const double of_l = (double)l->counts[order[i]] / (double)(l->positions ? l->positions : 1);
    const double of_r = (double)r->counts[order[i]] / (double)(r->positions ? r->positions : 1);
    if (of_l != of_r) return of_l < of_r ? -1 : 1;
  }
  return strcmp(((const counted_slice *)a)->name, ((const counted_slice *)b)->name);
}

/* Wins, draws and losses of each slice as parts of a hundred; more slices than can be named stand in the
 * order of what is won. */
static tauler_error draw_shares(stats_plot *p, const tauler_tables *tables, tauler_message *message) {
  static const char *const titles[TALLY_SHARES] = {"won by the side to move", "drawn", "lost", "open"};
  static const plot_colour colours[TALLY_SHARES] = {PLOT_WON, PLOT_DRAWN, PLOT_LOST, PLOT_OPEN};
  const bool named = p->slices_used <= MOST_NAMED;
  char counted[64] = "";
  if (tables->game->slice_unit)
    snprintf(counted, sizeof counted, "%.40s on the board", tables->game->slice_unit);
  room r = {.x = NULL};
  bool open = false;
  if (!make_room(&r, p->slices_used, TALLY_SHARES)) {
    free_room(&r);
    return no_memory(message);
  }
  if (!named) qsort(p->slices, p->slices_used, sizeof *p->slices, by_who_wins);
  for (size_t i = 0; i < p->slices_used; i++) {
    const tally_shares *shares = &p->slices[i].shares;
    r.x[i] = (double)(i + 1);
    r.labels[i] = p->slices[i].name;
    for (int s = 0; s < TALLY_SHARES && shares->positions; s++)
      r.values[(size_t)s * p->slices_used + i] = 100 * (double)shares->counts[s] / (double)shares->positions;
    open = open || shares->counts[TALLY_SHARES - 1];
  }
  for (size_t s = 0; s < TALLY_SHARES; s++)
    r.series[s] = (plot_series){titles[s], r.values + s * p->slices_used};
  write_title(&r, p, tables, "who wins");
  const plot drawn = {.title = r.title,
                      .x_label = !named     ? "slices, in the order of what is won"
                                 : *counted ? counted
                                            : NULL,
                      .y_label = "positions, %",
                      .kind = PLOT_STACKED_BARS,
                      .points = p->slices_used,
                      .labels = named ? r.labels : NULL,
                      .x = r.x,
                      .series = r.series,
                      .series_used = TALLY_SHARES - !open,
                      .colours = colours};
  const tauler_error error = draw(p, &drawn, message);
  free_room(&r);
  return error;
}

typedef struct {
  int least, most; /* least > most: nothing */
} span;

/* The winner moves at odd plies and the loser at even ones, so plies count in pairs: 1 and 2 as 2. */
static int pair_of(int plies) {
  return (plies + 1) / 2 * 2;
}

/* The number by which a row counts in a series; false: not at all. */
static bool number_of(const plain_cell *cell, plot_subject subject, bool bounds, bool stages, int side,
                      int *number) {
  if (subject == PLOT_VALUES) {
    *number = side == 0 ? cell->lower : cell->upper;
    return true;
  }
  *number = side == 0 || !bounds ? cell->depth_lower : cell->depth_upper;
  if (*number == TAULER_NO_DEPTH) return false;
  if (!stages) *number = pair_of(*number);
  return bounds || (side == 0 ? cell->lower > 0 : cell->lower < 0);
}

static span find_span(const stats_plot *p, plot_subject subject, bool bounds, bool stages, size_t series) {
  span s = {1, 0};
  for (size_t i = 0; i < p->drawn.used; i++) {
    for (int side = 0; side < (int)series; side++) {
      int number;
      if (!number_of(&p->drawn.slots[i].cell, subject, bounds, stages, side, &number)) continue;
      const bool first = s.least > s.most;
      if (first || number < s.least) s.least = number;
      if (first || number > s.most) s.most = number;
    }
  }
  return s;
}

/* Scores of some seeds are odd, of others even: bars are as wide as the distance of those that there are. */
static size_t leave_out_empty(room *r, size_t points, size_t series) {
  size_t kept = 0;
  for (size_t i = 0; i < points; i++) {
    bool any = false;
    for (size_t s = 0; s < series; s++) any = any || r->values[s * points + i] > 0;
    if (!any) continue;
    r->x[kept] = r->x[i];
    for (size_t s = 0; s < series; s++) r->values[s * points + kept] = r->values[s * points + i];
    kept++;
  }
  return kept;
}

static const char *number_label(const tauler_tables *tables, plot_subject subject) {
  const bool outcomes = tables->kind == SOLVE_OUTCOMES;
  if (subject == PLOT_VALUES)
    return outcomes             ? "1 won, 0 drawn, -1 lost for the side to move"
           : tables->planes > 1 ? "bound on the net seeds of the side to move"
                                : "net seeds of the side to move";
  if (tables_have_stages(tables)) return "stage of the bound";
  return outcomes ? "plies to the end of the game, by twos" : "plies to the next gain, by twos";
}

static tauler_error draw_numbers(stats_plot *p, const tauler_tables *tables, tauler_message *message) {
  const plot_subject subject = p->subject;
  const bool bounds = tables->planes > 1, depths = subject == PLOT_DEPTHS,
             stages = tables_have_stages(tables);
  const char *const titles[2][SIDES] = {
      {"won by the side to move", "lost"},
      {depths ? "the mover's guarantee" : "at least", depths ? "the other side's" : "at most"}};
  static const plot_colour outcomes[SIDES] = {PLOT_WON, PLOT_LOST}, by_sign[SIDES] = {PLOT_BY_SIGN};
  const size_t series = depths || bounds ? 2 : 1;
  tally_sort(&p->drawn);
  const span s = find_span(p, subject, bounds, stages, series);
  const size_t points = (size_t)(s.most - s.least) + 1;
  room r = {.x = NULL};
  if (!make_room(&r, points, series)) {
    free_room(&r);
    return no_memory(message);
  }
  for (size_t i = 0; i < p->drawn.used; i++) {
    for (int side = 0; side < (int)series; side++) {
      int number;
      if (number_of(&p->drawn.slots[i].cell, subject, bounds, stages, side, &number))
        r.values[(size_t)side * points + (size_t)(number - s.least)] += (double)p->drawn.slots[i].count;
    }
  }
  for (size_t i = 0; i < points; i++) r.x[i] = s.least + (double)i;
  for (size_t i = 0; i < series; i++) r.series[i] = (plot_series){titles[bounds][i], r.values + i * points};
  write_title(&r, p, tables, !depths ? "values" : stages ? "stages" : "depths");
  const plot drawn = {.title = r.title,
                      .x_label = number_label(tables, subject),
                      .y_label = tables->game->unit,
                      .kind = depths ? PLOT_LINES : PLOT_BARS,
                      .points = leave_out_empty(&r, points, series),
                      .x = r.x,
                      .series = r.series,
                      .series_used = series,
                      .colours = bounds   ? NULL
                                 : depths ? outcomes
                                          : by_sign,
                      .logarithmic = depths};
  const tauler_error error = draw(p, &drawn, message);
  free_room(&r);
  return error;
}

tauler_error stats_plot_draw(stats_plot *p, const tauler_tables *tables, tauler_message *message) {
  if (p->slices_used == 0) return tauler_fail(message, TAULER_BAD_USAGE, "--plot has nothing to show");
  return p->subject == PLOT_WINNERS ? draw_shares(p, tables, message) : draw_numbers(p, tables, message);
}
