#include <stdio.h>
#include <string.h>

#include "analysis/print_answer.h"
#include "analysis/probe_tables.h"
#include "analysis/serve/api_routes.h"

static bool worths_known(const tauler_move *moves, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (!moves[i].worth.known) return false;
  return true;
}

/* Whether nothing in an answer can ever become better known: no table is missing for any of it, and no search
 * that went as far as it might left bounds apart. */
static bool answer_is_whole(const tauler_tables *tables, const tauler_answer *answer) {
  const tauler_history *history = &answer->history;
  if (!answer->worth.known || !worths_known(answer->moves, answer->moves_used)) return false;
  for (size_t i = 0; i < answer->quantities_used; i++)
    if (!answer->quantities[i].known) return false;
  for (size_t i = 0; i < answer->rolls_used; i++)
    if (!worths_known(answer->rolls[i].moves, answer->rolls[i].moves_used)) return false;
  if (history->given && (!history->worth.known || history->worth.lower != history->worth.upper)) return false;
  for (size_t i = 0; history->given && i < answer->moves_used; i++) {
    const tauler_worth *after = &answer->moves[i].after_line;
    if (!after->known || after->lower != after->upper) return false;
  }
  /* Wins and losses always have depths in the end; here the table of some is not there yet. */
  if (tables->kind != SOLVE_OUTCOMES) return true;
  bool all = answer->category == TAULER_DRAW || answer->worth.depth_lower != TAULER_NO_DEPTH;
  for (size_t i = 0; i < answer->moves_used && all; i++) {
    const tauler_worth *worth = &answer->moves[i].worth;
    all = worth->lower == 0 || worth->depth_lower != TAULER_NO_DEPTH;
  }
  return all;
}

/* Whether tables of depths, which are made only when asked for, can have told some of an answer. */
static bool has_depths(tauler_tables *tables, const tauler_answer *answer) {
  bool have = false;
  if (tables->kind == SOLVE_OUTCOMES || tables->kind == SOLVE_CHANCE) return false;
  return !slice_has_depths(tables, answer->slice_number, &have, NULL) && have;
}

/* The tag of a whole answer is the digest of its table, which says all of its values; whether there are
 * depths as well is told apart. */
static void set_whole(tauler_tables *tables, const tauler_answer *answer, api_response *out) {
  char digest[API_ETAG_BYTES];
  if (!answer->table) {
    api_set_keeping(out, API_FOR_EVER, NULL);
    return;
  }
  const char *suffix = has_depths(tables, answer) ? "+depths" : "";
  const int n = snprintf(digest, sizeof digest, "%s%s", answer->table, suffix);
  api_set_keeping(out, API_FOR_EVER, n < (int)sizeof digest ? digest : NULL);
}

static void set_answer(tauler_tables *tables, const tauler_answer *answer, const tauler_line *line,
                       api_response *out) {
  json_writer json;
  json_open_buffer(&json, JSON_COMPACT);
  answer_to_json(&json, answer, line);
  api_set_json(out, 200, &json);
  if (out->status != 200) return;
  if (answer_is_whole(tables, answer) && (!line || line->end != TAULER_LINE_UNKNOWN)) {
    set_whole(tables, answer, out);
  } else {
    api_set_keeping(out, API_ASK_AGAIN, NULL);
  }
}

void api_answer_position(tauler_tables *tables, const api_call *call, api_response *out) {
  tauler_message message;
  tauler_answer *answer;
  const tauler_error error = tauler_probe(tables, call->position, &answer, &message);
  if (error) {
    api_set_failure(out, error, message.text, answer);
  } else {
    set_answer(tables, answer, NULL, out);
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
    set_answer(tables, answer, line, out);
  } else {
    const bool told = error == TAULER_TABLE_MISSING;
    api_set_failure(out, error, message.text, told ? answer : NULL);
  }
  tauler_line_free(line);
  tauler_answer_free(answer);
}
