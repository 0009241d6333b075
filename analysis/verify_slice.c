#include "analysis/verify_slice.h"

#include <omp.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* CHUNK positions are one batch of one thread; a chunk's bits of `proven` are whole words. EDGES of them
 * are fetched ahead at once. */
enum { CHUNK = 1024, EDGES = 512, NO_WORTH = INT16_MIN };

/* The best worth of the moves seen so far, and the least and greatest rank behind moves of that worth. */
typedef struct {
  int16_t best;
  uint16_t least, greatest;
} fold;

/* The fault at the least index that any thread has met. */
typedef struct {
  _Atomic uint64_t index; /* UINT64_MAX: none */
  verify_fault fault;
} first_fault;

typedef struct {
  const verify_set *set;
  const verify_slice *slice;
  int8_t *cells;
  uint16_t *depths; /* ranks, when they are stored */
  uint64_t *proven; /* a bit per cell; ranks (0, or 1: not yet) when none are stored */
  bool only_converting;
  int largest;
  first_fault values, depth_faults;
  tauler_error error;
} check;

/* What one thread works with. */
typedef struct {
  check *owner;
  game_sink sink;
  game_edge edges[EDGES];
  uint64_t index[CHUNK], still[CHUNK];
  size_t which[CHUNK], used; /* positions looked at; `which` of them have no moves */
  int16_t ended_value[CHUNK];
  bool moves[CHUNK], ended[CHUNK];
  uint8_t left_out[CHUNK];
  fold folds[CHUNK][VERIFY_PLANES];
} worker;

/* --- one look at the moves of a batch ---------------------------------------------------------------------
 */

static inline int8_t load_cell(const int8_t *cell) {
  return __atomic_load_n(cell, __ATOMIC_RELAXED);
}

static inline bool is_proven(const check *owner, uint64_t cell) {
  return __atomic_load_n(&owner->proven[cell / 64], __ATOMIC_RELAXED) >> cell % 64 & 1;
}

/* How much later than its child a position of this rank is made good: a depth, or whether it is still
 * to be proven. */
static inline uint16_t rank_of(const check *owner, uint64_t cell) {
  if (owner->depths) return __atomic_load_n(&owner->depths[cell], __ATOMIC_RELAXED);
  if (owner->proven) return !is_proven(owner, cell);
  return 0;
}

static inline void take_move(fold *f, int worth, uint16_t rank) {
  if (worth > f->best) {
    *f = (fold){(int16_t)worth, rank, rank};
  } else if (worth == f->best) {
    if (rank < f->least) f->least = rank;
    if (rank > f->greatest) f->greatest = rank;
  }
}

static inline void take_edge(worker *w, const game_edge *edge, int planes) {
  const check *owner = w->owner;
  w->moves[edge->from] = true;
  if (edge->to.slice == GAME_OVER) {
    for (int plane = 0; plane < planes; plane++) take_move(&w->folds[edge->from][plane], edge->gain, 0);
    return;
  }
  const bool quiet = edge->to.slice == owner->slice->slice;
  if (quiet && owner->only_converting) return;
  const int8_t *cells = owner->set->cells[edge->to.slice];
  const uint64_t cell = edge->to.index * (unsigned)planes;
  for (int plane = 0; plane < planes; plane++) {
    const uint64_t other = cell + (unsigned)(planes - 1 - plane);
    take_move(&w->folds[edge->from][plane], edge->gain - load_cell(&cells[other]),
              quiet ? rank_of(owner, other) : 0);
  }
}

static inline void fetch_ahead(const check *owner, const game_edge *edge) {
  if (edge->to.slice == GAME_OVER) return;
  const uint64_t cell = edge->to.index * (unsigned)owner->set->planes;
  __builtin_prefetch(&owner->set->cells[edge->to.slice][cell]);
  if (edge->to.slice != owner->slice->slice || owner->only_converting) return;
  if (owner->depths) __builtin_prefetch(&owner->depths[cell]);
  if (owner->proven) __builtin_prefetch(&owner->proven[cell / 64]);
}

