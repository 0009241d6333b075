/* Stores proofs about a part of a graph and says where they hold. */
#include "lines/search.h"

#include <string.h>

enum { WORD = 64 };

/* A proof that a side wins at a node. The side moves to the nodes of the set `needs`, so they must be left.
 * The nodes of a second set, which follows in memory, must not be left. */
typedef struct {
  uint32_t next; /* 1 + place of the next proof of the same node and side, or 0 */
  uint32_t unused;
  uint64_t needs[];
} row_proof;

void row_proofs_begin(row_proofs *proofs, arena *a, uint32_t nodes) {
  proofs->words = ((size_t)nodes + WORD - 1) / WORD;
  proofs->entry_bytes = sizeof(row_proof) + 2 * proofs->words * sizeof(uint64_t);
  proofs->used = 0;
  proofs->room = ROW_PROOF_BYTES / proofs->entry_bytes;
  proofs->newest = arena_allocate(a, (size_t)nodes * 2, sizeof *proofs->newest);
  if (!a->error) memset(proofs->newest, 0, (size_t)nodes * 2 * sizeof *proofs->newest);
}

static row_proof *proof_at(const row_proofs *proofs, uint32_t place) {
  return (row_proof *)(void *)(proofs->entries + (size_t)(place - 1) * proofs->entry_bytes);
}

static uint64_t *allocate_set(arena *a, size_t words) {
  uint64_t *set = arena_allocate(a, words, sizeof *set);
  if (set) memset(set, 0, words * sizeof *set);
  return set;
}

static int mover(const row_graph *g, uint32_t node) {
  return (g->traits[node] & TRAIT_SIDE) != 0;
}

static void fill_sets(row_view *view) {
  const row_graph *rest = &view->rest;
  for (uint32_t i = 0; i < rest->used; i++) {
    view->place[rest->id[i]] = i;
    set_bit(view->left, rest->id[i]);
    if (rest->state[i] == NODE_OPEN) continue;
    set_bit(view->won[mover(rest, i) == (rest->state[i] == NODE_WON)], rest->id[i]);
  }
}

bool row_view_open(row_view *view, arena *a, const row_graph *whole, const row_graph *g, uint32_t node) {
  const size_t words = ((size_t)whole->used + WORD - 1) / WORD;
  uint32_t *list = arena_allocate(a, g->used, sizeof *list);
  *view = (row_view){.whole = whole,
                     .end = g->id[node],
                     .pays = (g->traits[node] & TRAIT_PAYS) != 0,
                     .place = arena_allocate(a, whole->used, sizeof *view->place),
                     .left = allocate_set(a, words),
                     .won = {allocate_set(a, words), allocate_set(a, words)}};
  if (a->error) return false;
  for (uint32_t i = 0; i < g->used; i++) list[i] = i;
  memset(view->place, 0xFF, whole->used * sizeof *view->place);
  if (!row_graph_cut(&view->rest, a, g, list, g->used, node, view->place)) return false;
  row_graph_settle(&view->rest, a);
  if (!a->error) fill_sets(view);
  return !a->error;
}

/* AT_ONCE: no node that the proof forbids is left. SETTLED: some are left, but the side wins them by the
 * fixpoint, so that it does no harm if the other side moves to them. */
typedef enum { AT_ONCE, SETTLED } proof_use;

static bool proof_holds(const row_proofs *proofs, const row_proof *proof, const row_view *view, int side,
                        proof_use use) {
  const uint64_t *needs = proof->needs, *forbids = needs + proofs->words;
  for (size_t w = 0; w < proofs->words; w++) {
    const uint64_t end = w == view->end / WORD ? UINT64_C(1) << (view->end % WORD) : 0;
    uint64_t mine = view->left[w] & ~view->won[!side][w], theirs = view->left[w];
    if (use == SETTLED) theirs &= ~view->won[side][w];
    *(view->pays == side ? &mine : &theirs) |= end;
    if ((needs[w] & ~mine) || (forbids[w] & theirs)) return false;
  }
  return true;
}

static const row_proof *find_proof(const row_proofs *proofs, const row_view *view, uint32_t id, int side,
                                   proof_use *use) {
  for (uint32_t place = proofs->newest[2 * id + (uint32_t)side]; place;) {
    const row_proof *proof = proof_at(proofs, place);
    for (*use = AT_ONCE; *use <= SETTLED; ++*use)
      if (proof_holds(proofs, proof, view, side, *use)) return proof;
    place = proof->next;
  }
  return NULL;
}

bool row_proofs_say(const row_proofs *proofs, const row_view *view, uint32_t node, int side) {
  proof_use use;
  return find_proof(proofs, view, view->rest.id[node], side, &use) != NULL;
}

