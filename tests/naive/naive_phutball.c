#include "naive_phutball.h"

#include "naive_memory.h"

#include <stdlib.h>
#include <string.h>

typedef bool visitor(void *user, const naive_phb_turn *turn);

static bool is_on_board(const naive_phb_board *board, naive_phb_point point) {
  return point.row >= 1 && point.row <= board->rows && point.column >= 1 && point.column <= board->columns;
}

static bool is_man(const naive_phb_board *board, naive_phb_point point) {
  return is_on_board(board, point) && board->man[point.row][point.column];
}

static bool is_beside_board(const naive_phb_board *board, naive_phb_point point) {
  return point.column < 1 || point.column > board->columns;
}

static bool is_beyond_goal_line(const naive_phb_board *board, naive_phb_point point) {
  return point.row < 1 || point.row > board->rows;
}

static bool may_land(const naive_phb_rules *rules, const naive_phb_board *board, naive_phb_point point) {
  if (!is_beside_board(board, point)) return true;
  return is_beyond_goal_line(board, point) && rules->corner_exit;
}

static naive_phb_result result_of(const naive_phb_board *board) {
  if (board->ball.row >= board->rows) return NAIVE_PHB_OHS_WIN;
  if (board->ball.row <= 1) return NAIVE_PHB_EKS_WIN;
  return NAIVE_PHB_LIVE;
}

static naive_phb_point beside(naive_phb_point point, int up, int right) {
  return (naive_phb_point){point.row + up, point.column + right};
}

/* False if there is no legal jump in this direction. */
static bool jump(const naive_phb_rules *rules, naive_phb_board *board, int up, int right) {
  naive_phb_point point = beside(board->ball, up, right);
  if (!is_man(board, point)) return false;
  while (is_man(board, point)) {
    board->man[point.row][point.column] = false;
    point = beside(point, up, right);
  }
  board->ball = point;
  return may_land(rules, board, point);
}

static bool may_jump_on(const naive_phb_rules *rules, const naive_phb_board *board) {
  if (!is_on_board(board, board->ball)) return false;
  return !rules->goal_line_stop || result_of(board) == NAIVE_PHB_LIVE;
}

/* All that may follow the path so far, which ended on turn->after.ball. */
static bool each_jump(const naive_phb_rules *rules, const naive_phb_turn *so_far, visitor *visit,
                      void *user) {
  for (int up = -1; up <= 1; up++) {
    for (int right = -1; right <= 1; right++) {
      naive_phb_turn turn = *so_far;
      if (!jump(rules, &turn.after, up, right)) continue;
      turn.stop[turn.stops++] = turn.after.ball;
      turn.result = result_of(&turn.after);
      if (!visit(user, &turn)) return false;
      if (may_jump_on(rules, &turn.after) && !each_jump(rules, &turn, visit, user)) return false;
    }
  }
  return true;
}

static bool each_placement(const naive_phb_board *board, visitor *visit, void *user) {
  for (int row = 1; row <= board->rows; row++) {
    for (int column = 1; column <= board->columns; column++) {
      if (board->man[row][column] || (row == board->ball.row && column == board->ball.column)) continue;
      naive_phb_turn turn = {.stops = 1, .stop = {{row, column}}, .after = *board};
      turn.after.man[row][column] = true;
      turn.after.eks_moves = !board->eks_moves;
      turn.result = NAIVE_PHB_LIVE;
      if (!visit(user, &turn)) return false;
    }
  }
  return true;
}

bool naive_phb_each_turn(const naive_phb_rules *rules, const naive_phb_board *board, visitor *visit,
                         void *user) {
  naive_phb_turn start = {.stops = 1, .stop = {board->ball}, .after = *board};
  start.after.eks_moves = !board->eks_moves;
  return each_placement(board, visit, user) && each_jump(rules, &start, visit, user);
}

/* --- lines --- */

typedef struct {
  const naive_phb_rules *rules;
  int plies; /* left */
  naive_phb_counts *counts;
  naive_phb_board *boards; /* live ones at the end of lines */
  int room;
} lines;

static bool note_board(lines *all, const naive_phb_board *board) {
  all->boards = naive_grown(all->boards, (int)all->counts->boards, &all->room, sizeof *all->boards);
  all->boards[all->counts->boards++] = *board;
  return true;
}

static bool count_turn(void *user, const naive_phb_turn *turn) {
  lines *all = user;
  if (all->plies > 1) {
    if (turn->result != NAIVE_PHB_LIVE) return true;
    all->plies--;
    bool counted = naive_phb_each_turn(all->rules, &turn->after, count_turn, all);
    all->plies++;
    return counted;
  }
  all->counts->turns++;
  if (turn->result == NAIVE_PHB_LIVE) return note_board(all, &turn->after);
  all->counts->goals++;
  return true;
}

static int compare_boards(const void *one, const void *other) {
  const naive_phb_board *a = one, *b = other;
  if (a->ball.row != b->ball.row) return a->ball.row - b->ball.row;
  if (a->ball.column != b->ball.column) return a->ball.column - b->ball.column;
  return memcmp(a->man, b->man, sizeof a->man);
}

static long count_different(naive_phb_board *boards, long count) {
  long different = 0;
  if (count > 0) qsort(boards, (size_t)count, sizeof *boards, compare_boards);
  for (long i = 0; i < count; i++)
    if (i == 0 || compare_boards(&boards[i], &boards[i - 1]) != 0) different++;
  return different;
}

naive_phb_counts naive_phb_count(const naive_phb_rules *rules, const naive_phb_board *board, int plies) {
  naive_phb_counts counts = {0, 0, 0};
  lines all = {rules, plies, &counts, NULL, 0};
  naive_phb_each_turn(rules, board, count_turn, &all);
  counts.boards = count_different(all.boards, counts.boards);
  free(all.boards);
  return counts;
}

/* --- boards --- */

naive_phb_board naive_phb_empty(int rows, int columns, naive_phb_point ball, bool eks_moves) {
  return (naive_phb_board){.rows = rows, .columns = columns, .ball = ball, .eks_moves = eks_moves};
}

naive_phb_board naive_phb_mirrored(const naive_phb_board *board) {
  naive_phb_point ball = {board->ball.row, board->columns + 1 - board->ball.column};
  naive_phb_board mirrored = naive_phb_empty(board->rows, board->columns, ball, board->eks_moves);
  for (int row = 1; row <= board->rows; row++)
    for (int column = 1; column <= board->columns; column++)
      mirrored.man[row][board->columns + 1 - column] = board->man[row][column];
  return mirrored;
}

naive_phb_board naive_phb_turned(const naive_phb_board *board) {
  naive_phb_point ball = {board->rows + 1 - board->ball.row, board->columns + 1 - board->ball.column};
  naive_phb_board turned = naive_phb_empty(board->rows, board->columns, ball, !board->eks_moves);
  for (int row = 1; row <= board->rows; row++)
    for (int column = 1; column <= board->columns; column++)
      turned.man[board->rows + 1 - row][board->columns + 1 - column] = board->man[row][column];
  return turned;
}
