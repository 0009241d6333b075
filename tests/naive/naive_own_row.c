/* Guarantees of each side on a fresh history when a repeated board ends play and each takes its row: the
 * nested fixpoint of the rule book, iterated as it is written.
 *
 * For each k = 1 ... seeds, boards are kept twice, once for the guarantee of their mover and once for that of
 * the opponent: who is guaranteed k seeds does not change when the board turns. `held` is the greatest set
 * inside which that side's own row holds k seeds or more and which nobody can force it to leave, save into
 * what is already guaranteed; what is guaranteed grows by it until nothing changes. */
#include "naive_inside.h"

typedef struct {
  bool *mover; /* the side in question is to move */
  bool *other; /* it is not */
} views;

static views new_views(int count) {
  return (views){naive_allocate(count, sizeof(bool)), naive_allocate(count, sizeof(bool))};
}

typedef struct {
  const naive_layer *layer;
  const naive_bounds *solved; /* all layers. Those with fewer seeds are final */
  int threshold;
  views sure; /* X of the rule book */
  views held; /* Z */
} regions;

static int own_row_of_mover(const naive_board *board) {
  int seeds = 0;
  for (int pit = 0; pit < 6; pit++) seeds += board->pit[pit];
  return seeds;
}

static bool mover_gets_there(const regions *r, naive_edge edge, bool with_held) {
  const int left = r->layer->seeds - edge.captured;
  if (edge.captured > 0) return edge.captured + r->solved[left].other[edge.child] >= r->threshold;
  return r->sure.other[edge.child] || (with_held && r->held.other[edge.child]);
}

static bool other_gets_there(const regions *r, naive_edge edge, bool with_held) {
  const int left = r->layer->seeds - edge.captured;
  if (edge.captured > 0) return r->solved[left].mover[edge.child] >= r->threshold;
  return r->sure.mover[edge.child] || (with_held && r->held.mover[edge.child]);
}

static bool mover_forces(const regions *r, int rank, bool with_held) {
  const naive_layer *layer = r->layer;
  if (layer->ended[rank]) return (layer->seeds + layer->net[rank]) / 2 >= r->threshold;
  for (int e = 0; e < layer->edge_count[rank]; e++)
    if (mover_gets_there(r, layer->edges[rank][e], with_held)) return true;
  return false;
}

static bool other_forces(const regions *r, int rank, bool with_held) {
  const naive_layer *layer = r->layer;
  if (layer->ended[rank]) return (layer->seeds - layer->net[rank]) / 2 >= r->threshold;
  for (int e = 0; e < layer->edge_count[rank]; e++)
    if (!other_gets_there(r, layer->edges[rank][e], with_held)) return false;
  return true;
}

static bool drop_what_cannot_stay(regions *r) {
  bool changed = false;
  for (int rank = 0; rank < r->layer->count; rank++) {
    if (r->held.mover[rank] && !mover_forces(r, rank, true)) r->held.mover[rank] = false, changed = true;
    if (r->held.other[rank] && !other_forces(r, rank, true)) r->held.other[rank] = false, changed = true;
  }
  return changed;
}

static void find_held(regions *r) {
  for (int rank = 0; rank < r->layer->count; rank++) {
    const int own = own_row_of_mover(&r->layer->boards[rank]);
    r->held.mover[rank] = own >= r->threshold;
    r->held.other[rank] = r->layer->seeds - own >= r->threshold;
  }
  while (drop_what_cannot_stay(r)) continue;
}

static bool grow(bool *sure, bool now) {
  if (*sure || !now) return false;
  return *sure = true;
}

static bool add_what_is_sure(regions *r) {
  bool changed = false;
  find_held(r);
  for (int rank = 0; rank < r->layer->count; rank++) {
    if (grow(&r->sure.mover[rank], r->held.mover[rank] || mover_forces(r, rank, false))) changed = true;
    if (grow(&r->sure.other[rank], r->held.other[rank] || other_forces(r, rank, false))) changed = true;
  }
  return changed;
}

static void apply_threshold(const naive_layer *layer, naive_bounds *bounds, int threshold) {
  regions r = {.layer = layer, .solved = bounds, .threshold = threshold};
  r.sure = new_views(layer->count);
  r.held = new_views(layer->count);
  while (add_what_is_sure(&r)) continue;
  for (int rank = 0; rank < layer->count; rank++) {
    if (r.sure.mover[rank]) bounds[layer->seeds].mover[rank] = (int8_t)threshold;
    if (r.sure.other[rank]) bounds[layer->seeds].other[rank] = (int8_t)threshold;
  }
}

void naive_solve_own_row_layer(const naive_layer *layer, naive_bounds *bounds) {
  bounds[layer->seeds].mover = naive_allocate(layer->count, sizeof *bounds->mover);
  bounds[layer->seeds].other = naive_allocate(layer->count, sizeof *bounds->other);
  for (int threshold = 1; threshold <= layer->seeds; threshold++) apply_threshold(layer, bounds, threshold);
}

naive_bounds *naive_solve_own_row(const naive_game *game) {
  naive_bounds *bounds = naive_allocate(game->max_seeds + 1, sizeof *bounds);
  for (int seeds = 0; seeds <= game->max_seeds; seeds++)
    naive_solve_own_row_layer(&game->layers[seeds], bounds);
  return bounds;
}
