/* Z: of all that pays t and is not in X, what cannot stay is dropped until the rest can.
 *
 * Positions of the side count the moves that they have left. What has none is dropped, its predecessors are
 * told, and so on; each edge is touched once forwards and once backwards. Positions where the other side
 * moves are looked at last, for ways out into what never stayed: mostly nothing is left by then. X is closed
 * under single moves, so a position of the side that is not in X has no move there. */
#include <string.h>

#include "solver/own_row_work.h"

/* Written for bytes side by side, since it is asked of every position. Of the same position from the other
 * side it is known whether that guarantees itself more than t leaves. */
static uint64_t choose_block(const own_row *all, int plane, uint64_t first, uint64_t end) {
  uint8_t *restrict states = all->states[plane];
  const uint8_t *restrict across = all->states[!plane];
  const int8_t *restrict cells = all->cells[plane], *restrict cells_across = all->cells[!plane];
  const int8_t *restrict pays = all->pays;
  const bool moves = plane == SIDE_MOVES;
  const int8_t t = (int8_t)all->threshold, rest = (int8_t)-all->threshold;
  const int8_t least_known = moves ? INT8_MIN : t, least = moves ? t : INT8_MIN,
               most = moves ? INT8_MAX : rest;
  uint64_t chosen = 0;
  for (uint64_t i = first; i < end; i++) {
    const uint8_t taken = (uint8_t)((across[i] & STATE_SURE) & (cells_across[i] > rest ? STATE_SURE : 0));
    const uint8_t pay = (pays[i] >= least) & (pays[i] <= most) & (cells[i] >= least_known) ? STATE_STAYS : 0;
    const uint8_t free = (states[i] | taken) & STATE_SURE ? 0 : STATE_STAYS;
    states[i] = (uint8_t)((states[i] & ~(STATE_STAYS | STATE_DROPPED)) | (pay & free));
  }
  for (uint64_t i = first; i < end; i++) chosen += states[i] / STATE_STAYS % 2;
  return chosen;
}

static bool stays(uint8_t state) {
  return (state & (STATE_STAYS | STATE_DROPPED)) == STATE_STAYS;
}

static void drop(own_row_member *member, int plane, uint64_t i) {
  uint8_t *state = &member->all->states[plane][i];
  if (__atomic_fetch_or(state, STATE_DROPPED, __ATOMIC_RELAXED) & STATE_DROPPED) return;
  member->staying--;
  own_row_mark(member, plane, i);
}

static tauler_error find_ways_out(void *user, const game_edge *edges, size_t n) {
  own_row_member *member = user;
  const own_row *all = member->all;
  for (size_t e = 0; e < n; e++) {
    if (edges[e].to.slice != all->slice) continue;
    const uint8_t child = own_row_state(all, SIDE_MOVES, edges[e].to.index);
    if (!(child & STATE_SURE) && !stays(child)) member->bad[edges[e].from] = 1;
  }
  return TAULER_OK;
}

static tauler_error find_ways_to_stay(void *user, const game_edge *edges, size_t n) {
  own_row_member *member = user;
  const own_row *all = member->all;
  for (size_t e = 0; e < n; e++) {
    if (edges[e].to.slice != all->slice) continue;
    if (own_row_state(all, OTHER_MOVES, edges[e].to.index) & STATE_STAYS) member->count[edges[e].from]++;
  }
  return TAULER_OK;
}

static tauler_error drop_others(own_row_member *member, size_t n) {
  memset(member->bad, 0, n);
  const tauler_error error = own_row_moves(member, n, find_ways_out);
  for (size_t i = 0; i < n && !error; i++) {
    if (member->bad[i]) drop(member, OTHER_MOVES, member->index[i]);
  }
  return error;
}

static tauler_error count_ways(own_row_member *member, size_t n) {
  uint8_t *states = member->all->states[SIDE_MOVES];
  memset(member->count, 0, n);
  const tauler_error error = own_row_moves(member, n, find_ways_to_stay);
  for (size_t i = 0; i < n && !error; i++) {
    uint8_t *state = &states[member->index[i]];
    *state = (uint8_t)((*state & ~STATE_COUNT) | member->count[i]);
    if (member->count[i] == 0) drop(member, SIDE_MOVES, member->index[i]);
  }
  return error;
}

typedef tauler_error block_work(own_row_member *member, size_t n);

static void for_those_that_stay(own_row_member *member, crew_member *crew, int plane, block_work *work) {
  own_row *all = member->all;
  uint64_t block;
  while (!all->failed && crew_next(crew, own_row_blocks(all), &block)) {
    const uint64_t first = block * OWN_ROW_BLOCK, end = first + OWN_ROW_BLOCK;
    size_t used = 0;
    for (uint64_t i = first; i < end && i < all->n; i++) {
      if (stays(own_row_state(all, plane, i))) member->index[used++] = i;
      if (used < OWN_ROW_BATCH) continue;
      own_row_note(all, work(member, used));
      used = 0;
    }
    if (used) own_row_note(all, work(member, used));
  }
}

static tauler_error drop_more(void *user, const game_edge *edges, size_t n) {
  own_row_member *member = user;
  const own_row *all = member->all;
  const int plane = !member->plane;
  uint8_t *states = all->states[plane];
  for (size_t e = 0; e < n; e++) {
    const uint64_t i = edges[e].to.index;
    if (!stays(own_row_state(all, plane, i))) continue;
    if (plane == SIDE_MOVES && (__atomic_fetch_sub(&states[i], 1, __ATOMIC_RELAXED) & STATE_COUNT) != 1)
      continue;
    drop(member, plane, i);
  }
  return TAULER_OK;
}

static void choose(own_row_member *member, crew_member *crew) {
  own_row *all = member->all;
  uint64_t block;
  while (crew_next(crew, own_row_blocks(all), &block)) {
    const uint64_t first = block * OWN_ROW_BLOCK, end = first + OWN_ROW_BLOCK;
    for (int plane = 0; plane < SOLVE_PLANES; plane++)
      member->staying += (int64_t)choose_block(all, plane, first, end < all->n ? end : all->n);
  }
  crew_meet(crew, NULL, NULL);
}

static void take_in(own_row_member *member, crew_member *crew) {
  own_row *all = member->all;
  uint64_t block;
  while (!all->failed && crew_next(crew, own_row_blocks(all), &block)) {
    const uint64_t first = block * OWN_ROW_BLOCK, end = first + OWN_ROW_BLOCK;
    for (int plane = 0; plane < SOLVE_PLANES; plane++) {
      uint8_t *states = all->states[plane];
      for (uint64_t i = first; i < end && i < all->n; i++) {
        if (!stays(states[i])) continue;
        states[i] |= STATE_SURE;
        own_row_settle(member, plane, i);
      }
    }
  }
}

static void drop_while_told(own_row_member *member, crew_member *crew) {
  while (own_row_meet(member, crew)) own_row_tell(member, crew, drop_more);
}

void own_row_hold(own_row_member *member, crew_member *crew) {
  const own_row *all = member->all;
  choose(member, crew);
  for_those_that_stay(member, crew, SIDE_MOVES, count_ways);
  drop_while_told(member, crew);
  const bool some_are_left = all->staying > 0;
  crew_meet(crew, NULL, NULL);
  if (!some_are_left) return;
  for_those_that_stay(member, crew, OTHER_MOVES, drop_others);
  drop_while_told(member, crew);
  take_in(member, crew);
}
