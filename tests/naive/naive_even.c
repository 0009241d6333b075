/* Values where infinite play is worth 0.
 *
 * For each k = 1 ... seeds, two sets are grown together from nothing: the boards whose mover can force k or
 * more by finite play, and those whose mover can be held to -k or less by finite play. A board's value is
 * the largest k of the sets it is in; a board in none of them is worth 0. */
#include "naive_inside.h"

typedef struct {
  const naive_layer *layer;
  const naive_scores *solved; /* all layers. Those with fewer seeds are final */
  int threshold;
  bool *forces; /* the mover can force threshold or more */
  bool *held;   /* the mover can be held to -threshold or less */
} sets;

/* The worth of a converting move for the side that makes it. */
static int converted_worth(const naive_scores *solved, const naive_layer *layer, naive_edge edge) {
  return edge.captured - solved[layer->seeds - edge.captured].value[edge.child];
}

static bool forces_now(const sets *s, int rank) {
  const naive_layer *layer = s->layer;
  if (layer->ended[rank]) return layer->net[rank] >= s->threshold;
  for (int e = 0; e < layer->edge_count[rank]; e++) {
    naive_edge edge = layer->edges[rank][e];
    bool good =
        edge.captured > 0 ? converted_worth(s->solved, layer, edge) >= s->threshold : s->held[edge.child];
    if (good) return true;
  }
  return false;
}

static bool held_now(const sets *s, int rank) {
  const naive_layer *layer = s->layer;
  if (layer->ended[rank]) return layer->net[rank] <= -s->threshold;
  for (int e = 0; e < layer->edge_count[rank]; e++) {
    naive_edge edge = layer->edges[rank][e];
    bool bad =
        edge.captured > 0 ? converted_worth(s->solved, layer, edge) <= -s->threshold : s->forces[edge.child];
    if (!bad) return false;
  }
  return true;
}

static bool sweep(sets *s) {
  bool changed = false;
  for (int rank = 0; rank < s->layer->count; rank++) {
    if (!s->forces[rank] && forces_now(s, rank)) s->forces[rank] = changed = true;
    if (!s->held[rank] && held_now(s, rank)) s->held[rank] = changed = true;
  }
  return changed;
}

static void apply_threshold(const naive_layer *layer, naive_scores *scores, int threshold) {
  sets s = {.layer = layer, .solved = scores, .threshold = threshold};
  s.forces = naive_allocate(layer->count, sizeof *s.forces);
  s.held = naive_allocate(layer->count, sizeof *s.held);
  while (sweep(&s)) continue;
  int8_t *value = scores[layer->seeds].value;
  for (int rank = 0; rank < layer->count; rank++) {
    if (s.forces[rank]) value[rank] = (int8_t)threshold;
    if (s.held[rank]) value[rank] = (int8_t)-threshold;
  }
}

static int worth(const naive_layer *layer, const naive_scores *scores, naive_edge edge) {
  if (edge.captured > 0) return converted_worth(scores, layer, edge);
  return -scores[layer->seeds].value[edge.child];
}

/* Returns whether a gain is done within the plies: the winner needs one best move that is, the loser must
 * have no best move that is not. */
static bool is_done_within(const naive_layer *layer, const naive_scores *scores, int rank, int plies) {
  int8_t value = scores[layer->seeds].value[rank];
  const int *depth = scores[layer->seeds].depth;
  for (int e = 0; e < layer->edge_count[rank]; e++) {
    naive_edge edge = layer->edges[rank][e];
    if (worth(layer, scores, edge) != value) continue;
    bool done = naive_done_within(edge, depth, plies - 1);
    if (value > 0 && done) return true;
    if (value < 0 && !done) return false;
  }
  return value < 0;
}

static bool mark_depth(const naive_layer *layer, naive_scores *scores, int plies) {
  bool changed = false;
  naive_scores *own = &scores[layer->seeds];
  for (int rank = 0; rank < layer->count; rank++) {
    if (own->value[rank] == 0 || own->depth[rank] != NAIVE_NO_DEPTH) continue;
    if (!is_done_within(layer, scores, rank, plies)) continue;
    own->depth[rank] = plies;
    changed = true;
  }
  return changed;
}

static void find_depths(const naive_layer *layer, naive_scores *scores) {
  int *depth = scores[layer->seeds].depth;
  for (int rank = 0; rank < layer->count; rank++) depth[rank] = layer->ended[rank] ? 0 : NAIVE_NO_DEPTH;
  for (int plies = 1; mark_depth(layer, scores, plies); plies++) continue;
}

naive_scores *naive_solve_even(const naive_game *game) {
  naive_scores *scores = naive_allocate(game->max_seeds + 1, sizeof *scores);
  for (int seeds = 0; seeds <= game->max_seeds; seeds++) {
    const naive_layer *layer = &game->layers[seeds];
    scores[seeds].value = naive_allocate(layer->count, sizeof *scores->value);
    scores[seeds].depth = naive_allocate(layer->count, sizeof *scores->depth);
    for (int threshold = 1; threshold <= seeds; threshold++) apply_threshold(layer, scores, threshold);
    find_depths(layer, scores);
  }
  return scores;
}
