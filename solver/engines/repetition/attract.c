/* Grows the attractor X by single moves. Each quiet edge is touched once per plane. */
#include "solver/engines/repetition/work.h"

static void begin_position(own_row_member *mine, int plane, uint64_t i) {
  const own_row *all = mine->all;
  uint8_t *state = &all->states[plane][i];
  if ((*state & STATE_IN_X) || all->cells[plane][i] < all->run.threshold) return;
  if (plane == OTHER_MOVES && (*state & STATE_COUNT) != 0) return;
  *state |= STATE_IN_X;
  own_row_settle(mine, plane, i);
}

void own_row_begin(own_row_member *mine, uint64_t first, uint64_t end) {
  for (int plane = 0; plane < SOLVE_PLANES; plane++) {
    for (uint64_t i = first; i < end; i++) begin_position(mine, plane, i);
  }
}

static void grow_by_own_move(own_row_member *mine, const wave_run *run) {
  uint8_t *states = mine->all->states[SIDE_MOVES];
  for (size_t k = 0; k < run->n; k++) {
    const uint64_t i = run->base + run->offsets[k];
    if (states[i] & STATE_IN_X) continue;
    states[i] |= STATE_IN_X;
    own_row_settle(mine, SIDE_MOVES, i);
  }
}

static void grow_by_all_moves(own_row_member *mine, const wave_run *run) {
  const own_row *all = mine->all;
  uint8_t *states = all->states[OTHER_MOVES];
  for (size_t k = 0; k < run->n; k++) {
    const uint64_t i = run->base + run->offsets[k];
    const uint8_t before = states[i]--;
    if ((before & STATE_IN_X) || (before & STATE_COUNT) != 1 ||
        all->cells[OTHER_MOVES][i] < all->run.threshold)
      continue;
    states[i] |= STATE_IN_X;
    own_row_settle(mine, OTHER_MOVES, i);
  }
}

static void grow(void *user, int mine, const wave_run *run) {
  own_row *all = user;
  if (run->lane == SIDE_MOVES) {
    grow_by_own_move(&all->members[mine], run);
  } else {
    grow_by_all_moves(&all->members[mine], run);
  }
}

void own_row_grow(own_row_member *mine, worker *self) {
  own_row_propagate(mine, self, grow);
}
