/* Decides which side wins a node of a graph, by following lines of play. */
#include "analysis/history/search.h"

#include <string.h>

/* --- what is remembered --- */

enum { MEMO_SLOTS = 1 << 16, MEMO_BYTES = 64 << 20 };

/* Sets of nodes with what each is for who enters there. */
typedef struct memo_entry {
  uint32_t next; /* in the slot, 1 + its place; 0: none */
  uint32_t node;
  uint8_t state;
  uint64_t set[];
} memo_entry;

struct row_memo {
  uint32_t slots[MEMO_SLOTS];
  size_t words, entry_bytes, used, room;
  unsigned char *entries;
};

static memo_entry *entry_at(const row_memo *memo, uint32_t place) {
  return (memo_entry *)(void *)(memo->entries + (size_t)(place - 1) * memo->entry_bytes);
}

static void memo_begin(row_memo *memo, uint32_t nodes) {
  memset(memo->slots, 0, sizeof memo->slots);
  memo->words = ((size_t)nodes + 63) / 64;
  memo->entry_bytes = sizeof(memo_entry) + memo->words * sizeof(uint64_t);
  memo->used = 0;
  memo->room = MEMO_BYTES / memo->entry_bytes;
}

static void set_of(const row_memo *memo, const row_graph *g, uint64_t *set) {
  memset(set, 0, memo->words * sizeof *set);
  for (uint32_t i = 0; i < g->used; i++) set[g->id[i] / 64] |= UINT64_C(1) << (g->id[i] % 64);
}

static uint32_t slot_of(const row_memo *memo, const uint64_t *set, uint32_t node) {
  uint64_t hash = node;
  for (size_t i = 0; i < memo->words; i++) {
    hash = (hash ^ set[i]) * UINT64_C(0x9E3779B97F4A7C15);
    hash ^= hash >> 29;
  }
  return (uint32_t)(hash % MEMO_SLOTS);
}

static node_state memo_find(const row_memo *memo, const uint64_t *set, uint32_t node) {
  for (uint32_t place = memo->slots[slot_of(memo, set, node)]; place;) {
    const memo_entry *entry = entry_at(memo, place);
    if (entry->node == node && memcmp(entry->set, set, memo->words * sizeof *set) == 0)
      return (node_state)entry->state;
    place = entry->next;
  }
  return NODE_OPEN;
}

static void memo_keep(row_memo *memo, const uint64_t *set, uint32_t node, node_state state) {
  if (memo->used == memo->room) return;
  uint32_t *slot = &memo->slots[slot_of(memo, set, node)];
  memo_entry *entry = entry_at(memo, (uint32_t)++memo->used);
  *entry = (memo_entry){.next = *slot, .node = node, .state = (uint8_t)state};
  memcpy(entry->set, set, memo->words * sizeof *set);
  *slot = (uint32_t)memo->used;
}

tauler_error row_search_open(row_search *s, memory_budget *memory, tauler_message *message) {
  *s = (row_search){.left = 0};
  arena_open(&s->arena, memory);
  tauler_error error = memory_take(memory, sizeof *s->memo, "lines of play", &s->memo, message);
  if (!error) error = memory_take(memory, MEMO_BYTES, "lines of play", &s->memo->entries, message);
  if (error) row_search_close(s);
  return error;
}

void row_search_close(row_search *s) {
  memory_budget *memory = s->arena.memory;
  if (s->memo) memory_give(memory, s->memo->entries);
  memory_give(memory, s->memo);
  s->memo = NULL;
  arena_close(&s->arena);
}

/* --- lines of play --- */

static bool spend(row_search *s, uint32_t nodes) {
  s->looked += nodes;
  if (s->left < nodes) {
    s->left = 0;
    return false;
  }
  s->left -= nodes;
  return true;
}

static void find_wanted(row_search *s, row_graph *g, const uint8_t *wanted, uint8_t *found, int depth);

