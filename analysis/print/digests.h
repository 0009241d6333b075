/* Compares the tables of a rule set with a list of their digests, such as docs/results/awari-digests.csv.
 * Private to analysis/.
 *
 * Only headers are read, so it shows that two folders name the same cells, not that a table has them. One
 * thread calls.
 */
#ifndef ANALYSIS_PRINT_DIGESTS_H
#define ANALYSIS_PRINT_DIGESTS_H

#include "base/command/options.h"
#include "databases/names.h"

typedef enum {
  DIGESTS_AGREE,
  DIGESTS_DIFFER,
  DIGESTS_MISSING,
  DIGESTS_EXTRA,
  DIGESTS_VERDICTS
} digests_verdict;

/* "agrees", "differs", "missing", "extra" */
const char *digests_verdict_name(digests_verdict verdict);

typedef struct {
  const char *slice, *stream;
  const char *listed; /* digest in the list, or "" */
  const char *own;    /* digest found here, or "" */
  digests_verdict verdict;
} digests_finding;

typedef struct {
  const char *folder;
  const char *file; /* rows slice,stream,positions,bytes,digest under a header with these names */
  const game *game;
  const game_rules *rules;
  const game_slices *slices; /* slices whose rows and tables count, or NULL for all */
  void (*report)(void *user, const digests_finding *finding);
  void *user;
} digests_job;

/* Reports each table: those of the folder in its order, then those missing in the order of the list. `counts`
 * has how many have each verdict. Errors: TAULER_DAMAGED_FILE (no such list), TAULER_TABLE_MISSING (no such
 * folder), TAULER_IO, TAULER_NO_MEMORY. */
tauler_error digests_compare(const digests_job *job, size_t counts[DIGESTS_VERDICTS],
                             tauler_message *message);

/* Runs tauler verify --digests. Private to analysis/. */

/* Prints how the tables of the rule set that the options name differ from the list of --digests. Errors:
 * TAULER_BAD_USAGE (no game), TAULER_NOT_PROVEN (a difference, which is printed), those of
 * digests_compare. */
tauler_error command_digests(const options *parsed, tauler_message *message);

#endif
