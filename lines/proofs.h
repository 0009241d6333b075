/* Private to lines.h: what was found out about a part of a graph, in a form that holds after other lines.
 *
 * A line takes nodes out of the part. A proof says that one side wins where a node is entered as long as
 * certain nodes are left (it moves to them) and certain others are not (the other side would move to them,
 * and the proof knows no answer). Why that is sound is in docs/proofs.md, "Lines of play".
 */
#ifndef LINES_PROOFS_H
#define LINES_PROOFS_H

#include "lines/graph.h"

typedef struct row_proofs row_proofs;

/* Part of a graph after a line. Nodes of `whole`, the part without any line, are numbered by their ids. */
typedef struct {
  const row_graph *whole;
  row_graph rest;   /* what is left, settled, where `end` has become an end */
  uint32_t end;     /* by its id; the line enters it */
  int pays;         /* the side that it pays: 1 that is asked about, 0 the other one */
  uint32_t *place;  /* of ids in `rest`, or ROW_GRAPH_NONE */
  uint64_t *left;   /* sets of ids: all of `rest`; */
  uint64_t *won[2]; /* those of it that a side wins */
} row_view;

/* Errors: TAULER_NO_MEMORY. */
tauler_error row_proofs_open(memory_budget *memory, row_proofs **out, tauler_message *message);
void row_proofs_close(row_proofs *proofs, memory_budget *memory);

/* Forgets all proofs. The next ones are of a part of so many nodes; a refusal stays in the arena, which is
 * given back after the last of them. */
void row_proofs_begin(row_proofs *proofs, arena *a, uint32_t nodes);

/* The rest of `g`, whose nodes are all open, when a node of it has become an end. In the arena, which keeps a
 * refusal. */
bool row_view_open(row_view *view, arena *a, const row_graph *whole, const row_graph *g, uint32_t node);

/* True if a proof says that the side wins an open node of view->rest when the line goes on there. */
bool row_proofs_say(const row_proofs *proofs, const row_view *view, uint32_t node, int side);

/* Keeps a proof that the side wins at view->end: by a move to `node` of view->rest if it moves there, else
 * whatever the other side does. Its children must be settled, or proofs say so. False where there is no room
 * left. */
bool row_proofs_keep(row_proofs *proofs, arena *a, const row_view *view, int side, uint32_t node);

#endif
