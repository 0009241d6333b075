/* Splits a request into route, game and parameters. */
#include "analysis/serve/api_parts.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

enum { MOST_PARTS = 5 };

const api_route_traits api_routes[API_ROUTES] = {
    [API_PAGE] = {.name = "page"},
    [API_FILE] = {.name = "file"},
    [API_CONTENTS] = {.name = "contents", .has_query = true, .is_public = true, .cost = API_SLOW},
    [API_POSITION] = {"position", NULL, true, false, true, API_QUICK, api_answer_position},
    [API_LINE] = {"line", "line", true, false, true, API_SLOW, api_answer_line},
    [API_SEARCHED] = {"search", "search", true, false, true, API_SEARCH, api_answer_search},
    [API_STATS] = {"stats", "stats", true, false, true, API_SLOW, api_answer_stats},
    [API_BOARD] = {"board", "board", true, false, true, API_QUICK, api_answer_board},
    [API_EXERCISE] = {"exercise", "exercise", true, false, true, API_DEAR, NULL},
    [API_ANALYSE] = {"analyse", NULL, true, true, true, API_SEARCH, NULL},
    [API_POSITIONS] = {"positions", NULL, true, true, true, API_SEARCH, api_answer_positions},
    [API_OPENAPI] = {.name = "openapi", .is_public = true},
    [API_HEALTH] = {.name = "healthz"},
    [API_METRICS] = {.name = "metrics"},
    [API_NO_ROUTE] = {.name = "none"}};

static int digit_value(char digit) {
  if (digit >= '0' && digit <= '9') return digit - '0';
  if (digit >= 'a' && digit <= 'f') return digit - 'a' + 10;
  if (digit >= 'A' && digit <= 'F') return digit - 'A' + 10;
  return -1;
}

