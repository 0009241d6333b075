/* The HTTP interface as a function from request to response: requests that are refused, files, health, counts
 * and decoding. */
#include <sys/stat.h>
#include <unistd.h>

#include "analysis/probe/probe_tables.h"
#include "analysis/serve/api.h"
#include "analysis/serve/api_parts.h"
#include "databases/streams.h"
#include "databases/table_format.h"
#include "tests/support/analysis/asked.h"
#include "tests/support/http_fixture.h"
#include "tests/support/suite.h"

CASE(requests_that_make_no_sense_are_refused) {
  static const char *const none = "nothing here", *const escape = "hexadecimal", *const usage = "bad usage";
  assert_error("/nothing", 404, "not found", none);
  assert_error("", 404, "not found", none);
  assert_error("v1/", 404, "not found", none);
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
  assert_error("/v1/auale/awari?position=" BOARD, 400, usage, "position is missing");
  assert_error("/v1/?most=1", 400, usage, "tables");
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

static void append(char *text, size_t room, const char *more) {
  const size_t used = strlen(text);
  ck_assert_uint_lt(used + strlen(more), room);
  snprintf(text + used, room - used, "%s", more);
}

/* A sender may add to an address, and a typist may leave out its last sign. */
CASE(addresses_that_others_change_are_answered) {
  static const char *const alike[][2] = {
      {"/v1/", "/v1"},
      {"/v1/", "/v1?utm_source=x"},
      {"/", "/index.html"},
      {"/", "/index.html?fbclid=1"},
      {"/explorer/icon.svg", "/favicon.ico"},
      {"/v1/auale/awari?pos=" BOARD, "/v1/auale/awari?utm_source=a%20b&pos=" BOARD "&utm_source=c&ref"}};
  write_slices(0, IMPLIED, 3);
  for (size_t i = 0; i < sizeof alike / sizeof *alike; i++) {
    ck_assert_int_eq(get(alike[i][0])->status, 200);
    char *wanted = strndup(response.body, response.length);
    ck_assert_msg(get(alike[i][1])->status == 200, "%s: %d", alike[i][1], response.status);
    assert_body(wanted);
    free(wanted);
  }
}

CASE(what_no_table_can_hold_is_nowhere) {
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

CASE(other_games_answer) {
  assert_error("/v1/doushouqi/default?pos=7/7/3e3/7/6L/7/7/7/7+w", 404, "table missing", "slice Le");
  assert_error("/v1/oca/default?pos=oca:0,0/1", 404, "table missing", "slice 2");
  ck_assert(body_has("\"rolls\":["));
  assert_error("/v1/oca/default/line?pos=oca:0,0/1", 404, "table missing", "");
}

CASE(addresses_have_a_length) {
  char *target = suite_zeros(20000, 1);
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
}

CASE(only_reading_is_understood) {
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

CASE(damaged_tables_give_no_value) {
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

CASE(the_page_and_its_files_are_there) {
  ck_assert_int_eq(get("/")->status, 200);
  assert_body("<!doctype html>");
  ck_assert_str_eq(header("Content-Type"), "text/html; charset=utf-8");
  ck_assert_str_eq(header("Cache-Control"), "no-cache");
  ck_assert(strstr(header("Content-Security-Policy"), "default-src 'self'"));
  ck_assert_str_eq(header("Referrer-Policy"), "no-referrer");
  ck_assert_int_eq(request("GET", "/", header("ETag"))->status, 304);
  ck_assert_int_eq(get("/explorer/app.js")->status, 200);
  assert_body("export default 1;");
  ck_assert_str_eq(header("Content-Type"), "text/javascript; charset=utf-8");
  static const char *const others[] = {
      "/explorer/",    "/explorer/none.js",  "/explorer/..%2Fapp.js", "/explorer/.app.js",
      "/explorer/app", "/explorer/a/app.js", "/explorer/%2e%2e/a",    "/explorer/app.js%2F..",
      "/explorer",     "/explorer/boards/",  "/explorer/boards/..",   "/explorer/boards/a/b.js"};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++) assert_error(others[i], 404, "not found", "");
}

CASE(files_come_from_a_folder_where_one_is_given) {
  char path[512];
  snprintf(path, sizeof path, "%s/own.css", folder);
  FILE *file = fopen(path, "w");
  ck_assert_ptr_nonnull(file);
  fputs("p{}", file);
  fclose(file);
  close_api();
  open_api(folder, folder);
  ck_assert_int_eq(get("/explorer/own.css")->status, 200);
  assert_body("p{}");
  ck_assert_str_eq(header("Content-Type"), "text/css; charset=utf-8");
  snprintf(path, sizeof path, "%s/boards", folder);
  ck_assert_int_eq(mkdir(path, 0700), 0);
  snprintf(path, sizeof path, "%s/boards/own.css", folder);
  ck_assert_int_eq(symlink("../own.css", path), 0);
  ck_assert_int_eq(get("/explorer/boards/own.css")->status, 200);
  assert_error("/explorer/boards/..%2Fown.css", 404, "not found", "");
  assert_error("/explorer/app.js", 404, "not found", "");
  assert_error("/", 404, "not found", "");
  snprintf(path, sizeof path, "/explorer/..%%2F%s%%2Fown.css", strrchr(folder, '/') + 1);
  assert_error(path, 404, "not found", "");
  snprintf(path, sizeof path, "%s/.hidden.css", folder);
  ck_assert_int_eq(symlink("own.css", path), 0);
  assert_error("/explorer/.hidden.css", 404, "not found", "");
  snprintf(path, sizeof path, "%s/folder.js", folder);
  ck_assert_int_eq(mkdir(path, 0700), 0);
  assert_error("/explorer/folder.js", 404, "not found", "");
}

CASE(health_is_that_of_the_folder) {
  ck_assert_int_eq(get("/healthz")->status, 200);
  assert_body("{\"status\":\"ok\"}\n");
  ck_assert_str_eq(header("Cache-Control"), "no-store");
  ck_assert_int_eq(rmdir(folder), 0);
  assert_error("/healthz", 503, "table missing", "folder");
  ck_assert_int_eq(mkdir(folder, 0700), 0);
  ck_assert_int_eq(get("/healthz")->status, 200);
}

CASE(requests_are_counted) {
  write_slices(0, PLAIN, 3);
  get("/v1/auale/awari?pos=" BOARD);
  api_count_response(served, &response, 2e-4);
  api_count_response(served, &response, 3);
  get("/v1/auale/awari?pos=x");
  api_count_response(served, &response, 1e-6);
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

CASE(searches_are_told_from_cheap_questions) {
  static const struct {
    const char *path, *query;
    api_cost cost;
  } questions[] = {{"/v1/auale/awari", "pos=" BOARD, API_QUICK},
                   {"/v1/auale/awari", "pos=" BOARD "_moves_A", API_QUICK},
                   {"/v1/auale/awari/line", "pos=" BOARD, API_SLOW},
                   {"/v1/auale/awari/search", "pos=" BOARD, API_SEARCH},
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
    const api_request asked = {.method = "GET", .path = questions[i].path, .query = questions[i].query};
    ck_assert_msg(api_cost_of(served, &asked) == questions[i].cost, "%s?%s", asked.path, asked.query);
  }
  const api_request asked = {.method = "GET", .path = "/v1/auale/awari/line", .query = "pos=" BOARD};
  api_response_free(&response);
  api_answer_busy(&asked, &response);
  ck_assert(response.status == 503 && body_has("\"error\":\"busy\""));
  ck_assert_str_eq(header("Retry-After"), "1");
  ck_assert_int_eq(response.route, API_LINE);
}

/* Of rule sets without tables few stay open, and those in use never go. */
CASE(rule_sets_pass) {
  rule_sets *sets;
  rule_set kept, again, other;
  char rules[128];
  write_slices(0, IMPLIED, 1);
  MUST(rule_sets_open(folder, NULL, NULL, NULL, &sets, hear()));
  MUST(rule_sets_find(sets, "phutball", NULL, NULL, &kept, hear()));
  MUST(rule_sets_find(sets, "phutball", NULL, NULL, &again, hear()));
  ck_assert_ptr_eq(kept.tables, again.tables);
  rule_sets_release(sets, &again);
  tauler_tables *awari = NULL;
  for (int i = 0; i < 150; i++) {
    static const char *const flags[] = {",dice=2",   ",start=1",      ",goose-1=off", ",inn=1",
                                        ",prison=2", ",labyrinth=30", ",death=start", ",well=off"};
    snprintf(rules, sizeof rules, "base");
    for (int bit = 0; bit < 8; bit++) append(rules, sizeof rules, i >> bit & 1 ? flags[bit] : "");
    if (rule_sets_find(sets, "oca", rules, NULL, &other, hear())) ck_abort_msg("%s", said.text);
    rule_sets_release(sets, &other);
    if (rule_sets_find(sets, "auale", "awari", i % 2 ? "even" : NULL, &other, hear()))
      ck_abort_msg("%s", said.text);
    if (!awari) awari = other.tables;
    ck_assert_ptr_eq(other.tables, awari);
    rule_sets_release(sets, &other);
  }
  MUST(rule_sets_find(sets, "phutball", NULL, NULL, &again, hear()));
  ck_assert_ptr_ne(kept.tables, again.tables);
  rule_sets_release(sets, &again);
  (void)asked(kept.tables, "3/1x1/1o1/3/3 O", TAULER_TABLE_MISSING);
  rule_sets_release(sets, &kept);
  rule_sets_close(sets);
}

CASE(escapes_are_decoded) {
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

SUITE("http_requests") {
  http_fixture(suite);
  TESTS(requests_that_make_no_sense_are_refused, addresses_that_others_change_are_answered,
        what_no_table_can_hold_is_nowhere, other_games_answer, addresses_have_a_length,
        only_reading_is_understood, damaged_tables_give_no_value, the_page_and_its_files_are_there,
        files_come_from_a_folder_where_one_is_given, health_is_that_of_the_folder, requests_are_counted,
        searches_are_told_from_cheap_questions, rule_sets_pass, escapes_are_decoded);
}
