/* Boards for search, seen by the mover and without stores. */
#include <string.h>

#include "games/auale/position.h"
#include "games/game_play.h"

enum { WORDS = 2 };

_Static_assert(sizeof(auale_board) <= WORDS * sizeof(uint64_t), "a board must fit");

static size_t words(const game_rules *rules, const game_position *position) {
  (void)rules;
  (void)position;
  return WORDS;
}

static void to_state(const auale_board *board, uint64_t *state) {
  state[WORDS - 1] = 0;
  memcpy(state, board, sizeof *board);
}

static auale_board of_state(const uint64_t *state) {
  auale_board board;
  memcpy(&board, state, sizeof board);
  return board;
}

static void read(const game_rules *rules, const game_position *game, uint64_t *state) {
  (void)rules;
  const auale_position position = auale_from_game(game);
  const auale_board board = auale_board_of(&position);
  to_state(&board, state);
}

static void write(const game_rules *rules, const uint64_t *state, game_position *game) {
  (void)rules;
  const auale_board board = of_state(state);
  const auale_position position = auale_position_of(&board);
  auale_to_game(&position, game);
}

static tauler_error moves(const game_rules *rules, const uint64_t *state, game_play_list *list) {
  const auale_board board = of_state(state);
  for (unsigned rest = auale_legal_pits(rules->grand_slam, &board); rest; rest &= rest - 1) {
    auale_board child;
    uint64_t after[WORDS];
    const int captured = auale_play(rules->grand_slam, &board, __builtin_ctz(rest), &child);
    to_state(&child, after);
    const game_play_move move = {.gain = (int16_t)captured, .converts = captured > 0};
    const tauler_error error = game_play_add(list, &move, after);
    if (error) return error;
  }
  return TAULER_OK;
}

static int ended(const game_rules *rules, const uint64_t *state) {
  (void)rules;
  const auale_board board = of_state(state);
  return auale_end_value(&board);
}

const game_play auale_play_page = {words, read, write, moves, ended};
