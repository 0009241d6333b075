/* The parts of the HTTP interface. Private to analysis/serve. */
#ifndef ANALYSIS_SERVE_API_PARTS_H
#define ANALYSIS_SERVE_API_PARTS_H

#include <stdatomic.h>
#include <stdio.h>

#include "analysis/probe/probe_tables.h"
#include "analysis/probe/tauler.h"
#include "analysis/serve/api.h"
#include "base/json.h"

/* A request of the HTTP interface, split into its parts, with every escape decoded. A call owns its texts and
 * refers only to the body of the request. */

enum { API_MOST_PATH = 2048, API_MOST_QUERY = 8192 };

/* Limits of a search in milliseconds: the largest that may be asked for, and the default. */
enum { API_MOST_MILLISECONDS = 5000, API_MILLISECONDS = 1000 };

typedef enum { API_GET, API_HEAD, API_POST, API_OPTIONS, API_OTHER_METHOD } api_method;

typedef struct {
  api_route route;
  api_method method;
  const char *file;
  const char *game, *rules; /* `rules` and `cycles` are NULL for the default */
  const char *cycles;
  const char *position, *slice;
  const char *tables;  /* unused. It makes the address change with the tables */
  uint64_t most_moves; /* largest number of moves of a line, or 0 for the library's limit */
  uint64_t milliseconds;
  const char *body;
  size_t body_length;
  uint64_t positions;   /* 0 for as many as time allows */
  uint64_t seed;        /* 0 if none is given */
  uint64_t grade;       /* 0 for any */
  const char *unlike;   /* RULES/CYCLES of the same game that must give an exercise another value, or NULL */
  const char *notation; /* NULL for the game's own */
  char texts[API_MOST_PATH + API_MOST_QUERY + 2];
} api_call;

/* Splits a request. Returns 0, or an HTTP status that refuses it, with a sentence in *message. Route and
 * method are set in either case if they were understood. */
int api_call_read(const api_request *request, api_call *call, tauler_message *message);

typedef struct {
  const char *name;     /* name in the figures of /metrics */
  const char *question; /* last part of the path below a rule set, or NULL */
  bool has_query, has_body;
  bool is_public; /* pages of any origin may read the answer */
  api_cost cost;  /* cost of most answers */
  /* Answers about a rule set. NULL for other routes, and for exercises, which use two rule sets. */
  void (*answer)(tauler_tables *tables, const api_call *call, api_response *out);
} api_route_traits;
extern const api_route_traits api_routes[API_ROUTES];

/* Decodes %XX in the first `length` bytes of `text` into `out`, which has space for length + 1. If `spaces`,
 * '+' and '_' become blanks, as in a query. Returns false if an escape is wrong or means a NUL. */
bool api_decode(const char *text, size_t length, bool spaces, char *out);

/* The parts of a response. One thread at a time uses a response. */

/* A table may be built again or removed, so a client must ask before it uses a kept response. */
typedef enum {
  API_NOT_KEPT, /* Cache-Control: no-store */
  API_ASK_AGAIN /* Cache-Control: no-cache, with a tag */
} api_keeping;

extern const char api_json_type[];

/* Adds a header. `value` is a constant or a text in the response. */
void api_add_header(api_response *out, const char *name, const char *value);

/* Makes the text of the writer the body, and closes the writer. If that fails, the response becomes a 503. */
void api_set_json(api_response *out, int status, json_writer *json, api_keeping keeping);

/* Sets the body; the response then owns the bytes, unless they are lent. */
void api_set_body(api_response *out, int status, const char *type, char *bytes, size_t length, bool lent);

void api_set_error(api_response *out, int status, const char *error, const char *sentence);

/* `answer`, which may be NULL, is the part that could be answered. Messages about files are replaced. */
void api_set_failure(api_response *out, tauler_error error, const tauler_message *message,
                     const tauler_answer *answer);

void api_add_failure(json_writer *json, tauler_error error, const tauler_message *message,
                     const tauler_answer *answer);

/* Writes the fields from which a message is translated (base/told.h). */
void api_add_code(json_writer *json, const tauler_message *message);

