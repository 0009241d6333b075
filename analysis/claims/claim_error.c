/* Keeps the first error. */
#include "analysis/claims/claim_error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

bool claim_keep(claim_error *e, tauler_error error) {
  if (!e->error) e->error = error;
  return e->error != TAULER_OK;
}

void claim_fail(claim_error *e, tauler_error error, const char *format, ...) {
  va_list arguments;
  if (e->error) return;
  e->error = error;
  va_start(arguments, format);
  vsnprintf(e->message.text, sizeof e->message.text, format, arguments);
  va_end(arguments);
}

void *claim_calloc(claim_error *e, size_t n, size_t bytes) {
  void *taken = e->error ? NULL : calloc(n, bytes);
  if (!taken) claim_fail(e, TAULER_NO_MEMORY, "no memory for %zu bytes that a claim needs", n * bytes);
  return taken;
}

tauler_error claim_error_of(const claim_error *e, tauler_message *message) {
  if (!e->error) return TAULER_OK;
  if (*e->message.text) return tauler_fail(message, e->error, "%s", e->message.text);
  return tauler_fail(message, e->error,
                     e->error == TAULER_NO_MEMORY ? "no memory for the figures of a claim"
                                                  : "the figures of a claim cannot be worked out");
}
