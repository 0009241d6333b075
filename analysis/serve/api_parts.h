/* How a request is read, which function answers it, and how the answer is put together. Private to
 * analysis/serve. */
#ifndef ANALYSIS_SERVE_API_PARTS_H
#define ANALYSIS_SERVE_API_PARTS_H

#include <stdatomic.h>
#include <stdio.h>

#include "analysis/probe/probe_tables.h"
#include "analysis/probe/tauler.h"
#include "analysis/serve/api.h"
#include "base/json.h"
#include "databases/table.h"
#include "games/game_play.h"

/* A request of the HTTP interface, split into its parts, with every escape decoded. Private to
 * analysis/serve.
 *
 * A call owns its texts and refers only to the body of the request. Nothing here uses tables or sockets; any
 * thread may call every function.
 */

enum { API_MOST_PATH = 2048, API_MOST_QUERY = 8192 };

/* Limit of a search in milliseconds: the largest that may be asked for, and the default. */
enum { API_MOST_MILLISECONDS = 5000, API_MILLISECONDS = 1000 };

typedef enum { API_GET, API_HEAD, API_POST, API_OPTIONS, API_OTHER_METHOD } api_method;

typedef struct {
  api_route route;
  api_method method;
  const char *file;         /* for API_FILE: "page.js" */
  const char *game, *rules; /* rules: NULL for the game's default */
  const char *cycles;       /* NULL for the default */
  const char *position, *slice;
  const char *tables;    /* only so that an address changes with the tables */
  uint64_t most_moves;   /* 0: as many as there are */
  uint64_t milliseconds; /* for API_SEARCHED */
  const char *body;      /* the request's body, for routes that have one */
  size_t body_length;
  uint64_t positions;   /* limit of positions for API_SEARCHED, or 0 for as many as time allows */
  uint64_t seed;        /* for API_EXERCISE, or 0 if not given */
  uint64_t grade;       /* 0: any */
  const char *unlike;   /* rules of the same game, and after a slash cycles, or NULL if any may be alike */
  const char *notation; /* notation for positions and moves, or NULL for the game's own */
  char texts[API_MOST_PATH + API_MOST_QUERY + 2];
} api_call;

/* Splits a request. Returns 0, or the HTTP status that refuses it, with a sentence; route and method are then
 * set as far as they were understood. */
int api_call_read(const api_request *request, api_call *call, tauler_message *message);

/* The traits of a route. */
typedef struct {
  const char *name;     /* in the figures of /metrics */
  const char *question; /* last part of its path below a rule set, or NULL */
  bool has_query, has_body;
  bool is_public; /* pages of any origin may read it: it is about tables, not about this machine */
  /* Answers about a rule set; NULL for other routes, and for exercises, which use two of them. */
  void (*answer)(tauler_tables *tables, const api_call *call, api_response *out);
} api_route_traits;
extern const api_route_traits api_routes[API_ROUTES];

/* Decodes %XX in the first `length` bytes of `text` into `out`, which has space for length + 1. With
 * `spaces`, '+' and '_' are blanks, as in a query. Returns false for a wrong escape, or a NUL. */
bool api_decode(const char *text, size_t length, bool spaces, char *out);

/* The parts of a response: bodies, headers, errors, tags and caching. Private to analysis/serve; only one
 * thread may use a response at a time. */

/* Whether a client may keep the response. A table may be built again with other bounds or be removed, so a
 * client may use nothing without asking. */
typedef enum {
  API_NOT_KEPT, /* no-store */
  API_ASK_AGAIN /* no-cache, with a tag */
} api_keeping;

extern const char api_json_type[];

/* Adds a header; `value` is a constant or a text of the response. */
void api_add_header(api_response *out, const char *name, const char *value);

/* Makes the text of the writer the body, and closes the writer. If that fails, the response is a 500. */
void api_set_json(api_response *out, int status, json_writer *json, api_keeping keeping);

/* Sets the body; the response then owns the bytes, unless they are lent. */
void api_set_body(api_response *out, int status, const char *type, char *bytes, size_t length, bool lent);

/* Sets an error as JSON. */
void api_set_error(api_response *out, int status, const char *error, const char *sentence);

