/* The same exact values with fewer lines of play, so that seven seeds can be had.
 *
 * The question is asked for one side and threshold at a time: does the side end with so many seeds? Boards
 * are kept with whose turn it is. Where the nested fixpoint guarantees them to the side, or too many to its
 * opponent, the answer is known, whatever was met before: a line is cut when it first comes to such a board,
 * and whoever plays for a guarantee from there on meets only boards of that kind. Captures lead to boards
 * that are known exactly. Of the boards that are left, those that lead to each other make a part; a line that
 * goes from one part to another can never come back, so what it has met is of no more interest and the
 * history is fresh there. */
#include "naive_inside.h"
#include <stdlib.h>

enum { UNKNOWN = -1, DECIDED = -1 };

typedef struct {
  int rank;
  bool other; /* it is not the side's turn */
} node;

typedef struct {
  const naive_layer *layer;
  const naive_bounds *bounds; /* bounds of this layer. Those of smaller ones are exact */
  int threshold;
  int count;
  node *nodes;    /* that are not decided */
  int *number[2]; /* by `other` and rank: the node's, or DECIDED */
  bool *reaches;  /* [count · count]: from the first to the second */
  bool *met;
  int *gets; /* on a fresh history: false, true or UNKNOWN */
} zone;

static bool is_guaranteed(const zone *z, int rank, bool other) {
  const naive_bounds *own = &z->bounds[z->layer->seeds];
  return (other ? own->other[rank] : own->mover[rank]) >= z->threshold;
}

static bool is_denied(const zone *z, int rank, bool other) {
  const naive_bounds *own = &z->bounds[z->layer->seeds];
  return (other ? own->mover[rank] : own->other[rank]) > z->layer->seeds - z->threshold;
}

static bool own_row_suffices(const zone *z, node at) {
  int seeds = 0;
  for (int pit = 0; pit < 6; pit++) seeds += z->layer->boards[at.rank].pit[at.other ? pit + 6 : pit];
  return seeds >= z->threshold;
}

static bool side_gets(zone *z, int from);

static bool gets_fresh(zone *z, int from) {
  if (z->gets[from] == UNKNOWN) z->gets[from] = side_gets(z, from);
  return z->gets[from];
}

static bool gets_by(zone *z, int from, naive_edge edge) {
  const bool other = z->nodes[from].other;
  if (edge.captured > 0) {
    const naive_bounds *to = &z->bounds[z->layer->seeds - edge.captured];
    return (other ? to->mover[edge.child] : edge.captured + to->other[edge.child]) >= z->threshold;
  }
  const int next = z->number[!other][edge.child];
  if (next == DECIDED) return is_guaranteed(z, edge.child, !other);
  return z->reaches[next * z->count + from] ? side_gets(z, next) : gets_fresh(z, next);
}

/* With the boards met on this line. The side needs one good move, its opponent one that is not. */
static bool side_gets(zone *z, int from) {
  const node at = z->nodes[from];
  if (z->met[from]) return own_row_suffices(z, at);
  bool gets = at.other;
  z->met[from] = true;
  for (int e = 0; e < z->layer->edge_count[at.rank] && gets == at.other; e++)
    gets = gets_by(z, from, z->layer->edges[at.rank][e]);
  z->met[from] = false;
  return gets;
}

static void list_nodes(zone *z) {
  for (int other = 0; other < 2; other++) {
    for (int rank = 0; rank < z->layer->count; rank++) {
      z->number[other][rank] = DECIDED;
      if (is_guaranteed(z, rank, other) || is_denied(z, rank, other)) continue;
      z->number[other][rank] = z->count;
      z->nodes[z->count++] = (node){rank, other};
    }
  }
}

static void reach(zone *z, int start, int from) {
  const node at = z->nodes[from];
  for (int e = 0; e < z->layer->edge_count[at.rank]; e++) {
    const naive_edge edge = z->layer->edges[at.rank][e];
    const int next = edge.captured > 0 ? DECIDED : z->number[!at.other][edge.child];
    if (next == DECIDED || z->reaches[start * z->count + next]) continue;
    z->reaches[start * z->count + next] = true;
    reach(z, start, next);
  }
}

/* Raises what the movers are known to get. */
static void apply_threshold(const naive_layer *layer, const naive_bounds *bounds, int threshold,
                            int8_t *exact) {
  zone z = {.layer = layer, .bounds = bounds, .threshold = threshold};
  z.nodes = naive_allocate(2 * layer->count, sizeof *z.nodes);
  for (int other = 0; other < 2; other++) z.number[other] = naive_allocate(layer->count, sizeof **z.number);
  list_nodes(&z);
  z.reaches = calloc((size_t)z.count * (size_t)z.count + 1, sizeof *z.reaches); /* too much to be kept */
  if (z.reaches == NULL) abort();
  z.met = naive_allocate(z.count, sizeof *z.met);
  z.gets = naive_allocate(z.count, sizeof *z.gets);
  for (int n = 0; n < z.count; n++) reach(&z, n, n);
  for (int n = 0; n < z.count; n++) z.gets[n] = UNKNOWN;
  for (int rank = 0; rank < layer->count; rank++) {
    const int own = z.number[0][rank];
    if (own == DECIDED ? is_guaranteed(&z, rank, false) : gets_fresh(&z, own))
      exact[rank] = (int8_t)threshold;
  }
  free(z.reaches);
}

naive_bounds *naive_solve_own_row_search(const naive_game *game) {
  naive_bounds *bounds = naive_allocate(game->max_seeds + 1, sizeof *bounds);
  for (int seeds = 0; seeds <= game->max_seeds; seeds++) {
    const naive_layer *layer = &game->layers[seeds];
    int8_t *exact = naive_allocate(layer->count, sizeof *exact);
    naive_solve_own_row_layer(layer, bounds);
    for (int threshold = 1; threshold <= seeds; threshold++) apply_threshold(layer, bounds, threshold, exact);
    for (int rank = 0; rank < layer->count; rank++) {
      bounds[seeds].mover[rank] = exact[rank];
      bounds[seeds].other[rank] = (int8_t)(seeds - exact[rank]);
    }
  }
  return bounds;
}
