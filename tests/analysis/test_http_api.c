/* The HTTP interface as a function from request to response: what it answers about tables, and tags. */
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#include "analysis/print/print.h"
#include "analysis/probe/probe_tables.h"
#include "analysis/serve/api.h"
#include "base/clock.h"
#include "databases/streams.h"
#include "databases/table_format.h"
#include "tests/support/http_fixture.h"
#include "tests/support/solver/tables.h"
#include "tests/support/suite.h"

/* Returns the output of `tauler probe --json`. */
static char *printed(tauler_tables *tables, const char *position, bool with_line) {
  tauler_answer *answer;
  tauler_line *line = NULL;
  json_writer json;
  (void)tauler_probe(tables, position, &answer, hear());
  if (with_line) MUST(tauler_play(tables, position, 0, &line, hear()));
  json_open_buffer(&json);
  answer_to_json(&json, answer, line);
  char *text = strdup(json_text(&json, NULL));
  suite_own(text, free);
  (void)json_close(&json, NULL);
  tauler_line_free(line);
  tauler_answer_free(answer);
  return text;
}

CASE(a_position_is_answered_as_the_command_line_does) {
  static const char *const ways[] = {"/v1/auale/awari?pos=" BOARD, "/v1/auale/default?pos=" BOARD,
                                     "/v1/auale/awari?cycles=even&pos=" BOARD,
                                     "/v1/auale/%61wari?pos=1%2D0-0-0-0-1-0-0-0-0-1-0-20-25-S&tables=0123",
                                     "/v1/auale/awari?&pos=" BOARD "&"};
  write_slices(0, IMPLIED, 3);
  char *wanted = printed(select_family(db, 0), BOARD, false);
  char tag[API_ETAG_BYTES];
  get(ways[0]);
  snprintf(tag, sizeof tag, "%s", response.etag);
  ck_assert_uint_eq(strlen(tag), TABLE_DIGEST_TEXT + 1);
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    ck_assert_int_eq(get(ways[i])->status, 200);
    assert_body(wanted);
    ck_assert_str_eq(header("Content-Type"), "application/json; charset=utf-8");
    ck_assert_str_eq(header("Cache-Control"), "no-cache");
    ck_assert_str_eq(header("Access-Control-Allow-Origin"), "*");
    ck_assert_str_eq(header("X-Content-Type-Options"), "nosniff");
    ck_assert_str_eq(header("ETag"), tag);
  }
}

CASE(a_line_of_moves_may_be_spaced_in_three_ways) {
  static const char *const spaces[] = {"_", "+", "%20"};
  char target[256];
  write_slices(0, IMPLIED, 3);
  char *wanted = printed(select_family(db, 0), BOARD " moves A", false);
  for (size_t i = 0; i < 3; i++) {
    snprintf(target, sizeof target, "/v1/auale/awari?pos=" BOARD "%smoves%sA", spaces[i], spaces[i]);
    ck_assert_int_eq(get(target)->status, 200);
    assert_body(wanted);
  }
}

CASE(a_line_of_play_is_answered_as_the_command_line_does) {
  write_slices(0, IMPLIED, 3);
  char *wanted = printed(select_family(db, 0), BOARD, true);
  ck_assert_int_eq(get("/v1/auale/awari/line?pos=" BOARD)->status, 200);
  assert_body(wanted);
  ck_assert_str_eq(header("Cache-Control"), "no-cache");
  ck_assert_int_eq(get("/v1/auale/awari/line?pos=" BOARD "&most=1")->status, 200);
  ck_assert(body_has("\"end\":\"cut\"") && !body_has("\"end\":\"unknown\""));
}

CASE(a_line_ends_when_its_time_is_up) {
  tauler_line *line;
  write_slices(0, IMPLIED, 3);
  tauler_tables *tables = select_family(db, 0);
  MUST(tauler_play(tables, BOARD, 0, &line, hear()));
  ck_assert(line->steps_used > 1 && line->end != TAULER_LINE_CUT);
  tauler_line_free(line);
  db->most_seconds = 1e-9;
  MUST(tauler_play(tables, BOARD, 0, &line, hear()));
  ck_assert(line->steps_used == 1 && line->end == TAULER_LINE_CUT);
  tauler_line_free(line);
}

