/* Finds the safe region Z. It begins with the positions that pay t or more, are not in X, and in which the
 * other side has no conversion below t. Positions that cannot stay are dropped until all others can stay.
 *
 * If the side moves, STATE_COUNT is the number of its moves that stay in Z. It is 0 before the search, and
 * afterwards unless the position stays. A position without such a move is dropped and sends updates to its
 * predecessors, which may be dropped in turn. X is closed under single moves, so if the side moves outside X,
 * it has no move into X.
 *
 * If the other side moves, STATE_COUNT is the number of its quiet moves that do not lead to X. These
 * positions are checked last, since few are left by then: the moves into the rest of Z are subtracted, and if
 * the count is not 0, the other side can leave Z. Then the count is restored, whether the position is dropped
 * or not.
 */
#include "solver/engines/repetition/work.h"

/* Chooses the positions of a plane that may stay, and returns their number. A position is not chosen if it is
 * in X, or if the other side is known to guarantee itself more than −t. The loop has no branches, so that the
 * compiler can work on many bytes at once: every position is tested in every search. */
static uint64_t choose_in_plane(const own_row *all, int plane, uint64_t first, uint64_t end) {
  uint8_t *restrict states = all->states[plane];
  const uint8_t *restrict across = all->states[!plane];
  const int8_t *restrict cells = all->cells[plane], *restrict cells_across = all->cells[!plane];
  const int8_t *restrict pays = all->pays;
  const bool moves = plane == SIDE_MOVES;
  const int8_t t = (int8_t)all->run.threshold, rest = (int8_t)-all->run.threshold;
  const int8_t least_known = moves ? INT8_MIN : t, least = moves ? t : INT8_MIN,
               most = moves ? INT8_MAX : rest;
  uint64_t chosen = 0;
  for (uint64_t i = first; i < end; i++) {
    const uint8_t taken = (uint8_t)((across[i] & STATE_IN_X) & (cells_across[i] > rest ? STATE_IN_X : 0));
    const uint8_t pay =
        ((pays[i] >= least) & (pays[i] <= most) & (cells[i] >= least_known)) ? STATE_STAYS : 0;
    const uint8_t free = (states[i] | taken) & STATE_IN_X ? 0 : STATE_STAYS;
    states[i] = (uint8_t)((states[i] & ~(STATE_STAYS | STATE_DROPPED)) | (pay & free));
  }
  for (uint64_t i = first; i < end; i++) chosen += states[i] / STATE_STAYS % 2;
  return chosen;
}

static bool is_staying(uint8_t state) {
  return (state & (STATE_STAYS | STATE_DROPPED)) == STATE_STAYS;
}

static void drop_position(own_row_member *mine, int plane, uint64_t i) {
  own_row *all = mine->all;
  all->states[plane][i] |= STATE_DROPPED;
  mine->staying--;
  frontier_mark(&all->frontier, mine->number, plane, i);
}

static void mark_staying(own_row_member *mine, int plane, uint64_t first, uint64_t end) {
  own_row *all = mine->all;
  for (uint64_t i = first; i < end; i++) {
    if (is_staying(all->states[plane][i])) frontier_mark(&all->frontier, mine->number, plane, i);
  }
}

static void choose_in_block(own_row_member *mine, uint64_t first, uint64_t end) {
  for (int plane = 0; plane < SOLVE_PLANES; plane++)
    mine->staying += (int64_t)choose_in_plane(mine->all, plane, first, end);
  mark_staying(mine, OTHER_MOVES, first, end);
}

/* Adds `ways` to the counts of the positions that were chosen for Z, even if they were dropped since. */
static inline void add_to_counts(own_row *all, const wave_run *run, int ways) {
  uint8_t *states = all->states[run->lane];
  for (size_t k = 0; k < run->n; k++) {
    uint8_t *state = &states[run->base + run->offsets[k]];
    *state = (uint8_t)(*state + ways * (*state / STATE_STAYS % 2));
  }
}

static void count_staying_move(void *user, int mine, const wave_run *run) {
  add_to_counts(user, run, 1);
}

static void drop_without_move(own_row_member *mine, uint64_t first, uint64_t end) {
  const uint8_t *states = mine->all->states[SIDE_MOVES];
  for (uint64_t i = first; i < end; i++) {
    if (is_staying(states[i]) && (states[i] & STATE_COUNT) == 0) drop_position(mine, SIDE_MOVES, i);
  }
}

static void drop_after_update(void *user, int mine, const wave_run *run) {
  own_row *all = user;
  uint8_t *states = all->states[run->lane];
  for (size_t k = 0; k < run->n; k++) {
    const uint64_t i = run->base + run->offsets[k];
    if (!is_staying(states[i])) continue;
    if (run->lane == SIDE_MOVES && (states[i]-- & STATE_COUNT) != 1) continue;
    drop_position(&all->members[mine], run->lane, i);
  }
}

static void mark_side_staying(own_row_member *mine, uint64_t first, uint64_t end) {
  mark_staying(mine, SIDE_MOVES, first, end);
}

static void subtract_staying_move(void *user, int mine, const wave_run *run) {
  add_to_counts(user, run, -1);
}

static void drop_with_exit(own_row_member *mine, uint64_t first, uint64_t end) {
  const uint8_t *states = mine->all->states[OTHER_MOVES];
  for (uint64_t i = first; i < end; i++) {
    if (is_staying(states[i]) && (states[i] & STATE_COUNT) != 0) drop_position(mine, OTHER_MOVES, i);
  }
  mark_staying(mine, SIDE_MOVES, first, end);
}

/* Receives two kinds of updates. Those in lane OTHER_MOVES are from positions of the side that stay, and
 * restore counts. Those in lane SIDE_MOVES are from positions of the other side that were dropped. */
static void restore_or_drop(void *user, int mine, const wave_run *run) {
  if (run->lane == OTHER_MOVES) {
    count_staying_move(user, mine, run);
  } else {
    drop_after_update(user, mine, run);
  }
}

static void add_region_to_x(own_row_member *mine, uint64_t first, uint64_t end) {
  own_row *all = mine->all;
  for (int plane = 0; plane < SOLVE_PLANES; plane++) {
    uint8_t *states = all->states[plane];
    for (uint64_t i = first; i < end; i++) {
      if (!is_staying(states[i])) continue;
      states[i] |= STATE_IN_X;
      own_row_settle(mine, plane, i);
    }
  }
}

void own_row_find_region(own_row_member *mine, worker *self) {
  own_row *all = mine->all;
  own_row_each_block(mine, self, choose_in_block);
  own_row_run_round(mine, self, count_staying_move);
  if (all->staying == 0) return;
  own_row_each_block(mine, self, drop_without_move);
  own_row_propagate(mine, self, drop_after_update);
  if (all->staying == 0) return;
  own_row_each_block(mine, self, mark_side_staying);
  own_row_run_round(mine, self, subtract_staying_move);
  own_row_each_block(mine, self, drop_with_exit);
  own_row_run_round(mine, self, restore_or_drop);
  own_row_propagate(mine, self, drop_after_update);
  own_row_each_block(mine, self, add_region_to_x);
}
