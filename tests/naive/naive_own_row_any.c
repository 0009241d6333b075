/* Guarantees of each side whatever boards were met before, when a repeated board ends play and each takes its
 * row: for each k = 1 ... seeds the greatest set of boards at each of which the side forces, in one move, a
 * capture or an end worth k seeds, or a board of the set on which its own row holds k. A board that is moved
 * to may have been met, and then play is over. A capture makes the history new, so the guarantee after it is
 * given: `fresh`.
 *
 * Boards are kept twice, as in naive_own_row.c. */
#include "naive_inside.h"

typedef struct {
  naive_goal goal; /* after captures `fresh` is guaranteed */
  bool *mover;     /* the side in question is to move */
  bool *other;     /* it is not */
} region;

/* The side's row, whoever is to move. */
static bool row_suffices(const region *r, int rank, bool side_moves) {
  int own = 0;
  for (int pit = 0; pit < 6; pit++) own += r->goal.layer->boards[rank].pit[pit];
  return (side_moves ? own : r->goal.layer->seeds - own) >= r->goal.threshold;
}

static bool is_held(const void *user, int child, bool other) {
  const region *r = user;
  return (other ? r->other[child] : r->mover[child]) && row_suffices(r, child, !other);
}

static bool drop_some(region *r) {
  bool changed = false;
  for (int rank = 0; rank < r->goal.layer->count; rank++) {
    if (r->mover[rank] && !naive_forces(&r->goal, rank, false, is_held, r))
      r->mover[rank] = false, changed = true;
    if (r->other[rank] && !naive_forces(&r->goal, rank, true, is_held, r))
      r->other[rank] = false, changed = true;
  }
  return changed;
}

static void solve_layer(const naive_layer *layer, const naive_bounds *fresh, naive_bounds *out) {
  region r = {.goal = {layer, fresh, 0}};
  out->mover = naive_allocate(layer->count, sizeof *out->mover);
  out->other = naive_allocate(layer->count, sizeof *out->other);
  for (r.goal.threshold = 1; r.goal.threshold <= layer->seeds; r.goal.threshold++) {
    r.mover = naive_allocate(layer->count, sizeof *r.mover);
    r.other = naive_allocate(layer->count, sizeof *r.other);
    for (int rank = 0; rank < layer->count; rank++) r.mover[rank] = r.other[rank] = true;
    while (drop_some(&r)) continue;
    for (int rank = 0; rank < layer->count; rank++) {
      if (r.mover[rank]) out->mover[rank] = (int8_t)r.goal.threshold;
      if (r.other[rank]) out->other[rank] = (int8_t)r.goal.threshold;
    }
  }
}

naive_bounds *naive_solve_own_row_any(const naive_game *game, const naive_bounds *fresh) {
  naive_bounds *bounds = naive_allocate(game->max_seeds + 1, sizeof *bounds);
  for (int seeds = 0; seeds <= game->max_seeds; seeds++)
    solve_layer(&game->layers[seeds], fresh, &bounds[seeds]);
  return bounds;
}
