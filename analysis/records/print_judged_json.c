/* Prints a judged game as JSON. */
#include <stdint.h>
#include <string.h>

#include "analysis/print/print.h"
#include "analysis/records/judge.h"

/* Makes the field with the bounds on a loss, or null if it is not judged. An infinite upper bound is null. */
static json_field given_away_field(bool judged, double lower, double upper) {
  return json_or_null(judged, JSON_RANGE("given_away", lower, upper));
}

static void names_to_json(json_writer *json, const char *names) {
  json_key(json, "moves");
  if (!*names) {
    json_null(json);
    return;
  }
  json_begin_array(json);
  while (*names) {
    const size_t length = strcspn(names, " ");
    json_string_part(json, names, length);
    names += length + (names[length] == ' ');
  }
  json_end_array(json);
}

static void worth_to_json(json_writer *json, tauler_worth worth, bool stages) {
  json_fields(json, worth_value_field("value", worth), worth_bounds_field("bounds", worth),
              worth_depth_field(worth, stages));
}

static void move_to_json(json_writer *json, const judged_game *judged, size_t i) {
  const judged_move *move = &judged->moves[i];
  json_begin_object(json);
  json_fields(json, JSON_COUNT("number", i + 1), JSON_COUNT("line", move->item->line),
              JSON_COUNT("column", move->item->column), JSON_TEXT("move", move->name),
              JSON_TEXT("turn", move->turn), JSON_TEXT("position", move->position),
              JSON_TEXT("slice", move->slice));
  worth_to_json(json, move->made, judged->stages);
  json_field_object(json, "best");
  names_to_json(json, move->best_moves);
  worth_to_json(json, move->best, judged->stages);
  json_end_object(json);
  if (judged->counts)
    json_object_at(json, "history", worth_bounds_field("bounds", move->line_made),
                   worth_bounds_field("best", move->line_best), JSON_FLAG("judges", move->by_line));
  json_fields(json, JSON_FLAG("made_best", move->made_best),
              given_away_field(move->judged, move->given_lower, move->given_upper),
              JSON_TEXT("before", tauler_category_name(move->before)),
              JSON_TEXT("after", tauler_category_name(move->after)));
  json_end_object(json);
}

static json_field ordinal_field(const char *key, size_t i) {
  return json_or_null(i != SIZE_MAX, JSON_COUNT(key, i + 1));
}

static void side_to_json(json_writer *json, const judged_game *judged, int which) {
  const judged_side *side = &judged->sides[which];
  json_object(json, JSON_TEXT("side", judged->side_names[which]), JSON_TEXT("player", judged->players[which]),
              JSON_COUNT("moves", side->moves), JSON_COUNT("judged", side->judged),
              JSON_COUNT("bounded", side->bounded),
              given_away_field(side->judged > side->bounded, side->given_lower, side->given_upper),
              ordinal_field("worst", side->worst), ordinal_field("first_change", side->first_change));
}

static void end_to_json(json_writer *json, const judged_game *judged) {
  static const char *const checks[] = {"unsaid", "open", "agrees", "differs"};
  json_object_at(json, "end", JSON_TEXT("position", *judged->end ? judged->end : NULL),
                 JSON_FLAG("over", judged->over), JSON_FLAG("repeated", judged->repeated),
                 worth_bounds_field("bounds", judged->end_worth), JSON_TEXT("result", judged->reached),
                 JSON_TEXT("expected", judged->expected), JSON_TEXT("record", judged->result),
                 json_or_null(judged->result, JSON_COUNT("record_line", judged->result_line)),
                 JSON_TEXT("check", checks[judged->check]));
}

tauler_error judged_print_json(FILE *out, const judged_game *judged, const record *r, const char *file,
                               size_t number, tauler_message *message) {
  json_writer json;
  json_open_line(&json, out);
  json_fields(&json, JSON_TEXT("file", file), JSON_COUNT("number", number), JSON_COUNT("line", r->line),
              JSON_TEXT("game", judged->game->name), JSON_TEXT("rules", judged->rules),
              JSON_TEXT("cycles", judged->cycles));
  json_field_array(&json, "tags");
  for (size_t i = 0; i < r->tags_used; i++)
    json_array(&json, JSON_TEXT(NULL, r->tags[i].name), JSON_TEXT(NULL, r->tags[i].value));
  json_end_array(&json);
  json_field_string(&json, "start", judged->start);
  json_field_array(&json, "contradictions");
  for (size_t i = 0; i < judged->contradictions_used; i++) json_string(&json, judged->contradictions[i]);
  json_end_array(&json);
  json_field_array(&json, "moves");
  for (size_t i = 0; i < judged->moves_used; i++) move_to_json(&json, judged, i);
  json_end_array(&json);
  end_to_json(&json, judged);
  json_field_array(&json, "sides");
  for (int side = 0; side < JUDGED_SIDES; side++) side_to_json(&json, judged, side);
  json_end_array(&json);
  json_end_object(&json);
  return json_close(&json, message);
}
