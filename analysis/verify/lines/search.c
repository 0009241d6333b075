/* Finds for each threshold which side wins at each open node, part by part, each after the parts to which it
 * leads.
 *
 * A line that leaves a strongly connected part does not return to it. So the winner at a node where play
 * enters a part is the same for all moves that lead there. */
#include "analysis/verify/lines/search.h"

#include <stdlib.h>
#include <string.h>

enum { NOWHERE = UINT32_MAX, THRESHOLDS = INT8_MAX + 1 };

/* The search, for one threshold after the other. Node 2 · i is position i if the side that may reach the
 * threshold moves there, node 2 · i + 1 if the other side does. */
typedef struct {
  const lines_moves *moves;
  arena arena;
  uint64_t budget;
  int threshold;
  bool most;         /* conversions give the side its greatest gain, not the least */
  int8_t *bounds[2]; /* [n] bounds before the first threshold */
  uint8_t *winner;   /* [nodes] winner, or NO_SIDE */
  uint8_t *waits;    /* [nodes] `waits` of a walk, all 0 between walks */
  uint32_t *place;   /* [nodes] place in the part that is filled now, otherwise NOWHERE */
  uint32_t *list;    /* [nodes] nodes whose winner is not known yet */
} question;

static uint8_t mover_of(uint32_t node) {
  return node % 2 ? SIDE_PREVENTS : SIDE_REACHES;
}

static bool is_enough(const question *q, uint32_t node, int gets) {
  return node % 2 ? gets > -q->threshold : gets >= q->threshold;
}

/* A depth-first walk over the nodes of a list, along moves or against them. */
typedef struct {
  const uint32_t *first, *next;
  uint8_t *waits; /* [nodes] 1 if the node is in the list and not reached yet */
  uint32_t *way, *edge;
} walk;

/* Writes the nodes that are reached from `root`, each after those that were reached from it. */
static uint32_t list_reached_nodes(const walk *w, uint32_t root, uint32_t *out) {
  uint32_t ways = 0, used = 0;
  uint32_t node = root;
  while (true) {
    if (w->waits[node]) {
      w->waits[node] = 0;
      w->edge[ways] = w->first[node / 2];
      w->way[ways++] = node;
    }
    while (ways > 0 && w->edge[ways - 1] == w->first[w->way[ways - 1] / 2 + 1]) out[used++] = w->way[--ways];
    if (ways == 0) return used;
    node = 2 * w->next[w->edge[ways - 1]++] + !(w->way[ways - 1] % 2);
  }
}

/* Orders a list of n nodes by parts, each after the parts to which it leads, and returns the number of parts.
 * Part i ends before ordered[ends[i]]. */
static uint32_t find_parts(question *q, const uint32_t *list, uint32_t n, uint32_t *ordered, uint32_t *ends) {
  arena *a = &q->arena;
  const arena_mark mark = arena_here(a);
  uint32_t *back = arena_allocate(a, n, sizeof *back), parts = 0;
  walk w = {q->moves->back_first, q->moves->parent, q->waits, arena_allocate(a, n, sizeof *w.way),
            arena_allocate(a, n, sizeof *w.edge)};
  if (!a->error) {
    for (uint32_t i = 0; i < n; i++) w.waits[list[i]] = 1;
    for (uint32_t i = 0, used = 0; i < n; i++)
      if (w.waits[list[i]]) used += list_reached_nodes(&w, list[i], back + used);
    w.first = q->moves->first;
    w.next = q->moves->child;
    for (uint32_t i = 0; i < n; i++) w.waits[list[i]] = 1;
    for (uint32_t i = n, used = 0; i-- > 0;) {
      if (!w.waits[back[i]]) continue;
      used += list_reached_nodes(&w, back[i], ordered + used);
      ends[parts++] = used;
    }
  }
  arena_return(a, mark);
  return parts;
}

/* Fills node i of a part. Returns its winner if a converting move or one to a known winner decides it,
 * otherwise NO_SIDE. */
