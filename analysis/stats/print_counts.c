/* Prints tallies of slices as CSV, JSON and text. */
#include "analysis/stats/stats.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "analysis/print/print.h"
#include "base/csv.h"
#include "base/json.h"

static const char *const share_names[TALLY_SHARES] = {"win", "draw", "loss", "unknown"};

static terminal_ink share_ink(const stats_job *job, int which) {
  static const tauler_category shares[TALLY_SHARES] = {TAULER_WIN, TAULER_DRAW, TAULER_LOSS, TAULER_UNKNOWN};
  return category_ink(job->colored, shares[which]);
}

/* True if each slice is a line of text: in games of win, draw and loss, which have many slices and few
 * values. */
static bool prints_list(const stats_job *job) {
  return job->form == FORM_TEXT && job->tables->kind == SOLVE_OUTCOMES;
}

static bool has_bounds(const stats_job *job) {
  return job->tables->planes > 1 && !job->exact;
}

static bool has_two_depths(const stats_job *job) {
  return job->tables->planes > 1;
}

static const char *depth_name(const stats_job *job, int plane) {
  static const char *const names[2][2] = {{"depth-lower", "depth-upper"}, {"stage-lower", "stage-upper"}};
  return has_two_depths(job) ? names[tables_have_stages(job->tables)][plane] : "depth";
}

void stats_print_row(bool keys, const json_field *fields, size_t n) {
  const char *before = "";
  for (const json_field *field = fields; field < fields + n; field++) {
    if (field->kind == JSON_IS_LEFT_OUT) continue;
    fputs(before, stdout);
    before = ",";
    if (keys || field->kind == JSON_IS_TEXT) csv_print(stdout, keys ? field->key : field->text);
    if (keys) continue;
    if (field->kind == JSON_IS_INTEGER) printf("%lld", (long long)field->integer);
    if (field->kind == JSON_IS_COUNT) printf("%llu", (unsigned long long)field->count);
    if (field->kind == JSON_IS_NUMBER) fputs(text_real(field->number).text, stdout);
    if (field->kind == JSON_IS_BELOW) fputs(text_below(field->number).text, stdout);
  }
  putchar('\n');
}

static json_field depth_field(const stats_job *job, int plane, int32_t depth) {
  const json_field field = JSON_INTEGER(depth_name(job, plane), depth);
  return json_or_nothing(job->settings.with_depths && (plane == 0 || has_two_depths(job)),
                         json_or_null(depth != TAULER_NO_DEPTH, field));
}

enum { ROW_FIELDS = 6 };
/* Sets the fields of a row. `slice` is NULL if rows are members of their slice. */
static void set_row_fields(const stats_job *job, const char *slice, const tally_row *row,
                           json_field fields[ROW_FIELDS]) {
  const plain_cell cell = row->cell;
  const bool bounds = has_bounds(job);
  fields[0] = json_or_nothing(slice, JSON_TEXT("slice", slice));
  fields[1] = JSON_INTEGER(bounds ? "lower" : "value", cell.lower);
  fields[2] = json_or_nothing(bounds, JSON_INTEGER("upper", cell.upper));
  fields[3] = depth_field(job, 0, cell.depth_lower);
  fields[4] = depth_field(job, 1, cell.depth_upper);
  fields[5] = JSON_COUNT("count", row->count);
}

static void print_csv(const stats_job *job, const char *slice, const tally *t) {
  json_field fields[ROW_FIELDS];
  for (size_t i = 0; i < t->used; i++) {
    set_row_fields(job, slice, &t->slots[i], fields);
    stats_print_row(false, fields, ROW_FIELDS);
  }
}

static void print_counts_json(const stats_job *job, const char *slice, const tally *t) {
  const tauler_tables *tables = job->tables;
  const tally_shares s = tally_shares_of(t);
  json_writer json;
  json_open_line(&json, stdout);
  json_fields(&json, JSON_TEXT("game", tables->game->name),
              JSON_TEXT("rules", tables->game->rules_text(tables->rules)),
              JSON_TEXT("cycles", tables->game->cycles_text(tables->rules)), JSON_TEXT("slice", slice),
              JSON_TEXT("boards", job->settings.outside ? "all" : "table"),
              JSON_COUNT("positions", s.positions));
  for (int i = 0; i < TALLY_SHARES; i++) json_field_unsigned(&json, share_names[i], s.counts[i]);
  json_field_array(&json, "rows");
  for (size_t i = 0; i < t->used; i++) {
    json_field fields[ROW_FIELDS];
    set_row_fields(job, NULL, &t->slots[i], fields);
    json_begin_object(&json);
    json_write_fields(&json, fields, ROW_FIELDS);
    json_end_object(&json);
  }
  json_end_array(&json);
  json_close_line(&json);
}

