/* Builds graphs of positions in an arena, settles their nodes and finds their parts. */
#include "lines/graph.h"

#include <string.h>

bool row_graph_new(row_graph *g, arena *a, uint32_t nodes, uint64_t moves) {
  g->used = nodes;
  g->id = arena_allocate(a, nodes, sizeof *g->id);
  g->first = arena_allocate(a, (size_t)nodes + 1, sizeof *g->first);
  g->back_first = arena_allocate(a, (size_t)nodes + 1, sizeof *g->back_first);
  g->child = arena_allocate(a, moves, sizeof *g->child);
  g->parent = arena_allocate(a, moves, sizeof *g->parent);
  g->left = arena_allocate(a, nodes, sizeof *g->left);
  g->by = arena_allocate(a, nodes, sizeof *g->by);
  g->traits = arena_allocate(a, nodes, 1);
  g->state = arena_allocate(a, nodes, 1);
  return !a->error;
}

void row_graph_seal(row_graph *g) {
  const uint32_t moves = g->first[g->used];
  memset(g->back_first, 0, ((size_t)g->used + 1) * sizeof *g->back_first);
  for (uint32_t e = 0; e < moves; e++) g->back_first[g->child[e] + 1]++;
  for (uint32_t i = 0; i < g->used; i++) g->back_first[i + 1] += g->back_first[i];
  for (uint32_t i = 0; i < g->used; i++) {
    for (uint32_t e = g->first[i]; e < g->first[i + 1]; e++) g->parent[g->back_first[g->child[e]]++] = i;
  }
  memmove(g->back_first + 1, g->back_first, g->used * sizeof *g->back_first);
  g->back_first[0] = 0;
  for (uint32_t i = 0; i < g->used; i++) {
    g->left[i] = (uint16_t)(g->first[i + 1] - g->first[i] + ((g->traits[i] & TRAIT_DOUBT) != 0));
    if (g->left[i] == 0 && g->state[i] == NODE_OPEN) g->state[i] = NODE_LOST;
  }
}

static bool pays_mover(uint8_t traits) {
  return ((traits & TRAIT_PAYS) != 0) == ((traits & TRAIT_SIDE) != 0);
}

bool row_graph_cut(row_graph *out, arena *a, const row_graph *g, const uint32_t *list, uint32_t n,
                   uint32_t end, uint32_t *place) {
  uint32_t used = 0;
  uint64_t moves = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (g->state[list[i]] != NODE_OPEN || list[i] == end) continue;
    place[list[i]] = used++;
    moves += g->first[list[i] + 1] - g->first[list[i]];
  }
  const bool made = row_graph_new(out, a, used, moves);
  if (made) {
    uint32_t node = 0, edge = 0;
    const bool wins = end != ROW_GRAPH_NONE && !pays_mover(g->traits[end]);
    for (uint32_t i = 0; i < n; i++) {
      if (place[list[i]] == ROW_GRAPH_NONE) continue;
      out->id[node] = g->id[list[i]];
      out->traits[node] = g->traits[list[i]];
      out->state[node] = NODE_OPEN;
      out->by[node] = ROW_GRAPH_NONE;
      out->first[node] = edge;
      for (uint32_t e = g->first[list[i]]; e < g->first[list[i] + 1]; e++) {
        if (g->child[e] == end && wins) out->state[node] = NODE_WON;
        if (place[g->child[e]] != ROW_GRAPH_NONE) out->child[edge++] = place[g->child[e]];
      }
      node++;
    }
    out->first[used] = edge;
    row_graph_seal(out);
  }
  for (uint32_t i = 0; i < n; i++) place[list[i]] = ROW_GRAPH_NONE;
  return made;
}

static uint32_t propagate_from(row_graph *g, uint32_t node, uint32_t *queue, uint32_t used) {
  const bool lost = g->state[node] == NODE_LOST;
  for (uint32_t e = g->back_first[node]; e < g->back_first[node + 1]; e++) {
    const uint32_t from = g->parent[e];
    if (g->state[from] != NODE_OPEN) continue;
    if (!lost && --g->left[from] > 0) continue;
    g->state[from] = lost ? NODE_WON : NODE_LOST;
    g->by[from] = node;
    queue[used++] = from;
  }
  return used;
}

static void propagate_queue(row_graph *g, uint32_t *queue, uint32_t used) {
  for (uint32_t i = 0; i < used; i++) used = propagate_from(g, queue[i], queue, used);
}

void row_graph_propagate(row_graph *g, uint32_t node, uint32_t *queue) {
  propagate_queue(g, queue, propagate_from(g, node, queue, 0));
}

static bool pays_same_side(const row_graph *g, uint32_t a, uint32_t b) {
  return !((g->traits[a] ^ g->traits[b]) & TRAIT_PAYS);
}

/* Sets *ways to the number of moves to open nodes that pay the same side. Returns true if the side that the
 * node pays can keep play in such nodes for one more move. */
static bool may_stay(const row_graph *g, uint32_t node, uint16_t *ways) {
  uint16_t same = 0, open = 0;
  for (uint32_t e = g->first[node]; e < g->first[node + 1]; e++) {
    if (g->state[g->child[e]] != NODE_OPEN) continue;
    open++;
    same = (uint16_t)(same + pays_same_side(g, node, g->child[e]));
  }
  *ways = same;
  if (pays_mover(g->traits[node])) return same > 0;
  return same == open && !(g->traits[node] & TRAIT_DOUBT);
}

