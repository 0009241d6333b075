/* Lists the moves of positions in batches. One thread uses an expander.
 *
 * An expander has the buffers of a thread and passes every move of a list of positions to a visitor. The
 * worth of a converting move comes from the finished slices. If these are compressed, a lookup would need
 * other ranks, so the expander defers such moves (remote_lookup.h), and they are visited once the answers are
 * there.
 */
#ifndef SOLVER_PROPAGATE_EXPAND_H
#define SOLVER_PROPAGATE_EXPAND_H

#include "solver/shards/job.h"

enum { EXPAND_BATCH = 1024, EXPAND_EDGES = 8192 };

/* A move of position `index`. If it is quiet, it leads to `child` of the same slice. Otherwise worth[plane]
 * is its worth, and if depths count through conversions, child_depth is the depth of the child in its
 * slice. */
typedef struct {
  uint64_t index;
  bool quiet;
  uint64_t child;
  int worth[SOLVE_PLANES];
  uint16_t child_depth;
} expand_edge;

/* A deferred move: its child must be asked for. */
typedef struct {
  uint64_t index;
  game_place to;
  int16_t gain;
} expand_request;

typedef enum { EXPAND_LOCAL, EXPAND_ASKS_CONVERTING, EXPAND_ASKS_ALL } expand_mode;

typedef struct expander expander;
typedef tauler_error expand_visit(void *user, const expand_edge *edge);

struct expander {
  const solve_job *job;
  uint32_t slice;
  int planes;
  bool with_depths;
  expand_mode mode;
  plain_slices finished;
  expand_request *requests;
  size_t asked, asked_room;
  size_t answers_from; /* index of the first answer in the answers of all expanders */
  game_edge edges[EXPAND_EDGES];
  uint64_t batch[EXPAND_BATCH];
  int16_t values[EXPAND_BATCH];
  expand_visit *visit;
  void *user;
};

void expander_open(expander *expander, const solve_job *job, uint32_t slice, int planes, bool with_depths);
void expander_close(expander *expander);

/* Visits all moves of n ≤ EXPAND_BATCH positions. Errors: those of the visitor and of the game;
 * TAULER_NO_MEMORY for deferred moves. */
tauler_error expand_moves(expander *expander, const uint64_t *index, size_t n, expand_visit *visit,
                          void *user);

/* Computes the worth of a move with that gain from its child's cells[plane] and depth. */
void expand_judge(expand_edge *edge, int gain, const int8_t cells[SOLVE_PLANES], int planes, uint16_t depth);

#endif
