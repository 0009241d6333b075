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
  naive_goal goal;
  views sure; /* X of the rule book */
  views held; /* Z */
} regions;

static int own_row_of_mover(const naive_board *board) {
  int seeds = 0;
  for (int pit = 0; pit < 6; pit++) seeds += board->pit[pit];
  return seeds;
}

static bool is_sure(const void *user, int child, bool other) {
  const regions *r = user;
  return other ? r->sure.other[child] : r->sure.mover[child];
}

static bool is_sure_or_held(const void *user, int child, bool other) {
  const regions *r = user;
  return is_sure(user, child, other) || (other ? r->held.other[child] : r->held.mover[child]);
}

static bool drop_what_cannot_stay(regions *r) {
  bool changed = false;
  for (int rank = 0; rank < r->goal.layer->count; rank++) {
    if (r->held.mover[rank] && !naive_forces(&r->goal, rank, false, is_sure_or_held, r))
      r->held.mover[rank] = false, changed = true;
    if (r->held.other[rank] && !naive_forces(&r->goal, rank, true, is_sure_or_held, r))
      r->held.other[rank] = false, changed = true;
  }
  return changed;
}

static void find_held(regions *r) {
  for (int rank = 0; rank < r->goal.layer->count; rank++) {
    const int own = own_row_of_mover(&r->goal.layer->boards[rank]);
    r->held.mover[rank] = own >= r->goal.threshold;
    r->held.other[rank] = r->goal.layer->seeds - own >= r->goal.threshold;
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
  for (int rank = 0; rank < r->goal.layer->count; rank++) {
    if (grow(&r->sure.mover[rank], r->held.mover[rank] || naive_forces(&r->goal, rank, false, is_sure, r)))
      changed = true;
    if (grow(&r->sure.other[rank], r->held.other[rank] || naive_forces(&r->goal, rank, true, is_sure, r)))
      changed = true;
  }
  return changed;
}

static void apply_threshold(const naive_layer *layer, naive_bounds *bounds, int threshold) {
  regions r = {.goal = {layer, bounds, threshold}};
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
