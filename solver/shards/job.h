/* What is solved, with what, and where its state is kept: the jobs that all rooms of the solver share. */
#ifndef SOLVER_SHARDS_JOB_H
#define SOLVER_SHARDS_JOB_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/tauler_error.h"
#include "games/game.h"
#include "solver/parallel/ranks.h"
#include "solver/shards/packed.h"
#include "solver/shards/slice.h"

enum { SOLVE_PLANES = GRID_PLANES, SOLVE_NO_DEPTH = GRID_UNKNOWN_DEPTH };

/* Where the state of a slice under work is kept, and when. */
typedef struct {
  const char *folder;       /* checkpoints stand in it as SLICE.STAGE.checkpoint */
  double interval;          /* seconds between checkpoints; 0: only when stopped */
  bool (*stop)(void *user); /* asked between rounds; NULL: never */
  void *user;
} solve_checkpoints;

typedef struct {
  const game *game;
  const game_rules *rules;
  int threads;
  bool general; /* the general engine even where the game has a grid */
  memory_budget *memory;
  progress *shown;         /* or NULL */
  const void *grid_tables; /* from game->grid->prepare; NULL: the general engine */
  bool planning;           /* only bytes are asked for, and grid_tables are not to be looked into */
  const solve_checkpoints *checkpoints; /* or NULL: nothing is kept */
  team *team;                           /* or NULL: one rank */
  packed_slices *packed;                /* the finished slices; NULL: there are none */
  bool plans_compressed;                /* when planning: finished slices will not be at hand */
  const char *spill_folder;             /* where shares go that do not fit; NULL: nowhere */
  size_t piece_bytes;                   /* of exchange.h; 0: chosen by the number of peers */
} solve_job;

/* Whether finished cells are, or will be, in memory as they are. */
static inline bool solve_has_at_hand(const solve_job *job) {
  return !job->plans_compressed && packed_is_at_hand(job->packed);
}

/* Whether the first repetition ends play under these rules, for any `general`. */
static inline bool solve_is_own_row(const game *game, const game_rules *rules) {
  return game->repeated && game->repeated(rules, 0, 0, 0, NULL);
}
/* Of these: whether guarantees are to hold whatever positions were met before. Finished slices are then those
 * of game->fresh_cycles. */
static inline bool solve_is_own_row_any(const game *game, const game_rules *rules) {
  return game->fresh_cycles && game->fresh_cycles(rules);
}

typedef struct {
  uint64_t shown; /* positions told to job->shown as done */
} solve_effort;

#endif
