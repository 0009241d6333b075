/* Decides which side wins a node of a graph, by following lines of play. */
#include "lines/search.h"

#include <string.h>

enum { MOST_DEPTH = 1 << 12 }; /* moves of the longest line, for which the C stack has room */

tauler_error row_search_open(row_search *s, memory_budget *memory, tauler_message *message) {
  *s = (row_search){.left = 0};
  arena_open(&s->arena, memory, "lines of play");
  return memory_allocate(memory, ROW_PROOF_BYTES, "lines of play", &s->proofs.entries, message);
}

void row_search_close(row_search *s) {
  memory_free(s->arena.memory, s->proofs.entries);
  arena_close(&s->arena);
}

static bool spend_budget(row_search *s, uint32_t nodes) {
  if (s->left < nodes) {
    s->left = 0;
    return false;
  }
  s->left -= nodes;
  return true;
}

static node_state find_entry_state(row_search *s, const row_graph *whole, const row_graph *g, uint32_t node,
                                   int depth);

typedef struct {
  uint32_t to;             /* node of view.rest to which the move leads */
  uint32_t reached, *list; /* number and list of the open nodes to which that node leads, with itself */
} row_move;

/* The situation when a line has entered a node, view.end. */
typedef struct {
  row_search *s;
  row_view view;
  int mover; /* side to move at the node: 1 is the side that is asked about */
  uint32_t used;
  row_move *moves; /* [used] moves to open nodes that no proof decides for the other side */
} row_moment;

/* Lists the node `from` and the open nodes to which it leads, and returns their number. `place` has room for
 * all nodes and is all ROW_GRAPH_NONE before and after. */
static uint32_t list_reached(const row_graph *g, uint32_t from, uint32_t *place, uint32_t *list) {
  uint32_t used = 0;
  list[used++] = from;
  place[from] = 0;
  for (uint32_t i = 0; i < used; i++) {
    for (uint32_t e = g->first[list[i]]; e < g->first[list[i] + 1]; e++) {
      const uint32_t to = g->child[e];
      if (g->state[to] != NODE_OPEN || place[to] != ROW_GRAPH_NONE) continue;
      place[to] = used;
      list[used++] = to;
    }
  }
  for (uint32_t i = 0; i < used; i++) place[list[i]] = ROW_GRAPH_NONE;
  return used;
}

/* Adds a move to the list, in which moves that reach fewer open nodes come first. Returns false if memory is
 * refused. */
static bool list_move(row_moment *m, uint32_t to) {
  arena *a = &m->s->arena;
  const row_graph *rest = &m->view.rest;
  uint32_t *place = arena_allocate(a, rest->used, sizeof *place),
           *list = arena_allocate(a, rest->used, sizeof *list);
  if (a->error) return false;
  memset(place, 0xFF, rest->used * sizeof *place);
  const uint32_t reached = list_reached(rest, to, place, list);
  uint32_t at = m->used++;
  for (; at > 0 && m->moves[at - 1].reached > reached; at--) m->moves[at] = m->moves[at - 1];
  m->moves[at] = (row_move){to, reached, list};
  return true;
}

static node_state keep_result(row_moment *m, int winner, uint32_t node) {
  if (!row_proofs_keep(&m->s->proofs, &m->s->arena, &m->view, winner, node)) return NODE_OPEN;
  return winner == m->mover ? NODE_WON : NODE_LOST;
}

/* Returns the result of a node if it is known without following moves. Otherwise lists the moves to follow
 * and returns NODE_OPEN. */
static node_state find_known_result(row_moment *m, const row_graph *g, uint32_t node) {
  const row_graph *rest = &m->view.rest;
  for (int known = 0; known < 2; known++) {
    for (uint32_t e = g->first[node]; e < g->first[node + 1]; e++) {
      const uint32_t to = m->view.place[g->id[g->child[e]]];
      if (known ? rest->state[to] == NODE_OPEN && row_proofs_say(&m->s->proofs, &m->view, to, m->mover)
                : rest->state[to] == NODE_LOST)
        return keep_result(m, m->mover, to);
    }
  }
  for (uint32_t e = g->first[node]; e < g->first[node + 1]; e++) {
    const uint32_t to = m->view.place[g->id[g->child[e]]];
    if (rest->state[to] != NODE_OPEN || row_proofs_say(&m->s->proofs, &m->view, to, !m->mover)) continue;
    if (!list_move(m, to)) return NODE_OPEN;
  }
  return m->used == 0 ? keep_result(m, !m->mover, ROW_GRAPH_NONE) : NODE_OPEN;
}

