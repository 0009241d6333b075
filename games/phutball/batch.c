/* Computes batches of Phutball on the bits of a board's table.
 *
 * A state is the bits of ball and men in the middle of a turn. The rest of the turn depends on the state
 * alone, so each state is expanded once even if many jump paths lead to it. The number of states has no
 * useful bound; their memory is on the heap and freed when the call returns.
 *
 * A number gives one position (phb_unrank). It also stands for the mirror image, unless that has its own
 * number. The turns of a position and of its image are images of each other. So if both images of a child
 * have a number, its predecessors are only the positions before it that numbers give. For any other child,
 * the predecessors of its image count, too.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "games/phutball/board.h"

/* --- sets of keys --- */

enum { FEW_KEYS = 16, LEAST_SLOTS = 64, NO_SLOT = -1 };

/* A set of keys in the order in which they were added. Few keys are found by a scan, more by hashing. */
typedef struct {
  uint64_t *keys;
  size_t used, room;
  int32_t *slots; /* [n_slots] places in `keys`, or NO_SLOT */
  size_t n_slots, slot_room;
} key_set;

static void close_keys(key_set *set) {
  free(set->keys);
  free(set->slots);
}

static void clear_keys(key_set *set) {
  set->used = 0;
  set->n_slots = 0;
}

static size_t find_slot(const key_set *set, uint64_t key) {
  size_t slot = (size_t)(key * UINT64_C(0x9E3779B97F4A7C15) >> 24) & (set->n_slots - 1);
  while (set->slots[slot] != NO_SLOT && set->keys[set->slots[slot]] != key)
    slot = (slot + 1) & (set->n_slots - 1);
  return slot;
}

static tauler_error rebuild_slots(key_set *set, size_t slots) {
  if (slots > set->slot_room) {
    if (set->used > INT32_MAX / 2) return TAULER_NO_MEMORY;
    if (!memory_make_room(&set->slots, &set->slot_room, slots, sizeof *set->slots)) return TAULER_NO_MEMORY;
  }
  set->n_slots = slots;
  for (size_t i = 0; i < slots; i++) set->slots[i] = NO_SLOT;
  for (size_t i = 0; i < set->used; i++) set->slots[find_slot(set, set->keys[i])] = (int32_t)i;
  return TAULER_OK;
}

static tauler_error append_key(key_set *set, uint64_t key) {
  if (!memory_make_room(&set->keys, &set->room, set->used + 1, sizeof *set->keys)) return TAULER_NO_MEMORY;
  set->keys[set->used++] = key;
  return TAULER_OK;
}

/* *added becomes true if the key is new. */
static tauler_error add_key(key_set *set, uint64_t key, bool *added) {
  *added = false;
  if (set->used < FEW_KEYS) {
    for (size_t i = 0; i < set->used; i++) {
      if (set->keys[i] == key) return TAULER_OK;
    }
    *added = true;
    return append_key(set, key);
  }
  tauler_error error = TAULER_OK;
  if (2 * set->used >= set->n_slots)
    error = rebuild_slots(set, set->n_slots ? 2 * set->n_slots : (size_t)LEAST_SLOTS);
  if (error) return error;
  const size_t slot = find_slot(set, key);
  if (set->slots[slot] != NO_SLOT) return TAULER_OK;
  set->slots[slot] = (int32_t)set->used;
  *added = true;
  return append_key(set, key);
}

/* --- rays --- */

enum { BALL_SHIFT = PHB_TABLE_POINTS };

/* Results of a step that leaves the board. */
enum { NOWHERE = -1, MOVERS_GOAL = -2, OTHERS_GOAL = -3 };

typedef struct {
  const game_rules *rules;
  uint32_t slice;
  phb_board board;
  int8_t step[PHB_TABLE_POINTS]
             [PHB_DIRECTIONS]; /* bit of the next point in each direction, or a result below 0 */
  uint64_t all, movers_line,
      others_line; /* bits of all points, and of the goal lines that the mover and the other side attack */
  uint64_t flipped_balls; /* bits of points left of the middle */
  uint64_t right_side;    /* side bits of the right side */
  key_set states, numbers;
  bool wins, loses; /* true if some turn scores for the mover, or for the other side */
} walk;

