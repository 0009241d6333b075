/* Proves slices whose values were found by lines of play, from their moves and from smaller slices alone.
 *
 * A side's worth on a fresh history need not be the best of its moves, because after a move the history is
 * not fresh. So cells are not compared with their moves. First, guarantees are found for all thresholds at
 * once by the nested fixpoint of docs/proofs.md, "Own row". Cells that stay open are found by lines of play
 * (lines/search.h). No code is shared with the build. */
#include "analysis/verify/verify_slice.h"

#include <stdlib.h>
#include <string.h>

#include "analysis/verify/lines/search.h"

enum {
  BATCH = 1024,
  EDGES = 16384,
  SIDE_MOVES = 0,
  OTHER_MOVES = 1,
  SIDES = 2,
  MOST_QUIET = 8,
  SEARCH_BYTES = 24
};

/* The state of a proof. Each position has two guarantees: that of its mover (SIDE_MOVES) and that of the
 * other side (OTHER_MOVES). */
typedef struct {
  const verify_set *set;
  const verify_slice *slice;
  lines_moves moves;
  arena lists; /* memory of all arrays except moves.child, of which moves.parent is the second half */
  uint8_t *ended;
  int8_t *has[SIDES];   /* [side][position] guarantees so far */
  int8_t *holds[SIDES]; /* [side][position] guarantees if play is kept in a region */
  uint32_t *queue;
  uint8_t *waits; /* [position] true if it is in the queue */
  bool counts;    /* true if moves are counted, false if they are stored */
  uint64_t from;  /* index of the first position of the batch */
} proof;

static tauler_error count_or_store_edges(void *user, const game_edge *edges, size_t used) {
  proof *p = user;
  for (size_t k = 0; k < used; k++) {
    const game_edge *e = &edges[k];
    const uint64_t i = p->from + e->from;
    if (e->to.slice == p->slice->slice) {
      if (e->to.index >= p->moves.n) return TAULER_INTERNAL;
      if (p->counts)
        p->moves.first[i + 1]++;
      else
        p->moves.child[p->moves.first[i]++] = (uint32_t)e->to.index;
      continue;
    }
    const int8_t *to = e->to.slice == GAME_OVER ? NULL : p->set->cells[e->to.slice];
    if (e->to.slice != GAME_OVER && !to) return TAULER_INTERNAL;
    for (int most = 0; most < SIDES && p->counts; most++) {
      const int worth = e->gain - (to ? to[SIDES * e->to.index + !most] : 0);
      if (worth > p->moves.gives[most][i]) p->moves.gives[most][i] = (int8_t)worth;
    }
  }
  return TAULER_OK;
}

static tauler_error expand_slice(proof *p, bool counts) {
  const verify_set *set = p->set;
  static const size_t room = EDGES;
  game_edge *edges = malloc(room * sizeof *edges);
  tauler_error error = edges ? TAULER_OK : TAULER_NO_MEMORY;
  p->counts = counts;
  for (p->from = 0; p->from < p->moves.n && !error; p->from += BATCH) {
    uint64_t index[BATCH];
    int16_t ended[BATCH];
    const size_t n = p->moves.n - p->from < BATCH ? (size_t)(p->moves.n - p->from) : BATCH;
    for (size_t i = 0; i < n; i++) index[i] = p->from + i;
    error = set->game->ended(set->rules, p->slice->slice, index, n, ended);
    for (size_t i = 0; i < n && counts && !error; i++) {
      p->ended[p->from + i] = ended[i] != GAME_NOT_ENDED;
      if (ended[i] != GAME_NOT_ENDED)
        p->moves.gives[0][p->from + i] = p->moves.gives[1][p->from + i] = (int8_t)ended[i];
    }
    game_sink sink = {.edges = edges, .room = room, .flush = count_or_store_edges, .user = p};
    if (!error) error = set->game->expand(set->rules, p->slice->slice, index, n, &sink);
    if (!error) error = game_sink_flush(&sink);
  }
  free(edges);
  return error;
}

static void list_parents(proof *p) {
  lines_moves *m = &p->moves;
  for (uint32_t e = 0; e < m->first[m->n]; e++) m->back_first[m->child[e]]++;
  for (uint32_t i = 0; i < m->n; i++) m->back_first[i + 1] += m->back_first[i];
  for (uint32_t i = m->n; i-- > 0;)
    for (uint32_t e = m->first[i + 1]; e-- > m->first[i];) m->parent[--m->back_first[m->child[e]]] = i;
}

