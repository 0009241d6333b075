/* Lists the moves of positions in batches and computes the worths of converting moves. */
#include "solver/propagate/remote_lookup.h"

void expander_open(expander *expander, const solve_job *job, uint32_t slice, int planes, bool with_depths) {
  expander->job = job;
  expander->slice = slice;
  expander->planes = planes;
  expander->with_depths = with_depths;
  expander->finished = store_plain(job->store);
  expander->mode = solve_has_local(job) ? EXPAND_LOCAL : EXPAND_ASKS_CONVERTING;
}

void expander_close(expander *expander) {
  memory_free(expander->job->work.memory, expander->requests);
  expander->requests = NULL;
  expander->asked = expander->asked_room = 0;
}

void expand_judge(expand_edge *edge, int gain, const int8_t cells[SOLVE_PLANES], int planes, uint16_t depth) {
  for (int plane = 0; plane < planes; plane++) edge->worth[plane] = gain - cells[planes - 1 - plane];
  edge->child_depth = depth == SOLVE_NO_DEPTH ? 0 : depth;
}

static tauler_error convert(const expander *expander, const game_edge *edge, expand_edge *out) {
  out->worth[0] = out->worth[1] = edge->gain;
  out->child_depth = 0;
  if (edge->to.slice == GAME_OVER) return TAULER_OK;
  const plain_slices *finished = &expander->finished;
  if (edge->to.slice >= finished->room || !finished->list[edge->to.slice].cells[0]) return TAULER_INTERNAL;
  const solved_slice *to = &finished->list[edge->to.slice];
  const uint64_t child = edge->to.index;
  const int8_t cells[SOLVE_PLANES] = {to->cells[0][child], to->cells[to->cells[1] ? 1 : 0][child]};
  const uint16_t depth = expander->with_depths && to->depths[0] ? to->depths[0][child] : 0;
  expand_judge(out, edge->gain, cells, expander->planes, depth);
  return TAULER_OK;
}

static bool asks(const expander *expander, const game_edge *edge) {
  if (edge->to.slice == GAME_OVER || expander->mode == EXPAND_LOCAL) return false;
  return expander->mode == EXPAND_ASKS_ALL || edge->to.slice != expander->slice;
}

static tauler_error defer(expander *expander, const game_edge *edge) {
  if (expander->asked == expander->asked_room) {
    const size_t room = expander->asked_room ? 2 * expander->asked_room : EXPAND_BATCH;
    const tauler_error error = memory_resize(expander->job->work.memory, room * sizeof *expander->requests,
                                             "requests for children", &expander->requests, NULL);
    if (error) return error;
    expander->asked_room = room;
  }
  expander->requests[expander->asked++] = (expand_request){expander->batch[edge->from], edge->to, edge->gain};
  return TAULER_OK;
}

static tauler_error visit_edges(void *user, const game_edge *edges, size_t n) {
  expander *expander = user;
  for (size_t i = 0; i < n; i++) {
    tauler_error error = TAULER_OK;
    if (asks(expander, &edges[i])) {
      error = defer(expander, &edges[i]);
    } else {
      expand_edge edge = {.index = expander->batch[edges[i].from],
                          .quiet = edges[i].to.slice == expander->slice,
                          .child = edges[i].to.index};
      if (!edge.quiet) error = convert(expander, &edges[i], &edge);
      if (!error) error = expander->visit(expander->user, &edge);
    }
    if (error) return error;
  }
  return TAULER_OK;
}

tauler_error expand_moves(expander *expander, const uint64_t *index, size_t n, expand_visit *visit,
                          void *user) {
  for (size_t i = 0; i < n; i++) expander->batch[i] = index[i];
  expander->visit = visit;
  expander->user = user;
  game_sink sink = {.edges = expander->edges, .room = EXPAND_EDGES, .flush = visit_edges, .user = expander};
  const tauler_error error = expander->job->problem.game->expand(expander->job->problem.rules,
                                                                 expander->slice, expander->batch, n, &sink);
  return error ? error : game_sink_flush(&sink);
}
