/* What a sentence for a person says, apart from its words: a code and parameters, for who writes it in
 * another language.
 *
 * The code is made of the words of the sentence's format, "it has %d rows" becomes it-has-rows; so each
 * sentence has one, and tests hold the page's texts against the formats. tauler_fail writes what it is told
 * into its message; a reason that was found before is added as its cause. It stands behind the NUL of the
 * sentence, in the same room: TOLD_MARK, then code and parameters, TOLD_NEXT between them, then perhaps
 * TOLD_CAUSE and the same of the cause. No state is kept: every function may be called from any thread.
 */
#ifndef BASE_TOLD_H
#define BASE_TOLD_H

#include <stdarg.h>
#include <stddef.h>

#include "base/tauler_error.h"

enum { TOLD_MARK = '\x1d', TOLD_CAUSE = '\x1e', TOLD_NEXT = '\x1f', TOLD_CODE = 64 };

/* The code of a format: its words joined by dashes, in lower case, cut after a word. */
void told_code(const char *format, char code[TOLD_CODE]);

/* Behind a sentence that stands in so much room writes what it says; what has no room is left out. `format`
 * and `arguments` are those that printf made it of. A sentence that was made elsewhere ("%s") has its own
 * code and no parameters. */
void told_write(char *sentence, size_t room, const char *format, va_list arguments);

/* What was written so; "" if nothing was. */
const char *told_of(const char *sentence, size_t room);

/* Adds a cause, as told_of has it, to what the message tells (NULL: to none); returns the error. */
tauler_error told_because(tauler_message *message, const char *cause, tauler_error error);

#endif
