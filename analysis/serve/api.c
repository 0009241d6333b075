/* Answers requests of the HTTP interface. */
#include "analysis/serve/api.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "analysis/probe/probe_tables.h"
#include "analysis/serve/api_parts.h"
#include "base/clock.h"
#include "games/registry.h"

/* Largest number of moves in an answer, which then has about two megabytes. */
enum { MOST_MOVES = 5000 };

enum { MOST_ATTEMPTS = 8 };

struct api {
  api_settings settings;
  rule_sets *sets;
  kept_contents *contents;
  metrics figures;
  double started;
};

tauler_error api_open(const api_settings *settings, api **out, tauler_message *message) {
  const tauler_settings tables = {
      .cache_bytes = settings->cache_bytes, .most_moves = MOST_MOVES, .more_folders = settings->more_folders};
  *out = NULL;
  api *made = calloc(1, sizeof *made);
  if (!made) return tauler_fail(message, TAULER_NO_MEMORY, "no memory to serve tables");
  made->settings = *settings;
  made->started = clock_wall();
  made->contents = kept_contents_new(settings->folder, &tables);
  const tauler_error error =
      rule_sets_open(settings->folder, &tables, settings->left, settings->user, &made->sets, message);
  if (error || !made->contents) {
    api_close(made);
    return error ? error : tauler_fail(message, TAULER_NO_MEMORY, "no memory to serve tables");
  }
  *out = made;
  return TAULER_OK;
}

void api_close(api *api) {
  if (!api) return;
  rule_sets_close(api->sets);
  kept_contents_free(api->contents);
  free(api);
}

void api_count_response(api *api, const api_response *response, double seconds) {
  metrics_count(&api->figures, response->route, response->status, seconds);
}

void api_set_connections(api *api, size_t open) {
  atomic_store_explicit(&api->figures.connections, open, memory_order_relaxed);
}

/* --- routes without a rule set --- */

static void answer_health(const api *api, api_response *out) {
  struct stat about;
  if (stat(api->settings.folder, &about) != 0 || !S_ISDIR(about.st_mode)) {
    api_set_error(out, 503, "table missing", "the folder of the tables is not there");
    return;
  }
  static char body[] = "{\"status\":\"ok\"}\n";
  api_set_body(out, 200, "application/json; charset=utf-8", body, sizeof body - 1, true);
  api_set_keeping(out, API_NOT_KEPT);
}

static void answer_metrics(api *api, api_response *out) {
  char *body = NULL;
  size_t length = 0;
  FILE *stream = open_memstream(&body, &length);
  const rule_sets_figures of_sets = rule_sets_get_figures(api->sets);
  if (stream) metrics_print(&api->figures, &of_sets, clock_wall() - api->started, stream);
  if (!stream || fclose(stream) != 0) {
    free(body);
    api_set_error(out, 503, tauler_error_name(TAULER_NO_MEMORY), "no memory for the figures");
    return;
  }
  api_set_body(out, 200, "text/plain; version=0.0.4; charset=utf-8", body, length, false);
  api_set_keeping(out, API_NOT_KEPT);
}

/* --- routes about a rule set --- */

/* Finds the rule set "RULES/CYCLES" of `unlike`. Texts of rules have no slash. */
static tauler_error find_other_rules(api *api, const api_call *call, rule_set *out, tauler_message *message) {
  char rules[API_MOST_QUERY + 1];
  snprintf(rules, sizeof rules, "%s", call->unlike);
  char *cycles = strchr(rules, '/');
  if (cycles) *cycles++ = '\0';
  return rule_sets_find(api->sets, call->game, rules, cycles, out, message);
}

/* *stale becomes true if a table of the other rules changed during the answer. */
static void answer_exercise(api *api, tauler_tables *tables, const api_call *call, api_response *out,
                            bool *stale) {
  tauler_message message = {""};
  rule_set unlike = {.tables = NULL};
  const tauler_error error = call->unlike ? find_other_rules(api, call, &unlike, &message) : TAULER_OK;
  if (error) {
    api_set_failure(out, error, &message, NULL);
    return;
  }
  api_answer_exercise(tables, unlike.tables, call, out);
  if (!unlike.tables) return;
  *stale = rule_set_is_stale(&unlike);
  rule_sets_release(api->sets, &unlike);
}

static void set_rules_error(const api_call *call, tauler_error error, const tauler_message *message,
                            api_response *out) {
  if (error == TAULER_BAD_USAGE && !game_called(call->game)) {
    api_set_error(out, 404, tauler_error_name(error), message->text);
  } else {
    api_set_failure(out, error, message, NULL);
  }
}

/* Answers, and answers again if a table changed meanwhile, MOST_ATTEMPTS times in all at most. */
static void answer_about_rules(api *api, const api_call *call, api_response *out) {
  for (int i = 0; i < MOST_ATTEMPTS; i++) {
    tauler_message message = {""};
    rule_set set;
    const tauler_error error =
        rule_sets_find(api->sets, call->game, call->rules, call->cycles, &set, &message);
    if (error) {
      set_rules_error(call, error, &message, out);
      return;
    }
    bool stale = false;
    if (call->route == API_EXERCISE) {
      answer_exercise(api, set.tables, call, out, &stale);
    } else {
      api_routes[call->route].answer(set.tables, call, out);
    }
    stale = rule_set_is_stale(&set) || stale;
    rule_sets_release(api->sets, &set);
    if (!stale) return;
    api_response_free(out);
    *out = (api_response){.route = call->route};
  }
  api_set_error(out, 503, "busy", "the tables are being changed; ask again in a second");
}

