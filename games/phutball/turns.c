/* Lists the turns of a position of Phutball. */
#include "games/phutball/turns.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"

/* --- one jump --- */

static int count_points(const phb_position *position) {
  return position->rows * position->columns;
}

bool phb_find_jump(const game_rules *rules, const phb_position *position, int direction, phb_jump *out) {
  const int columns = position->columns;
  phb_stop to = {(int16_t)(position->ball / columns), (int16_t)(position->ball % columns)};
  uint8_t men = 0;
  for (;; men++) {
    to.row = (int16_t)(to.row + PHB_STEPS[direction][0]);
    to.column = (int16_t)(to.column + PHB_STEPS[direction][1]);
    if (!phb_is_on_board(position, to) || !phb_has_man(position, to.row * columns + to.column)) break;
  }
  *out = (phb_jump){to, (uint8_t)direction, men};
  if (men == 0) return false;
  const bool over_goal_line = to.row < 0 || to.row >= position->rows;
  const bool over_side_line = to.column < 0 || to.column >= columns;
  return !over_side_line || (over_goal_line && rules->corner_exit);
}

/* Removes the men of a jump, or restores them. The ball is where the jump begins. */
static void toggle_men(phb_position *position, const phb_jump *jump) {
  const int step = PHB_STEPS[jump->direction][0] * position->columns + PHB_STEPS[jump->direction][1];
  int point = position->ball;
  for (int man = 0; man < jump->men; man++) {
    point += step;
    position->men[point / 64] ^= UINT64_C(1) << (point % 64);
  }
}

void phb_make_jump(phb_position *position, const phb_jump *jump) {
  toggle_men(position, jump);
  if (phb_is_on_board(position, jump->to))
    position->ball = (uint16_t)(jump->to.row * position->columns + jump->to.column);
}

static void undo_jump(phb_position *position, const phb_jump *jump, uint16_t from) {
  position->ball = from;
  toggle_men(position, jump);
}

phb_result phb_result_at(const phb_position *position, phb_stop stop) {
  if (stop.row > 0 && stop.row < position->rows - 1) return PHB_LIVE;
  const phb_side scores = stop.row > 0 ? PHB_OHS : PHB_EKS;
  return scores == position->side ? PHB_MOVER_SCORES : PHB_OTHER_SCORES;
}

bool phb_may_jump_on(const game_rules *rules, const phb_position *position, phb_stop stop) {
  if (!phb_is_on_board(position, stop)) return false;
  return !rules->goal_line_stop || phb_result_at(position, stop) == PHB_LIVE;
}

/* Returns the i-th direction clockwise from the row that the mover attacks. */
static int rotate_direction(const phb_position *position, int i) {
  return position->side == PHB_OHS ? i : (i + PHB_DIRECTIONS / 2) % PHB_DIRECTIONS;
}

/* --- all turns --- */

typedef tauler_error visitor(void *user, const phb_turn *turn);

typedef struct {
  const game_rules *rules;
  visitor *visit;
  void *user;
  phb_position now; /* position between jumps, with the mover to move */
  phb_stop *path;
  size_t used, room;
} walk;

static tauler_error add_stop(walk *w, phb_stop stop) {
  if (!memory_make_room(&w->path, &w->room, w->used + 1, sizeof *w->path)) return TAULER_NO_MEMORY;
  w->path[w->used++] = stop;
  return TAULER_OK;
}

static tauler_error visit_path(const walk *w) {
  phb_turn turn = {.jumps = true,
                   .path = w->path,
                   .path_used = w->used,
                   .result = phb_result_at(&w->now, w->path[w->used - 1]),
                   .after = w->now};
  turn.after.side = !w->now.side;
  return w->visit(w->user, &turn);
}

static tauler_error walk_paths(walk *w);

static tauler_error walk_jump(walk *w, const phb_jump *jump) {
  const uint16_t from = w->now.ball;
  tauler_error error = add_stop(w, jump->to);
  if (error) return error;
  phb_make_jump(&w->now, jump);
  error = visit_path(w);
  if (!error && phb_may_jump_on(w->rules, &w->now, jump->to)) error = walk_paths(w);
  undo_jump(&w->now, jump, from);
  w->used--;
  return error;
}

static tauler_error walk_paths(walk *w) {
  for (int i = 0; i < PHB_DIRECTIONS; i++) {
    phb_jump jump;
    if (!phb_find_jump(w->rules, &w->now, rotate_direction(&w->now, i), &jump)) continue;
    const tauler_error error = walk_jump(w, &jump);
    if (error) return error;
  }
  return TAULER_OK;
}

static bool is_vacant(const phb_position *position, int point) {
  return point != position->ball && !phb_has_man(position, point);
}

static tauler_error visit_placements(const phb_position *position, visitor *visit, void *user) {
  for (int point = 0; point < count_points(position); point++) {
    if (!is_vacant(position, point)) continue;
    phb_turn turn = {.placed = (uint16_t)point, .result = PHB_LIVE, .after = *position};
    phb_set_man(&turn.after, point, true);
    turn.after.side = !position->side;
    const tauler_error error = visit(user, &turn);
    if (error) return error;
  }
  return TAULER_OK;
}

