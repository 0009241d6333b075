/* Represents positions as a graph for one threshold. Private to lines/.
 *
 * A node is a position with a side to move: the side that is asked about, which may reach the threshold, or
 * the other side. It is won or lost for its mover, or open. Moves known to lose for their mover are left out,
 * so an open node without moves becomes lost, and a node with a move to a lost node is won. A node in doubt
 * has one more move, about which nothing is known, so it is not lost. A move changes the turn.
 *
 * Graphs and lists are in an arena, which frees all that was allocated after a mark. One thread at a time.
 */
#ifndef LINES_GRAPH_H
#define LINES_GRAPH_H

#include "base/memory.h"

/* NODE_GONE: the part of the node has been searched, and its result is known to its predecessors. */
typedef enum { NODE_OPEN, NODE_WON, NODE_LOST, NODE_GONE } node_state;

/* SIDE: the side that is asked about moves. PAYS: that side reaches the threshold if the position repeats. */
enum { TRAIT_SIDE = 1, TRAIT_PAYS = 2, TRAIT_DOUBT = 4 };

enum { ROW_GRAPH_NONE = UINT32_MAX };

typedef struct {
  uint32_t used;
  uint32_t *id;                  /* [used] number of the node in row_moves, or in the part that is searched */
  uint32_t *first, *child;       /* moves of node i: child[first[i]] … child[first[i + 1] − 1] */
  uint32_t *back_first, *parent; /* predecessors of node i, in the same form */
  uint16_t *left;                /* [used] number of moves that are not known to lose */
  uint8_t *traits, *state;
  /* [used] in a graph of row_graph_cut, the node to which a winning move of a won node leads, or
   * ROW_GRAPH_NONE if play ends there */
  uint32_t *by;
} row_graph;

/* Allocates the arrays for this number of nodes and moves. row_graph_seal fills back_first, parent and left,
 * the caller the other arrays, but `by` only in row_graph_cut. Returns false if memory is refused. */
bool row_graph_new(row_graph *g, arena *a, uint32_t nodes, uint64_t moves);
/* Fills the backward moves and counts the moves that are left. Open nodes with none left become lost. */
void row_graph_seal(row_graph *g);

/* Copies to `out` the open nodes of a list and the moves between them. The node `end`, unless it is
 * ROW_GRAPH_NONE, is left out: a move to it ends play, and the side that it pays wins. `place` has room for
 * g->used nodes and is all ROW_GRAPH_NONE before and after. Returns false if memory is refused. */
bool row_graph_cut(row_graph *out, arena *a, const row_graph *g, const uint32_t *list, uint32_t n,
                   uint32_t end, uint32_t *place);

/* Propagates the result of `node`, won or lost, through its predecessors. `queue` has room for all nodes. */
void row_graph_propagate(row_graph *g, uint32_t node, uint32_t *queue);

/* Computes the nested fixpoint for both sides. Returns true if a node is decided now or was so before. If
 * memory is refused, returns false, and the arena has the error. */
bool row_graph_settle(row_graph *g, arena *a);

/* The strongly connected parts of the open nodes that wanted nodes reach. Part i, order[part[i]] …
 * order[part[i + 1] − 1], comes after all parts to which it leads. row_graph_parts returns false if memory is
 * refused. */
typedef struct {
  uint32_t parts, visited;
  uint32_t *part, *order;
} row_parts;
bool row_graph_parts(row_parts *out, arena *a, const row_graph *g, const uint8_t *wanted);

#endif
