/* Proves, without stored depths, that every value that a side must force is reached by play that ends.
 *
 * The settling passes have counted for each cell the moves that its proof waits for (`open`): one of its best
 * moves if the mover forces the value and none of them converts, all its quiet best moves if the opponent
 * forces it. A cell that waits for no move is proven. If a side forces it, it notifies its predecessors once,
 * which then wait for one move less; sweeps prove cells that get no notice. So the forcing side always has a
 * best move that converts or leads to a cell that was proven earlier, all best moves of the other side do so,
 * and play ends.
 *
 * If a repetition ends play, cells that still wait may be held in regions, whose cells then notify others. If
 * a side keeps play on cells of value t, whose positions all pay it at least t on a repetition
 * (game->repeated), it gets t. Cells of other values in the region do no harm, since best moves lead to equal
 * cells (docs/proofs.md, "Own row").
 *
 * Predecessors are found by game->retract. To check that it takes back exactly the moves that game->expand
 * makes, each quiet move is made a number, and the sums of these numbers from both must agree. */
#include "analysis/verify/verify_pass.h"

#include <stdio.h>
#include <string.h>

/* Counts that one of the best moves from the cell leads to a proven cell. Returns true if the cell waits
 * for less now. */
static bool remove_wait(check *owner, uint64_t cell) {
  uint8_t *open = &owner->open[cell];
  const uint8_t waits = load_open(open);
  const int plane = (int)(cell % (unsigned)owner->set->planes);
  if (waits == 0) return false;
  bool last = false;
  if (pass_forcer(owner, plane, load_cell(&owner->cells[cell])) == MOVER) {
    last = __atomic_exchange_n(open, 0, __ATOMIC_RELAXED) > 0;
  } else if (waits < UINT8_MAX) { /* UINT8_MAX may mean more moves, which sweeps count */
    last = __atomic_fetch_sub(open, 1, __ATOMIC_RELAXED) == 1;
  } else {
    return false;
  }
  if (last) __atomic_fetch_or(&owner->frontier[cell / 64], UINT64_C(1) << cell % 64, __ATOMIC_RELAXED);
  return true;
}

/* Notifies a cell if a move of this worth is one of its best. For a cell of another rank, `open` is lowered
 * here as well, so that no needless notice is sent. */
static void notify_cell(worker *w, uint64_t cell, int worth) {
  check *owner = w->owner;
  if (load_cell(&owner->cells[cell]) != worth || !remove_wait(owner, cell)) return;
  if (!pass_is_own(owner, cell)) pass_send(w, cell);
}

static void receive_proven_cells(void *user, const void *bytes, size_t size) {
  check *owner = user;
  const uint64_t *cells = bytes;
  const size_t n = size / sizeof *cells;
#pragma omp parallel for num_threads(owner->set->threads) if (n > PASS_CHUNK)
  for (size_t i = 0; i < n; i++) remove_wait(owner, cells[i]);
}

static bool stays_in_slice(const check *owner, const game_edge *edge) {
  return edge->to.slice == owner->slice->slice && edge->to.index < owner->slice->positions;
}

static tauler_error notify_edges(void *user, const game_edge *edges, size_t n) {
  worker *w = user;
  check *owner = w->owner;
  const int planes = owner->set->planes;
  for (size_t i = 0; i < n; i++) {
    if (!stays_in_slice(owner, &edges[i])) return TAULER_INTERNAL;
    const uint64_t cell = pass_cell(owner, edges[i].to.index, 0);
    __builtin_prefetch(&owner->cells[cell]);
    __builtin_prefetch(&owner->open[cell], 1);
  }
  for (size_t i = 0; i < n; i++) {
    const uint64_t from = w->index[edges[i].from], to = edges[i].to.index;
    if (w->first[edges[i].from]) w->edges_in += pass_edge_number(to, from);
    for (int plane = 0; plane < planes; plane++) {
      if (!(w->notifies[edges[i].from] >> plane & 1)) continue;
      const int worth = edges[i].gain - load_cell(&owner->cells[pass_cell(owner, from, plane)]);
      notify_cell(w, pass_cell(owner, to, planes - 1 - plane), worth);
    }
  }
  return TAULER_OK;
}