/* The moves of `node` one by one, in what is left of the part when it has become an end. */
static node_state try_moves(row_search *s, const row_graph *part, uint32_t node, row_graph *rest,
                            const uint32_t *place, int depth) {
  uint8_t *wanted = arena_take(&s->arena, rest->used, 1);
  uint8_t *found = arena_take(&s->arena, rest->used, 1);
  uint8_t *state = arena_take(&s->arena, rest->used, 1);
  uint8_t *traits = arena_take(&s->arena, rest->used, 1);
  uint16_t *left = arena_take(&s->arena, rest->used, sizeof *left);
  if (s->arena.error) return NODE_OPEN;
  node_state best = NODE_LOST;
  for (uint32_t e = part->first[node]; e < part->first[node + 1]; e++) {
    const node_state known = (node_state)rest->state[place[part->child[e]]];
    if (known == NODE_LOST) return NODE_WON;
    if (known == NODE_OPEN) best = NODE_OPEN;
  }
  if (best == NODE_LOST) return best;
  memcpy(state, rest->state, rest->used);
  memcpy(traits, rest->traits, rest->used);
  memcpy(left, rest->left, rest->used * sizeof *left);
  memset(wanted, 0, rest->used);
  best = NODE_LOST;
  for (uint32_t e = part->first[node]; e < part->first[node + 1] && !s->arena.error; e++) {
    const uint32_t child = place[part->child[e]];
    if (state[child] != NODE_OPEN) continue;
    memcpy(rest->state, state, rest->used);
    memcpy(rest->traits, traits, rest->used);
    memcpy(rest->left, left, rest->used * sizeof *left);
    wanted[child] = 1;
    find_wanted(s, rest, wanted, found, depth);
    wanted[child] = 0;
    if (found[child] == NODE_LOST) return NODE_WON;
    if (found[child] == NODE_OPEN) best = NODE_OPEN;
    if (best == NODE_OPEN && s->left == 0) break;
  }
  return best;
}

/* An end that pays one side can only help it. So if the side, entering the part at those nodes to which a
 * node leads that pays it, would get what it wants without that end, it gets it with it. */
static node_state judge(const row_graph *part, uint32_t node, bool one_is_lost, bool all_are_won) {
  if (row_graph_is_movers(part->traits[node])) return one_is_lost ? NODE_WON : NODE_OPEN;
  return all_are_won ? NODE_LOST : NODE_OPEN;
}

static node_state judge_by_moves(const row_search *s, const row_graph *part, uint32_t node,
                                 const uint64_t *set) {
  bool one_is_lost = false, all_are_won = true;
  for (uint32_t e = part->first[node]; e < part->first[node + 1]; e++) {
    const node_state child = memo_find(s->memo, set, part->id[part->child[e]]);
    one_is_lost = one_is_lost || child == NODE_LOST;
    all_are_won = all_are_won && child == NODE_WON;
  }
  return judge(part, node, one_is_lost, all_are_won);
}

/* What a node of a part is for who enters there. */
static node_state enter_part(row_search *s, const row_graph *part, uint32_t node, int depth) {
  if (depth >= s->deepest) {
    s->cut_short = true;
    return NODE_OPEN;
  }
  if (!spend(s, part->used)) return NODE_OPEN;
  const arena_mark mark = arena_here(&s->arena);
  uint64_t *set = arena_take(&s->arena, s->memo->words, sizeof *set);
  uint32_t *list = arena_take(&s->arena, part->used, sizeof *list);
  uint32_t *place = arena_take(&s->arena, part->used, sizeof *place);
  node_state state = NODE_OPEN;
  if (!s->arena.error) {
    set_of(s->memo, part, set);
    state = memo_find(s->memo, set, part->id[node]);
    if (state == NODE_OPEN) state = judge_by_moves(s, part, node, set);
  }
  if (state == NODE_OPEN && !s->arena.error) {
    row_graph rest;
    for (uint32_t i = 0; i < part->used; i++) list[i] = i;
    memset(place, 0xFF, part->used * sizeof *place);
    if (row_graph_cut(&rest, &s->arena, part, list, part->used, node, place)) {
      for (uint32_t i = 0; i < part->used; i++) place[i] = i < node ? i : i - 1;
      row_graph_settle(&rest, &s->arena);
      state = try_moves(s, part, node, &rest, place, depth + 1);
      if (state != NODE_OPEN) memo_keep(s->memo, set, part->id[node], state);
    }
  }
  arena_return(&s->arena, mark);
  return state;
}

static void look_up(row_search *s) {
  if (s->checkpoints && s->checkpoints->stop && s->checkpoints->stop(s->checkpoints->user))
    s->arena.error = TAULER_STOPPED;
}

/* The same for what is known of a part, and the other way round: if a side does not get what it wants though
 * the node pays it, then neither does it at those that the node leads to. */
