/* Makes responses: bodies, headers, errors, tags. */
#include "analysis/serve/api_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "analysis/print/print.h"
#include "base/told.h"
#include "databases/table.h"

const char api_json_type[] = "application/json; charset=utf-8";

void api_add_header(api_response *out, const char *name, const char *value) {
  if (out->headers_used < API_MOST_HEADERS) out->headers[out->headers_used++] = (api_header){name, value};
}

void api_response_free(api_response *out) {
  if (!out->lent) free(out->body);
  out->body = NULL;
  out->length = 0;
  out->lent = false;
}

void api_set_body(api_response *out, int status, const char *type, char *bytes, size_t length, bool lent) {
  api_response_free(out);
  out->status = status;
  out->body = bytes;
  out->length = length;
  out->lent = lent;
  api_add_header(out, "Content-Type", type);
}

void api_set_json(api_response *out, int status, json_writer *json, api_keeping keeping) {
  static char no_memory[] = "{\"error\":\"not enough memory\",\"message\":\"no memory for an answer\"}\n";
  size_t length;
  const char *text = json_text(json, &length);
  char *body = malloc(length + 1);
  if (body) memcpy(body, text, length + 1);
  if (json_close(json, NULL) || !body) {
    free(body);
    api_set_body(out, 503, api_json_type, no_memory, sizeof no_memory - 1, true);
    keeping = API_NOT_KEPT;
  } else {
    api_set_body(out, status, api_json_type, body, length, false);
  }
  api_set_keeping(out, keeping);
}

static void begin_error(json_writer *json, const char *error, const char *sentence) {
  json_begin_object(json);
  json_fields(json, JSON_TEXT("error", error), JSON_TEXT("message", sentence));
}

void api_set_error(api_response *out, int status, const char *error, const char *sentence) {
  json_writer json;
  json_open_buffer(&json);
  begin_error(&json, error, sentence);
  json_end_object(&json);
  api_set_json(out, status, &json, API_NOT_KEPT);
}

static int status_of(tauler_error error) {
  switch (error) {
  case TAULER_BAD_USAGE:
  case TAULER_BAD_POSITION:
    return 400;
  case TAULER_TABLE_MISSING:
    return 404;
  case TAULER_DAMAGED_FILE:
  case TAULER_NO_MEMORY:
  case TAULER_NO_SPACE:
  case TAULER_IO:
    return 503;
  default:
    return 500;
  }
}

/* Replaces the library's messages about files, since they name paths and commands that clients must not
 * see. */
static void describe_failure(tauler_error error, const tauler_answer *answer, tauler_message *described) {
  const char *own = NULL;
  if (error == TAULER_TABLE_MISSING) own = "no table here holds this";
  if (error == TAULER_DAMAGED_FILE) own = "a table that is needed is damaged; ask again when it is repaired";
  if (error == TAULER_IO) own = "a table that is needed cannot be read; ask again later";
  if (error == TAULER_TABLE_MISSING && answer && answer->slice_number == UINT32_MAX) {
    (void)tauler_fail(described, error, "no table reaches %.60s, and none can be built", answer->slice);
  } else if (error == TAULER_TABLE_MISSING && answer) {
    (void)tauler_fail(described, error, "slice %.60s, or one that its moves lead to, has no table here",
                      answer->slice);
  } else if (own) {
    (void)tauler_fail(described, error, "%s", own);
  }
}

static const char *add_one_code(json_writer *json, const char *told) {
  size_t length = strcspn(told, (const char[]){TOLD_NEXT, TOLD_CAUSE, '\0'});
  json_key(json, "code");
  json_string_part(json, told, length);
  json_field_array(json, "parameters");
  for (told += length; *told == TOLD_NEXT; told += length) {
    length = strcspn(++told, (const char[]){TOLD_NEXT, TOLD_CAUSE, '\0'});
    json_string_part(json, told, length);
  }
  json_end_array(json);
  return told;
}

void api_add_code(json_writer *json, const tauler_message *message) {
  const char *told = told_of(message->text, sizeof message->text);
  int causes = 0;
  if (!*told) return;
  for (told = add_one_code(json, told); *told == TOLD_CAUSE; causes++) {
    json_field_object(json, "cause");
    told = add_one_code(json, told + 1);
  }
  while (causes-- > 0) json_end_object(json);
}

void api_add_failure(json_writer *json, tauler_error error, const tauler_message *message,
                     const tauler_answer *answer) {
  tauler_message described = *message;
  describe_failure(error, answer, &described);
  begin_error(json, tauler_error_name(error), described.text);
  api_add_code(json, &described);
  if (answer) {
    json_key(json, "answer");
    answer_to_json(json, answer, NULL);
  }
  json_end_object(json);
}

void api_set_failure(api_response *out, tauler_error error, const tauler_message *message,
                     const tauler_answer *answer) {
  json_writer json;
  json_open_buffer(&json);
  api_add_failure(&json, error, message, answer);
  api_set_json(out, status_of(error), &json, API_NOT_KEPT);
}

void api_set_keeping(api_response *out, api_keeping keeping) {
  char digest[TABLE_DIGEST_TEXT];
  api_add_header(out, "Cache-Control", keeping == API_NOT_KEPT ? "no-store" : "no-cache");
  if (keeping == API_NOT_KEPT) return;
  const XXH128_hash_t hash = XXH3_128bits(out->body, out->length);
  table_digest_text((table_digest){hash.low64, hash.high64}, digest);
  snprintf(out->etag, sizeof out->etag, "\"%s\"", digest);
}

/* True if the list is * or has the tag, with or without W/: the weak comparison of RFC 9110. */
static bool is_listed(const char *list, const char *etag) {
  const size_t length = strlen(etag);
  for (;;) {
    list += strspn(list, " \t,");
    if (*list == '*') return true;
    if (strncmp(list, "W/", 2) == 0) list += 2;
    if (*list != '"') return false;
    if (strncmp(list, etag, length) == 0) return true;
    list += 1 + strcspn(list + 1, "\"");
    if (*list) list++;
  }
}

void api_match_tag(api_response *out, const char *if_none_match) {
  if (out->status != 200 || !*out->etag || !if_none_match || !is_listed(if_none_match, out->etag)) return;
  api_response_free(out); /* with a length, old parsers would wait for a body */
  out->status = 304;
}