/* Empties the frontier of a chunk. Lists its positions in w->index, and a bit per plane in w->notifies. */
static void empty_frontier(worker *w, uint64_t first, size_t count) {
  check *owner = w->owner;
  const unsigned two = owner->set->planes == 2;
  const uint64_t end = pass_cell(owner, first + count, 0);
  w->used = 0;
  for (uint64_t at = pass_cell(owner, first, 0); at < end; at += 64) {
    if (__atomic_load_n(&owner->frontier[at / 64], __ATOMIC_RELAXED) == 0) continue;
    uint64_t frontier = __atomic_exchange_n(&owner->frontier[at / 64], 0, __ATOMIC_RELAXED);
    for (; frontier; frontier &= frontier - 1) {
      const uint64_t cell = at + (unsigned)__builtin_ctzll(frontier), index = cell >> two;
      if (w->used == 0 || w->index[w->used - 1] != index) {
        w->notifies[w->used] = 0;
        w->index[w->used++] = index;
      }
      w->notifies[w->used - 1] |= (uint8_t)(1u << (cell & two));
    }
  }
}

/* Calls `flush` with the moves that lead to the w->used positions in w->index. */
static tauler_error retract_list(worker *w, tauler_error (*flush)(void *, const game_edge *, size_t)) {
  const verify_set *set = w->owner->set;
  w->sink = (game_sink){.edges = w->edges, .room = PASS_EDGES, .flush = flush, .user = w};
  const tauler_error error =
      set->game->retract(set->rules, w->owner->slice->slice, w->index, w->used, &w->sink);
  return error ? error : game_sink_flush(&w->sink);
}

static tauler_error notify_predecessors(worker *w) {
  const verify_set *set = w->owner->set;
  uint64_t *marked = w->owner->marked, positions = 0;
  if (w->used == 0) return TAULER_OK;
  for (size_t i = 0; i < w->used; i++) {
    w->first[i] = !has_bit(marked, w->index[i]);
    positions += w->first[i];
    set_bit(marked, w->index[i]);
  }
  if (set->shown) progress_add(set->shown, positions * (uint64_t)comm_ranks(set->ranks));
  return retract_list(w, notify_edges);
}

static tauler_error retract_frontier(worker *w, uint64_t first, size_t count, bool *changed) {
  empty_frontier(w, first, count);
  if (w->used) *changed = true;
  return notify_predecessors(w);
}

/* Adds the moves to w->edges_in, and notifies no cell. */
static tauler_error retract_unmarked_positions(worker *w, uint64_t first, size_t count, bool *changed) {
  w->used = 0;
  for (uint64_t index = first; index < first + count; index++) {
    if (has_bit(w->owner->marked, index)) continue;
    w->notifies[w->used] = 0;
    w->index[w->used++] = index;
  }
  return notify_predecessors(w);
}

/* --- sweeps, for games without retract and cells without a notice --- */

static bool is_open(const check *owner, uint64_t cell) {
  return load_open(&owner->open[cell]) > 0;
}

static bool has_cell(const check *owner, uint64_t index, bool (*is)(const check *, uint64_t)) {
  for (int plane = 0; plane < owner->set->planes; plane++) {
    if (is(owner, pass_cell(owner, index, plane))) return true;
  }
  return false;
}

static tauler_error prove_open_cells(worker *w, uint64_t first, size_t count, bool *changed) {
  check *owner = w->owner;
  w->used = 0;
  for (uint64_t index = first; index < first + count; index++) {
    if (has_cell(owner, index, is_open)) w->index[w->used++] = index;
  }
  const tauler_error error = pass_expand(w);
  for (size_t i = 0; i < w->used && !error; i++) {
    for (int plane = 0; plane < owner->set->planes; plane++) {
      const uint64_t cell = pass_cell(owner, w->index[i], plane);
      if (!is_open(owner, cell) || pass_depth(w, i, plane) > 1) continue;
      __atomic_store_n(&owner->open[cell], 0, __ATOMIC_RELAXED);
      *changed = true;
    }
  }
  return error;
}

static tauler_error report_open_cells(worker *w, uint64_t first, size_t count, bool *changed) {
  check *owner = w->owner;
  for (uint64_t index = first; index < first + count; index++) {
    for (int plane = 0; plane < owner->set->planes; plane++) {
      const uint64_t cell = pass_cell(owner, index, plane);
      if (is_open(owner, cell))
        pass_report(&owner->values, (verify_fault){FAULT_ENDLESS, index, plane, owner->cells[cell], 0});
    }
  }
  return TAULER_OK;
}

/* --- held cells --- */

static bool pays_enough(const check *owner, const worker *w, size_t i, uint64_t cell, int plane) {
  const int value = owner->cells[cell];
  return pass_forcer(owner, plane, value) == MOVER ? w->pays[i] >= value : w->pays[i] <= value;
}

static void drop_held_cell(check *owner, uint64_t cell) {
  __atomic_fetch_and(&owner->held[cell / 64], ~(UINT64_C(1) << cell % 64), __ATOMIC_RELAXED);
}

