/* The first error that a computation of claims meets. It is kept, and nothing more is done after it, so that
 * nothing fails in between. One thread at a time. */
#ifndef ANALYSIS_CLAIMS_CLAIM_ERROR_H
#define ANALYSIS_CLAIMS_CLAIM_ERROR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/tauler_error.h"

/* Zeroed: there is none. */
typedef struct {
  tauler_error error;
  tauler_message message;
} claim_error;

/* Keeps an error, unless there is one: true if there is one now. A call that writes into &e->message is only
 * made while there is no error: if (CLAIM_CATCH(e, f(x, &e->message))) return; */
bool claim_keep(claim_error *e, tauler_error error);
#define CLAIM_CATCH(e, call) ((e)->error ? true : claim_keep(e, call))
void claim_fail(claim_error *e, tauler_error error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Zeroed memory; NULL if there is none, which is kept, and after an error. */
void *claim_calloc(claim_error *e, size_t n, size_t bytes);

/* The error that was kept, with a message. */
tauler_error claim_error_of(const claim_error *e, tauler_message *message);

#endif
