/* Answers with the number of positions of a slice by value, from the headers of tables. Pairs of bounds,
 * which are in two tables, are counted if the slice is small enough. In games of dice, answers with the
 * quantities of the start instead. */
#include "analysis/print/print.h"
#include "analysis/probe/chance_worth.h"
#include "analysis/serve/api_parts.h"
#include "analysis/stats/tally.h"

enum { MOST_COUNTED = 1 << 20 };

static void begin_stats(json_writer *json, const tauler_tables *tables, const api_call *call,
                        const slice_entry *entry, const char *table) {
  const game *g = tables->game;
  json_open_buffer(json);
  json_begin_object(json);
  json_fields(json, JSON_TEXT("game", g->name), JSON_TEXT("rules", g->rules_text(tables->rules)),
              JSON_TEXT("cycles", g->cycles_text(tables->rules)), JSON_TEXT("slice", call->slice),
              JSON_COUNT("positions", entry->positions), JSON_TEXT("table", table));
}

static void add_counts_of_values(json_writer *json, const table_header *header) {
  json_field_array(json, "counts");
  for (size_t i = 0; i < header->counts_used; i++) {
    json_object(json, JSON_INTEGER("value", header->counts[i].value),
                JSON_COUNT("count", header->counts[i].count));
  }
  json_end_array(json);
}

static void add_counts_of_bounds(json_writer *json, const tally *counted) {
  json_begin_array(json);
  for (size_t i = 0; i < counted->used; i++) {
    const tally_row *row = &counted->slots[i];
    json_object(json, JSON_INTEGER("lower", row->cell.lower), JSON_INTEGER("upper", row->cell.upper),
                JSON_COUNT("count", row->count));
  }
  json_end_array(json);
}

/* Writes null if the slice is too large to be counted for one question. */
static tauler_error add_bounds(json_writer *json, tauler_tables *tables, const slice_entry *entry,
                               tauler_message *message) {
  static const tally_settings alone = {.threads = 1};
  tally counted = {0};
  json_key(json, "counts");
  if (entry->positions > MOST_COUNTED) {
    json_null(json);
    return TAULER_OK;
  }
  const tauler_error error = tally_slice(tables, entry->slice, NULL, &alone, &counted, message);
  if (!error) {
    tally_sort(&counted);
    add_counts_of_bounds(json, &counted);
  }
  tally_free(&counted);
  return error;
}

static tauler_error add_quantities(json_writer *json, tauler_tables *tables, const slice_entry *entry,
                                   tauler_message *message) {
  game_position start;
  chance_values values;
  char text[GAME_TEXT_BYTES];
  tables->game->chance->start(tables->rules, entry->slice, &start);
  tables->game->print(tables->rules, &start, text);
  const tauler_error error = chance_values_of(tables, &start, &values, message);
  if (error) return error;
  json_field_string(json, "position", text);
  json_field_object(json, "quantities");
  const shown_quantities shown = chance_show_quantities(&entry->quantities, &values);
  for (int i = 0; i < shown.used; i++) {
    const tauler_worth worth = shown.list[i].worth;
    json_fields(json, dice_bounds_field(shown.list[i].name, worth.known, worth.lower, worth.upper));
  }
  json_end_object(json);
  return TAULER_OK;
}

static tauler_error add_figures(json_writer *json, tauler_tables *tables, const slice_entry *entry,
                                const table *first, tauler_message *message) {
  if (tables->kind == SOLVE_CHANCE) return add_quantities(json, tables, entry, message);
  if (tables->kind == SOLVE_GUARANTEES && !slice_is_exact(entry))
    return add_bounds(json, tables, entry, message);
  add_counts_of_values(json, table_get_header(first));
  return TAULER_OK;
}

void api_answer_stats(tauler_tables *tables, const api_call *call, api_response *out) {
  tauler_message message;
  uint32_t slice;
  slice_entry *entry;
  const table *first = NULL;
  slice_digests digests;
  json_writer json;
  tauler_error error = tauler_find_slice(tables, call->slice, &slice, NULL, &message);
  if (!error) error = slice_entry_find(tables, slice, &entry, &message);
  if (!error) error = slice_digests_of(tables, entry, &digests, &first, &message);
  if (error) {
    api_set_failure(out, error, &message, NULL);
    return;
  }
  begin_stats(&json, tables, call, entry, digests.text);
  error = add_figures(&json, tables, entry, first, &message);
  if (error) {
    (void)json_close(&json, NULL);
    api_set_failure(out, error, &message, NULL);
    return;
  }
  json_end_object(&json);
  api_set_json(out, 200, &json, API_ASK_AGAIN);
}
