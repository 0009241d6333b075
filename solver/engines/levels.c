/* Finds the levels of slices, and assigns the slices of a level to threads and ranks. */
#include "solver/engines/levels.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const size_t nowhere = SIZE_MAX;

void slice_levels_close(slice_levels *levels) {
  free(levels->level);
  free(levels->first_need);
  free(levels->need);
  *levels = (slice_levels){0};
}

static tauler_error add_need(slice_levels *levels, size_t *room, size_t place, size_t need) {
  if (!memory_make_room(&levels->need, room, levels->first_need[place + 1] + 1, sizeof *levels->need))
    return TAULER_NO_MEMORY;
  levels->need[levels->first_need[place + 1]++] = need;
  if (levels->level[need] >= levels->level[place]) levels->level[place] = levels->level[need] + 1;
  return TAULER_OK;
}

static tauler_error add_needs(slice_levels *levels, size_t *room, size_t place, const game_slices *needs,
                              const size_t *places, uint32_t largest, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < needs->used && !error; i++) {
    const uint32_t slice = needs->slices[i].slice;
    const size_t need = slice > largest ? nowhere : places[slice];
    if (need == nowhere || need >= place)
      return tauler_fail(message, TAULER_INTERNAL, "slice %u is needed before it stands in the solving order",
                         slice);
    error = add_need(levels, room, place, need);
  }
  return error;
}

static tauler_error fill_levels(slice_levels *levels, const game *game, const game_rules *rules,
                                const game_slices *slices, const size_t *places, uint32_t largest,
                                tauler_message *message) {
  size_t room = 0;
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < slices->used && !error; i++) {
    levels->level[i] = 1;
    levels->first_need[i + 1] = levels->first_need[i];
    if (!game->needs) {
      for (size_t need = 0; need < i && !error; need++) error = add_need(levels, &room, i, need);
    } else {
      game_slices needs = {0};
      error = game->needs(rules, slices->slices[i].slice, &needs, message);
      if (!error) error = add_needs(levels, &room, i, &needs, places, largest, message);
      free(needs.slices);
    }
    if (levels->level[i] > levels->levels) levels->levels = levels->level[i];
  }
  return error;
}

tauler_error slice_levels_open(const game *game, const game_rules *rules, const game_slices *slices,
                               slice_levels *out, tauler_message *message) {
  const uint32_t largest = game_slices_largest(slices);
  *out = (slice_levels){.used = slices->used};
  out->level = calloc(slices->used + 1, sizeof *out->level);
  out->first_need = calloc(slices->used + 1, sizeof *out->first_need);
  size_t *places = malloc(((size_t)largest + 1) * sizeof *places);
  tauler_error error = out->level && out->first_need && places ? TAULER_OK : TAULER_NO_MEMORY;
  if (!error) {
    for (uint32_t s = 0; s <= largest; s++) places[s] = nowhere;
    for (size_t i = 0; i < slices->used; i++) places[slices->slices[i].slice] = i;
    error = fill_levels(out, game, rules, slices, places, largest, message);
  }
  free(places);
  if (!error) return TAULER_OK;
  slice_levels_close(out);
  return error == TAULER_NO_MEMORY ? tauler_fail(message, error, "no memory for the order of slices") : error;
}

void slice_levels_mark_wanted(const slice_levels *levels, bool loads, slice_state *states) {
  for (size_t i = levels->used; i-- > 0;) {
    states[i].wanted = states[i].wanted || states[i].missing;
    const bool needs = loads ? states[i].wanted : states[i].missing;
    for (size_t k = levels->first_need[i]; needs && k < levels->first_need[i + 1]; k++)
      states[levels->need[k]].wanted = true;
  }
}

void slice_levels_count_uses(const slice_levels *levels, bool loads, slice_state *states) {
  for (size_t i = levels->used; i-- > 0;) {
    const bool needs = states[i].solved || (loads && states[i].uses > 0);
    for (size_t k = levels->first_need[i]; needs && k < levels->first_need[i + 1]; k++)
      states[levels->need[k]].uses++;
  }
}

static int compare_by_size(const void *left, const void *right) {
  const level_task *a = left, *b = right;
  if (a->positions != b->positions) return a->positions > b->positions ? -1 : 1;
  return a->place < b->place ? -1 : 1;
}

