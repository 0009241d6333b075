/* Finds which side wins a node of a graph by following lines of play. Private to lines/.
 *
 * Open nodes of a settled graph are solved part by part. A line never returns to a part that it left, so the
 * result of entering a part depends only on the node that is entered. That node becomes an end. This leaves a
 * smaller graph to settle, in which the moves are tried one by one. The result of a line is stored as a
 * proof, which also holds after many other lines.
 */
#ifndef LINES_SEARCH_H
#define LINES_SEARCH_H

#include "lines/graph.h"
#include "lines/lines.h"

/* --- proofs.c: results in a form that holds after other lines ---
 *
 * A line takes nodes out of the part, so a result after one line need not hold after another. A proof
 * therefore states its conditions: one side wins if a node is entered, as long as certain nodes are left (the
 * side moves to them) and certain others are not (the other side would move to them, and the proof has no
 * answer). docs/proofs.md, "Lines of play", says why this is sound. */

enum { ROW_PROOF_BYTES = 16 << 20 };

typedef struct {
  /* 64-bit words of a set of nodes, bytes of a proof, number of proofs, and number for which there is room */
  size_t words, entry_bytes, used, room;
  uint32_t *newest;       /* 1 + place of the newest proof, by 2 · id + side, or 0 */
  unsigned char *entries; /* [ROW_PROOF_BYTES] */
} row_proofs;

/* A part of a graph after a line. The id of a node is its place in `whole`, the part before any line. */
typedef struct {
  const row_graph *whole;
  row_graph rest;   /* the part without `end`, settled, where a move to `end` ends play */
  uint32_t end;     /* id of the node that the line enters */
  int pays;         /* side that `end` pays if it repeats: 1 is the side that is asked about */
  uint32_t *place;  /* [ids] place of the node in `rest`, or ROW_GRAPH_NONE */
  uint64_t *left;   /* set of the ids in `rest` */
  uint64_t *won[2]; /* sets of the ids in `rest` that a side wins */
} row_view;

/* Removes all proofs and prepares for proofs about a part with this number of nodes. If memory is refused,
 * the arena has the error. The caller returns the arena to a mark after the last proof. */
void row_proofs_begin(row_proofs *proofs, arena *a, uint32_t nodes);

/* Makes `node` of `g` an end and settles the remainder, view->rest. All nodes of `g` must be open. If memory
 * is refused, returns false, and the arena has the error. */
bool row_view_open(row_view *view, arena *a, const row_graph *whole, const row_graph *g, uint32_t node);

/* True if a proof says that the side wins an open node of view->rest when the line enters it. */
bool row_proofs_say(const row_proofs *proofs, const row_view *view, uint32_t node, int side);

/* Stores a proof that the side wins at view->end: if the side moves there, by a move to `node` of view->rest,
 * otherwise by any move of the other side. Returns false if the proof needs a node that is neither settled
 * nor proved, or if memory or room is lacking. */
bool row_proofs_keep(row_proofs *proofs, arena *a, const row_view *view, int side, uint32_t node);

/* --- search.c: the search for results --- */

typedef struct {
  uint64_t budget; /* budget of the search from one node, set by the caller */
  arena arena;
  row_proofs proofs; /* proofs about the part that is being solved */
  uint64_t left;     /* budget that is left for the node that is searched */
  const own_row_job *job;
} row_search;

tauler_error row_search_open(row_search *s, memory_budget *memory, tauler_message *message);
void row_search_close(row_search *s);

/* Finds the result of each wanted node of a settled graph for its mover: NODE_WON, NODE_LOST, or NODE_OPEN if
 * the budget, the depth of lines or the space for proofs does not suffice. The graph cannot be used again.
 * After a failure the arena has the error: TAULER_NO_MEMORY, TAULER_STOPPED. */
void row_search_find(row_search *s, row_graph *g, const uint8_t *wanted, uint8_t *found);

#endif
