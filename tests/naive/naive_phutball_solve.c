#include "naive_phutball_solve.h"

#include <stdlib.h>

/* A number is the ball's point times the sets of all points, plus the set of men. Where the ball would be on
 * a man or on a goal line it stands for nothing: a draw that nothing leads to. Two more are those of games
 * that are over. */
struct naive_phb_world {
  naive_phb_rules rules;
  int rows, columns, points;
  int numbers;
  naive_wdl *worth; /* numbers + 2 */
};

/* The graph while it grows. */
typedef struct {
  const naive_phb_world *world;
  signed char *result;
  int *first, *next;
  int used, room;
} edges;

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
  edges *graph = user;
  if (graph->used == graph->room) {
    int room = graph->room == 0 ? 1 << 16 : 2 * graph->room;
    int *next = realloc(graph->next, (size_t)room * sizeof *next);
    if (next == NULL) return false;
    graph->next = next;
    graph->room = room;
  }
  graph->next[graph->used++] = next_number(graph->world, turn);
  return true;
}

static bool grow(const naive_phb_world *world, edges *graph) {
  for (int number = 0; number < world->numbers; number++) {
    graph->first[number] = graph->used;
    graph->result[number] = NAIVE_DRAW;
    if (!naive_phb_is_position(world, number)) continue;
    naive_phb_board board = naive_phb_board_of(world, number);
    graph->result[number] = NAIVE_OPEN;
    if (!naive_phb_each_turn(&world->rules, &board, add_turn, graph)) return false;
  }
  graph->result[lost_number(world)] = NAIVE_LOSS;
  graph->result[won_number(world)] = NAIVE_WIN;
  for (int over = 0; over <= 2; over++) graph->first[world->numbers + over] = graph->used;
  return true;
}

static bool solve_boards(naive_phb_world *world) {
  size_t count = (size_t)world->numbers + 2;
  edges graph = {.world = world, .result = malloc(count), .first = malloc((count + 1) * sizeof(int))};
  world->worth = malloc(count * sizeof *world->worth);
  bool solved = graph.result != NULL && graph.first != NULL && world->worth != NULL && grow(world, &graph);
  if (solved) {
    naive_graph whole = {(int)count, graph.first, graph.next, graph.result};
    solved = naive_wdl_solve(&whole, world->worth);
  }
  free(graph.result);
  free(graph.first);
  free(graph.next);
  return solved;
}

naive_phb_world *naive_phb_solve(const naive_phb_rules *rules, int rows, int columns) {
  int points = rows * columns;
  naive_phb_world *world = points <= NAIVE_PHB_MOST_SOLVED ? malloc(sizeof *world) : NULL;
  if (world == NULL) return NULL;
  *world = (naive_phb_world){*rules, rows, columns, points, points << points, NULL};
  if (solve_boards(world)) return world;
  naive_phb_world_free(world);
  return NULL;
}

void naive_phb_world_free(naive_phb_world *world) {
  if (world == NULL) return;
  free(world->worth);
  free(world);
}
