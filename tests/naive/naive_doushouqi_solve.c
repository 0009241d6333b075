#include "naive_doushouqi_solve.h"

#include "naive_memory.h"

#include <stdlib.h>
#include <string.h>

/* Positions are numbered by the squares of the pieces, base 64, then the side to move. Most numbers of
 * impossible placements are draws that nothing leads to. */
struct naive_dsq_ending {
  naive_dsq_rules rules;
  signed char pieces[NAIVE_DSQ_MOST_PIECES];
  int count;
  int positions;
  naive_wdl *worth;
};

static int number_of(const naive_dsq_ending *ending, const int *squares, bool black_moves) {
  int number = 0;
  for (int p = 0; p < ending->count; p++) number = number * 64 + squares[p];
  return number * 2 + black_moves;
}

static void squares_of(const naive_dsq_ending *ending, int number, int *squares) {
  number /= 2;
  for (int p = ending->count - 1; p >= 0; p--) {
    squares[p] = number % 64;
    number /= 64;
  }
}

static bool share_a_square(const naive_dsq_ending *ending, const int *squares) {
  for (int p = 0; p < ending->count; p++)
    for (int q = 0; q < p; q++)
      if (squares[p] != NAIVE_DSQ_TAKEN && squares[p] == squares[q]) return true;
  return false;
}

bool naive_dsq_is_position(const naive_dsq_ending *ending, const int *squares) {
  bool white = false, black = false;
  for (int p = 0; p < ending->count; p++) {
    if (squares[p] == NAIVE_DSQ_TAKEN) continue;
    if (!naive_dsq_may_stand(&ending->rules, abs(ending->pieces[p]), squares[p])) return false;
    if (ending->pieces[p] > 0) white = true;
    if (ending->pieces[p] < 0) black = true;
  }
  return white && black && !share_a_square(ending, squares);
}

naive_dsq_board naive_dsq_board_of(const naive_dsq_ending *ending, const int *squares, bool black_moves) {
  naive_dsq_board board = {.black_moves = black_moves};
  for (int p = 0; p < ending->count; p++)
    if (squares[p] != NAIVE_DSQ_TAKEN) board.piece[squares[p]] = ending->pieces[p];
  return board;
}

static int number_after(const naive_dsq_ending *ending, const int *squares, naive_dsq_move move,
                        bool black_moves) {
  int after[NAIVE_DSQ_MOST_PIECES];
  for (int p = 0; p < ending->count; p++) {
    after[p] = squares[p];
    if (squares[p] == move.to) after[p] = NAIVE_DSQ_TAKEN;
    if (squares[p] == move.from) after[p] = move.to;
  }
  return number_of(ending, after, !black_moves);
}

/* Adds the moves of a position that nobody has won and gives what it is as a result. */
static signed char add_moves(const naive_dsq_ending *ending, const int *squares, const naive_dsq_board *board,
                             naive_graph *graph) {
  naive_dsq_move moves[NAIVE_DSQ_MOST_MOVES];
  int count = naive_dsq_moves(&ending->rules, board, moves);
  for (int m = 0; m < count; m++)
    naive_graph_lead(graph, number_after(ending, squares, moves[m], board->black_moves));
  if (count > 0) return NAIVE_OPEN;
  return ending->rules.stalemate_loss ? NAIVE_LOSS : NAIVE_DRAW;
}

static signed char add_position(const naive_dsq_ending *ending, int number, naive_graph *graph) {
  int squares[NAIVE_DSQ_MOST_PIECES];
  squares_of(ending, number, squares);
  if (share_a_square(ending, squares)) return NAIVE_DRAW;
  naive_dsq_board board = naive_dsq_board_of(ending, squares, number % 2);
  int winner = naive_dsq_winner(&board);
  if (winner != 0) return (winner < 0) == board.black_moves ? NAIVE_WIN : NAIVE_LOSS;
  if (!naive_dsq_is_position(ending, squares)) return NAIVE_DRAW;
  return add_moves(ending, squares, &board, graph);
}

naive_dsq_ending *naive_dsq_solve(const naive_dsq_rules *rules, const signed char *pieces, int count) {
  naive_dsq_ending *ending = naive_allocate(1, sizeof *ending);
  ending->rules = *rules;
  ending->count = count;
  memcpy(ending->pieces, pieces, (size_t)count);
  ending->positions = 2;
  for (int p = 0; p < count; p++) ending->positions *= 64;
  naive_graph *graph = naive_graph_new(ending->positions);
  for (int number = 0; number < ending->positions; number++)
    naive_graph_end(graph, add_position(ending, number, graph));
  ending->worth = naive_graph_solve(graph);
  return ending;
}

naive_wdl naive_dsq_worth(const naive_dsq_ending *ending, const int *squares, bool black_moves) {
  return ending->worth[number_of(ending, squares, black_moves)];
}