static bool leads_to_cells(const verify_set *set, game_place to) {
  return to.slice == GAME_OVER || (to.slice < set->slices && set->cells[to.slice]);
}

static tauler_error take_edges(void *user, const game_edge *edges, size_t n) {
  worker *w = user;
  for (size_t i = 0; i < n; i++) {
    if (!leads_to_cells(w->owner->set, edges[i].to)) return TAULER_INTERNAL;
    fetch_ahead(w->owner, &edges[i]);
  }
  if (w->owner->set->planes == 1) {
    for (size_t i = 0; i < n; i++) take_edge(w, &edges[i], 1);
  } else {
    for (size_t i = 0; i < n; i++) take_edge(w, &edges[i], 2);
  }
  return TAULER_OK;
}

/* Positions without a move must have ended. */
static tauler_error take_ended(worker *w) {
  const verify_set *set = w->owner->set;
  size_t n = 0;
  for (size_t i = 0; i < w->used; i++) {
    w->ended[i] = !w->moves[i];
    if (!w->ended[i]) continue;
    w->still[n] = w->index[i];
    w->which[n++] = i;
  }
  if (n == 0) return TAULER_OK;
  const tauler_error error =
      set->game->ended(set->rules, w->owner->slice->slice, w->still, n, w->ended_value);
  for (size_t i = 0; i < n && !error; i++) {
    if (w->ended_value[i] == GAME_NOT_ENDED) return TAULER_INTERNAL;
    for (int plane = 0; plane < set->planes; plane++) w->folds[w->which[i]][plane].best = w->ended_value[i];
  }
  return error;
}

/* Fills the folds of the w->used positions in w->index. */
static tauler_error look_at_moves(worker *w) {
  const verify_set *set = w->owner->set;
  for (size_t i = 0; i < w->used; i++) {
    w->moves[i] = false;
    for (int plane = 0; plane < set->planes; plane++) w->folds[i][plane] = (fold){NO_WORTH, 0, 0};
  }
  if (w->used == 0) return TAULER_OK;
  tauler_error error = set->game->expand(set->rules, w->owner->slice->slice, w->index, w->used, &w->sink);
  if (!error) error = game_sink_flush(&w->sink);
  return error ? error : take_ended(w);
}

/* --- what the rules make of it ----------------------------------------------------------------------------
 */

/* Of a value, or a bound, that somebody must force: who. */
typedef enum { NOBODY, MOVER, OPPONENT } forcer;

static forcer who_forces(const check *owner, int plane, int value) {
  if (owner->set->planes == 1) return value > 0 ? MOVER : value < 0 ? OPPONENT : NOBODY;
  if (plane == 0) return value > -owner->largest ? MOVER : NOBODY;
  return value < owner->largest ? OPPONENT : NOBODY;
}

/* Who forces a value picks the soonest of the best moves; who is forced picks the latest. */
static int rule_depth(const check *owner, const worker *w, size_t i, int plane) {
  const fold *f = &w->folds[i][plane];
  const forcer who = w->ended[i] ? NOBODY : who_forces(owner, plane, f->best);
  return who == NOBODY ? 0 : 1 + (who == MOVER ? f->least : f->greatest);
}

/* As rule_depth, where ranks are bits: 1 if the proof is still behind moves that are not proven. */
static bool is_provable(const check *owner, const worker *w, size_t i, int plane) {
  return rule_depth(owner, w, i, plane) <= 1;
}

static uint64_t index_of(const first_fault *first) {
  return atomic_load_explicit(&first->index, memory_order_relaxed);
}

static void report(first_fault *first, verify_fault found) {
  if (found.index > index_of(first)) return;
#pragma omp critical(verify_report)
  if (found.index < index_of(first) || found.plane < first->fault.plane) {
    first->fault = found;
    atomic_store_explicit(&first->index, found.index, memory_order_relaxed);
  }
}

static uint64_t cell_at(const check *owner, uint64_t index, int plane) {
  return index * (unsigned)owner->set->planes + (unsigned)plane;
}

