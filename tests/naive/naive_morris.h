/* The slow definition of three men's morris: moves and values of all positions, from lists of points. */
#ifndef NAIVE_MORRIS_H
#define NAIVE_MORRIS_H

#include "naive_wdl.h"

enum {
  NAIVE_MORRIS_BOARDS = 19683, /* each of nine points vacant, white or black */
  NAIVE_MORRIS_POSITIONS = 2 * NAIVE_MORRIS_BOARDS,
  NAIVE_MORRIS_MOVES = 27
};

typedef struct {
  bool no_diagonals, any_point;
} naive_morris_rules;

typedef struct {
  char name[5];
  int child;
  bool wins;
} naive_morris_move;

/* Positions have numbers. One that cannot be is none; a game that somebody has won is over. */
bool naive_morris_is_position(int position);
bool naive_morris_is_won(const naive_morris_rules *rules, int position);
bool naive_morris_has_all_men(int position);
bool naive_morris_black_moves(int position);

/* How many there are; 0 as well where a side is stuck, and has lost. */
int naive_morris_moves(const naive_morris_rules *rules, int position,
                       naive_morris_move moves[NAIVE_MORRIS_MOVES]);

/* "3/1w1/b2 w" */
void naive_morris_write(int position, char text[16]);

/* Values and depths of all positions. */
naive_wdl *naive_morris_solve(const naive_morris_rules *rules);

#endif
