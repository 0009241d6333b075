/* Checkpoints: the state of a slice in files that count only if all of them are complete.
 *
 * The state consists of the run (a few numbers, the same on all ranks) and of units, each a string of bytes
 * that its owner packs. A unit is a tile, whatever the number of shards (layout.h). Every rank stores its
 * units in a file of its own, compressed and with a digest each, from any number of threads and in any order.
 * Then the leading rank writes the marker to `path`. It names the files with their sizes and digests. Until
 * the marker has its name, the previous checkpoint counts; afterwards older files are removed. A crash
 * therefore leaves either the previous or the new checkpoint complete. Units are resumed by the ranks that
 * own them then, so a solve may be stopped on four ranks and resumed on one.
 *
 * The identity, a line of text, names the solve. A checkpoint loads only if its identity is equal. All calls
 * except checkpoint_store are collective over the communicator. All ranks must see the folder. A
 * checkpoint_file owns its hidden file until it is committed.
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
  comm *comm;           /* NULL if there is one process */
  const char *path;     /* path of the marker. Data files are path + ".GENERATION-RANK" */
  const char *identity; /* fewer than CHECKPOINT_IDENTITY_BYTES bytes */
  uint64_t units;       /* number of units */
  size_t unit_room;     /* bytes of the largest unit that this rank stores */
  void *run;            /* the leading rank's run is stored */
  size_t run_bytes;
  int threads; /* threads for loading, or 0 for one */
  /* For the note about a resumed slice: */
  progress *shown;      /* NULL if nothing is noted */
  const char *slice;    /* name of the slice */
  const uint64_t *done; /* positions, within the run, or NULL if they are not counted */
  uint64_t positions;
} checkpoint_plan;

typedef struct checkpoint_file checkpoint_file;

/* Begins a checkpoint. The plan's pointers must stay valid until commit. Removes files of earlier checkpoints
 * that were never committed. Errors: TAULER_IO, TAULER_NO_SPACE, TAULER_NO_MEMORY; the same on all ranks. */
tauler_error checkpoint_begin(const checkpoint_plan *plan, checkpoint_file **out, tauler_message *message);

/* Stores a unit. Any thread of its owner may call it, once per unit. */
tauler_error checkpoint_store(checkpoint_file *file, uint64_t unit, const void *bytes, size_t n,
                              tauler_message *message);

/* Commits a checkpoint. `error` is the error of storing on this rank; the checkpoint counts only if no rank
 * has an error. Frees the file. After an error the previous checkpoint counts. */
tauler_error checkpoint_commit(checkpoint_file *file, tauler_error error, tauler_message *message);

/* Receives units from a checkpoint. `wants` says whether this rank wants a unit, its size, and in which pass
 * it is wanted. `receive` gets each wanted unit from the calling thread, those of earlier passes first. */
typedef struct {
  bool (*wants)(void *user, uint64_t unit, size_t *n, uint32_t *pass);
  tauler_error (*receive)(void *user, uint64_t unit, const void *bytes, size_t n, tauler_message *message);
  void *user;
  uint32_t passes; /* number of passes, where 0 means 1 */
} checkpoint_reader;

/* Fills plan->run on every rank and delivers the wanted units, after all files were checked on all ranks.
 * Errors, the same on all ranks, before a unit is delivered: TAULER_TABLE_MISSING (no checkpoint),
 * TAULER_DAMAGED_FILE (incomplete, or of another solve), TAULER_NO_MEMORY. Later: TAULER_IO and errors of
 * `receive`, after which some units may have been delivered. */
tauler_error checkpoint_load(const checkpoint_plan *plan, const checkpoint_reader *reader,
                             tauler_message *message);

/* Loads a checkpoint, if there is one, and sets *resumed. A damaged or unsuitable checkpoint is removed. The
 * leading rank notes that the slice is resumed, or why it starts anew. Errors: those of checkpoint_load
 * except TAULER_TABLE_MISSING and TAULER_DAMAGED_FILE. */
tauler_error checkpoint_resume(const checkpoint_plan *plan, const checkpoint_reader *reader, bool *resumed,
                               tauler_message *message);

/* Removes a checkpoint and all its files. One rank calls it. It is no error if there is none. */
void checkpoint_remove(const char *path);

#endif
