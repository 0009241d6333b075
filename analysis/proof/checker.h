/* The proven checker as a child process. Private to analysis/.
 *
 * `tauler-proof` stands beside the program or on the path; `make proof` builds it. It reads plain cells: for
 * each slice, smallest first, values as signed bytes and depths as two bytes each, the lower one first. */
#ifndef ANALYSIS_PROOF_CHECKER_H
#define ANALYSIS_PROOF_CHECKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/tauler_error.h"

typedef struct {
  pid_t pid;
  int input, output; /* our ends */
} checker;

/* Errors: TAULER_UNAVAILABLE (there is no tauler-proof), TAULER_IO. */
tauler_error checker_start(const char *rules, bool bounds, unsigned seeds, checker *out,
                           tauler_message *message);

/* Errors: TAULER_NOT_PROVEN (it has ended, and checker_end says why), TAULER_IO. */
tauler_error checker_send(checker *c, const char *bytes, size_t n, tauler_message *message);

/* Waits for its verdict. *holds: all slices passed; else *slice is the first that did not. Errors: TAULER_IO
 * (it ended without a verdict). */
tauler_error checker_end(checker *c, bool *holds, unsigned *slice, tauler_message *message);

#endif