/* Sets the error of a library call; `answer` (may be NULL) is what could still be answered. The library's
 * sentence is shown if it is about the request, and never if it is about files. */
void api_set_failure(api_response *out, tauler_error error, const tauler_message *message,
                     const tauler_answer *answer);

/* The same as one object among others. */
void api_add_failure(json_writer *json, tauler_error error, const tauler_message *message,
                     const tauler_answer *answer);

/* Writes what a message says for other languages (base/told.h): `code`, `parameters` and, if there is one,
 * `cause`. */
void api_add_told(json_writer *json, const tauler_message *message);

/* Sets caching, and the digest of the body as a tag. */
void api_set_keeping(api_response *out, api_keeping keeping);

/* Turns a 200 into 304 if the tag is in If-None-Match (which may be NULL). */
void api_match_tag(api_response *out, const char *if_none_match);

/* The rule sets that questions are about, found by the words of the question, each opened once. Private to
 * analysis/serve.
 *
 * A client may ask for any of the countless rule sets of a game, so those without tables stay open only for a
 * while. Those with tables stay open until a table differs from its file, or very many are open. A rule_sets
 * owns the handles on the folder. Any number of threads may find and release at once.
 */

typedef struct rule_sets rule_sets;
typedef struct rule_shelf rule_shelf;

/* The folders that the settings name must outlive it. Errors: TAULER_NO_MEMORY. */
tauler_error rule_sets_open(const char *folder, const tauler_settings *settings, rule_sets **out,
                            tauler_message *message);

/* To be called before anything is found: questions end early if `stop` returns true (probe_tables.h). */
void rule_sets_stop(rule_sets *sets, bool (*stop)(void *user), void *user);

void rule_sets_close(rule_sets *sets); /* nothing may be in use any more. NULL is ignored */

/* Tables and memory of the handle that stays open. */
typedef struct {
  size_t tables;
  frame_cache_counts frames;
} rule_sets_figures;
rule_sets_figures rule_sets_figure(rule_sets *sets);

/* A rule set in use; it stays open until it is released. */
typedef struct {
  tauler_tables *tables;
  rule_shelf *shelf;
} rule_set;

/* `rules` and `cycles` may be NULL. From now on tables are compared with their files. Errors: those of
 * tauler_select; after one nothing needs to be released. */
tauler_error rule_sets_find(rule_sets *sets, const char *game, const char *rules, const char *cycles,
                            rule_set *out, tauler_message *message);
void rule_sets_release(rule_sets *sets, rule_set *set);

/* True if a table used since then differs from its file: the answer may be older than the folder, and the
 * question must be asked again. */
bool rule_set_is_stale(const rule_set *set);

/* Figures of a server since it started, in the text format 0.0.4 of Prometheus. Private to analysis/serve. A
 * zeroed metrics is empty; any number of threads may count and print at once. */

enum { METRICS_STATUSES = 13, METRICS_BOUNDS = 16 };

typedef struct {
  _Atomic uint64_t requests[API_ROUTES][METRICS_STATUSES];
  _Atomic uint64_t
      within[API_ROUTES][METRICS_BOUNDS + 1]; /* by the first bound that holds, or the last entry */
  _Atomic uint64_t nanoseconds[API_ROUTES];
  _Atomic size_t connections;
} metrics;

void metrics_count(metrics *figures, api_route route, int status, double seconds);
/* `uptime` is in seconds; `of_sets` is what tables report. */
void metrics_print(metrics *figures, const rule_sets_figures *of_sets, double uptime, FILE *out);

/* The content of the folder, as /v1/ shows it, cached until a file in it changes. Private to analysis/serve.
 * A kept_contents owns its text and a handle on the folder; any number of threads may ask at once. */

typedef struct kept_contents kept_contents;

/* NULL if out of memory. */
kept_contents *kept_contents_new(const char *folder, const tauler_settings *settings);
void kept_contents_free(kept_contents *kept);

/* Answers with the folder as it is now. One check of the files serves all requests that arrive meanwhile;
 * headers are read again if a file has changed. */
void kept_contents_answer(kept_contents *kept, api_response *out);

/* A player's view by the rules alone, without tables: how a move looks at once, and how many plies of
 * captures and endings distinguish one move from the others. Private to analysis/serve. */