static int bit_of_step(const walk *at, int row, int column) {
  const phb_board *board = &at->board;
  const bool beside = column < 0 || column >= board->columns, beyond = row < 0 || row >= board->rows;
  if (beside && !(beyond && at->rules->corner_exit)) return NOWHERE;
  if (beyond) return row < 0 ? OTHERS_GOAL : MOVERS_GOAL;
  return board->bit_of[row * board->columns + column];
}

static uint64_t bit_at(const phb_board *board, int row, int column) {
  return UINT64_C(1) << board->bit_of[row * board->columns + column];
}

static tauler_error start_walk(walk *at, const game_rules *rules, uint32_t slice) {
  memset(at, 0, sizeof *at);
  at->rules = rules;
  at->slice = slice;
  phb_board *board = &at->board;
  if (!phb_board_of_slice(slice, board)) return TAULER_INTERNAL;
  at->all = (UINT64_C(1) << board->points) - 1;
  at->right_side = at->all & ~((UINT64_C(1) << (board->points - board->side_bits)) - 1);
  for (int bit = 0; bit < board->points; bit++) {
    const int row = board->point_of[bit] / board->columns, column = board->point_of[bit] % board->columns;
    for (int d = 0; d < PHB_DIRECTIONS; d++)
      at->step[bit][d] = (int8_t)bit_of_step(at, row + PHB_STEPS[d][0], column + PHB_STEPS[d][1]);
    if (2 * column < board->columns - 1) at->flipped_balls |= UINT64_C(1) << bit;
  }
  for (int column = 0; column < board->columns; column++) {
    at->movers_line |= bit_at(board, board->rows - 1, column);
    at->others_line |= bit_at(board, 0, column);
  }
  return TAULER_OK;
}

static void end_walk(walk *at) {
  close_keys(&at->states);
  close_keys(&at->numbers);
}

static int ball_of_state(uint64_t state) {
  return (int)(state >> BALL_SHIFT);
}

static uint64_t men_of_state(const walk *at, uint64_t state) {
  return state & at->all;
}

static void unrank_position(walk *at, uint64_t index, int *ball, uint64_t *set) {
  int point;
  phb_unrank(&at->board, index, &point, set);
  *ball = at->board.bit_of[point];
  clear_keys(&at->states);
  clear_keys(&at->numbers);
}

static uint64_t rotate_set(const phb_board *board, uint64_t set) {
  return phb_mirror_set(board, phb_flip_set(board, set));
}

static int rotate_bit(const phb_board *board, int bit) {
  return board->mirror_bit[board->flip_bit[bit]];
}

/* Returns the number of a position after a turn, as the other side sees it. If the ball is on the left, it is
 * on the right of the turned board, whose mirror image is cheaper to rank. */
static uint64_t rank_after_turn(const walk *at, int ball, uint64_t set) {
  const phb_board *board = &at->board;
  if (at->flipped_balls >> ball & 1)
    return phb_rank(board, board->point_of[board->flip_bit[ball]], phb_flip_set(board, set));
  return phb_rank(board, board->point_of[rotate_bit(board, ball)], rotate_set(board, set));
}

/* --- turns --- */

tauler_error phb_ended(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                       int16_t *value) {
  /* If no point is vacant, the ball can jump over men beyond a goal line, so no position has ended. */
  for (size_t i = 0; i < n; i++) value[i] = GAME_NOT_ENDED;
  return TAULER_OK;
}

static tauler_error push_edge(walk *at, game_sink *sink, uint32_t from, uint64_t number) {
  return game_sink_push(sink, (game_edge){from, 0, {at->slice, number}});
}

