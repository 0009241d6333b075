/* Plays boards for search. A state is a board seen by the mover, without stores. */
#include <string.h>

#include "games/auale/position.h"
#include "games/game_play.h"

enum { WORDS = 2 };

_Static_assert(sizeof(auale_board) <= WORDS * sizeof(uint64_t), "a board must fit");

static size_t state_words(const game_rules *rules, const game_position *position) {
  return WORDS;
}

static void write_state(const auale_board *board, uint64_t *state) {
  state[WORDS - 1] = 0;
  memcpy(state, board, sizeof *board);
}

static auale_board board_of_state(const uint64_t *state) {
  auale_board board;
  memcpy(&board, state, sizeof board);
  return board;
}

static void read_position(const game_rules *rules, const game_position *game, uint64_t *state) {
  const auale_board board = auale_board_of_game(game);
  write_state(&board, state);
}

static void write_position(const game_rules *rules, const uint64_t *state, game_position *game) {
  const auale_board board = board_of_state(state);
  auale_board_to_game(&board, game);
}

static tauler_error play_moves(const game_rules *rules, const uint64_t *state, game_play_list *list) {
  const auale_board board = board_of_state(state);
  auale_board child[ROW_PITS];
  int captured[ROW_PITS];
  for (unsigned rest = auale_play_all(rules->grand_slam, &board, child, captured); rest; rest &= rest - 1) {
    const int pit = __builtin_ctz(rest);
    uint64_t after[WORDS];
    write_state(&child[pit], after);
    const game_play_move move = {
        .gain = (int16_t)captured[pit], .key = (uint16_t)(1 + pit), .converts = captured[pit] > 0};
    const tauler_error error = game_play_add(list, &move, after);
    if (error) return error;
  }
  return TAULER_OK;
}

static int find_end_value(const game_rules *rules, const uint64_t *state) {
  const auale_board board = board_of_state(state);
  return auale_end_value(&board);
}

/* MOVE and KROO are weights in hundredths of a seed. A player with more moves keeps harmless ones longer. A
 * kroo, a pit of LAP seeds or more, threatens large captures. */
enum { MOVE = 150, KROO = 60, LAP = 12 };

static int guess_row(const uint8_t pits[ROW_PITS]) {
  int worth = 0;
  for (int pit = 0; pit < ROW_PITS; pit++) worth += MOVE * (pits[pit] > 0) + KROO * (pits[pit] >= LAP);
  return worth;
}

static int guess_result(const game_rules *rules, const uint64_t *state) {
  const auale_board board = board_of_state(state);
  return guess_row(board.pits) - guess_row(board.pits + ROW_PITS);
}

const game_play auale_play_members = {state_words, read_position,  write_position,
                                      play_moves,  find_end_value, guess_result};