enum { SIGHT_MOST_PLIES = 7, SIGHT_NONE = -1 };

/* The moves of a position by game_play.h. A sight may be closed after an error too. */
typedef struct {
  const tauler_tables *tables;
  size_t words;
  game_play_list list;
  size_t n;
  size_t *found; /* for each move of the answer its place in the list, or n */
  uint64_t nodes;
} sight;

/* Sets `looks` to a number for each move of the answer; a larger one looks better. If the game has no
 * game_play, all are 0. Errors: TAULER_NO_MEMORY, TAULER_INTERNAL. */
tauler_error sight_open(const tauler_tables *tables, const tauler_answer *answer, sight *out, int *looks,
                        tauler_message *message);
void sight_close(sight *sight);

/* The least number of plies at which the move's captures exceed those of all others, if all sides capture
 * what they can. SIGHT_NONE: not within SIGHT_MOST_PLIES, or not within a fixed effort. Errors:
 * TAULER_NO_MEMORY. */
tauler_error sight_plies(sight *sight, size_t move, int *plies);

/* Exercises from tables: a position in which only one move keeps the value, and another one looks as good.
 * Private to analysis/serve.
 *
 * How a move looks comes from the rules (game_play.eager): what it captures at once, then what a search tries
 * first; with dice, what a simple policy of the game chooses. Positions are examined in runs of neighbours,
 * which are in the same frames, at places that the seed determines. The effort is limited, and the same
 * tables and seed give the same exercise on every machine.
 */

enum { EXERCISE_GRADES = 3, EXERCISE_NO_PLIES = -1 };

typedef struct {
  uint32_t slice;
  uint64_t positions; /* positions of the slice */
  uint64_t seed;
  int grade;             /* 1 … EXERCISE_GRADES, or 0 for any */
  tauler_tables *unlike; /* rules of the same game that give the position another value, or NULL if that is
                            not required */
} exercise_wanted;

/* plies: the look-ahead that distinguishes the right move: to the end of a win, otherwise to the last loss;
 * if tables have no plies to the end, until captures show it. With dice there are none, and the loss of the
 * natural move determines the grade. */
typedef struct {
  tauler_answer *answer; /* the answer, which the caller frees, or NULL if none was found */
  const char *roll; /* with dice the roll, otherwise NULL. The members from here on belong to the answer */
  const tauler_move *right, *natural; /* natural: looks as good, and is wrong */
  int grade, plies;                   /* EXERCISE_NO_PLIES: beyond the look-ahead */
  uint64_t looked;                    /* number of positions */
} exercise;

/* Errors: TAULER_BAD_USAGE (a game of dice without choices), those of tauler_probe. */
tauler_error exercise_find(tauler_tables *tables, const exercise_wanted *wanted, exercise *out,
                           tauler_message *message);

/* One function for each route. Private to analysis/serve.
 *
 * Every function fills a response of which only the route is set. Those about a rule set receive it open.
 */

void api_answer_position(tauler_tables *tables, const api_call *call, api_response *out);
void api_answer_line(tauler_tables *tables, const api_call *call, api_response *out);

/* Answers for a position above the tables by a search within the limits of the call. */
void api_answer_search(tauler_tables *tables, const api_call *call, api_response *out);

void api_answer_stats(tauler_tables *tables, const api_call *call, api_response *out);

/* For games of the goose: the squares from 0, the start, to the last, with their kind and, if they apply, the
 * square they lead to, the turns lost there, or that a token waits there for another one. Other games:
 * 404. */
void api_answer_board(tauler_tables *tables, const api_call *call, api_response *out);

/* A position of the slice in which only one move keeps the value; `unlike` may be NULL. */
void api_answer_exercise(tauler_tables *tables, tauler_tables *unlike, const api_call *call,
                         api_response *out);

/* Answers for the positions of the body, one per line, each as api_answer_position does. */
void api_answer_positions(tauler_tables *tables, const api_call *call, api_response *out);

/* Judges the games of the body, unless the client has `left` (may be NULL). */
void api_answer_analyse(const api_settings *of, api_left *left, void *user, const api_call *call,
                        api_response *out);

/* A file of the explorer. */
void api_answer_file(const api_settings *settings, const char *name, api_response *out);

#endif
