/* Guarantees of each side whatever boards were met before, when a repeated board ends play and each takes its
 * row: for each k = 1 ... seeds the greatest set of boards at each of which the side forces, in one move, a
 * capture or an end worth k seeds, or a board of the set on which its own row holds k. A board that is moved
 * to may have been met, and then play is over. A capture makes the history new, so the guarantee after it is
 * given: `fresh`.
 *
 * Boards are kept twice, as in naive_own_row.c. */
#include "naive_inside.h"

typedef struct {
  const naive_layer *layer;
  const naive_bounds *fresh;
  int threshold;
  bool *mover; /* the side in question is to move */
  bool *other; /* it is not */
} region;

/* The side's row, whoever is to move. */
static bool row_suffices(const region *r, int rank, bool side_moves) {
  int own = 0;
  for (int pit = 0; pit < 6; pit++) own += r->layer->boards[rank].pit[pit];
  return (side_moves ? own : r->layer->seeds - own) >= r->threshold;
}

static bool mover_stays(const region *r, int rank) {
  const naive_layer *layer = r->layer;
  if (layer->ended[rank]) return (layer->seeds + layer->net[rank]) / 2 >= r->threshold;
  for (int e = 0; e < layer->edge_count[rank]; e++) {
    const naive_edge edge = layer->edges[rank][e];
    if (edge.captured > 0) {
      if (edge.captured + r->fresh[layer->seeds - edge.captured].other[edge.child] >= r->threshold)
        return true;
    } else if (r->other[edge.child] && row_suffices(r, edge.child, false)) {
      return true;
    }
  }
  return false;
}

static bool other_stays(const region *r, int rank) {
  const naive_layer *layer = r->layer;
  if (layer->ended[rank]) return (layer->seeds - layer->net[rank]) / 2 >= r->threshold;
  for (int e = 0; e < layer->edge_count[rank]; e++) {
    const naive_edge edge = layer->edges[rank][e];
    if (edge.captured > 0) {
      if (r->fresh[layer->seeds - edge.captured].mover[edge.child] < r->threshold) return false;
    } else if (!r->mover[edge.child] || !row_suffices(r, edge.child, true)) {
      return false;
    }
  }
  return true;
}

static bool drop_some(region *r) {
  bool changed = false;
  for (int rank = 0; rank < r->layer->count; rank++) {
    if (r->mover[rank] && !mover_stays(r, rank)) r->mover[rank] = false, changed = true;
    if (r->other[rank] && !other_stays(r, rank)) r->other[rank] = false, changed = true;
  }
  return changed;
}

static void solve_layer(const naive_layer *layer, const naive_bounds *fresh, naive_bounds *out) {
  region r = {.layer = layer, .fresh = fresh};
  out->mover = naive_allocate(layer->count, sizeof *out->mover);
  out->other = naive_allocate(layer->count, sizeof *out->other);
  for (r.threshold = 1; r.threshold <= layer->seeds; r.threshold++) {
    r.mover = naive_allocate(layer->count, sizeof *r.mover);
    r.other = naive_allocate(layer->count, sizeof *r.other);
    for (int rank = 0; rank < layer->count; rank++) r.mover[rank] = r.other[rank] = true;
    while (drop_some(&r)) continue;
    for (int rank = 0; rank < layer->count; rank++) {
      if (r.mover[rank]) out->mover[rank] = (int8_t)r.threshold;
      if (r.other[rank]) out->other[rank] = (int8_t)r.threshold;
    }
  }
}

naive_bounds *naive_solve_own_row_any(const naive_game *game, const naive_bounds *fresh) {
  naive_bounds *bounds = naive_allocate(game->max_seeds + 1, sizeof *bounds);
  for (int seeds = 0; seeds <= game->max_seeds; seeds++)
    solve_layer(&game->layers[seeds], fresh, &bounds[seeds]);
  return bounds;
}
