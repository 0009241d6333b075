/* The proven checker as a child process. Private to analysis/proof.
 *
 * `tauler-proof` stands beside the program, or --checker names it; `make proof` builds it. It reads plain
 * cells: for each slice in its order, values as signed bytes and depths as two bytes each, the lower one
 * first. Its verdict is what it says on standard output, each line in its place: who it is and what was
 * asked, `holds 0`, `holds 1` … for each slice, and `read BYTES` when nothing more came; or `wrong N`. Of a
 * slice that lines of play have closed it says `holds N but for BOARDS`. How it ends says nothing. A checker
 * that does nothing for too long is killed. One thread at a time.
 */
#ifndef ANALYSIS_PROOF_CHECKER_H
#define ANALYSIS_PROOF_CHECKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/tauler_error.h"

enum { CHECKER_SEEDS = 48, CHECKER_PIECES = 4 };

typedef struct {
  const char *path;  /* file, or NULL for the tauler-proof beside this program */
  const char *about; /* "awari", "abapa", "doushouqi" */
  const char *kind;  /* "scores", "bounds" for guarantees, "exact" for values with stages, or a rule set */
  const char *most;  /* seeds or pieces of the largest slice */
  size_t slices;     /* slices that are sent */
  uint64_t lines;    /* in "exact" a bit for each slice that lines of play have closed */
  double seconds;    /* seconds without any progress before it is stopped, or 0 for no limit */
} checker_question;

typedef struct {
  checker_question asked;
  char digest[65]; /* SHA-256 of its file */
  pid_t pid;
  int input, output;                    /* our ends, or -1 if closed */
  uint64_t sent;                        /* bytes of cells */
  size_t held;                          /* slices that it said hold */
  uint64_t on_trust[CHECKER_SEEDS + 1]; /* [slice] boards that it said it trusts lines of play for */
  bool greeted;                         /* the first line came */
  bool refused;                         /* the slice after those that hold is wrong */
  bool ended;                           /* the last line came */
  char line[320];                       /* that comes now */
  size_t used;
} checker;

/* Errors: TAULER_UNAVAILABLE (there is no tauler-proof), TAULER_NO_MEMORY, TAULER_IO. */
tauler_error checker_start(const checker_question *question, checker *out, tauler_message *message);

/* Errors: TAULER_NOT_PROVEN (a slice does not pass; without a message), TAULER_UNAVAILABLE (another version),
 * TAULER_STOPPED (it hangs), TAULER_IO. */
tauler_error checker_send(checker *c, const char *bytes, size_t n, tauler_message *message);

/* Waits for the rest of what it says; all slices hold if no error comes. Errors: as checker_send. */
tauler_error checker_end(checker *c, tauler_message *message);

/* Ends it, whatever it does. */
void checker_close(checker *c);

#endif
