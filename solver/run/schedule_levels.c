/* Runs through the levels of a build whose slices are solved side by side. */
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "databases/names.h"
#include "databases/streams.h"
#include "solver/engines/engine.h"
#include "solver/run/schedule_tasks.h"

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

/* Reports built slices in the solving order. Before the end, it stops at the first that is still missing. */
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
  size_t dealt;       /* missing slices that ranks do not share */
  uint64_t positions; /* positions of those */
  size_t wanted;      /* wanted slices of any rank, without those that ranks share */
  size_t n;           /* tasks */
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

/* Bytes for a slice of this level: memory left, without what finished slices of this level will need. */
static uint64_t room_in(const schedule *s, uint32_t level) {
  const engine_run *run = s->run;
  const uint64_t left = memory_left(run->job->work.memory);
  uint64_t stays = 0;
  for (size_t i = 0; i < s->slices.used; i++) {
    if (s->states[i].wanted && s->states[i].uses > 0 && run->levels.level[i] == level)
      stays += run->engine->whole->finished_bytes(&run->solving, s->slices.slices[i].slice);
  }
  return left > stays ? left - stays : 1;
}

static slice_level level_of(schedule *s, uint32_t level) {
  slice_level l = {.s = s, .level = level};
  s->room = room_in(s, level);
  for (size_t i = 0; i < s->slices.used; i++) {
    if (s->states[i].wanted && s->run->levels.level[i] == level) add_slice(&l, i);
  }
  level_tasks_sort(s->tasks, l.n);
  return l;
}

/* Bytes reserved for slices of this level that are not in memory yet. */
static uint64_t reserve_of(const slice_level *l) {
  const schedule *s = l->s;
  uint64_t bytes = 0;
  for (size_t i = 0; i < l->n; i++) {
    const size_t place = s->tasks[i].place;
    if (s->states[place].uses > 0 && !s->run->engine->whole->is_here(whole_at(s->run, place)))
      bytes += s->run->engine->whole->finished_bytes(&s->run->solving, s->slices.slices[place].slice);
  }
  return bytes;
}

/* Solves the slices that all ranks share. */
static tauler_error do_shared(slice_level *l, tauler_message *message) {
  schedule *s = l->s;
  solve_job solving = s->run->solving;
  tauler_error error = TAULER_OK;
  solving.ranks = comm_ranks(solving.work.comm);
  solving.room = s->room;
  for (size_t i = 0; i < l->n && !error; i++) {
    if (!s->states[s->tasks[i].place].shared) continue;
    engine_task task = {.place = s->tasks[i].place, .solving = &solving, .alone = true, .stores = true};
    error = schedule_solve_together(s, &task, message);
    if (!error) schedule_end_task(s, &task);
  }
  return error;
}

/* Solves this rank's slices and loads existing ones; or, if `others`, loads slices that other ranks solved
 * and this rank needs. */
static tauler_error do_own(slice_level *l, bool others, tauler_message *message) {
  schedule *s = l->s;
  bool complete = false;
  size_t n = 0;
  for (size_t i = 0; i < l->n; i++) {
    const slice_state *state = &s->states[s->tasks[i].place];
    if (others ? state->missing && !state->solved && state->uses > 0
               : !state->shared && (state->solved || !state->missing))
      s->own[n++] = s->tasks[i];
  }
  const tauler_error error = schedule_do_tasks(s, s->own, n, reserve_of(l), &complete, message);
  if (error || complete) return error;
  return tauler_fail(message, TAULER_STOPPED,
                     "stopped on request, all tables so far and the state of large slices under work are "
                     "kept: run the same command again to go on");
}

/* Tells every rank which tables were written. */
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

/* Names a step, such as "4 pieces: 268 slices" if all are in one folder. */
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

static tauler_error do_dealt(slice_level *l, tauler_message *message) {
  progress *shown = l->dealt ? l->s->run->job->work.shown : NULL;
  char step[256];
  if (l->wanted == 0) return TAULER_OK;
  name_step(l, step, sizeof step);
  l->s->others_shown = 0;
  if (shown) progress_start(shown, step, l->s->run->job->problem.game->unit, l->positions, 0);
  const tauler_error error = do_own(l, false, message);
  if (shown && error) progress_abandon(shown);
  if (shown && !error) progress_finish(shown);
  return error;
}

static tauler_error do_level(slice_level *l, tauler_message *message) {
  tauler_error error = do_shared(l, message);
  if (!error) error = do_dealt(l, message);
  tauler_message cause = {""};
  const tauler_error lost =
      comm_is_broken(l->s->run->job->work.comm) ? TAULER_IO : share_written(l, error ? &cause : message);
  if (!error) error = lost;
  report_built(l->s, error != TAULER_OK);
  if (error || comm_ranks(l->s->run->job->work.comm) == 1 || l->wanted == 0) return error;
  return do_own(l, true, message);
}

static void note_wall(engine_run *run, const build_cost *before, double wall) {
  const build_cost *now = run->cost;
  const double solving = now->solving - before->solving;
  const double all = solving + now->writing - before->writing + now->loading - before->loading;
  if (all > 0) run->cost->solving_wall += (clock_wall() - wall) * solving / all;
}

static tauler_error build_level(schedule *s, uint32_t level, tauler_message *message) {
  engine_run *run = s->run;
  memory_budget *memory = run->job->work.memory;
  const double wall = clock_wall();
  const uint64_t before = memory_allocated(memory);
  const build_cost spent = *run->cost;
  slice_level l = level_of(s, level);
  const tauler_error error = l.n + l.wanted > 0 ? do_level(&l, message) : TAULER_OK;
  if (memory_peak(memory) - before > run->cost->solving_peak)
    run->cost->solving_peak = memory_peak(memory) - before;
  note_wall(run, &spent, wall);
  return error;
}

/* Adds up the processor time of all ranks. */
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

tauler_error schedule_levels(schedule *s, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (uint32_t level = 1; level <= s->run->levels.levels && !error; level++)
    error = build_level(s, level, message);
  if (!error) report_built(s, true);
  return error ? error : sum_cost(s->run, message);
}
