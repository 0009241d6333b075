/* Which stored positions of a game of dice play from its start leads to, under every roll and every legal
 * move.
 *
 * The game's own batches list the moves, forward, slice by slice from the one in which the game begins. A
 * `reached` owns a bit for each stored position, out of its memory budget, until reached_close; it is only
 * read once it is open. Private to analysis/.
 */
#ifndef ANALYSIS_SLICES_REACHED_H
#define ANALYSIS_SLICES_REACHED_H

#include "base/memory.h"
#include "base/progress.h"
#include "games/game_chance.h"

typedef struct {
  uint32_t slice;
  uint64_t positions; /* stored */
  uint64_t count;     /* reached */
  _Atomic uint64_t *bits;
} reached_slice;

typedef struct {
  memory_budget *memory;
  size_t used;
  reached_slice *slices; /* in solving order */
} reached;

typedef struct {
  const game *game; /* a game of dice */
  const game_rules *rules;
  const game_slices *slices; /* slices in solving order, each with the slice that its game begins in */
  int threads;
  memory_budget *memory;
  progress *shown; /* or NULL */
} reached_job;

/* The slices of the game that comes to this one, in solving order; freed by the caller with
 * free(out->slices). Errors: TAULER_NO_MEMORY, of the game. */
tauler_error reached_slices(const game *game, const game_rules *rules, uint32_t slice, game_slices *out,
                            tauler_message *message);

/* The result is the same for any number of threads. Errors: TAULER_NO_MEMORY, TAULER_NO_SPACE, of the game;
 * reached_close does nothing then. */
tauler_error reached_open(const reached_job *job, reached *out, tauler_message *message);
void reached_close(reached *r);

/* The slice must be one of the job's. */
bool reached_has(const reached *r, game_place place);
uint64_t reached_count(const reached *r, uint32_t slice);

#endif
