/* The order in which the slices of a request can be solved, and which of them side by side. Private to the
 * solver.
 *
 * A slice is one level above the highest of those that it needs, so the slices of a level do not need each
 * other. Slices are named by their place in the list of a request. The functions are pure, so the results are
 * the same on all ranks. slice_levels owns its arrays.
 */
#ifndef SOLVER_ENGINES_LEVELS_H
#define SOLVER_ENGINES_LEVELS_H

#include "games/game.h"

typedef struct {
  size_t used;
  uint32_t levels;
  uint32_t *level; /* [used] 1 … levels */
  /* [used + 1] The needs of slice i are need[first_need[i]] … need[first_need[i + 1] − 1]. */
  size_t *first_need;
  size_t *need;
} slice_levels;

/* `slices` must contain all slices that its slices need, before them. Errors: TAULER_NO_MEMORY,
 * TAULER_INTERNAL (it does not), those of game->needs. After an error *out is empty. */
tauler_error slice_levels_open(const game *game, const game_rules *rules, const game_slices *slices,
                               slice_levels *out, tauler_message *message);
void slice_levels_close(slice_levels *levels);

/* A rank's duties for a slice of a build. */
typedef struct {
  bool has_values, has_depths; /* these tables exist */
  bool missing;                /* some of its tables do not exist */
  bool wanted;                 /* missing, or needed to solve or load a wanted slice */
  bool shared;                 /* all ranks solve it together */
  bool solved;                 /* this rank solves it, alone or with the others */
  bool reported;               /* its new tables have been reported */
  int owner;                   /* rank that solves it */
  size_t uses;                 /* slices that need it and that this rank must still solve or load */
} slice_state;

/* Sets `wanted`. If `loads`, loading a slice needs the same slices as solving it, so needs of wanted slices
 * are wanted, too. */
void slice_levels_want(const slice_levels *levels, bool loads, slice_state *states);

/* Counts uses, which are zero at first. A slice uses its needs if this rank solves it, or, if `loads`, if it
 * has a use itself. */
void slice_levels_use(const slice_levels *levels, bool loads, slice_state *states);

/* A slice that is to be solved or loaded, and its bytes beyond the finished slice. */
typedef struct {
  size_t place;
  uint64_t positions;
  uint64_t alone; /* bytes if all threads work on it */
  uint64_t side;  /* bytes if one thread works on it */
  bool shared;    /* all ranks share it, before tasks of single ranks */
  int owner;      /* rank that it is assigned to */
} level_task;

/* Sorts tasks, largest first; equal ones by place. */
void level_tasks_sort(level_task *tasks, size_t n);

/* The number of sorted tasks that all threads work on one at a time, before the others are done side by side.
 * These are the tasks of which memory does not hold one per thread, and those that would keep other threads
 * waiting. */
size_t level_tasks_alone(const level_task *tasks, size_t n, int threads, uint64_t room);

/* Most bytes at a time if tasks are done in that order. */
uint64_t level_tasks_bytes(const level_task *tasks, size_t n, int threads, uint64_t room);

/* Assigns sorted tasks to ranks, each to the rank with the fewest positions so far. Errors:
 * TAULER_NO_MEMORY. */
tauler_error level_tasks_deal(level_task *tasks, size_t n, int ranks);
/* The same for the slices of each level that are `solved`. Other owners do not change. */
tauler_error slice_levels_deal(const slice_levels *levels, const game_slices *slices, int ranks,
                               slice_state *states);

/* True if a slice has a third more positions than each of so many ranks gets of its level. Then the level
 * ends sooner if ranks share the slice. Slices whose tables exist count, too, as in a plan. */
bool slice_levels_outweighs(const slice_levels *levels, const game_slices *slices, int ranks, size_t place);

#endif
