/* Checkpoints: the arrays of a slice under work, in a file that is whole or not there.
 *
 * A checkpoint is a list of parts, each an array of bytes that its owner names. It is stored in
 * pieces of a mebibyte, by any number of threads and in any order, each piece compressed and with a
 * digest of its own; the file gets its name only when all pieces stand in it and are on the disk.
 * What it was taken from is told by an identity, a line of text that must agree when it is loaded;
 * nothing in it depends on how many threads wrote it.
 *
 * A checkpoint_file owns its hidden file until it is committed or abandoned; parts stay the caller's.
 */
#ifndef SOLVER_CHECKPOINT_H
#define SOLVER_CHECKPOINT_H

#include <stddef.h>
#include <stdint.h>

#include "base/tauler_error.h"

typedef struct {
  void *bytes;
  uint64_t n;
} checkpoint_part;

typedef struct checkpoint_file checkpoint_file;

/* Starts a checkpoint under `path`, whose folder must exist. Errors: TAULER_IO, TAULER_NO_SPACE,
 * TAULER_NO_MEMORY. */
tauler_error checkpoint_begin(const char *path, const char *identity, const checkpoint_part *parts, size_t n,
                              checkpoint_file **out, tauler_message *message);

/* How many pieces there are, and storing one: from any thread, each piece once. */
uint64_t checkpoint_pieces(const checkpoint_file *file);
tauler_error checkpoint_store(checkpoint_file *file, uint64_t piece, tauler_message *message);

/* Gives the file its name. Frees it, also on error; then a checkpoint that was there before stays. */
tauler_error checkpoint_commit(checkpoint_file *file, tauler_message *message);
void checkpoint_abandon(checkpoint_file *file);

/* Fills the parts, which must have the sizes they were stored with, after all of the file was checked.
 * Errors, the parts being as they were: TAULER_TABLE_MISSING (there is no checkpoint),
 * TAULER_DAMAGED_FILE (it is not whole or of something else), TAULER_NO_MEMORY; TAULER_IO, after which
 * parts may be half filled. */
tauler_error checkpoint_load(const char *path, const char *identity, const checkpoint_part *parts, size_t n,
                             tauler_message *message);

#endif
