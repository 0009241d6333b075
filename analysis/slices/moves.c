/* Lists the moves of a range of positions as arrays, by the games' batches or by their rules. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/probe/answer.h"
#include "analysis/slices/cells.h"
#include "base/memory.h"
#include "games/defaults.h"

/* BATCH positions are expanded at once. Each worker beyond the first needs LEAST more positions. */
enum { BATCH = 4096, SINK = 4096, LEAST = 4 * BATCH };

_Static_assert((int)TAULER_NOT_ENDED == (int)GAME_NOT_ENDED && TAULER_OVER == GAME_OVER,
               "as the header says");

typedef struct {
  uint64_t index;
  uint32_t slice;
  int16_t gain;
} listed_move;

typedef struct {
  const tauler_tables *tables;
  uint32_t slice;
  tauler_moves_kind kind;
  uint64_t first, count;
  uint64_t *ends; /* [count] end of the moves of each position in `moves` */
  int16_t *ended;
  listed_move *moves;
  size_t used, room;
  game_edge *edges; /* moves of a batch, in the game's order */
  size_t edges_used, edges_room;
  tauler_error error;
} worker;

static tauler_error copy_edges(void *user, const game_edge *edges, size_t n) {
  worker *w = user;
  if (!memory_make_room(&w->edges, &w->edges_room, w->edges_used + n, sizeof *w->edges))
    return TAULER_NO_MEMORY;
  memcpy(w->edges + w->edges_used, edges, n * sizeof *edges);
  w->edges_used += n;
  return TAULER_OK;
}

static tauler_error expand_batch(worker *w, const uint64_t *index, size_t n) {
  const game *g = w->tables->game;
  const game_rules *rules = w->tables->rules;
  game_edge room[SINK];
  game_sink sink = {room, 0, SINK, copy_edges, w};
  w->edges_used = 0;
  tauler_error error = w->kind == TAULER_MOVES_OUTSIDE
                           ? g->expand_outside(rules, w->slice, index[0], n, &sink)
                       : w->kind == TAULER_MOVES_BY_RULES ? game_base_expand(rules, w->slice, index, n, &sink)
                                                          : g->expand(rules, w->slice, index, n, &sink);
  return error ? error : game_sink_flush(&sink);
}

static tauler_error find_ended_value(const worker *w, uint64_t index, int16_t *value) {
  const game *g = w->tables->game;
  const game_rules *rules = w->tables->rules;
  if (w->kind == TAULER_MOVES_BATCHES) return g->ended(rules, w->slice, &index, 1, value);
  if (w->kind == TAULER_MOVES_BY_RULES) return game_base_ended(rules, w->slice, &index, 1, value);
  game_position position;
  int said = GAME_NOT_ENDED;
  g->outside_at(rules, w->slice, index, &position);
  g->position_ended(rules, &position, &said);
  *value = (int16_t)said;
  return TAULER_OK;
}

/* Sorts the moves by position, since games need not list them in that order. */
static tauler_error sort_edges(worker *w, size_t done, size_t n) {
  uint64_t *ends = w->ends + done;
  size_t next[BATCH];
  memset(next, 0, n * sizeof *next);
  for (size_t i = 0; i < w->edges_used; i++) next[w->edges[i].from]++;
  size_t at = w->used;
  if (!memory_make_room(&w->moves, &w->room, at + w->edges_used, sizeof *w->moves)) return TAULER_NO_MEMORY;
  for (size_t i = 0; i < n; i++) {
    const size_t own = next[i];
    next[i] = at;
    at += own;
    ends[i] = at;
  }
  for (size_t i = 0; i < w->edges_used; i++) {
    const game_edge *edge = &w->edges[i];
    w->moves[next[edge->from]++] =
        (listed_move){edge->to.slice == GAME_OVER ? 0 : edge->to.index, edge->to.slice, edge->gain};
  }
  w->used = at;
  return TAULER_OK;
}

static tauler_error list_batch(worker *w, size_t done, size_t n) {
  uint64_t index[BATCH];
  for (size_t i = 0; i < n; i++) index[i] = w->first + done + i;
  const size_t before = w->used;
  tauler_error error = expand_batch(w, index, n);
  if (!error) error = sort_edges(w, done, n);
  for (size_t i = 0; i < n && !error; i++) {
    w->ended[done + i] = GAME_NOT_ENDED;
    if (w->ends[done + i] == (i ? w->ends[done + i - 1] : before))
      error = find_ended_value(w, index[i], &w->ended[done + i]);
  }
  return error;
}