/* Returns the result of the node to which a move leads, for the mover of that node. */
static node_state follow_move(row_moment *m, row_move move, int depth) {
  row_search *s = m->s;
  row_graph sub;
  if (row_proofs_say(&s->proofs, &m->view, move.to, m->mover)) return NODE_LOST;
  if (row_proofs_say(&s->proofs, &m->view, move.to, !m->mover)) return NODE_WON;
  const arena_mark mark = arena_here(&s->arena);
  uint32_t *place = arena_allocate(&s->arena, m->view.rest.used, sizeof *place);
  node_state state = NODE_OPEN;
  if (!s->arena.error) {
    memset(place, 0xFF, m->view.rest.used * sizeof *place);
    if (row_graph_cut(&sub, &s->arena, &m->view.rest, move.list, move.reached, ROW_GRAPH_NONE, place))
      state = find_entry_state(s, m->view.whole, &sub, 0, depth);
  }
  arena_return(&s->arena, mark);
  return state;
}

static node_state try_moves(row_moment *m, int depth) {
  bool open = false;
  for (uint32_t i = 0; i < m->used && !m->s->arena.error; i++) {
    const node_state state = follow_move(m, m->moves[i], depth);
    if (state == NODE_LOST) return keep_result(m, m->mover, m->moves[i].to);
    if (state == NODE_OPEN) open = true;
    if (open && m->s->left == 0) break;
  }
  return open || m->s->arena.error ? NODE_OPEN : keep_result(m, !m->mover, ROW_GRAPH_NONE);
}

/* Returns the result of a node for its mover, if a line of `depth` moves enters it. `g` is the remainder of
 * the part `whole` after the line. */
static node_state find_entry_state(row_search *s, const row_graph *whole, const row_graph *g, uint32_t node,
                                   int depth) {
  if (depth >= MOST_DEPTH || !spend_budget(s, g->used)) return NODE_OPEN;
  arena *a = &s->arena;
  const arena_mark mark = arena_here(a);
  const uint32_t moves = g->first[node + 1] - g->first[node];
  row_moment m = {.s = s,
                  .mover = (g->traits[node] & TRAIT_SIDE) != 0,
                  .moves = arena_allocate(a, moves, sizeof *m.moves)};
  node_state state = NODE_OPEN;
  if (row_view_open(&m.view, a, whole, g, node)) {
    state = find_known_result(&m, g, node);
    if (state == NODE_OPEN && m.used > 0) state = try_moves(&m, depth + 1);
  }
  arena_return(a, mark);
  return state;
}

/* Finds the results of all entries, with a small budget first, since results that are found early shorten the
 * lines from other nodes. */
static void solve_all_entries(row_search *s, row_graph *part, const uint8_t *entries, uint8_t *states) {
  enum { FIRST = 10, STEP = 5 };
  const arena_mark mark = arena_here(&s->arena);
  for (uint32_t i = 0; i < part->used; i++) part->id[i] = i;
  row_proofs_begin(&s->proofs, &s->arena, part->used);
  for (int shift = FIRST; shift >= 0; shift -= STEP) {
    for (uint32_t i = 0; i < part->used && !s->arena.error; i++) {
      if (!entries[i] || states[i] != NODE_OPEN) continue;
      s->left = s->budget >> shift;
      states[i] = (uint8_t)find_entry_state(s, part, part, i, 0);
      if (s->job->stop && s->job->stop(s->job->user)) s->arena.error = TAULER_STOPPED;
    }
  }
  arena_return(&s->arena, mark);
}

static void solve_part(row_search *s, row_graph *part, const uint8_t *entries, uint8_t *found) {
  bool doubt = false;
  memset(found, NODE_OPEN, part->used);
  for (uint32_t i = 0; i < part->used && !doubt; i++) doubt = part->traits[i] & TRAIT_DOUBT;
  if (!doubt) solve_all_entries(s, part, entries, found);
}

