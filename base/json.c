/* Writes JSON to a stream or into memory. */
#include "base/json.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/text_show.h"

static void keep_error(json_writer *json, tauler_error error) {
  if (json->error == TAULER_OK) json->error = error;
}

void json_open_file(json_writer *json, FILE *file) {
  *json = (json_writer){.file = file, .error = TAULER_OK};
}

void json_open_buffer(json_writer *json) {
  *json = (json_writer){.error = TAULER_OK};
}

static void put_bytes(json_writer *json, const char *text, size_t length) {
  if (json->error != TAULER_OK || length == 0) return;
  if (json->file != NULL) {
    if (fwrite(text, 1, length, json->file) != length) keep_error(json, TAULER_IO);
  } else if (!memory_make_room(&json->buffer, &json->room, json->used + length + 1, 1)) {
    keep_error(json, TAULER_NO_MEMORY);
  } else {
    memcpy(json->buffer + json->used, text, length);
    json->used += length;
  }
}

static void put_text(json_writer *json, const char *text) {
  put_bytes(json, text, strlen(text));
}

static void write_separator(json_writer *json) {
  if (json->depth == 0) return;
  if (json->has_items[json->depth - 1]) put_bytes(json, ",", 1);
  json->has_items[json->depth - 1] = true;
}

static void begin_value(json_writer *json) {
  bool in_object = json->depth > 0 && json->closers[json->depth - 1] == '}';
  if (in_object != json->after_key) keep_error(json, TAULER_INTERNAL);
  if (!json->after_key) write_separator(json);
  json->after_key = false;
}

static void end_value(json_writer *json) {
  if (json->depth == 0) put_bytes(json, "\n", 1);
}

static void open_container(json_writer *json, const char *opener, char closer) {
  begin_value(json);
  if (json->depth == JSON_DEPTH) {
    keep_error(json, TAULER_INTERNAL);
    return;
  }
  put_bytes(json, opener, 1);
  json->closers[json->depth] = closer;
  json->has_items[json->depth] = false;
  json->depth++;
}

static void close_container(json_writer *json, char closer) {
  if (json->depth == 0 || json->closers[json->depth - 1] != closer || json->after_key) {
    keep_error(json, TAULER_INTERNAL);
    return;
  }
  json->depth--;
  put_bytes(json, &closer, 1);
  end_value(json);
}

void json_begin_object(json_writer *json) {
  open_container(json, "{", '}');
}
void json_end_object(json_writer *json) {
  close_container(json, '}');
}
void json_begin_array(json_writer *json) {
  open_container(json, "[", ']');
}
void json_end_array(json_writer *json) {
  close_container(json, ']');
}

static void put_escape(json_writer *json, uint32_t code) {
  static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
  char escape[16];
  const char *known = code < 0x80 ? memchr(from, (int)code, sizeof from - 1) : NULL;
  if (known != NULL)
    snprintf(escape, sizeof escape, "\\%c", to[known - from]);
  else if (code < 0x10000)
    snprintf(escape, sizeof escape, "\\u%04x", (unsigned)code);
  else
    snprintf(escape, sizeof escape, "\\u%04x\\u%04x", (unsigned)(0xD7C0 + (code >> 10)),
             (unsigned)(0xDC00 | (code & 0x3FF)));
  put_text(json, escape);
}

static void put_quoted(json_writer *json, const char *text, size_t length) {
  size_t plain = 0; /* start of the bytes not written yet */
  put_bytes(json, "\"", 1);
  for (size_t i = 0; i < length;) {
    uint32_t code = 0;
    const size_t step = text_character(text + i, length - i, &code);
    const bool special = step > 0 && (code == '"' || code == '\\' || text_is_control(code));
    if (step > 0 && !special) {
      i += step;
      continue;
    }
    put_bytes(json, text + plain, i - plain);
    if (special)
      put_escape(json, code);
    else
      put_text(json, "\xEF\xBF\xBD");
    plain = i += step > 0 ? step : 1;
  }
  put_bytes(json, text + plain, length - plain);
  put_bytes(json, "\"", 1);
}

