/* A request of the HTTP interface, split into its parts, with every escape decoded. Private to
 * analysis/serve.
 *
 * A call owns its texts and refers only to the body of the request. Nothing here uses tables or sockets; any
 * thread may call every function.
 */
#ifndef ANALYSIS_SERVE_API_CALL_H
#define ANALYSIS_SERVE_API_CALL_H

#include "analysis/serve/api.h"

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
  size_t most_moves; /* 0: as many as there are */
  double seconds;    /* for API_SEARCHED */
  const char *body;  /* the request's body, for routes that have one */
  size_t body_length;
  uint64_t positions;   /* limit of positions for API_SEARCHED, or 0 for as many as time allows */
  uint64_t seed;        /* for API_EXERCISE, or 0 if not given */
  int grade;            /* 0: any */
  const char *unlike;   /* rules of the same game, and after a slash cycles, or NULL if any may be alike */
  const char *notation; /* notation for positions and moves, or NULL for the game's own */
  char texts[API_MOST_PATH + API_MOST_QUERY + 2];
} api_call;

/* Splits a request. Returns 0, or the HTTP status that refuses it, with a sentence; route and method are then
 * set as far as they were understood. */
int api_call_read(const api_request *request, api_call *call, tauler_message *message);

/* True if a route is asked with POST and has a body. */
bool api_route_has_body(api_route route);

/* Decodes %XX in the first `length` bytes of `text` into `out`, which has space for length + 1. With
 * `spaces`, '+' and '_' are blanks, as in a query. Returns false for a wrong escape, or a NUL. */
bool api_decode(const char *text, size_t length, bool spaces, char *out);

#endif
