#include "naive_phutball_solve.h"

#include "naive_memory.h"

/* A number is the ball's point times the sets of all points, plus the set of men. Where the ball would be on
 * a man or on a goal line it stands for nothing: a draw that nothing leads to. Two more are those of games
 * that are over. */
struct naive_phb_world {
  naive_phb_rules rules;
  int rows, columns, points;
  int numbers;
  naive_wdl *worth; /* numbers + 2 */
};

typedef struct {
  const naive_phb_world *world;
  naive_graph *graph;
} turns;

static int bit_of(const naive_phb_world *world, int row, int column) {
  return (row - 1) * world->columns + column - 1;
}

int naive_phb_number_of(const naive_phb_world *world, const naive_phb_board *board) {
  naive_phb_board seen = board->eks_moves ? naive_phb_turned(board) : *board;
  int set = 0;
  for (int row = 1; row <= world->rows; row++)
    for (int column = 1; column <= world->columns; column++)
      if (seen.man[row][column]) set += 1 << bit_of(world, row, column);
  return (bit_of(world, seen.ball.row, seen.ball.column) << world->points) + set;
}

naive_phb_board naive_phb_board_of(const naive_phb_world *world, int number) {
  int ball = number >> world->points;
  naive_phb_point point = {ball / world->columns + 1, ball % world->columns + 1};
  naive_phb_board board = naive_phb_empty(world->rows, world->columns, point, false);
  for (int row = 1; row <= world->rows; row++)
    for (int column = 1; column <= world->columns; column++)
      board.man[row][column] = number >> bit_of(world, row, column) & 1;
  return board;
}

bool naive_phb_is_position(const naive_phb_world *world, int number) {
  int ball = number >> world->points, row = ball / world->columns + 1;
  return row > 1 && row < world->rows && (number >> ball & 1) == 0;
}

int naive_phb_numbers(const naive_phb_world *world) {
  return world->numbers;
}

naive_wdl naive_phb_worth(const naive_phb_world *world, int number) {
  return world->worth[number];
}

static int lost_number(const naive_phb_world *world) {
  return world->numbers;
}
static int won_number(const naive_phb_world *world) {
  return world->numbers + 1;
}

/* Ohs has moved. The next player has lost or won if the game is over. */
static int next_number(const naive_phb_world *world, const naive_phb_turn *turn) {
  if (turn->result == NAIVE_PHB_OHS_WIN) return lost_number(world);
  if (turn->result == NAIVE_PHB_EKS_WIN) return won_number(world);
  return naive_phb_number_of(world, &turn->after);
}

static bool add_turn(void *user, const naive_phb_turn *turn) {
  turns *to = user;
  naive_graph_lead(to->graph, next_number(to->world, turn));
  return true;
}

static signed char add_position(turns *to, int number) {
  if (!naive_phb_is_position(to->world, number)) return NAIVE_DRAW;
  naive_phb_board board = naive_phb_board_of(to->world, number);
  naive_phb_each_turn(&to->world->rules, &board, add_turn, to);
  return NAIVE_OPEN;
}

naive_phb_world *naive_phb_solve(const naive_phb_rules *rules, int rows, int columns) {
  int points = rows * columns;
  if (points > NAIVE_PHB_MOST_SOLVED) return NULL;
  naive_phb_world *world = naive_allocate(1, sizeof *world);
  *world = (naive_phb_world){*rules, rows, columns, points, points << points, NULL};
  turns to = {world, naive_graph_new(world->numbers + 2)};
  for (int number = 0; number < world->numbers; number++)
    naive_graph_end(to.graph, add_position(&to, number));
  naive_graph_end(to.graph, NAIVE_LOSS); /* lost_number */
  naive_graph_end(to.graph, NAIVE_WIN);  /* won_number */
  world->worth = naive_graph_solve(to.graph);
  return world;
}
