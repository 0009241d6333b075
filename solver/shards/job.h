/* Declares the task of a solve, its resources, and its checkpoints. All modules of the solver share these
 * types. */
#ifndef SOLVER_SHARDS_JOB_H
#define SOLVER_SHARDS_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "games/game.h"
#include "parallel/workspace.h"
#include "solver/shards/slice.h"
#include "solver/shards/store.h"

enum { SOLVE_PLANES = GRID_PLANES, SOLVE_NO_DEPTH = GRID_UNKNOWN_DEPTH };

/* The folder and the interval of the checkpoints of a solve, and the request to stop it. */
typedef struct {
  const char *folder;       /* folder of the files SLICE.STAGE.checkpoint */
  double interval;          /* seconds between checkpoints, or 0 if only a stopped solve saves one */
  bool (*stop)(void *user); /* true if the solve must stop after this round. NULL if it never stops */
  void *user;
} solve_checkpoints;

/* The halo of one of R shards has at most base + more × log2 R times as many cells as the shard owns. If base
 * is 0, the halo is the whole slice. */
typedef struct {
  double base, more;
} halo_guess;

typedef struct {
  const game *game;
  const game_rules *rules;
  const struct engine *engine; /* NULL for the first engine that serves the game (engines/engine.h) */
} solve_problem;

typedef struct {
  solve_problem problem;
  workspace work;
  const solve_checkpoints *checkpoints; /* NULL if nothing is saved */
  const void *grid_tables;              /* result of game->grid->prepare, or NULL */
  slice_store *store;                   /* finished slices, or NULL */
  /* Guess of halos for a plan. If it is not NULL, the job only computes bytes and does not read grid_tables.
   */
  const halo_guess *planning;
  /* Most bytes for one slice if each process holds its slices alone, or 0 without limit. */
  uint64_t room;
  /* Number of ranks that share a slice of a whole engine (engines/engine.h), or 0 or 1 if none share it. */
  int ranks;
  /* True if the job is a plan in which finished slices are compressed. */
  bool plans_compressed;
} solve_job;

/* True if all finished cells are uncompressed in this rank's memory or, in a plan, will be. */
static inline bool solve_has_local(const solve_job *job) {
  return !job->plans_compressed && store_is_local(job->store);
}

typedef struct {
  uint64_t shown; /* positions that job->work.shown has counted as done */
} solve_effort;

#endif