static void print_value(const stats_job *job, plain_cell cell) {
  const tauler_worth worth = {.known = true, .lower = cell.lower, .upper = cell.upper};
  const terminal_ink ink = category_ink(job->colored, tauler_category_of(worth));
  printf("%s  %5d", ink.on, cell.lower);
  if (has_bounds(job)) printf("  %5d", cell.upper);
  printf("%s", ink.off);
}

static void print_text(const stats_job *job, const char *slice, const tally *t) {
  const tally_shares s = tally_shares_of(t);
  const bool bounds = has_bounds(job), depths = job->settings.with_depths;
  const double all = s.positions ? (double)s.positions : 1;
  printf("%s%s: %" PRIu64 " %s", strcmp(slice, "total") == 0 ? "" : "slice ", slice, s.positions,
         job->tables->game->unit);
  for (int i = 0; i < TALLY_SHARES; i++) {
    if (i == TALLY_SHARES - 1 && !bounds) continue;
    const terminal_ink ink = share_ink(job, i);
    printf(", %s%s %.2f %%%s", ink.on, share_names[i], 100.0 * (double)s.counts[i] / all, ink.off);
  }
  printf("\n  %5s", bounds ? "lower" : "value");
  if (bounds) printf("  %5s", "upper");
  if (depths) printf("  %11s", depth_name(job, 0));
  if (depths && has_two_depths(job)) printf("  %11s", depth_name(job, 1));
  printf("  %18s  %9s\n", "count", "share");
  for (size_t i = 0; i < t->used; i++) {
    const tally_row *row = &t->slots[i];
    print_value(job, row->cell);
    if (depths) printf("  %11s", depth_in_words(row->cell.depth_lower).text);
    if (depths && has_two_depths(job)) printf("  %11s", depth_in_words(row->cell.depth_upper).text);
    printf("  %18" PRIu64 "  %7.3f %%\n", row->count, 100.0 * (double)row->count / all);
  }
  printf("\n");
}

/* Finds the depths of the longest win and of the longest loss, or TAULER_NO_DEPTH. In a sorted tally the last
 * of the rows with the same value is the longest. */
static void find_longest_depths(const tally *t, int32_t longest[2]) {
  longest[0] = longest[1] = TAULER_NO_DEPTH;
  for (size_t i = 0; i < t->used; i++) {
    const plain_cell cell = t->slots[i].cell;
    if (cell.lower != 0) longest[cell.lower < 0] = cell.depth_lower;
  }
}

/* Returns a width at which lines have at most 100 columns. */
static int count_column_width(const stats_job *job) {
  return job->settings.with_depths ? 10 : 13;
}

static const int depth_widths[2] = {6, 7};

static void print_list_line(const stats_job *job, const char *slice, const tally *t) {
  const tally_shares s = tally_shares_of(t);
  const double all = s.positions ? (double)s.positions : 1;
  printf("%-8s  %*" PRIu64, slice, count_column_width(job), s.positions);
  for (int i = 0; i < TALLY_SHARES - 1; i++) {
    const terminal_ink ink = share_ink(job, i);
    printf("  %s%*" PRIu64 " %6.2f %%%s", ink.on, count_column_width(job), s.counts[i],
           100.0 * (double)s.counts[i] / all, ink.off);
  }
  if (job->settings.with_depths) {
    int32_t longest[2];
    find_longest_depths(t, longest);
    for (int i = 0; i < 2; i++) printf("  %*s", depth_widths[i], depth_in_words(longest[i]).text);
  }
  printf("\n");
}

void print_counts_header(const stats_job *job) {
  json_field fields[ROW_FIELDS];
  set_row_fields(job, "", &(tally_row){.count = 0}, fields);
  if (job->form == FORM_CSV) stats_print_row(true, fields, ROW_FIELDS);
  if (!prints_list(job)) return;
  printf("%-8s  %*s", "slice", count_column_width(job), job->tables->game->unit);
  for (int i = 0; i < TALLY_SHARES - 1; i++) {
    const terminal_ink ink = share_ink(job, i);
    printf("  %s%*s%s %8s", ink.on, count_column_width(job), share_names[i], ink.off, "");
  }
  if (job->settings.with_depths) printf("  %*s  %*s", depth_widths[0], "win in", depth_widths[1], "loss in");
  printf("\n");
}

void print_counts(const stats_job *job, const char *slice, const tally *counted) {
  static void (*const forms[])(const stats_job *, const char *, const tally *) = {
      [FORM_TEXT] = print_text, [FORM_CSV] = print_csv, [FORM_JSON] = print_counts_json};
  (prints_list(job) ? print_list_line : forms[job->form])(job, slice, counted);
}

void print_counts_total(const stats_job *job, const tally *counted) {
  print_counts(job, "total", counted);
  if (!prints_list(job) || !job->settings.with_depths) return;
  printf("\n");
  print_text(job, "total", counted);
}