static uint8_t fill_node(const question *q, uint32_t node, uint32_t i, lines_part *part) {
  const lines_moves *moves = q->moves;
  const uint8_t mover = mover_of(node);
  uint8_t winner = NO_SIDE;
  part->mover[i] = mover;
  part->payee[i] = is_enough(q, node, moves->pays[node / 2]) ? mover : other_side(mover);
  part->doubt[i] = 0;
  uint32_t edge = part->first[i];
  if (is_enough(q, node, moves->gives[q->most != (node % 2)][node / 2])) winner = mover;
  for (uint32_t e = moves->first[node / 2]; e < moves->first[node / 2 + 1]; e++) {
    const uint32_t to = 2 * moves->child[e] + !(node % 2);
    if (q->place[to] != NOWHERE) {
      part->child[edge++] = q->place[to];
    } else if (q->winner[to] == NO_SIDE) {
      part->doubt[i] = 1;
    } else if (q->winner[to] == mover) {
      winner = mover;
    }
  }
  part->first[i + 1] = edge;
  return winner;
}

static tauler_error fill_nodes(question *q, const uint32_t *nodes, uint32_t n, lines_part *part,
                               uint8_t *winner) {
  arena *a = &q->arena;
  const uint32_t *first = q->moves->first;
  uint64_t moves = 0;
  for (uint32_t i = 0; i < n; i++) moves += first[nodes[i] / 2 + 1] - first[nodes[i] / 2];
  *part = (lines_part){.used = n,
                       .first = arena_allocate(a, (uint64_t)n + 1, sizeof *part->first),
                       .child = arena_allocate(a, moves, sizeof *part->child),
                       .mover = arena_allocate(a, n, 1),
                       .payee = arena_allocate(a, n, 1),
                       .doubt = arena_allocate(a, n, 1)};
  if (a->error) return a->error;
  for (uint32_t i = 0; i < n; i++) q->place[nodes[i]] = i;
  part->first[0] = 0;
  for (uint32_t i = 0; i < n; i++) winner[i] = fill_node(q, nodes[i], i, part);
  for (uint32_t i = 0; i < n; i++) q->place[nodes[i]] = NOWHERE;
  return TAULER_OK;
}

/* Moves the nodes without a winner to the front of the list, and returns their number. */
static uint32_t note_winners(question *q, uint32_t *nodes, uint32_t n, const uint8_t *winner) {
  uint32_t open = 0;
  for (uint32_t i = 0; i < n; i++) {
    q->winner[nodes[i]] = winner[i];
    if (winner[i] == NO_SIDE) nodes[open++] = nodes[i];
  }
  return open;
}

static void solve_nodes(question *q, uint32_t *nodes, uint32_t n);

/* If some nodes can be settled, divides the others into smaller parts; if none can, follows lines. */
static void solve_part(question *q, uint32_t *nodes, uint32_t n) {
  arena *a = &q->arena;
  const arena_mark mark = arena_here(a);
  lines_part part;
  uint8_t *winner = arena_allocate(a, n, 1);
  uint32_t *by = arena_allocate(a, n, sizeof *by), open = 0;
  if (!fill_nodes(q, nodes, n, &part, winner)) {
    lines_settle(&part, winner, by);
    open = note_winners(q, nodes, n, winner);
    if (open == n) {
      a->error = lines_follow(&part, a, q->budget, winner);
      note_winners(q, nodes, n, winner);
    }
  }
  arena_return(a, mark);
  if (open < n && !a->error) solve_nodes(q, nodes, open);
}

static void solve_nodes(question *q, uint32_t *nodes, uint32_t n) {
  arena *a = &q->arena;
  const arena_mark mark = arena_here(a);
  uint32_t *ordered = arena_allocate(a, n, sizeof *ordered), *ends = arena_allocate(a, n, sizeof *ends);
  const uint32_t parts = a->error ? 0 : find_parts(q, nodes, n, ordered, ends);
  for (uint32_t i = 0, from = 0; i < parts && !a->error; from = ends[i++])
    solve_part(q, ordered + from, ends[i] - from);
  arena_return(a, mark);
}