static void settle_value(check *owner, const worker *w, size_t i, int plane, bool fill) {
  const int best = w->folds[i][plane].best;
  int8_t *cell = &owner->cells[cell_at(owner, w->index[i], plane)];
  const int stored = load_cell(cell);
  if (abs(best) > owner->largest) {
    report(&owner->values, (verify_fault){FAULT_RANGE, w->index[i], plane, best, owner->largest});
  } else if (fill && stored == owner->slice->reserved[plane]) {
    __atomic_store_n(cell, (int8_t)best, __ATOMIC_RELAXED);
  } else if (stored != best) {
    report(&owner->values, (verify_fault){FAULT_VALUE, w->index[i], plane, stored, best});
  }
}

static void settle_depth(check *owner, const worker *w, size_t i, int plane, bool fill) {
  const int expected = rule_depth(owner, w, i, plane);
  uint16_t *depth = &owner->depths[cell_at(owner, w->index[i], plane)];
  if (fill && *depth == VERIFY_RESERVED_DEPTH && expected < VERIFY_RESERVED_DEPTH) {
    __atomic_store_n(depth, (uint16_t)expected, __ATOMIC_RELAXED);
  } else if (*depth != expected) {
    report(&owner->depth_faults, (verify_fault){FAULT_DEPTH, w->index[i], plane, *depth, expected});
  }
}

/* Returns whether a bit was set. Only the thread that has the chunk writes its words. */
static bool settle_proof(check *owner, const worker *w, size_t i) {
  bool news = false;
  for (int plane = 0; plane < owner->set->planes; plane++) {
    const uint64_t cell = cell_at(owner, w->index[i], plane);
    if (is_proven(owner, cell) || !is_provable(owner, w, i, plane)) continue;
    uint64_t *word = &owner->proven[cell / 64];
    __atomic_store_n(word, *word | UINT64_C(1) << cell % 64, __ATOMIC_RELAXED);
    news = true;
  }
  return news;
}

/* --- passes: each does a chunk of positions ----------------------------------------------------------------
 */

typedef tauler_error pass(worker *w, uint64_t first, size_t count, bool *news);

static void find_left_out(worker *w, uint64_t first, size_t count) {
  const verify_set *set = w->owner->set;
  if (set->game->left_out) {
    set->game->left_out(set->rules, w->owner->slice->slice, first, count, w->left_out);
  } else {
    memset(w->left_out, 0, count);
  }
}

static bool is_reserved(const check *owner, uint64_t index, int plane) {
  return owner->cells[cell_at(owner, index, plane)] == owner->slice->reserved[plane];
}

/* Whether a cell of the position waits for the look, and that every other holds a possible value. */
static bool wants_look(check *owner, uint64_t index) {
  bool wanted = false;
  for (int plane = 0; plane < owner->set->planes; plane++) {
    const int stored = owner->cells[cell_at(owner, index, plane)];
    if (is_reserved(owner, index, plane)) {
      wanted = true;
    } else if (abs(stored) > owner->largest) {
      report(&owner->values, (verify_fault){FAULT_RANGE, index, plane, stored, owner->largest});
    }
  }
  return wanted;
}

static bool comes_back_by(const check *owner, uint64_t index, game_look look) {
  const game_place place = {owner->slice->slice, index};
  return owner->set->game->look(owner->set->rules, place) == look;
}

/* Cells that stand for the best converting move. */
static tauler_error look_up_converting(worker *w, uint64_t first, size_t count, bool *news) {
  (void)news;
  check *owner = w->owner;
  find_left_out(w, first, count);
  w->used = 0;
  for (size_t i = 0; i < count; i++) {
    if (wants_look(owner, first + i) && !w->left_out[i] && comes_back_by(owner, first + i, LOOK_CONVERTING))
      w->index[w->used++] = first + i;
  }
  const tauler_error error = look_at_moves(w);
  for (size_t i = 0; i < w->used && !error; i++) {
    for (int plane = 0; plane < owner->set->planes; plane++) {
      if (!is_reserved(owner, w->index[i], plane)) continue;
      const int best = w->folds[i][plane].best;
      owner->cells[cell_at(owner, w->index[i], plane)] = (int8_t)best;
      if (best == NO_WORTH) report(&owner->values, (verify_fault){FAULT_LOOK, w->index[i], plane, 0, 0});
    }
  }
  return error;
}

