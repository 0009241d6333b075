/* Prints a judged game as JSON. */
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "analysis/print/print.h"
#include "analysis/records/judge.h"

static void tags_to_json(json_writer *json, const record *r) {
  json_field_array(json, "tags");
  for (size_t i = 0; i < r->tags_used; i++) {
    json_begin_array(json);
    json_string(json, r->tags[i].name);
    json_string(json, r->tags[i].value);
    json_end_array(json);
  }
  json_end_array(json);
}

static void given_to_json(json_writer *json, bool judged, double lower, double upper) {
  json_key(json, "given_away");
  if (!judged) {
    json_null(json);
    return;
  }
  json_begin_array(json);
  json_number(json, lower);
  json_number(json, upper); /* null: nothing bounds it */
  json_end_array(json);
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
  worth_value_to_json(json, "value", worth);
  worth_bounds_to_json(json, "bounds", worth);
  worth_depth_to_json(json, worth, stages);
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
  if (judged->counts) {
    json_field_object(json, "history");
    worth_bounds_to_json(json, "bounds", move->line_made);
    worth_bounds_to_json(json, "best", move->line_best);
    json_field_bool(json, "judges", move->by_line);
    json_end_object(json);
  }
  json_field_bool(json, "made_best", move->made_best);
  given_to_json(json, move->judged, move->given_lower, move->given_upper);
  json_fields(json, JSON_TEXT("before", tauler_category_name(move->before)),
              JSON_TEXT("after", tauler_category_name(move->after)));
  json_end_object(json);
}

static void ordinal_to_json(json_writer *json, const char *key, size_t i) {
  json_key(json, key);
  if (i == SIZE_MAX) {
    json_null(json);
  } else {
    json_unsigned(json, i + 1);
  }
}

static void side_to_json(json_writer *json, const judged_game *judged, int which) {
  const judged_side *side = &judged->sides[which];
  json_begin_object(json);
  json_fields(json, JSON_TEXT("side", judged->side_names[which]), JSON_TEXT("player", judged->players[which]),
              JSON_COUNT("moves", side->moves), JSON_COUNT("judged", side->judged),
              JSON_COUNT("bounded", side->bounded));
  given_to_json(json, side->judged > side->bounded, side->given_lower, side->given_upper);
  ordinal_to_json(json, "worst", side->worst);
  ordinal_to_json(json, "first_change", side->first_change);
  json_end_object(json);
}

static void end_to_json(json_writer *json, const judged_game *judged) {
  static const char *const checks[] = {"unsaid", "open", "agrees", "differs"};
  json_field_object(json, "end");
  json_fields(json, JSON_TEXT("position", *judged->end ? judged->end : NULL), JSON_FLAG("over", judged->over),
              JSON_FLAG("repeated", judged->repeated));
  worth_bounds_to_json(json, "bounds", judged->end_worth);
  json_fields(json, JSON_TEXT("result", judged->reached), JSON_TEXT("expected", judged->expected),
              JSON_TEXT("record", judged->result));
  json_key(json, "record_line");
  if (judged->result) {
    json_unsigned(json, judged->result_line);
  } else {
    json_null(json);
  }
  json_field_string(json, "check", checks[judged->check]);
  json_end_object(json);
}

static void contradictions_to_json(json_writer *json, const judged_game *judged) {
  json_field_array(json, "contradictions");
  for (size_t i = 0; i < judged->contradictions_used; i++) json_string(json, judged->contradictions[i]);
  json_end_array(json);
}

tauler_error judged_print_json(FILE *out, const judged_game *judged, const record *r, const char *file,
                               size_t number, tauler_message *message) {
  json_writer json;
  json_open_line(&json, out);
  json_fields(&json, JSON_TEXT("file", file), JSON_COUNT("number", number), JSON_COUNT("line", r->line),
              JSON_TEXT("game", judged->game->name), JSON_TEXT("rules", judged->rules),
              JSON_TEXT("cycles", judged->cycles));
  tags_to_json(&json, r);
  json_field_string(&json, "start", judged->start);
  contradictions_to_json(&json, judged);
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
