/* Copies of tables with every cell written out, for programs that know neither our games nor which cells a
 * table leaves out. Private to analysis/.
 *
 * A copy is a table with plain cells under the same name, which stock zstd decodes to the flat array of
 * cells, or that array with the header of numpy's .npy format in front, not compressed, so that numpy maps
 * it as it is. It holds the same cells as its table, so its digest is known beforehand and is checked before
 * a copy gets its name. One thread drives, settings.threads work; any number of exports to different folders
 * may run at once.
 */
#ifndef ANALYSIS_EXPORT_EXPORT_H
#define ANALYSIS_EXPORT_EXPORT_H

#include "analysis/slices/bulk.h"

typedef enum { EXPORT_TABLES, EXPORT_NUMPY, EXPORT_BOOK, EXPORT_CSV, EXPORT_PRISM } export_form;

/* A copy that is there now. */
typedef struct {
  const char *slice, *stream, *path;
  uint64_t positions, file_bytes;
  table_digest digest; /* digest of the cells */
  bool made;           /* this call made it, otherwise it was there */
} export_copy;

/* Takes the next plain cells of a stream; a stream comes whole, slice by slice, values before depths. */
typedef tauler_error export_take(void *user, const table_header *header, const char *cells, size_t bytes,
                                 tauler_message *message);

typedef struct {
  tauler_tables *tables;
  const game_slices *slices; /* slices to copy, and others that help to recover cells */
  const game_request *request;
  const char *folder; /* where copies go */
  export_take *take;  /* or NULL: takes the cells in place of a folder */
  export_form form;
  bool depths; /* also depths, which must be there. Outcomes always have them */
  int level;   /* level of compression */
  int threads;
  memory_budget *memory;                               /* tables that do not fit are looked up cell by cell */
  progress *shown;                                     /* or NULL */
  void (*report)(void *user, const export_copy *copy); /* called in the order of the slices, or NULL */
  void *user;
} export_job;

/* A copy that is there and right is kept, so an export that was stopped goes on where it was. Errors:
 * TAULER_TABLE_MISSING (before anything is written), TAULER_DAMAGED_FILE (cells that are not what the table's
 * digest says), TAULER_BAD_USAGE (the folder is that of the tables), TAULER_NO_MEMORY, TAULER_NO_SPACE,
 * TAULER_IO, what `take` returns. */
tauler_error export_tables(const export_job *job, tauler_message *message);

#endif
