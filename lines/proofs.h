/* Proofs about a part of a graph, in a form that holds after other lines. Private to lines.h.
 *
 * A line takes nodes out of the part, so a result after one line is not valid after another. A proof
 * therefore states what it uses: one side wins if a node is entered, as long as certain nodes are left (the
 * side moves to them) and certain others are not (the other side would move to them, and the proof has no
 * answer). docs/proofs.md, "Lines of play", says why this is sound.
 */
#ifndef LINES_PROOFS_H
#define LINES_PROOFS_H

#include "lines/graph.h"

typedef struct row_proofs row_proofs;

/* A part of a graph after a line. Nodes have their ids in `whole`, the part without any line. */
typedef struct {
  const row_graph *whole;
  row_graph rest;   /* the settled remainder after `end` has become an end */
  uint32_t end;     /* id of the node that the line enters */
  int pays;         /* side that it pays: 1 is asked about, 0 is the other one */
  uint32_t *place;  /* [ids] place of the node in `rest`, or ROW_GRAPH_NONE */
  uint64_t *left;   /* set of the ids in `rest` */
  uint64_t *won[2]; /* sets of the ids in `rest` that a side wins */
} row_view;

/* Errors: TAULER_NO_MEMORY. */
tauler_error row_proofs_open(memory_budget *memory, row_proofs **out, tauler_message *message);
void row_proofs_close(row_proofs *proofs, memory_budget *memory);

/* Removes all proofs and prepares for proofs about a part of so many nodes. If memory is refused, the arena
 * has the error. The caller frees the arena after the last proof. */
void row_proofs_begin(row_proofs *proofs, arena *a, uint32_t nodes);

/* Settles what is left of `g`, whose nodes are all open, when one node of it becomes an end. Memory is from
 * the arena, which has the error if it is refused. */
bool row_view_open(row_view *view, arena *a, const row_graph *whole, const row_graph *g, uint32_t node);

/* True if a proof says that the side wins an open node of view->rest when the line enters it. */
bool row_proofs_say(const row_proofs *proofs, const row_view *view, uint32_t node, int side);

/* Stores a proof that the side wins at view->end: by a move to `node` of view->rest if the side moves there,
 * otherwise whatever the other side does. Its children must be settled or have proofs. Returns false if there
 * is no room. */
bool row_proofs_keep(row_proofs *proofs, arena *a, const row_view *view, int side, uint32_t node);

#endif