static tauler_error list_moves(proof *p, tauler_message *message) {
  tauler_error error = expand_slice(p, true);
  for (uint32_t i = 0; i < p->moves.n; i++) p->moves.first[i + 1] += p->moves.first[i];
  const uint64_t moves = p->moves.first[p->moves.n];
  if (!error)
    error = memory_allocate_array(p->set->memory, 2 * moves + 1, sizeof *p->moves.child, "moves",
                                  &p->moves.child, message);
  if (!error) error = expand_slice(p, false);
  if (error) return tauler_fail(message, error, "the moves of slice %u cannot be listed", p->slice->slice);
  /* Storing the moves has advanced `first` of each position to the end of its moves. */
  memmove(p->moves.first + 1, p->moves.first, p->moves.n * sizeof *p->moves.first);
  p->moves.first[0] = 0;
  p->moves.parent = p->moves.child + moves;
  list_parents(p);
  return TAULER_OK;
}

/* Returns the side's gain by converting moves: by its best one if it moves, otherwise by the worst one for
 * it. */
static int converting_gain(const proof *p, int side, uint32_t i) {
  if (side == SIDE_MOVES) return p->moves.gives[0][i];
  return p->moves.gives[1][i] == INT8_MIN ? INT8_MAX : -p->moves.gives[1][i];
}

/* Returns the most that the side can force by one move if positions have the guarantees `of`. */
static int forced_gain(const proof *p, int8_t *const of[SIDES], int side, uint32_t i) {
  const bool moves = side == SIDE_MOVES;
  int best = converting_gain(p, side, i);
  for (uint32_t e = p->moves.first[i]; e < p->moves.first[i + 1] && !p->ended[i]; e++) {
    const int guaranteed = of[!side][p->moves.child[e]];
    if (moves ? guaranteed > best : guaranteed < best) best = guaranteed;
  }
  return best;
}

/* Raises guarantees, or lowers them if `down`, until they agree with their moves. Returns true if any
 * changed. */
static bool settle_guarantees(proof *p, int8_t *const cells[SIDES], bool down) {
  uint32_t at = 0, used = p->moves.n;
  bool any = false;
  for (uint32_t i = 0; i < p->moves.n; i++) p->queue[i] = i;
  memset(p->waits, 1, p->moves.n);
  while (used > 0) {
    const uint32_t i = p->queue[at];
    bool changed = false;
    at = at + 1 == p->moves.n ? 0 : at + 1;
    used--;
    p->waits[i] = 0;
    for (int side = 0; side < SIDES; side++) {
      const int best = forced_gain(p, cells, side, i);
      if (down ? best >= cells[side][i] : best <= cells[side][i]) continue;
      cells[side][i] = (int8_t)best;
      changed = true;
    }
    for (uint32_t e = p->moves.back_first[i]; e < p->moves.back_first[i + 1] && changed; e++) {
      const uint32_t parent = p->moves.parent[e];
      if (p->waits[parent]) continue;
      p->waits[parent] = 1;
      p->queue[at + used < p->moves.n ? at + used : at + used - p->moves.n] = parent;
      used++;
    }
    any = any || changed;
  }
  return any;
}

static bool hold_region(proof *p) {
  bool any = false;
  for (int side = 0; side < SIDES; side++)
    for (uint32_t i = 0; i < p->moves.n; i++) {
      const int pays = side == SIDE_MOVES ? p->moves.pays[i] : -p->moves.pays[i];
      p->holds[side][i] = (int8_t)(pays > p->has[side][i] ? pays : p->has[side][i]);
    }
  settle_guarantees(p, p->holds, true);
  for (int side = 0; side < SIDES; side++)
    for (uint32_t i = 0; i < p->moves.n; i++) {
      any = any || p->holds[side][i] > p->has[side][i];
      if (p->holds[side][i] > p->has[side][i]) p->has[side][i] = p->holds[side][i];
    }
  return any;
}

static void find_guarantees(proof *p) {
  const int largest = p->set->game->largest_value(p->set->rules, p->slice->slice);
  p->set->game->repeated(p->set->rules, p->slice->slice, 0, p->moves.n, p->moves.pays);
  for (int side = 0; side < SIDES; side++) memset(p->has[side], -largest, p->moves.n);
  bool any = true;
  while (any) {
    any = hold_region(p);
    any = settle_guarantees(p, p->has, false) || any;
  }
}

static void list_arrays(arena *a, void *of) {
  proof *p = of;
  const uint64_t n = p->moves.n;
  p->moves.first = arena_allocate(a, n + 1, sizeof *p->moves.first);
  p->moves.back_first = arena_allocate(a, n + 1, sizeof *p->moves.back_first);
  p->queue = arena_allocate(a, n, sizeof *p->queue);
  p->moves.pays = arena_allocate(a, n, sizeof *p->moves.pays);
  p->ended = arena_allocate(a, n, sizeof *p->ended);
  p->waits = arena_allocate(a, n, sizeof *p->waits);
  for (int k = 0; k < SIDES; k++) {
    p->moves.gives[k] = arena_allocate(a, n, sizeof *p->moves.gives[k]);
    p->has[k] = arena_allocate(a, n, sizeof *p->has[k]);
    p->holds[k] = arena_allocate(a, n, sizeof *p->holds[k]);
  }
}

/* --- stages --- */

typedef enum { GIVES_LESS, GIVES_AT_STAGE, GIVES_MORE } giving;