/* An answer of a search without the time that it took. */
static void cut_seconds(char *text) {
  char *from = strstr(text, "\"seconds\":"), *to = from ? strchr(from, ',') : NULL;
  ck_assert_msg(to, "%s", text);
  memmove(from, to, strlen(to) + 1);
}

CASE(a_search_goes_on_above_the_tables) {
  const tauler_search_limits limits = {.positions = 20000, .memory = 64 << 20};
  tauler_answer *answer;
  json_writer json;
  write_slices(0, IMPLIED, 2);
  MUST(tauler_search(select_family(db, 0), LARGE, &limits, &answer, hear()));
  json_open_buffer(&json);
  answer_to_json(&json, answer, NULL);
  char *wanted = strdup(json_text(&json, NULL));
  suite_own(wanted, free);
  (void)json_close(&json, NULL);
  ck_assert_int_eq(get("/v1/auale/awari/search?ms=5000&positions=20000&pos=" LARGE)->status, 200);
  ck_assert_str_eq(header("Cache-Control"), "no-store");
  ck_assert_str_eq(header("Access-Control-Allow-Origin"), "*");
  char *found = strndup(response.body, response.length);
  cut_seconds(found);
  cut_seconds(wanted);
  ck_assert_str_eq(found, wanted);
  free(found);
  tauler_answer_free(answer);
}

CASE(a_search_looks_into_tables_first) {
  write_slices(0, IMPLIED, 3);
  char *wanted = printed(select_family(db, 0), BOARD, false);
  ck_assert_int_eq(get("/v1/auale/awari/search?pos=" BOARD)->status, 200);
  assert_body(wanted);
  ck_assert_str_eq(header("Cache-Control"), "no-cache");
}

CASE(a_search_has_a_budget) {
  write_slices(0, IMPLIED, 2);
  const double start = clock_process_cpu();
  ck_assert_int_eq(get("/v1/auale/awari/search?ms=20&pos=" LARGE)->status, 200);
  ck_assert(clock_process_cpu() - start < 2);
  assert_error("/v1/auale/awari/search?ms=5001&pos=" LARGE, 400, "bad usage", "5000");
  assert_error("/v1/auale/awari/search?ms=0&pos=" LARGE, 400, "bad usage", "5000");
  assert_error("/v1/auale/awari/search?positions=0&pos=" LARGE, 400, "bad usage", "positions");
  assert_error("/v1/auale/awari/search?ms=20", 400, "bad usage", "position");
  assert_error("/v1/auale/awari?ms=20&pos=" LARGE, 400, "bad usage", "'ms'");
  assert_error("/v1/auale/awari/search?pos=x", 400, "bad position", "aual");
  assert_error("/v1/oca/base/search?pos=oca:1,1/1", 400, "bad usage", "dice");
}

CASE(what_is_not_known_is_asked_for_again) {
  write_slices(0, IMPLIED, 2);
  assert_error("/v1/auale/awari?pos=" BOARD, 404, "table missing", "slice 3");
  char *wanted = printed(select_family(db, 0), BOARD, false);
  wanted[strlen(wanted) - 1] = '\0'; /* its end of line */
  ck_assert(body_has("\"answer\":") && body_has(wanted));
  write_slices(0, IMPLIED, 3);
  ck_assert_int_eq(get("/v1/auale/awari?pos=" BOARD)->status, 200);
}

/* The position is known, one of its moves is not: this may change, and its tag must. */
CASE(an_answer_with_something_unknown_has_a_tag_of_its_own) {
  char path[FOLDER_PATH_BYTES], first[API_ETAG_BYTES];
  table_header h;
  const char *target = "/v1/auale/awari?pos=0-0-0-0-0-1-1-1-0-0-0-0-20-25-S"; /* F captures two */
  write_slices(0, PLAIN, 3);
  path_of(family_of(0), 1, STREAM_VALUE, &h, path);
  ck_assert_int_eq(unlink(path), 0);
  ck_assert_int_eq(get(target)->status, 200);
  ck_assert_msg(body_has("\"value\":null"), "%.*s", (int)response.length, response.body);
  ck_assert_str_eq(header("Cache-Control"), "no-cache");
  snprintf(first, sizeof first, "%s", response.etag);
  ck_assert_int_eq(request("GET", target, first)->status, 304);
  write_slices(0, PLAIN, 3);
  ck_assert_int_eq(request("GET", target, first)->status, 200);
  ck_assert_str_eq(header("Cache-Control"), "no-cache");
  ck_assert_str_ne(first, response.etag);
}

