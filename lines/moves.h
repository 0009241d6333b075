/* Holds the moves of a slice in memory, and builds graphs of them for one threshold. Private to lines/.
 *
 * If finished slices have only bounds, there are two games: in one every conversion gives the side that is
 * asked about the least, in the other the most. Each game is exact, and the true result lies between theirs.
 * One thread at a time.
 */
#ifndef LINES_MOVES_H
#define LINES_MOVES_H

#include "lines/graph.h"
#include "lines/lines.h"

/* A node has the number 2 · place if the side that is asked about moves, otherwise 2 · place + 1. A place is
 * the number of a held position. All positions of the slice are held, or only those whose bounds differ. A
 * move to a position that is not held is treated like a converting move, with the bounds of that position. */
typedef struct {
  const own_row_job *job;
  uint32_t slice;
  uint64_t n;                 /* number of held positions */
  const solved_slice *bounds; /* bounds of the slice, NULL if all positions are held */
  uint32_t *index;         /* [n] rising indexes of held positions, or NULL if index and place are the same */
  uint32_t *first, *child; /* quiet moves of place p: child[first[p]] … child[first[p + 1] − 1] */
  /* [n] least [0] and greatest [1] result that the best converting move gives the mover, the value if the
   * game is over, or INT8_MIN if there is neither */
  int8_t *gives[2];
  int8_t *pays;               /* [n] what a position pays its mover if it repeats */
  uint8_t *ended;             /* [n] 1 if the game is over */
  arena arrays;               /* all arrays but `index` and `child` */
  bool values[UINT8_MAX + 1]; /* [value − INT8_MIN] true if `gives` or `pays` has this value */
} row_moves;

/* `bounds` may be NULL. The caller closes `moves` even after an error. Errors: TAULER_NO_MEMORY, those of the
 * game; TAULER_INTERNAL if a needed slice is not finished or the slice is too large. */
tauler_error row_moves_open(row_moves *moves, const own_row_job *job, uint32_t slice,
                            const solved_slice *bounds, tauler_message *message);
void row_moves_close(row_moves *moves);

/* The question whether the side that is asked about gets `threshold` or more, if every conversion gives it
 * the least or, with `most`, the most. */
typedef struct {
  int threshold;
  bool most;
} row_question;

/* True if both games are the same for a threshold. */
bool row_moves_is_exact(const row_moves *moves, int threshold);

/* True if the side that is asked about reaches the threshold when the node repeats. */
bool row_moves_pays(const row_moves *moves, row_question question, uint32_t node);

/* FATE_MET: the node is in the history; play ends there, and the node pays. */
enum { FATE_OPEN = NODE_OPEN, FATE_WON = NODE_WON, FATE_LOST = NODE_LOST, FATE_MET = NODE_GONE };

/* Builds the graph of the listed nodes. Their moves must lead to listed nodes or, unless `fate` is NULL, to
 * nodes whose fate is known. `place` has room for all nodes and is all ROW_GRAPH_NONE before and after.
 * Returns false if memory is refused. */
bool row_moves_graph(const row_moves *moves, row_question question, const uint32_t *list, uint32_t n,
                     const uint8_t *fate, uint32_t *place, arena *a, row_graph *out);

/* Lists `from` and the nodes of open fate to which quiet moves lead from it through such nodes, and returns
 * their number. Moves of a node that a conversion wins, or where play has ended, are not followed. `place` is
 * as in row_moves_graph. */
uint32_t row_moves_reach(const row_moves *moves, row_question question, uint32_t from, const uint8_t *fate,
                         uint32_t *place, uint32_t *list);

#endif