/* Whether any cell of the position is still to be looked up, or it is left out by the game. */
static bool is_open(const check *owner, const worker *w, uint64_t index, size_t i) {
  if (w->left_out[i]) return true;
  for (int plane = 0; plane < owner->set->planes; plane++) {
    if (is_reserved(owner, index, plane)) return true;
  }
  return false;
}

/* Holds the open positions, or all others, against their moves. An open cell takes the value that its
 * moves give. Its children are never open, or else a reserved cell would show as a worth out of range. */
static tauler_error settle(worker *w, uint64_t first, size_t count, bool open) {
  check *owner = w->owner;
  find_left_out(w, first, count);
  w->used = 0;
  for (size_t i = 0; i < count; i++) {
    if (is_open(owner, w, first + i, i) == open) w->index[w->used++] = first + i;
  }
  tauler_error error = look_at_moves(w);
  for (size_t i = 0; i < w->used && !error; i++) {
    for (int plane = 0; plane < owner->set->planes; plane++) {
      settle_value(owner, w, i, plane, open);
      if (owner->depths) settle_depth(owner, w, i, plane, open);
    }
    if (owner->proven) settle_proof(owner, w, i);
  }
  if (owner->set->shown) progress_add(owner->set->shown, w->used);
  return error;
}

static tauler_error settle_open(worker *w, uint64_t first, size_t count, bool *news) {
  (void)news;
  return settle(w, first, count, true);
}

/* After settle_open no cell is reserved, and only the game's word tells which were settled already. */
static tauler_error settle_others(worker *w, uint64_t first, size_t count, bool *news) {
  (void)news;
  return settle(w, first, count, false);
}

static uint64_t cells_mask(uint64_t cells) {
  return cells >= 64 ? UINT64_MAX : (UINT64_C(1) << cells) - 1;
}

/* Looks again at the positions that are not proven. */
static tauler_error prove(worker *w, uint64_t first, size_t count, bool *news) {
  check *owner = w->owner;
  const unsigned planes = (unsigned)owner->set->planes;
  w->used = 0;
  for (uint64_t cell = first * planes, end = (first + count) * planes; cell < end; cell += 64) {
    uint64_t missing = ~owner->proven[cell / 64] & cells_mask(end - cell);
    for (uint64_t last = UINT64_MAX; missing; missing &= missing - 1) {
      const uint64_t index = (cell + (unsigned)__builtin_ctzll(missing)) / planes;
      if (index != last) w->index[w->used++] = last = index;
    }
  }
  const tauler_error error = look_at_moves(w);
  for (size_t i = 0; i < w->used && !error; i++) {
    if (settle_proof(owner, w, i)) *news = true;
  }
  return error;
}

static tauler_error find_unproven(worker *w, uint64_t first, size_t count, bool *news) {
  (void)news;
  check *owner = w->owner;
  for (uint64_t index = first; index < first + count; index++) {
    for (int plane = 0; plane < owner->set->planes; plane++) {
      const uint64_t cell = cell_at(owner, index, plane);
      if (!is_proven(owner, cell))
        report(&owner->values, (verify_fault){FAULT_ENDLESS, index, plane, owner->cells[cell], 0});
    }
  }
  return TAULER_OK;
}

/* Behind the first fault nothing need be looked at. */
static void run_chunk(check *owner, pass *run, worker *w, uint64_t chunk, bool *news) {
  const uint64_t first = chunk * CHUNK, left = owner->slice->positions - first;
  if (first > index_of(&owner->values) || __atomic_load_n(&owner->error, __ATOMIC_RELAXED)) return;
  const tauler_error error = run(w, first, left < CHUNK ? (size_t)left : CHUNK, news);
  if (error) __atomic_store_n(&owner->error, error, __ATOMIC_RELAXED);
}

