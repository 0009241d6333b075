/* Names and removes the files of a checkpoint, and reads and writes the marker, which lists the files that
 * count. Private to units.c and load.c. A marker that was read owns its arrays until marker_free. */
#ifndef SOLVER_CHECKPOINT_FILES_H
#define SOLVER_CHECKPOINT_FILES_H

#include "solver/checkpoint/units.h"

/* The entry of a rank's data file in the marker. The file has the compressed units one after the other, and
 * then a head for each unit. */
typedef struct {
  uint64_t bytes, units;
  uint64_t digest_low, digest_high; /* XXH3-128 digest of the whole file */
} data_file;

/* The head of a unit. The file has numbers in the byte order of the machine, which is little-endian on all
 * machines that build tables. */
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

/* Writes why the checkpoint or data file at `path` is refused. Returns TAULER_DAMAGED_FILE. */
tauler_error refuse_checkpoint(const char *path, const char *why, tauler_message *message);

/* Returns a path that the caller frees, or NULL if memory runs out. */
char *data_file_path(const char *path, uint64_t generation, uint64_t rank);

/* After an error *out owns nothing. Errors: TAULER_TABLE_MISSING, TAULER_DAMAGED_FILE, TAULER_IO,
 * TAULER_NO_MEMORY. */
tauler_error marker_read(const char *path, marker *out, tauler_message *message);
tauler_error marker_write(const char *path, const marker *marker, tauler_message *message);
void marker_free(marker *marker);

/* Removes the data files that the marker does not name, or all if no marker exists. If the marker cannot be
 * read, removes none. Returns the greatest generation of the marker and of all files found, or 0. */
uint64_t remove_orphans(const char *path);

#endif
