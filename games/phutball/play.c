/* Plays positions for search. A state is a word with ball, board and side, and the words of men that the
 * board's points need. */
#include <stdlib.h>
#include <string.h>

#include "games/game_play.h"
#include "games/phutball/turns.h"

static size_t set_words(int rows, int columns) {
  return ((size_t)rows * (size_t)columns + 63) / 64;
}

static size_t state_words(const game_rules *rules, const game_position *game) {
  const phb_position position = phb_from_game(game);
  return 1 + set_words(position.rows, position.columns);
}

static void write_state(const phb_position *position, uint64_t *state) {
  state[0] = (uint64_t)position->ball | (uint64_t)position->rows << 16 | (uint64_t)position->columns << 24 |
             (uint64_t)position->side << 32;
  memcpy(state + 1, position->men, set_words(position->rows, position->columns) * sizeof *state);
}

static phb_position position_of_state(const uint64_t *state) {
  phb_position position = {.ball = (uint16_t)(state[0] & 0xFFFF),
                           .rows = (uint8_t)(state[0] >> 16 & 0xFF),
                           .columns = (uint8_t)(state[0] >> 24 & 0xFF),
                           .side = (uint8_t)(state[0] >> 32 & 1)};
  memcpy(position.men, state + 1, set_words(position.rows, position.columns) * sizeof *state);
  return position;
}

static void read_position(const game_rules *rules, const game_position *game, uint64_t *state) {
  const phb_position position = phb_from_game(game);
  write_state(&position, state);
}

static void write_position(const game_rules *rules, const uint64_t *state, game_position *game) {
  const phb_position position = position_of_state(state);
  phb_to_game(&position, game);
}

typedef struct {
  game_play_list *list;
  int row, column; /* place of the ball before the turn */
  int ahead;       /* 1 if the mover attacks the last row, −1 if the first */
} lister;

/* Rates a turn by how early the search tries it: first jumps, the farthest ahead first; then men, the nearest
 * to the ball first and, at the same distance, those ahead of it. */
static int rate_turn(const lister *l, const phb_turn *turn) {
  const int columns = turn->after.columns, point = turn->jumps ? turn->after.ball : turn->placed;
  const int row = point / columns, column = point % columns, gone = l->ahead * (row - l->row);
  if (turn->jumps) return 200 + 8 * gone;
  const int rows_off = abs(row - l->row), columns_off = abs(column - l->column);
  return (gone > 0) - 2 * (rows_off > columns_off ? rows_off : columns_off);
}

static tauler_error add_turn(void *user, const phb_turn *turn) {
  lister *l = user;
  uint64_t after[1 + PHB_SET_WORDS];
  const bool over = turn->result != PHB_LIVE;
  game_play_move move = {.over = over, .converts = over, .eager = (int16_t)rate_turn(l, turn)};
  if (!turn->jumps) move.key = (uint16_t)(1 + turn->placed);
  if (over) {
    move.gain = turn->result == PHB_MOVER_SCORES ? 1 : -1;
  } else {
    write_state(&turn->after, after);
  }
  return game_play_add(l->list, &move, after);
}

static tauler_error play_moves(const game_rules *rules, const uint64_t *state, game_play_list *list) {
  const phb_position position = position_of_state(state);
  lister l = {list, position.ball / position.columns, position.ball % position.columns,
              position.side == PHB_OHS ? 1 : -1};
  return phb_each_turn(rules, &position, add_turn, &l);
}

/* Returns 0: a live position always has a turn, so no state has ended. */
static int find_end_value(const game_rules *rules, const uint64_t *state) {
  return 0;
}

enum { ROW = 100 }; /* guess for each row by which the ball is past the middle of the board */

static int guess_result(const game_rules *rules, const uint64_t *state) {
  const phb_position position = position_of_state(state);
  const int nearer = 2 * (position.ball / position.columns) - (position.rows - 1);
  return ROW * (position.side == PHB_OHS ? nearer : -nearer) / 2;
}

const game_play phb_play_members = {state_words, read_position,  write_position,
                                    play_moves,  find_end_value, guess_result};
