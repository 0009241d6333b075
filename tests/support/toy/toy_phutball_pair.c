#include "tests/support/toy/toy_phutball_pair.h"

#include "games/registry.h"
#include "tests/support/rules.h"
#include "tests/support/suite.h"

phb_pair phb_pair_open(int number) {
  phb_pair pair = {.game = game_find("phutball"), .naive = {number & 1, number & 2}};
  ck_assert_ptr_nonnull(pair.game);
  pair.text = naive_phb_rules_text(&pair.naive);
  pair.rules = suite_rules(pair.game, pair.text, NULL);
  return pair;
}

game_slice phb_pair_slice(const phb_pair *pair, int rows, int columns) {
  char name[24];
  snprintf(name, sizeof name, "%dx%d", rows, columns);
  const game_request request = {.board = name};
  const game_slices slices = suite_slices(pair->game, pair->rules, &request);
  ck_assert_uint_eq(slices.used, 1);
  return slices.slices[0];
}

game_position phb_pair_parsed(const phb_pair *pair, const naive_phb_board *board) {
  char text[NAIVE_PHB_TEXT_BYTES];
  game_position position;
  naive_phb_write(board, text);
  const tauler_error error = pair->game->parse(pair->rules, text, &position, hear());
  EXPECT(!error, "%s, %s: %s", pair->text, text, said.text);
  return position;
}

naive_phb_board phb_pair_printed(const phb_pair *pair, const game_position *position) {
  char text[GAME_TEXT_BYTES];
  naive_phb_board board;
  pair->game->print(pair->rules, position, text);
  EXPECT(naive_phb_read(text, &board), "%s: the game prints %s", pair->text, text);
  return board;
}

bool phb_pair_same(const naive_phb_board *one, const naive_phb_board *other) {
  char a[NAIVE_PHB_TEXT_BYTES], b[NAIVE_PHB_TEXT_BYTES];
  naive_phb_write(one, a);
  naive_phb_write(other, b);
  return strcmp(a, b) == 0;
}

naive_phb_board phb_pair_board(int rows, int columns, int ball, unsigned long set) {
  const naive_phb_point point = {ball / columns + 1, ball % columns + 1};
  naive_phb_board board = naive_phb_empty(rows, columns, point, false);
  for (int bit = 0; bit < rows * columns; bit++)
    board.man[bit / columns + 1][bit % columns + 1] = set >> bit & 1;
  return board;
}

int phb_pair_any(unsigned long *state, int below) {
  *state = *state * 6364136223846793005UL + 1442695040888963407UL;
  return below > 1 ? (int)((*state >> 33) % (unsigned long)below) : 0;
}

naive_phb_board phb_pair_random(unsigned long *state, int rows, int columns, int men) {
  const naive_phb_point ball = {2 + phb_pair_any(state, rows - 2), 1 + phb_pair_any(state, columns)};
  naive_phb_board board = naive_phb_empty(rows, columns, ball, phb_pair_any(state, 2));
  const bool near = phb_pair_any(state, 3) > 0;
  for (int wanted = phb_pair_any(state, men + 1); wanted > 0; wanted--) {
    const int row = near ? ball.row - 3 + phb_pair_any(state, 7) : 1 + phb_pair_any(state, rows);
    const int column = near ? ball.column - 3 + phb_pair_any(state, 7) : 1 + phb_pair_any(state, columns);
    if (row < 1 || row > rows || column < 1 || column > columns) continue;
    if (row != ball.row || column != ball.column) board.man[row][column] = true;
  }
  return board;
}
