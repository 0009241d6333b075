/* Saves the state of a slice in files that count only if all of them are complete, and loads it.
 *
 * The state consists of the run (a few numbers, the same on all ranks) and of units. A unit has the bytes of
 * a tile, which its owner packs; tiles do not depend on the number of shards (layout.h). Every rank stores
 * its units in one data file, each compressed and with a digest, from any number of threads and in any order.
 * Then the leading rank writes the marker to `path`, which lists the data files with their sizes and digests.
 * Until the marker has its name, the previous checkpoint counts; afterwards older files are removed. When a
 * solve resumes, each rank reads the units of the tiles that it then owns, so a solve may be stopped on four
 * ranks and resumed on one.
 *
 * The identity, a line of text, names the solve. A checkpoint loads only if its identity is equal. All calls
 * except checkpoint_store and checkpoint_remove are collective over the communicator. All ranks must see the
 * folder. */
#ifndef SOLVER_CHECKPOINT_UNITS_H
#define SOLVER_CHECKPOINT_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/tauler_error.h"
#include "parallel/comm.h"

enum { CHECKPOINT_IDENTITY_BYTES = 512 };

typedef struct {
  comm *comm;           /* NULL if there is one process */
  const char *path;     /* path of the marker. ".GENERATION-RANK" is added for data files */
  const char *identity; /* fewer than CHECKPOINT_IDENTITY_BYTES bytes */
  uint64_t units;
  size_t unit_room; /* bytes of the largest unit that this rank stores */
  void *run;        /* state of the run, which the leading rank stores */
  size_t run_bytes;
  int threads; /* number of threads, or 0 for one */
} checkpoint_plan;

typedef struct checkpoint_file checkpoint_file;

/* The plan's pointers must stay valid until commit. Removes files of earlier checkpoints that were never
 * committed. Errors: TAULER_IO, TAULER_NO_SPACE, TAULER_NO_MEMORY; the same on all ranks. */
tauler_error checkpoint_begin(const checkpoint_plan *plan, checkpoint_file **out, tauler_message *message);

/* Any thread of the unit's owner may call it, once per unit. */
tauler_error checkpoint_store(checkpoint_file *file, uint64_t unit, const void *bytes, size_t n,
                              tauler_message *message);

/* Commits a checkpoint if no rank has an error. `error` is the error of storing on this rank. Frees the file.
 * After an error the previous checkpoint counts, or the new one if only the last sync of the folder failed.
 */
tauler_error checkpoint_commit(checkpoint_file *file, tauler_error error, tauler_message *message);

/* The receiver of the units of a checkpoint. `wants` is true if this rank wants a unit, and sets its size and
 * the pass in which it is wanted. `receive` gets each wanted unit in the calling thread, pass by pass. */
typedef struct {
  bool (*wants)(void *user, uint64_t unit, size_t *n, uint32_t *pass);
  tauler_error (*receive)(void *user, uint64_t unit, const void *bytes, size_t n, tauler_message *message);
  void *user;
  uint32_t passes;
} checkpoint_reader;

/* Checks all files on all ranks. Then fills plan->run on every rank and delivers the wanted units. Errors are
 * the same on all ranks. Errors before a unit is delivered: TAULER_TABLE_MISSING (no checkpoint),
 * TAULER_DAMAGED_FILE (incomplete, or of another solve), TAULER_IO, TAULER_NO_MEMORY. Later errors, after
 * which the run and some units may have been delivered: TAULER_IO, TAULER_NO_MEMORY, those of `receive`. */
tauler_error checkpoint_load(const checkpoint_plan *plan, const checkpoint_reader *reader,
                             tauler_message *message);

/* Removes a checkpoint, which need not exist, and all its files. One rank calls it. */
void checkpoint_remove(const char *path);

#endif