static void search_threshold(question *q) {
  uint32_t open = 0;
  for (uint32_t node = 0; node < 2 * q->moves->n; node++) {
    const int lower = q->bounds[0][node / 2], upper = q->bounds[1][node / 2];
    const uint8_t mover = mover_of(node);
    q->winner[node] = NO_SIDE;
    if (is_enough(q, node, lower)) q->winner[node] = mover;
    if (!is_enough(q, node, upper)) q->winner[node] = other_side(mover);
    if (q->winner[node] == NO_SIDE) q->list[open++] = node;
  }
  solve_nodes(q, q->list, open);
}

/* Tightens the bounds by the winners. `less` is the most that a side gets if it does not reach the threshold.
 * sure[0] is true if SIDE_REACHES wins whatever conversions give, sure[1] if SIDE_PREVENTS does. */
static void narrow_bounds(const question *q, int less, const bool sure[2], int8_t *lower, int8_t *upper) {
  const int t = q->threshold;
  for (uint32_t node = 0; node < 2 * q->moves->n; node++) {
    int8_t *low = &lower[node / 2], *high = &upper[node / 2];
    const bool reaches = q->winner[node] == SIDE_REACHES && sure[0],
               prevents = q->winner[node] == SIDE_PREVENTS && sure[1];
    if (node % 2 == 0 && reaches && *low < t) *low = (int8_t)t;
    if (node % 2 == 0 && prevents && *high > less) *high = (int8_t)less;
    if (node % 2 && reaches && *high > -t) *high = (int8_t)-t;
    if (node % 2 && prevents && *low < -less) *low = (int8_t)-less;
  }
}

static void find_thresholds(const lines_moves *moves, bool seen[THRESHOLDS]) {
  for (uint32_t i = 0; i < moves->n; i++) {
    seen[abs(moves->pays[i])] = true;
    for (int most = 0; most < 2; most++)
      if (moves->gives[most][i] != INT8_MIN) seen[abs(moves->gives[most][i])] = true;
  }
}

static void search_thresholds(question *q, int8_t *lower, int8_t *upper) {
  const lines_moves *moves = q->moves;
  bool seen[THRESHOLDS] = {false};
  find_thresholds(moves, seen);
  const bool one = memcmp(moves->gives[0], moves->gives[1], moves->n) == 0;
  int below = 0;
  for (int t = 1; t < THRESHOLDS; t++) {
    if (!seen[t]) continue;
    const int less = below == 0 && !seen[0] ? -t : below;
    q->threshold = below = t;
    for (int most = 0; most < (one ? 1 : 2); most++) {
      q->most = most;
      search_threshold(q);
      if (q->arena.error) return;
      narrow_bounds(q, less, (const bool[]){one || !most, one || most}, lower, upper);
    }
  }
}

static void list_search_arrays(question *q) {
  const uint64_t n = q->moves->n;
  for (int plane = 0; plane < 2; plane++) q->bounds[plane] = arena_allocate(&q->arena, n, 1);
  q->winner = arena_allocate(&q->arena, 2 * n, 1);
  q->waits = arena_allocate(&q->arena, 2 * n, 1);
  q->place = arena_allocate(&q->arena, 2 * n, sizeof *q->place);
  q->list = arena_allocate(&q->arena, 2 * n, sizeof *q->list);
}

tauler_error lines_search(const lines_moves *moves, memory_budget *memory, uint64_t budget, int8_t *lower,
                          int8_t *upper, tauler_message *message) {
  const uint64_t n = moves->n;
  if (n == 0 || memcmp(lower, upper, n) == 0) return TAULER_OK;
  question q = {.moves = moves, .budget = budget ? budget : LINES_BUDGET};
  arena_open(&q.arena, memory, "lines of play");
  list_search_arrays(&q);
  if (!q.arena.error) {
    memcpy(q.bounds[0], lower, n);
    memcpy(q.bounds[1], upper, n);
    memset(q.waits, 0, 2 * n);
    memset(q.place, 0xFF, 2 * n * sizeof *q.place);
    search_thresholds(&q, lower, upper);
  }
  const tauler_error error = q.arena.error;
  arena_close(&q.arena);
  return error ? tauler_fail(message, error, "no memory for lines of play: raise --memory") : TAULER_OK;
}