/* Adds the placements if the ball is left of the middle: each new man adds its bit to the number. */
static tauler_error push_placements_left_of_middle(walk *at, uint32_t from, int ball, uint64_t set,
                                                   game_sink *sink) {
  const phb_board *board = &at->board;
  const int flipped_ball = board->flip_bit[ball];
  const uint64_t flipped = phb_flip_set(board, set);
  const uint64_t number = phb_rank(board, board->point_of[flipped_ball], flipped);
  uint64_t vacant = phb_remove_bit(at->all & ~flipped & ~(UINT64_C(1) << flipped_ball), flipped_ball);
  tauler_error error = TAULER_OK;
  for (; vacant && !error; vacant &= vacant - 1)
    error = push_edge(at, sink, from, number + (vacant & -vacant));
  return error;
}

/* Adds the placements if the ball is on the middle column. If the set of men is its own mirror image, men on
 * the right side lead to the same numbers as men on the left, so they are skipped. */
static tauler_error push_placements_on_middle(walk *at, uint32_t from, int ball, uint64_t set,
                                              game_sink *sink) {
  const phb_board *board = &at->board;
  const int turned_ball = rotate_bit(board, ball);
  const uint64_t turned = rotate_set(board, set);
  uint64_t vacant = at->all & ~turned & ~(UINT64_C(1) << turned_ball);
  if (phb_mirror_set(board, turned) == turned) vacant &= ~at->right_side;
  tauler_error error = TAULER_OK;
  for (; vacant && !error; vacant &= vacant - 1)
    error =
        push_edge(at, sink, from, phb_rank(board, board->point_of[turned_ball], turned | (vacant & -vacant)));
  return error;
}

static tauler_error add_state(walk *at, int ball, uint64_t set) {
  bool added;
  return add_key(&at->states, (uint64_t)ball << BALL_SHIFT | set, &added);
}

static tauler_error add_jumps_from(walk *at, int ball, uint64_t set) {
  tauler_error error = TAULER_OK;
  for (int d = 0; d < PHB_DIRECTIONS && !error; d++) {
    uint64_t left = set;
    int to = at->step[ball][d];
    while (to >= 0 && left >> to & 1) {
      left &= ~(UINT64_C(1) << to);
      to = at->step[to][d];
    }
    if (left == set || to == NOWHERE) continue;
    if (to >= 0) {
      error = add_state(at, to, left);
    } else {
      at->wins |= to == MOVERS_GOAL;
      at->loses |= to == OTHERS_GOAL;
    }
  }
  return error;
}

static bool may_jump_on(const walk *at, int ball) {
  return !at->rules->goal_line_stop || !((at->movers_line | at->others_line) >> ball & 1);
}

static tauler_error find_jump_states(walk *at, int ball, uint64_t set) {
  at->wins = at->loses = false;
  tauler_error error = add_jumps_from(at, ball, set);
  for (size_t i = 0; i < at->states.used && !error; i++) {
    const uint64_t state = at->states.keys[i];
    const int to = ball_of_state(state);
    at->wins |= at->movers_line >> to & 1;
    at->loses |= at->others_line >> to & 1;
    if (may_jump_on(at, to)) error = add_jumps_from(at, to, men_of_state(at, state));
  }
  return error;
}

/* Pushes each number once, although jumps may end in mirror images of each other, or begin in them. */
static tauler_error push_new_number(walk *at, game_sink *sink, uint32_t from, uint64_t number) {
  bool added;
  const tauler_error error = add_key(&at->numbers, number, &added);
  return error || !added ? error : push_edge(at, sink, from, number);
}

static tauler_error push_jumps(walk *at, uint32_t from, game_sink *sink) {
  tauler_error error = TAULER_OK;
  if (at->wins) error = game_sink_push(sink, (game_edge){from, 1, {GAME_OVER, 0}});
  if (at->loses && !error) error = game_sink_push(sink, (game_edge){from, -1, {GAME_OVER, 0}});
  for (size_t i = 0; i < at->states.used && !error; i++) {
    const uint64_t state = at->states.keys[i];
    const int ball = ball_of_state(state);
    if ((at->movers_line | at->others_line) >> ball & 1) continue;
    error = push_new_number(at, sink, from, rank_after_turn(at, ball, men_of_state(at, state)));
  }
  return error;
}

