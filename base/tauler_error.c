/* Names errors and makes their messages. */
#include "base/tauler_error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

#include "base/text_show.h"
#include "base/told.h"

/* The library hides everything that is not marked; these go with the installed header. */
#define EXPORTED __attribute__((visibility("default")))

EXPORTED int tauler_exit_code(tauler_error error) {
  switch (error) {
  case TAULER_OK:
    return 0;
  case TAULER_NOT_PROVEN:
    return 1;
  case TAULER_BAD_USAGE:
    return 64;
  case TAULER_BAD_POSITION:
    return 65;
  case TAULER_DAMAGED_FILE:
    return 65;
  case TAULER_TABLE_MISSING:
    return 66;
  case TAULER_NO_MEMORY:
    return 69;
  case TAULER_NO_SPACE:
    return 69;
  case TAULER_IO:
    return 74;
  case TAULER_STOPPED:
    return 75;
  case TAULER_INTERNAL:
    return 70;
  case TAULER_UNAVAILABLE:
    return 69;
  case TAULER_BUSY:
    return 75;
  }
  return 70;
}

tauler_error tauler_errno_error(int cause) {
  if (cause == ENOMEM) return TAULER_NO_MEMORY;
  return cause == ENOSPC || cause == EDQUOT || cause == EFBIG ? TAULER_NO_SPACE : TAULER_IO;
}

EXPORTED const char *tauler_error_name(tauler_error error) {
  switch (error) {
  case TAULER_OK:
    return "ok";
  case TAULER_NOT_PROVEN:
    return "not proven";
  case TAULER_BAD_USAGE:
    return "bad usage";
  case TAULER_BAD_POSITION:
    return "bad position";
  case TAULER_DAMAGED_FILE:
    return "damaged file";
  case TAULER_TABLE_MISSING:
    return "table missing";
  case TAULER_NO_MEMORY:
    return "not enough memory";
  case TAULER_NO_SPACE:
    return "not enough disk space";
  case TAULER_IO:
    return "input or output failed";
  case TAULER_STOPPED:
    return "stopped";
  case TAULER_INTERNAL:
    return "internal error";
  case TAULER_UNAVAILABLE:
    return "program missing";
  case TAULER_BUSY:
    return "folder in use";
  }
  return "unknown error";
}

/* Paths, positions and contents of files stand in messages as strangers wrote them. */
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