/* Checks the status with which every route answers a question about the slices of three seeds. */
static void assert_statuses(int position, int line, int stats) {
  ck_assert_int_eq(get("/v1/auale/awari?pos=" BOARD)->status, position);
  ck_assert_int_eq(get("/v1/auale/awari/line?pos=" BOARD)->status, line);
  ck_assert_int_eq(get("/v1/auale/awari/stats?slice=3")->status, stats);
}

CASE(tables_that_change_are_noticed) {
  char path[FOLDER_PATH_BYTES], away[FOLDER_PATH_BYTES + 8], tag[API_ETAG_BYTES];
  table_header h;
  write_slices(0, IMPLIED, 3);
  path_of(family_of(0), 3, STREAM_VALUE, &h, path);
  snprintf(away, sizeof away, "%s.away", path);
  assert_statuses(200, 200, 200);
  get("/v1/auale/awari?pos=" BOARD);
  snprintf(tag, sizeof tag, "%s", response.etag);
  ck_assert_int_eq(rename(path, away), 0);
  assert_statuses(404, 404, 404);
  ck_assert_int_eq(rename(away, path), 0);
  assert_statuses(200, 200, 200);
  ck_assert_int_eq(request("GET", "/v1/auale/awari?pos=" BOARD, tag)->status, 304);
  flip_bit(path, TABLE_HEADER_BYTES + 20, 0);
  assert_statuses(503, 503, 200); /* headers have the counts */
  ck_assert_int_eq(truncate(path, 700), 0);
  assert_statuses(503, 503, 503);
  write_slices(0, PLAIN, 3);
  assert_statuses(200, 200, 200);
}

static void write_constant(const char *path, const table_header *wanted, int8_t value) {
  int8_t *cells = suite_zeros(wanted->positions, 1);
  memset(cells, value, wanted->positions);
  suite_write_table(path, wanted, cells, NULL);
}

/* A table of other values in the place of one that is open. */
CASE(another_table_is_another_answer) {
  char path[FOLDER_PATH_BYTES], tag[API_ETAG_BYTES];
  table_header h;
  const char *target = "/v1/auale/awari?pos=0-0-0-0-0-1-1-1-0-0-0-0-20-25-S"; /* F captures two */
  write_slices(0, PLAIN, 3);
  ck_assert_int_eq(get(target)->status, 200);
  ck_assert(body_has("\"move\":\"F\""));
  snprintf(tag, sizeof tag, "%s", response.etag);
  path_of(family_of(0), 1, STREAM_VALUE, &h, path);
  h.cell = TABLE_I8;
  h.positions = 12;
  write_constant(path, &h, -1);
  ck_assert_int_eq(request("GET", target, tag)->status, 200);
  ck_assert_str_ne(response.etag, tag);
  write_constant(path, &h, 1);
  snprintf(tag, sizeof tag, "%s", response.etag);
  ck_assert_int_eq(request("GET", target, tag)->status, 200);
  ck_assert_str_ne(response.etag, tag);
}

static atomic_bool enough;

static void *keep_asking(void *user) {
  const api_request asked = {.method = "GET", .path = "/v1/auale/awari", .query = "pos=" BOARD};
  size_t *wrong = user;
  while (!atomic_load(&enough)) {
    api_response got;
    api_answer(served, &asked, &got);
    if (got.status != 200 && got.status != 404) ++*wrong;
    api_response_free(&got);
  }
  return NULL;
}

