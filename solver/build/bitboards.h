/* Private to the build: games with words, level by level (word_levels.h). build_words.c goes through the
 * levels, build_words_work.c has the slices of one done by threads, build_words_plan.c says what it takes.
 */
#ifndef SOLVER_BUILD_BITBOARDS_H
#define SOLVER_BUILD_BITBOARDS_H

#include <pthread.h>
#include <stdatomic.h>

#include "solver/build/levels.h"
#include "solver/build/run.h"
#include "solver/engines/bitboard/bitboard.h"

/* Of a table that was written here or by another rank; travels as numbers. */
typedef struct {
  uint64_t bytes; /* 0: not written */
  uint64_t digest_low, digest_high;
} words_table;

typedef struct {
  words_table tables[WORD_TABLES];
} words_fact;

typedef struct words_run {
  build_run *run;
  game_slices slices; /* up to the last that is missing */
  word_levels levels;
  bool *missing, *wanted; /* by place; wanted: missing, or something wanted needs it */
  size_t *uses;           /* by place: of the wanted ones that are not done with, how many need it */
  word_slices finished;   /* by slice number */
  words_fact *facts;      /* by place */
  bool *reported;         /* by place */
  solve_checkpoints checkpoints;

  /* Between the threads of a rank. */
  pthread_mutex_t lock;
  pthread_cond_t ended;
  bool done;
  _Atomic bool halt;   /* take up nothing more, and end what can be taken up again */
  tauler_error failed; /* of the first slice in the solving order that failed here */
  size_t failed_place;
  tauler_message failure;
  _Atomic size_t left;   /* of the tasks under work, not done */
  uint64_t others_shown; /* positions of other ranks told to the progress of this one */
} words_run;

/* Has all of these, sorted, loaded or solved; all ranks come here, each with its own, if none. `reserve`:
 * bytes of slices of this level that stay. *complete: all of them are done on all ranks, else it was stopped.
 * Errors are the same on all ranks. */
tauler_error words_do_tasks(words_run *w, const word_task *tasks, size_t n, uint64_t reserve, bool *complete,
                            tauler_message *message);

/* One who needs the others has no more use for them. Called under the lock, or by one thread alone. */
void words_release_needs(words_run *w, size_t place);

/* What doing a slice takes beside what is kept of it for later ones. */
word_task build_words_task(const build_job *job, const game_slices *slices, size_t place, bool kept);
/* Lists by slice number. */
uint64_t build_words_list_bytes(const game_slices *slices);
/* Per rank, from an empty folder; less, if that is what fits, where fewer slices are in work at once.
 * 0 if it cannot be said: whoever begins it is told why. */
uint64_t build_words_bytes(const build_job *job, const game_slices *slices, int ranks);

#endif
