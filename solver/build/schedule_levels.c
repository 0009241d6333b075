/* Goes through the levels of a build whose slices are solved side by side. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "databases/names.h"
#include "databases/streams.h"
#include "solver/build/schedule_tasks.h"

/* --- reports --- */

static bool is_built(const schedule *s, size_t place) {
  return s->written[place].tables[ENGINE_TABLES - 1].bytes > 0;
}

static void report_slice(schedule *s, size_t place) {
  static const char *const streams[ENGINE_TABLES] = {STREAM_VALUE, STREAM_DEPTH};
  const build_job *job = s->run->job;
  const game_slice *slice = &s->slices.slices[place];
  char name[GAME_TEXT_BYTES];
  job->problem.game->slice_name(job->problem.rules, slice->slice, name);
  const bool was_there[ENGINE_TABLES] = {s->run->has_values[place], s->run->has_depths[place]};
  for (int i = 0; i < ENGINE_TABLES; i++) {
    const written_table *of = &s->written[place].tables[i];
    const build_table about = {
        name, streams[i], slice->positions, of->bytes, {of->digest_low, of->digest_high}, true};
    if (!was_there[i] && job->report) job->report(job->user, &about);
  }
  s->reported[place] = true;
}

/* Slices that were built, in the solving order. Before the end, those behind one that is missing wait. */
static void report_built(schedule *s, bool at_end) {
  if (!comm_is_root(s->run->job->work.comm)) return;
  for (size_t i = 0; i < s->slices.used; i++) {
    if (!s->missing[i]) continue;
    if (!is_built(s, i) && !at_end) return;
    if (is_built(s, i) && !s->reported[i]) report_slice(s, i);
  }
}

/* --- a level --- */

typedef struct {
  schedule *s;
  uint32_t level;
  size_t missing;     /* how many of its slices that no ranks share */
  uint64_t positions; /* of those */
  level_task *tasks;  /* all that are wanted, sorted */
  size_t shared;      /* how many of them */
  level_task *own;    /* of these, what this rank does at once */
  int *owner;         /* rank, by task; of those that are there all ranks are */
  size_t n;
} slice_level;

static void level_close(slice_level *l) {
  free(l->tasks);
  free(l->own);
  free(l->owner);
}

static bool is_dealt(const slice_level *l, const level_task *task) {
  return l->s->missing[task->place] && !task->shared;
}

/* Slices to be solved are dealt to the ranks; those that are there are loaded by all. */
static tauler_error deal_level(slice_level *l) {
  const int ranks = comm_ranks(l->s->run->job->work.comm);
  level_task *dealt = calloc(l->n + 1, sizeof *dealt);
  int *owner = calloc(l->n + 1, sizeof *owner);
  size_t used = 0;
  for (size_t i = 0; dealt && i < l->n; i++) {
    if (is_dealt(l, &l->tasks[i])) dealt[used++] = l->tasks[i];
  }
  const tauler_error error = dealt && owner ? level_tasks_deal(dealt, used, ranks, owner) : TAULER_NO_MEMORY;
  for (size_t i = 0, k = 0; !error && i < l->n; i++)
    l->owner[i] = is_dealt(l, &l->tasks[i]) ? owner[k++] : comm_rank(l->s->run->job->work.comm);
  free(dealt);
  free(owner);
  return error;
}

static tauler_error level_open(slice_level *l, schedule *s, uint32_t level, tauler_message *message) {
  *l = (slice_level){.s = s, .level = level};
  const size_t all = s->slices.used;
  l->tasks = calloc(all, sizeof *l->tasks);
  l->own = calloc(all, sizeof *l->own);
  l->owner = calloc(all, sizeof *l->owner);
  tauler_error error = l->tasks && l->own && l->owner ? TAULER_OK : TAULER_NO_MEMORY;
  for (size_t i = 0; i < all && !error; i++) {
    if (!s->wanted[i] || s->run->levels.level[i] != level) continue;
    const int ranks = s->missing[i] ? comm_ranks(s->run->job->work.comm) : 1;
    level_task *task = &l->tasks[l->n++];
    *task =
        engine_size_task(s->run->engine, &s->run->solving, ranks, &s->slices.slices[i], i, s->uses[i] > 0);
    l->shared += task->shared;
    l->missing += is_dealt(l, task);
    l->positions += is_dealt(l, task) ? task->positions : 0;
  }
  if (!error) level_tasks_sort(l->tasks, l->n);
  if (!error) error = deal_level(l);
  return error ? tauler_fail(message, error, "no memory for the list of slices") : TAULER_OK;
}

/* What is kept of slices of this level that are not here yet. */
static uint64_t reserve_of(const slice_level *l) {
  const schedule *s = l->s;
  uint64_t bytes = 0;
  for (size_t i = 0; i < l->n; i++) {
    const size_t place = l->tasks[i].place;
    if (s->uses[place] > 0 && !s->run->engine->is_here(s->run, place))
      bytes += s->run->engine->finished_bytes(&s->run->solving, s->slices.slices[place].slice);
  }
  return bytes;
}

