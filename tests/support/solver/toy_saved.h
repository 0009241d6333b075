/* Checkpoints of units that are written and read back by ranks (threads), and their files. Failures outside
 * the checkpoint end the test. */
#ifndef TESTS_TOY_SAVED_H
#define TESTS_TOY_SAVED_H

#include <sys/types.h>

#include "solver/checkpoint/units.h"

enum { TOY_SAVED_UNITS = 40, TOY_SAVED_RANKS = 4, TOY_SAVED_RUN_BYTES = 24, TOY_SAVED_NAME_BYTES = 480 };

/* A checkpoint to be written and read, and what came back of it. */
typedef struct {
  char path[TOY_SAVED_NAME_BYTES];
  const char *identity;
  uint64_t units;
  size_t run_bytes;
  bool small;    /* units of a few bytes */
  size_t longer; /* units are expected to have so many bytes more than they had */
  unsigned salt; /* makes contents differ */
  int failing;   /* this rank fails before it commits, if it is one */
  tauler_error failure;
  _Atomic int result[TOY_SAVED_RANKS];
  tauler_message said[TOY_SAVED_RANKS];
  _Atomic int taken[TOY_SAVED_UNITS];
  _Atomic int wrong, in_take;
  unsigned char run[TOY_SAVED_RANKS][TOY_SAVED_RUN_BYTES];
} toy_saved;

toy_saved *toy_saved_new(void);

/* Runs all ranks: `run` of a plan has TOY_SAVED_RUN_BYTES. 0 ranks: without a comm. All ranks agree. */
checkpoint_plan toy_saved_plan(const toy_saved *f, comm *comm, void *run);
tauler_error toy_saved_store(const toy_saved *f, checkpoint_file *file, uint64_t unit,
                             tauler_message *message);
void toy_saved_write_rank(comm *comm, void *user);
void toy_saved_read_rank(comm *comm, void *user);
tauler_error toy_saved_run(toy_saved *f, int ranks, void (*work)(comm *comm, void *user));

/* Writes a checkpoint with the contents of `salt`; reads it and expects all of it, or nothing and an error.
 */
tauler_error toy_saved_write(toy_saved *f, int ranks, unsigned salt);
tauler_error toy_saved_read(toy_saved *f, int ranks);
/* Whether what is there is what f says. */
bool toy_saved_is(toy_saved *f);

/* Files in the folder, hidden ones too; and by name: the marker, then the data files. */
int toy_saved_files(void);
int toy_saved_list(char names[8][TOY_SAVED_NAME_BYTES]);
off_t toy_saved_size(const char *path);
/* The caller frees the bytes, of which there is room for one more. */
char *toy_saved_bytes(const char *path, size_t *n);
void toy_saved_put(const char *path, const char *bytes, size_t n);

#endif
