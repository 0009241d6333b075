/* Lists the moves of positions in batches, computes the worths of converting moves, and looks up children
 * that other ranks own. */
#include "solver/propagate/remote_lookup.h"

#include <stdatomic.h>

/* --- moves --- */

/* cells[plane] and depth are those of the child. */
static void set_worth(expand_edge *edge, int gain, const int8_t cells[SOLVE_PLANES], int planes,
                      uint16_t depth) {
  for (int plane = 0; plane < planes; plane++) edge->worth[plane] = gain - cells[planes - 1 - plane];
  edge->child_depth = depth == SOLVE_NO_DEPTH ? 0 : depth;
}

static tauler_error set_converting_worth(const remote_lookup *lookup, const game_edge *edge,
                                         expand_edge *out) {
  out->worth[0] = out->worth[1] = edge->gain;
  out->child_depth = 0;
  if (edge->to.slice == GAME_OVER) return TAULER_OK;
  const plain_slices *finished = &lookup->finished;
  if (edge->to.slice >= finished->room || !finished->list[edge->to.slice].cells[0]) return TAULER_INTERNAL;
  const solved_slice *to = &finished->list[edge->to.slice];
  const uint64_t child = edge->to.index;
  const int8_t cells[SOLVE_PLANES] = {to->cells[0][child], to->cells[to->cells[1] ? 1 : 0][child]};
  const uint16_t depth = lookup->with_depths && to->depths[0] ? to->depths[0][child] : 0;
  set_worth(out, edge->gain, cells, lookup->planes, depth);
  return TAULER_OK;
}

static bool must_defer(const remote_lookup *lookup, const game_edge *edge) {
  if (edge->to.slice == GAME_OVER || lookup->mode == EXPAND_LOCAL) return false;
  return lookup->mode == EXPAND_ASKS_ALL || edge->to.slice != lookup->slice;
}

static tauler_error defer_move(expander *expander, const game_edge *edge) {
  if (expander->asked == expander->asked_room) {
    const size_t room = expander->asked_room ? 2 * expander->asked_room : EXPAND_BATCH;
    const tauler_error error =
        memory_resize(expander->all->job->work.memory, room * sizeof *expander->requests,
                      "requests for children", &expander->requests, NULL);
    if (error) return error;
    expander->asked_room = room;
  }
  expander->requests[expander->asked++] = (expand_request){expander->batch[edge->from], edge->to, edge->gain};
  return TAULER_OK;
}

