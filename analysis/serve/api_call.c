/* Takes a request apart: route, game, parameters. */
#include "analysis/serve/api_call.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum { MOST_PARTS = 5 };

static int hexadecimal(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  return -1;
}

bool api_decode(const char *text, size_t length, bool spaces, char *out) {
  for (size_t i = 0; i < length; i++) {
    char byte = text[i];
    if (byte == '%') {
      const int high = i + 2 < length ? hexadecimal(text[i + 1]) : -1;
      const int low = i + 2 < length ? hexadecimal(text[i + 2]) : -1;
      if (high < 0 || low < 0 || (high == 0 && low == 0)) return false;
      byte = (char)(16 * high + low);
      i += 2;
    } else if (spaces && (byte == '+' || byte == '_')) {
      byte = ' ';
    }
    *out++ = byte;
  }
  *out = '\0';
  return true;
}

static int refuse(tauler_message *message, int status, const char *sentence) {
  snprintf(message->text, sizeof message->text, "%s", sentence);
  return status;
}

static api_method read_method(const char *name) {
  if (strcmp(name, "GET") == 0) return API_GET;
  if (strcmp(name, "HEAD") == 0) return API_HEAD;
  if (strcmp(name, "OPTIONS") == 0) return API_OPTIONS;
  return API_OTHER_METHOD;
}

/* --- the path ----------------------------------------------------------------------------------------------
 */

typedef struct {
  char *at; /* in call->texts: where the next decoded text goes */
  char *parts[MOST_PARTS];
  size_t parts_used;
} reader;

/* Decodes what lies between the slashes; a path that is deeper than any route has one part too many. */
static bool read_parts(const char *path, reader *r) {
  while (*path == '/' && r->parts_used < MOST_PARTS) {
    const size_t length = strcspn(++path, "/");
    if (!api_decode(path, length, false, r->at)) return false;
    r->parts[r->parts_used++] = r->at;
    r->at += strlen(r->at) + 1;
    path += length;
  }
  return true;
}

static api_route route_of_question(const char *name) {
  if (strcmp(name, "line") == 0) return API_LINE;
  if (strcmp(name, "stats") == 0) return API_STATS;
  if (strcmp(name, "board") == 0) return API_BOARD;
  return API_NO_ROUTE;
}

static api_route route_below_v1(const reader *r, api_call *call) {
  if (r->parts_used == 2 && !*r->parts[1]) return API_CONTENTS;
  if (r->parts_used < 3 || r->parts_used > 4 || !*r->parts[1] || !*r->parts[2]) return API_NO_ROUTE;
  call->game = r->parts[1];
  call->rules = strcmp(r->parts[2], "default") == 0 ? NULL : r->parts[2];
  return r->parts_used == 3 ? API_POSITION : route_of_question(r->parts[3]);
}

static api_route find_route(const reader *r, api_call *call) {
  const char *first = r->parts_used ? r->parts[0] : "";
  if (r->parts_used == 1) {
    if (!*first) return API_PAGE;
    if (strcmp(first, "healthz") == 0) return API_HEALTH;
    if (strcmp(first, "metrics") == 0) return API_METRICS;
  }
  if ((r->parts_used == 2 || r->parts_used == 3) && strcmp(first, "explorer") == 0) {
    if (r->parts_used == 3) r->parts[1][strlen(r->parts[1])] = '/'; /* the next part follows */
    call->file = r->parts[1];
    return API_FILE;
  }
  return strcmp(first, "v1") == 0 ? route_below_v1(r, call) : API_NO_ROUTE;
}

/* --- the query ---------------------------------------------------------------------------------------------
 */

static const struct {
  const char *name;
  unsigned routes; /* a bit for each that knows it */
} keys[] = {
    {"pos", 1U << API_POSITION | 1U << API_LINE},
    {"cycles", 1U << API_POSITION | 1U << API_LINE | 1U << API_STATS | 1U << API_BOARD},
    {"slice", 1U << API_STATS},
    {"most", 1U << API_LINE},
    {"tables", 1U << API_CONTENTS | 1U << API_POSITION | 1U << API_LINE | 1U << API_STATS | 1U << API_BOARD}};
