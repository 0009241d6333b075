/* The slow definition of Phutball, written from the rules text alone: turns, results, lines per ply, boards
 * as text. */
#ifndef NAIVE_PHUTBALL_H
#define NAIVE_PHUTBALL_H

#include <stdbool.h>

enum {
  NAIVE_PHB_MOST_COLUMNS = 19,
  NAIVE_PHB_MOST_ROWS = 48,
  NAIVE_PHB_MOST_POINTS = 19 * 19,
  NAIVE_PHB_TEXT_BYTES = 512,
  NAIVE_PHB_NAME_BYTES = 5 * NAIVE_PHB_MOST_POINTS
};

typedef struct {
  bool corner_exit, goal_line_stop;
} naive_phb_rules;

/* Rows from 1 (the goal line that Eks attacks) to `rows` (the one that Ohs attacks), columns from 1. */
typedef struct {
  int row, column;
} naive_phb_point;

typedef struct {
  int rows, columns;
  naive_phb_point ball;
  bool eks_moves;
  bool man[NAIVE_PHB_MOST_ROWS + 1]
          [NAIVE_PHB_MOST_COLUMNS + 1]; /* [row][column], where row 0 and column 0 stay empty */
} naive_phb_board;

typedef enum { NAIVE_PHB_LIVE, NAIVE_PHB_OHS_WIN, NAIVE_PHB_EKS_WIN } naive_phb_result;

typedef struct {
  int stops; /* 1 if a man is placed there, else the stops of the ball's path with its start */
  naive_phb_point stop[NAIVE_PHB_MOST_POINTS]; /* the last one of a jump may be off the board */
  naive_phb_result result;
  naive_phb_board
      after; /* board with the other side to move. If there is a winner, the ball is where it ended */
} naive_phb_turn;

/* Calls visit for every turn, jump paths one by one, until it says false. Returns whether it never did. */
bool naive_phb_each_turn(const naive_phb_rules *rules, const naive_phb_board *board,
                         bool (*visit)(void *user, const naive_phb_turn *turn), void *user);

/* Lines of so many turns, jump paths counted one by one; those whose last turn ends in a goal; and the
 * different live boards that the others lead to. */
typedef struct {
  long turns, goals, boards;
} naive_phb_counts;
naive_phb_counts naive_phb_count(const naive_phb_rules *rules, const naive_phb_board *board, int plies);

/* No men. */
naive_phb_board naive_phb_empty(int rows, int columns, naive_phb_point ball, bool eks_moves);
/* Left and right exchanged; the board turned by 180° and the sides exchanged. */
naive_phb_board naive_phb_mirrored(const naive_phb_board *board);
naive_phb_board naive_phb_turned(const naive_phb_board *board);

/* "3/1x1/1o1/3/3 O". False if the text is no board with a live ball. */
bool naive_phb_read(const char *text, naive_phb_board *board);
void naive_phb_write(const naive_phb_board *board, char text[NAIVE_PHB_TEXT_BYTES]);
/* "H10", "K6-G9-J9", "K18-K20", "B4-exit+". */
void naive_phb_turn_name(const naive_phb_board *before, const naive_phb_turn *turn,
                         char name[NAIVE_PHB_NAME_BYTES]);
/* As on the command line: "base,corner=exit". */
const char *naive_phb_rules_text(const naive_phb_rules *rules);

#endif
