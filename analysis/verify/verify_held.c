/* Proves bounds that rest on a repetition, which ends play and pays the worth of game->repeated. If a side
 * keeps play on cells of value t, whose positions all pay it at least t on a repetition, it gets t. Cells of
 * other values in the region do no harm, since best moves lead to equal cells. */
#include <string.h>

#include "analysis/verify/verify_pass.h"

static bool pays_enough(const check *owner, const worker *w, size_t i, uint64_t cell, int plane) {
  const int value = owner->cells[cell];
  return pass_forcer(owner, plane, value) == MOVER ? w->pays[i] >= value : w->pays[i] <= value;
}

static void drop_held_cell(check *owner, uint64_t cell) {
  __atomic_fetch_and(&owner->held[cell / 64], ~(UINT64_C(1) << cell % 64), __ATOMIC_RELAXED);
}

static void mark_doubtful(check *owner, uint64_t index) {
  __atomic_fetch_or(&owner->marked[index / 64], UINT64_C(1) << index % 64, __ATOMIC_RELAXED);
}

static tauler_error choose_held_cells(worker *w, uint64_t first, size_t count, bool *changed) {
  check *owner = w->owner;
  const verify_set *set = owner->set;
  set->game->repeated(set->rules, owner->slice->slice, first, count, w->pays);
  for (size_t i = 0; i < count; i++) {
    for (int plane = 0; plane < set->planes; plane++) {
      const uint64_t cell = pass_cell(owner, first + i, plane);
      drop_held_cell(owner, cell);
      if (load_open(&owner->open[cell]) == 0 || !pays_enough(owner, w, i, cell, plane)) continue;
      set_bit(owner->held, cell);
      mark_doubtful(owner, first + i);
      *changed = true;
    }
  }
  return TAULER_OK;
}

static bool has_held_cell(const check *owner, uint64_t index) {
  for (int plane = 0; plane < owner->set->planes; plane++) {
    if (pass_is_held(owner, pass_cell(owner, index, plane))) return true;
  }
  return false;
}

/* If the game has no retract, all positions with held cells stay doubtful. */
static tauler_error drop_doubtful_cells(worker *w, uint64_t first, size_t count, bool *changed) {
  check *owner = w->owner;
  w->used = 0;
  for (uint64_t index = first; index < first + count; index++) {
    if (has_bit(owner->marked, index) && has_held_cell(owner, index)) w->index[w->used++] = index;
  }
  if (owner->set->game->retract)
    memset(&owner->marked[first / 64], 0, (count + 63) / 64 * sizeof *owner->marked);
  const tauler_error error = pass_expand(w);
  for (size_t i = 0; i < w->used && !error; i++) {
    for (int plane = 0; plane < owner->set->planes; plane++) {
      const uint64_t cell = pass_cell(owner, w->index[i], plane);
      if (!pass_is_held(owner, cell) || pass_depth(w, i, plane) <= 1) continue;
      drop_held_cell(owner, cell);
      set_bit(owner->frontier, cell);
      *changed = true;
    }
  }
  return error;
}

/* Sends the first cell of a position of another rank, which stands for the position. */
static void mark_or_send_doubtful(worker *w, uint64_t index) {
  const uint64_t cell = pass_cell(w->owner, index, 0);
  if (pass_is_own(w->owner, cell)) {
    mark_doubtful(w->owner, index);
  } else {
    pass_send(w, cell);
  }
}

static void receive_doubtful(void *user, const void *bytes, size_t n) {
  check *owner = user;
  const uint64_t *cells = bytes;
  for (size_t i = 0; i < n / sizeof *cells; i++)
    mark_doubtful(owner, cells[i] / (unsigned)owner->set->planes);
}

static tauler_error mark_edges_doubtful(void *user, const game_edge *edges, size_t n) {
  worker *w = user;
  check *owner = w->owner;
  for (size_t i = 0; i < n; i++) {
    if (edges[i].to.slice != owner->slice->slice || edges[i].to.index >= owner->slice->positions)
      return TAULER_INTERNAL;
    mark_or_send_doubtful(w, edges[i].to.index);
  }
  return TAULER_OK;
}

static tauler_error retract_dropped_cells(worker *w, uint64_t first, size_t count, bool *changed) {
  check *owner = w->owner;
  const verify_set *set = owner->set;
  const uint64_t end = pass_cell(owner, first + count, 0);
  w->used = 0;
  for (uint64_t at = pass_cell(owner, first, 0); at < end; at += 64) {
    for (uint64_t frontier = owner->frontier[at / 64]; frontier; frontier &= frontier - 1) {
      const uint64_t index = (at + (unsigned)__builtin_ctzll(frontier)) / (unsigned)set->planes;
      if (w->used == 0 || w->index[w->used - 1] != index) w->index[w->used++] = index;
    }
    owner->frontier[at / 64] = 0;
  }
  if (w->used == 0 || !set->game->retract) return TAULER_OK;
  w->sink = (game_sink){.edges = w->edges, .room = PASS_EDGES, .flush = mark_edges_doubtful, .user = w};
  const tauler_error error = set->game->retract(set->rules, owner->slice->slice, w->index, w->used, &w->sink);
  return error ? error : game_sink_flush(&w->sink);
}

static tauler_error prove_held_cells(worker *w, uint64_t first, size_t count, bool *changed) {
  check *owner = w->owner;
  const uint64_t end = pass_cell(owner, first + count, 0);
  for (uint64_t cell = pass_cell(owner, first, 0); cell < end; cell++) {
    if (!pass_is_held(owner, cell)) continue;
    __atomic_store_n(&owner->open[cell], 0, __ATOMIC_RELAXED);
    set_bit(owner->frontier, cell);
    *changed = true;
  }
  return TAULER_OK;
}

bool verify_held(check *owner, worker *workers) {
  memset(owner->marked, 0, (owner->slice->positions + 63) / 64 * sizeof *owner->marked);
  if (!pass_run(owner, choose_held_cells, NULL, workers, false)) return false;
  while (pass_run_by_open(owner, drop_doubtful_cells, workers, false))
    pass_run(owner, retract_dropped_cells, receive_doubtful, workers, false);
  if (owner->error) return false;
  return pass_run(owner, prove_held_cells, NULL, workers, false);
}
