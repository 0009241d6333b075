/* Checkpoints: the state of a slice under work, in files that count only when all of them are whole.
 *
 * The state is that of the run (a few numbers, the same on all ranks) and of each unit of the slice, a string
 * of bytes that its owner packs: a tile, whatever the number of shards (layout.h). Every rank stores the
 * units it owns, from any number of threads and in any order, compressed and with a digest each, in a file of
 * its own; then the leading rank writes the marker under `path`, which names the files with their sizes and
 * digests. Until the marker has its name the checkpoint before counts, and afterwards the older files are
 * removed. The rank that then owns a unit resumes it, so a solve may be stopped on four ranks and go on with
 * one.
 *
 * The identity, a line of text, names the solve. A checkpoint loads only if its identity is equal. All
 * calls but checkpoint_store are collective over the comm. The folder must be one that all ranks see.
 * A checkpoint_file owns its hidden file until it is committed or abandoned.
 */
#ifndef SOLVER_CHECKPOINT_UNITS_H
#define SOLVER_CHECKPOINT_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/progress.h"
#include "base/tauler_error.h"
#include "parallel/comm.h"

enum { CHECKPOINT_IDENTITY_BYTES = 512 };

typedef struct {
  comm *comm;           /* or NULL */
  const char *path;     /* of the marker; the others are called path + ".GENERATION-RANK" */
  const char *identity; /* fewer than CHECKPOINT_IDENTITY_BYTES bytes */
  uint64_t units;       /* 0 … units − 1 */
  size_t unit_room;     /* no unit that is stored here is larger */
  void *run;            /* of the leading rank */
  size_t run_bytes;
  int threads; /* for loading; 0: one */
  /* For the note on what is resumed: */
  progress *shown;      /* or NULL */
  const char *slice;    /* its name */
  const uint64_t *done; /* positions, in the run; NULL: not counted */
  uint64_t positions;
} checkpoint_plan;

typedef struct checkpoint_file checkpoint_file;

/* The pointers of the plan are read until commit. Files that a writer left who never came to its marker are
 * removed. Errors: TAULER_IO, TAULER_NO_SPACE, TAULER_NO_MEMORY; the same on all ranks. */
tauler_error checkpoint_begin(const checkpoint_plan *plan, checkpoint_file **out, tauler_message *message);

/* Stores a unit: from any thread, each unit once, by its owner. */
tauler_error checkpoint_store(checkpoint_file *file, uint64_t unit, const void *bytes, size_t n,
                              tauler_message *message);

/* `error` is how storing fared on this rank; unless all ranks fared well nothing counts. Frees the file,
 * also on error; then a checkpoint that was there before stays. */
tauler_error checkpoint_commit(checkpoint_file *file, tauler_error error, tauler_message *message);

/* How units come back: which are wanted here, of what size and in which turn; then each of them, one after
 * the other, by the calling thread, those of earlier turns first. */
typedef struct {
  bool (*wants)(void *user, uint64_t unit, size_t *n, uint32_t *turn);
  tauler_error (*take)(void *user, uint64_t unit, const void *bytes, size_t n, tauler_message *message);
  void *user;
  uint32_t turns; /* 0 stands for 1 */
} checkpoint_reader;

/* Fills plan->run on every rank and gives every unit that is wanted, after all were checked on all ranks.
 * Errors, the same on all ranks, nothing being taken: TAULER_TABLE_MISSING (there is no checkpoint),
 * TAULER_DAMAGED_FILE (it is not whole or of something else), TAULER_NO_MEMORY; TAULER_IO and what take
 * returned, after which some units may have been taken. */
tauler_error checkpoint_load(const checkpoint_plan *plan, const checkpoint_reader *reader,
                             tauler_message *message);

/* Loads what there is; *resumed says whether. A checkpoint that is damaged or does not fit is removed. A note
 * of the leading rank says that a slice goes on, or why it starts anew. Errors: those of checkpoint_load but
 * TAULER_TABLE_MISSING and TAULER_DAMAGED_FILE. */
tauler_error checkpoint_resume(const checkpoint_plan *plan, const checkpoint_reader *reader, bool *resumed,
                               tauler_message *message);

/* Removes a checkpoint with all its files. Only by one rank; nothing there is no error. */
void checkpoint_remove(const char *path);

#endif
