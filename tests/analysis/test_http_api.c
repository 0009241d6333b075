/* The HTTP interface as a function from request to response: every route and status, decoding, tags. */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/print/print_answer.h"
#include "analysis/probe/probe_tables.h"
#include "analysis/serve/api.h"
#include "analysis/serve/api_call.h"
#include "analysis/serve/rule_sets.h"
#include "databases/streams.h"
#include "databases/table_format.h"
#include "tests/support/probe_fixture.h"
#include "tests/support/suite.h"

#define BOARD "1-0-0-0-0-1-0-0-0-0-1-0-20-25-S"
#define LARGE "1-0-0-0-0-1-1-1-1-1-1-1-20-20-S"

static api *served;
static api_response response;

static const unsigned char page[] = "<!doctype html>", script[] = "export default 1;";
static const api_file files[] = {{"index.html", page, sizeof page - 1},
                                 {"app.js", script, sizeof script - 1}};

static void open_api(const char *folder, const char *explorer) {
  const api_settings settings = {.folder = folder, .files = files, .files_used = 2, .explorer = explorer};
  ck_assert_int_eq(api_open(&settings, &served, &message), TAULER_OK);
}

static void begin(void) {
  open_api(probe_folder, NULL);
}

static void end(void) {
  api_response_free(&response);
  api_close(served);
  served = NULL;
}

/* The response of before is given back; every text is in a block of its own, so that a sanitizer sees a read
 * beyond it. */
static const api_response *request(const char *method, const char *target, const char *if_none_match) {
  char *path = strdup(target), *query = strchr(path, '?');
  if (query) {
    *query = '\0';
    query = strdup(query + 1);
  }
  char *tag = if_none_match ? strdup(if_none_match) : NULL;
  const api_request asked = {method, path, query, tag};
  api_response_free(&response);
  api_answer(served, &asked, &response);
  free(path);
  free(query);
  free(tag);
  return &response;
}

static const api_response *get(const char *target) {
  return request("GET", target, NULL);
}

static const char *header(const char *name) {
  for (size_t i = 0; i < response.headers_used; i++)
    if (strcmp(response.headers[i].name, name) == 0) return response.headers[i].value;
  return "";
}

static bool body_has(const char *text) {
  return memmem(response.body, response.length, text, strlen(text)) != NULL;
}

/* The routes below /v1/; pages of other origins read nothing else. */
static bool reads_tables(void) {
  return response.route >= API_CONTENTS && response.route <= API_BOARD;
}

/* An error: its status, its name, a word of its sentence, and that nobody keeps it. */
static void assert_error(const char *target, int status, const char *name, const char *word) {
  char begin[128];
  get(target);
  snprintf(begin, sizeof begin, "{\"error\":\"%s\",\"message\":\"", name);
  ck_assert_msg(response.status == status && strncmp(response.body, begin, strlen(begin)) == 0 &&
                    body_has(word) && strcmp(header("Cache-Control"), "no-store") == 0,
                "%s: %d, not %d: %.300s", target, response.status, status, response.body);
  ck_assert_msg(!body_has(probe_folder) && !body_has("tauler build"), "%s: %.300s", target, response.body);
  ck_assert_str_eq(header("Content-Type"), "application/json; charset=utf-8");
  ck_assert_str_eq(header("Access-Control-Allow-Origin"), reads_tables() ? "*" : "");
  ck_assert_str_eq(header("ETag"), "");
  ck_assert_str_eq(header("Retry-After"), status == 503 ? "1" : "");
}

/* What `tauler probe --json` prints. */
static char *printed(tauler_tables *tables, const char *position, bool with_line) {
  tauler_answer *answer;
  tauler_line *line = NULL;
  json_writer json;
  tauler_probe(tables, position, &answer, &message);
  if (with_line) ck_assert_int_eq(tauler_play(tables, position, 0, &line, &message), TAULER_OK);
  json_open_buffer(&json, JSON_COMPACT);
  answer_to_json(&json, answer, line);
  char *text = strdup(json_text(&json, NULL));
  json_close(&json, NULL);
  tauler_line_free(line);
  tauler_answer_free(answer);
  return text;
}

