#include "naive_doushouqi_solve.h"

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

/* The graph while it grows. */
typedef struct {
  signed char *result;
  int *first, *next;
  int used, room;
} edges;

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

static bool make_room(edges *graph) {
  if (graph->room - graph->used >= NAIVE_DSQ_MOST_MOVES) return true;
  int room = 2 * graph->room + NAIVE_DSQ_MOST_MOVES;
  int *next = realloc(graph->next, (size_t)room * sizeof *next);
  if (!next) return false;
  graph->next = next;
  graph->room = room;
  return true;
}

/* Adds the moves of a position that nobody has won and gives what it is as a result. */
static signed char add_moves(const naive_dsq_ending *ending, const int *squares, const naive_dsq_board *board,
                             edges *graph) {
  naive_dsq_move moves[NAIVE_DSQ_MOST_MOVES];
  int count = naive_dsq_moves(&ending->rules, board, moves);
  for (int m = 0; m < count; m++)
    graph->next[graph->used++] = number_after(ending, squares, moves[m], board->black_moves);
  if (count > 0) return NAIVE_OPEN;
  return ending->rules.stalemate_loss ? NAIVE_LOSS : NAIVE_DRAW;
}

static signed char add_position(const naive_dsq_ending *ending, int number, edges *graph) {
  int squares[NAIVE_DSQ_MOST_PIECES];
  squares_of(ending, number, squares);
  if (share_a_square(ending, squares)) return NAIVE_DRAW;
  naive_dsq_board board = naive_dsq_board_of(ending, squares, number % 2);
  int winner = naive_dsq_winner(&board);
  if (winner != 0) return (winner < 0) == board.black_moves ? NAIVE_WIN : NAIVE_LOSS;
  if (!naive_dsq_is_position(ending, squares)) return NAIVE_DRAW;
  return add_moves(ending, squares, &board, graph);
}

static bool add_all(const naive_dsq_ending *ending, edges *graph) {
  for (int number = 0; number < ending->positions; number++) {
    if (!make_room(graph)) return false;
    graph->first[number] = graph->used;
    graph->result[number] = add_position(ending, number, graph);
  }
  graph->first[ending->positions] = graph->used;
  return true;
}

static bool solve_squares(naive_dsq_ending *ending) {
  size_t count = (size_t)ending->positions;
  edges graph = {.result = malloc(count), .first = malloc((count + 1) * sizeof(int))};
  ending->worth = malloc(count * sizeof *ending->worth);
  bool solved = graph.result && graph.first && ending->worth && add_all(ending, &graph);
  if (solved) {
    const naive_graph whole = {ending->positions, graph.first, graph.next, graph.result};
    solved = naive_wdl_solve(&whole, ending->worth);
  }
  free(graph.result);
  free(graph.first);
  free(graph.next);
  return solved;
}

naive_dsq_ending *naive_dsq_solve(const naive_dsq_rules *rules, const signed char *pieces, int count) {
  naive_dsq_ending *ending = calloc(1, sizeof *ending);
  if (!ending) return NULL;
  ending->rules = *rules;
  ending->count = count;
  memcpy(ending->pieces, pieces, (size_t)count);
  ending->positions = 2;
  for (int p = 0; p < count; p++) ending->positions *= 64;
  if (solve_squares(ending)) return ending;
  naive_dsq_ending_free(ending);
  return NULL;
}

void naive_dsq_ending_free(naive_dsq_ending *ending) {
  if (!ending) return;
  free(ending->worth);
  free(ending);
}

naive_wdl naive_dsq_worth(const naive_dsq_ending *ending, const int *squares, bool black_moves) {
  return ending->worth[number_of(ending, squares, black_moves)];
}