/* --- all routes --- */

static void answer_call(api *api, const api_call *call, api_response *out) {
  switch (call->route) {
  case API_PAGE:
    api_answer_file(&api->settings, "index.html", out);
    break;
  case API_FILE:
    api_answer_file(&api->settings, call->file, out);
    break;
  case API_OPENAPI:
    api_answer_file(&api->settings, "openapi.json", out);
    break;
  case API_CONTENTS:
    kept_contents_answer(api->contents, out);
    break;
  case API_ANALYSE:
    api_answer_analyse(&api->settings, call, out);
    break;
  case API_HEALTH:
    answer_health(api, out);
    break;
  case API_METRICS:
    answer_metrics(api, out);
    break;
  default:
    answer_about_rules(api, call, out);
  }
}

/* The page may load files from its own origin only. */
static void add_common_headers(api_response *out) {
  if (api_routes[out->route].is_public) api_add_header(out, "Access-Control-Allow-Origin", "*");
  api_add_header(out, "X-Content-Type-Options", "nosniff");
  api_add_header(out, "Vary", "Accept-Encoding");
  if (out->route != API_PAGE && out->route != API_FILE) return;
  api_add_header(
      out, "Content-Security-Policy",
      "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
  api_add_header(out, "Referrer-Policy", "no-referrer");
}

static const char *methods_of(api_route route) {
  return api_routes[route].has_body ? "POST, OPTIONS" : "GET, HEAD, OPTIONS";
}

static void add_headers(api_response *out) {
  add_common_headers(out);
  if (*out->etag) api_add_header(out, "ETag", out->etag);
  if (out->status == 503) api_add_header(out, "Retry-After", "1");
  if (out->status == 405) api_add_header(out, "Allow", methods_of(out->route));
}

static void answer_options(api_response *out) {
  api_set_body(out, 204, "text/plain", NULL, 0, true);
  out->headers_used = 0;
  add_common_headers(out);
  api_add_header(out, "Allow", methods_of(out->route));
  if (!api_routes[out->route].is_public) return;
  api_add_header(out, "Access-Control-Allow-Methods", methods_of(out->route));
  api_add_header(out, "Access-Control-Allow-Headers", "If-None-Match");
  api_add_header(out, "Access-Control-Max-Age", "86400");
}

static const char *refusal_name(int status) {
  if (status == 404) return "not found";
  if (status == 405) return "method not allowed";
  return status == 414 ? "address too long" : tauler_error_name(TAULER_BAD_USAGE);
}

/* Returns false if the request is refused. */
static bool begin_answer(const api_request *request, api_call *call, api_response *out) {
  tauler_message message = {""};
  const int refused = api_call_read(request, call, &message);
  *out = (api_response){.route = call->route};
  if (refused) api_set_error(out, refused, refusal_name(refused), message.text);
  return !refused;
}

void api_answer(api *api, const api_request *request, api_response *out) {
  api_call call;
  const bool read = begin_answer(request, &call, out);
  if (read && call.method == API_OPTIONS) {
    answer_options(out);
    return;
  }
  if (read) {
    answer_call(api, &call, out);
    api_match_tag(out, request->if_none_match);
  }
  add_headers(out);
}

void api_answer_error(const api_request *request, int status, const char *error, const char *sentence,
                      api_response *out) {
  api_call call;
  if (begin_answer(request, &call, out)) api_set_error(out, status, error, sentence);
  add_headers(out);
}

void api_answer_busy(const api_request *request, api_response *out) {
  api_answer_error(request, 503, "busy", "too many such questions are under way; ask again in a second", out);
}

/* --- cost --- */

/* True if the answer is expensive: after a `line`, if a repetition ends play, since it needs a search;
 * without one, if values are guarantees, since statistics count their bounds. */
static bool is_expensive(api *api, const api_call *call, bool line) {
  rule_set set;
  if (rule_sets_find(api->sets, call->game, call->rules, call->cycles, &set, NULL)) return false;
  const game *g = set.tables->game;
  const bool yes = line ? g->repeated && g->repeated(set.tables->rules, 0, 0, 0, NULL)
                        : set.tables->kind == SOLVE_GUARANTEES;
  rule_sets_release(api->sets, &set);
  return yes;
}

/* True if a position of phutball has so many men that there may be very many jumps; each turn of a line may
 * add a man. Positions of other games have no 'x', so only a long line makes them crowded. */
static bool is_crowded(const api_call *call) {
  enum { FEW = 10 };
  const char *line = strstr(call->position, "moves");
  int men = 0;
  for (const char *at = call->position; *at; at++) men += *at == 'x';
  for (const char *at = line ? line : ""; *at; at++) men += *at == ' ';
  return men > FEW;
}

api_cost api_cost_of(api *api, const api_request *request) {
  tauler_message message = {""};
  api_call call;
  if (api_call_read(request, &call, &message) || call.method == API_OPTIONS) return API_QUICK;
  const api_route_traits *route = &api_routes[call.route];
  if (route->has_body && call.body_length == 0) return API_QUICK;
  if (call.route == API_STATS && is_expensive(api, &call, false)) return API_DEAR;
  if (call.route != API_POSITION && call.route != API_LINE) return route->cost;
  if (strstr(call.position, "moves") && is_expensive(api, &call, true)) return API_SEARCH;
  return is_crowded(&call) ? API_DEAR : route->cost;
}