void level_tasks_sort(level_task *tasks, size_t n) {
  if (n) qsort(tasks, n, sizeof *tasks, compare_by_size);
}

static uint64_t side_bytes(const level_task *tasks, size_t n, int threads) {
  uint64_t bytes = 0;
  for (size_t i = 0; i < n && i < (size_t)threads; i++) bytes += tasks[i].side;
  return bytes;
}

/* Least positions of a slice that keeps all threads busy. Solving such slices one after the other is as fast
 * as solving them side by side. */
static const uint64_t worth_all_threads = UINT64_C(1) << 18;

static size_t find_least(const uint64_t *loads, size_t n) {
  size_t least = 0;
  for (size_t i = 1; i < n; i++) {
    if (loads[i] < loads[least]) least = i;
  }
  return least;
}

/* True if all threads end at about the same time when each free thread takes the next task. */
static bool ends_together(const level_task *tasks, size_t n, int threads) {
  enum { MOST_LOADS = 64 };
  uint64_t all = 0, most = 0, loads[MOST_LOADS] = {0};
  for (size_t i = 0; i < n; i++) all += tasks[i].positions;
  const uint64_t each = all / (uint64_t)threads;
  if (threads > MOST_LOADS || n >= 8 * (size_t)threads) return tasks[0].positions <= each;
  for (size_t i = 0; i < n; i++) {
    uint64_t *load = &loads[find_least(loads, (size_t)threads)];
    *load += tasks[i].positions;
    if (*load > most) most = *load;
  }
  return most <= each + each / 4;
}

size_t level_tasks_alone(const level_task *tasks, size_t n, int threads, uint64_t room) {
  size_t alone = 0;
  if (threads < 2) return n;
  while (alone < n) {
    const bool fits = side_bytes(tasks + alone, n - alone, threads) <= room;
    const bool small = tasks[alone].positions < worth_all_threads;
    if (fits && (small || ends_together(tasks + alone, n - alone, threads))) return alone;
    alone++;
  }
  return alone;
}

uint64_t level_tasks_bytes(const level_task *tasks, size_t n, int threads, uint64_t room) {
  const size_t alone = level_tasks_alone(tasks, n, threads, room);
  uint64_t most = side_bytes(tasks + alone, n - alone, threads);
  for (size_t i = 0; i < alone; i++) {
    if (tasks[i].alone > most) most = tasks[i].alone;
  }
  return most;
}

static void assign_level(const slice_levels *levels, uint32_t level, const game_slices *slices, size_t ranks,
                         uint64_t *loads, level_task *tasks, slice_state *states) {
  size_t n = 0;
  for (size_t i = 0; i < levels->used; i++) {
    if (states[i].solved && levels->level[i] == level)
      tasks[n++] = (level_task){.place = i, .positions = slices->slices[i].positions};
  }
  level_tasks_sort(tasks, n);
  memset(loads, 0, ranks * sizeof *loads);
  for (size_t i = 0; i < n; i++) {
    const size_t least = find_least(loads, ranks);
    states[tasks[i].place].owner = (int)least;
    loads[least] += tasks[i].positions;
  }
}

tauler_error slice_levels_assign(const slice_levels *levels, const game_slices *slices, int ranks,
                                 slice_state *states) {
  level_task *tasks = calloc(levels->used + 1, sizeof *tasks);
  uint64_t *loads = calloc((size_t)ranks, sizeof *loads);
  const bool room = tasks && loads;
  for (uint32_t level = 1; level <= levels->levels && room; level++)
    assign_level(levels, level, slices, (size_t)ranks, loads, tasks, states);
  free(tasks);
  free(loads);
  return room ? TAULER_OK : TAULER_NO_MEMORY;
}

bool slice_levels_outweighs(const slice_levels *levels, const game_slices *slices, int ranks, size_t place) {
  const uint64_t own = slices->slices[place].positions;
  uint64_t all = 0;
  for (size_t i = 0; i < slices->used; i++) {
    if (levels->level[i] == levels->level[place]) all += slices->slices[i].positions;
  }
  return ranks > 1 && 3 * own * (uint64_t)ranks > 4 * all;
}
