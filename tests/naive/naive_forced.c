/* The seeds that each side forces by play that ends, whatever infinite play is worth.
 *
 * For each k = 1 ... seeds, two sets are grown together from nothing: the boards whose mover can force k
 * seeds or more for itself, and those whose opponent can. A capture ends play in the layer: the captured
 * seeds are added to what is guaranteed in the smaller one. */
#include "naive_inside.h"

typedef struct {
  naive_goal goal;
  bool *mover; /* the mover can force threshold seeds */
  bool *other; /* the opponent can */
} sets;

static bool is_in(const void *user, int child, bool other) {
  const sets *s = user;
  return other ? s->other[child] : s->mover[child];
}

/* Returns the guarantee of a move for the side that makes it. After it, that side is the one not to move. */
static int kept_by_mover(const naive_layer *layer, const naive_bounds *solved, naive_edge edge) {
  return edge.captured + solved[layer->seeds - edge.captured].other[edge.child];
}

/* Returns the guarantee that a move leaves the other side. */
static int left_to_other(const naive_layer *layer, const naive_bounds *solved, naive_edge edge) {
  return solved[layer->seeds - edge.captured].mover[edge.child];
}

static bool sweep(sets *s) {
  bool changed = false;
  for (int rank = 0; rank < s->goal.layer->count; rank++) {
    if (!s->mover[rank] && naive_forces(&s->goal, rank, false, is_in, s)) s->mover[rank] = changed = true;
    if (!s->other[rank] && naive_forces(&s->goal, rank, true, is_in, s)) s->other[rank] = changed = true;
  }
  return changed;
}

static void apply_threshold(const naive_layer *layer, naive_bounds *bounds, int threshold) {
  sets s = {.goal = {layer, bounds, threshold}};
  s.mover = naive_allocate(layer->count, sizeof *s.mover);
  s.other = naive_allocate(layer->count, sizeof *s.other);
  while (sweep(&s)) continue;
  for (int rank = 0; rank < layer->count; rank++) {
    if (s.mover[rank]) bounds[layer->seeds].mover[rank] = (int8_t)threshold;
    if (s.other[rank]) bounds[layer->seeds].other[rank] = (int8_t)threshold;
  }
}

/* The mover needs one move that keeps the whole guarantee and is done within the plies. */
static bool mover_is_done_within(const naive_layer *layer, const naive_bounds *bounds, int rank, int plies) {
  const naive_bounds *own = &bounds[layer->seeds];
  for (int e = 0; e < layer->edge_count[rank]; e++) {
    naive_edge edge = layer->edges[rank][e];
    if (kept_by_mover(layer, bounds, edge) != own->mover[rank]) continue;
    if (naive_done_within(edge, own->depth_upper, plies - 1)) return true;
  }
  return false;
}

/* The opponent needs every move that leaves no more than the guarantee to be done within the plies. */
static bool other_is_done_within(const naive_layer *layer, const naive_bounds *bounds, int rank, int plies) {
  const naive_bounds *own = &bounds[layer->seeds];
  for (int e = 0; e < layer->edge_count[rank]; e++) {
    naive_edge edge = layer->edges[rank][e];
    if (left_to_other(layer, bounds, edge) != own->other[rank]) continue;
    if (!naive_done_within(edge, own->depth_lower, plies - 1)) return false;
  }
  return true;
}

static bool mark_depths(const naive_layer *layer, naive_bounds *bounds, int plies) {
  bool changed = false;
  naive_bounds *own = &bounds[layer->seeds];
  for (int rank = 0; rank < layer->count; rank++) {
    bool lower_open = own->mover[rank] > 0 && own->depth_lower[rank] == NAIVE_NO_DEPTH;
    bool upper_open = own->other[rank] > 0 && own->depth_upper[rank] == NAIVE_NO_DEPTH;
    if (lower_open && mover_is_done_within(layer, bounds, rank, plies)) {
      own->depth_lower[rank] = plies;
      changed = true;
    }
    if (upper_open && other_is_done_within(layer, bounds, rank, plies)) {
      own->depth_upper[rank] = plies;
      changed = true;
    }
  }
  return changed;
}

static void find_depths(const naive_layer *layer, naive_bounds *bounds) {
  naive_bounds *own = &bounds[layer->seeds];
  for (int rank = 0; rank < layer->count; rank++) {
    bool ended = layer->ended[rank];
    own->depth_lower[rank] = ended && own->mover[rank] > 0 ? 0 : NAIVE_NO_DEPTH;
    own->depth_upper[rank] = ended && own->other[rank] > 0 ? 0 : NAIVE_NO_DEPTH;
  }
  for (int plies = 1; mark_depths(layer, bounds, plies); plies++) continue;
}

naive_bounds *naive_solve_forced(const naive_game *game) {
  naive_bounds *bounds = naive_allocate(game->max_seeds + 1, sizeof *bounds);
  for (int seeds = 0; seeds <= game->max_seeds; seeds++) {
    const naive_layer *layer = &game->layers[seeds];
    bounds[seeds].mover = naive_allocate(layer->count, sizeof *bounds->mover);
    bounds[seeds].other = naive_allocate(layer->count, sizeof *bounds->other);
    bounds[seeds].depth_lower = naive_allocate(layer->count, sizeof *bounds->depth_lower);
    bounds[seeds].depth_upper = naive_allocate(layer->count, sizeof *bounds->depth_upper);
    for (int threshold = 1; threshold <= seeds; threshold++) apply_threshold(layer, bounds, threshold);
    find_depths(layer, bounds);
  }
  return bounds;
}

int naive_lower(const naive_layer *layer, const naive_bounds *bounds, int rank) {
  return 2 * bounds[layer->seeds].mover[rank] - layer->seeds;
}

int naive_upper(const naive_layer *layer, const naive_bounds *bounds, int rank) {
  return layer->seeds - 2 * bounds[layer->seeds].other[rank];
}
