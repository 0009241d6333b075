/* A tiny game of chance behind games/game.h and games/game_chance.h, made from a graph, one position at a
 * time only: random by a seed, or put together way by way.
 *
 * A position is a node and a seat that it counts from; an index stands for a node, whatever the seat. A node
 * without an index passes. Its worth comes from tests/naive/naive_chance.h, which knows no seats that
 * turn: each node is there once for each seat. */
#ifndef TOY_WAYS_H
#define TOY_WAYS_H

#include "games/game_chance.h"

enum { TOY_WAYS_OVER = -1, TOY_WAYS_NODES = 64, TOY_WAYS_EACH = 24, TOY_WAYS_ROWS = 5, TOY_WAYS_SLICES = 3 };

typedef struct {
  int roll;     /* or CHANCE_CERTAIN */
  int gain;     /* row */
  int to, turn; /* a node, or TOY_WAYS_OVER */
} toy_way;

typedef struct {
  uint32_t slice;
  uint64_t index;
  bool indexed, passes, ended, nothing; /* nothing: the index stands for nothing */
  int aim;
  toy_way way[TOY_WAYS_EACH]; /* roll by roll */
  int ways;
} toy_node;

typedef struct {
  game game;
  game_chance chance;
  game_rules *rules;
  toy_node node[TOY_WAYS_NODES];
  int nodes;
  chance_quantities quantities;
  chance_roll rolls[CHANCE_MOST_ROLLS];
  size_t rolls_used;
  chance_gain gains[TOY_WAYS_ROWS][CHANCE_MOST_QUANTITIES];
  size_t rows;
  uint32_t slices;
  uint64_t positions[TOY_WAYS_SLICES];
  int node_at[TOY_WAYS_SLICES][TOY_WAYS_NODES];
} toy_ways;

/* One slice, one quantity called "score-1" that is at most `most`, rolls of these weights, no nodes. Row g of
 * gains is g − 1 halves, row 0 and 1 nothing. Only one such game can be opened by name at a time: that made
 * last. */
toy_ways *toy_ways_new(double most, size_t rolls, const uint32_t weights[]);

/* The number of the new node. The next index of the slice, or none. */
int toy_ways_node(toy_ways *toy, uint32_t slice, bool indexed, int aim);
void toy_ways_way(toy_ways *toy, int node, toy_way way);

typedef struct {
  int nodes; /* nodes in all */
  int seats; /* seats that rotate, or 0 for one quantity and choices */
  int slices;
  int leaves_percent; /* share of ways that end the game or go to a smaller slice */
  int most_choices;
  bool forwards; /* all others lead to later nodes: nothing is endless */
} toy_ways_shape;

toy_ways *toy_ways_random(const toy_ways_shape *shape, uint64_t seed);

/* Returns the worths of all nodes, counted from seat 0: values[node · quantities + quantity], found by sweeps
 * that start from `from` everywhere. NULL: there is no end in sight. The caller frees it. */
long double *toy_ways_settle(const toy_ways *toy, long double from);

#endif