static uint32_t drop_parents(const row_graph *g, uint32_t node, uint8_t *stays, uint16_t *ways,
                             uint32_t *queue, uint32_t used) {
  for (uint32_t e = g->back_first[node]; e < g->back_first[node + 1]; e++) {
    const uint32_t from = g->parent[e];
    if (!stays[from] || !pays_same_side(g, from, node)) continue;
    if (pays_mover(g->traits[from]) && --ways[from] > 0) continue;
    stays[from] = 0;
    queue[used++] = from;
  }
  return used;
}

static uint32_t find_way_to_stay(const row_graph *g, uint32_t node, const uint8_t *stays) {
  uint32_t e = g->first[node];
  while (!stays[g->child[e]] || !pays_same_side(g, node, g->child[e])) e++;
  return g->child[e];
}

/* Finds the regions in which a side can keep play among nodes that pay it. Marks their nodes as won or lost,
 * adds them to the queue and returns their number. */
static uint32_t find_regions(row_graph *g, uint8_t *stays, uint16_t *ways, uint32_t *queue) {
  uint32_t used = 0;
  for (uint32_t i = 0; i < g->used; i++) stays[i] = g->state[i] == NODE_OPEN;
  for (uint32_t i = 0; i < g->used; i++) {
    if (stays[i] && !may_stay(g, i, &ways[i])) queue[used++] = i;
  }
  for (uint32_t i = 0; i < used; i++) stays[queue[i]] = 0;
  for (uint32_t i = 0; i < used; i++) used = drop_parents(g, queue[i], stays, ways, queue, used);
  used = 0;
  for (uint32_t i = 0; i < g->used; i++) {
    if (!stays[i]) continue;
    const bool movers = pays_mover(g->traits[i]);
    g->state[i] = movers ? NODE_WON : NODE_LOST;
    if (movers) g->by[i] = find_way_to_stay(g, i, stays);
    queue[used++] = i;
  }
  return used;
}

bool row_graph_settle(row_graph *g, arena *a) {
  const arena_mark mark = arena_here(a);
  uint32_t *queue = arena_allocate(a, g->used, sizeof *queue);
  uint16_t *ways = arena_allocate(a, g->used, sizeof *ways);
  uint8_t *stays = arena_allocate(a, g->used, 1);
  bool changed = false;
  if (!a->error) {
    uint32_t used = 0;
    for (uint32_t i = 0; i < g->used; i++) {
      if (g->state[i] == NODE_WON || g->state[i] == NODE_LOST) queue[used++] = i;
    }
    do {
      changed = changed || used > 0;
      propagate_queue(g, queue, used);
      used = find_regions(g, stays, ways, queue);
    } while (used > 0);
  }
  arena_return(a, mark);
  return changed;
}

/* Tarjan's search for strongly connected parts, with its own stack instead of recursion. */
typedef struct {
  const row_graph *g;
  row_parts *out;
  uint32_t *number, *low, *edge, *way, *waiting;
  uint32_t numbered, ways, waits;
} part_search;

static void enter_node(part_search *s, uint32_t node) {
  s->number[node] = s->low[node] = ++s->numbered;
  s->edge[node] = s->g->first[node];
  s->way[s->ways++] = node;
  s->waiting[s->waits++] = node;
}

static void leave_node(part_search *s, uint32_t node) {
  s->ways--;
  if (s->ways > 0) {
    const uint32_t before = s->way[s->ways - 1];
    if (s->low[node] < s->low[before]) s->low[before] = s->low[node];
  }
  if (s->low[node] != s->number[node]) return;
  uint32_t other;
  do {
    other = s->waiting[--s->waits];
    s->low[other] = UINT32_MAX;
    s->out->order[s->out->visited++] = other;
  } while (other != node);
  s->out->part[++s->out->parts] = s->out->visited;
}

static void search_parts_from(part_search *s, uint32_t root) {
  enter_node(s, root);
  while (s->ways > 0) {
    const uint32_t node = s->way[s->ways - 1];
    if (s->edge[node] == s->g->first[node + 1]) {
      leave_node(s, node);
      continue;
    }
    const uint32_t next = s->g->child[s->edge[node]++];
    if (s->g->state[next] != NODE_OPEN) continue;
    if (!s->number[next]) {
      enter_node(s, next);
    } else if (s->low[next] != UINT32_MAX && s->number[next] < s->low[node]) {
      s->low[node] = s->number[next];
    }
  }
}

bool row_graph_parts(row_parts *out, arena *a, const row_graph *g, const uint8_t *wanted) {
  *out = (row_parts){.part = arena_allocate(a, (size_t)g->used + 1, sizeof *out->part),
                     .order = arena_allocate(a, g->used, sizeof *out->order)};
  const arena_mark mark = arena_here(a);
  part_search s = {.g = g, .out = out};
  uint32_t **const lists[] = {&s.number, &s.low, &s.edge, &s.way, &s.waiting};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
    *lists[i] = arena_allocate(a, g->used, sizeof **lists[i]);
  if (a->error) return false;
  memset(s.number, 0, g->used * sizeof *s.number);
  out->part[0] = 0;
  for (uint32_t i = 0; i < g->used; i++) {
    if (wanted[i] && g->state[i] == NODE_OPEN && !s.number[i]) search_parts_from(&s, i);
  }
  arena_return(a, mark);
  return true;
}
