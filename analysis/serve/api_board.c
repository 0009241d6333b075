#include "analysis/probe/probe_tables.h"
#include "analysis/serve/api_routes.h"
#include "games/game_chance.h"

static const char *kind_name(const goose_board *board, int square) {
  static const char *const names[] = {
      [GOOSE_PLAIN] = "plain", [GOOSE_GOOSE] = "goose", [GOOSE_BRIDGE] = "bridge",
      [GOOSE_DICE] = "dice",   [GOOSE_INN] = "inn",     [GOOSE_PRISON] = "prison",
      [GOOSE_WELL] = "well",   [GOOSE_DEATH] = "death", [GOOSE_LABYRINTH] = "labyrinth",
  };
  if (square == 0) return "start";
  return square == board->length ? "end" : names[board->square[square].kind];
}

static bool leads_on(goose_square square) {
  switch ((goose_kind)square.kind) {
  case GOOSE_GOOSE:
  case GOOSE_BRIDGE:
  case GOOSE_DICE:
  case GOOSE_DEATH:
    return true;
  case GOOSE_LABYRINTH:
    return square.turns == 0;
  default:
    return false;
  }
}

static void add_square(json_writer *json, const goose_board *board, int number) {
  const goose_square square = board->square[number];
  json_begin_object(json);
  json_field_integer(json, "square", number);
  json_field_string(json, "kind", kind_name(board, number));
  if (number < board->length && leads_on(square)) json_field_integer(json, "to", square.to);
  if (square.turns > 0) json_field_integer(json, "turns", square.turns);
  if (square.kind == GOOSE_WELL && square.turns == 0) json_field_bool(json, "waits", true);
  json_end_object(json);
}

void api_answer_board(tauler_tables *tables, const api_call *call, api_response *out) {
  (void)call;
  const game_chance *chance = tables->game->chance;
  if (!chance || !chance->goose_board) {
    api_set_error(out, 404, "not found",
                  "this game has no board of squares that its rules describe; oca and oca-asesina have");
    return;
  }
  const goose_board *board = chance->goose_board(tables->rules);
  json_writer json;
  json_open_buffer(&json, JSON_COMPACT);
  json_begin_object(&json);
  json_field_string(&json, "game", tables->game->name);
  json_field_string(&json, "rules", tables->game->rules_text(tables->rules));
  json_field_integer(&json, "length", board->length);
  json_key(&json, "squares");
  json_begin_array(&json);
  for (int number = 0; number <= board->length; number++) add_square(&json, board, number);
  json_end_array(&json);
  json_end_object(&json);
  api_set_json(out, 200, &json);
  api_set_keeping(out, API_ASK_AGAIN);
}
