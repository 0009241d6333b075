#include "analysis/stats_counts.h"

#include <stdio.h>
#include <stdlib.h>

#include "analysis/bulk.h"

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
  return !tally_is_in_headers(j->tables, &j->settings);
}

static tauler_error open_streams(const stats_counts_job *j, uint32_t slice, tauler_message *message) {
  slice_entry *entry = slice_entry_of(j->tables, slice, message);
  if (!entry) return TAULER_NO_MEMORY;
  for (int plane = 0; plane < j->tables->planes; plane++) {
    const table *opened;
    tauler_error error = slice_table(j->tables, entry, STREAMS_VALUE, plane, &opened, message);
    if (!error && (j->settings.with_depths || bulk_has_words(j->tables))) {
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

/* Loads the slice's values where that helps and they fit; from the first that does not fit on, all
 * are looked up. */
static tauler_error load_values(bulk **values, uint32_t slice, bulk_slice *loaded, tauler_message *message) {
  *loaded = (bulk_slice){NULL, NULL};
  if (!*values) return TAULER_OK;
  const tauler_error error = bulk_load(*values, slice, loaded, message);
  if (error != TAULER_NO_MEMORY) return error;
  bulk_close(*values);
  *values = NULL;
  *loaded = (bulk_slice){NULL, NULL};
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
  }
  for (size_t i = 0; i < runs.used; i++) tally_free(&runs.runs[i].counted);
  free(runs.runs);
  return error;
}

/* For each slice the last one in the order that needs it, itself where none does; NULL: all are kept.
 * The caller frees it. */
static tauler_error find_last_uses(const stats_counts_job *j, size_t **out, tauler_message *message) {
  const game *g = j->tables->game;
  const game_slices *all = j->slices;
  *out = NULL;
  if (!g->needs || all->used == 0) return TAULER_OK;
  const uint32_t room = game_slices_largest(all) + 1;
  size_t *last = calloc(room, sizeof *last);
  if (!last) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a list of slices");
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < all->used && !error; i++) {
    game_slices needs = {0};
    last[all->slices[i].slice] = i;
    error = g->needs(j->tables->rules, all->slices[i].slice, &needs, message);
    for (size_t n = 0; n < needs.used && !error; n++) last[needs.slices[n].slice] = i;
    free(needs.slices);
  }
  *out = last;
  return error;
}

static void drop_unneeded(const stats_counts_job *j, bulk *values, size_t done, const size_t *last) {
  const game *g = j->tables->game;
  if (!values || !last) return;
  const uint32_t slice = j->slices->slices[done].slice;
  game_slices needs = {0};
  if (last[slice] == done) bulk_drop(values, slice);
  if (g->needs(j->tables->rules, slice, &needs, NULL)) return; /* they go with the last */
  for (size_t n = 0; n < needs.used; n++) {
    if (last[needs.slices[n].slice] == done) bulk_drop(values, needs.slices[n].slice);
  }
  free(needs.slices);
}

static tauler_error count_slices(const stats_counts_job *j, const counts_output *shown, bulk **values,
                                 const size_t *last, tally *total, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < j->slices->used && !error && !ferror(stdout); i++) {
    const game_slice *slice = &j->slices->slices[i];
    bulk_slice loaded;
    error = load_values(values, slice->slice, &loaded, message);
    if (!error && slice->asked) error = count_slice(j, shown, slice->slice, &loaded, total, message);
    drop_unneeded(j, *values, i, last);
  }
  return error;
}

tauler_error stats_counts(const stats_counts_job *j, tauler_message *message) {
  const counts_output shown = {j->tables, j->settings.with_depths, j->settings.outside, j->form};
  tally total = {0};
  bulk *values = NULL;
  size_t *last = NULL;
  tauler_error error = open_all(j, message);
  if (!error && reads_cells(j)) {
    error = find_last_uses(j, &last, message);
    if (!error)
      error = bulk_open(j->tables, game_slices_largest(j->slices), j->settings.threads, j->memory, &values,
                        message);
    if (error == TAULER_NO_MEMORY) error = TAULER_OK;
  }
  if (!error) print_counts_header(&shown);
  if (!error) error = count_slices(j, &shown, &values, last, &total, message);
  if (!error && j->with_total) {
    tally_sort(&total);
    print_counts_total(&shown, &total);
  }
  bulk_close(values);
  tally_free(&total);
  free(last);
  return error;
}