static void assert_body(const char *wanted) {
  ck_assert_uint_eq(response.length, strlen(wanted));
  ck_assert_msg(memcmp(response.body, wanted, response.length) == 0, "%.*s, not %s", (int)response.length,
                response.body, wanted);
}

START_TEST(a_position_is_answered_as_the_command_line_does) {
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
  free(wanted);
}
END_TEST

START_TEST(a_line_of_moves_may_be_spaced_in_three_ways) {
  static const char *const spaces[] = {"_", "+", "%20"};
  char target[256];
  write_slices(0, IMPLIED, 3);
  char *wanted = printed(select_family(db, 0), BOARD " moves A", false);
  for (size_t i = 0; i < 3; i++) {
    snprintf(target, sizeof target, "/v1/auale/awari?pos=" BOARD "%smoves%sA", spaces[i], spaces[i]);
    ck_assert_int_eq(get(target)->status, 200);
    assert_body(wanted);
  }
  free(wanted);
}
END_TEST

START_TEST(a_line_of_play_is_answered_as_the_command_line_does) {
  write_slices(0, IMPLIED, 3);
  char *wanted = printed(select_family(db, 0), BOARD, true);
  ck_assert_int_eq(get("/v1/auale/awari/line?pos=" BOARD)->status, 200);
  assert_body(wanted);
  ck_assert_str_eq(header("Cache-Control"), "no-cache");
  ck_assert_int_eq(get("/v1/auale/awari/line?pos=" BOARD "&most=1")->status, 200);
  ck_assert(body_has("\"end\":\"cut\"") && !body_has("\"end\":\"unknown\""));
  free(wanted);
}
END_TEST

START_TEST(a_line_ends_when_its_time_is_up) {
  tauler_line *line;
  write_slices(0, IMPLIED, 3);
  tauler_tables *tables = select_family(db, 0);
  ck_assert_int_eq(tauler_play(tables, BOARD, 0, &line, &message), TAULER_OK);
  ck_assert(line->steps_used > 1 && line->end != TAULER_LINE_CUT);
  tauler_line_free(line);
  db->most_seconds = 1e-9;
  ck_assert_int_eq(tauler_play(tables, BOARD, 0, &line, &message), TAULER_OK);
  ck_assert(line->steps_used == 1 && line->end == TAULER_LINE_CUT);
  tauler_line_free(line);
}
END_TEST

START_TEST(what_is_not_known_is_asked_for_again) {
  write_slices(0, IMPLIED, 2);
  assert_error("/v1/auale/awari?pos=" BOARD, 404, "table missing", "slice 3");
  char *wanted = printed(select_family(db, 0), BOARD, false);
  wanted[strlen(wanted) - 1] = '\0'; /* its end of line */
  ck_assert(body_has("\"answer\":") && body_has(wanted));
  free(wanted);
  write_slices(0, IMPLIED, 3);
  ck_assert_int_eq(get("/v1/auale/awari?pos=" BOARD)->status, 200);
}
END_TEST