static tauler_error visit_edges(void *user, const game_edge *edges, size_t n) {
  expander *expander = user;
  const remote_lookup *lookup = expander->all;
  for (size_t i = 0; i < n; i++) {
    tauler_error error = TAULER_OK;
    if (must_defer(lookup, &edges[i])) {
      error = defer_move(expander, &edges[i]);
    } else {
      expand_edge edge = {.index = expander->batch[edges[i].from],
                          .quiet = edges[i].to.slice == lookup->slice,
                          .child = edges[i].to.index};
      if (!edge.quiet) error = set_converting_worth(lookup, &edges[i], &edge);
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
  const remote_lookup *lookup = expander->all;
  const solve_problem *problem = &lookup->job->problem;
  const tauler_error error = problem->game->expand(problem->rules, lookup->slice, expander->batch, n, &sink);
  return error ? error : game_sink_flush(&sink);
}

/* --- rounds of lookups --- */

uint64_t remote_lookup_bytes(const solve_job *job, int planes) {
  const uint64_t threads = (uint64_t)job->work.threads, expanders = threads * sizeof(expander);
  if (solve_has_local(job)) return expanders;
  /* Lists double while they grow, and each worker may exceed the limit by one batch. */
  const uint64_t places = LOOKUP_PLACES + threads * EXPAND_EDGES;
  const uint64_t to_sort = 48; /* bytes per place in store_ask */
  return expanders +
         places * (3 * sizeof(expand_request) + sizeof(game_place) + (uint64_t)planes + 2 + to_sort);
}

tauler_error remote_lookup_open(remote_lookup *lookup, const solve_job *job, uint32_t slice, int planes,
                                bool with_depths, tauler_message *message) {
  *lookup = (remote_lookup){.job = job,
                            .slice = slice,
                            .planes = planes,
                            .threads = job->work.threads,
                            .with_depths = with_depths,
                            .mode = solve_has_local(job) ? EXPAND_LOCAL : EXPAND_ASKS_CONVERTING,
                            .finished = store_plain(job->store)};
  const tauler_error error =
      memory_allocate_array(job->work.memory, (uint64_t)lookup->threads, sizeof *lookup->expanders,
                            "the moves of positions", &lookup->expanders, message);
  for (int i = 0; i < lookup->threads && !error; i++) lookup->expanders[i].all = lookup;
  return error;
}

static void list_answers(arena *a, void *of) {
  remote_lookup *lookup = of;
  lookup->places = arena_allocate(a, lookup->room, sizeof *lookup->places);
  for (int plane = 0; plane < lookup->planes; plane++)
    lookup->values[plane] = arena_allocate(a, lookup->room, 1);
  lookup->depths = lookup->with_depths ? arena_allocate(a, lookup->room, sizeof *lookup->depths) : NULL;
}

void remote_lookup_close(remote_lookup *lookup) {
  if (!lookup->job) return;
  memory_budget *memory = lookup->job->work.memory;
  for (int i = 0; i < lookup->threads && lookup->expanders; i++)
    memory_free(memory, lookup->expanders[i].requests);
  memory_free(memory, lookup->expanders);
  arena_close(&lookup->answers);
}

static tauler_error make_room(remote_lookup *lookup, size_t n, tauler_message *message) {
  if (n <= lookup->room) return TAULER_OK;
  arena_close(&lookup->answers);
  lookup->room = n;
  const tauler_error error = arena_fill(&lookup->answers, lookup->job->work.memory, "requests for children",
                                        list_answers, lookup, message);
  if (error) lookup->room = 0;
  return error;
}

static tauler_error gather_places(remote_lookup *lookup, tauler_message *message) {
  size_t n = 0;
  for (int i = 0; i < lookup->threads; i++) n += lookup->expanders[i].asked;
  const tauler_error error = make_room(lookup, n ? n : 1, message);
  lookup->used = 0;
  for (int i = 0; i < lookup->threads && !error; i++) {
    expander *expander = &lookup->expanders[i];
    expander->answers_from = lookup->used;
    for (size_t k = 0; k < expander->asked; k++) lookup->places[lookup->used++] = expander->requests[k].to;
  }
  return error;
}

/* Before the call *more is true if this rank has more moves, and afterwards if any rank has. `error` is the
 * error of this rank so far. If cells are looked up, all ranks return the error of the lowest rank that
 * failed. */
static tauler_error answer_all(remote_lookup *lookup, tauler_error error, bool *more,
                               tauler_message *message) {
  if (lookup->mode == EXPAND_LOCAL) return error;
  if (!error) error = gather_places(lookup, message);
  comm *comm = lookup->job->work.comm;
  error = comm_agree(comm, error, message);
  if (error) return error;
  uint16_t *depths[SOLVE_PLANES] = {lookup->depths, NULL};
  error = store_ask(lookup->job->store, lookup->places, lookup->used, lookup->planes, lookup->values,
                    lookup->with_depths ? depths : NULL, message);
  if (error) return error;
  uint64_t any = *more;
  error = comm_allreduce(comm, COMM_OR, &any, 1, message);
  *more = any != 0;
  return error;
}

static tauler_error visit_answered(remote_lookup *lookup, int self, expand_visit *visit, void *user) {
  expander *expander = &lookup->expanders[self];
  tauler_error error = TAULER_OK;
  size_t at = expander->answers_from;
  for (size_t k = 0; k < expander->asked && !error; k++, at++) {
    const expand_request *request = &expander->requests[k];
    int8_t cells[SOLVE_PLANES] = {0};
    for (int plane = 0; plane < lookup->planes; plane++) cells[plane] = lookup->values[plane][at];
    expand_edge edge = {
        .index = request->index, .quiet = request->to.slice == lookup->slice, .child = request->to.index};
    set_worth(&edge, request->gain, cells, lookup->planes, lookup->depths ? lookup->depths[at] : 0);
    error = visit(user, &edge);
  }
  expander->asked = 0;
  return error;
}

static void begin_round(void *user) {
  lookup_round *round = user;
  round->cursor = 0;
  for (int i = 0; i < round->lookup->threads; i++) round->lookup->expanders[i].asked = 0;
}

static tauler_error expand_batch(const lookup_round *round, int self, uint64_t first, size_t n) {
  expander *expander = &round->lookup->expanders[self];
  const solve_problem *problem = &round->lookup->job->problem;
  uint64_t index[EXPAND_BATCH] = {0};
  size_t chosen = n, left = 0;
  for (size_t i = 0; i < n; i++) index[i] = round->first + first + i;
  if (round->choose) chosen = round->choose(round->user, first, n, index);
  if (chosen == 0) return TAULER_OK;
  const tauler_error error =
      problem->game->ended(problem->rules, round->lookup->slice, index, chosen, expander->values);
  if (error) return error;
  round->begin(round->user, index, chosen, expander->values);
  for (size_t i = 0; i < chosen; i++) {
    if (expander->values[i] == GAME_NOT_ENDED) index[left++] = index[i];
  }
  return expand_moves(expander, index, left, round->visit, round->user);
}

static void expand_batches(lookup_round *round, int self) {
  const remote_lookup *lookup = round->lookup;
  while (!round->failed->error && lookup->expanders[self].asked < LOOKUP_PLACES / (size_t)lookup->threads) {
    const uint64_t first = atomic_fetch_add(&round->cursor, 1) * EXPAND_BATCH;
    if (first >= round->positions) return;
    const uint64_t rest = round->positions - first;
    failure_note(round->failed,
                 expand_batch(round, self, first, rest < EXPAND_BATCH ? (size_t)rest : EXPAND_BATCH), NULL);
  }
}

static void look_up_children(void *user) {
  lookup_round *round = user;
  tauler_message message = round->failed->message;
  round->more = !round->failed->error && atomic_load(&round->cursor) * EXPAND_BATCH < round->positions;
  const tauler_error error =
      answer_all(round->lookup, (tauler_error)round->failed->error, &round->more, &message);
  failure_note(round->failed, error, &message);
  if (error) round->more = false;
  comm_note_progress(round->lookup->job->work.comm);
}

void lookup_round_run(void *user, worker *self) {
  lookup_round *round = user;
  worker_barrier_main(self, begin_round, round);
  do {
    expand_batches(round, self->number);
    worker_barrier_main(self, look_up_children, round);
    if (!round->failed->error)
      failure_note(round->failed, visit_answered(round->lookup, self->number, round->visit, round->user),
                   NULL);
    worker_barrier(self, NULL, NULL);
  } while (round->more);
}

tauler_error lookup_round_start_workers(const lookup_round *round, tauler_error error,
                                        tauler_message *message) {
  failure failed = {0};
  lookup_round run = *round;
  run.failed = &failed;
  failure_note(&failed, error, message);
  workers_run(run.lookup->threads, lookup_round_run, &run);
  error = failure_outcome(&failed, message);
  if (!error || failed.message.text[0]) return error;
  return tauler_fail(message, error, "moves of slice %u could not be looked up (%s)", round->lookup->slice,
                     tauler_error_name(error));
}
