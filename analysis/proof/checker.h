/* Runs the proven checker as a child process. Private to analysis/proof.
 *
 * The program is `tauler-proof` beside this program, built by `make proof`, or the file of --checker. It
 * reads plain cells: for each slice in its order, values as signed bytes and depths as two bytes each, the
 * lower byte first. Its standard output begins with a line of its name, its version and the question. Then
 * comes `holds 0`, `holds 1` … for each slice, or `holds N but for BOARDS` for a slice with values by lines
 * of play, and `read BYTES` after the last cell. A line `works` between them shows progress. At the first
 * slice that does not hold it prints `wrong N` instead and ends. Its exit status is ignored. One thread at a
 * time.
 */
#ifndef ANALYSIS_PROOF_CHECKER_H
#define ANALYSIS_PROOF_CHECKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "analysis/publish/sums.h"

enum { CHECKER_SEEDS = 48, CHECKER_PIECES = 4 };

typedef struct {
  const char *path;  /* file, or NULL for the tauler-proof beside this program */
  const char *about; /* "awari", "abapa", "doushouqi" */
  const char *kind;  /* "scores", "bounds" (guarantees), "exact" (values with stages), or a rule set */
  const char *most;  /* number of seeds or pieces of the largest slice */
  size_t slices;
  uint64_t lines; /* bits of slices with values by lines of play, for "exact" */
  double seconds; /* most seconds without progress, or 0 for no limit */
} checker_question;

typedef struct {
  checker_question asked;
  char digest[SUM_TEXT]; /* SHA-256 of the checker's file */
  pid_t pid;
  int input, output;                    /* this program's ends of the pipes, or -1 if closed */
  uint64_t sent;                        /* bytes of cells sent so far */
  size_t held;                          /* number of slices that hold so far */
  uint64_t on_trust[CHECKER_SEEDS + 1]; /* [slice] number of boards with values on trust */
  bool greeted;                         /* the first line was read */
  bool refused;                         /* the slice after those that hold is wrong */
  bool ended;                           /* the last line was read */
  char line[320];                       /* start of the next line of output */
  size_t used;
} checker;

/* Starts the checker. Errors: TAULER_UNAVAILABLE (there is no tauler-proof), TAULER_NO_MEMORY, TAULER_IO. */
tauler_error checker_start(const checker_question *question, checker *out, tauler_message *message);

/* Sends n bytes of cells. Errors: TAULER_NOT_PROVEN (a slice does not hold; without a message),
 * TAULER_UNAVAILABLE (another version), TAULER_STOPPED (the checker hangs), TAULER_IO. */
tauler_error checker_send(checker *c, const char *bytes, size_t n, tauler_message *message);

/* Reads the rest of the output. If there is no error, all slices hold. Errors: those of checker_send. */
tauler_error checker_end(checker *c, tauler_message *message);

void checker_close(checker *c);

#endif
