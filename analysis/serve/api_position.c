/* Answers about positions and lines of play. */
#include "analysis/print/print_answer.h"
#include "analysis/serve/api_routes.h"

static void set_answer(const tauler_answer *answer, const tauler_line *line, api_response *out) {
  json_writer json;
  json_open_buffer(&json);
  answer_to_json(&json, answer, line);
  api_set_json(out, 200, &json);
  if (out->status == 200) api_set_keeping(out, API_ASK_AGAIN);
}

void api_answer_position(tauler_tables *tables, const api_call *call, api_response *out) {
  tauler_message message;
  tauler_answer *answer;
  const tauler_error error = tauler_probe(tables, call->position, &answer, &message);
  if (error) {
    api_set_failure(out, error, message.text, answer);
  } else {
    set_answer(answer, NULL, out);
  }
  tauler_answer_free(answer);
}

void api_answer_line(tauler_tables *tables, const api_call *call, api_response *out) {
  tauler_message message;
  tauler_answer *answer = NULL;
  tauler_line *line = NULL;
  tauler_error error = tauler_probe(tables, call->position, &answer, &message);
  if (!error) error = tauler_play(tables, call->position, call->most_moves, &line, &message);
  if (!error || (error == TAULER_TABLE_MISSING && line)) {
    set_answer(answer, line, out);
  } else {
    const bool answered = error == TAULER_TABLE_MISSING;
    api_set_failure(out, error, message.text, answered ? answer : NULL);
  }
  tauler_line_free(line);
  tauler_answer_free(answer);
}
