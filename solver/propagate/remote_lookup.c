/* Looks up the cells of converting moves that lie at other ranks. */
#include "solver/propagate/remote_lookup.h"

#include <stdatomic.h>

static const char *const what = "questions for children";

uint64_t inquiry_bytes(bool asking, int planes, int threads) {
  const uint64_t walkers = (uint64_t)threads * sizeof(walker);
  if (!asking) return walkers;
  /* Lists double while they grow, and the last batches go beyond what is enough. */
  const uint64_t places = INQUIRY_PLACES + (uint64_t)threads * WALK_EDGES;
  const uint64_t to_sort = 48; /* bytes that store_ask has for a place */
  return walkers + places * (3 * sizeof(walk_question) + sizeof(game_place) + (uint64_t)planes + 2 + to_sort);
}

tauler_error inquiry_open(inquiry *inquiry, const solve_job *job, uint32_t slice, int planes,
                          bool with_depths, tauler_message *message) {
  const int threads = job->work.threads;
  inquiry->job = job;
  inquiry->asking = !solve_has_at_hand(job);
  inquiry->planes = planes;
  inquiry->threads = threads;
  const tauler_error error = memory_take_array(job->work.memory, (uint64_t)threads, sizeof *inquiry->walkers,
                                               "a walk over moves", &inquiry->walkers, message);
  for (int i = 0; i < threads && !error; i++) {
    walker_open(&inquiry->walkers[i], job, slice, planes, with_depths);
  }
  return error;
}

static void give_answers(inquiry *inquiry) {
  memory_budget *memory = inquiry->job->work.memory;
  memory_give(memory, inquiry->places);
  memory_give(memory, inquiry->depths);
  for (int plane = 0; plane < SOLVE_PLANES; plane++) {
    memory_give(memory, inquiry->values[plane]);
    inquiry->values[plane] = NULL;
  }
  inquiry->places = NULL;
  inquiry->depths = NULL;
  inquiry->room = 0;
}

void inquiry_close(inquiry *inquiry) {
  if (!inquiry->job) return;
  for (int i = 0; i < inquiry->threads && inquiry->walkers; i++) walker_close(&inquiry->walkers[i]);
  memory_give(inquiry->job->work.memory, inquiry->walkers);
  give_answers(inquiry);
}

void inquiry_set_mode(inquiry *inquiry, walk_mode mode) {
  for (int i = 0; i < inquiry->threads; i++) inquiry->walkers[i].mode = mode;
}

static bool is_full(const inquiry *inquiry, int self) {
  return inquiry->walkers[self].asked >= INQUIRY_PLACES / (size_t)inquiry->threads;
}

/* Room for all that was put off, in buffers that are used again. */
static tauler_error make_room(inquiry *inquiry, size_t n, tauler_message *message) {
  if (n <= inquiry->room) return TAULER_OK;
  memory_budget *memory = inquiry->job->work.memory;
  give_answers(inquiry);
  tauler_error error = memory_take_array(memory, n, sizeof *inquiry->places, what, &inquiry->places, message);
  for (int plane = 0; plane < inquiry->planes && !error; plane++) {
    error = memory_take(memory, n, what, &inquiry->values[plane], message);
  }
  if (!error && inquiry->walkers[0].with_depths)
    error = memory_take_array(memory, n, sizeof *inquiry->depths, what, &inquiry->depths, message);
  if (error) {
    give_answers(inquiry);
  } else {
    inquiry->room = n;
  }
  return error;
}

static tauler_error gather_places(inquiry *inquiry, tauler_message *message) {
  size_t n = 0;
  for (int i = 0; i < inquiry->threads; i++) n += inquiry->walkers[i].asked;
  const tauler_error error = make_room(inquiry, n ? n : 1, message);
  inquiry->used = 0;
  for (int i = 0; i < inquiry->threads && !error; i++) {
    walker *walker = &inquiry->walkers[i];
    walker->answers_from = inquiry->used;
    for (size_t k = 0; k < walker->asked; k++) inquiry->places[inquiry->used++] = walker->questions[k].to;
  }
  return error;
}

/* Has everything answered. *more: in, whether this rank has more to walk; out, whether any rank has. `error`
 * is how walking fared here; all ranks get it. */
