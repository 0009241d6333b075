/* Private to the solver: in which order slices of a game with words, or of chance, can be solved, and side by
 * side.
 *
 * A slice stands one level above the highest of those that it needs, so the slices of a level do not need
 * each other. Slices are spoken of by their place in the list of a request. Pure functions of the list, the
 * same on all ranks; word_levels owns its arrays.
 */
#ifndef SOLVER_BUILD_LEVELS_H
#define SOLVER_BUILD_LEVELS_H

#include "games/game.h"

typedef struct {
  size_t used;
  uint32_t levels;
  uint32_t *level; /* [used] 1 … levels */
  size_t
      *first_need; /* [used + 1] the needs of slice i are need[first_need[i]] … need[first_need[i + 1] − 1] */
  size_t *need;
} word_levels;

/* `slices` holds whatever its slices need. Errors: TAULER_NO_MEMORY, TAULER_INTERNAL (a slice stands before
 * one that it needs, or that is not in the list), those of game->needs. After an error *out is empty. */
tauler_error word_levels_open(const game *game, const game_rules *rules, const game_slices *slices,
                              word_levels *out, tauler_message *message);
void word_levels_close(word_levels *levels);

/* wanted[i]: i is missing, or something wanted needs it. */
void word_levels_want(const word_levels *levels, const bool *missing, bool *wanted);

/* Something to be done with a slice, and what it takes beside what is kept of it. */
typedef struct {
  size_t place;
  uint64_t positions;
  uint64_t alone; /* bytes, by all threads */
  uint64_t side;  /* bytes, by one thread */
} word_task;

/* Largest first; equals by place. */
void word_tasks_sort(word_task *tasks, size_t n);

/* How many of sorted tasks are to be done one at a time by all threads, before the others are done side by
 * side: those of which memory does not hold one per thread, and those that would keep the others waiting. */
size_t word_tasks_alone(const word_task *tasks, size_t n, int threads, uint64_t room);

/* Bytes at most while tasks are done so. */
uint64_t word_tasks_bytes(const word_task *tasks, size_t n, int threads, uint64_t room);

/* Sorted tasks to ranks, each to the one with the fewest positions so far: owner[i] of tasks[i]. Errors:
 * TAULER_NO_MEMORY. */
tauler_error word_tasks_deal(const word_task *tasks, size_t n, int ranks, int *owner);

#endif