static void mark_position_doubtful(check *owner, uint64_t index) {
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
      if (!is_open(owner, cell) || !pays_enough(owner, w, i, cell, plane)) continue;
      set_bit(owner->held, cell);
      mark_position_doubtful(owner, first + i);
      *changed = true;
    }
  }
  return TAULER_OK;
}

/* If the game has no retract, all positions with held cells stay doubtful. */
static tauler_error drop_doubtful_cells(worker *w, uint64_t first, size_t count, bool *changed) {
  check *owner = w->owner;
  w->used = 0;
  for (uint64_t index = first; index < first + count; index++) {
    if (has_bit(owner->marked, index) && has_cell(owner, index, pass_is_held)) w->index[w->used++] = index;
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

static void receive_doubtful_positions(void *user, const void *bytes, size_t n) {
  check *owner = user;
  const uint64_t *cells = bytes;
  for (size_t i = 0; i < n / sizeof *cells; i++)
    mark_position_doubtful(owner, cells[i] / (unsigned)owner->set->planes);
}

static tauler_error mark_edges_doubtful(void *user, const game_edge *edges, size_t n) {
  worker *w = user;
  check *owner = w->owner;
  for (size_t i = 0; i < n; i++) {
    if (!stays_in_slice(owner, &edges[i])) return TAULER_INTERNAL;
    const uint64_t cell = pass_cell(owner, edges[i].to.index, 0);
    if (pass_is_own(owner, cell))
      mark_position_doubtful(owner, edges[i].to.index);
    else
      pass_send(w, cell); /* any cell of the position */
  }
  return TAULER_OK;
}

static tauler_error retract_dropped_cells(worker *w, uint64_t first, size_t count, bool *changed) {
  empty_frontier(w, first, count);
  if (w->used == 0 || !w->owner->set->game->retract) return TAULER_OK;
  return retract_list(w, mark_edges_doubtful);
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

/* Finds the greatest set of open cells whose positions pay the forcing side as much if they repeat, and in
 * which this side can keep play or move to proven cells. Returns true if there are such cells; they are then
 * proven and in the frontier. */
static bool hold_cells(check *owner) {
  memset(owner->marked, 0, (owner->slice->positions + 63) / 64 * sizeof *owner->marked);
  if (!pass_run(owner, choose_held_cells, NULL, false)) return false;
  while (pass_run_by_open(owner, drop_doubtful_cells, false))
    pass_run(owner, retract_dropped_cells, receive_doubtful_positions, false);
  if (owner->error) return false;
  return pass_run(owner, prove_held_cells, NULL, false);
}

/* --- proof --- */

static bool compare_sums(check *owner) {
  uint64_t sums[2] = {0};
  for (int thread = 0; thread < owner->set->threads; thread++) {
    sums[0] += owner->workers[thread].edges_out;
    sums[1] += owner->workers[thread].edges_in;
  }
  const tauler_error lost = comm_allreduce(owner->set->ranks, COMM_SUM, sums, 2, &owner->said);
  if (lost) owner->error = lost;
  return sums[0] == sums[1];
}

/* Alternates the direction, since chains of positions lead either way. */
static void propagate_proofs(check *owner) {
  for (bool backwards = false; pass_run(owner, retract_frontier, receive_proven_cells, backwards);)
    backwards = !backwards;
}

static void prove_by_sweeps(check *owner) {
  for (bool backwards = false; pass_run_by_open(owner, prove_open_cells, backwards);) backwards = !backwards;
}

void verify_ends_start(progress *shown, uint64_t positions, char step[4 * GAME_TEXT_BYTES]) {
  if (!shown) return;
  snprintf(step, 4 * GAME_TEXT_BYTES, "%s: does play end?", shown->step);
  progress_start(shown, step, shown->unit, positions, 0);
}

void verify_ends(check *owner) {
  char step[4 * GAME_TEXT_BYTES];
  verify_ends_start(owner->set->shown, owner->slice->positions, step);
  if (owner->set->game->retract) {
    pass_share(owner, owner->open, 8 * (uint64_t)owner->set->planes);
    propagate_proofs(owner);
    pass_run(owner, retract_unmarked_positions, NULL, false);
    if (!owner->error && !compare_sums(owner) && !owner->error) owner->error = TAULER_INTERNAL;
  }
  owner->by_open = true;
  if (!owner->error) prove_by_sweeps(owner);
  while (owner->held && !owner->error && hold_cells(owner)) {
    if (owner->set->game->retract) propagate_proofs(owner);
    prove_by_sweeps(owner);
  }
  if (!owner->error) pass_run(owner, report_open_cells, NULL, false);
  if (owner->set->shown) progress_abandon(owner->set->shown);
}
