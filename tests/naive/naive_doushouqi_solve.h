/* Win, draw or loss of every position of an ending of Dou Shou Qi, by plain sweeps. */
#ifndef NAIVE_DOUSHOUQI_SOLVE_H
#define NAIVE_DOUSHOUQI_SOLVE_H

#include "naive_doushouqi.h"
#include "naive_wdl.h"

enum { NAIVE_DSQ_MOST_PIECES = 3, NAIVE_DSQ_TAKEN = 63 /* the square of a piece that was captured */ };

typedef struct naive_dsq_ending naive_dsq_ending;

/* Solves the pieces (negative: Black's) and all that captures leave of them. Two take milliseconds, three a
 * second or so. */
naive_dsq_ending *naive_dsq_solve(const naive_dsq_rules *rules, const signed char *pieces, int count);

/* Whether the pieces may stand there: a position, with both sides on the board. */
bool naive_dsq_is_position(const naive_dsq_ending *ending, const int *squares);

/* For the mover, by the squares of the pieces in the order given. No legal move: a draw without depth, or
 * with stalemate_loss a loss of depth 0. */
naive_wdl naive_dsq_worth(const naive_dsq_ending *ending, const int *squares, bool black_moves);

naive_dsq_board naive_dsq_board_of(const naive_dsq_ending *ending, const int *squares, bool black_moves);

#endif