/* Handles on the folder come and go below those who ask. */
CASE(tables_may_change_while_threads_ask) {
  enum { ASKERS = 4, CHANGES = 40 };
  char path[FOLDER_PATH_BYTES], away[FOLDER_PATH_BYTES + 8];
  table_header h;
  pthread_t threads[ASKERS];
  size_t wrong[ASKERS] = {0};
  write_slices(0, IMPLIED, 3);
  path_of(family_of(0), 3, STREAM_VALUE, &h, path);
  snprintf(away, sizeof away, "%s.away", path);
  atomic_store(&enough, false);
  for (int i = 0; i < ASKERS; i++)
    ck_assert_int_eq(pthread_create(&threads[i], NULL, keep_asking, &wrong[i]), 0);
  for (int i = 0; i < CHANGES; i++) {
    ck_assert_int_eq(i % 2 ? rename(away, path) : rename(path, away), 0);
    ck_assert_int_eq(get("/v1/auale/awari?pos=" BOARD)->status, i % 2 ? 200 : 404);
  }
  atomic_store(&enough, true);
  for (int i = 0; i < ASKERS; i++) {
    ck_assert_int_eq(pthread_join(threads[i], NULL), 0);
    ck_assert_uint_eq(wrong[i], 0);
  }
}

CASE(depths_change_the_tag) {
  char first[API_ETAG_BYTES];
  write_slices(0, IMPLIED, 3);
  get("/v1/auale/awari?pos=" BOARD);
  snprintf(first, sizeof first, "%s", response.etag);
  write_slices(0, IMPLIED_WITH_DEPTHS, 3);
  ck_assert_int_eq(request("GET", "/v1/auale/awari?pos=" BOARD, first)->status, 200);
  ck_assert_str_ne(first, response.etag);
}

CASE(tags_are_compared) {
  static const struct {
    const char *list;
    int status;
  } lists[] = {{"%s", 304},       {"W/%s", 304},  {"\"a\", %s", 304}, {"\"a\",W/\"b\"  ,%s", 304},
               {"*", 304},        {"\"a\"", 200}, {"", 200},          {"a, %s", 200},
               {"\"a, %s", 200},  {"W/", 200},    {"\"", 200},        {",,,", 200},
               {"\"%.5s\"", 200}, {"\"x%s", 200}};
  char tag[API_ETAG_BYTES], list[2 * API_ETAG_BYTES];
  write_slices(0, IMPLIED, 3);
  get("/v1/auale/awari?pos=" BOARD);
  snprintf(tag, sizeof tag, "%s", response.etag);
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    snprintf(list, sizeof list, lists[i].list, tag); /* NOLINT: formats of this table */
    request("GET", "/v1/auale/awari?pos=" BOARD, list);
    ck_assert_msg(response.status == lists[i].status, "%s: %d", list, response.status);
    ck_assert_str_eq(header("ETag"), tag);
    ck_assert_str_eq(header("Cache-Control"), "no-cache");
  }
  request("GET", "/v1/auale/awari?pos=bad", "*");
  ck_assert_int_eq(response.status, 400);
}

CASE(bounds_are_answered_and_counted) {
  const int forced = RULES + 2; /* abapa */
  write_slices(forced, IMPLIED, 3);
  char *wanted = printed(select_family(db, forced), BOARD, false);
  ck_assert_int_eq(get("/v1/auale/abapa?cycles=forced&pos=" BOARD)->status, 200);
  assert_body(wanted);
  ck_assert_int_eq(get("/v1/auale/abapa/stats?slice=1&cycles=forced")->status, 200);
  uint64_t open = 0;
  for (int rank = 0; rank < 12; rank++) {
    const tauler_worth worth = naive_worth(family_of(forced), 1, rank);
    open += worth.lower == -1 && worth.upper == -1;
  }
  char row[96];
  snprintf(row, sizeof row, "{\"lower\":-1,\"upper\":-1,\"count\":%d}", (int)open);
  ck_assert_msg(open > 0 && body_has(row), "%s in %.*s", row, (int)response.length, response.body);
}

