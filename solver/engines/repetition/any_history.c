/* Computes what a side can guarantee whatever positions occurred before, if the first repetition ends play
 * and pays what the position says (game->repeated, game->fallback_cycles).
 *
 * For a side and a threshold t, Y is the greatest set of positions that pay the side t or more if they
 * repeat, and from which the side forces in one move a position of Y, or a worth of t by a conversion or an
 * end. If a side can reach Y in one move, or such a worth, it has t on every history. docs/proofs.md, "Every
 * history", proves this and that no more can be had. There is one greatest fixpoint for each t.
 *
 * Thresholds rise from the least value, so Y only shrinks. A position is dropped once per plane and then
 * sends to its predecessors; each quiet edge is touched once forwards and once backwards. A cell is the best
 * that conversions give the side, or the worst that they leave it, until the moves of the position decide its
 * bound (the position itself need not pay). If the side moves, they do so when its last child is dropped; if
 * the other side moves, when the first is. Until then a cell is not below the threshold, and afterwards never
 * above it. Cells alone therefore say which positions may stay.
 */
#include "solver/engines/repetition/work.h"

static void drop(own_row *all, int mine, int plane, uint64_t i) {
  uint8_t *state = &all->states[plane][i];
  if (*state & STATE_DROPPED) return;
  *state |= STATE_DROPPED;
  frontier_mark(&all->frontier, mine, plane, i);
}

/* Judges a position by what it pays and what its own moves give. Updates say what other positions do. */
static bool can_stay(const own_row *all, int plane, uint64_t i) {
  const int t = (int)all->run.threshold;
  if (own_row_pays(all, plane, i) < t) return false;
  return all->cells[plane][i] >= t || (plane == SIDE_MOVES && (all->states[plane][i] & STATE_COUNT) > 0);
}

static void drop_at_once(own_row_member *mine, uint64_t first, uint64_t end) {
  own_row *all = mine->all;
  for (int plane = 0; plane < SOLVE_PLANES; plane++) {
    for (uint64_t i = first; i < end; i++) {
      if (!can_stay(all, plane, i)) drop(all, mine->number, plane, i);
    }
  }
}

/* If the side moves, its moves into Y are counted. */
static void lose_children(void *user, int mine, const wave_run *run) {
  own_row *all = user;
  const int plane = run->lane, t = (int)all->run.threshold;
  for (size_t k = 0; k < run->n; k++) {
    const uint64_t i = run->base + run->offsets[k];
    int8_t *cell = &all->cells[plane][i];
    if (plane == SIDE_MOVES) {
      if ((all->states[plane][i]-- & STATE_COUNT) != 1) continue;
      if (*cell < t) *cell = (int8_t)(t - 1);
    } else if (*cell >= t) {
      *cell = (int8_t)(t - 1);
    }
    if (*cell < t) drop(all, mine, plane, i);
  }
}

void own_row_any_threshold(own_row_member *mine, worker *self) {
  own_row_each_block(mine, self, drop_at_once);
  own_row_propagate(mine, self, lose_children);
}

/* Positions still in Y at the greatest threshold have the greatest value. */
void own_row_any_finish(own_row_member *mine, uint64_t first, uint64_t end) {
  const own_row *all = mine->all;
  const int8_t largest = (int8_t)all->largest;
  for (uint64_t i = first; i < end; i++) {
    int8_t *side = &all->cells[SIDE_MOVES][i], *other = &all->cells[OTHER_MOVES][i];
    if (all->states[SIDE_MOVES][i] & STATE_COUNT) *side = largest;
    *other = (int8_t) - (*other > largest ? largest : *other);
  }
}
