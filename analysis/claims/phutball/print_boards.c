/* The figures phutball-boards and phutball-narrow: small boards of Phutball, what their tables say, and the
 * empty board. */
#include <stdlib.h>

#include "analysis/claims/figures.h"
#include "analysis/claims/phutball/boards.h"

enum { NARROW = 2 };

/* The ball on every point of the empty board from which play can begin, row by row: value and depth. */
static void print_starts(claim_tables *t, json_writer *json, const phutball_board *board) {
  json_key(json, "starts");
  json_begin_array(json);
  for (int row = 2; row < board->rows; row++) {
    for (int column = 0; column < board->columns; column++) {
      int depth = 0;
      json_begin_array(json);
      json_integer(json, phutball_board_ask(t, board, row, column, &depth));
      json_integer(json, depth);
      json_end_array(json);
    }
  }
  json_end_array(json);
}

static void print_board(claim_tables *t, json_writer *json, const phutball_board *board) {
  const game_position centre =
      claim_position_at(t, phutball_board_start(t, board, (board->rows + 1) / 2, board->columns / 2));
  game_position smallest;
  if (board->draws) smallest = claim_position_at(t, (game_place){board->slice, board->smallest});
  json_begin_object(json);
  json_field_string(json, "board", board->name);
  json_field_integer(json, "rows", board->rows);
  json_field_integer(json, "columns", board->columns);
  json_field_unsigned(json, "wins", board->wins);
  json_field_unsigned(json, "losses", board->losses);
  json_field_unsigned(json, "draws", board->draws);
  json_field_integer(json, "longest_win", board->longest_win);
  json_field_integer(json, "longest_loss", board->longest_loss);
  json_field_integer(json, "fewest_men", board->fewest_men);
  json_field_string(json, "smallest", board->draws ? claim_print(t, &smallest).text : NULL);
  json_field_string(json, "centre", claim_print(t, &centre).text);
  print_starts(t, json, board);
  json_end_object(json);
}

/* Boards of more columns are not counted. */
static void print_boards(claim_tables *t, json_writer *json, int most_columns) {
  phutball_boards boards;
  phutball_boards_choose(t, 0, &boards);
  json_key(json, "boards");
  json_begin_array(json);
  for (size_t i = 0; i < boards.used && !t->kept->error; i++) {
    phutball_board *board = &boards.boards[i];
    if (board->columns <= most_columns) phutball_board_count(t, board);
    if (!t->kept->error) print_board(t, json, board);
  }
  json_end_array(json);
  free(boards.boards);
}

static void print_all(claim_tables *t, json_writer *json) {
  print_boards(t, json, BOARD_MOST_COLUMNS);
}

static void print_narrow(claim_tables *t, json_writer *json) {
  print_boards(t, json, NARROW);
}

extern const figures figures_phutball_boards, figures_phutball_narrow;
const figures figures_phutball_boards = {"phutball-boards", "phutball", print_all};
const figures figures_phutball_narrow = {"phutball-narrow", "phutball", print_narrow};