static void list_moves(worker *w) {
  for (size_t done = 0; done < w->count && !w->error; done += BATCH) {
    const size_t left = (size_t)w->count - done;
    w->error = list_batch(w, done, left < BATCH ? left : BATCH);
  }
  free(w->edges);
}

static bool join_lists(tauler_moves *out, const worker *workers, int n) {
  size_t total = 0, at = 0;
  for (int k = 0; k < n; k++) total += workers[k].used;
  uint32_t *slices = malloc((total + 1) * sizeof *slices);
  uint64_t *indexes = malloc((total + 1) * sizeof *indexes);
  int16_t *gains = malloc((total + 1) * sizeof *gains);
  out->slices = slices;
  out->indexes = indexes;
  out->gains = gains;
  if (!slices || !indexes || !gains) return false;
  for (int k = 0; k < n; k++) {
    const worker *w = &workers[k];
    for (size_t i = 0; i < w->count; i++) w->ends[i] += at;
    for (size_t i = 0; i < w->used; i++, at++) {
      slices[at] = w->moves[i].slice;
      indexes[at] = w->moves[i].index;
      gains[at] = w->moves[i].gain;
    }
  }
  return true;
}

static tauler_error list_all_moves(tauler_moves *out, const worker *of_all, int n) {
  worker *workers = calloc((size_t)n, sizeof *workers);
  if (!workers) return TAULER_NO_MEMORY;
  tauler_error error = TAULER_OK;
  for (int k = 0; k < n; k++) {
    const uint64_t from = of_all->count / (uint64_t)n * (uint64_t)k;
    const uint64_t to = k + 1 == n ? of_all->count : of_all->count / (uint64_t)n * (uint64_t)(k + 1);
    workers[k] = *of_all;
    workers[k].first += from;
    workers[k].count = to - from;
    workers[k].ends += from;
    workers[k].ended += from;
  }
#pragma omp parallel for num_threads(n) schedule(static, 1)
  for (int k = 0; k < n; k++) list_moves(&workers[k]);
  for (int k = 0; k < n && !error; k++) error = workers[k].error;
  if (!error && !join_lists(out, workers, n)) error = TAULER_NO_MEMORY;
  for (int k = 0; k < n; k++) free(workers[k].moves);
  free(workers);
  return error;
}

void tauler_moves_free(tauler_moves *list) {
  if (!list) return;
  free((uint64_t *)list->offsets);
  free((uint64_t *)list->indexes);
  free((uint32_t *)list->slices);
  free((int16_t *)list->gains);
  free((int16_t *)list->ended);
  free(list);
}

static tauler_error check_arguments(tauler_tables *tables, uint32_t slice, tauler_moves_kind kind,
                                    uint64_t first, size_t count, tauler_message *message) {
  if (tables->answers->dice)
    return tauler_fail(message, TAULER_BAD_USAGE, "%s is a game of dice, whose moves stand under rolls",
                       tables->game->name);
  if ((unsigned)kind > TAULER_MOVES_OUTSIDE)
    return tauler_fail(message, TAULER_BAD_USAGE, "there is no such kind of list of moves");
  return numbered_check_range(tables, slice, kind == TAULER_MOVES_OUTSIDE, first, count, message);
}

tauler_error tauler_moves_at(tauler_tables *tables, uint32_t slice_number, uint64_t first, size_t count,
                             tauler_moves_kind kind, int threads, tauler_moves **list,
                             tauler_message *message) {
  *list = NULL;
  tauler_error error = check_arguments(tables, slice_number, kind, first, count, message);
  if (error) return error;
  tauler_moves *out = calloc(1, sizeof *out);
  uint64_t *offsets = calloc(count + 1, sizeof *offsets);
  int16_t *ended = calloc(count + 1, sizeof *ended);
  if (!out || !offsets || !ended) {
    free(out);
    free(offsets);
    free(ended);
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory for the moves of %zu positions", count);
  }
  *out = (tauler_moves){.positions = count, .offsets = offsets, .ended = ended};
  const worker all = {.tables = tables,
                      .slice = slice_number,
                      .kind = kind,
                      .first = first,
                      .count = count,
                      .ends = offsets + 1,
                      .ended = ended};
  error = list_all_moves(out, &all, numbered_count_workers(threads, count, LEAST));
  if (!error) {
    *list = out;
    return clear_message(TAULER_OK, message);
  }
  tauler_moves_free(out);
  return tauler_fail(message, error,
                     error == TAULER_NO_MEMORY
                         ? "no memory for the moves of %zu positions; ask for fewer at once"
                         : "the moves of %zu positions cannot be had",
                     count);
}
