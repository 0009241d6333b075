/* Decides which slices of a build are solved, loaded and freed, and when. */

#include <stdio.h>

#include "base/clock.h"
#include "solver/checkpoint/checkpointer.h"
#include "solver/engines/engine.h"
#include "solver/run/run.h"
#include "solver/run/schedule_tasks.h"

/* Reports this rank's progress to the others. Returns true if workers must stop; the first thread decides. */
static bool ask_halt(void *user) {
  schedule *s = user;
  comm_note_progress(s->run->job->work.comm);
  return atomic_load(&s->halt);
}

/* Assigns slices to ranks, and finds the slices that this rank needs. */
static tauler_error deal_slices(schedule *s) {
  const engine *engine = s->run->engine;
  const int ranks = comm_ranks(s->run->job->work.comm), rank = comm_rank(s->run->job->work.comm);
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < s->slices.used; i++) {
    slice_state *state = &s->states[i];
    const bool outweighs = slice_levels_outweighs(&s->run->levels, &s->slices, ranks, i);
    state->shared =
        state->missing &&
        engine_share(engine, &s->run->solving, ranks, s->slices.slices[i].slice, outweighs).ranks > 1;
    state->solved = state->missing && !state->shared;
    state->owner = rank;
  }
  if (engine_is_side_by_side(engine))
    error = slice_levels_deal(&s->run->levels, &s->slices, ranks, s->states);
  for (size_t i = 0; i < s->slices.used; i++)
    s->states[i].solved = s->states[i].missing && s->states[i].owner == rank;
  slice_levels_use(&s->run->levels, engine_loads_needs(engine), s->states);
  return error;
}

static void list_slices(arena *a, void *of) {
  schedule *s = of;
  s->written = arena_allocate(a, s->slices.used, sizeof *s->written);
  s->collected = arena_allocate(a, s->slices.used, sizeof *s->collected);
  s->tasks = arena_allocate(a, s->slices.used, sizeof *s->tasks);
  s->own = arena_allocate(a, s->slices.used, sizeof *s->own);
}

static tauler_error open_lists(schedule *s, tauler_message *message) {
  static const char what[] = "the list of slices";
  tauler_error error = arena_fill(&s->lists, NULL, what, list_slices, s, message);
  for (size_t i = 0; i < s->slices.used; i++) s->states[i].missing = !build_has_tables(s->run, i);
  slice_levels_want(&s->run->levels, engine_loads_needs(s->run->engine), s->states);
  if (!error) error = deal_slices(s);
  return error ? tauler_fail(message, error, "no memory for %s", what) : TAULER_OK;
}

static void free_slice(schedule *s, size_t place) {
  if (s->states[place].uses == 0 && s->run->engine->whole) whole_free_slice(s->run, place);
}

/* Takes one use from the slices that a finished slice needed, and frees those without further use. */
static void schedule_release_needs(schedule *s, size_t place) {
  const slice_levels *levels = &s->run->levels;
  if (!engine_loads_needs(s->run->engine) && !s->states[place].missing) return;
  for (size_t k = levels->first_need[place]; k < levels->first_need[place + 1]; k++) {
    s->states[levels->need[k]].uses--;
    free_slice(s, levels->need[k]);
  }
}

void schedule_end_task(schedule *s, const engine_task *task) {
  s->run->cost->solving += task->solved;
  s->run->cost->writing += task->wrote;
  s->run->cost->loading += task->loaded;
  for (int i = 0; i < task->tables; i++)
    s->written[task->place].tables[i] = (written_table){
        task->written[i].stored_bytes, task->written[i].plain_digest.low, task->written[i].plain_digest.high};
  schedule_release_needs(s, task->place);
  free_slice(s, task->place);
}

/* True if any rank was asked to stop. */
static bool must_stop(const build_job *job) {
  uint64_t stop = job->stop && job->stop(job->user);
  return comm_allreduce(job->work.comm, COMM_OR, &stop, 1, NULL) == TAULER_OK && stop;
}

tauler_error schedule_solve_together(schedule *s, engine_task *task, tauler_message *message) {
  engine_run *run = s->run;
  const build_job *job = run->job;
  const game_slice *slice = &s->slices.slices[task->place];
  char name[GAME_TEXT_BYTES], step[GAME_TEXT_BYTES + 16];
  job->problem.game->slice_name(job->problem.rules, slice->slice, name);
  if (must_stop(job)) {
    return tauler_fail(message, TAULER_STOPPED,
                       "stopped on request before slice %s, all tables before it are kept: run the same "
                       "command again to go on",
                       name);
  }
  snprintf(step, sizeof step, "slice %s", name);
  if (job->work.shown) progress_start(job->work.shown, step, job->problem.game->unit, slice->positions, 0);
  const tauler_error error = engine_solve(run, task, message);
  if (error) {
    if (job->work.shown) progress_abandon(job->work.shown);
    return error;
  }
  checkpointer_remove(&run->solving, slice->slice, run->wants_depths);
  run->cost->positions_solved += slice->positions;
  if (!job->work.shown) return TAULER_OK;
  if (slice->positions > task->shown) progress_add(job->work.shown, slice->positions - task->shown);
  progress_finish(job->work.shown);
  return TAULER_OK;
}

static tauler_error do_together(schedule *s, size_t place, tauler_message *message) {
  engine_run *run = s->run;
  engine_task task = {.place = place, .solving = &run->solving, .alone = true, .stores = true};
  const tauler_error error = s->states[place].missing ? schedule_solve_together(s, &task, message)
                                                      : engine_load(run, &task, message);
  if (!error) schedule_end_task(s, &task);
  return error;
}

static tauler_error go_in_order(schedule *s, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < s->slices.used && !error; i++) {
    if (s->states[i].wanted) error = do_together(s, i, message);
  }
  return error;
}

tauler_error schedule_run(engine_run *run, tauler_message *message) {
  schedule s = {.run = run, .slices = run->needed, .states = run->states, .checkpoints = run->checkpoints};
  s.checkpoints.stop = ask_halt;
  s.checkpoints.user = &s;
  pthread_mutex_init(&s.lock, NULL);
  pthread_cond_init(&s.ended, NULL);
  tauler_error error = comm_agree(run->job->work.comm, open_lists(&s, message), message);
  if (!error)
    error = engine_is_side_by_side(run->engine) ? schedule_levels(&s, message) : go_in_order(&s, message);
  pthread_cond_destroy(&s.ended);
  pthread_mutex_destroy(&s.lock);
  arena_close(&s.lists);
  return error;
}
