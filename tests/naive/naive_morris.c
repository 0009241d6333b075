/* The slow definition of three men's morris, from lists of points and lines. */
#include "naive_morris.h"

#include <stdio.h>
#include <string.h>

/* Points in the order of their digits in a position's number. */
static const char *const points[9] = {"a1", "b1", "c1", "a2", "b2", "c2", "a3", "b3", "c3"};
static const char *const lines[8] = {"a1b1c1", "a2b2c2", "a3b3c3", "a1a2a3",
                                     "b1b2b3", "c1c2c3", "a1b2c3", "a3b2c1"};
enum { STRAIGHT = 6, LINES = 8 };

/* The men on the points: 0 nothing, 1 white, 2 black; and the side to move, 1 or 2. */
typedef struct {
  int on[9], mover;
} board;

static board board_of(int position) {
  board b;
  b.mover = 1 + position % 2;
  position /= 2;
  for (int point = 0; point < 9; point++) {
    b.on[point] = position % 3;
    position /= 3;
  }
  return b;
}

static int number_of(const board *b) {
  int number = 0;
  for (int point = 8; point >= 0; point--) number = 3 * number + b->on[point];
  return 2 * number + b->mover - 1;
}

static int men_of(const board *b, int side) {
  int men = 0;
  for (int point = 0; point < 9; point++) men += b->on[point] == side;
  return men;
}

static int on_named(const board *b, const char *name) {
  int point = 0;
  while (strncmp(points[point], name, 2) != 0) point++;
  return b->on[point];
}

static bool has_three(const naive_morris_rules *rules, const board *b, int side) {
  const int used = rules->no_diagonals ? STRAIGHT : LINES;
  for (int line = 0; line < used; line++) {
    const char *on = lines[line];
    if (on_named(b, on) == side && on_named(b, on + 2) == side && on_named(b, on + 4) == side) return true;
  }
  return false;
}

/* Neighbours on a line of the board. */
static bool is_next(const naive_morris_rules *rules, const char *from, const char *to) {
  const int used = rules->no_diagonals ? STRAIGHT : LINES;
  const char one[5] = {from[0], from[1], to[0], to[1], 0}, back[5] = {to[0], to[1], from[0], from[1], 0};
  if (rules->any_point) return true;
  for (int line = 0; line < used; line++)
    if (strstr(lines[line], one) || strstr(lines[line], back)) return true;
  return false;
}

bool naive_morris_is_position(int position) {
  const board b = board_of(position);
  const int white = men_of(&b, 1), black = men_of(&b, 2);
  if (white == 3 && black == 3) return true;
  return white <= 3 && black <= 3 && white == black + (b.mover == 2 ? 1 : 0);
}

bool naive_morris_is_won(const naive_morris_rules *rules, int position) {
  const board b = board_of(position);
  return has_three(rules, &b, 1) || has_three(rules, &b, 2);
}

bool naive_morris_has_all_men(int position) {
  const board b = board_of(position);
  return men_of(&b, 1) + men_of(&b, 2) == 6;
}

bool naive_morris_black_moves(int position) {
  return board_of(position).mover == 2;
}

static naive_morris_move move_of(const naive_morris_rules *rules, board b, int from, int to) {
  naive_morris_move move = {"", 0, false};
  snprintf(move.name, sizeof move.name, "%s%s", from >= 0 ? points[from] : "", points[to]);
  if (from >= 0) b.on[from] = 0;
  b.on[to] = b.mover;
  move.wins = has_three(rules, &b, b.mover);
  b.mover = 3 - b.mover;
  move.child = number_of(&b);
  return move;
}

int naive_morris_moves(const naive_morris_rules *rules, int position,
                       naive_morris_move moves[NAIVE_MORRIS_MOVES]) {
  const board b = board_of(position);
  const bool in_hand = men_of(&b, b.mover) < 3;
  int n = 0;
  for (int to = 0; to < 9; to++) {
    if (b.on[to] != 0) continue;
    if (in_hand) moves[n++] = move_of(rules, b, -1, to);
    for (int from = 0; from < 9 && !in_hand; from++)
      if (b.on[from] == b.mover && is_next(rules, points[from], points[to]))
        moves[n++] = move_of(rules, b, from, to);
  }
  return n;
}

void naive_morris_write(int position, char text[16]) {
  const board b = board_of(position);
  char *end = text;
  for (int rank = 3; rank >= 1; rank--) {
    for (int file = 0; file < 3; file++) {
      const int man = b.on[3 * (rank - 1) + file];
      if (man == 0 && file > 0 && end[-1] < 'a' && end[-1] != '/')
        end[-1]++;
      else
        *end++ = "1wb"[man];
    }
    *end++ = rank > 1 ? '/' : ' ';
  }
  *end++ = b.mover == 1 ? 'w' : 'b';
  *end = '\0';
}

naive_wdl *naive_morris_solve(const naive_morris_rules *rules) {
  naive_graph *graph = naive_graph_new(NAIVE_MORRIS_POSITIONS);
  for (int p = 0; p < NAIVE_MORRIS_POSITIONS; p++) {
    naive_morris_move moves[NAIVE_MORRIS_MOVES];
    const bool goes_on = naive_morris_is_position(p) && !naive_morris_is_won(rules, p);
    const int n = goes_on ? naive_morris_moves(rules, p, moves) : 0;
    for (int i = 0; i < n; i++) naive_graph_lead(graph, moves[i].child);
    naive_graph_end(graph, n ? NAIVE_OPEN : NAIVE_LOSS); /* the other side has won, or this one is stuck */
  }
  return naive_graph_solve(graph);
}
