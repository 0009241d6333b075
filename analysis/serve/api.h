/* The HTTP interface as a function: from a request to a response, over an open folder of tables.
 *
 * Nothing here knows of sockets, threads or a clock beyond reading it; daemon.h puts it on the network, tests
 * and fuzzers call it as it is. README.md says what is asked and answered. An `api` owns its tables, the
 * figures that /metrics shows, and nothing else; `files` outlive it. Every function but api_close may be
 * called from any number of threads at once.
 */
#ifndef ANALYSIS_SERVE_API_H
#define ANALYSIS_SERVE_API_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/probe/tauler.h"

typedef enum {
  API_PAGE,
  API_FILE,
  API_CONTENTS,
  API_POSITION,
  API_LINE,
  API_SEARCHED,
  API_STATS,
  API_BOARD,
  API_EXERCISE,
  API_ANALYSE,
  API_POSITIONS,
  API_OPENAPI,
  API_HEALTH,
  API_METRICS,
  API_NO_ROUTE,
  API_ROUTES
} api_route;

/* As they came, undecoded. */
typedef struct {
  const char *method;        /* "GET" */
  const char *path;          /* "/v1/auale/awari", without the query */
  const char *query;         /* what stands behind '?'; NULL: there is none */
  const char *if_none_match; /* the header; NULL: there is none */
  const char *body;          /* NULL: there is none; only of those that api_takes_body */
  size_t body_length;
} api_request;

enum { API_MOST_BODY = 65536 };

/* True if a request is one that may have a body, by its method and path. */
bool api_takes_body(const api_request *request);

enum { API_ETAG_BYTES = 40, API_MOST_HEADERS = 14 };

typedef struct {
  const char *name, *value; /* the value is a constant, or a text of the response */
} api_header;

/* `body` is freed by api_response_free, unless it is `lent`: a constant, or a file of api_settings. */
typedef struct {
  api_route route;
  int status;
  char *body;
  size_t length;
  bool lent;
  char etag[API_ETAG_BYTES]; /* with its quotes; "": none */
  api_header headers[API_MOST_HEADERS];
  size_t headers_used;
} api_response;

/* A file of the explorer. */
typedef struct {
  const char *name; /* "app.js", "boards/auale.js" */
  const unsigned char *bytes;
  size_t length;
} api_file;

typedef struct {
  const char *folder; /* of the tables */
  size_t cache_bytes; /* as in tauler_settings */
  const api_file *files;
  size_t files_used;
  const char *explorer; /* a folder to read files from instead, at every request; NULL: none */
} api_settings;

typedef struct api api;

/* True if the client that the calling thread answers has left; its searches then end early. Asked often. */
typedef bool api_left(void *user);

/* Errors: TAULER_NO_MEMORY. */
tauler_error api_open(const api_settings *settings, api **out, tauler_message *message);
void api_close(api *api); /* NULL is ignored */

/* Before the first request, once. */
void api_set_left(api *api, api_left *left, void *user);

/* The cost of an answer: a server of many clients lets no question of one kind hold up those of a cheaper
 * kind. */
typedef enum {
  API_QUICK, /* less than some milliseconds */
  API_SLOW,  /* some hundredths of a second: folders are walked, lines played */
  API_DEAR,  /* up to a second: slices are counted, jumps over many men listed */
  API_SEARCH /* a search of some seconds; those after a line of moves take turns in a rule set */
} api_cost;
api_cost api_cost_of(api *api, const api_request *request);

/* Answers; also what is wrong with a request is an answer. */
void api_answer(api *api, const api_request *request, api_response *out);

/* The answer to a request that cannot be looked at now: 503, to be asked again in a second. */
void api_answer_busy(const api_request *request, api_response *out);

/* Any other refusal by the server of a request that could be answered: a JSON error as the interface has
 * them. */
void api_answer_error(const api_request *request, int status, const char *error, const char *sentence,
                      api_response *out);

void api_response_free(api_response *response);

/* Counts a response that was sent `seconds` after its request had come. */
void api_count(api *api, const api_response *response, double seconds);

/* Connections that are open, for /metrics. */
void api_set_connections(api *api, size_t open);

#endif
