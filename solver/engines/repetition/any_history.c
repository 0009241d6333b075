/* Computes the guarantees of a side on every history, if the first repetition ends play and pays a worth that
 * depends on the repeated position (game->repeated, game->fallback_cycles).
 *
 * For a side and a threshold t, Y is the greatest set of positions that pay the side t or more if they
 * repeat, and from which the side forces in one move a position of Y, or a worth of t or more by a conversion
 * or an end. If a side can force Y or such a worth in one move, it guarantees t on every history.
 * docs/proofs.md, "Every history", proves this, and that the side cannot guarantee more. Each t has one
 * greatest fixpoint.
 *
 * Thresholds rise from 1 − the largest value, so Y only shrinks. A position is dropped at most once per plane
 * and then sends updates to its predecessors, so each quiet edge is used once forwards and at most once per
 * plane backwards. At first a cell is the best worth of a conversion for the side or, if the other side
 * moves, the worst. Later it is the bound that the moves of the position determine (the position itself need
 * not pay). If the side moves, the bound is known when the last child in Y is dropped at a threshold t: it is
 * t − 1, or the worth of a conversion if that is more. If the other side moves, the bound is known when the
 * first child is dropped: it is t − 1, or the worth of a conversion if that is less.
 */
#include "solver/engines/repetition/work.h"

static void drop_position(own_row *all, int mine, int plane, uint64_t i) {
  uint8_t *state = &all->states[plane][i];
  if (*state & STATE_DROPPED) return;
  *state |= STATE_DROPPED;
  frontier_mark(&all->frontier, mine, plane, i);
}

static bool can_stay(const own_row *all, int plane, uint64_t i) {
  const int t = (int)all->run.threshold;
  if (own_row_pays(all, plane, i) < t) return false;
  return all->cells[plane][i] >= t || (plane == SIDE_MOVES && (all->states[plane][i] & STATE_COUNT) > 0);
}

static void drop_from_block(own_row_member *mine, uint64_t first, uint64_t end) {
  own_row *all = mine->all;
  for (int plane = 0; plane < SOLVE_PLANES; plane++) {
    for (uint64_t i = first; i < end; i++) {
      if (!can_stay(all, plane, i)) drop_position(all, mine->number, plane, i);
    }
  }
}

/* Receives the updates of dropped children. If the side moves, a position is decided when none of its moves
 * leads into Y any more; if the other side moves, at the first update. */
static void count_dropped_children(void *user, int mine, const wave_run *run) {
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
    if (*cell < t) drop_position(all, mine, plane, i);
  }
}

void own_row_solve_any_threshold(own_row_member *mine, worker *self) {
  own_row_each_block(mine, self, drop_from_block);
  own_row_propagate(mine, self, count_dropped_children);
}

void own_row_any_finish(own_row_member *mine, uint64_t first, uint64_t end) {
  const own_row *all = mine->all;
  const int8_t largest = (int8_t)all->largest;
  for (uint64_t i = first; i < end; i++) {
    int8_t *side = &all->cells[SIDE_MOVES][i], *other = &all->cells[OTHER_MOVES][i];
    if (all->states[SIDE_MOVES][i] & STATE_COUNT) *side = largest;
    *other = (int8_t) - (*other > largest ? largest : *other);
  }
}
