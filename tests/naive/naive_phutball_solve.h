/* Win, draw or loss of every position on a small board of Phutball, by plain sweeps. */
#ifndef NAIVE_PHUTBALL_SOLVE_H
#define NAIVE_PHUTBALL_SOLVE_H

#include "naive_phutball.h"
#include "naive_wdl.h"

enum { NAIVE_PHB_MOST_SOLVED = 16 /* points */ };

typedef struct naive_phb_world naive_phb_world;

/* Solves the board, with whoever moves attacking the last row. Twelve points take a tenth of a second,
 * sixteen some seconds. NULL if the board has more points than that. */
naive_phb_world *naive_phb_solve(const naive_phb_rules *rules, int rows, int columns);

/* Numbers 0 ... count - 1 cover all positions, mirror images apart, Ohs to move. Some stand for nothing. */
int naive_phb_numbers(const naive_phb_world *world);
bool naive_phb_is_position(const naive_phb_world *world, int number);
naive_phb_board naive_phb_board_of(const naive_phb_world *world, int number);
naive_wdl naive_phb_worth(const naive_phb_world *world, int number);

/* Of a board of that size; Eks may be to move. */
int naive_phb_number_of(const naive_phb_world *world, const naive_phb_board *board);

#endif