void json_key(json_writer *json, const char *key) {
  bool in_object = json->depth > 0 && json->closers[json->depth - 1] == '}';
  if (!in_object || json->after_key) keep_error(json, TAULER_INTERNAL);
  write_separator(json);
  put_quoted(json, key, strlen(key));
  put_text(json, ":");
  json->after_key = true;
}

static void put_value(json_writer *json, const char *text) {
  begin_value(json);
  put_text(json, text);
  end_value(json);
}

void json_string_part(json_writer *json, const char *text, size_t length) {
  begin_value(json);
  put_quoted(json, text, length);
  end_value(json);
}

/* Writes a figure as it is, or null for nan and inf. */
static void put_figure(json_writer *json, text_figure value) {
  put_value(json, strpbrk(value.text, "ni") ? "null" : value.text);
}

void json_field_object(json_writer *json, const char *key) {
  json_key(json, key);
  json_begin_object(json);
}

void json_field_array(json_writer *json, const char *key) {
  json_key(json, key);
  json_begin_array(json);
}

static void put_range(json_writer *json, text_figure lower, text_figure upper) {
  json_begin_array(json);
  put_figure(json, lower);
  put_figure(json, upper);
  json_end_array(json);
}

static void write_field_value(json_writer *json, const json_field *field) {
  char integer[32];
  switch (field->kind) {
  case JSON_IS_TEXT:
    if (field->text)
      json_string_part(json, field->text, strlen(field->text));
    else
      put_value(json, "null");
    break;
  case JSON_IS_INTEGER:
    snprintf(integer, sizeof integer, "%lld", (long long)field->integer);
    put_value(json, integer);
    break;
  case JSON_IS_COUNT:
    put_value(json, text_unsigned(field->count).text);
    break;
  case JSON_IS_NUMBER:
    put_figure(json, text_real(field->number));
    break;
  case JSON_IS_BELOW:
    put_figure(json, text_below(field->number));
    break;
  case JSON_IS_FLAG:
    put_value(json, field->flag ? "true" : "false");
    break;
  case JSON_IS_RANGE:
    put_range(json, text_real(field->range[0]), text_real(field->range[1]));
    break;
  case JSON_IS_OUTER:
    put_range(json, text_below(field->range[0]), text_above(field->range[1]));
    break;
  default:
    put_value(json, "null");
  }
}

void json_write_fields(json_writer *json, const json_field *fields, size_t n) {
  for (const json_field *field = fields; field < fields + n; field++) {
    if (field->kind == JSON_IS_LEFT_OUT) continue;
    if (field->key) json_key(json, field->key);
    write_field_value(json, field);
  }
}

void json_open_line(json_writer *json, FILE *file) {
  json_open_file(json, file);
  json_begin_object(json);
}

void json_close_line(json_writer *json) {
  json_end_object(json);
  (void)json_close(json, NULL);
}

void json_print_line(FILE *file, const json_field *fields, size_t n) {
  json_writer json;
  json_open_line(&json, file);
  json_write_fields(&json, fields, n);
  json_close_line(&json);
}

const char *json_text(json_writer *json, size_t *length) {
  bool whole = json->error == TAULER_OK && json->file == NULL &&
               memory_make_room(&json->buffer, &json->room, json->used + 1, 1);
  if (length != NULL) *length = whole ? json->used : 0;
  if (!whole) return "";
  json->buffer[json->used] = '\0';
  return json->buffer;
}

tauler_error json_close(json_writer *json, tauler_message *message) {
  if (json->depth != 0 || json->after_key) keep_error(json, TAULER_INTERNAL);
  errno = 0;
  if (json->file != NULL && fflush(json->file) != 0) keep_error(json, TAULER_IO);
  int reason = errno;
  free(json->buffer);
  json->buffer = NULL;
  switch (json->error) {
  case TAULER_OK:
    return TAULER_OK;
  case TAULER_IO:
    return tauler_fail(message, TAULER_IO, "JSON could not be written: %s",
                       reason != 0 ? strerror(reason) : "an earlier write failed");
  case TAULER_NO_MEMORY:
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory for the JSON text");
  default:
    return tauler_fail(message, json->error, "JSON was put together wrongly");
  }
}
