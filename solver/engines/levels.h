/* Finds which slices of a request can be solved side by side, and assigns them to threads and ranks. Private
 * to the solver.
 *
 * The level of a slice is one more than the highest level of the slices that it needs. Functions identify a
 * slice by its place in the list of a request. They depend only on their arguments, so the results are the
 * same on all ranks. slice_levels owns its arrays. */
#ifndef SOLVER_ENGINES_LEVELS_H
#define SOLVER_ENGINES_LEVELS_H

#include "games/game.h"

typedef struct {
  size_t used;
  uint32_t levels;
  uint32_t *level; /* [used] level of each slice, 1 … levels */
  /* [used + 1] The needs of slice i are need[first_need[i]] … need[first_need[i + 1] − 1]. */
  size_t *first_need;
  size_t *need;
} slice_levels;

/* Finds the needs and the level of each slice. A slice's needs must come before it in `slices`. Errors:
 * TAULER_NO_MEMORY, TAULER_INTERNAL (a need does not come before), those of game->needs. After an error *out
 * is empty. */
tauler_error slice_levels_open(const game *game, const game_rules *rules, const game_slices *slices,
                               slice_levels *out, tauler_message *message);
void slice_levels_close(slice_levels *levels);

/* The work of a rank on a slice of a build. */
typedef struct {
  bool has_values, has_depths; /* true if these tables exist */
  bool missing;                /* true if a table of the slice does not exist */
  bool wanted;                 /* true if the slice is missing or may have to be loaded for others */
  bool shared;                 /* for a side_by_side engine: true if ranks share the slice */
  /* True if this rank solves the slice. Before slice_levels_assign: true if one rank is to solve it. */
  bool solved;
  bool reported;
  int owner;   /* rank that solves the slice, or this rank if all solve it */
  size_t uses; /* slices that need this one and that this rank must still solve or load */
} slice_state;

/* Sets `wanted` of the missing slices and of their needs. If `loads`, loading a slice needs the same slices
 * as solving it, so all needs of wanted slices are wanted. */
void slice_levels_mark_wanted(const slice_levels *levels, bool loads, slice_state *states);

/* Counts `uses` of each state, which must be zero before. A slice uses its needs if this rank solves it. If
 * `loads`, a slice with uses of its own uses its needs, too. */
void slice_levels_count_uses(const slice_levels *levels, bool loads, slice_state *states);

/* A slice that is to be solved or loaded, and its bytes, without the finished slice if that is kept. */
typedef struct {
  size_t place;
  uint64_t positions;
  uint64_t alone; /* bytes if all threads work on it */
  uint64_t side;  /* bytes if one thread works on it */
  bool shared;    /* true if all ranks share the task. Shared tasks are done first */
} level_task;

/* Sorts tasks by size, largest first, and tasks of equal size by place. */
void level_tasks_sort(level_task *tasks, size_t n);

/* Returns how many of the sorted tasks all threads do together, one task at a time, before the other tasks
 * are done side by side. A task is done together if memory does not hold the next tasks, one per thread, or
 * if the task is large and the threads would end at different times. With one thread, returns n. */
size_t level_tasks_alone(const level_task *tasks, size_t n, int threads, uint64_t room);

/* Returns the most bytes in use at a time if tasks are done in the order of level_tasks_alone. */
uint64_t level_tasks_bytes(const level_task *tasks, size_t n, int threads, uint64_t room);

/* Sets the owners of the slices whose state is `solved`. In each level, each slice, from the largest to the
 * smallest, gets the rank with the fewest positions so far. Errors: TAULER_NO_MEMORY. */
tauler_error slice_levels_assign(const slice_levels *levels, const game_slices *slices, int ranks,
                                 slice_state *states);

/* True if a slice has over a third more positions than the average rank gets of its level. Then the level
 * ends sooner if ranks share the slice. Slices whose tables exist count, too, as in a plan. */
bool slice_levels_outweighs(const slice_levels *levels, const game_slices *slices, int ranks, size_t place);

#endif
