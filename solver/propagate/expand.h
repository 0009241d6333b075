/* Lists the edges of positions by a game's batches of moves, for one thread.
 *
 * An expander holds the buffers of one thread and gives every edge of a list of positions to a visitor,
 * together with the position's index. Edges that convert come with their worth worked out from the
 * finished slices; where those are compressed, an expander puts such edges off instead
 * (remote_lookup.h) and they are visited when the answers have come.
 */
#ifndef SOLVER_PROPAGATE_EXPAND_H
#define SOLVER_PROPAGATE_EXPAND_H

#include "solver/shards/job.h"

enum { EXPAND_BATCH = 1024, EXPAND_EDGES = 8192 };

/* A move of position `index`. Quiet: `child` in the same slice. Converting: worth[plane], and the
 * depth of the child in its own slice where depths count through conversions. */
typedef struct {
  uint64_t index;
  bool quiet;
  uint64_t child;
  int worth[SOLVE_PLANES];
  uint16_t child_depth;
} expand_edge;

/* An edge whose child must be asked for. */
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
  size_t answers_from; /* in the list of all expanders' answers */
  game_edge edges[EXPAND_EDGES];
  uint64_t batch[EXPAND_BATCH];
  int16_t values[EXPAND_BATCH];
  expand_visit *visit;
  void *user;
};

void expander_open(expander *expander, const solve_job *job, uint32_t slice, int planes, bool with_depths);
void expander_close(expander *expander);

/* All moves of n ≤ EXPAND_BATCH positions. Errors: of the visitor and of the game; TAULER_NO_MEMORY for
 * requests. */
tauler_error expand_moves(expander *expander, const uint64_t *index, size_t n, expand_visit *visit,
                          void *user);

/* Judges an edge with that gain by its child's cells and depth. `cells[plane]` are the child's. */
void expand_judge(expand_edge *edge, int gain, const int8_t cells[SOLVE_PLANES], int planes, uint16_t depth);

#endif
