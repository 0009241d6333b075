/* Expected values on any small graph of chance and choice, by plain sweeps in long double. Every value is
 * worked out from those of its children again and again until nothing changes any more. */
#ifndef NAIVE_CHANCE_H
#define NAIVE_CHANCE_H

enum { NAIVE_CHANCE_QUANTITIES = 6, NAIVE_CHANCE_GAINS = 16, NAIVE_CHANCE_OVER = -1 };

/* One thing that may happen under a roll; whoever chooses takes one of those with the same roll. */
typedef struct {
  int to; /* a node, or NAIVE_CHANCE_OVER */
  short roll, weight;
  short gain; /* row that is added to the quantities */
} naive_way;

/* Nodes are added one after the other, each followed by its ways, by rising roll. A node without ways has
 * ended, with nothing to come. */
typedef struct {
  int quantities;
  long double gains[NAIVE_CHANCE_GAINS][NAIVE_CHANCE_QUANTITIES];
  int nodes, nodes_room;
  struct naive_chance_node {
    int first; /* its ways begin here and end where those of the next node begin */
    int aim;   /* q + 1 if quantity q is raised, -q - 1 if it is lowered, 0 if the first way is followed */
  } * node;
  int ways, ways_room;
  naive_way *way;
} naive_chance;

naive_chance *naive_chance_new(int quantities);
/* A way belongs to the node added last. */
void naive_chance_add_node(naive_chance *graph, int aim);
void naive_chance_add_way(naive_chance *graph, naive_way way);

/* Sweeps from the last node to the first until no value changes by more than rounding does. All values are
 * `from` at first. values[node * quantities + quantity]; NULL if there is no end in sight. */
long double *naive_chance_settle(const naive_chance *graph, long double from);

#endif
