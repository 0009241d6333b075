/* The moves of a slice in memory, and graphs of them for one threshold. Private to lines.h.
 *
 * If smaller slices have bounds only, there are two games: in one every conversion gives the side that is
 * asked about the least, in the other the most. Each game is exact, and the truth is between them. One thread
 * at a time.
 */
#ifndef LINES_MOVES_H
#define LINES_MOVES_H

#include "lines/graph.h"
#include "lines/lines.h"

/* Nodes have the numbers 2 · place, and 2 · place + 1 if the side that is asked about does not move. A place
 * is the number of a held position. All positions of the slice are held, or only those whose bounds differ. A
 * move to a position that is not held is worth what the bounds say, like a converting move. */
typedef struct {
  const own_row_job *job;
  uint32_t slice;
  uint64_t n;
  const solved_slice *bounds; /* NULL: all positions are held */
  uint32_t *index;         /* [n] rising indexes of held positions, or NULL if index and place are the same */
  uint32_t *first, *child; /* quiet moves, by place */
  /* [n] What the best converting move gives the mover, at least [0] and at most [1]; the value of an end;
   * INT8_MIN if there is neither. */
  int8_t *gives[2];
  int8_t *pays;
  uint8_t *ended;
  arena arrays;               /* all arrays but `index` and `child` */
  bool levels[UINT8_MAX + 1]; /* one per value from INT8_MIN on: a side may get exactly this */
} row_moves;

/* Reads the moves of a slice. `bounds` are those of the slice, or NULL. To be closed after an error, too.
 * Errors: TAULER_NO_MEMORY, those of the game; TAULER_INTERNAL if a needed slice is not finished or the slice
 * is too large. */
tauler_error row_moves_open(row_moves *moves, const own_row_job *job, uint32_t slice,
                            const solved_slice *bounds, tauler_message *message);
void row_moves_close(row_moves *moves);

/* The question whether the side gets `threshold` or more, if conversions give the least or (`most`) the
 * most. */
typedef struct {
  int threshold;
  bool most;
} row_question;

/* True if both games are the same for a threshold. */
bool row_moves_is_exact(const row_moves *moves, int threshold);

bool row_moves_pays(const row_moves *moves, row_question question, uint32_t node);

/* The known result of a node. FATE_MET: it is an end and pays. */
enum { FATE_OPEN = NODE_OPEN, FATE_WON = NODE_WON, FATE_LOST = NODE_LOST, FATE_MET = NODE_GONE };

/* The graph of the listed nodes. Their moves lead to listed nodes or to nodes whose fate is known; if `fate`
 * is NULL, to listed ones only. `place` has room for all nodes, ROW_GRAPH_NONE before and after. Returns
 * false without memory. */
bool row_moves_graph(const row_moves *moves, row_question question, const uint32_t *list, uint32_t n,
                     const uint8_t *fate, uint32_t *place, arena *a, row_graph *out);

/* Lists the open nodes to which `from` leads by moves to nodes whose fate is open, beginning with `from`. */
uint32_t row_moves_reach(const row_moves *moves, row_question question, uint32_t from, const uint8_t *fate,
                         uint32_t *place, uint32_t *list);

#endif
