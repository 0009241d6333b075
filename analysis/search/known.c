/* Looks up the positions that a search meets in tables. */
#include "analysis/search/search.h"

enum { SLICE_NOT_ASKED, SLICE_HAS_TABLES, SLICE_HAS_NONE };

static tauler_error find_tables(known_tables *k, uint32_t slice, bool *have) {
  *have = false;
  if (slice >= KNOWN_SLICES) return TAULER_OK;
  if (k->slices[slice] == SLICE_NOT_ASKED) {
    slice_entry *entry = slice_entry_of(k->tables, slice, k->message);
    tauler_error error = entry ? TAULER_OK : TAULER_NO_MEMORY;
    for (int plane = 0; plane < k->tables->planes && !error; plane++) {
      const table *from;
      error = slice_table(k->tables, entry, STREAMS_VALUE, plane, &from, k->message);
    }
    if (error && error != TAULER_TABLE_MISSING) return error;
    k->slices[slice] = error ? SLICE_HAS_NONE : SLICE_HAS_TABLES;
  }
  *have = k->slices[slice] == SLICE_HAS_TABLES;
  return TAULER_OK;
}

static tauler_error resolve_bounds(known_tables *k, game_place place, int bounds[2]) {
  bounds[0] = bounds[1] = 0;
  const tauler_error error = resolve_value(k->tables, 0, place, NULL, &bounds[0], k->message);
  bounds[1] = bounds[0];
  return error || k->tables->planes == 1 ? error
                                         : resolve_value(k->tables, 1, place, NULL, &bounds[1], k->message);
}

tauler_error known_bounds(known_tables *k, const game_position *position, bool *is_known, int bounds[2]) {
  const game *g = k->tables->game;
  game_place place;
  tauler_error error = find_tables(k, g->slice_of(k->tables->rules, position), is_known);
  if (error || !*is_known) return error;
  *is_known = g->locate(k->tables->rules, position, &place);
  if (*is_known) error = resolve_bounds(k, place, bounds);
  /* If a cell is left out, it is computed from other tables, which may be missing. */
  if (error == TAULER_TABLE_MISSING) {
    *is_known = false;
    return TAULER_OK;
  }
  k->probes += *is_known;
  return error;
}
