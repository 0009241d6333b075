#include "solver/positions.h"

void walker_open(walker *walker, const solve_job *job, uint32_t slice, int planes, bool with_depths) {
  walker->job = job;
  walker->slice = slice;
  walker->planes = planes;
  walker->with_depths = with_depths;
}

static tauler_error convert(const walker *walker, const game_edge *edge, walk_edge *out) {
  out->worth[0] = out->worth[1] = edge->gain;
  out->child_depth = 0;
  if (edge->to.slice == GAME_OVER) return TAULER_OK;
  const finished_slices *finished = walker->job->finished;
  if (edge->to.slice >= finished->room || !finished->list[edge->to.slice].cells[0]) return TAULER_INTERNAL;
  const solved_slice *to = &finished->list[edge->to.slice];
  for (int plane = 0; plane < walker->planes; plane++) {
    out->worth[plane] = edge->gain - to->cells[walker->planes - 1 - plane][edge->to.index];
  }
  if (walker->with_depths && to->depths[0] && to->depths[0][edge->to.index] != SOLVE_NO_DEPTH) {
    out->child_depth = to->depths[0][edge->to.index];
  }
  return TAULER_OK;
}

static tauler_error visit_edges(void *user, const game_edge *edges, size_t n) {
  walker *walker = user;
  for (size_t i = 0; i < n; i++) {
    walk_edge edge = {.index = walker->batch[edges[i].from],
                      .quiet = edges[i].to.slice == walker->slice,
                      .child = edges[i].to.index};
    tauler_error error = edge.quiet ? TAULER_OK : convert(walker, &edges[i], &edge);
    if (!error) error = walker->visit(walker->user, &edge);
    if (error) return error;
  }
  return TAULER_OK;
}

typedef tauler_error batch_call(const game_rules *rules, uint32_t slice, const uint64_t *index, size_t n,
                                game_sink *sink);

static tauler_error walk(walker *walker, batch_call *call, const uint64_t *index, size_t n, walk_visit *visit,
                         void *user) {
  for (size_t i = 0; i < n; i++) walker->batch[i] = index[i];
  walker->visit = visit;
  walker->user = user;
  game_sink sink = {.edges = walker->edges, .room = WALK_EDGES, .flush = visit_edges, .user = walker};
  const tauler_error error = call(walker->job->rules, walker->slice, walker->batch, n, &sink);
  return error ? error : game_sink_flush(&sink);
}

tauler_error walk_moves(walker *walker, const uint64_t *index, size_t n, walk_visit *visit, void *user) {
  return walk(walker, walker->job->game->expand, index, n, visit, user);
}

tauler_error walk_predecessors(walker *walker, const uint64_t *index, size_t n, walk_visit *visit,
                               void *user) {
  return walk(walker, walker->job->game->retract, index, n, visit, user);
}
