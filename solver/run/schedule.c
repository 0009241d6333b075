/* Solves, loads and frees the slices of a build, in the solving order or level by level. */

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "databases/names.h"
#include "databases/streams.h"
#include "solver/checkpoint/checkpointer.h"
#include "solver/engines/engine.h"
#include "solver/run/run.h"

/* Also notes progress. */
static bool must_halt(void *user) {
  schedule *s = user;
  comm_note_progress(s->run->job->work.comm);
  return atomic_load(&s->halt);
}

/* Sets for each slice whether ranks share it, the rank that solves it, and the number of its uses here. */
static tauler_error assign_slices(schedule *s) {
  const engine *engine = s->run->engine;
  const int ranks = comm_ranks(s->run->job->work.comm), rank = comm_rank(s->run->job->work.comm);
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < s->slices.used; i++) {
    slice_state *state = &s->states[i];
    const bool outweighs = slice_levels_outweighs(&s->run->levels, &s->slices, ranks, i);
    state->shared =
        state->missing &&
        engine_shared_job(engine, &s->run->solving, ranks, s->slices.slices[i].slice, outweighs).ranks > 1;
    state->solved = state->missing && !state->shared;
    state->owner = rank;
  }
  if (engine_is_side_by_side(engine))
    error = slice_levels_assign(&s->run->levels, &s->slices, ranks, s->states);
  for (size_t i = 0; i < s->slices.used; i++)
    s->states[i].solved = s->states[i].missing && s->states[i].owner == rank;
  slice_levels_count_uses(&s->run->levels, engine_loads_needs(engine), s->states);
  return error;
}

static void list_schedule_arrays(arena *a, void *of) {
  schedule *s = of;
  s->written = arena_allocate(a, s->slices.used, sizeof *s->written);
  s->collected = arena_allocate(a, s->slices.used, sizeof *s->collected);
  s->tasks = arena_allocate(a, s->slices.used, sizeof *s->tasks);
  s->own = arena_allocate(a, s->slices.used, sizeof *s->own);
}

static tauler_error open_lists(schedule *s, tauler_message *message) {
  static const char what[] = "the list of slices";
  tauler_error error = arena_fill(&s->lists, NULL, what, list_schedule_arrays, s, message);
  for (size_t i = 0; i < s->slices.used; i++) s->states[i].missing = !build_has_tables(s->run, i);
  slice_levels_mark_wanted(&s->run->levels, engine_loads_needs(s->run->engine), s->states);
  if (!error) error = assign_slices(s);
  return error ? tauler_fail(message, error, "no memory for %s", what) : TAULER_OK;
}

static void free_if_unused(schedule *s, size_t place) {
  if (s->states[place].uses == 0 && s->run->engine->whole) whole_free_slice(s->run, place);
}

static void free_unused_needs(schedule *s, size_t place) {
  const slice_levels *levels = &s->run->levels;
  if (!engine_loads_needs(s->run->engine) && !s->states[place].missing) return;
  for (size_t k = levels->first_need[place]; k < levels->first_need[place + 1]; k++) {
    s->states[levels->need[k]].uses--;
    free_if_unused(s, levels->need[k]);
  }
}

void schedule_end_task(schedule *s, const engine_task *task) {
  s->run->cost->solving += task->solved;
  s->run->cost->writing += task->wrote;
  s->run->cost->loading += task->loaded;
  for (int i = 0; i < task->tables; i++)
    s->written[task->place].tables[i] = (written_table){
        task->written[i].stored_bytes, task->written[i].plain_digest.low, task->written[i].plain_digest.high};
  free_unused_needs(s, task->place);
  free_if_unused(s, task->place);
}

/* True if any rank was asked to stop. */
static bool must_stop(const build_job *job) {
  uint64_t stop = job->stop && job->stop(job->user);
  return comm_allreduce(job->work.comm, COMM_OR, &stop, 1, NULL) == TAULER_OK && stop;
}