typedef struct {
  const row_proofs *proofs;
  const row_view *view;
  int side;
  uint64_t *needs, *forbids, *seen;
  uint32_t *queue; /* ids of settled nodes to which play leads */
  uint32_t used;
} derivation;

static void queue_node(derivation *d, uint32_t id) {
  if (has_bit(d->seen, id)) return;
  set_bit(d->seen, id);
  d->queue[d->used++] = id;
}

static void queue_won_children(derivation *d, uint32_t id) {
  const row_graph *whole = d->view->whole;
  for (uint32_t e = whole->first[id]; e < whole->first[id + 1]; e++)
    if (has_bit(d->view->won[d->side], whole->child[e])) queue_node(d, whole->child[e]);
}

/* Queues the settled nodes at which play can leave a proof. From there the side plays as the fixpoint says.
 */
static void queue_exits(derivation *d, const row_proof *proof, uint32_t id) {
  const uint64_t *won = d->view->won[d->side];
  if (mover(d->view->whole, id) != d->side) queue_won_children(d, id);
  for (uint32_t other = 0; other < d->view->whole->used; other++) {
    if (!has_bit(proof->needs, other)) continue;
    if (has_bit(won, other)) {
      queue_node(d, other);
    } else {
      queue_won_children(d, other);
    }
  }
}

/* Adds the needs of the proof at a node to which play leads. Returns false if no result is known there. */
static bool add_needs_of_node(derivation *d, uint32_t node) {
  const row_view *view = d->view;
  const uint32_t id = view->rest.id[node];
  if (view->rest.state[node] != NODE_OPEN) {
    queue_node(d, id);
    return true;
  }
  proof_use use;
  const row_proof *proof = find_proof(d->proofs, view, id, d->side, &use);
  if (!proof) return false;
  const size_t words = d->proofs->words;
  for (size_t w = 0; w < words; w++) {
    d->needs[w] |= proof->needs[w];
    d->forbids[w] |= proof->needs[words + w] & ~(use == SETTLED ? view->won[d->side][w] : 0);
  }
  if (use == SETTLED) queue_exits(d, proof, id);
  return true;
}

/* Adds the needs of the proof after each move of the other side. Nodes that the line has removed must not be
 * left where the new proof is used. Returns false if no result is known after a move. */
static bool add_needs_of_moves(derivation *d, uint32_t id) {
  const row_view *view = d->view;
  for (uint32_t e = view->whole->first[id]; e < view->whole->first[id + 1]; e++) {
    const uint32_t to = view->whole->child[e];
    if (view->place[to] == ROW_GRAPH_NONE) {
      set_bit(d->forbids, to);
    } else if (!add_needs_of_node(d, view->place[to])) {
      return false;
    }
  }
  return true;
}

static void follow_settled_nodes(derivation *d) {
  const row_graph *rest = &d->view->rest;
  for (uint32_t i = 0; i < d->used; i++) {
    const uint32_t id = d->queue[i], node = d->view->place[id];
    if (mover(rest, node) != d->side) {
      add_needs_of_moves(d, id);
    } else if (rest->by[node] != ROW_GRAPH_NONE) {
      set_bit(d->needs, rest->id[rest->by[node]]);
      queue_node(d, rest->id[rest->by[node]]);
    }
  }
}

bool row_proofs_keep(row_proofs *proofs, arena *a, const row_view *view, int side, uint32_t node) {
  if (proofs->used == proofs->room) return false;
  row_proof *proof = proof_at(proofs, (uint32_t)proofs->used + 1);
  const arena_mark mark = arena_here(a);
  derivation d = {.proofs = proofs,
                  .view = view,
                  .side = side,
                  .needs = proof->needs,
                  .forbids = proof->needs + proofs->words,
                  .seen = allocate_set(a, proofs->words),
                  .queue = arena_allocate(a, view->whole->used, sizeof *d.queue)};
  bool known = d.seen && d.queue;
  if (known) {
    memset(proof->needs, 0, 2 * proofs->words * sizeof *proof->needs);
    if (mover(view->whole, view->end) == side) {
      set_bit(d.needs, view->rest.id[node]);
      known = add_needs_of_node(&d, node);
    } else {
      known = add_needs_of_moves(&d, view->end);
    }
    follow_settled_nodes(&d);
    clear_bit(d.needs, view->end);
    clear_bit(d.forbids, view->end);
  }
  arena_return(a, mark);
  if (!known) return false;
  uint32_t *newest = &proofs->newest[2 * view->end + (uint32_t)side];
  proof->next = *newest;
  *newest = (uint32_t)++proofs->used;
  return true;
}
