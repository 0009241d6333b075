/* Expands positions through a game's batches, and computes the values of converting moves. */
#include "solver/propagate/expand.h"

void walker_open(walker *walker, const solve_job *job, uint32_t slice, int planes, bool with_depths) {
  walker->job = job;
  walker->slice = slice;
  walker->planes = planes;
  walker->with_depths = with_depths;
  walker->finished = store_plain(job->packed);
  walker->mode = solve_has_at_hand(job) ? WALK_AT_HAND : WALK_ASKS_CONVERTING;
}

void walker_close(walker *walker) {
  memory_give(walker->job->work.memory, walker->questions);
  walker->questions = NULL;
  walker->asked = walker->asked_room = 0;
}

void walk_judge(walk_edge *edge, int gain, const int8_t cells[SOLVE_PLANES], int planes, uint16_t depth) {
  for (int plane = 0; plane < planes; plane++) edge->worth[plane] = gain - cells[planes - 1 - plane];
  edge->child_depth = depth == SOLVE_NO_DEPTH ? 0 : depth;
}

static tauler_error convert(const walker *walker, const game_edge *edge, walk_edge *out) {
  out->worth[0] = out->worth[1] = edge->gain;
  out->child_depth = 0;
  if (edge->to.slice == GAME_OVER) return TAULER_OK;
  const plain_slices *finished = &walker->finished;
  if (edge->to.slice >= finished->room || !finished->list[edge->to.slice].cells[0]) return TAULER_INTERNAL;
  const solved_slice *to = &finished->list[edge->to.slice];
  const uint64_t child = edge->to.index;
  const int8_t cells[SOLVE_PLANES] = {to->cells[0][child], walker->planes > 1 ? to->cells[1][child] : 0};
  const uint16_t depth = walker->with_depths && to->depths[0] ? to->depths[0][child] : 0;
  walk_judge(out, edge->gain, cells, walker->planes, depth);
  return TAULER_OK;
}

static bool asks(const walker *walker, const game_edge *edge) {
  if (edge->to.slice == GAME_OVER || walker->mode == WALK_AT_HAND) return false;
  return walker->mode == WALK_ASKS_ALL || edge->to.slice != walker->slice;
}

static tauler_error put_off(walker *walker, const game_edge *edge) {
  if (walker->asked == walker->asked_room) {
    const size_t room = walker->asked_room ? 2 * walker->asked_room : WALK_BATCH;
    const tauler_error error = memory_resize(walker->job->work.memory, room * sizeof *walker->questions,
                                             "questions for children", &walker->questions, NULL);
    if (error) return error;
    walker->asked_room = room;
  }
  walker->questions[walker->asked++] = (walk_question){walker->batch[edge->from], edge->to, edge->gain};
  return TAULER_OK;
}

static tauler_error visit_edges(void *user, const game_edge *edges, size_t n) {
  walker *walker = user;
  for (size_t i = 0; i < n; i++) {
    tauler_error error = TAULER_OK;
    if (asks(walker, &edges[i])) {
      error = put_off(walker, &edges[i]);
    } else {
      walk_edge edge = {.index = walker->batch[edges[i].from],
                        .quiet = edges[i].to.slice == walker->slice,
                        .child = edges[i].to.index};
      if (!edge.quiet) error = convert(walker, &edges[i], &edge);
      if (!error) error = walker->visit(walker->user, &edge);
    }
    if (error) return error;
  }
  return TAULER_OK;
}

tauler_error walk_moves(walker *walker, const uint64_t *index, size_t n, walk_visit *visit, void *user) {
  for (size_t i = 0; i < n; i++) walker->batch[i] = index[i];
  walker->visit = visit;
  walker->user = user;
  game_sink sink = {.edges = walker->edges, .room = WALK_EDGES, .flush = visit_edges, .user = walker};
  const tauler_error error =
      walker->job->problem.game->expand(walker->job->problem.rules, walker->slice, walker->batch, n, &sink);
  return error ? error : game_sink_flush(&sink);
}