static bool judge_at(const row_graph *part, uint32_t node, uint8_t *states) {
  bool one_is_lost = false, all_are_won = true, changed = false;
  for (uint32_t e = part->first[node]; e < part->first[node + 1]; e++) {
    one_is_lost = one_is_lost || states[part->child[e]] == NODE_LOST;
    all_are_won = all_are_won && states[part->child[e]] == NODE_WON;
  }
  if (states[node] == NODE_OPEN) {
    states[node] = (uint8_t)judge(part, node, one_is_lost, all_are_won);
    return states[node] != NODE_OPEN;
  }
  if (!row_graph_is_movers(part->traits[node]) || states[node] != NODE_LOST) return false;
  for (uint32_t e = part->first[node]; e < part->first[node + 1]; e++) {
    uint8_t *child = &states[part->child[e]];
    changed = changed || *child == NODE_OPEN;
    if (*child == NODE_OPEN) *child = NODE_WON;
  }
  return changed;
}

static void judge_all(const row_graph *part, uint8_t *states) {
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = 0; i < part->used; i++) changed = judge_at(part, i, states) || changed;
  }
}

static void keep_all(row_search *s, const row_graph *part, const uint8_t *states) {
  const arena_mark mark = arena_here(&s->arena);
  uint64_t *set = arena_take(&s->arena, s->memo->words, sizeof *set);
  if (s->arena.error) return;
  set_of(s->memo, part, set);
  for (uint32_t i = 0; i < part->used; i++) {
    if (states[i] != NODE_OPEN && memo_find(s->memo, set, i) == NODE_OPEN)
      memo_keep(s->memo, set, i, (node_state)states[i]);
  }
  arena_return(&s->arena, mark);
}

static void enter_at_depth(row_search *s, const row_graph *part, const uint8_t *entries, uint8_t *states,
                           uint64_t *budgets) {
  for (uint32_t i = 0; i < part->used && !s->arena.error; i++) {
    if (!entries[i] || states[i] != NODE_OPEN || budgets[i] == 0) continue;
    s->left = budgets[i];
    s->cut_short = false;
    states[i] = (uint8_t)enter_part(s, part, i, 0);
    budgets[i] = s->cut_short ? s->left : 0;
    look_up(s);
    if (states[i] == NODE_OPEN) continue;
    judge_all(part, states);
    keep_all(s, part, states);
  }
}

/* Few moves deep first: a short proof may stand behind a long line, and tell of other nodes. */
static void enter_first(row_search *s, row_graph *part, const uint8_t *entries, uint8_t *states) {
  static const int depths[] = {1, 2, 3, OWN_ROW_ANY_DEPTH};
  const arena_mark mark = arena_here(&s->arena);
  uint64_t *budgets = arena_take(&s->arena, part->used, sizeof *budgets);
  for (uint32_t i = 0; i < part->used; i++) part->id[i] = i;
  memo_begin(s->memo, part->used);
  memset(states, NODE_OPEN, part->used);
  for (uint32_t i = 0; i < part->used && !s->arena.error; i++) budgets[i] = s->effort->budget;
  for (size_t d = 0; d < sizeof depths / sizeof *depths && !s->arena.error; d++) {
    s->deepest = depths[d] < s->effort->depth ? depths[d] : s->effort->depth;
    enter_at_depth(s, part, entries, states, budgets);
    if (s->deepest == s->effort->depth) break;
  }
  arena_return(&s->arena, mark);
}

static void enter_everywhere(row_search *s, row_graph *part, const uint8_t *entries, uint8_t *found,
                             int depth) {
  bool doubt = false;
  memset(found, NODE_OPEN, part->used);
  for (uint32_t i = 0; i < part->used && !doubt; i++) doubt = part->traits[i] & TRAIT_DOUBT;
  if (doubt) return;
  if (depth == 0) {
    enter_first(s, part, entries, found);
    return;
  }
  for (uint32_t i = 0; i < part->used && !s->arena.error; i++) {
    if (entries[i]) found[i] = (uint8_t)enter_part(s, part, i, depth);
  }
}

/* Nodes of a part that are wanted or that others lead to. */
static uint32_t find_entries(const row_graph *g, const uint8_t *wanted, const uint32_t *list, uint32_t n,
                             const uint32_t *place, uint8_t *entries) {
  uint32_t used = 0;
  for (uint32_t i = 0; i < n; i++) {
    const uint32_t node = list[i];
    if (g->state[node] != NODE_OPEN) continue;
    uint8_t entry = wanted[node];
    for (uint32_t e = g->back_first[node]; e < g->back_first[node + 1] && !entry; e++)
      entry = g->state[g->parent[e]] == NODE_OPEN && place[g->parent[e]] == ROW_GRAPH_NONE;
    entries[used++] = entry;
  }
  return used;
}

