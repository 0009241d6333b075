/* Private to lines.h: who wins a node of a graph, when lines of play are followed.
 *
 * Open nodes of a settled graph are solved part by part: a line never returns to a part that it left, so the
 * worth of a part to the side that enters it depends on the entry alone. Within a part the node that is
 * entered becomes an end, which leaves a smaller graph to settle, and the moves are tried one by one. The
 * result of a line is kept as a proof, which holds after many other lines.
 */
#ifndef LINES_SEARCH_H
#define LINES_SEARCH_H

#include "lines/graph.h"
#include "lines/lines.h"
#include "lines/proofs.h"

typedef struct {
  const own_row_effort *effort; /* set before each search */
  arena arena;
  row_proofs *proofs; /* about one part of the graph that the search began with */
  uint64_t left;      /* of the budget */
  const own_row_job *job;
} row_search;

tauler_error row_search_open(row_search *s, memory_budget *memory, tauler_message *message);
void row_search_close(row_search *s);

/* Finds the result of each wanted node of a settled graph for its mover: NODE_WON, NODE_LOST, or NODE_OPEN
 * where the effort did not suffice. States of the graph become those of what is left of it. The budget is per
 * wanted node. Errors: TAULER_NO_MEMORY, TAULER_STOPPED. */
tauler_error row_search_find(row_search *s, row_graph *g, const uint8_t *wanted, uint8_t *found);

#endif
