/* Answers about positions and lines of play, and searches above the tables. */
#include <stdlib.h>
#include <string.h>

#include "analysis/print/print.h"
#include "analysis/probe/probe_tables.h"
#include "analysis/serve/api_parts.h"
#include "base/clock.h"
#include "games/game_text.h"

/* Bytes of memory of a search. A server runs several searches at once. */
enum { SEARCH_MEMORY = 64 << 20 };

/* Limits of a request with a list: positions, seconds of processor time, and bytes of the answer. */
enum { MOST_POSITIONS = 1000, MOST_SECONDS = 5, MOST_ANSWERED = 16 << 20 };

static void set_answer(const tauler_answer *answer, const tauler_line *line, api_response *out) {
  json_writer json;
  json_open_buffer(&json);
  answer_to_json(&json, answer, line);
  /* Another search may prove more, so the answer of a search is not kept. */
  api_set_json(out, 200, &json, answer->searched.done ? API_NOT_KEPT : API_ASK_AGAIN);
}

/* Sets the response to an answer with its line, or to an error. If a table is missing, a line that was begun
 * is shown; without a line the error has the answer too. Frees answer and line. */
static void set_response(tauler_tables *tables, const api_call *call, tauler_error error,
                         tauler_answer *answer, tauler_line *line, tauler_message *message,
                         api_response *out) {
  const bool shown = answer && (!error || (error == TAULER_TABLE_MISSING && line));
  const tauler_error written =
      answer ? notate_answer(tables, call->notation, answer, line, message) : TAULER_OK;
  if (shown && !written) {
    set_answer(answer, line, out);
  } else {
    const bool answered = !written && error == TAULER_TABLE_MISSING;
    api_set_failure(out, written ? written : error, message, answered ? answer : NULL);
  }
  tauler_line_free(line);
  tauler_answer_free(answer);
}

void api_answer_position(tauler_tables *tables, const api_call *call, api_response *out) {
  tauler_message message;
  tauler_answer *answer;
  const tauler_error error = tauler_probe(tables, call->position, &answer, &message);
  set_response(tables, call, error, answer, NULL, &message, out);
}

void api_answer_line(tauler_tables *tables, const api_call *call, api_response *out) {
  tauler_message message;
  tauler_answer *answer = NULL;
  tauler_line *line = NULL;
  tauler_error error = tauler_probe(tables, call->position, &answer, &message);
  if (!error) error = tauler_play(tables, call->position, call->most_moves, &line, &message);
  set_response(tables, call, error, answer, line, &message, out);
}

void api_answer_search(tauler_tables *tables, const api_call *call, api_response *out) {
  const tauler_search_limits limits = {.seconds = (double)call->milliseconds / 1000,
                                       .positions = call->positions,
                                       .memory = SEARCH_MEMORY,
                                       .stop = tables->db->stop,
                                       .user = tables->db->user};
  tauler_message message;
  tauler_answer *answer;
  if (tables->kind == SOLVE_CHANCE) {
    api_set_error(out, 400, tauler_error_name(TAULER_BAD_USAGE),
                  "positions of games of dice are not searched");
    return;
  }
  const tauler_error error = tauler_search(tables, call->position, &limits, &answer, &message);
  set_response(tables, call, error, answer, NULL, &message, out);
}

static bool read_next_position(const char **left, size_t *length, text_line *line) {
  while (text_next_line(left, length, line))
    if (line->length) return true;
  return false;
}

static tauler_error probe_line(tauler_tables *tables, text_line line, tauler_answer **answer,
                               tauler_message *message) {
  char *position = strndup(line.text, line.length);
  *answer = NULL;
  tauler_error error = position ? game_text_check(line, message)
                                : tauler_fail(message, TAULER_NO_MEMORY, "no memory to read a position");
  if (!error) error = tauler_probe(tables, position, answer, message);
  free(position);
  return error;
}

static void add_position(tauler_tables *tables, text_line position, json_writer *json) {
  tauler_message message;
  tauler_answer *answer;
  const tauler_error error = probe_line(tables, position, &answer, &message);
  if (error) {
    api_add_failure(json, error, &message, answer);
  } else {
    answer_to_json(json, answer, NULL);
  }
  tauler_answer_free(answer);
}

static size_t count_lines(const api_call *call) {
  const char *left = call->body;
  size_t length = left ? call->body_length : 0, lines = 0;
  text_line line;
  while (read_next_position(&left, &length, &line)) lines++;
  return lines;
}

static bool may_answer_more(json_writer *json, const tauler *db, double until) {
  size_t length;
  json_text(json, &length);
  return length < MOST_ANSWERED && clock_thread_cpu() < until && !tables_stopped(db);
}

void api_answer_positions(tauler_tables *tables, const api_call *call, api_response *out) {
  const size_t lines = count_lines(call);
  const char *left = call->body;
  size_t length = call->body_length;
  const double until = clock_thread_cpu() + MOST_SECONDS;
  text_line line;
  json_writer json;
  if (lines == 0 || lines > MOST_POSITIONS) {
    api_set_error(out, 400, tauler_error_name(TAULER_BAD_USAGE),
                  lines ? "a list has at most 1000 positions; ask for the others in another request"
                        : "positions are missing: they are the body of the request, one a line");
    return;
  }
  json_open_buffer(&json);
  json_begin_object(&json);
  json_field_array(&json, "answers");
  while (read_next_position(&left, &length, &line)) {
    if (may_answer_more(&json, tables->db, until)) {
      add_position(tables, line, &json);
    } else {
      tauler_message message;
      const tauler_error error =
          tauler_fail(&message, TAULER_STOPPED,
                      "earlier answers used up the limit of a request; ask for this position again");
      api_add_failure(&json, error, &message, NULL);
    }
  }
  json_end_array(&json);
  json_end_object(&json);
  api_set_json(out, 200, &json, API_NOT_KEPT);
}