tauler_error phb_expand(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                        game_sink *sink) {
  walk at;
  tauler_error error = start_walk(&at, rules, slice);
  for (size_t i = 0; i < n && !error; i++) {
    int ball;
    uint64_t set;
    unrank_position(&at, index[i], &ball, &set);
    const bool beside = at.flipped_balls >> ball & 1;
    error = (beside ? push_placements_left_of_middle : push_placements_on_middle)(&at, (uint32_t)i, ball, set,
                                                                                  sink);
    if (!error) error = find_jump_states(&at, ball, set);
    if (!error) error = push_jumps(&at, (uint32_t)i, sink);
  }
  end_walk(&at);
  return error;
}

/* --- predecessors --- */

/* Adds the states from which a jump to `ball` may have started: a vacant point behind a row of vacant points
 * on which men stood. */
static tauler_error add_jumps_back_from(walk *at, int ball, uint64_t set) {
  tauler_error error = TAULER_OK;
  for (int d = 0; d < PHB_DIRECTIONS; d++) {
    uint64_t before = set;
    int man = at->step[ball][d];
    while (man >= 0 && !(set >> man & 1) && !error) {
      const int from = at->step[man][d];
      before |= UINT64_C(1) << man;
      if (from >= 0 && !(set >> from & 1) && may_jump_on(at, from)) error = add_state(at, from, before);
      man = from;
    }
  }
  return error;
}

static tauler_error find_states_before(walk *at, int ball, uint64_t set) {
  tauler_error error = add_jumps_back_from(at, ball, set);
  for (size_t i = 0; i < at->states.used && !error; i++) {
    const uint64_t state = at->states.keys[i];
    error = add_jumps_back_from(at, ball_of_state(state), men_of_state(at, state));
  }
  return error;
}

typedef tauler_error parent_receiver(walk *at, game_sink *sink, uint32_t from, uint64_t number);

static tauler_error push_parents(walk *at, game_sink *sink, uint32_t child, bool child_has_both, int ball,
                                 uint64_t set, parent_receiver *receive) {
  const phb_board *board = &at->board;
  const int point = board->point_of[ball], mirrored = board->point_of[board->mirror_bit[ball]];
  const bool both = phb_has_both_images(board, point, set);
  if (child_has_both) {
    const bool stands = point < mirrored || (point == mirrored && phb_is_first_image(board, set));
    return stands ? receive(at, sink, child, phb_rank(board, point, set)) : TAULER_OK;
  }
  const tauler_error error = receive(at, sink, child, phb_rank(board, point, set));
  if (error || !both) return error;
  const uint64_t image = phb_mirror_set(board, set);
  return image != set ? receive(at, sink, child, phb_rank(board, point, image)) : TAULER_OK;
}

static tauler_error retract_position(walk *at, uint64_t index, uint32_t child, game_sink *sink) {
  const phb_board *board = &at->board;
  int ball;
  uint64_t set;
  unrank_position(at, index, &ball, &set);
  const bool both = phb_has_both_images(board, board->point_of[ball], set);
  ball = rotate_bit(board, ball);
  set = rotate_set(board, set);
  tauler_error error = TAULER_OK;
  /* No number is pushed twice: two placements come from mirror images only if the child is its own image, and
   * then only parents that numbers give count. */
  for (uint64_t men = set; men && !error; men &= men - 1)
    error = push_parents(at, sink, child, both, ball, set & ~(men & -men), push_edge);
  if (!error) error = find_states_before(at, ball, set);
  for (size_t i = 0; i < at->states.used && !error; i++) {
    const uint64_t state = at->states.keys[i];
    const int from = ball_of_state(state);
    if ((at->movers_line | at->others_line) >> from & 1) continue;
    error = push_parents(at, sink, child, both, from, men_of_state(at, state), push_new_number);
  }
  return error;
}

tauler_error phb_retract(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                         game_sink *sink) {
  walk at;
  tauler_error error = start_walk(&at, rules, slice);
  for (size_t j = 0; j < n && !error; j++) error = retract_position(&at, index[j], (uint32_t)j, sink);
  end_walk(&at);
  return error;
}
