/* The squares of boards of the goose over HTTP, held against what the rules of both games say. No table is
 * needed. */
#include "analysis/serve/api.h"
#include "tests/support/suite.h"

static api *served;
static api_response response;

static void open_boards(void) {
  const api_settings settings = {.folder = "/nonexistent"};
  MUST(api_open(&settings, &served, NULL));
}

static void end(void) {
  api_response_free(&response);
  api_close(served);
}

static void get(const char *path) {
  const api_request asked = {.method = "GET", .path = path};
  api_response_free(&response);
  api_answer(served, &asked, &response);
}

static int times(const char *text) {
  int found = 0;
  for (const char *at = strstr(response.body, text); at; at = strstr(at + 1, text)) found++;
  return found;
}

static void expect_all(const char *const *squares) {
  ck_assert_int_eq(response.status, 200);
  for (; *squares; squares++) {
    char whole[128];
    snprintf(whole, sizeof whole, "{\"square\":%s}", *squares);
    ck_assert_msg(times(whole) == 1, "%s in %s", whole, response.body);
  }
}

#define BOTH                                                                                                 \
  "0,\"kind\":\"start\"", "1,\"kind\":\"goose\",\"to\":5", "2,\"kind\":\"plain\"",                           \
      "6,\"kind\":\"bridge\",\"to\":12", "12,\"kind\":\"bridge\",\"to\":6",                                  \
      "26,\"kind\":\"dice\",\"to\":53", "53,\"kind\":\"dice\",\"to\":26",                                    \
      "52,\"kind\":\"prison\",\"turns\":3", "54,\"kind\":\"goose\",\"to\":59",                               \
      "59,\"kind\":\"goose\",\"to\":63", "63,\"kind\":\"end\""

CASE(oca_has_its_board) {
  static const char *const squares[] = {BOTH,
                                        "19,\"kind\":\"inn\",\"turns\":2",
                                        "31,\"kind\":\"well\",\"waits\":true",
                                        "42,\"kind\":\"labyrinth\",\"turns\":2",
                                        "58,\"kind\":\"death\",\"to\":1",
                                        NULL};
  static const char first[] =
      "{\"game\":\"oca\",\"rules\":\"base\",\"length\":63,\"squares\":[{\"square\":0,";
  get("/v1/oca/default/board");
  expect_all(squares);
  ck_assert_int_eq(strncmp(response.body, first, strlen(first)), 0);
  ck_assert_int_eq(times("\"square\":"), 64);
  ck_assert_int_eq(times("\"goose\""), 14);
  ck_assert_int_eq(times("\"plain\""), 63 - 15 - 2 - 2 - 5);
}

CASE(flags_change_squares) {
  static const char *const squares[] = {
      "1,\"kind\":\"plain\"",           "19,\"kind\":\"inn\",\"turns\":1",
      "31,\"kind\":\"plain\"",          "42,\"kind\":\"labyrinth\",\"to\":30",
      "58,\"kind\":\"death\",\"to\":0", NULL};
  get("/v1/oca/base,goose-1=off,inn=1,labyrinth=30,death=start,well=off/board");
  expect_all(squares);
}

CASE(la_oca_asesina_has_its_boards) {
  static const char *const large[] = {BOTH,
                                      "19,\"kind\":\"inn\",\"turns\":1",
                                      "31,\"kind\":\"well\",\"turns\":2",
                                      "42,\"kind\":\"labyrinth\",\"to\":30",
                                      "58,\"kind\":\"death\",\"to\":0",
                                      NULL};
  static const char *const small[] = {"1,\"kind\":\"plain\"",
                                      "3,\"kind\":\"bridge\",\"to\":7",
                                      "10,\"kind\":\"well\",\"turns\":2",
                                      "14,\"kind\":\"labyrinth\",\"to\":11",
                                      "17,\"kind\":\"goose\",\"to\":20",
                                      "20,\"kind\":\"end\"",
                                      NULL};
  get("/v1/oca-asesina/base/board");
  expect_all(large);
  get("/v1/oca-asesina/base,board=20/board");
  expect_all(small);
  ck_assert_int_eq(times("\"square\":"), 21);
}

CASE(other_games_have_none) {
  static const char *const games[] = {"auale", "doushouqi", "phutball"};
  for (size_t i = 0; i < sizeof games / sizeof *games; i++) {
    char path[64];
    snprintf(path, sizeof path, "/v1/%s/default/board", games[i]);
    get(path);
    ck_assert_msg(response.status == 404 && times("no board of squares") == 1, "%s: %d %s", path,
                  response.status, response.body);
  }
}

SUITE("http_board") {
  FIXTURE(open_boards, end);
  TESTS(oca_has_its_board, flags_change_squares, la_oca_asesina_has_its_boards, other_games_have_none);
}
