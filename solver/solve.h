/* Solving: the exact value, and if wanted the depth, of every position of one slice.
 *
 * solve_slice picks the engine: by grid (relaxation.c) where the game has kernels, in general
 * (retrograde.c) elsewhere. Both give the same cells, bit by bit, for any number of threads. The
 * cells of a solved slice belong to the caller, who gives them back with solved_slice_free; finished
 * slices are read only and may be shared. One job is driven by one thread, which starts the others.
 */
#ifndef SOLVER_SOLVE_H
#define SOLVER_SOLVE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/memory.h"
#include "base/progress.h"
#include "base/tauler_error.h"
#include "games/game.h"

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
  const finished_slices *finished;
  const solve_checkpoints *checkpoints; /* or NULL: nothing is kept */
} solve_job;

typedef struct {
  uint64_t shown; /* positions told to job->shown as done */
} solve_effort;

/* Solves a slice whose converting moves all lead to finished slices. `out` has slice, positions and
 * planes; its cells are taken from job->memory. With `depths`, fills those as well. If out->cells
 * are there already they are taken as solved and only depths are worked out. A checkpoint of this
 * solve is taken up. Errors: TAULER_NO_MEMORY, TAULER_STOPPED (on request, everything is kept), what
 * the game returns, errors of checkpoints. */
tauler_error solve_slice(const solve_job *job, uint32_t slice, bool depths, solved_slice *out,
                         solve_effort *effort, tauler_message *message);

void solved_slice_free(memory_budget *memory, solved_slice *slice);

/* Bytes that solving takes at most beyond the finished slices, the solved cells included. */
uint64_t solve_slice_bytes(const solve_job *job, uint32_t slice, bool depths);

/* What tables need to leave cells out, in memory taken from the job: for each plane and position the
 * worth of the best converting move, INT8_MIN where there is none. */
tauler_error solve_looks(const solve_job *job, const solved_slice *solved, int8_t *looks[SOLVE_PLANES],
                         tauler_message *message);

/* Puts back the cells equal to `reserved` that a table left out. */
tauler_error solve_recover(const solve_job *job, solved_slice *slice, const int8_t reserved[SOLVE_PLANES],
                           tauler_message *message);

/* Reads finished slices for grid kernels. */
game_finished finished_reader(const finished_slices *finished);

#endif
