/* A request of the HTTP interface, taken apart: which route, for what, with every escape decoded. Private to
 * analysis/serve.
 *
 * A call owns its texts and refers to nothing of the request but its body. Nothing here knows of tables or
 * sockets; every function may be called from any thread.
 */
#ifndef ANALYSIS_SERVE_API_CALL_H
#define ANALYSIS_SERVE_API_CALL_H

#include "analysis/serve/api.h"

enum { API_MOST_PATH = 2048, API_MOST_QUERY = 8192 };

/* Limits of a search: the most it may take, and what it takes by default. */
enum { API_MOST_MILLISECONDS = 5000, API_MILLISECONDS = 1000 };

typedef enum { API_GET, API_HEAD, API_POST, API_OPTIONS, API_OTHER_METHOD } api_method;

typedef struct {
  api_route route;
  api_method method;
  const char *file;         /* of API_FILE: "page.js" */
  const char *game, *rules; /* rules: NULL for the game's default */
  const char *cycles;       /* NULL: the default */
  const char *position, *slice;
  size_t most_moves; /* 0: as many as there are */
  double seconds;    /* of API_SEARCHED */
  const char *body;  /* of routes that take one: the request's */
  size_t body_length;
  uint64_t positions; /* to look at then, at most; 0: as many as there is time for */
  uint64_t seed;      /* of API_EXERCISE; 0: none is said */
  int grade;          /* 0: any */
  const char *unlike; /* rules of the same game, and behind a slash cycles; NULL: any may be alike */
  char texts[API_MOST_PATH + API_MOST_QUERY + 2];
} api_call;

/* Takes a request apart. Returns 0, or the HTTP status that refuses it, with a sentence; route and method are
 * then as far as they were understood. */
int api_call_read(const api_request *request, api_call *call, tauler_message *message);

/* True if a route is asked with POST, and has a body. */
bool api_route_has_body(api_route route);

/* The first `length` bytes of `text` with %XX decoded, into `out`, which has room for length + 1. With
 * `spaces`, '+' and '_' are blanks, as in a query. False: an escape that is none, or a NUL. */
bool api_decode(const char *text, size_t length, bool spaces, char *out);

#endif