CASE(positions_are_counted_by_value) {
  uint64_t counts[7] = {0};
  char row[64];
  write_slices(0, IMPLIED, 3);
  for (int rank = 0; rank < 364; rank++) counts[(int)naive_worth(family_of(0), 3, rank).lower + 3]++;
  ck_assert_int_eq(get("/v1/auale/awari/stats?slice=3")->status, 200);
  ck_assert(body_has("\"positions\":364,") &&
            body_has("\"game\":\"auale\",\"rules\":\"awari\",\"cycles\":\"even\""));
  for (int value = -3; value <= 3; value++) {
    snprintf(row, sizeof row, "{\"value\":%d,\"count\":%d}", value, (int)counts[value + 3]);
    ck_assert_msg(body_has(row) == (counts[value + 3] > 0), "%s in %.*s", row, (int)response.length,
                  response.body);
  }
  ck_assert_str_eq(header("Cache-Control"), "no-cache");
  assert_error("/v1/auale/awari/stats?slice=4", 404, "table missing", "no table here");
  assert_error("/v1/auale/awari/stats?slice=x", 400, "bad usage", "no slice called 'x'");
  ck_assert(body_has("\"code\":\"has-no-slice-called-there-are\",\"parameters\":[\"auale\",\"awari\",\"x\""));
  assert_error("/v1/auale/awari/stats", 400, "bad usage", "slice is missing");
}

CASE(the_contents_name_every_game_and_what_is_there) {
  char digest[64], *at;
  write_slices(0, IMPLIED, 1);
  ck_assert_int_eq(get("/v1/")->status, 200);
  ck_assert_str_eq(header("Cache-Control"), "no-cache");
  static const char *const names[] = {"auale", "doushouqi", "phutball", "oca", "oca-asesina"};
  for (size_t i = 0; i < 5; i++) {
    snprintf(digest, sizeof digest, "{\"name\":\"%s\",\"title\":", names[i]);
    ck_assert_msg(body_has(digest), "%s", digest);
  }
  ck_assert(body_has("\"rule_sets\":[{\"rules\":\"awari\",\"cycles\":\"even\",\"default\":true,\"slices\":["
                     "{\"slice\":\"0\",\"positions\":1,\"table\":\""));
  ck_assert(body_has("\"depths\":null"));
  char *body = strndup(response.body, response.length);
  ck_assert_ptr_nonnull(at = strstr(body, "\"tables\":\""));
  snprintf(digest, sizeof digest, "%.44s", at);
  free(body);
  write_slices(0, IMPLIED, 2);
  close_api();
  open_api(folder, NULL);
  get("/v1/");
  ck_assert_msg(body_has("\"slice\":\"2\"") && !body_has(digest), "the digest of all tables is still %s",
                digest);
}

CASE(the_contents_are_never_old) {
  char path[FOLDER_PATH_BYTES];
  table_header h;
  write_slices(0, IMPLIED, 1);
  get("/v1/");
  const api_request asked = {.method = "GET", .path = "/v1/"};
  ck_assert_int_eq(api_cost_of(served, &asked), API_SLOW);
  write_slices(0, IMPLIED, 2);
  get("/v1/");
  ck_assert(body_has("\"slice\":\"2\""));
  path_of(family_of(0), 2, STREAM_VALUE, &h, path);
  ck_assert_int_eq(unlink(path), 0);
  get("/v1/");
  ck_assert(!body_has("\"slice\":\"2\""));
  path_of(family_of(0), 1, STREAM_VALUE, &h, path);
  ck_assert_int_eq(truncate(path, 700), 0);
  get("/v1/");
  ck_assert(!body_has("\"slice\":\"1\"") && body_has("\"slice\":\"0\""));
}

SUITE("http_api") {
  http_fixture(suite);
  TESTS(a_position_is_answered_as_the_command_line_does, a_line_of_moves_may_be_spaced_in_three_ways,
        a_line_of_play_is_answered_as_the_command_line_does, a_line_ends_when_its_time_is_up,
        a_search_goes_on_above_the_tables, a_search_looks_into_tables_first, a_search_has_a_budget,
        what_is_not_known_is_asked_for_again, an_answer_with_something_unknown_has_a_tag_of_its_own,
        tables_that_change_are_noticed, tables_may_change_while_threads_ask, another_table_is_another_answer,
        depths_change_the_tag, tags_are_compared, bounds_are_answered_and_counted,
        positions_are_counted_by_value, the_contents_name_every_game_and_what_is_there,
        the_contents_are_never_old);
}
