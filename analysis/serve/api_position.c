/* Answers about positions, lines of play, and by searches above the tables. */
#include <stdio.h>
#include <string.h>

#include "analysis/print/print_answer.h"
#include "analysis/probe/probe_tables.h"
#include "analysis/serve/api_routes.h"
#include "base/clock.h"

/* Memory of a search: as many run at once as there are workers. */
enum { SEARCH_MEMORY = 64 << 20 };

/* Limits of a list: of processor time, and of bytes to answer with. */
enum { MOST_POSITIONS = 1000, MOST_SECONDS = 5, MOST_ANSWERED = 16 << 20 };

static void set_answer(const tauler_answer *answer, const tauler_line *line, api_response *out) {
  json_writer json;
  json_open_buffer(&json);
  answer_to_json(&json, answer, line);
  api_set_json(out, 200, &json);
  if (out->status != 200) return;
  /* Another search may come further. */
  api_set_keeping(out, answer->searched.done ? API_NOT_KEPT : API_ASK_AGAIN);
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

void api_answer_search(tauler_tables *tables, const api_call *call, api_response *out) {
  const tauler_search_limits limits = {
      .seconds = call->seconds, .positions = call->positions, .memory = SEARCH_MEMORY};
  tauler_message message;
  tauler_answer *answer;
  if (tables->kind == SOLVE_CHANCE) {
    api_set_error(out, 400, tauler_error_name(TAULER_BAD_USAGE),
                  "positions of games of dice are not searched");
    return;
  }
  const tauler_error error = tauler_search(tables, call->position, &limits, &answer, &message);
  if (error) {
    api_set_failure(out, error, message.text, answer);
  } else {
    set_answer(answer, NULL, out);
  }
  tauler_answer_free(answer);
}

/* The next line of the body that has anything on it; false: there is none. */
static bool next_line(const char **at, const char *end, char line[API_MOST_QUERY + 1]) {
  while (*at < end) {
    const char *stop = memchr(*at, '\n', (size_t)(end - *at));
    const size_t length = (size_t)((stop ? stop : end) - *at);
    snprintf(line, API_MOST_QUERY + 1, "%.*s", (int)length, *at);
    *at = stop ? stop + 1 : end;
    if (line[strspn(line, " \t\r")]) return true;
  }
  return false;
}

static void add_position(tauler_tables *tables, const char *position, json_writer *json) {
  tauler_message message;
  tauler_answer *answer;
  const tauler_error error = tauler_probe(tables, position, &answer, &message);
  if (error) {
    api_add_failure(json, error, message.text, answer);
  } else {
    answer_to_json(json, answer, NULL);
  }
  tauler_answer_free(answer);
}

static size_t count_lines(const api_call *call) {
  const char *at = call->body ? call->body : "", *end = at + call->body_length;
  char line[API_MOST_QUERY + 1];
  size_t lines = 0;
  while (next_line(&at, end, line)) lines++;
  return lines;
}

static bool has_room(json_writer *json, double until) {
  size_t length;
  json_text(json, &length);
  return length < MOST_ANSWERED && clock_thread_cpu() < until;
}

void api_answer_positions(tauler_tables *tables, const api_call *call, api_response *out) {
  const size_t lines = count_lines(call);
  const char *at = call->body, *end = at + call->body_length;
  const double until = clock_thread_cpu() + MOST_SECONDS;
  char line[API_MOST_QUERY + 1];
  json_writer json;
  if (lines == 0 || lines > MOST_POSITIONS) {
    api_set_error(out, 400, tauler_error_name(TAULER_BAD_USAGE),
                  lines ? "a list has at most 1000 positions; ask for the others in another request"
                        : "positions are missing: they are the body of the request, one a line");
    return;
  }
  json_open_buffer(&json);
  json_begin_object(&json);
  json_key(&json, "answers");
  json_begin_array(&json);
  while (next_line(&at, end, line)) {
    if (has_room(&json, until)) {
      add_position(tables, line, &json);
    } else {
      api_add_failure(&json, TAULER_STOPPED,
                      "earlier answers used up the limit of a request; ask for this position again", NULL);
    }
  }
  json_end_array(&json);
  json_end_object(&json);
  api_set_json(out, 200, &json);
  if (out->status == 200) api_set_keeping(out, API_NOT_KEPT);
}
