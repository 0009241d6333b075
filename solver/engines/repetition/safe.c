/* Finds the safe region Z. It begins with all positions that pay t and are not in X, and drops those that
 * cannot stay until all others can.
 *
 * If the side moves, STATE_COUNT is the number of its moves that stay. It is 0 before, and 0 afterwards
 * unless the position stays. A position without such a move is dropped and sends to its predecessors, and so
 * on. Positions where the other side moves are checked for ways out last, since few are left by then. X is
 * closed under single moves, so a position of the side outside X has no move into X. If the other side moves,
 * STATE_COUNT is the number of its moves that do not lead to X. The moves into what is left of Z are
 * subtracted, and the position has a way out unless 0 remains. Afterwards the count is restored, whether the
 * position was dropped or not.
 */
#include "solver/engines/repetition/work.h"

/* Chooses the positions that may stay, without branches, so that the compiler works on many bytes at once:
 * every position is tested in every region. A position is not chosen if it is in X, or if the other side is
 * known to guarantee itself more than t leaves it. */
static uint64_t choose_block(const own_row *all, int plane, uint64_t first, uint64_t end) {
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

static bool stays(uint8_t state) {
  return (state & (STATE_STAYS | STATE_DROPPED)) == STATE_STAYS;
}

static void drop(own_row_member *mine, int plane, uint64_t i) {
  own_row *all = mine->all;
  all->states[plane][i] |= STATE_DROPPED;
  mine->staying--;
  frontier_mark(&all->frontier, mine->number, plane, i);
}

static void mark_staying(own_row_member *mine, int plane, uint64_t first, uint64_t end) {
  own_row *all = mine->all;
  for (uint64_t i = first; i < end; i++) {
    if (stays(all->states[plane][i])) frontier_mark(&all->frontier, mine->number, plane, i);
  }
}

static void choose(own_row_member *mine, uint64_t first, uint64_t end) {
  for (int plane = 0; plane < SOLVE_PLANES; plane++)
    mine->staying += (int64_t)choose_block(mine->all, plane, first, end);
  mark_staying(mine, OTHER_MOVES, first, end);
}

/* Adds to the counts of positions chosen for Z, dropped or not. */
static inline void add_ways(own_row *all, const wave_run *run, int ways) {
  uint8_t *states = all->states[run->lane];
  for (size_t k = 0; k < run->n; k++) {
    uint8_t *state = &states[run->base + run->offsets[k]];
    *state = (uint8_t)(*state + ways * (*state / STATE_STAYS % 2));
  }
}

static void count_way(void *user, int mine, const wave_run *run) {
  (void)mine;
  add_ways(user, run, 1);
}

static void drop_without_way(own_row_member *mine, uint64_t first, uint64_t end) {
  const uint8_t *states = mine->all->states[SIDE_MOVES];
  for (uint64_t i = first; i < end; i++) {
    if (stays(states[i]) && (states[i] & STATE_COUNT) == 0) drop(mine, SIDE_MOVES, i);
  }
}

static void drop_more(void *user, int mine, const wave_run *run) {
  own_row *all = user;
  uint8_t *states = all->states[run->lane];
  for (size_t k = 0; k < run->n; k++) {
    const uint64_t i = run->base + run->offsets[k];
    if (!stays(states[i])) continue;
    if (run->lane == SIDE_MOVES && (states[i]-- & STATE_COUNT) != 1) continue;
    drop(&all->members[mine], run->lane, i);
  }
}

static void mark_side(own_row_member *mine, uint64_t first, uint64_t end) {
  mark_staying(mine, SIDE_MOVES, first, end);
}

static void subtract_way(void *user, int mine, const wave_run *run) {
  (void)mine;
  add_ways(user, run, -1);
}

static void drop_with_way_out(own_row_member *mine, uint64_t first, uint64_t end) {
  const uint8_t *states = mine->all->states[OTHER_MOVES];
  for (uint64_t i = first; i < end; i++) {
    if (stays(states[i]) && (states[i] & STATE_COUNT) != 0) drop(mine, OTHER_MOVES, i);
  }
  mark_staying(mine, SIDE_MOVES, first, end);
}

/* In lane OTHER_MOVES come updates of the side's positions that stay: they restore the counts. In lane
 * SIDE_MOVES come updates of the other side's positions that were dropped. */
static void restore_or_drop(void *user, int mine, const wave_run *run) {
  if (run->lane == OTHER_MOVES) {
    count_way(user, mine, run);
  } else {
    drop_more(user, mine, run);
  }
}

static void add_region_to_x(own_row_member *mine, uint64_t first, uint64_t end) {
  own_row *all = mine->all;
  for (int plane = 0; plane < SOLVE_PLANES; plane++) {
    uint8_t *states = all->states[plane];
    for (uint64_t i = first; i < end; i++) {
      if (!stays(states[i])) continue;
      states[i] |= STATE_IN_X;
      own_row_settle(mine, plane, i);
    }
  }
}

void own_row_hold(own_row_member *mine, worker *self) {
  own_row *all = mine->all;
  own_row_each_block(mine, self, choose);
  own_row_run_round(mine, self, count_way);
  if (all->staying == 0) return;
  own_row_each_block(mine, self, drop_without_way);
  own_row_propagate(mine, self, drop_more);
  if (all->staying == 0) return;
  own_row_each_block(mine, self, mark_side);
  own_row_run_round(mine, self, subtract_way);
  own_row_each_block(mine, self, drop_with_way_out);
  own_row_run_round(mine, self, restore_or_drop);
  own_row_propagate(mine, self, drop_more);
  own_row_each_block(mine, self, add_region_to_x);
}