static tauler_error solve_together(schedule *s, engine_task *task, tauler_message *message) {
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

static tauler_error solve_or_load_together(schedule *s, const solve_job *solving, size_t place,
                                           tauler_message *message) {
  engine_task task = {.place = place, .solving = solving, .alone = true, .stores = true};
  const tauler_error error =
      s->states[place].missing ? solve_together(s, &task, message) : engine_load(s->run, &task, message);
  if (!error) schedule_end_task(s, &task);
  return error;
}

static tauler_error solve_in_order(schedule *s, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (size_t i = 0; i < s->slices.used && !error; i++) {
    if (s->states[i].wanted) error = solve_or_load_together(s, &s->run->solving, i, message);
  }
  return error;
}

static bool is_built(const schedule *s, size_t place) {
  return s->written[place].tables[ENGINE_TABLES - 1].bytes > 0;
}

static void report_slice(schedule *s, size_t place) {
  static const char *const streams[ENGINE_TABLES] = {STREAM_VALUE, STREAM_DEPTH};
  const build_job *job = s->run->job;
  const game_slice *slice = &s->slices.slices[place];
  char name[GAME_TEXT_BYTES];
  job->problem.game->slice_name(job->problem.rules, slice->slice, name);
  const bool was_there[ENGINE_TABLES] = {s->states[place].has_values, s->states[place].has_depths};
  for (int i = 0; i < ENGINE_TABLES; i++) {
    const written_table *of = &s->written[place].tables[i];
    const build_table about = {
        name, streams[i], slice->positions, of->bytes, {of->digest_low, of->digest_high}, true};
    if (!was_there[i] && job->report) job->report(job->user, &about);
  }
  s->states[place].reported = true;
}

/* Reports built slices in the solving order, on rank 0. Unless at_end, ends at the first slice that is not
 * built yet. */
static void report_built(schedule *s, bool at_end) {
  if (!comm_is_root(s->run->job->work.comm)) return;
  for (size_t i = 0; i < s->slices.used; i++) {
    if (!s->states[i].missing) continue;
    if (!is_built(s, i) && !at_end) return;
    if (is_built(s, i) && !s->states[i].reported) report_slice(s, i);
  }
}

typedef struct {
  schedule *s;
  uint32_t level;
  size_t dealt;       /* number of missing slices that ranks do not share */
  uint64_t positions; /* positions of these slices */
  size_t wanted;      /* number of wanted slices that ranks do not share */
  size_t n;
} slice_level;

static void add_slice(slice_level *l, size_t place) {
  const schedule *s = l->s;
  const game_slice *slice = &s->slices.slices[place];
  const int ranks = s->states[place].shared ? comm_ranks(s->run->job->work.comm) : 1;
  const bool dealt = s->states[place].missing && !s->states[place].shared;
  solve_job solving = s->run->solving;
  solving.room = s->room;
  l->wanted += !s->states[place].shared;
  l->dealt += dealt;
  l->positions += dealt ? slice->positions : 0;
  if (s->states[place].missing || s->states[place].uses > 0)
    l->s->tasks[l->n++] =
        engine_size_task(s->run->engine, &solving, ranks, slice, place, s->states[place].uses > 0);
}

/* Returns the free memory minus the bytes of this level's finished slices that stay in memory, or 1. */
static uint64_t slice_room(const schedule *s, uint32_t level) {
  const engine_run *run = s->run;
  const uint64_t left = memory_left(run->job->work.memory);
  uint64_t stays = 0;
  for (size_t i = 0; i < s->slices.used; i++) {
    if (s->states[i].wanted && s->states[i].uses > 0 && run->levels.level[i] == level)
      stays += run->engine->whole->finished_bytes(&run->solving, s->slices.slices[i].slice);
  }
  return left > stays ? left - stays : 1;
}

static slice_level make_level(schedule *s, uint32_t level) {
  slice_level l = {.s = s, .level = level};
  s->room = slice_room(s, level);
  for (size_t i = 0; i < s->slices.used; i++) {
    if (s->states[i].wanted && s->run->levels.level[i] == level) add_slice(&l, i);
  }
  level_tasks_sort(s->tasks, l.n);
  return l;
}

/* Returns the bytes of the slices of this level that must stay in memory and are not in it yet. */
static uint64_t reserved_bytes(const slice_level *l) {
  const schedule *s = l->s;
  uint64_t bytes = 0;
  for (size_t i = 0; i < l->n; i++) {
    const size_t place = s->tasks[i].place;
    if (s->states[place].uses > 0 && !s->run->engine->whole->is_here(whole_at(s->run, place)))
      bytes += s->run->engine->whole->finished_bytes(&s->run->solving, s->slices.slices[place].slice);
  }
  return bytes;
}

static tauler_error solve_shared(slice_level *l, tauler_message *message) {
  schedule *s = l->s;
  solve_job solving = s->run->solving;
  tauler_error error = TAULER_OK;
  solving.ranks = comm_ranks(solving.work.comm);
  solving.room = s->room;
  for (size_t i = 0; i < l->n && !error; i++) {
    if (s->states[s->tasks[i].place].shared)
      error = solve_or_load_together(s, &solving, s->tasks[i].place, message);
  }
  return error;
}

/* Solves the slices of this rank and loads those whose tables exist. If `others`, loads instead the slices
 * that other ranks solved and this rank needs. */
static tauler_error do_own_tasks(slice_level *l, bool others, tauler_message *message) {
  schedule *s = l->s;
  bool complete = false;
  size_t n = 0;
  for (size_t i = 0; i < l->n; i++) {
    const slice_state *state = &s->states[s->tasks[i].place];
    if (others ? state->missing && !state->solved && state->uses > 0
               : !state->shared && (state->solved || !state->missing))
      s->own[n++] = s->tasks[i];
  }
  const tauler_error error = schedule_do_tasks(s, s->own, n, reserved_bytes(l), &complete, message);
  if (error || complete) return error;
  return tauler_fail(message, TAULER_STOPPED,
                     "stopped on request, all tables so far and the state of large slices under work are "
                     "kept: run the same command again to go on");
}

static tauler_error share_written(slice_level *l, tauler_message *message) {
  schedule *s = l->s;
  size_t used = 0;
  for (size_t i = 0; i < l->n; i++) {
    const size_t place = s->tasks[i].place;
    if (s->states[place].missing) s->collected[used++] = s->written[place];
  }
  const tauler_error error =
      comm_allreduce(s->run->job->work.comm, COMM_SUM, (uint64_t *)(void *)s->collected,
                     used * sizeof *s->collected / sizeof(uint64_t), message);
  for (size_t i = 0, k = 0; i < l->n && !error; i++) {
    const size_t place = s->tasks[i].place;
    if (!s->states[place].missing) continue;
    s->written[place] = s->collected[k++];
    if (is_built(s, place) && !s->states[place].shared)
      s->run->cost->positions_solved += s->slices.slices[place].positions;
  }
  return error;
}

/* Writes "4 pieces: 268 slices" if all slices are in one subfolder, otherwise "level 4: 268 slices". */
static void name_step(const slice_level *l, char *step, size_t room) {
  const build_job *job = l->s->run->job;
  char folder[GAME_TEXT_BYTES] = "", other[GAME_TEXT_BYTES];
  for (size_t i = 0; i < l->n; i++) {
    names_subfolder(job->problem.game, job->problem.rules, l->s->slices.slices[l->s->tasks[i].place].slice,
                    other);
    if (i == 0) memcpy(folder, other, sizeof folder);
    if (strcmp(folder, other) != 0) folder[0] = '\0';
  }
  const char *plural = l->dealt == 1 ? "" : "s";
  if (folder[0])
    snprintf(step, room, "%.100s %s: %zu slice%s", folder, job->problem.game->size_option, l->dealt, plural);
  else
    snprintf(step, room, "level %u: %zu slice%s", l->level, l->dealt, plural);
}

static tauler_error do_assigned_slices(slice_level *l, tauler_message *message) {
  progress *shown = l->dealt ? l->s->run->job->work.shown : NULL;
  char step[256];
  if (l->wanted == 0) return TAULER_OK;
  name_step(l, step, sizeof step);
  l->s->others_shown = 0;
  if (shown) progress_start(shown, step, l->s->run->job->problem.game->unit, l->positions, 0);
  const tauler_error error = do_own_tasks(l, false, message);
  if (shown && error) progress_abandon(shown);
  if (shown && !error) progress_finish(shown);
  return error;
}

static tauler_error run_level(slice_level *l, tauler_message *message) {
  tauler_error error = solve_shared(l, message);
  if (!error) error = do_assigned_slices(l, message);
  tauler_message cause = {""};
  const tauler_error lost =
      comm_is_broken(l->s->run->job->work.comm) ? TAULER_IO : share_written(l, error ? &cause : message);
  if (!error) error = lost;
  report_built(l->s, error != TAULER_OK);
  if (error || comm_ranks(l->s->run->job->work.comm) == 1 || l->wanted == 0) return error;
  return do_own_tasks(l, true, message);
}

static void add_wall_time(engine_run *run, const build_cost *before, double wall) {
  const build_cost *now = run->cost;
  const double solving = now->solving - before->solving;
  const double all = solving + now->writing - before->writing + now->loading - before->loading;
  if (all > 0) run->cost->solving_wall += (clock_wall() - wall) * solving / all;
}

static tauler_error build_level(schedule *s, uint32_t level, tauler_message *message) {
  engine_run *run = s->run;
  memory_budget *memory = run->job->work.memory;
  const double wall = clock_wall();
  const uint64_t before = memory_allocated(memory), earlier = memory_peak(memory);
  const build_cost spent = *run->cost;
  slice_level l = make_level(s, level);
  const tauler_error error = l.n + l.wanted > 0 ? run_level(&l, message) : TAULER_OK;
  engine_note_peak(run, before, earlier);
  add_wall_time(run, &spent, wall);
  return error;
}

static tauler_error sum_cost(engine_run *run, tauler_message *message) {
  build_cost *cost = run->cost;
  double *const parts[] = {&cost->solving, &cost->writing, &cost->loading};
  enum { PARTS = sizeof parts / sizeof *parts };
  uint64_t sums[PARTS];
  for (int i = 0; i < PARTS; i++) sums[i] = (uint64_t)(*parts[i] * 1e9);
  const tauler_error error = comm_allreduce(run->job->work.comm, COMM_SUM, sums, PARTS, message);
  for (int i = 0; i < PARTS && !error; i++) *parts[i] = (double)sums[i] / 1e9;
  return error;
}

static tauler_error solve_by_levels(schedule *s, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (uint32_t level = 1; level <= s->run->levels.levels && !error; level++)
    error = build_level(s, level, message);
  if (!error) report_built(s, true);
  return error ? error : sum_cost(s->run, message);
}

tauler_error schedule_run(engine_run *run, tauler_message *message) {
  schedule s = {.run = run, .slices = run->needed, .states = run->states, .checkpoints = run->checkpoints};
  s.checkpoints.stop = must_halt;
  s.checkpoints.user = &s;
  pthread_mutex_init(&s.lock, NULL);
  pthread_cond_init(&s.ended, NULL);
  tauler_error error = comm_agree(run->job->work.comm, open_lists(&s, message), message);
  if (!error)
    error = engine_is_side_by_side(run->engine) ? solve_by_levels(&s, message) : solve_in_order(&s, message);
  pthread_cond_destroy(&s.ended);
  pthread_mutex_destroy(&s.lock);
  arena_close(&s.lists);
  return error;
}
