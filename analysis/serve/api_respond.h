/* The parts of a response: bodies, headers, errors, tags and caching. Private to analysis/serve; only one
 * thread may use a response at a time. */
#ifndef ANALYSIS_SERVE_API_RESPOND_H
#define ANALYSIS_SERVE_API_RESPOND_H

#include "analysis/serve/api.h"
#include "base/json.h"

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
void api_set_json(api_response *out, int status, json_writer *json);

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

#endif
