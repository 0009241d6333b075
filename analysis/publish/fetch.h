/* Published tables, taken up into a folder of one's own. Private to analysis/publish.
 *
 * One thread drives. A file that was broken off keeps what came of it under a hidden name beside its place;
 * the next fetch goes on with it.
 */
#ifndef ANALYSIS_PUBLISH_FETCH_H
#define ANALYSIS_PUBLISH_FETCH_H

#include "base/progress.h"
#include "base/tauler_error.h"

typedef struct {
  const char *source; /* a folder, or the address of one */
  const char *db;
  progress *shown;
} fetch_job;

typedef struct {
  size_t fetched, kept; /* tables; kept: the same cells were there */
  uint64_t bytes;       /* of those fetched */
} fetch_figures;

/* No file gets its name before its SHA-256 is that of SHA256SUMS and it opens as a table. Errors:
 * TAULER_DAMAGED_FILE (another SHA-256; a table of other cells is there), TAULER_TABLE_MISSING (nothing
 * published), TAULER_BUSY (another process works in db), as bring_file. */
tauler_error fetch_tables(const fetch_job *job, fetch_figures *figures, tauler_message *message);

#endif
