#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "naive_phutball.h"

static const char letters[] = "ABCDEFGHJKLMNOPQRST";

const char *naive_phb_rules_text(const naive_phb_rules *rules) {
  if (rules->corner_exit && rules->goal_line_stop) return "base,corner=exit,goal-line=stop";
  if (rules->corner_exit) return "base,corner=exit";
  if (rules->goal_line_stop) return "base,goal-line=stop";
  return "base";
}

/* --- names of turns --- */

static int write_stop(const naive_phb_board *board, naive_phb_point point, char *text) {
  if (point.column >= 1 && point.column <= board->columns)
    return sprintf(text, "%c%d", letters[point.column - 1], point.row);
  return sprintf(text, "exit%c", point.row > board->rows ? '+' : '-');
}

void naive_phb_turn_name(const naive_phb_board *before, const naive_phb_turn *turn,
                         char name[NAIVE_PHB_NAME_BYTES]) {
  int used = 0;
  for (int s = 0; s < turn->stops; s++) {
    if (s > 0) name[used++] = '-';
    used += write_stop(before, turn->stop[s], name + used);
  }
}

/* --- boards --- */

void naive_phb_write(const naive_phb_board *board, char text[NAIVE_PHB_TEXT_BYTES]) {
  int used = 0;
  for (int row = board->rows; row >= 1; row--) {
    int run = 0;
    for (int column = 1; column <= board->columns; column++) {
      bool ball = row == board->ball.row && column == board->ball.column;
      if (!ball && !board->man[row][column]) {
        run++;
        continue;
      }
      if (run > 0) used += sprintf(text + used, "%d", run);
      run = 0;
      text[used++] = ball ? 'o' : 'x';
    }
    if (run > 0) used += sprintf(text + used, "%d", run);
    text[used++] = row > 1 ? '/' : ' ';
  }
  text[used++] = board->eks_moves ? 'E' : 'O';
  text[used] = '\0';
}

/* The text's size: rows, and the columns of its first row. */
static void measure(const char *text, int *rows, int *columns) {
  *rows = 1;
  *columns = 0;
  for (const char *c = text; *c != '\0' && *c != ' '; c++)
    if (*c == '/') ++*rows;
  for (const char *c = text; *c != '\0' && *c != ' ' && *c != '/'; c++) {
    if (*c >= '0' && *c <= '9') {
      *columns += atoi(c);
      while (c[1] >= '0' && c[1] <= '9') c++;
    } else {
      ++*columns;
    }
  }
}

/* Reads one row and says where it ends; NULL if it is none. */
static const char *read_row(const char *text, int row, naive_phb_board *board, int *balls) {
  int column = 1;
  for (; *text != '/' && *text != ' '; text++) {
    if (*text >= '1' && *text <= '9') {
      int run = atoi(text);
      if (run > NAIVE_PHB_MOST_COLUMNS) return NULL;
      column += run;
      while (text[1] >= '0' && text[1] <= '9') text++;
      continue;
    }
    if (column > board->columns) return NULL;
    if (*text == 'x') {
      board->man[row][column] = true;
    } else if (*text == 'o') {
      board->ball = (naive_phb_point){row, column};
      ++*balls;
    } else {
      return NULL;
    }
    column++;
  }
  return column == board->columns + 1 ? text : NULL;
}

bool naive_phb_read(const char *text, naive_phb_board *board) {
  int rows, columns, balls = 0;
  measure(text, &rows, &columns);
  if (rows < 3 || rows > NAIVE_PHB_MOST_ROWS || columns < 1 || columns > NAIVE_PHB_MOST_COLUMNS) return false;
  if (rows * columns > NAIVE_PHB_MOST_POINTS) return false;
  *board = naive_phb_empty(rows, columns, (naive_phb_point){0, 0}, false);
  for (int row = rows; row >= 1; row--) {
    text = read_row(text, row, board, &balls);
    if (text == NULL || *text != (row > 1 ? '/' : ' ')) return false;
    text++;
  }
  board->eks_moves = strcmp(text, "E") == 0;
  if (!board->eks_moves && strcmp(text, "O") != 0) return false;
  return balls == 1 && board->ball.row > 1 && board->ball.row < rows;
}