/* Sets the header about caching and, if the client may keep the response, a digest as its tag. */
void api_set_keeping(api_response *out, api_keeping keeping);

/* Turns a 200 into 304 if the tag is in If-None-Match (which may be NULL). */
void api_match_tag(api_response *out, const char *if_none_match);

/* The rule sets that questions are about. A client may ask for any of the countless rule sets of a game, so
 * those without tables stay open only for a while. Those with tables stay open until a table differs from its
 * file, or very many tables are open. Any number of threads may find and release at once. */

typedef struct rule_sets rule_sets;
typedef struct rule_shelf rule_shelf;

/* The data to which the settings point must outlive the rule_sets. `stop`, which may be NULL, and `user` are
 * those of `tauler` (probe_tables.h). Errors: TAULER_NO_MEMORY. */
tauler_error rule_sets_open(const char *folder, const tauler_settings *settings, bool (*stop)(void *user),
                            void *user, rule_sets **out, tauler_message *message);

void rule_sets_close(rule_sets *sets); /* no rule set may be in use. NULL is ignored */

/* Figures of the handle on rule sets with tables: its number of open tables, and counts of its cache. */
typedef struct {
  size_t tables;
  frame_cache_counts frames;
} rule_sets_figures;
rule_sets_figures rule_sets_get_figures(rule_sets *sets);

/* A rule set in use; it stays open until it is released. */
typedef struct {
  tauler_tables *tables;
  rule_shelf *shelf;
} rule_set;

/* Finds a rule set, whose tables are compared with their files when they are used. `rules` and `cycles` may
 * be NULL. After success the caller releases the rule set. Errors: those of tauler_select. */
tauler_error rule_sets_find(rule_sets *sets, const char *game, const char *rules, const char *cycles,
                            rule_set *out, tauler_message *message);
void rule_sets_release(rule_sets *sets, rule_set *set);

/* True if a table of the handle differs from its file, so that the question must be answered again. */
bool rule_set_is_stale(const rule_set *set);

/* A zeroed metrics is empty. Any number of threads may count and print at once. */

enum { METRICS_STATUSES = 13, METRICS_BOUNDS = 16 };

typedef struct {
  _Atomic uint64_t requests[API_ROUTES][METRICS_STATUSES];
  _Atomic uint64_t within[API_ROUTES][METRICS_BOUNDS + 1]; /* requests by the least bound not below their
                                                              seconds, or in the last entry */
  _Atomic uint64_t nanoseconds[API_ROUTES];
  _Atomic size_t connections;
} metrics;

void metrics_count(metrics *figures, api_route route, int status, double seconds);
/* `uptime` is in seconds. */
void metrics_print(metrics *figures, const rule_sets_figures *of_sets, double uptime, FILE *out);

/* The content of the folders, as /v1/ shows it, cached until a file changes. Any thread may ask. */

typedef struct kept_contents kept_contents;

/* Returns NULL if out of memory. */
kept_contents *kept_contents_new(const char *folder, const tauler_settings *settings);
void kept_contents_free(kept_contents *kept);

/* A check of the files serves all requests that arrived before it began. */
void kept_contents_answer(kept_contents *kept, api_response *out);

/* The functions of routes. Each completes a response of which only the route is set. */

void api_answer_position(tauler_tables *tables, const api_call *call, api_response *out);
void api_answer_line(tauler_tables *tables, const api_call *call, api_response *out);

void api_answer_search(tauler_tables *tables, const api_call *call, api_response *out);

void api_answer_stats(tauler_tables *tables, const api_call *call, api_response *out);

void api_answer_board(tauler_tables *tables, const api_call *call, api_response *out);

/* `unlike` may be NULL. */
void api_answer_exercise(tauler_tables *tables, tauler_tables *unlike, const api_call *call,
                         api_response *out);

void api_answer_positions(tauler_tables *tables, const api_call *call, api_response *out);

void api_answer_analyse(const api_settings *of, const api_call *call, api_response *out);

void api_answer_file(const api_settings *settings, const char *name, api_response *out);

#endif