tauler_error phb_each_turn(const game_rules *rules, const phb_position *position, visitor *visit,
                           void *user) {
  tauler_error error = visit_placements(position, visit, user);
  if (error) return error;
  walk w = {.rules = rules, .visit = visit, .user = user, .now = *position};
  const phb_stop start = {(int16_t)(position->ball / position->columns),
                          (int16_t)(position->ball % position->columns)};
  error = add_stop(&w, start);
  if (!error) error = walk_paths(&w);
  free(w.path);
  return error;
}

/* --- leaves --- */

static uint64_t count_lines(const game_rules *rules, phb_position *position, int plies, bool made);

static uint64_t count_paths(const game_rules *rules, phb_position *now, int plies, bool made) {
  const uint16_t from = now->ball;
  uint64_t leaves = 0;
  for (int direction = 0; direction < PHB_DIRECTIONS; direction++) {
    phb_jump jump;
    if (!phb_find_jump(rules, now, direction, &jump)) continue;
    phb_make_jump(now, &jump);
    if (plies == 0) {
      leaves++;
    } else if (phb_result_at(now, jump.to) == PHB_LIVE) {
      phb_position after = *now;
      after.side = !now->side;
      leaves += count_lines(rules, &after, plies, made);
    }
    if (phb_may_jump_on(rules, now, jump.to)) leaves += count_paths(rules, now, plies, made);
    undo_jump(now, &jump, from);
  }
  return leaves;
}

static uint64_t count_vacant(const phb_position *position) {
  uint64_t vacant = (uint64_t)count_points(position) - 1;
  for (int word = 0; word < PHB_SET_WORDS; word++)
    vacant -= (uint64_t)__builtin_popcountll(position->men[word]);
  return vacant;
}

static uint64_t count_lines(const game_rules *rules, phb_position *position, int plies, bool made) {
  if (plies == 0) return 1;
  uint64_t leaves = count_paths(rules, position, plies - 1, made);
  if (plies == 1 && !made) return leaves + count_vacant(position);
  position->side = !position->side;
  for (int point = 0; point < count_points(position); point++) {
    if (!is_vacant(position, point)) continue;
    phb_set_man(position, point, true);
    leaves += count_lines(rules, position, plies - 1, made);
    phb_set_man(position, point, false);
  }
  position->side = !position->side;
  return leaves;
}

uint64_t phb_leaves(const game_rules *rules, const game_position *game, int plies, bool made) {
  phb_position position = phb_from_game(game);
  return count_lines(rules, &position, plies, made);
}

/* --- names --- */

size_t phb_stop_name(const phb_position *board, phb_stop stop, char name[PHB_STOP_BYTES]) {
  const bool over_corner = stop.column < 0 || stop.column >= board->columns;
  if (over_corner) return (size_t)snprintf(name, PHB_STOP_BYTES, stop.row < 0 ? "exit-" : "exit+");
  return (size_t)snprintf(name, PHB_STOP_BYTES, "%c%d", PHB_COLUMN_LETTERS[stop.column], stop.row + 1);
}

void phb_point_name(const phb_position *board, int point, char name[PHB_STOP_BYTES]) {
  phb_stop_name(board, (phb_stop){(int16_t)(point / board->columns), (int16_t)(point % board->columns)},
                name);
}

size_t phb_turn_name_bytes(const phb_turn *turn) {
  return PHB_STOP_BYTES * (turn->jumps ? turn->path_used : 1);
}

void phb_turn_name(const phb_turn *turn, char *name) {
  if (!turn->jumps) {
    phb_point_name(&turn->after, turn->placed, name);
    return;
  }
  for (size_t i = 0; i < turn->path_used; i++) {
    if (i > 0) *name++ = '-';
    name += phb_stop_name(&turn->after, turn->path[i], name);
  }
}

/* --- members of game.h --- */

typedef struct {
  game_moves *moves;
  char *name;
  size_t room;
} lister;

static tauler_error list_turn(void *user, const phb_turn *turn) {
  lister *l = user;
  const size_t needed = phb_turn_name_bytes(turn);
  if (!memory_make_room(&l->name, &l->room, needed, 1)) return TAULER_NO_MEMORY;
  phb_turn_name(turn, l->name);
  const bool over = turn->result != PHB_LIVE;
  game_move move = {.name = l->name, .over = over, .converts = over};
  if (over) {
    move.gain = turn->result == PHB_MOVER_SCORES ? 1 : -1;
  } else {
    phb_to_game(&turn->after, &move.child);
  }
  return game_moves_add(l->moves, &move);
}

tauler_error phb_moves(const game_rules *rules, const game_position *game, game_moves *out) {
  const phb_position position = phb_from_game(game);
  lister l = {.moves = out};
  const tauler_error error = phb_each_turn(rules, &position, list_turn, &l);
  free(l.name);
  return error;
}

bool phb_position_ended(const game_rules *rules, const game_position *game, int *value) {
  return false;
}
