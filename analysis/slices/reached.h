/* Finds the stored positions of a game of dice to which play from its start leads, with any rolls and any
 * legal moves.
 *
 * The game's batches list the moves, slice by slice from the one in which the game begins. A `reached` owns a
 * bit for each stored position, charged to its budget, until reached_close. After reached_open any number of
 * threads may read it. Private to analysis/.
 */
#ifndef ANALYSIS_SLICES_REACHED_H
#define ANALYSIS_SLICES_REACHED_H

#include "base/memory.h"
#include "base/progress.h"
#include "games/game_chance.h"

typedef struct {
  uint32_t slice;
  uint64_t positions;
  uint64_t count;
  _Atomic uint64_t *bits;
} reached_slice;

typedef struct {
  memory_budget *memory;
  size_t used;
  reached_slice *slices; /* [used] slices of the job, in solving order */
} reached;

typedef struct {
  const game *game; /* a game of dice */
  const game_rules *rules;
  const game_slices *slices; /* slices in solving order, with the slice in which each game begins */
  int threads;
  memory_budget *memory;
  progress *shown;
} reached_job;

/* Lists all slices of the game of which `slice` is a part, in solving order. The caller frees out->slices.
 * Errors: TAULER_NO_MEMORY, those of the game. */
tauler_error reached_slices(const game *game, const game_rules *rules, uint32_t slice, game_slices *out,
                            tauler_message *message);

/* Follows all moves from the start. The result is the same for any number of threads. After an error *out is
 * empty. Errors: TAULER_NO_MEMORY, TAULER_NO_SPACE, TAULER_IO, those of the game, TAULER_INTERNAL if the game
 * contradicts itself. */
tauler_error reached_open(const reached_job *job, reached *out, tauler_message *message);
void reached_close(reached *r);

/* Return whether play reaches the position at a place, and how many positions of a slice play reaches. The
 * slice must be in the job's list. */
bool reached_has(const reached *r, game_place place);
uint64_t reached_count(const reached *r, uint32_t slice);

#endif
