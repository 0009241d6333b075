/* Draws the plot of statistics: passes the counts as JSON to Python. */
#include "analysis/stats/stats.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "analysis/probe/text_pool.h"
#include "analysis/python/start_python.h"
#include "base/durable_file.h"
#include "base/json.h"
#include "base/memory.h"

static const char module[] = "tauler._counts";

typedef struct {
  const char *name;
  tally_shares shares;
} counted_slice;

struct stats_plot {
  const char *path;
  plot_subject subject;
  counted_slice *slices;
  size_t slices_used, slices_room;
  tally drawn; /* counts of the last slice for PLOT_VALUES, otherwise of all slices */
  text_pool pool;
};

static tauler_error no_memory_for_plot(tauler_message *message) {
  return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a plot");
}

static bool ends_with(const char *path, const char *end) {
  const size_t length = strlen(path), wanted = strlen(end);
  return length > wanted && strcmp(path + length - wanted, end) == 0;
}

tauler_error stats_plot_open(const char *path, plot_subject subject, stats_plot **out,
                             tauler_message *message) {
  durable_file *file;
  *out = NULL;
  if (!ends_with(path, ".svg") && !ends_with(path, ".png"))
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "--plot takes a file whose name ends with .svg or .png, not '%.200s'", path);
  tauler_error error = run_python(module, (const char *const[]){NULL}, -1, message);
  if (!error) error = durable_file_create(path, &file, message);
  if (error) return error;
  durable_file_abandon(file);
  stats_plot *p = calloc(1, sizeof *p);
  if (!p) return no_memory_for_plot(message);
  p->path = path;
  p->subject = subject;
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
    return no_memory_for_plot(message);
  const char *name = text_pool_add(&p->pool, slice);
  if (!name) return no_memory_for_plot(message);
  p->slices[p->slices_used++] = (counted_slice){name, tally_shares_of(counted)};
  if (p->subject == PLOT_VALUES) {
    tally_free(&p->drawn);
    p->drawn = (tally){.slots = NULL};
  }
  return tally_add_all(&p->drawn, counted, message);
}

static void print_slices(json_writer *json, const stats_plot *p) {
  json_field_array(json, "slices");
  for (size_t i = 0; i < p->slices_used; i++) {
    json_begin_array(json);
    json_string(json, p->slices[i].name);
    for (int share = 0; share < TALLY_SHARES; share++) json_unsigned(json, p->slices[i].shares.counts[share]);
    json_end_array(json);
  }
  json_end_array(json);
}

static void print_rows(json_writer *json, const stats_plot *p) {
  json_field_array(json, "rows");
  for (size_t i = 0; i < p->drawn.used; i++) {
    const plain_cell *cell = &p->drawn.slots[i].cell;
    json_array(json, JSON_INTEGER(NULL, cell->lower), JSON_INTEGER(NULL, cell->upper),
               JSON_INTEGER(NULL, cell->depth_lower), JSON_INTEGER(NULL, cell->depth_upper),
               JSON_COUNT(NULL, p->drawn.slots[i].count));
  }
  json_end_array(json);
}

static void counts_to_json(json_writer *json, stats_plot *p, const tauler_tables *tables) {
  static const char *const subjects[] = {"winners", "values", "depths"};
  json_begin_object(json);
  json_fields(json, JSON_TEXT("subject", subjects[p->subject]), JSON_TEXT("game", tables->game->name),
              JSON_TEXT("rules", tables->game->rules_text(tables->rules)),
              JSON_TEXT("cycles", tables->game->cycles_text(tables->rules)),
              JSON_TEXT("slice_unit", tables->game->slice_unit), JSON_TEXT("unit", tables->game->unit),
              JSON_FLAG("outcomes", tables->kind == SOLVE_OUTCOMES), JSON_FLAG("bounds", tables->planes > 1),
              JSON_FLAG("stages", tables_have_stages(tables)));
  print_slices(json, p);
  tally_sort(&p->drawn);
  print_rows(json, p);
  json_end_object(json);
}

tauler_error stats_plot_draw(stats_plot *p, const tauler_tables *tables, tauler_message *message) {
  json_writer json;
  const int counts = memfd_create("counts", MFD_CLOEXEC);
  FILE *file = counts < 0 ? NULL : fdopen(counts, "w");
  if (!file) {
    const int cause = errno;
    if (counts >= 0) close(counts);
    return tauler_fail(message, tauler_errno_error(cause), "no file for what is drawn: %s", strerror(cause));
  }
  json_open_file(&json, file);
  counts_to_json(&json, p, tables);
  tauler_error error = json_close(&json, message);
  lseek(counts, 0, SEEK_SET);
  if (!error) error = run_python(module, (const char *const[]){p->path, NULL}, counts, message);
  fclose(file);
  return error;
}
