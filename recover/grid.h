/* Recovers the cells of a slice that its tables leave out, by a game's kernels over tiles. One thread calls
 * recover_grid, which starts the others. */
#ifndef RECOVER_GRID_H
#define RECOVER_GRID_H

#include "databases/plain_slice.h"
#include "games/game_grid.h"

typedef struct {
  const game *game;
  const game_rules *rules;
  const void *tables;    /* tables of game->grid->prepare */
  plain_slices finished; /* finished slices, among them all to which converting moves lead */
  int threads;
} recover_grid_job;

/* Computes the cells equal to reserved[plane]. Errors: TAULER_NO_MEMORY, those of the kernels. */
tauler_error recover_grid(const recover_grid_job *job, const solved_slice *slice,
                          const int8_t reserved[GRID_PLANES], tauler_message *message);

#endif
