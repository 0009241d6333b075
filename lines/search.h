/* Finds which side wins a node of a graph by following lines of play. Private to lines.h.
 *
 * Open nodes of a settled graph are solved part by part. A line never returns to a part that it left, so the
 * worth of a part for the side that enters it depends only on the entry. Within a part the entered node
 * becomes an end. This leaves a smaller graph to settle, in which the moves are tried one by one. The result
 * of a line is stored as a proof, which also holds after many other lines.
 */
#ifndef LINES_SEARCH_H
#define LINES_SEARCH_H

#include "lines/graph.h"
#include "lines/lines.h"
#include "lines/proofs.h"

typedef struct {
  const own_row_effort *effort; /* set before each search */
  arena arena;
  row_proofs *proofs; /* proofs about one part of the graph with which the search began */
  uint64_t left;      /* budget that is left */
  const own_row_job *job;
} row_search;

tauler_error row_search_open(row_search *s, memory_budget *memory, tauler_message *message);
void row_search_close(row_search *s);

/* Finds the result of each wanted node of a settled graph for its mover: NODE_WON, NODE_LOST, or NODE_OPEN if
 * the effort does not suffice. The graph is used up. The budget is for each wanted node. Errors:
 * TAULER_NO_MEMORY, TAULER_STOPPED. */
tauler_error row_search_find(row_search *s, row_graph *g, const uint8_t *wanted, uint8_t *found);

#endif
