/* The parts of a response: bodies, headers, errors, tags and caching. Private to analysis/serve; one thread
 * at a time for each response. */
#ifndef ANALYSIS_SERVE_API_RESPOND_H
#define ANALYSIS_SERVE_API_RESPOND_H

#include "analysis/serve/api.h"
#include "base/json.h"

/* True if the client may keep it. A table may be built again with other bounds or be taken away, so
 * nothing may be used without asking. */
typedef enum {
  API_NOT_KEPT, /* no-store */
  API_ASK_AGAIN /* no-cache, with a tag */
} api_keeping;

extern const char api_json_type[];

/* Adds a header; `value` is a constant or a text of the response. */
void api_add_header(api_response *out, const char *name, const char *value);

/* Makes what the writer holds the body, and closes it. A failure makes the response a 500. */
void api_set_json(api_response *out, int status, json_writer *json);

/* Bytes as body, taken over, or only lent. */
void api_set_body(api_response *out, int status, const char *type, char *bytes, size_t length, bool lent);

/* An error as JSON. */
void api_set_error(api_response *out, int status, const char *error, const char *sentence);

/* The error of a library call; `answer` (may be NULL) is what could be answered all the same. The sentence of
 * the library is shown where it is about the request, and never one about files. */
void api_set_failure(api_response *out, tauler_error error, const tauler_message *message,
                     const tauler_answer *answer);

/* The same as one object among others. */
void api_add_failure(json_writer *json, tauler_error error, const tauler_message *message,
                     const tauler_answer *answer);

/* What a message tells, for who writes it in another language (base/told.h): `code`, `parameters` and, where
 * there is one, `cause`. */
void api_add_told(json_writer *json, const tauler_message *message);

/* Sets caching, and as a tag the digest of the body. */
void api_set_keeping(api_response *out, api_keeping keeping);

/* Turns a 200 into 304 where the tag is among those of If-None-Match (which may be NULL). */
void api_match_tag(api_response *out, const char *if_none_match);

#endif