enum { KEYS = sizeof keys / sizeof *keys };

static size_t find_key(const char *name, api_route route) {
  for (size_t i = 0; i < KEYS; i++)
    if (strcmp(keys[i].name, name) == 0 && (keys[i].routes >> route & 1U)) return i;
  return KEYS;
}

static int refuse_key(const char *name, api_route route, tauler_message *message) {
  char known[128] = "";
  for (size_t i = 0; i < KEYS; i++) {
    if (!(keys[i].routes >> route & 1U)) continue;
    if (*known) strncat(known, ", ", sizeof known - strlen(known) - 1);
    strncat(known, keys[i].name, sizeof known - strlen(known) - 1);
  }
  snprintf(message->text, sizeof message->text, "'%.60s' cannot be asked here; the query may have: %s", name,
           *known ? known : "nothing");
  return 400;
}

/* One "key=value". */
static int read_pair(const char *text, size_t length, reader *r, const char *values[KEYS], api_route route,
                     tauler_message *message) {
  const char *equals = memchr(text, '=', length);
  const size_t name_length = equals ? (size_t)(equals - text) : length;
  char *name = r->at;
  if (!api_decode(text, name_length, false, name))
    return refuse(message, 400, "the query has a % that no two hexadecimal digits follow, or a NUL");
  const size_t key = find_key(name, route);
  if (key == KEYS) return refuse_key(name, route, message);
  if (values[key]) {
    snprintf(message->text, sizeof message->text, "'%s' stands in the query twice", keys[key].name);
    return 400;
  }
  const size_t value_length = equals ? length - name_length - 1 : 0;
  if (!api_decode(equals ? equals + 1 : "", value_length, true, r->at))
    return refuse(message, 400, "the query has a % that no two hexadecimal digits follow, or a NUL");
  values[key] = r->at;
  r->at += strlen(r->at) + 1;
  return 0;
}

static int read_query(const char *query, reader *r, api_call *call, tauler_message *message) {
  const char *values[KEYS] = {NULL};
  while (query && *query) {
    const size_t length = strcspn(query, "&");
    const int status = length ? read_pair(query, length, r, values, call->route, message) : 0;
    if (status) return status;
    query += length + (query[length] == '&');
  }
  call->position = values[0];
  call->cycles = values[1];
  call->slice = values[2];
  uint64_t most = 0;
  if (values[3] && !text_read_unsigned(values[3], 1, 10000, &most))
    return refuse(message, 400, "'most' is a number of moves from 1 to 10000");
  call->most_moves = (size_t)most;
  if ((keys[0].routes >> call->route & 1U) && !call->position)
    return refuse(message, 400, "a position is missing: ?pos=POSITION");
  if (call->route == API_STATS && !call->slice)
    return refuse(message, 400, "a slice is missing: ?slice=NAME");
  return 0;
}

static bool has_query(api_route route) {
  return route != API_PAGE && route != API_FILE && route != API_HEALTH && route != API_METRICS;
}

int api_call_read(const api_request *request, api_call *call, tauler_message *message) {
  reader r = {.at = call->texts};
  call->route = API_NO_ROUTE;
  call->method = read_method(request->method);
  call->file = call->game = call->rules = call->cycles = call->position = call->slice = NULL;
  call->most_moves = 0;
  if (strlen(request->path) > API_MOST_PATH || (request->query && strlen(request->query) > API_MOST_QUERY))
    return refuse(message, 414, "the address is too long: a path has at most 2048 bytes, a query 8192");
  if (!read_parts(request->path, &r))
    return refuse(message, 400, "the path has a % that no two hexadecimal digits follow, or a NUL");
  call->route = find_route(&r, call);
  if (call->route == API_NO_ROUTE)
    return refuse(message, 404, "there is nothing here; GET /v1/ lists what can be asked");
  if (call->method == API_OTHER_METHOD)
    return refuse(message, 405, "only GET, HEAD and OPTIONS are understood: tables are read, never changed");
  if (call->method == API_OPTIONS || !has_query(call->route)) return 0;
  return read_query(request->query, &r, call, message);
}
