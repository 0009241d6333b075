/* The task of a solve, its resources, and where its state is kept: the jobs that all rooms of the solver
 * share. */
#ifndef SOLVER_SHARDS_JOB_H
#define SOLVER_SHARDS_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "games/game.h"
#include "parallel/workspace.h"
#include "solver/shards/slice.h"
#include "solver/shards/store.h"

enum { SOLVE_PLANES = GRID_PLANES, SOLVE_NO_DEPTH = GRID_UNKNOWN_DEPTH };

/* Where the state of a slice under work is kept, and when. */
typedef struct {
  const char *folder;       /* checkpoints stand in it as SLICE.STAGE.checkpoint */
  double interval;          /* seconds between checkpoints; 0: only when stopped */
  bool (*stop)(void *user); /* asked between rounds; NULL: never */
  void *user;
} solve_checkpoints;

/* How much of a slice in R shards one reads at most, against what it owns: base + more log2 R times as much.
 * Base 0: all of it. */
typedef struct {
  double base, more;
} halo_guess;

/* The slices to solve, and the engine. */
typedef struct {
  const game *game;
  const game_rules *rules;
  const struct engine *engine; /* of engines/engine.h; NULL: the first that serves */
} solve_problem;

typedef struct {
  solve_problem problem;
  workspace work;
  const solve_checkpoints *checkpoints; /* or NULL: nothing is kept */
  const void *grid_tables;              /* from game->grid->prepare, or NULL */
  slice_store *store;                   /* the finished slices; NULL: there are none */
  const halo_guess *planning;           /* only bytes are asked for: grid_tables are not read. Or NULL */
  uint64_t room; /* bytes that one slice may take, where each is held by one process; 0: as it needs */
  int ranks;     /* that share a slice which one process may hold; 0 or 1: they do not */
  bool plans_compressed; /* when planning: finished slices will not be held plain */
} solve_job;

/* True if finished cells are, or will be, in memory as they are. */
static inline bool solve_has_local(const solve_job *job) {
  return !job->plans_compressed && store_is_local(job->store);
}

typedef struct {
  uint64_t shown; /* positions reported to job->work.shown as done */
} solve_effort;

#endif
