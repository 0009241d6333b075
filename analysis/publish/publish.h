/* A published folder of tables: the tables, their list, offsets of large ones, a card that describes them,
 * and the SHA-256 of every file. Private to analysis/publish; README.md describes the layout.
 *
 * One thread calls; job.threads threads check tables.
 */
#ifndef ANALYSIS_PUBLISH_PUBLISH_H
#define ANALYSIS_PUBLISH_PUBLISH_H

#include "analysis/publish/catalogue.h"
#include "analysis/publish/page.h"
#include "analysis/publish/sums.h"
#include "base/progress.h"

typedef struct {
  const char *db, *folder;
  const char *title, *licence;
  const page_source *page; /* NULL: none */
  int threads;
  progress *shown;
} publish_job;

typedef struct {
  size_t tables;
  uint64_t cells, bytes; /* sums over the tables */
} publish_figures;

/* Checks every table first. Existing files are replaced; SHA256SUMS is written last. Errors:
 * TAULER_TABLE_MISSING (no table below db), TAULER_DAMAGED_FILE, TAULER_BAD_USAGE (one folder is inside the
 * other), TAULER_NO_MEMORY, TAULER_NO_SPACE, TAULER_IO. */
tauler_error publish_folder(const publish_job *job, publish_figures *figures, tauler_message *message);

#endif
