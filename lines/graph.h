/* Private to lines.h: positions as a graph, for one threshold.
 *
 * A node is a position with a side to move: the side in question, which may reach the threshold, or the other
 * one. It is won or lost for its mover, or open. Moves known to be lost for their mover are left out, so a
 * node without moves is lost, and one with a move to a lost node is won. A node in doubt has one more move of
 * which nothing is known: it is never lost. Moves lead from the turn of one side to that of the other.
 *
 * Graphs and lists lie in an arena, which frees them to where it stood. One thread at a time.
 */
#ifndef LINES_GRAPH_H
#define LINES_GRAPH_H

#include "base/memory.h"

/* GONE: taken out, and what it says of its predecessors has been propagated. */
typedef enum { NODE_OPEN, NODE_WON, NODE_LOST, NODE_GONE } node_state;

/* SIDE: the side in question moves; PAYS: that side reaches the threshold if the position repeats. */
enum { TRAIT_SIDE = 1, TRAIT_PAYS = 2, TRAIT_DOUBT = 4 };

/* A node that repeats pays one side: true if it is the mover. */
static inline bool row_graph_is_movers(uint8_t traits) {
  return ((traits & TRAIT_PAYS) != 0) == ((traits & TRAIT_SIDE) != 0);
}

enum { ROW_GRAPH_NONE = UINT32_MAX };

typedef struct {
  uint32_t used;
  uint32_t *id;                  /* what the node is called in the graph that a search began with */
  uint32_t *first, *child;       /* the moves of node i: child[first[i]] … child[first[i + 1] − 1] */
  uint32_t *back_first, *parent; /* the same backwards */
  uint16_t *left;                /* moves that are not known to be lost */
  uint8_t *traits, *state;
  uint32_t
      *by; /* of a won node: a move that wins, as row_graph_settle finds it; ROW_GRAPH_NONE: to the end */
} row_graph;

/* Room for so many nodes and moves; back_first and parent are filled by row_graph_seal, the rest by the
 * caller. False after a refusal. */
bool row_graph_new(row_graph *g, arena *a, uint32_t nodes, uint64_t moves);
/* Has the moves backwards as well, and counts those left. Nodes without any are lost. */
void row_graph_seal(row_graph *g);

/* The open nodes of a list, with the moves among them. `end` (or ROW_GRAPH_NONE) is left out of it and
 * becomes an end: met again, it pays what it pays. place: room for g->used, all ROW_GRAPH_NONE before and
 * after. */
bool row_graph_cut(row_graph *out, arena *a, const row_graph *g, const uint32_t *list, uint32_t n,
                   uint32_t end, uint32_t *place);

/* Propagates the result of `node`, won or lost, to its predecessors, and so on. queue: room for all nodes. */
void row_graph_propagate(row_graph *g, uint32_t node, uint32_t *queue);

/* The nested fixpoint for both sides. True if any node is decided, also if it was at the start. */
bool row_graph_settle(row_graph *g, arena *a);

/* The strongly connected parts of the open nodes that the wanted ones lead to: part[i] and part[i + 1] bound
 * the i-th in order, which comes after all that it leads to. */
typedef struct {
  uint32_t parts, visited;
  uint32_t *part, *order;
} row_parts;
bool row_graph_parts(row_parts *out, arena *a, const row_graph *g, const uint8_t *wanted);

#endif