static tauler_error ask_all(inquiry *inquiry, tauler_error error, bool *more, tauler_message *message) {
  if (!inquiry->asking) return error;
  if (!error) error = gather_places(inquiry, message);
  comm *comm = inquiry->job->work.comm;
  error = comm_agree(comm, error, message);
  if (error) return error;
  uint16_t *depths[SOLVE_PLANES] = {inquiry->depths, NULL};
  error = store_ask(inquiry->job->packed, inquiry->places, inquiry->used, inquiry->planes, inquiry->values,
                    inquiry->walkers[0].with_depths ? depths : NULL, message);
  if (error) return error;
  uint64_t any = *more;
  error = comm_allreduce(comm, COMM_OR, &any, 1, message);
  *more = any != 0;
  return error;
}

/* Visits the edges that this worker's walker put off, and forgets them. */
static tauler_error visit_answered(inquiry *inquiry, int self, walk_visit *visit, void *user) {
  walker *walker = &inquiry->walkers[self];
  tauler_error error = TAULER_OK;
  size_t at = walker->answers_from;
  for (size_t k = 0; k < walker->asked && !error; k++, at++) {
    const walk_question *question = &walker->questions[k];
    int8_t cells[SOLVE_PLANES] = {0};
    for (int plane = 0; plane < inquiry->planes; plane++) cells[plane] = inquiry->values[plane][at];
    walk_edge edge = {
        .index = question->index, .quiet = question->to.slice == walker->slice, .child = question->to.index};
    walk_judge(&edge, question->gain, cells, inquiry->planes, inquiry->depths ? inquiry->depths[at] : 0);
    error = visit(user, &edge);
  }
  walker->asked = 0;
  return error;
}

static void begin_round(void *user) {
  inquiry_round *round = user;
  round->cursor = 0;
  for (int i = 0; i < round->inquiry->threads; i++) round->inquiry->walkers[i].asked = 0;
}

static tauler_error walk_batch(const inquiry_round *round, int self, uint64_t first, size_t n) {
  walker *walker = &round->inquiry->walkers[self];
  const solve_problem *problem = &walker->job->problem;
  uint64_t index[WALK_BATCH] = {0};
  size_t chosen = n, left = 0;
  for (size_t i = 0; i < n; i++) index[i] = round->first + first + i;
  if (round->choose) chosen = round->choose(round->user, first, n, index);
  if (chosen == 0) return TAULER_OK;
  const tauler_error error =
      problem->game->ended(problem->rules, walker->slice, index, chosen, walker->values);
  if (error) return error;
  round->begin(round->user, index, chosen, walker->values);
  for (size_t i = 0; i < chosen; i++) {
    if (walker->values[i] == GAME_NOT_ENDED) index[left++] = index[i];
  }
  return walk_moves(walker, index, left, round->visit, round->user);
}

static void walk_batches(inquiry_round *round, int self) {
  while (!round->failed.error && !is_full(round->inquiry, self)) {
    const uint64_t first = atomic_fetch_add(&round->cursor, 1) * WALK_BATCH;
    if (first >= round->positions) return;
    const uint64_t rest = round->positions - first;
    failure_note(&round->failed,
                 walk_batch(round, self, first, rest < WALK_BATCH ? (size_t)rest : WALK_BATCH), NULL);
  }
}

static void ask(void *user) {
  inquiry_round *round = user;
  tauler_message message = round->failed.message;
  round->more = !round->failed.error && atomic_load(&round->cursor) * WALK_BATCH < round->positions;
  const tauler_error error =
      ask_all(round->inquiry, (tauler_error)round->failed.error, &round->more, &message);
  failure_note(&round->failed, error, &message);
  if (error) round->more = false;
  comm_note_progress(round->inquiry->job->work.comm);
}

void inquiry_run(inquiry_round *round, worker *self) {
  worker_barrier_main(self, begin_round, round);
  do {
    walk_batches(round, self->number);
    worker_barrier_main(self, ask, round);
    if (!round->failed.error)
      failure_note(&round->failed, visit_answered(round->inquiry, self->number, round->visit, round->user),
                   NULL);
    worker_barrier(self, NULL, NULL);
  } while (round->more);
}

static void go_round(void *user, worker *self) {
  inquiry_run(user, self);
}

tauler_error inquiry_go_round(inquiry_round *round, tauler_error error, tauler_message *message) {
  failure_note(&round->failed, error, message);
  workers_run(round->inquiry->threads, go_round, round);
  error = failure_outcome(&round->failed, message);
  if (!error || round->failed.message.text[0]) return error;
  return tauler_fail(message, error, "moves of slice %u could not be looked up (%s)",
                     round->inquiry->walkers[0].slice, tauler_error_name(error));
}
