/* Answers with the squares of a board. */
#include "analysis/probe/probe_tables.h"
#include "analysis/serve/api_parts.h"

static void add_square(json_writer *json, const game_square *square, int number) {
  json_object(json, JSON_INTEGER("square", number), JSON_TEXT("kind", square->kind),
              json_or_nothing(square->to >= 0, JSON_INTEGER("to", square->to)),
              json_or_nothing(square->turns > 0, JSON_INTEGER("turns", square->turns)),
              json_or_nothing(square->waits, JSON_FLAG("waits", true)));
}

void api_answer_board(tauler_tables *tables, const api_call *call, api_response *out) {
  (void)call;
  const game *g = tables->game;
  game_square square;
  int length = 0;
  if (!g->square) {
    api_set_error(out, 404, "not found", "this game has no board of squares that its rules describe");
    return;
  }
  while (g->square(tables->rules, length + 1, &square)) length++;
  json_writer json;
  json_open_buffer(&json);
  json_begin_object(&json);
  json_fields(&json, JSON_TEXT("game", g->name), JSON_TEXT("rules", g->rules_text(tables->rules)),
              JSON_INTEGER("length", length));
  json_field_array(&json, "squares");
  for (int number = 0; g->square(tables->rules, number, &square); number++)
    add_square(&json, &square, number);
  json_end_array(&json);
  json_end_object(&json);
  api_set_json(out, 200, &json, API_ASK_AGAIN);
}