static giving judge_move(const proof *p, int side, uint32_t i, uint32_t child) {
  const uint16_t *stages = p->slice->depths;
  const int g = p->has[side][i], next = p->has[!side][child];
  const uint16_t stage = stages[SIDES * (uint64_t)i + (unsigned)side],
                 after = stages[SIDES * (uint64_t)child + (unsigned)!side];
  if (next != g) return next > g ? GIVES_MORE : GIVES_LESS;
  if (after == 0 || after > stage) return GIVES_LESS;
  return after < stage ? GIVES_MORE : GIVES_AT_STAGE;
}

/* True if one move of the side or, if the other side moves, every move keeps the promise of stages
 * (README.md). */
static bool keeps_promise(const proof *p, int side, uint32_t i) {
  const bool moves = side == SIDE_MOVES;
  const int g = p->has[side][i], pays = moves ? p->moves.pays[i] : -p->moves.pays[i];
  if (p->ended[i]) return true;
  giving best = converting_gain(p, side, i) >= g ? GIVES_MORE : GIVES_LESS;
  for (uint32_t e = p->moves.first[i]; e < p->moves.first[i + 1]; e++) {
    const giving one = judge_move(p, side, i, p->moves.child[e]);
    if (moves ? one > best : one < best) best = one;
  }
  return best == GIVES_MORE || (best == GIVES_AT_STAGE && pays >= g);
}

static void check_stages(const proof *p, verify_fault *fault) {
  const int largest = p->set->game->largest_value(p->set->rules, p->slice->slice);
  for (uint32_t i = 0; p->slice->depths && i < p->moves.n; i++) {
    for (int side = 0; side < SIDES; side++) {
      const uint16_t stage = p->slice->depths[SIDES * (uint64_t)i + (unsigned)side];
      const bool nothing = p->has[side][i] == -largest;
      if (nothing ? stage == 0 : stage > 0 && keeps_promise(p, side, i)) continue;
      *fault = (verify_fault){FAULT_STAGE, i, side, stage, 0};
      return;
    }
  }
}

static tauler_error search_lines(proof *p, tauler_message *message) {
  for (uint32_t i = 0; i < p->moves.n; i++) {
    p->has[OTHER_MOVES][i] = (int8_t)-p->has[OTHER_MOVES][i];
    if (p->slice->searched) *p->slice->searched += p->has[SIDE_MOVES][i] < p->has[OTHER_MOVES][i];
  }
  return lines_search(&p->moves, p->set->memory, p->set->lines_budget, p->has[SIDE_MOVES],
                      p->has[OTHER_MOVES], message);
}

/* Compares the stored bounds with the proven ones. A stored bound beyond its proven one is a fault; if it is
 * also beyond the other proven bound, it is false. *fault becomes the first false one or, if there is none,
 * the first fault. */
static void compare_bounds(const proof *p, verify_fault *fault) {
  const int8_t *cells = p->set->cells[p->slice->slice];
  for (uint32_t i = 0; i < p->moves.n; i++) {
    for (int plane = 0; plane < SIDES; plane++) {
      const int stored = cells[SIDES * (uint64_t)i + (unsigned)plane], proven = p->has[plane][i],
                most = p->has[!plane][i];
      if (plane == 0 ? stored <= proven : stored >= proven) continue;
      const bool possible = plane == 0 ? stored <= most : stored >= most;
      if (possible && fault->kind) continue;
      *fault = (verify_fault){possible ? FAULT_OPEN : FAULT_ENDLESS, i, plane, stored, proven};
      if (!possible) return;
    }
  }
}

uint64_t verify_lines_bytes(uint64_t positions) {
  proof planned = {.moves.n = (uint32_t)positions};
  return arena_bytes(list_arrays, &planned) + positions * (2 * MOST_QUIET * sizeof(uint32_t) + SEARCH_BYTES) +
         (24 << 20);
}

tauler_error verify_lines(const verify_set *set, const verify_slice *slice, verify_fault *values,
                          verify_fault *depths, tauler_message *message) {
  proof p = {.set = set, .slice = slice, .moves.n = (uint32_t)slice->positions};
  *values = *depths = (verify_fault){.kind = FAULT_NONE};
  if (slice->positions > UINT32_MAX / MOST_QUIET)
    return tauler_fail(message, TAULER_NO_MEMORY, "slice %u is too large for lines of play", slice->slice);
  tauler_error error = arena_fill(&p.lists, set->memory, "what is proven", list_arrays, &p, message);
  for (int most = 0; most < SIDES && !error; most++) memset(p.moves.gives[most], INT8_MIN, p.moves.n);
  if (!error) error = list_moves(&p, message);
  if (!error) find_guarantees(&p);
  if (!error) check_stages(&p, depths);
  if (!error) error = search_lines(&p, message);
  if (!error) compare_bounds(&p, values);
  arena_close(&p.lists);
  memory_free(set->memory, p.moves.child);
  return error;
}
