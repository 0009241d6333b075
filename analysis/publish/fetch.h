/* Fetches published tables into another folder. Private to analysis/publish.
 *
 * One thread calls. If a file is interrupted, the bytes received stay under a hidden name beside its path,
 * and the next fetch continues it.
 */
#ifndef ANALYSIS_PUBLISH_FETCH_H
#define ANALYSIS_PUBLISH_FETCH_H

#include "analysis/publish/choice.h"
#include "base/progress.h"
#include "base/tauler_error.h"

typedef struct {
  const char *source; /* a folder, or the address of one */
  const char *db;
  double timeout;       /* seconds within which an address must send something */
  fetch_choice *choice; /* the chosen tables, or NULL for all */
  progress *shown;      /* first shows how much each rule set has that is chosen */
} fetch_job;

typedef struct {
  size_t fetched; /* tables fetched */
  size_t kept;    /* tables whose cells were here already */
  uint64_t bytes; /* bytes of the tables fetched */
} fetch_figures;

/* A file gets its name only after its SHA-256 is that of SHA256SUMS, it opens as a table, and its header
 * agrees with the catalogue and with its path. All that the lists say is checked before the first table is
 * received. Errors: TAULER_DAMAGED_FILE (another SHA-256, size or header; or a table with other cells exists
 * here), TAULER_TABLE_MISSING (nothing is published, or nothing of the choice), TAULER_NO_SPACE (before it
 * begins, if that can be known), TAULER_BUSY (another process works in db), those of bring_file and
 * bring_check_source. */
tauler_error fetch_tables(const fetch_job *job, fetch_figures *figures, tauler_message *message);

#endif
