/* A win/draw/loss game given as a graph, solved by plain sweeps: the oracle for tiny test games. */
#ifndef NAIVE_WDL_H
#define NAIVE_WDL_H

#include <stdbool.h>

enum {
  NAIVE_LOSS = -1, /* for the mover */
  NAIVE_DRAW = 0,
  NAIVE_WIN = 1,
  NAIVE_OPEN = 2 /* not ended: play goes on to a successor */
};

/* Positions are 0 ... count - 1. The successors of position p are next[first[p]] ... next[first[p + 1] - 1];
 * only those of open positions are read. */
typedef struct {
  int count;
  int *first;          /* count + 1 of them */
  int *next;           /* seen by whoever moves there: the other side */
  signed char *result; /* a win, draw or loss for the mover where the game has ended, else NAIVE_OPEN */
  int room;            /* successors, while the graph grows */
} naive_graph;

typedef struct {
  signed char value; /* NAIVE_LOSS, NAIVE_DRAW or NAIVE_WIN for the mover, where infinite play is a draw */
  int depth;         /* plies to the end, the least for winners, the greatest for losers, -1 for a draw */
} naive_wdl;

/* A graph for `most` positions, without any. Successors belong to the position that is ended next. */
naive_graph *naive_graph_new(int most);
void naive_graph_lead(naive_graph *graph, int next);
void naive_graph_end(naive_graph *graph, signed char result);

/* The answers to a graph that has grown, which must be a game. */
naive_wdl *naive_graph_solve(const naive_graph *graph);

/* Fills answer[0 ... count - 1]. False, and nothing filled, if an open position has no successor or a
 * successor or a result is none: such a graph is no game. */
bool naive_wdl_solve(const naive_graph *graph, naive_wdl *answer);

#endif