/* The position is known, one of its moves is not: this may change, and its tag must. */
START_TEST(an_answer_with_something_unknown_has_a_tag_of_its_own) {
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
END_TEST

/* What a question about the slices of three seeds is answered with, by every route. */
static void assert_statuses(int position, int line, int stats) {
  ck_assert_int_eq(get("/v1/auale/awari?pos=" BOARD)->status, position);
  ck_assert_int_eq(get("/v1/auale/awari/line?pos=" BOARD)->status, line);
  ck_assert_int_eq(get("/v1/auale/awari/stats?slice=3")->status, stats);
}

/* Changes a byte of the first frame, where the file is. */
static void damage(const char *path) {
  unsigned char byte;
  const int file = open(path, O_RDWR);
  ck_assert_int_ge(file, 0);
  ck_assert_int_eq(pread(file, &byte, 1, TABLE_HEADER_BYTES + 20), 1);
  byte ^= 1;
  ck_assert_int_eq(pwrite(file, &byte, 1, TABLE_HEADER_BYTES + 20), 1);
  close(file);
}

START_TEST(tables_that_change_are_noticed) {
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
  damage(path);
  assert_statuses(503, 503, 200); /* headers have the counts */
  ck_assert_int_eq(truncate(path, 700), 0);
  assert_statuses(503, 503, 503);
  write_slices(0, PLAIN, 3);
  assert_statuses(200, 200, 200);
}
END_TEST

static tauler_error fill_with(void *user, uint64_t first, size_t count, void *stored, void *plain,
                              tauler_message *why) {
  (void)first;
  (void)why;
  memset(stored, *(const int8_t *)user, count);
  memset(plain, *(const int8_t *)user, count);
  return TAULER_OK;
}

static void write_constant(const char *path, const table_header *wanted, int8_t value) {
  const table_write_settings settings = {.level = 1, .threads = 1};
  ck_assert_int_eq(table_write(path, wanted, &settings, fill_with, &value, NULL, &message), TAULER_OK);
}

/* A table of other values in the place of one that is open. */
START_TEST(another_table_is_another_answer) {
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
END_TEST

static atomic_bool enough;

static void *keep_asking(void *user) {
  const api_request asked = {"GET", "/v1/auale/awari", "pos=" BOARD, NULL};
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
START_TEST(tables_may_change_while_threads_ask) {
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
END_TEST

START_TEST(depths_change_the_tag) {
  char first[API_ETAG_BYTES];
  write_slices(0, IMPLIED, 3);
  get("/v1/auale/awari?pos=" BOARD);
  snprintf(first, sizeof first, "%s", response.etag);
  write_slices(0, IMPLIED_WITH_DEPTHS, 3);
  ck_assert_int_eq(request("GET", "/v1/auale/awari?pos=" BOARD, first)->status, 200);
  ck_assert_str_ne(first, response.etag);
}
END_TEST

START_TEST(tags_are_compared) {
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
END_TEST

START_TEST(bounds_are_answered_and_counted) {
  const int forced = RULES + 2; /* abapa */
  write_slices(forced, IMPLIED, 3);
  char *wanted = printed(select_family(db, forced), BOARD, false);
  ck_assert_int_eq(get("/v1/auale/abapa?cycles=forced&pos=" BOARD)->status, 200);
  assert_body(wanted);
  free(wanted);
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
END_TEST

START_TEST(positions_are_counted_by_value) {
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
  assert_error("/v1/auale/awari/stats?slice=x", 400, "bad usage", "no slice called x");
  assert_error("/v1/auale/awari/stats", 400, "bad usage", "slice is missing");
}
END_TEST

START_TEST(the_contents_name_every_game_and_what_is_there) {
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
  end();
  begin();
  get("/v1/");
  ck_assert_msg(body_has("\"slice\":\"2\"") && !body_has(digest), "the digest of all tables is still %s",
                digest);
}
END_TEST

START_TEST(the_contents_are_never_old) {
  char path[FOLDER_PATH_BYTES];
  table_header h;
  write_slices(0, IMPLIED, 1);
  get("/v1/");
  const api_request asked = {"GET", "/v1/", NULL, NULL};
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
END_TEST

START_TEST(requests_that_make_no_sense_are_refused) {
  static const char *const none = "nothing here", *const escape = "hexadecimal", *const usage = "bad usage";
  assert_error("/nothing", 404, "not found", none);
  assert_error("", 404, "not found", none);
  assert_error("v1/", 404, "not found", none);
  assert_error("/v1", 404, "not found", none);
  assert_error("/v1/auale", 404, "not found", none);
  assert_error("/v1/auale/", 404, "not found", none);
  assert_error("/v1//awari?pos=" BOARD, 404, "not found", none);
  assert_error("/v1/auale/awari/", 404, "not found", none);
  assert_error("/v1/auale/awari/lines?pos=" BOARD, 404, "not found", none);
  assert_error("/v1/auale/awari/line/more?pos=" BOARD, 404, "not found", none);
  assert_error("/v1/a/b/c/d/e/f/g/h", 404, "not found", none);
  assert_error("/v1/chess/default?pos=x", 404, usage, "no game");
  assert_error("/v1/auale/nonsense?pos=" BOARD, 400, usage, "nonsense");
  assert_error("/v1/auale/awari?pos=" BOARD "&cycles=never", 400, usage, "never");
  assert_error("/v1/auale/awari", 400, usage, "position is missing");
  assert_error("/v1/auale/awari?", 400, usage, "position is missing");
  assert_error("/v1/auale/awari?pos", 400, "bad position", "");
  assert_error("/v1/auale/awari?pos=x", 400, "bad position", "aual");
  assert_error("/v1/auale/awari?pos=1-0-0-0-0-0-0-0-0-0-0-0-24-24-S", 400, "bad position", "49 seeds");
  assert_error("/v1/auale/awari/line?pos=1-0-0-0-0-0-0-0-0-0-0-0-24-24-S", 400, "bad position", "49 seeds");
  assert_error("/v1/auale/awari?pos=" BOARD "&pos=" BOARD, 400, usage, "twice");
  assert_error("/v1/auale/awari?pos=" BOARD "&most=3", 400, usage, "pos, cycles, tables");
  assert_error("/v1/auale/awari?position=" BOARD, 400, usage, "'position' cannot");
  assert_error("/v1/?x=1", 400, usage, "tables");
  assert_error("/v1/auale/awari/line?pos=" BOARD "&most=0", 400, usage, "10000");
  assert_error("/v1/auale/awari/line?pos=" BOARD "&most=10001", 400, usage, "10000");
  assert_error("/v1/auale/awari/line?pos=" BOARD "&most=-1", 400, usage, "10000");
  assert_error("/v1/auale/awari?pos=%", 400, usage, escape);
  assert_error("/v1/auale/awari?pos=%4", 400, usage, escape);
  assert_error("/v1/auale/awari?pos=%4g", 400, usage, escape);
  assert_error("/v1/auale/awari?pos=%%41", 400, usage, escape);
  assert_error("/v1/auale/awari?pos=a%00b", 400, usage, escape);
  assert_error("/v1/auale/awari?p%zzs=a", 400, usage, escape);
  assert_error("/v1/aua%le/awari?pos=" BOARD, 400, usage, escape);
  assert_error("/v1/auale/awari%00?pos=" BOARD, 400, usage, escape);
}
END_TEST

static void append(char *text, size_t room, const char *more) {
  const size_t used = strlen(text);
  ck_assert_uint_lt(used + strlen(more), room);
  snprintf(text + used, room - used, "%s", more);
}

START_TEST(what_no_table_can_hold_is_nowhere) {
  char row[64] = "", board[2048] = "/v1/phutball/default?pos=";
  assert_error("/v1/phutball/default?pos=19/19/19/19/19/19/19/19/19/9o9/19/19/19/19/19/19/19/19/19+O", 404,
               "table missing", "19x19");
  ck_assert(body_has("\"answer\":{\"game\":\"phutball\"") && body_has("\"move\":\"A1\""));
  /* Men everywhere but on every second point of every second row: chains of jumps without number. */
  for (int i = 0; i < 9; i++) append(row, sizeof row, "x1");
  append(row, sizeof row, "x");
  for (int i = 0; i < 19; i++) {
    if (i) append(board, sizeof board, "/");
    append(board, sizeof board, i == 9 ? "x1x1x1x1xox1x1x1x1x" : i % 2 ? row : "xxxxxxxxxxxxxxxxxxx");
  }
  append(board, sizeof board, "+O");
  assert_error(board, 400, "bad position", "more than 5000 moves");
  board[strlen("/v1/phutball/default")] = '\0';
}
END_TEST

START_TEST(other_games_answer) {
  assert_error("/v1/doushouqi/default?pos=7/7/3e3/7/6L/7/7/7/7+w", 404, "table missing", "slice Le");
  assert_error("/v1/oca/default?pos=oca:0,0/1", 404, "table missing", "slice 2");
  ck_assert(body_has("\"rolls\":["));
  assert_error("/v1/oca/default/line?pos=oca:0,0/1", 404, "table missing", "");
}
END_TEST

START_TEST(addresses_have_a_length) {
  char *target = malloc(20000);
  ck_assert_ptr_nonnull(target);
  memset(target, 'a', 20000);
  memcpy(target, "/v1/auale/awari?pos=", 20);
  target[16 + API_MOST_QUERY] = '\0';
  assert_error(target, 400, "bad position", "");
  target[16 + API_MOST_QUERY] = 'a';
  target[16 + API_MOST_QUERY + 1] = '\0';
  assert_error(target, 414, "address too long", "8192");
  memset(target, 'a', 20000);
  target[0] = '/';
  target[API_MOST_PATH] = '\0';
  assert_error(target, 404, "not found", "");
  target[API_MOST_PATH] = 'a';
  target[API_MOST_PATH + 1] = '\0';
  assert_error(target, 414, "address too long", "2048");
  free(target);
}
END_TEST

START_TEST(only_reading_is_understood) {
  static const char *const others[] = {"POST", "PUT", "DELETE", "get", "", "TRACE"};
  write_slices(0, IMPLIED, 3);
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
    ck_assert_int_eq(request(others[i], "/v1/auale/awari?pos=" BOARD, NULL)->status, 405);
    ck_assert_str_eq(header("Allow"), "GET, HEAD, OPTIONS");
  }
  request("GET", "/v1/auale/awari?pos=" BOARD, NULL);
  const size_t length = response.length;
  ck_assert_int_eq(request("HEAD", "/v1/auale/awari?pos=" BOARD, NULL)->status, 200);
  ck_assert_uint_eq(response.length, length);
  ck_assert_int_eq(request("OPTIONS", "/v1/auale/awari", NULL)->status, 204);
  ck_assert_str_eq(header("Allow"), "GET, HEAD, OPTIONS");
  ck_assert_str_eq(header("Access-Control-Allow-Methods"), "GET, HEAD, OPTIONS");
  ck_assert_str_eq(header("Access-Control-Allow-Origin"), "*");
  ck_assert_uint_eq(response.length, 0);
  ck_assert_int_eq(request("OPTIONS", "/nothing", NULL)->status, 404);
  static const char *const own[] = {"/", "/explorer/app.js", "/healthz", "/metrics"};
  for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
    ck_assert_int_eq(get(own[i])->status, 200);
    ck_assert_str_eq(header("Access-Control-Allow-Origin"), "");
    ck_assert_int_eq(request("OPTIONS", own[i], NULL)->status, 204);
    ck_assert_str_eq(header("Access-Control-Allow-Origin"), "");
    ck_assert_str_eq(header("Access-Control-Allow-Methods"), "");
  }
}
END_TEST

START_TEST(damaged_tables_give_no_value) {
  char path[FOLDER_PATH_BYTES];
  table_header h;
  write_slices(0, IMPLIED, 3);
  path_of(family_of(0), 3, STREAM_VALUE, &h, path);
  ck_assert_int_eq(truncate(path, 700), 0);
  assert_error("/v1/auale/awari?pos=" BOARD, 503, "damaged file", "damaged");
  ck_assert(!body_has("answer"));
  assert_error("/v1/auale/awari/line?pos=" BOARD, 503, "damaged file", "damaged");
  assert_error("/v1/auale/awari/stats?slice=3", 503, "damaged file", "damaged");
  ck_assert_int_eq(get("/v1/")->status, 200);
  ck_assert(!body_has("\"slice\":\"3\""));
}
END_TEST

START_TEST(the_page_and_its_files_are_there) {
  ck_assert_int_eq(get("/")->status, 200);
  assert_body((const char *)page);
  ck_assert_str_eq(header("Content-Type"), "text/html; charset=utf-8");
  ck_assert_str_eq(header("Cache-Control"), "no-cache");
  ck_assert(strstr(header("Content-Security-Policy"), "default-src 'self'"));
  ck_assert_str_eq(header("Referrer-Policy"), "no-referrer");
  ck_assert_int_eq(request("GET", "/", header("ETag"))->status, 304);
  ck_assert_int_eq(get("/explorer/app.js")->status, 200);
  assert_body((const char *)script);
  ck_assert_str_eq(header("Content-Type"), "text/javascript; charset=utf-8");
  static const char *const others[] = {"/explorer/",         "/explorer/none.js",     "/explorer/..%2Fapp.js",
                                       "/explorer/.app.js",  "/explorer/app",         "/explorer/a/app.js",
                                       "/explorer/%2e%2e/a", "/explorer/app.js%2F..", "/explorer"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) assert_error(others[i], 404, "not found", "");
}
END_TEST

START_TEST(files_come_from_a_folder_where_one_is_given) {
  char path[512];
  snprintf(path, sizeof path, "%s/own.css", probe_folder);
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  fputs("p{}", file);
  fclose(file);
  end();
  open_api(probe_folder, probe_folder);
  ck_assert_int_eq(get("/explorer/own.css")->status, 200);
  assert_body("p{}");
  ck_assert_str_eq(header("Content-Type"), "text/css; charset=utf-8");
  assert_error("/explorer/app.js", 404, "not found", "");
  assert_error("/", 404, "not found", "");
  snprintf(path, sizeof path, "/explorer/..%%2F%s%%2Fown.css", strrchr(probe_folder, '/') + 1);
  assert_error(path, 404, "not found", "");
  snprintf(path, sizeof path, "%s/.hidden.css", probe_folder);
  ck_assert_int_eq(symlink("own.css", path), 0);
  assert_error("/explorer/.hidden.css", 404, "not found", "");
  snprintf(path, sizeof path, "%s/folder.js", probe_folder);
  ck_assert_int_eq(mkdir(path, 0700), 0);
  assert_error("/explorer/folder.js", 404, "not found", "");
}
END_TEST

START_TEST(health_is_that_of_the_folder) {
  ck_assert_int_eq(get("/healthz")->status, 200);
  assert_body("{\"status\":\"ok\"}\n");
  ck_assert_str_eq(header("Cache-Control"), "no-store");
  ck_assert_int_eq(rmdir(probe_folder), 0);
  assert_error("/healthz", 503, "table missing", "folder");
  ck_assert_int_eq(mkdir(probe_folder, 0700), 0);
  ck_assert_int_eq(get("/healthz")->status, 200);
}
END_TEST

START_TEST(requests_are_counted) {
  write_slices(0, PLAIN, 3);
  get("/v1/auale/awari?pos=" BOARD);
  api_count(served, &response, 2e-4);
  api_count(served, &response, 3);
  get("/v1/auale/awari?pos=x");
  api_count(served, &response, 1e-6);
  api_set_connections(served, 7);
  ck_assert_int_eq(get("/metrics")->status, 200);
  ck_assert_str_eq(header("Content-Type"), "text/plain; version=0.0.4; charset=utf-8");
  static const char *const lines[] = {
      "\ntauler_http_requests_total{route=\"position\",status=\"200\"} 2\n",
      "\ntauler_http_requests_total{route=\"position\",status=\"400\"} 1\n",
      "{route=\"position\",le=\"1e-05\"} 1\n",
      "{route=\"position\",le=\"0.0001\"} 1\n",
      "{route=\"position\",le=\"0.00025\"} 2\n",
      "{route=\"position\",le=\"2.5\"} 2\n",
      "{route=\"position\",le=\"10\"} 3\n",
      "{route=\"position\",le=\"+Inf\"} 3\n",
      "\ntauler_http_request_duration_seconds_count{route=\"position\"} 3\n",
      "\ntauler_http_request_duration_seconds_sum{route=\"position\"} 3.000201000\n",
      "\ntauler_http_connections 7\n",
      "\ntauler_tables_open 1\n",
      "\ntauler_uptime_seconds "};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) ck_assert_msg(body_has(lines[i]), "%s", lines[i]);
  ck_assert(!body_has("route=\"line\""));
}
END_TEST

START_TEST(searches_are_told_from_cheap_questions) {
  static const struct {
    const char *path, *query;
    api_cost cost;
  } questions[] = {{"/v1/auale/awari", "pos=" BOARD, API_QUICK},
                   {"/v1/auale/awari", "pos=" BOARD "_moves_A", API_QUICK},
                   {"/v1/auale/awari/line", "pos=" BOARD, API_SLOW},
                   {"/v1/auale/awari/stats", "slice=3", API_SLOW},
                   {"/v1/auale/abapa/stats", "slice=3", API_DEAR},
                   {"/v1/phutball/base", "pos=5/1xxx1/1xoxx/1xxx1/x4_O", API_QUICK},
                   {"/v1/phutball/base", "pos=5/1xxx1/1xoxx/1xxx1/xx3_O", API_DEAR},
                   {"/v1/phutball/base/line", "pos=5/1xxx1/1xoxx/1xxx1/xx3_O", API_DEAR},
                   {"/v1/phutball/base", "pos=5/5/1xo2/5/5_O_moves_A1_B1_C1_D1_E1_A2_B2_C2_D2_E2", API_DEAR},
                   {"/v1/auale/abapa", "cycles=own-row&pos=" BOARD, API_QUICK},
                   {"/v1/auale/abapa", "cycles=own-row&pos=" BOARD "_moves_A", API_SEARCH},
                   {"/v1/auale/abapa", "cycles=own-row&pos=" BOARD "+%6Doves+A", API_SEARCH},
                   {"/v1/auale/abapa/line", "cycles=own-row&pos=" BOARD "_moves_A", API_SEARCH},
                   {"/v1/auale/nonsense", "pos=" BOARD "_moves_A", API_QUICK},
                   {"/v1/auale/awari", "pos=%", API_QUICK},
                   {"/metrics", NULL, API_QUICK}};
  for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
    const api_request asked = {"GET", questions[i].path, questions[i].query, NULL};
    ck_assert_msg(api_cost_of(served, &asked) == questions[i].cost, "%s?%s", asked.path, asked.query);
  }
  const api_request asked = {"GET", "/v1/auale/awari/line", "pos=" BOARD, NULL};
  api_response_free(&response);
  api_answer_busy(&asked, &response);
  ck_assert(response.status == 503 && body_has("\"error\":\"busy\""));
  ck_assert_str_eq(header("Retry-After"), "1");
  ck_assert_int_eq(response.route, API_LINE);
}
END_TEST

/* Of rule sets without tables few stay open, and those in use never go. */
START_TEST(rule_sets_pass) {
  rule_sets *sets;
  rule_set kept, again, other;
  char rules[128];
  write_slices(0, IMPLIED, 1);
  ck_assert_int_eq(rule_sets_open(probe_folder, NULL, &sets, &message), TAULER_OK);
  ck_assert_int_eq(rule_sets_find(sets, "phutball", NULL, NULL, &kept, &message), TAULER_OK);
  ck_assert_int_eq(rule_sets_find(sets, "phutball", NULL, NULL, &again, &message), TAULER_OK);
  ck_assert_ptr_eq(kept.tables, again.tables);
  rule_sets_release(sets, &again);
  tauler_tables *awari = NULL;
  for (int i = 0; i < 150; i++) {
    static const char *const flags[] = {",dice=2",   ",start=1",      ",goose-1=off", ",inn=1",
                                        ",prison=2", ",labyrinth=30", ",death=start", ",well=off"};
    snprintf(rules, sizeof rules, "base");
    for (int bit = 0; bit < 8; bit++) append(rules, sizeof rules, i >> bit & 1 ? flags[bit] : "");
    if (rule_sets_find(sets, "oca", rules, NULL, &other, &message)) ck_abort_msg("%s", message.text);
    rule_sets_release(sets, &other);
    if (rule_sets_find(sets, "auale", "awari", i % 2 ? "even" : NULL, &other, &message))
      ck_abort_msg("%s", message.text);
    if (!awari) awari = other.tables;
    ck_assert_ptr_eq(other.tables, awari);
    rule_sets_release(sets, &other);
  }
  ck_assert_int_eq(rule_sets_find(sets, "phutball", NULL, NULL, &again, &message), TAULER_OK);
  ck_assert_ptr_ne(kept.tables, again.tables);
  rule_sets_release(sets, &again);
  tauler_answer *answer;
  ck_assert_int_eq(tauler_probe(kept.tables, "3/1x1/1o1/3/3 O", &answer, &message), TAULER_TABLE_MISSING);
  tauler_answer_free(answer);
  rule_sets_release(sets, &kept);
  rule_sets_close(sets);
}
END_TEST

START_TEST(escapes_are_decoded) {
  char out[16];
  ck_assert(api_decode("a%2Bb+_%5f", 10, true, out));
  ck_assert_str_eq(out, "a+b  _");
  ck_assert(api_decode("a%2Bb+_", 7, false, out));
  ck_assert_str_eq(out, "a+b+_");
  ck_assert(api_decode("%c3%A9", 6, false, out));
  ck_assert_str_eq(out, "\xc3\xa9");
  ck_assert(!api_decode("%4", 2, false, out));
  ck_assert(!api_decode("%41", 2, false, out));
  ck_assert(!api_decode("%-1", 3, false, out));
  ck_assert(!api_decode("% 1", 3, false, out));
}
END_TEST

SUITE("http_api") {
  probe_fixture(suite);
  FIXTURE(begin, end);
  TEST(a_position_is_answered_as_the_command_line_does);
  TEST(a_line_of_moves_may_be_spaced_in_three_ways);
  TEST(a_line_of_play_is_answered_as_the_command_line_does);
  TEST(a_line_ends_when_its_time_is_up);
  TEST(what_is_not_known_is_asked_for_again);
  TEST(an_answer_with_something_unknown_has_a_tag_of_its_own);
  TEST(tables_that_change_are_noticed);
  TEST(tables_may_change_while_threads_ask);
  TEST(another_table_is_another_answer);
  TEST(depths_change_the_tag);
  TEST(tags_are_compared);
  TEST(bounds_are_answered_and_counted);
  TEST(positions_are_counted_by_value);
  TEST(the_contents_name_every_game_and_what_is_there);
  TEST(the_contents_are_never_old);
  TEST(requests_that_make_no_sense_are_refused);
  TEST(what_no_table_can_hold_is_nowhere);
  TEST(other_games_answer);
  TEST(addresses_have_a_length);
  TEST(only_reading_is_understood);
  TEST(damaged_tables_give_no_value);
  TEST(the_page_and_its_files_are_there);
  TEST(files_come_from_a_folder_where_one_is_given);
  TEST(health_is_that_of_the_folder);
  TEST(requests_are_counted);
  TEST(searches_are_told_from_cheap_questions);
  TEST(rule_sets_pass);
  TEST(escapes_are_decoded);
}
