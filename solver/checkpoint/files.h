/* The files that a checkpoint consists of: what they are called, and the marker that says which count.
 *
 * Private to units.c and load.c. A marker read owns its arrays until marker_free.
 */
#ifndef SOLVER_CHECKPOINT_FILES_H
#define SOLVER_CHECKPOINT_FILES_H

#include "solver/checkpoint/units.h"

/* A rank's data file: units, compressed, one after the other, then as many heads. */
typedef struct {
  uint64_t bytes, units;
  uint64_t digest_low, digest_high; /* XXH3-128 of the whole file */
} data_file;

/* Numbers are little-endian, as on every machine that the tables are made for. */
typedef struct {
  uint64_t unit, offset, compressed, raw;
  uint64_t digest; /* of the bytes as they were, seeded with the unit's number */
} unit_head;

typedef struct {
  uint64_t generation, units, run_bytes, ranks;
  char identity[CHECKPOINT_IDENTITY_BYTES];
  void *run;
  data_file *files; /* [ranks] */
} marker;

uint64_t unit_digest(uint64_t unit, const void *bytes, size_t n);

/* To be freed; NULL without memory. */
char *data_file_path(const char *path, uint64_t generation, uint64_t rank);

/* Errors: TAULER_TABLE_MISSING, TAULER_DAMAGED_FILE, TAULER_IO, TAULER_NO_MEMORY; nothing is to be freed. */
tauler_error marker_read(const char *path, marker *out, tauler_message *message);
tauler_error marker_write(const char *path, const marker *marker, tauler_message *message);
void marker_free(marker *marker);

/* Removes the data files that no marker names; none while it cannot be read. Returns the greatest
 * generation seen. */
uint64_t remove_orphans(const char *path);

#endif
