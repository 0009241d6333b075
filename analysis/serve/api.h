/* The HTTP interface without the network: a function from a request to a response, over folders of tables.
 *
 * Nothing here opens sockets or starts threads; daemon.h serves it on the network, and tests and fuzzers call
 * it directly. README.md describes questions and answers. An `api` owns its tables and the figures of
 * /metrics; the data to which its settings point must outlive it. Any number of threads may call every
 * function except api_close at once.
 */
#ifndef ANALYSIS_SERVE_API_H
#define ANALYSIS_SERVE_API_H

#include <stdbool.h>
#include <stddef.h>

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

/* A request as received, undecoded. A member other than `method` and `path` is NULL if it is missing. */
typedef struct {
  const char *method;
  const char *path;  /* path without the query, "/v1/auale/awari" */
  const char *query; /* part of the address after '?' */
  const char *if_none_match;
  const char *body; /* body of a request for which api_allows_body is true */
  size_t body_length;
} api_request;

enum { API_MOST_BODY = 65536 };

bool api_allows_body(const api_request *request);

enum { API_ETAG_BYTES = 40, API_MOST_HEADERS = 14 };

typedef struct {
  const char *name, *value; /* each a constant or a text in the response */
} api_header;

/* api_response_free frees `body` unless it is lent: a constant, or a file of api_settings. */
typedef struct {
  api_route route;
  int status;
  char *body;
  size_t length;
  bool lent;
  char etag[API_ETAG_BYTES]; /* entity tag with its quotes, or "" */
  api_header headers[API_MOST_HEADERS];
  size_t headers_used;
} api_response;

typedef struct {
  const char *name; /* name of the file, "app.js" or "boards/auale.js" */
  const unsigned char *bytes;
  size_t length;
} api_file;

typedef struct {
  const char *folder;
  const char *const *more_folders; /* more_folders and cache_bytes are as in tauler_settings */
  size_t cache_bytes;
  const api_file *files;
  size_t files_used;
  const char
      *explorer; /* folder from which files other than .md and .json are read at every request, or NULL */
  /* True if the client of the calling thread's request has left. It is called often. May be NULL. */
  bool (*left)(void *user);
  void *user;
} api_settings;

typedef struct api api;

/* Opens the interface. Errors: TAULER_NO_MEMORY; *out is then NULL. */
tauler_error api_open(const api_settings *settings, api **out, tauler_message *message);
void api_close(api *api); /* NULL is ignored */

/* The cost of an answer; refusals are quick. */
typedef enum {
  API_QUICK, /* less than some milliseconds */
  API_SLOW,  /* some hundredths of a second: walks through folders, lines of play, figures from headers */
  API_DEAR,  /* up to a second: counts of slices, jumps over many men, exercises */
  API_SEARCH /* some seconds: searches, lists of positions, recorded games */
} api_cost;
api_cost api_cost_of(api *api, const api_request *request);

/* Answers a request. If the request is wrong, *out becomes an error. */
void api_answer(api *api, const api_request *request, api_response *out);

/* Answers with 503, to be asked again after a second. */
void api_answer_busy(const api_request *request, api_response *out);

/* Answers with this status and error. A wrong request is refused as by api_answer. */
void api_answer_error(const api_request *request, int status, const char *error, const char *sentence,
                      api_response *out);

void api_response_free(api_response *response);

void api_count_response(api *api, const api_response *response, double seconds);

void api_set_connections(api *api, size_t open);

#endif