/* Runs a pass over all chunks, and says whether any had news. */
static bool run_pass(check *owner, pass *run, worker *const *workers, bool backwards) {
  const uint64_t chunks = (owner->slice->positions + CHUNK - 1) / CHUNK;
  bool news = false;
#pragma omp parallel num_threads(owner->set->threads) reduction(|| : news)
  {
    worker *w = workers[omp_get_thread_num()];
#pragma omp for schedule(dynamic, 4)
    for (uint64_t i = 0; i < chunks; i++) { run_chunk(owner, run, w, backwards ? chunks - 1 - i : i, &news); }
  }
  return news;
}

/* --- the slice
 * ----------------------------------------------------------------------------------------------- */

static bool is_sound(const check *owner) {
  return !owner->error && index_of(&owner->values) == UINT64_MAX;
}

static void settle_all(check *owner, worker *const *workers) {
  owner->only_converting = true;
  run_pass(owner, look_up_converting, workers, false);
  owner->only_converting = false;
  if (is_sound(owner)) run_pass(owner, settle_open, workers, false);
  if (is_sound(owner)) run_pass(owner, settle_others, workers, false);
}

/* Sweeps in both directions by turns, since proofs run along chains of positions either way. */
static void prove_all(check *owner, worker *const *workers) {
  for (bool backwards = true; is_sound(owner) && run_pass(owner, prove, workers, backwards);)
    backwards = !backwards;
  if (is_sound(owner)) run_pass(owner, find_unproven, workers, false);
}

static tauler_error take_proven(check *owner, tauler_message *message) {
  const uint64_t cells = owner->slice->positions * (unsigned)owner->set->planes;
  return memory_take_array(owner->set->memory, (cells + 63) / 64, sizeof *owner->proven, "what is proven",
                           &owner->proven, message);
}

static tauler_error run_check(check *owner, worker *const *workers, tauler_message *message) {
  owner->depths = owner->slice->depths;
  tauler_error error = owner->depths ? TAULER_OK : take_proven(owner, message);
  if (error) return error;
  settle_all(owner, workers);
  if (owner->depths && is_sound(owner) && index_of(&owner->depth_faults) != UINT64_MAX) {
    owner->depths = NULL;
    error = take_proven(owner, message);
  }
  if (!error && owner->proven) prove_all(owner, workers);
  memory_give(owner->set->memory, owner->proven);
  if (!error && owner->error)
    error =
        tauler_fail(message, owner->error, "the rules of %s contradict themselves: a move leads to no cell",
                    owner->set->game->name);
  return error;
}

static void free_workers(const verify_set *set, worker **workers) {
  for (int thread = 0; workers && thread < set->threads; thread++) memory_give(set->memory, workers[thread]);
  memory_give(set->memory, workers);
}

static tauler_error take_workers(check *owner, worker ***workers, tauler_message *message) {
  const verify_set *set = owner->set;
  tauler_error error =
      memory_take_array(set->memory, (uint64_t)set->threads, sizeof **workers, "threads", workers, message);
  for (int thread = 0; thread < set->threads && !error; thread++) {
    worker *w = NULL;
    error = memory_take(set->memory, sizeof *w, "a thread's buffers", &w, message);
    (*workers)[thread] = w;
    if (error) break;
    w->owner = owner;
    w->sink = (game_sink){.edges = w->edges, .room = EDGES, .flush = take_edges, .user = w};
  }
  return error;
}

tauler_error verify_slice_logic(const verify_set *set, const verify_slice *slice, verify_fault *values,
                                verify_fault *depths, tauler_message *message) {
  check owner = {.set = set,
                 .slice = slice,
                 .cells = set->cells[slice->slice],
                 .largest = set->game->largest_value(set->rules, slice->slice),
                 .values = {.index = UINT64_MAX},
                 .depth_faults = {.index = UINT64_MAX}};
  worker **workers = NULL;
  tauler_error error = take_workers(&owner, &workers, message);
  if (!error) error = run_check(&owner, workers, message);
  free_workers(set, workers);
  *values = owner.values.fault;
  *depths = owner.depth_faults.fault;
  return error;
}

uint64_t verify_slice_bytes(const verify_set *set, uint64_t positions) {
  return (uint64_t)set->threads * sizeof(worker) +
         (positions * (unsigned)set->planes + 63) / 64 * sizeof(uint64_t);
}
