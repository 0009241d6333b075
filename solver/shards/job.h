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

/* Cells in index order. One plane: the values. Two: lower and upper bounds. A depth that does not
 * exist is SOLVE_NO_DEPTH. */
typedef struct {
  uint32_t slice;
  uint64_t positions;
  int planes;
  int8_t *cells[SOLVE_PLANES];
  uint16_t *depths[SOLVE_PLANES]; /* NULL when they are not wanted */
} solved_slice;

/* The slices solved so far, as captures see them: list[slice], NULL cells where one is missing. */
typedef struct {
  solved_slice *list;
  uint32_t room; /* slices 0 … room − 1 */
} finished_slices;

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
  const finished_slices *finished;
  const solve_checkpoints *checkpoints; /* or NULL: nothing is kept */
  /* Of slices that are solved in shares: */
  team *team;               /* or NULL: one rank */
  packed_slices *packed;    /* the finished slices; `finished` is not looked at */
  const char *spill_folder; /* where shares go that do not fit; NULL: nowhere */
  size_t piece_bytes;       /* of exchange.h; 0: chosen by the number of peers */
} solve_job;

typedef struct {
  uint64_t shown; /* positions told to job->shown as done */
} solve_effort;

#endif
