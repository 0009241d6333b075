/* The files of a checkpoint: their names, and the marker that says which of them count. Private to units.c
 * and load.c. A marker that was read owns its arrays until marker_free. */
#ifndef SOLVER_CHECKPOINT_FILES_H
#define SOLVER_CHECKPOINT_FILES_H

#include "solver/checkpoint/units.h"

/* A rank's data file: compressed units one after the other, then a head for each. */
typedef struct {
  uint64_t bytes, units;
  uint64_t digest_low, digest_high; /* XXH3-128 of the whole file */
} data_file;

/* The head of a unit. Numbers are little-endian, as on every machine for which tables are made. */
typedef struct {
  uint64_t unit, offset, compressed, raw;
  uint64_t digest; /* digest of the uncompressed bytes, seeded with the number of the unit */
} unit_head;

typedef struct {
  uint64_t generation, units, run_bytes, ranks;
  char identity[CHECKPOINT_IDENTITY_BYTES];
  void *run;
  data_file *files; /* [ranks] */
} marker;

uint64_t unit_digest(uint64_t unit, const void *bytes, size_t n);

/* The caller frees the result. NULL if there is no memory. */
char *data_file_path(const char *path, uint64_t generation, uint64_t rank);

/* Errors: TAULER_TABLE_MISSING, TAULER_DAMAGED_FILE, TAULER_IO, TAULER_NO_MEMORY. After an error nothing must
 * be freed. */
tauler_error marker_read(const char *path, marker *out, tauler_message *message);
tauler_error marker_write(const char *path, const marker *marker, tauler_message *message);
void marker_free(marker *marker);

/* Removes the data files that the marker does not name: all of them if there is no marker, none if the marker
 * exists but cannot be read. Returns the greatest generation that it saw. */
uint64_t remove_orphans(const char *path);

#endif
