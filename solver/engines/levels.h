/* Private to the solver: in which order the slices of a request can be solved, and which of them side by
 * side.
 *
 * A slice stands one level above the highest of those that it needs, so the slices of a level do not need
 * each other. Slices are spoken of by their place in the list of a request. Pure functions of the list, the
 * same on all ranks; slice_levels owns its arrays.
 */
#ifndef SOLVER_ENGINES_LEVELS_H
#define SOLVER_ENGINES_LEVELS_H

#include "games/game.h"

typedef struct {
  size_t used;
  uint32_t levels;
  uint32_t *level; /* [used] 1 … levels */
  size_t
      *first_need; /* [used + 1] the needs of slice i are need[first_need[i]] … need[first_need[i + 1] − 1] */
  size_t *need;
} slice_levels;

/* `slices` holds whatever its slices need. Errors: TAULER_NO_MEMORY, TAULER_INTERNAL (a slice stands before
 * one that it needs, or that is not in the list), those of game->needs. After an error *out is empty. */
tauler_error slice_levels_open(const game *game, const game_rules *rules, const game_slices *slices,
                               slice_levels *out, tauler_message *message);
void slice_levels_close(slice_levels *levels);

/* wanted[i]: slice i is missing, or a missing slice needs it, or a wanted slice needs it and `loads` says
 * that loading needs what solving does. */
void slice_levels_want(const slice_levels *levels, const bool *missing, bool loads, bool *wanted);

/* uses[i], zeros at first: the number of held slices that use slice i. A slice is held if it is solved here
 * or has a use. A held slice uses each slice that it needs, if it is solved here or `loads` is true. */
void slice_levels_use(const slice_levels *levels, const bool *solved, bool loads, size_t *uses);

/* Something to be done with a slice, and what it takes beside what is kept of it. */
typedef struct {
  size_t place;
  uint64_t positions;
  uint64_t alone; /* bytes, by all threads */
  uint64_t side;  /* bytes, by one thread */
  bool shared;    /* by all ranks, before those that are dealt to them */
} level_task;

/* Largest first; equals by place. */
void level_tasks_sort(level_task *tasks, size_t n);

/* How many of sorted tasks are to be done one at a time by all threads, before the others are done side by
 * side: those of which memory does not hold one per thread, and those that would keep the others waiting. */
size_t level_tasks_alone(const level_task *tasks, size_t n, int threads, uint64_t room);

/* Bytes at most while tasks are done so. */
uint64_t level_tasks_bytes(const level_task *tasks, size_t n, int threads, uint64_t room);

/* Sorted tasks to ranks, each to the one with the fewest positions so far: owner[i] of tasks[i]. Errors:
 * TAULER_NO_MEMORY. */
tauler_error level_tasks_deal(const level_task *tasks, size_t n, int ranks, int *owner);
/* The same with the slices of each level that are dealt: owner[i] of slice i, of others untouched. */
tauler_error slice_levels_deal(const slice_levels *levels, const game_slices *slices, const bool *dealt,
                               int ranks, int *owner);

/* True if a slice is a third more than what each of so many ranks gets of its level: then they are done
 * sooner if they share it. Slices that are there count too, as in a plan. */
bool slice_levels_outweighs(const slice_levels *levels, const game_slices *slices, int ranks, size_t place);

#endif