bool api_decode(const char *text, size_t length, bool spaces, char *out) {
  for (size_t i = 0; i < length; i++) {
    char byte = text[i];
    if (byte == '%') {
      const int high = i + 2 < length ? digit_value(text[i + 1]) : -1;
      const int low = i + 2 < length ? digit_value(text[i + 2]) : -1;
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

static int set_refusal(tauler_message *message, int status, const char *sentence) {
  snprintf(message->text, sizeof message->text, "%s", sentence);
  return status;
}

static api_method read_method(const char *name) {
  if (strcmp(name, "GET") == 0) return API_GET;
  if (strcmp(name, "HEAD") == 0) return API_HEAD;
  if (strcmp(name, "POST") == 0) return API_POST;
  if (strcmp(name, "OPTIONS") == 0) return API_OPTIONS;
  return API_OTHER_METHOD;
}

/* --- the path --- */

typedef struct {
  char *at; /* place of the next decoded text in call->texts */
  char *parts[MOST_PARTS];
  size_t parts_used;
} reader;

/* Stops after MOST_PARTS parts, one more than any route has. Returns false if an escape is wrong. */
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
  for (int route = 0; route < API_NO_ROUTE; route++)
    if (api_routes[route].question && strcmp(api_routes[route].question, name) == 0) return (api_route)route;
  return API_NO_ROUTE;
}

static api_route route_below_v1(const reader *r, api_call *call) {
  if (r->parts_used == 1 || (r->parts_used == 2 && !*r->parts[1])) return API_CONTENTS;
  if (r->parts_used == 2 && strcmp(r->parts[1], "analyse") == 0) return API_ANALYSE;
  if (r->parts_used == 2 && strcmp(r->parts[1], "positions") == 0) return API_POSITIONS;
  if (r->parts_used == 2 && strcmp(r->parts[1], "openapi.json") == 0) return API_OPENAPI;
  if (r->parts_used < 3 || r->parts_used > 4 || !*r->parts[1] || !*r->parts[2]) return API_NO_ROUTE;
  call->game = r->parts[1];
  call->rules = strcmp(r->parts[2], "default") == 0 ? NULL : r->parts[2];
  return r->parts_used == 3 ? API_POSITION : route_of_question(r->parts[3]);
}

static api_route find_route(const reader *r, api_call *call) {
  const char *first = r->parts_used ? r->parts[0] : "";
  if (r->parts_used == 1) {
    if (!*first || strcmp(first, "index.html") == 0) return API_PAGE;
    if (strcmp(first, "favicon.ico") ==
        0) { /* browsers ask for it if no page names the icon, as when they show JSON */
      call->file = "icon.svg";
      return API_FILE;
    }
    if (strcmp(first, "healthz") == 0) return API_HEALTH;
    if (strcmp(first, "metrics") == 0) return API_METRICS;
  }
  if ((r->parts_used == 2 || r->parts_used == 3) && strcmp(first, "explorer") == 0) {
    if (r->parts_used == 3)
      r->parts[1][strlen(r->parts[1])] = '/'; /* joins it with the next part, which follows in memory */
    call->file = r->parts[1];
    return API_FILE;
  }
  return strcmp(first, "v1") == 0 ? route_below_v1(r, call) : API_NO_ROUTE;
}

/* --- the query --- */

#define ROUTE(name) (1U << API_##name)
#define ASKING (ROUTE(POSITION) | ROUTE(LINE) | ROUTE(SEARCHED))
#define OF_RULES (ASKING | ROUTE(STATS) | ROUTE(BOARD) | ROUTE(EXERCISE) | ROUTE(POSITIONS))

typedef struct {
  const char *name;
  unsigned routes;     /* a bit for each route that accepts the key */
  size_t place;        /* offset in api_call of a number if `most` is not 0, otherwise of a text */
  uint64_t most;       /* largest value of a number, whose least is 1, or 0 if the value is a text */
  const char *refusal; /* message that refuses a number out of range, or a missing text */
  unsigned needed;     /* routes that refuse a query without the key */
} query_key;

static const query_key keys[] = {
    {"pos", ASKING, offsetof(api_call, position), 0, "a position is missing: ?pos=POSITION", ASKING},
    {"cycles", OF_RULES | ROUTE(ANALYSE), offsetof(api_call, cycles), 0, NULL, 0},
    {"slice", ROUTE(STATS) | ROUTE(EXERCISE), offsetof(api_call, slice), 0, "a slice is missing: ?slice=NAME",
     ROUTE(STATS) | ROUTE(EXERCISE)},
    {"most", ROUTE(LINE), offsetof(api_call, most_moves), 10000,
     "'most' is a number of moves from 1 to 10000", 0},
    {"game", ROUTE(ANALYSE) | ROUTE(POSITIONS), offsetof(api_call, game), 0, "a game is missing: ?game=NAME",
     ROUTE(POSITIONS)},
    {"rules", ROUTE(ANALYSE) | ROUTE(POSITIONS), offsetof(api_call, rules), 0, NULL, 0},
    {"ms", ROUTE(SEARCHED), offsetof(api_call, milliseconds), API_MOST_MILLISECONDS,
     "'ms' is a number of milliseconds from 1 to 5000", 0},
    {"positions", ROUTE(SEARCHED), offsetof(api_call, positions), 100000000,
     "'positions' is a number from 1 to 100000000", 0},
    {"tables", OF_RULES | ROUTE(CONTENTS), offsetof(api_call, tables), 0, NULL, 0},
    {"seed", ROUTE(EXERCISE), offsetof(api_call, seed), UINT32_MAX, "'seed' is a number from 1 to 4294967295",
     0},
    {"grade", ROUTE(EXERCISE), offsetof(api_call, grade), 3, "'grade' is 1, 2 or 3", 0},
    {"unlike", ROUTE(EXERCISE), offsetof(api_call, unlike), 0, NULL, 0},
    {"notation", ASKING, offsetof(api_call, notation), 0, NULL, 0}};
enum { KEYS = sizeof keys / sizeof *keys };

static int refuse_key(const char *name, api_route route, tauler_message *message) {
  char known[128] = "";
  for (size_t i = 0; i < KEYS; i++) {
    if (!(keys[i].routes >> route & 1U)) continue;
    text_add(known, sizeof known, "%s%s", *known ? ", " : "", keys[i].name);
  }
  snprintf(message->text, sizeof message->text, "'%.60s' cannot be asked here; the query may have: %s", name,
           *known ? known : "nothing");
  return 400;
}

/* Returns 0 or the status of a refusal. */
static int read_pair(const char *text, size_t length, reader *r, const char *values[KEYS], api_route route,
                     tauler_message *message) {
  const char *equals = memchr(text, '=', length);
  const size_t name_length = equals ? (size_t)(equals - text) : length;
  char *name = r->at;
  if (!api_decode(text, name_length, false, name))
    return set_refusal(message, 400, "the query has a % that no two hexadecimal digits follow, or a NUL");
  size_t key = 0;
  while (key < KEYS && strcmp(keys[key].name, name) != 0) key++;
  if (key == KEYS) return 0; /* other programs add keys such as utm_source to an address */
  if (!(keys[key].routes >> route & 1U)) return refuse_key(name, route, message);
  if (values[key]) {
    snprintf(message->text, sizeof message->text, "'%s' stands in the query twice", keys[key].name);
    return 400;
  }
  const size_t value_length = equals ? length - name_length - 1 : 0;
  if (!api_decode(equals ? equals + 1 : "", value_length, true, r->at))
    return set_refusal(message, 400, "the query has a % that no two hexadecimal digits follow, or a NUL");
  values[key] = r->at;
  r->at += strlen(r->at) + 1;
  return 0;
}

/* Returns false if the value is not a right number, or if it is NULL and the route needs it. */
static bool read_value(size_t key, const char *text, api_call *call) {
  void *place = (char *)call + keys[key].place;
  if (text && keys[key].most) return text_read_unsigned(text, 1, keys[key].most, place);
  if (text) memcpy(place, &text, sizeof text);
  return text || !(keys[key].needed >> call->route & 1U);
}

static int read_values(const char *const values[KEYS], api_call *call, tauler_message *message) {
  for (int needed = 0; needed <= 1; needed++)
    for (size_t key = 0; key < KEYS; key++)
      if ((values[key] == NULL) == needed && !read_value(key, values[key], call))
        return set_refusal(message, 400, keys[key].refusal);
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
  return read_values(values, call, message);
}

int api_call_read(const api_request *request, api_call *call, tauler_message *message) {
  *call = (api_call){
      .route = API_NO_ROUTE, .method = read_method(request->method), .milliseconds = API_MILLISECONDS};
  reader r = {.at = call->texts};
  if (strlen(request->path) > API_MOST_PATH || (request->query && strlen(request->query) > API_MOST_QUERY))
    return set_refusal(message, 414, "the address is too long: a path has at most 2048 bytes, a query 8192");
  if (!read_parts(request->path, &r))
    return set_refusal(message, 400, "the path has a % that no two hexadecimal digits follow, or a NUL");
  call->route = find_route(&r, call);
  if (call->route == API_NO_ROUTE)
    return set_refusal(message, 404, "there is nothing here; GET /v1/ lists what can be asked");
  const bool has_body = api_routes[call->route].has_body;
  if (has_body && (call->method == API_GET || call->method == API_HEAD))
    return set_refusal(message, 405, "what is asked here is sent with POST, as a body");
  if (call->method == API_OTHER_METHOD || (call->method == API_POST && !has_body))
    return set_refusal(message, 405,
                       "only GET, HEAD and OPTIONS are understood: tables are read, never changed");
  call->body = request->body;
  call->body_length = request->body_length;
  if (call->method == API_OPTIONS || !api_routes[call->route].has_query) return 0;
  return read_query(request->query, &r, call, message);
}

bool api_allows_body(const api_request *request) {
  return strcmp(request->method, "POST") == 0 &&
         (strcmp(request->path, "/v1/analyse") == 0 || strcmp(request->path, "/v1/positions") == 0);
}