static void propagate_entry(row_graph *g, uint32_t node, node_state state, const uint32_t *place,
                            uint32_t *queue) {
  for (uint32_t e = g->back_first[node]; e < g->back_first[node + 1]; e++) {
    const uint32_t from = g->parent[e];
    if (place[from] != ROW_GRAPH_NONE || g->state[from] != NODE_OPEN) continue;
    if (state == NODE_OPEN) {
      g->traits[from] |= TRAIT_DOUBT;
      continue;
    }
    if (state == NODE_WON && --g->left[from] > 0) continue;
    g->state[from] = state == NODE_WON ? NODE_LOST : NODE_WON;
    row_graph_propagate(g, from, queue);
  }
}

/* What a part is worth where it is entered; it is taken out and what leads to it told. */
static void find_part(row_search *s, row_graph *g, const uint32_t *list, uint32_t n, const uint8_t *wanted,
                      uint8_t *found, uint32_t *place, int depth) {
  const arena_mark mark = arena_here(&s->arena);
  uint8_t *entries = arena_take(&s->arena, n, 1), *worth = arena_take(&s->arena, n, 1);
  uint32_t *nodes = arena_take(&s->arena, n, sizeof *nodes),
           *queue = arena_take(&s->arena, g->used, sizeof *queue);
  row_graph part;
  if (s->arena.error) return;
  uint32_t used = 0;
  for (uint32_t i = 0; i < n; i++) {
    if (g->state[list[i]] == NODE_OPEN) nodes[used++] = list[i];
  }
  for (uint32_t i = 0; i < used; i++) place[nodes[i]] = i;
  find_entries(g, wanted, nodes, used, place, entries);
  for (uint32_t i = 0; i < used; i++) place[nodes[i]] = ROW_GRAPH_NONE;
  if (used > 0 && row_graph_cut(&part, &s->arena, g, nodes, used, ROW_GRAPH_NONE, place)) {
    const bool changed = row_graph_settle(&part, &s->arena);
    memset(worth, NODE_OPEN, used);
    if (used < n || changed) {
      find_wanted(s, &part, entries, worth, depth);
    } else {
      enter_everywhere(s, &part, entries, worth, depth);
    }
    for (uint32_t i = 0; i < used; i++) place[nodes[i]] = i;
    for (uint32_t i = 0; i < used && !s->arena.error; i++) {
      if (wanted[nodes[i]]) found[nodes[i]] = worth[i];
      if (entries[i]) propagate_entry(g, nodes[i], (node_state)worth[i], place, queue);
    }
    for (uint32_t i = 0; i < used; i++) g->state[nodes[i]] = NODE_GONE;
    for (uint32_t i = 0; i < used; i++) place[nodes[i]] = ROW_GRAPH_NONE;
  }
  arena_return(&s->arena, mark);
}

/* Strongly connected ones, or all that is open as one. */
static bool find_parts(row_search *s, row_parts *out, const row_graph *g, const uint8_t *wanted) {
  if (s->effort->parts) return row_graph_parts(out, &s->arena, g, wanted);
  *out = (row_parts){.parts = 1,
                     .part = arena_take(&s->arena, 2, sizeof *out->part),
                     .order = arena_take(&s->arena, g->used, sizeof *out->order)};
  if (s->arena.error) return false;
  for (uint32_t i = 0; i < g->used; i++) {
    if (g->state[i] == NODE_OPEN) out->order[out->visited++] = i;
  }
  out->part[0] = 0;
  out->part[1] = out->visited;
  return true;
}

static void find_wanted(row_search *s, row_graph *g, const uint8_t *wanted, uint8_t *found, int depth) {
  const arena_mark mark = arena_here(&s->arena);
  row_parts parts;
  uint32_t *place = arena_take(&s->arena, g->used, sizeof *place);
  for (uint32_t i = 0; i < g->used; i++) {
    if (wanted[i]) found[i] = NODE_OPEN;
  }
  if (!s->arena.error && find_parts(s, &parts, g, wanted)) {
    memset(place, 0xFF, g->used * sizeof *place);
    for (uint32_t p = 0; p < parts.parts && !s->arena.error; p++)
      find_part(s, g, parts.order + parts.part[p], parts.part[p + 1] - parts.part[p], wanted, found, place,
                depth);
  }
  for (uint32_t i = 0; i < g->used; i++) {
    if (wanted[i] && (g->state[i] == NODE_WON || g->state[i] == NODE_LOST)) found[i] = g->state[i];
  }
  arena_return(&s->arena, mark);
}

tauler_error row_search_find(row_search *s, row_graph *g, const uint8_t *wanted, uint8_t *found) {
  s->arena.error = TAULER_OK;
  find_wanted(s, g, wanted, found, 0);
  return s->arena.error;
}