static tauler_error do_own(slice_level *l, size_t n, tauler_message *message) {
  bool complete = false;
  const tauler_error error = schedule_do_tasks(l->s, l->own, n, reserve_of(l), &complete, message);
  if (error || complete) return error;
  return tauler_fail(message, TAULER_STOPPED,
                     "stopped on request, all tables so far and the state of large slices under work are "
                     "kept: run the same command again to go on");
}

/* Slices that all ranks share. */
static tauler_error do_shared(slice_level *l, tauler_message *message) {
  schedule *s = l->s;
  solve_job solving = s->run->solving;
  tauler_error error = TAULER_OK;
  solving.ranks = comm_ranks(solving.work.comm);
  for (size_t i = 0; i < l->n && !error; i++) {
    if (!l->tasks[i].shared) continue;
    engine_task task = {.place = l->tasks[i].place, .solving = &solving, .alone = true, .stores = true};
    error = schedule_solve_together(s, &task, message);
    if (!error) schedule_end_task(s, &task);
  }
  return error;
}

/* A slice that another rank solves and nothing needs later has no more use for its needs here. */
static tauler_error do_first(slice_level *l, tauler_message *message) {
  schedule *s = l->s;
  const int rank = comm_rank(s->run->job->work.comm);
  size_t n = 0;
  for (size_t i = 0; i < l->n; i++) {
    const size_t place = l->tasks[i].place;
    if (l->tasks[i].shared) continue;
    if (l->owner[i] == rank)
      l->own[n++] = l->tasks[i];
    else if (s->uses[place] == 0)
      schedule_release_needs(s, place);
  }
  return do_own(l, n, message);
}

static tauler_error load_others(slice_level *l, tauler_message *message) {
  schedule *s = l->s;
  const int rank = comm_rank(s->run->job->work.comm);
  if (comm_ranks(s->run->job->work.comm) == 1 || l->n == l->shared) return TAULER_OK;
  size_t n = 0;
  for (size_t i = 0; i < l->n; i++) {
    if (l->owner[i] != rank && s->uses[l->tasks[i].place] > 0) l->own[n++] = l->tasks[i];
  }
  return do_own(l, n, message);
}

/* Every rank learns of all tables that were written. */
static tauler_error share_written(slice_level *l, tauler_message *message) {
  enum { NUMBERS = sizeof(written_tables) / sizeof(uint64_t) };
  schedule *s = l->s;
  uint64_t *numbers = calloc(l->n * NUMBERS + 1, sizeof *numbers);
  const tauler_error lost = numbers ? TAULER_OK : TAULER_NO_MEMORY;
  if (lost) tauler_fail(message, lost, "no memory for the list of tables");
  tauler_error error = comm_agree(s->run->job->work.comm, lost, message);
  for (size_t i = 0; numbers && i < l->n && !error; i++)
    memcpy(numbers + i * NUMBERS, &s->written[l->tasks[i].place], sizeof(written_tables));
  if (!error) error = comm_allreduce(s->run->job->work.comm, COMM_SUM, numbers, l->n * NUMBERS, message);
  for (size_t i = 0; numbers && i < l->n && !error; i++) {
    const size_t place = l->tasks[i].place;
    memcpy(&s->written[place], numbers + i * NUMBERS, sizeof(written_tables));
    if (is_built(s, place) && !l->tasks[i].shared)
      s->run->cost->positions_solved += s->slices.slices[place].positions;
  }
  free(numbers);
  return error;
}

/* "4 pieces: 268 slices" where all of them stand in one folder. */
static void name_step(const slice_level *l, char *step, size_t room) {
  const build_job *job = l->s->run->job;
  char folder[GAME_TEXT_BYTES] = "", other[GAME_TEXT_BYTES];
  for (size_t i = 0; i < l->n; i++) {
    names_subfolder(job->problem.game, job->problem.rules, l->s->slices.slices[l->tasks[i].place].slice,
                    other);
    if (i == 0) memcpy(folder, other, sizeof folder);
    if (strcmp(folder, other) != 0) folder[0] = '\0';
  }
  const char *plural = l->missing == 1 ? "" : "s";
  if (folder[0])
    snprintf(step, room, "%.100s %s: %zu slice%s", folder, job->problem.game->size_option, l->missing,
             plural);
  else
    snprintf(step, room, "level %u: %zu slice%s", l->level, l->missing, plural);
}

static tauler_error do_dealt(slice_level *l, tauler_message *message) {
  progress *shown = l->missing ? l->s->run->job->work.shown : NULL;
  char step[256];
  if (l->n == l->shared) return TAULER_OK;
  name_step(l, step, sizeof step);
  l->s->others_shown = 0;
  if (shown) progress_start(shown, step, l->s->run->job->problem.game->unit, l->positions, 0);
  const tauler_error error = do_first(l, message);
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
  return error ? error : load_others(l, message);
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
  const uint64_t before = memory_taken(memory);
  const build_cost spent = *run->cost;
  slice_level l;
  tauler_error error = comm_agree(run->job->work.comm, level_open(&l, s, level, message), message);
  if (!error && l.n > 0) error = do_level(&l, message);
  level_close(&l);
  if (memory_peak(memory) - before > run->cost->solving_peak)
    run->cost->solving_peak = memory_peak(memory) - before;
  note_wall(run, &spent, wall);
  return error;
}

/* Processor time of all ranks. */
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
