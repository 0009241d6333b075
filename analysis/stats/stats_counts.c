#include "analysis/stats/stats_counts.h"

#include <stdio.h>
#include <stdlib.h>

#include "analysis/slices/bulk_walk.h"

/* A slice while it is counted: parts may share cells, which are counted once. */
typedef struct {
  uint64_t first, count;
  tally counted;
} counted_run;

typedef struct {
  counted_run *runs;
  size_t used;
} counted_runs;

static bool reads_cells(const stats_counts_job *j) {
  return !tally_is_in_headers(j->tables, &j->settings) || tally_has_batches(j->tables, &j->settings);
}

static tauler_error open_streams(const stats_counts_job *j, uint32_t slice, tauler_message *message) {
  slice_entry *entry = slice_entry_of(j->tables, slice, message);
  if (!entry) return TAULER_NO_MEMORY;
  for (int plane = 0; plane < j->tables->planes; plane++) {
    const table *opened;
    tauler_error error = slice_table(j->tables, entry, STREAMS_VALUE, plane, &opened, message);
    if (!error && (j->settings.with_depths || bulk_has_depths(j->tables))) {
      error = slice_table(j->tables, entry, STREAMS_DEPTH, plane, &opened, message);
    }
    if (error) return error;
  }
  return TAULER_OK;
}

/* Finds out that tables are missing before anything is printed, and says how to build all that was
 * asked for, not only the first that is missing. Cells that a table leaves out need the smaller slices. */
static tauler_error open_all(const stats_counts_job *j, tauler_message *message) {
  for (size_t i = 0; i < j->slices->used; i++) {
    const game_slice *slice = &j->slices->slices[i];
    if (!slice->asked && !reads_cells(j)) continue;
    const tauler_error error = open_streams(j, slice->slice, message);
    if (error != TAULER_TABLE_MISSING) {
      if (error) return error;
      continue;
    }
    return slice_is_missing(j->tables, j->request, slice->slice, j->settings.with_depths, message);
  }
  return TAULER_OK;
}

static tauler_error count_run(const stats_counts_job *j, uint32_t slice, const bulk_slice *loaded,
                              const game_part *part, counted_runs *runs, const tally **out,
                              tauler_message *message) {
  for (size_t i = 0; i < runs->used; i++) {
    const counted_run *run = &runs->runs[i];
    *out = &run->counted;
    if (run->first == part->first && run->count == part->count) return TAULER_OK;
  }
  counted_run *grown = realloc(runs->runs, (runs->used + 1) * sizeof *grown);
  if (!grown) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to count positions");
  runs->runs = grown;
  counted_run *run = &grown[runs->used++];
  *run = (counted_run){.first = part->first, .count = part->count};
  *out = &run->counted;
  const tauler_error error =
      j->tables->game->part
          ? tally_part(j->tables, slice, loaded, run->first, run->count, &j->settings, &run->counted, message)
          : tally_slice(j->tables, slice, loaded, &j->settings, &run->counted, message);
  if (!error) tally_sort(&run->counted);
  return error;
}

/* The i-th part of a slice; without parts the whole slice is one. */
static bool find_part(const stats_counts_job *j, uint32_t slice, size_t i, game_part *out) {
  const game *g = j->tables->game;
  if (g->part) return g->part(j->tables->rules, slice, i, out);
  g->slice_name(j->tables->rules, slice, out->name);
  out->first = 0;
  out->count = g->positions(j->tables->rules, slice);
  return i == 0;
}

static tauler_error count_slice(const stats_counts_job *j, const counts_output *shown, uint32_t slice,
                                const bulk_slice *loaded, tally *total, tauler_message *message) {
  const game *g = j->tables->game;
  counted_runs runs = {NULL, 0};
  game_part part;
  tauler_error error = TAULER_OK;
  for (size_t i = 0; !error && find_part(j, slice, i, &part); i++) {
    if (g->part_asked && !g->part_asked(j->tables->rules, j->request, &part)) continue;
    const tally *counted = NULL;
    error = count_run(j, slice, loaded, &part, &runs, &counted, message);
    if (!error && j->with_total) error = tally_add_all(total, counted, message);
    if (!error) print_counts(shown, part.name, counted);
    if (!error && j->plot) error = stats_plot_add(j->plot, part.name, counted, message);
  }
  for (size_t i = 0; i < runs.used; i++) tally_free(&runs.runs[i].counted);
  free(runs.runs);
  return error;
}

/* What a walk over the slices needs to count them. */
typedef struct {
  const stats_counts_job *job;
  const counts_output *shown;
  tally *total;
} counting;

/* Nobody reads on once standard output is lost, which is found when it is closed. */
static tauler_error visit_slice(void *user, uint32_t slice, const bulk_slice *loaded,
                                tauler_message *message) {
  const counting *c = user;
  if (ferror(stdout)) return TAULER_OK;
  return count_slice(c->job, c->shown, slice, loaded, c->total, message);
}

tauler_error stats_counts(const stats_counts_job *j, tauler_message *message) {
  const counts_output shown = {j->tables, j->settings.with_depths, j->settings.outside, j->form, j->colored};
  tally total = {0};
  counting c = {j, &shown, &total};
  const bulk_walk walk = {j->tables,   j->slices, reads_cells(j), j->settings.threads, j->memory,
                          visit_slice, &c};
  tauler_error error = open_all(j, message);
  if (!error) print_counts_header(&shown);
  if (!error) error = bulk_walk_slices(&walk, message);
  if (!error && j->with_total) {
    tally_sort(&total);
    print_counts_total(&shown, &total);
  }
  if (!error && j->plot) error = stats_plot_draw(j->plot, j->tables, message);
  tally_free(&total);
  return error;
}
