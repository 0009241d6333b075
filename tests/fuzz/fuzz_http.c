/* Any request gets an answer of the interface: a status it has, a body that is there, a tag in quotes. The
 * input is a line each: method, target, If-None-Match. No tables are built, so nothing costs much. */
#include <stdlib.h>
#include <string.h>

#include "analysis/serve/api.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool holds) {
  if (!holds) abort();
}

/* The next line in a block of its own; NULL where there is none. */
static char *next_line(const uint8_t **at, const uint8_t *end) {
  if (*at == end) return NULL;
  const uint8_t *stop = memchr(*at, '\n', (size_t)(end - *at));
  const size_t length = (size_t)((stop ? stop : end) - *at);
  char *line = malloc(length + 1);
  check(line != NULL);
  memcpy(line, *at, length);
  line[length] = '\0';
  *at = stop ? stop + 1 : end;
  return line;
}

static bool is_status(int status) {
  static const int all[] = {200, 204, 304, 400, 404, 405, 414, 503};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i] == status) return true;
  return false;
}

static void try_request(api *served, const api_request *asked) {
  api_response response;
  (void)api_cost_of(served, asked);
  api_answer(served, asked, &response);
  check(is_status(response.status) && response.route < API_ROUTES);
  check(response.body != NULL || response.length == 0);
  check(response.status != 503 || response.length > 0);
  for (size_t i = 0; i < response.headers_used; i++) {
    const api_header *header = &response.headers[i];
    check(header->name && header->value && !strpbrk(header->value, "\r\n"));
  }
  api_count_response(served, &response, 1e-3);
  api_response_free(&response);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static api *served;
  static const api_file page = {"index.html", (const unsigned char *)"page", 4};
  static const api_settings settings = {.folder = "no-such-folder", .files = &page, .files_used = 1};
  if (!served && api_open(&settings, &served, NULL)) abort();
  const uint8_t *end = data + size;
  char *method = next_line(&data, end), *target = next_line(&data, end), *tag = next_line(&data, end);
  if (target) {
    char *query = strchr(target, '?');
    if (query) *query++ = '\0';
    try_request(served,
                &(api_request){.method = method, .path = target, .query = query, .if_none_match = tag});
  }
  free(method);
  free(target);
  free(tag);
  return 0;
}
