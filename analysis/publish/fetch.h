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
  double timeout; /* seconds in which an address must bring something */
  progress *shown;
} fetch_job;

typedef struct {
  size_t fetched, kept; /* tables; kept: the same cells were there */
  uint64_t bytes;       /* of those fetched */
} fetch_figures;

/* No file gets its name before its SHA-256 is that of SHA256SUMS, it opens as a table, and its header is that
 * of the catalogue and of the place where it will stand. All that the lists say is checked before the first
 * table comes. Errors: TAULER_DAMAGED_FILE (another SHA-256, size or header; a table of other cells is
 * there), TAULER_TABLE_MISSING (nothing published), TAULER_NO_SPACE (before it begins, where that can be
 * known), TAULER_BUSY (another process works in db), as bring_file and bring_check_source. */
tauler_error fetch_tables(const fetch_job *job, fetch_figures *figures, tauler_message *message);

#endif
