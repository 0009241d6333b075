#include "tests/support/http_fixture.h"

#include <fcntl.h>
#include <unistd.h>

#include "databases/table_format.h"

api *served;
api_response response;

static const unsigned char page[] = "<!doctype html>", script[] = "export default 1;";
static const api_file files[] = {{"index.html", page, sizeof page - 1},
                                 {"icon.svg", page, sizeof page - 1},
                                 {"app.js", script, sizeof script - 1}};

void open_api(const char *folder, const char *explorer) {
  const api_settings settings = {
      .folder = folder, .files = files, .files_used = sizeof files / sizeof *files, .explorer = explorer};
  ck_assert_int_eq(api_open(&settings, &served, hear()), TAULER_OK);
}

static void begin(void) {
  open_api(folder, NULL);
}

void close_api(void) {
  api_response_free(&response);
  api_close(served);
  served = NULL;
}

/* The response of before is given back; every text is in a block of its own, so that a sanitizer sees a read
 * beyond it. */
const api_response *request(const char *method, const char *target, const char *if_none_match) {
  char *path = strdup(target), *query = strchr(path, '?');
  if (query) {
    *query = '\0';
    query = strdup(query + 1);
  }
  char *tag = if_none_match ? strdup(if_none_match) : NULL;
  const api_request asked = {.method = method, .path = path, .query = query, .if_none_match = tag};
  api_response_free(&response);
  api_answer(served, &asked, &response);
  free(path);
  free(query);
  free(tag);
  return &response;
}

const api_response *get(const char *target) {
  return request("GET", target, NULL);
}

const char *header(const char *name) {
  for (size_t i = 0; i < response.headers_used; i++)
    if (strcmp(response.headers[i].name, name) == 0) return response.headers[i].value;
  return "";
}

bool body_has(const char *text) {
  return memmem(response.body, response.length, text, strlen(text)) != NULL;
}

/* The routes below /v1/; pages of other origins read nothing else. */
bool reads_tables(void) {
  return response.route >= API_CONTENTS && response.route <= API_EXERCISE;
}

void assert_error(const char *target, int status, const char *name, const char *word) {
  char begin[128];
  get(target);
  snprintf(begin, sizeof begin, "{\"error\":\"%s\",\"message\":\"", name);
  ck_assert_msg(response.status == status && strncmp(response.body, begin, strlen(begin)) == 0 &&
                    body_has(word) && strcmp(header("Cache-Control"), "no-store") == 0,
                "%s: %d, not %d: %.300s", target, response.status, status, response.body);
  ck_assert_msg(!body_has(folder) && !body_has("tauler build"), "%s: %.300s", target, response.body);
  ck_assert_str_eq(header("Content-Type"), "application/json; charset=utf-8");
  ck_assert_str_eq(header("Access-Control-Allow-Origin"), reads_tables() ? "*" : "");
  ck_assert_str_eq(header("ETag"), "");
  ck_assert_str_eq(header("Retry-After"), status == 503 ? "1" : "");
}

void assert_body(const char *wanted) {
  ck_assert_uint_eq(response.length, strlen(wanted));
  ck_assert_msg(memcmp(response.body, wanted, response.length) == 0, "%.*s, not %s", (int)response.length,
                response.body, wanted);
}

void http_fixture(suite_cases *suite) {
  probe_fixture(suite);
  FIXTURE(begin, close_api);
}
