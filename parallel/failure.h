/* Keeps the first failure of several threads, with its message. A failure starts as zeros. */
#ifndef PARALLEL_FAILURE_H
#define PARALLEL_FAILURE_H

#include <stdatomic.h>

#include "base/tauler_error.h"

typedef struct {
  _Atomic int error;
  tauler_message message;
} failure;

/* Any thread may call it. The message may be NULL. */
static inline void failure_note(failure *first, tauler_error error, const tauler_message *message) {
  int none = TAULER_OK;
  if (error && atomic_compare_exchange_strong(&first->error, &none, (int)error) && message)
    first->message = *message;
}

/* Returns the first error, and copies its message if it has one. Called after all threads have returned. */
static inline tauler_error failure_outcome(const failure *first, tauler_message *message) {
  if (first->error && first->message.text[0] && message) *message = first->message;
  return (tauler_error)first->error;
}

#endif