/* Sets entries[i] for each node of a part: 1 if it is wanted or an open node outside the part leads to it. */
static void find_entries(const row_graph *g, const uint8_t *wanted, const uint32_t *nodes, uint32_t n,
                         uint32_t *place, uint8_t *entries) {
  for (uint32_t i = 0; i < n; i++) place[nodes[i]] = i;
  for (uint32_t i = 0; i < n; i++) {
    entries[i] = wanted[nodes[i]];
    for (uint32_t e = g->back_first[nodes[i]]; e < g->back_first[nodes[i] + 1] && !entries[i]; e++)
      entries[i] = g->state[g->parent[e]] == NODE_OPEN && place[g->parent[e]] == ROW_GRAPH_NONE;
  }
  for (uint32_t i = 0; i < n; i++) place[nodes[i]] = ROW_GRAPH_NONE;
}

static void propagate_entry(row_graph *g, uint32_t node, node_state state, uint32_t *queue) {
  for (uint32_t e = g->back_first[node]; e < g->back_first[node + 1]; e++) {
    const uint32_t from = g->parent[e];
    if (g->state[from] != NODE_OPEN) continue;
    if (state == NODE_OPEN) {
      g->traits[from] |= TRAIT_DOUBT;
      continue;
    }
    if (state == NODE_WON && --g->left[from] > 0) continue;
    g->state[from] = state == NODE_WON ? NODE_LOST : NODE_WON;
    row_graph_propagate(g, from, queue);
  }
}

static void settle_part(row_search *s, row_graph *g, const uint32_t *list, uint32_t n, const uint8_t *wanted,
                        uint8_t *found, uint32_t *place) {
  const arena_mark mark = arena_here(&s->arena);
  uint8_t *entries = arena_allocate(&s->arena, n, 1), *worth = arena_allocate(&s->arena, n, 1);
  uint32_t *nodes = arena_allocate(&s->arena, n, sizeof *nodes),
           *queue = arena_allocate(&s->arena, g->used, sizeof *queue);
  row_graph part;
  if (s->arena.error) return;
  uint32_t used = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (g->state[list[i]] == NODE_OPEN) nodes[used++] = list[i];
  }
  find_entries(g, wanted, nodes, used, place, entries);
  if (used > 0 && row_graph_cut(&part, &s->arena, g, nodes, used, ROW_GRAPH_NONE, place)) {
    const bool changed = row_graph_settle(&part, &s->arena);
    memset(worth, NODE_OPEN, used);
    if (used < n || changed) {
      row_search_find(s, &part, entries, worth);
    } else {
      solve_part(s, &part, entries, worth);
    }
    for (uint32_t i = 0; i < used; i++) g->state[nodes[i]] = NODE_GONE;
    for (uint32_t i = 0; i < used && !s->arena.error; i++) {
      if (wanted[nodes[i]]) found[nodes[i]] = worth[i];
      if (entries[i]) propagate_entry(g, nodes[i], (node_state)worth[i], queue);
    }
  }
  arena_return(&s->arena, mark);
}

void row_search_find(row_search *s, row_graph *g, const uint8_t *wanted, uint8_t *found) {
  const arena_mark mark = arena_here(&s->arena);
  row_parts parts;
  uint32_t *place = arena_allocate(&s->arena, g->used, sizeof *place);
  for (uint32_t i = 0; i < g->used; i++) {
    if (wanted[i]) found[i] = NODE_OPEN;
  }
  if (!s->arena.error && s->budget && row_graph_parts(&parts, &s->arena, g, wanted)) {
    memset(place, 0xFF, g->used * sizeof *place);
    for (uint32_t p = 0; p < parts.parts && !s->arena.error; p++)
      settle_part(s, g, parts.order + parts.part[p], parts.part[p + 1] - parts.part[p], wanted, found, place);
  }
  for (uint32_t i = 0; i < g->used; i++) {
    if (wanted[i] && (g->state[i] == NODE_WON || g->state[i] == NODE_LOST)) found[i] = g->state[i];
  }
  arena_return(&s->arena, mark);
}
