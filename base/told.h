/* The code and parameters of a sentence for users, by which a translation is found and filled in.
 *
 * The code consists of the words of the sentence's format: "it has %d rows" becomes it-has-rows. Code and
 * parameters follow the NUL of the sentence, in the same buffer: TOLD_MARK, then code and parameters,
 * separated by TOLD_NEXT, then perhaps TOLD_CAUSE and the same for the cause. Any thread may call every
 * function.
 */
#ifndef BASE_TOLD_H
#define BASE_TOLD_H

#include <stdarg.h>
#include <stddef.h>

#include "base/tauler_error.h"

enum { TOLD_MARK = '\x1d', TOLD_CAUSE = '\x1e', TOLD_NEXT = '\x1f', TOLD_CODE = 64 };

/* Writes the code of a format: its words joined by dashes, in lower case, cut after a word. */
void told_code(const char *format, char code[TOLD_CODE]);

/* Writes code and parameters after a sentence in a buffer of `room` bytes, as far as they fit. printf made
 * the sentence from `format` and `arguments`. If `format` is "%s", the sentence was made elsewhere: its code
 * consists of its own words, and it has no parameters. */
void told_write(char *sentence, size_t room, const char *format, va_list arguments);

/* Returns the code and parameters that told_write wrote after the sentence, or "". */
const char *told_of(const char *sentence, size_t room);

/* Adds a cause, as told_of returns it, to the message (which may be NULL). Omits it if it does not fit or the
 * message has no code. Returns `error`. */
tauler_error told_because(tauler_message *message, const char *cause, tauler_error error);

#endif
