/* Answers with judgements of the moves of recorded games by tables, as the command analyse does. */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/probe/probe_tables.h"
#include "analysis/records/judge.h"
#include "analysis/serve/api_parts.h"
#include "base/clock.h"

/* Limits of a request. SECONDS of processor time are for all of it, SECONDS_OF_LINE for each search after a
 * line of moves. */
enum { SECONDS = 5, SECONDS_OF_LINE = 1, CACHE = 8 << 20, MOST_MOVES = 5000 };

static const char called[] = "record"; /* name of the text in messages: "record:3:4: …" */

static void add_items(json_writer *json, const record *r) {
  static const char *const kinds[] = {"move", "comment", "open", "close", "ending"};
  json_field_array(json, "items");
  for (size_t i = 0; i < r->items_used; i++) {
    const char *mark = r->items[i].mark;
    json_object(json, JSON_TEXT("kind", kinds[r->items[i].kind]), JSON_TEXT("text", r->items[i].text),
                json_or_nothing(*mark, JSON_TEXT("mark", mark)));
  }
  json_end_array(json);
}

/* Returns the text of the record with comments added, which the caller frees, or NULL if out of memory. */
static char *annotate_record(const judged_game *judged, const record *r) {
  char *text = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&text, &length);
  const bool written = stream && !judged_write_record(stream, judged, r, NULL);
  if (stream && fclose(stream) == 0 && written) return text;
  free(text);
  return NULL;
}

static tauler_error print_game(FILE *out, const judged_game *judged, const record *r, size_t number) {
  json_writer json;
  char *annotated = annotate_record(judged, r);
  if (!annotated) return TAULER_NO_MEMORY;
  fputs("{\"judged\":", out);
  tauler_error error = judged_print_json(out, judged, r, called, number, NULL);
  fputs(",\"record\":", out);
  json_open_line(&json, out);
  add_items(&json, r);
  json_field_string(&json, "annotated", annotated);
  json_end_object(&json);
  if (!error) error = json_close(&json, NULL);
  fputc('}', out);
  free(annotated);
  return error;
}

static tauler_error print_refusal(FILE *out, tauler_error why, const tauler_message *said) {
  json_writer json;
  json_open_line(&json, out);
  json_fields(&json, JSON_TEXT("error", tauler_error_name(why)), JSON_TEXT("message", said->text));
  api_add_code(&json, said);
  json_end_object(&json);
  return json_close(&json, NULL);
}

/* True if the error becomes the answer about its game, and the other games are still judged. */
static bool concerns_one_game(tauler_error error) {
  return error == TAULER_BAD_POSITION || error == TAULER_BAD_USAGE || error == TAULER_STOPPED;
}

static tauler_error judge_game(tauler *db, const judge_wish *wish, const record *r, size_t number, FILE *out,
                               tauler_message *message) {
  judged_game judged;
  fputs(number > 1 ? "," : "", out);
  tauler_error error = judge_record(db, r, called, wish, &judged, message);
  if (concerns_one_game(error)) return print_refusal(out, error, message);
  if (error) return error;
  error = print_game(out, &judged, r, number);
  judged_free(&judged);
  return error;
}

static tauler_error judge_games(tauler *db, const judge_wish *wish, FILE *text, FILE *out,
                                tauler_message *message) {
  record_reader *reader;
  size_t number = 0;
  bool found = true;
  tauler_error error = record_reader_open(text, called, wish->game, &reader, message);
  if (error) return error;
  while (!error && found) {
    record r;
    error = record_read(reader, &r, &found, message);
    if (error || !found) break;
    error = judge_game(db, wish, &r, ++number, out, message);
    record_free(&r);
  }
  record_reader_close(reader);
  if (!error && number == 0) error = tauler_fail(message, TAULER_BAD_POSITION, "there is no game in this");
  return error;
}

static tauler_error judge_text(tauler *db, const judge_wish *wish, const api_call *call, FILE *out,
                               tauler_message *message) {
  FILE *text = fmemopen((void *)(uintptr_t)call->body, call->body_length, "rb");
  if (!text) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to read a record");
  fputs("{\"games\":[", out);
  const tauler_error error = judge_games(db, wish, text, out, message);
  fputs("]}\n", out);
  fclose(text);
  return error;
}

/* Opens tables for this request alone, since a record may name any rules and none of them should stay
 * open. */
void api_answer_analyse(const api_settings *of, const api_call *call, api_response *out) {
  const tauler_settings settings = {
      .cache_bytes = CACHE, .most_moves = MOST_MOVES, .more_folders = of->more_folders};
  const judge_wish wish = {.game = call->game,
                           .rules = call->rules,
                           .cycles = call->cycles,
                           .until = clock_thread_cpu() + SECONDS};
  tauler_message message = {""};
  char *body = NULL;
  size_t length = 0;
  tauler *db = NULL;
  if (call->body_length == 0) {
    api_set_error(out, 400, tauler_error_name(TAULER_BAD_USAGE),
                  "a record is missing: it is the body of the request");
    return;
  }
  FILE *stream = open_memstream(&body, &length);
  tauler_error error = stream ? tauler_open(of->folder, &settings, &db, &message) : TAULER_NO_MEMORY;
  if (!error) {
    db->most_seconds = SECONDS_OF_LINE;
    db->stop = of->left;
    db->user = of->user;
    error = judge_text(db, &wish, call, stream, &message);
  }
  tauler_close(db);
  if (stream && fclose(stream) != 0) error = TAULER_NO_MEMORY;
  if (error) {
    free(body);
    api_set_failure(out, error, &message, NULL);
    return;
  }
  api_set_body(out, 200, api_json_type, body, length, false);
  api_set_keeping(out, API_NOT_KEPT);
}
