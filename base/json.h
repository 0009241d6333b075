/* Writes JSON piece by piece, to a stream or into memory.
 *
 * A json_writer owns its buffer (json_open_buffer) but not its stream (json_open_file). Only json_close
 * returns errors. Until then the writer keeps the first one: a write error, lack of memory or a call out of
 * place (a value without a key in an object, an end without a beginning). Only one thread may use a writer at
 * a time. Several values may follow each other at the top level, each on its own line (JSON lines). Text must
 * be UTF-8; other bytes become U+FFFD. Control characters and direction marks are escaped.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/tauler_error.h"
#include "base/text.h"

enum { JSON_DEPTH = 64 }; /* most objects and arrays open at once */

typedef struct {
  FILE *file; /* NULL if the buffer is used */
  char *buffer;
  size_t used, room;
  size_t depth;
  char closers[JSON_DEPTH]; /* closing brackets of the open objects and arrays */
  bool has_items[JSON_DEPTH];
  bool after_key;
  tauler_error error;
} json_writer;

void json_open_file(json_writer *json, FILE *file);
void json_open_buffer(json_writer *json);

void json_begin_object(json_writer *json);
void json_end_object(json_writer *json);
void json_begin_array(json_writer *json);
void json_end_array(json_writer *json);
void json_key(json_writer *json, const char *key);

void json_string_part(json_writer *json, const char *text, size_t length);

void json_field_object(json_writer *json, const char *key);
void json_field_array(json_writer *json, const char *key);

/* A key and its value, for calls that write several fields. In an array the key is NULL. */
typedef struct {
  const char *key;
  enum {
    JSON_IS_NULL,
    JSON_IS_LEFT_OUT, /* neither key nor value */
    JSON_IS_TEXT,
    JSON_IS_INTEGER,
    JSON_IS_COUNT,
    JSON_IS_NUMBER,
    JSON_IS_BELOW,
    JSON_IS_FLAG,
    JSON_IS_RANGE,
    JSON_IS_OUTER
  } kind;
  union {
    const char *text; /* NULL is written as null */
    int64_t integer;
    uint64_t count;
    double number;
    bool flag;
    double range[2];
  };
} json_field;

/* Nan and inf are written as null, other numbers as decimals that read back as the same double. */
#define JSON_NULL(key) ((json_field){(key), JSON_IS_NULL, .text = NULL})
#define JSON_TEXT(key, value) ((json_field){(key), JSON_IS_TEXT, .text = (value)})
#define JSON_INTEGER(key, value) ((json_field){(key), JSON_IS_INTEGER, .integer = (value)})
#define JSON_COUNT(key, value) ((json_field){(key), JSON_IS_COUNT, .count = (value)})
#define JSON_NUMBER(key, value) ((json_field){(key), JSON_IS_NUMBER, .number = (value)})
#define JSON_FLAG(key, value) ((json_field){(key), JSON_IS_FLAG, .flag = (value)})
#define JSON_RANGE(key, lower, upper) ((json_field){(key), JSON_IS_RANGE, .range = {(lower), (upper)}})
/* The decimals are at most the lower and at least the upper double (text_below, text_above). */
#define JSON_OUTER(key, lower, upper) ((json_field){(key), JSON_IS_OUTER, .range = {(lower), (upper)}})
#define JSON_BELOW(key, lower) ((json_field){(key), JSON_IS_BELOW, .number = (lower)})

static inline json_field json_or_null(bool known, json_field field) {
  if (!known) field.kind = JSON_IS_NULL;
  return field;
}

static inline json_field json_or_nothing(bool given, json_field field) {
  if (!given) field.kind = JSON_IS_LEFT_OUT;
  return field;
}

/* Example: json_fields(&json, JSON_TEXT("slice", name), JSON_COUNT("positions", n)); */
#define json_fields(json, ...)                                                                               \
  json_write_fields((json), (const json_field[]){__VA_ARGS__},                                               \
                    sizeof((const json_field[]){__VA_ARGS__}) / sizeof(json_field))
void json_write_fields(json_writer *json, const json_field *fields, size_t n);

#define json_string(json, value) json_field_string(json, NULL, value)
#define json_integer(json, value) json_field_integer(json, NULL, value)
#define json_unsigned(json, value) json_field_unsigned(json, NULL, value)
#define json_number(json, value) json_field_number(json, NULL, value)
#define json_null(json) json_field_null(json, NULL)

#define json_field_string(json, key, value) json_fields((json), JSON_TEXT((key), (value)))
#define json_field_integer(json, key, value) json_fields((json), JSON_INTEGER((key), (value)))
#define json_field_unsigned(json, key, value) json_fields((json), JSON_COUNT((key), (value)))
#define json_field_number(json, key, value) json_fields((json), JSON_NUMBER((key), (value)))
#define json_field_bool(json, key, value) json_fields((json), JSON_FLAG((key), (value)))
#define json_field_null(json, key) json_fields((json), JSON_NULL(key))

#define json_object(json, ...)                                                                               \
  (json_begin_object(json), json_fields((json), __VA_ARGS__), json_end_object(json))

#define json_object_at(json, key, ...) (json_key((json), (key)), json_object((json), __VA_ARGS__))
#define json_array(json, ...) (json_begin_array(json), json_fields((json), __VA_ARGS__), json_end_array(json))

/* Write an object on a line of its own. A write error only shows in the stream (ferror). */
void json_open_line(json_writer *json, FILE *file);
void json_close_line(json_writer *json);

/* Example: json_line(stdout, JSON_TEXT("slice", name)); */
#define json_line(file, ...)                                                                                 \
  json_print_line((file), (const json_field[]){__VA_ARGS__},                                                 \
                  sizeof((const json_field[]){__VA_ARGS__}) / sizeof(json_field))
void json_print_line(FILE *file, const json_field *fields, size_t n);

/* Returns the text in the buffer so far, NUL-terminated, or "" after a failure. The writer owns the text,
 * which is valid until the next call. `length` may be NULL. */
const char *json_text(json_writer *json, size_t *length);

/* Flushes the stream or frees the buffer. Returns the first error of the writer: TAULER_IO, TAULER_NO_MEMORY,
 * TAULER_INTERNAL (calls out of place). */
tauler_error json_close(json_writer *json, tauler_message *message);

#endif
