/* Visits the slices of a request, with plain values in memory if they fit. */
#include "analysis/slices/bulk.h"

#include <stdio.h>
#include <stdlib.h>

enum { STEP_BYTES = GAME_TEXT_BYTES + 16 };

static bool is_shortage(tauler_error error) {
  return error == TAULER_NO_MEMORY || error == TAULER_NO_SPACE;
}

/* If the slice does not fit, frees all slices, and later calls load none. */
static tauler_error load_slice(bulk **values, uint32_t slice, bulk_slice *loaded, tauler_message *message) {
  *loaded = (bulk_slice){.slice = slice};
  if (!*values) return TAULER_OK;
  const tauler_error error = bulk_load(*values, slice, loaded, message);
  if (!is_shortage(error)) return error;
  bulk_close(*values);
  *values = NULL;
  *loaded = (bulk_slice){.slice = slice};
  return TAULER_OK;
}

/* Finds the place of the last slice that needs each slice, or its own place. *out becomes NULL if all stay
 * in memory. The caller frees *out. */
static tauler_error find_last_uses(const bulk_walk *w, size_t **out, tauler_message *message) {
  const game *g = w->tables->game;
  const game_slices *all = w->slices;
  *out = NULL;
  if (!g->needs || all->used == 0) return TAULER_OK;
  const uint32_t room = game_slices_largest(all) + 1;
  size_t *last = calloc(room, sizeof *last);
  if (!last) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a list of slices");
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < all->used && !error; i++) {
    game_slices needs = {0};
    last[all->slices[i].slice] = i;
    error = g->needs(w->tables->rules, all->slices[i].slice, &needs, message);
    for (size_t n = 0; n < needs.used && !error; n++) last[needs.slices[n].slice] = i;
    free(needs.slices);
  }
  *out = last;
  return error;
}

static void drop_unneeded_slices(const game_slices *all, bulk *values, size_t done, const size_t *last) {
  for (size_t i = 0; values && last && i <= done; i++)
    if (last[all->slices[i].slice] == done) bulk_drop(values, all->slices[i].slice);
}

static void start_slice_progress(const bulk_walk *w, const game_slice *slice, char step[STEP_BYTES]) {
  char name[GAME_TEXT_BYTES];
  w->tables->game->slice_name(w->tables->rules, slice->slice, name);
  snprintf(step, STEP_BYTES, "slice %s", name);
  progress_start(w->shown, step, w->tables->game->unit, slice->positions, 0);
}

tauler_error bulk_walk_slices(const bulk_walk *w, tauler_message *message) {
  bulk *values = NULL;
  size_t *last = NULL;
  tauler_error error = TAULER_OK;
  if (w->in_memory) {
    error = find_last_uses(w, &last, message);
    if (!error)
      error = bulk_open(w->tables, game_slices_largest(w->slices), w->threads, w->memory, &values, message);
    if (is_shortage(error)) error = TAULER_OK;
  }
  for (size_t i = 0; i < w->slices->used && !error; i++) {
    const game_slice *slice = &w->slices->slices[i];
    char step[STEP_BYTES];
    bulk_slice loaded;
    if (w->shown) start_slice_progress(w, slice, step);
    error = load_slice(&values, slice->slice, &loaded, message);
    if (!error && slice->asked) error = w->visit(w->user, slice->slice, &loaded, message);
    if (w->shown) progress_abandon(w->shown);
    drop_unneeded_slices(w->slices, values, i, last);
    if (w->done && !error) *w->done = i + 1;
  }
  bulk_close(values);
  free(last);
  return error;
}
