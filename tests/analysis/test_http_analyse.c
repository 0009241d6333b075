/* Recorded games over HTTP: what the command says of them, their words, refusals. */
#include "analysis/records/judge.h"
#include "tests/support/http_fixture.h"
#include "tests/support/suite.h"

#define GAME BOARD " moves F (A b) { a comment }"

static int post(const char *query, const char *text) {
  const api_request asked = {"POST", "/v1/analyse", query, NULL, text, strlen(text)};
  api_response_free(&response);
  api_answer(served, &asked, &response);
  return response.status;
}

/* Returns the output of `tauler analyse --json`. */
static char *printed(const char *text) {
  char *out = NULL;
  size_t length = 0;
  record r;
  bool found;
  judged_game judged;
  record_reader *reader;
  const judge_wish wish = {.game = "auale"};
  FILE *file = fmemopen((void *)(uintptr_t)text, strlen(text), "rb"), *stream = open_memstream(&out, &length);
  MUST(record_reader_open(file, "record", wish.game, &reader, hear()));
  MUST(record_read(reader, &r, &found, hear()));
  MUST(judge_record(db, &r, "record", &wish, &judged, hear()));
  (void)judged_print_json(stream, &judged, &r, "record", 1, NULL);
  judged_free(&judged);
  record_free(&r);
  record_reader_close(reader);
  fclose(file);
  fclose(stream);
  suite_own(out, free);
  return out;
}

CASE(a_record_is_judged_as_the_command_does) {
  write_slices(0, IMPLIED, 3);
  char *wanted = printed(GAME);
  ck_assert_int_eq(post("game=auale&rules=awari", GAME), 200);
  ck_assert_msg(body_has(wanted), "%.*s, not %s", (int)response.length, response.body, wanted);
  ck_assert(strncmp(response.body, "{\"games\":[{\"judged\":{", 21) == 0);
  ck_assert_str_eq(header("Cache-Control"), "no-store");
  ck_assert_str_eq(header("Access-Control-Allow-Origin"), "*");
}

CASE(the_words_of_a_record_come_along) {
  write_slices(0, IMPLIED, 3);
  ck_assert_int_eq(post("game=auale", GAME), 200);
  ck_assert(body_has(
      "\"items\":[{\"kind\":\"move\",\"text\":\"F\"},{\"kind\":\"open\",\"text\":\"\"},{\"kind\":"
      "\"move\",\"text\":\"A\"},{\"kind\":\"move\",\"text\":\"b\"},{\"kind\":\"close\",\"text\":\"\"},"
      "{\"kind\":\"comment\",\"text\":\"a comment\"}"));
  ck_assert(body_has("\"annotated\":\"[Game \\\"auale\\\"]\\n") && body_has("{ tauler: "));
}

CASE(one_bad_game_does_not_stop_the_others) {
  write_slices(0, IMPLIED, 3);
  ck_assert_int_eq(post("game=auale", BOARD " moves B\n" GAME), 200);
  ck_assert(body_has("{\"games\":[{\"error\":\"bad position\",\"message\":\"record:1:") &&
            body_has(",{\"judged\":{"));
}

CASE(what_is_no_record_is_refused) {
  write_slices(0, IMPLIED, 3);
  ck_assert(post("game=auale", "[Game") == 400 && body_has("\"error\":\"bad position\"") &&
            body_has("record:1:"));
  ck_assert(post("game=auale", " \n") == 400 && body_has("no game"));
  ck_assert(post("game=auale", "") == 400 && body_has("missing"));
  ck_assert(post("pos=x", GAME) == 400 && body_has("'pos'"));
  ck_assert(post("game=oca", GAME) == 200 && body_has("\"error\":\"bad usage\"") && body_has("dice"));
  ck_assert_int_eq(get("/v1/analyse")->status, 405);
  ck_assert_str_eq(header("Allow"), "POST, OPTIONS");
  ck_assert_int_eq(request("POST", "/v1/auale/awari?pos=" BOARD, NULL)->status, 405);
}

CASE(a_record_is_bounded) {
  const api_request asked = {"POST", "/v1/analyse", NULL, NULL, GAME, sizeof GAME - 1};
  const api_request question = {"POST", "/v1/auale/awari", NULL, NULL, NULL, 0};
  ck_assert(api_allows_body(&asked) && !api_allows_body(&question));
  ck_assert_int_eq(api_cost_of(served, &asked), API_SEARCH);
  const judge_wish wish = {.game = "auale", .until = 1e-9};
  record r;
  bool found;
  judged_game judged;
  record_reader *reader;
  FILE *file = fmemopen((void *)(uintptr_t)GAME, sizeof GAME - 1, "rb");
  write_slices(0, IMPLIED, 3);
  MUST(record_reader_open(file, "record", wish.game, &reader, hear()));
  MUST(record_read(reader, &r, &found, hear()));
  ck_assert_int_eq(judge_record(db, &r, "record", &wish, &judged, hear()), TAULER_STOPPED);
  record_free(&r);
  record_reader_close(reader);
  fclose(file);
}

SUITE("http_analyse") {
  http_fixture(suite);
  TESTS(a_record_is_judged_as_the_command_does, the_words_of_a_record_come_along,
        one_bad_game_does_not_stop_the_others, what_is_no_record_is_refused, a_record_is_bounded);
}
