/* Finds the worths of many positions in the order of the tables, so that frames are rarely read twice. */
#include <stdlib.h>

#include "analysis/probe/answer.h"
#include "analysis/probe/probe_tables.h"

typedef struct {
  uint32_t slice;
  uint64_t index;
  size_t order; /* ordinal in the caller's list */
  game_position position;
} asked_place;

static int compare_by_place(const void *left, const void *right) {
  const asked_place *a = left, *b = right;
  if (a->slice != b->slice) return a->slice < b->slice ? -1 : 1;
  if (a->index != b->index) return a->index < b->index ? -1 : 1;
  return a->order < b->order ? -1 : 1;
}

static tauler_error fail_for_position(size_t order, tauler_error error, tauler_message *message) {
  tauler_message of_one;
  if (!message) return error;
  of_one = *message;
  return tauler_fail(message, error, "position %zu of the list: %.900s", order, of_one.text);
}

static tauler_error find_place(tauler_tables *tables, const char *text, size_t order, asked_place *out,
                               tauler_message *message) {
  line_past past;
  game_place place = {.slice = GAME_NO_SLICE};
  const tauler_error error =
      line_past_read(tables->game, tables->rules, text, &out->position, &past, message);
  line_past_free(&past);
  if (error) return fail_for_position(order, error, message);
  tables->game->locate(tables->rules, &out->position, &place);
  out->slice = place.slice;
  out->index = place.index;
  out->order = order;
  return TAULER_OK;
}

tauler_error tauler_values(tauler_tables *tables, const char *const *positions, size_t count,
                           tauler_worth *worths, tauler_message *message) {
  asked_place *places = calloc(count + 1, sizeof *places);
  if (!places) return tauler_fail(message, TAULER_NO_MEMORY, "no memory for a list of %zu positions", count);
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < count; i++) worths[i].known = false;
  for (size_t i = 0; !error && i < count; i++)
    error = find_place(tables, positions[i], i, &places[i], message);
  if (!error) qsort(places, count, sizeof *places, compare_by_place);
  for (size_t i = 0; !error && i < count; i++) {
    const size_t at = places[i].order;
    error = value_of_position(tables, &places[i].position, &worths[at], message);
    if (error == TAULER_TABLE_MISSING) error = TAULER_OK;
    if (error) error = fail_for_position(at, error, message);
  }
  free(places);
  return clear_message(error, message);
}
