/* Names errors and writes their messages. */
#include "base/tauler_error.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/text_show.h"
#include "base/told.h"

/* The library hides everything that is not marked; these functions belong to the installed header. */
#define EXPORTED __attribute__((visibility("default")))

static const struct {
  int exit_code;
  const char *name;
} errors[] = {
    [TAULER_OK] = {0, "ok"},
    [TAULER_NOT_PROVEN] = {1, "not proven"},
    [TAULER_BAD_USAGE] = {64, "bad usage"},
    [TAULER_BAD_POSITION] = {65, "bad position"},
    [TAULER_DAMAGED_FILE] = {65, "damaged file"},
    [TAULER_TABLE_MISSING] = {66, "table missing"},
    [TAULER_NO_MEMORY] = {69, "not enough memory"},
    [TAULER_NO_SPACE] = {69, "not enough disk space"},
    [TAULER_IO] = {74, "input or output failed"},
    [TAULER_STOPPED] = {75, "stopped"},
    [TAULER_INTERNAL] = {70, "internal error"},
    [TAULER_UNAVAILABLE] = {69, "program missing"},
    [TAULER_BUSY] = {75, "folder in use"},
};
enum { ERRORS = sizeof errors / sizeof *errors };

EXPORTED int tauler_exit_code(tauler_error error) {
  return (unsigned)error < ERRORS ? errors[error].exit_code : errors[TAULER_INTERNAL].exit_code;
}

EXPORTED const char *tauler_error_name(tauler_error error) {
  return (unsigned)error < ERRORS ? errors[error].name : "unknown error";
}

tauler_error tauler_errno_error(int cause) {
  if (cause == ENOMEM) return TAULER_NO_MEMORY;
  return cause == ENOSPC || cause == EDQUOT || cause == EFBIG ? TAULER_NO_SPACE : TAULER_IO;
}

/* Messages contain texts from outside, so control characters are escaped. */
EXPORTED tauler_error tauler_fail(tauler_message *message, tauler_error error, const char *format, ...) {
  tauler_message raw;
  if (message == NULL) return error;
  va_list arguments, again;
  va_start(arguments, format);
  va_copy(again, arguments);
  if (vsnprintf(raw.text, sizeof raw.text, format, arguments) < 0) raw.text[0] = '\0';
  text_show(raw.text, message->text, sizeof message->text);
  told_write(message->text, sizeof message->text, format, again);
  va_end(again);
  va_end(arguments);
  return error;
}

enum { SPEC_BYTES = 24, PARAMETER_BYTES = 256 };

static size_t conversion_length(const char *at) {
  const size_t before = 1 + strspn(at + 1, "-+ #0123456789.*hlz");
  return before + (at[before] != '\0');
}

void told_code(const char *format, char code[TOLD_CODE]) {
  size_t used = 0;
  bool between = false;
  while (*format) {
    if (*format == '%') {
      format += conversion_length(format);
      between = true;
      continue;
    }
    const unsigned char c = (unsigned char)*format++;
    if (c >= 0x80 || !isalnum(c)) {
      between = between || c < 0x80;
      continue;
    }
    if (used + 2 >= TOLD_CODE) {
      while (used && code[--used] != '-') {}
      break;
    }
    if (between && used) code[used++] = '-';
    between = false;
    code[used++] = (char)tolower(c);
  }
  code[used] = '\0';
}

/* Writes the next argument by its conversion `spec`. For a '*', the argument before is width or precision. */
static void write_parameter(const char *spec, va_list *arguments, char out[PARAMETER_BYTES]) {
  const size_t length = strlen(spec);
  const bool star = strchr(spec, '*') != NULL;
  const int width = star ? va_arg(*arguments, int) : 0;
  const char kind = spec[length - 1], size = length > 2 ? spec[length - 2] : ' ';
  *out = '\0';
#define WRITE(value)                                                                                         \
  (void)(star ? snprintf(out, PARAMETER_BYTES, spec, width, value)                                           \
              : snprintf(out, PARAMETER_BYTES, spec, value))
  if (kind == 's') {
    WRITE(va_arg(*arguments, const char *));
  } else if (strchr("eEfFgGaA", kind)) {
    WRITE(va_arg(*arguments, double));
  } else if (size == 'z') {
    WRITE(va_arg(*arguments, size_t));
  } else if (size == 'l' && length > 3 && spec[length - 3] == 'l') {
    WRITE(va_arg(*arguments, unsigned long long));
  } else if (size == 'l') {
    WRITE(va_arg(*arguments, unsigned long));
  } else {
    WRITE(va_arg(*arguments, int));
  }
#undef WRITE
}

/* Adds a separator and a text, cut to the room. The separator is escaped in texts, so it occurs in none. */
static void add_part(char *told, size_t room, char before, const char *text) {
  const size_t used = strlen(told);
  if (used + 2 >= room) return;
  told[used] = before;
  text_show(text, told + used + 1, room - used - 1);
}

void told_write(char *sentence, size_t room, const char *format, va_list arguments) {
  char code[TOLD_CODE], spec[SPEC_BYTES], parameter[PARAMETER_BYTES];
  const size_t behind = strlen(sentence) + 1;
  char *told = sentence + behind;
  va_list left;
  if (behind + TOLD_CODE + 2 > room) return;
  room -= behind;
  va_copy(left, arguments);
  const bool whole = strcmp(format, "%s") == 0;
  if (whole) format = va_arg(left, const char *);
  told_code(format, code);
  snprintf(told, room, "%c%s", TOLD_MARK, code);
  while (!whole && (format = strchr(format, '%')) != NULL) {
    const size_t length = conversion_length(format);
    if (length >= sizeof spec) break;
    memcpy(spec, format, length);
    spec[length] = '\0';
    format += length;
    if (spec[length - 1] == '%') continue;
    write_parameter(spec, &left, parameter);
    add_part(told, room, TOLD_NEXT, parameter);
  }
  va_end(left);
}

const char *told_of(const char *sentence, size_t room) {
  const size_t behind = strnlen(sentence, room) + 1;
  return behind < room && sentence[behind] == TOLD_MARK ? sentence + behind + 1 : "";
}

tauler_error told_because(tauler_message *message, const char *cause, tauler_error error) {
  if (!message || !*cause) return error;
  char *told = (char *)told_of(message->text, sizeof message->text);
  const size_t left = *told ? (size_t)(message->text + sizeof message->text - told) : 0, used = strlen(told);
  if (used + strlen(cause) + 2 > left) return error;
  told[used] = TOLD_CAUSE;
  strcpy(told + used + 1, cause);
  return error;
}
