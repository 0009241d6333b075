/* Private to lines.h: the moves of a slice in memory, and graphs made of them for one threshold.
 *
 * Where smaller slices are known between bounds only there are two games: in one every conversion gives the
 * side in question the least, in the other the most. Both are exact games, and the truth lies between them.
 * One thread at a time.
 */
#ifndef LINES_MOVES_H
#define LINES_MOVES_H

#include "lines/graph.h"
#include "lines/lines.h"

/* Nodes are numbered 2 · place, and 1 more where the side that is asked about does not move. Places are
 * those of the positions that are held: all of the slice, or those whose bounds differ. A move to one
 * that is not held is worth what the bounds say, as a converting one. */
typedef struct {
  const own_row_job *job;
  uint32_t slice;
  uint64_t n;
  const solved_slice *bounds; /* or NULL: all are held */
  uint32_t *index;            /* of those held, rising; NULL: the same as the place */
  uint32_t *first, *child;    /* quiet moves by place */
  int8_t *gives[2]; /* what the best converting move gives the mover, at least and at most; an end's value;
                       INT8_MIN: there is none */
  int8_t *pays;
  uint8_t *ended;
  bool levels[UINT8_MAX + 1]; /* INT8_MIN …: a side may get exactly this */
} row_moves;

/* bounds: of the slice, or NULL. Errors: TAULER_NO_MEMORY, of the game; TAULER_INTERNAL for a slice that is
 * not finished or too large. */
tauler_error row_moves_open(row_moves *moves, const own_row_job *job, uint32_t slice,
                            const solved_slice *bounds, tauler_message *message);
void row_moves_close(row_moves *moves);

/* True if the side gets `threshold` or more, by the least or by the most of conversions. */
typedef struct {
  int threshold;
  bool most;
} row_question;

/* True if both games are the same for a threshold. */
bool row_moves_is_exact(const row_moves *moves, int threshold);

bool row_moves_pays(const row_moves *moves, row_question question, uint32_t node);

/* Nodes known before. MET: an end that pays what it pays. */
enum { FATE_OPEN = NODE_OPEN, FATE_WON = NODE_WON, FATE_LOST = NODE_LOST, FATE_MET = NODE_GONE };

/* The graph of the listed nodes, whose moves lead to listed ones or to such whose fate is known (NULL: to
 * listed ones). place: room for all nodes, ROW_GRAPH_NONE before and after. False after a refusal. */
bool row_moves_graph(const row_moves *moves, row_question question, const uint32_t *list, uint32_t n,
                     const uint8_t *fate, uint32_t *place, arena *a, row_graph *out);

/* Lists the open nodes that `from` leads to, itself first, by moves to nodes whose fate is open. */
uint32_t row_moves_reach(const row_moves *moves, row_question question, uint32_t from, const uint8_t *fate,
                         uint32_t *place, uint32_t *list);

#endif
