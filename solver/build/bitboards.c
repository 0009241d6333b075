/* Slices of games with words, level by level: those of a level side by side, over threads and ranks. Whoever
 * solves a slice writes its tables; who needs it later and has not solved it loads them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "databases/streams.h"
#include "solver/build/bitboards.h"
#include "solver/tables/paths.h"

static bool goes_on(void *user) {
  words_run *w = user;
  team_note_progress(w->run->job->team);
  return atomic_load(&w->halt);
}

static tauler_error take_lists(words_run *w, tauler_message *message) {
  const size_t n = w->slices.used;
  memory_budget *memory = w->run->job->memory;
  w->missing = calloc(n, sizeof *w->missing);
  w->wanted = calloc(n, sizeof *w->wanted);
  w->uses = calloc(n, sizeof *w->uses);
  w->facts = calloc(n, sizeof *w->facts);
  w->reported = calloc(n, sizeof *w->reported);
  if (!w->missing || !w->wanted || !w->uses || !w->facts || !w->reported)
    return tauler_fail(message, TAULER_NO_MEMORY, "no memory for the list of slices");
  const uint64_t room = (uint64_t)game_slices_largest(&w->slices) + 1;
  static const char *const what = "the list of finished slices";
  tauler_error error =
      memory_take_array(memory, room, sizeof *w->finished.cells, what, &w->finished.cells, message);
  if (!error)
    error = memory_take_array(memory, room, sizeof *w->finished.slices, what, &w->finished.slices, message);
  if (!error) w->finished.room = (uint32_t)room;
  return error;
}

static void count_uses(words_run *w) {
  for (size_t i = 0; i < w->slices.used; i++) {
    for (size_t k = w->levels.first_need[i]; w->wanted[i] && k < w->levels.first_need[i + 1]; k++)
      w->uses[w->levels.need[k]]++;
  }
}

static tauler_error open_lists(words_run *w, tauler_message *message) {
  const build_job *job = w->run->job;
  tauler_error error = take_lists(w, message);
  if (!error) error = word_levels_open(job->game, job->rules, &w->slices, &w->levels, message);
  if (error) return error;
  for (size_t i = 0; i < w->slices.used; i++)
    w->missing[i] = !w->run->has_values[i] || !w->run->has_depths[i];
  word_levels_want(&w->levels, w->missing, w->wanted);
  count_uses(w);
  return TAULER_OK;
}

static tauler_error open_words(build_run *run, tauler_message *message) {
  words_run *w = calloc(1, sizeof *w);
  tauler_error error = TAULER_OK;
  if (w) {
    w->run = run;
    run->words = w;
    w->slices = (game_slices){run->slices.slices, run->needed};
    w->checkpoints = run->checkpoints;
    w->checkpoints.stop = goes_on;
    w->checkpoints.user = w;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->ended, NULL);
    error = open_lists(w, message);
  } else {
    error = tauler_fail(message, TAULER_NO_MEMORY, "no memory for the list of slices");
  }
  return team_agree(run->job->team, error, message);
}

static void close_words(build_run *run) {
  words_run *w = run->words;
  if (!w) return;
  memory_budget *memory = run->job->memory;
  for (uint32_t s = 0; s < w->finished.room; s++) {
    if (w->finished.slices[s].won) word_slice_close(memory, &w->finished.slices[s]);
  }
  memory_give(memory, w->finished.cells);
  memory_give(memory, w->finished.slices);
  word_levels_close(&w->levels);
  pthread_cond_destroy(&w->ended);
  pthread_mutex_destroy(&w->lock);
  free(w->missing);
  free(w->wanted);
  free(w->uses);
  free(w->facts);
  free(w->reported);
  free(w);
  run->words = NULL;
}

/* --- reports ---------------------------------------------------------------------------------------------
 */

static bool is_built(const words_run *w, size_t place) {
  return w->facts[place].tables[WORD_DEPTHS].bytes > 0;
}

static void report_slice(words_run *w, size_t place) {
  static const char *const streams[WORD_TABLES] = {
      [WORD_VALUES] = STREAM_VALUE, [WORD_DEPTHS] = STREAM_DEPTH};
  const build_job *job = w->run->job;
  const game_slice *slice = &w->slices.slices[place];
  char name[GAME_TEXT_BYTES];
  job->game->slice_name(job->rules, slice->slice, name);
  const bool was_there[WORD_TABLES] = {
      [WORD_VALUES] = w->run->has_values[place], [WORD_DEPTHS] = w->run->has_depths[place]};
  for (int i = 0; i < WORD_TABLES; i++) {
    const words_table *of = &w->facts[place].tables[i];
    const build_table about = {
        name, streams[i], slice->positions, of->bytes, {of->digest_low, of->digest_high}, true};
    if (!was_there[i] && job->report) job->report(job->user, &about);
  }
  w->reported[place] = true;
}

/* Slices that were built, in the solving order. Before the end, those behind one that is missing wait. */
static void report_built(words_run *w, bool at_end) {
  if (!team_leads(w->run->job->team)) return;
  for (size_t i = 0; i < w->slices.used; i++) {
    if (!w->missing[i]) continue;
    if (!is_built(w, i) && !at_end) return;
    if (is_built(w, i) && !w->reported[i]) report_slice(w, i);
  }
}

/* --- a level ---------------------------------------------------------------------------------------------
 */

typedef struct {
  words_run *w;
  uint32_t level;
  size_t missing;     /* how many of its slices */
  uint64_t positions; /* of those */
  word_task *tasks;   /* all that are wanted, sorted */
  word_task *own;     /* of these, what this rank does at once */
  int *owner;         /* rank, by task; of those that are there all ranks are */
  size_t n;
} words_level;

static void level_close(words_level *l) {
  free(l->tasks);
  free(l->own);
  free(l->owner);
}

/* Slices to be solved are dealt out; those that are there are loaded by everybody. */
static tauler_error deal_level(words_level *l) {
  const int ranks = team_ranks(l->w->run->job->team);
  word_task *dealt = calloc(l->n + 1, sizeof *dealt);
  int *owner = calloc(l->n + 1, sizeof *owner);
  size_t used = 0;
  for (size_t i = 0; dealt && i < l->n; i++) {
    if (l->w->missing[l->tasks[i].place]) dealt[used++] = l->tasks[i];
  }
  const tauler_error error = dealt && owner ? word_tasks_deal(dealt, used, ranks, owner) : TAULER_NO_MEMORY;
  for (size_t i = 0, k = 0; !error && i < l->n; i++)
    l->owner[i] = l->w->missing[l->tasks[i].place] ? owner[k++] : team_rank(l->w->run->job->team);
  free(dealt);
  free(owner);
  return error;
}

static tauler_error level_open(words_level *l, words_run *w, uint32_t level, tauler_message *message) {
  *l = (words_level){.w = w, .level = level};
  const size_t all = w->slices.used;
  l->tasks = calloc(all, sizeof *l->tasks);
  l->own = calloc(all, sizeof *l->own);
  l->owner = calloc(all, sizeof *l->owner);
  tauler_error error = l->tasks && l->own && l->owner ? TAULER_OK : TAULER_NO_MEMORY;
  for (size_t i = 0; i < all && !error; i++) {
    if (!w->wanted[i] || w->levels.level[i] != level) continue;
    l->tasks[l->n++] = build_words_task(w->run->job, &w->slices, i, w->uses[i] > 0);
    l->missing += w->missing[i];
    l->positions += w->missing[i] ? w->slices.slices[i].positions : 0;
  }
  if (!error) word_tasks_sort(l->tasks, l->n);
  if (!error) error = deal_level(l);
  return error ? tauler_fail(message, error, "no memory for the list of slices") : TAULER_OK;
}

/* What is kept of slices of this level that are not here yet. */
static uint64_t reserve_of(const words_level *l) {
  const words_run *w = l->w;
  uint64_t bytes = 0;
  for (size_t i = 0; i < l->n; i++) {
    const size_t place = l->tasks[i].place;
    const uint32_t slice = w->slices.slices[place].slice;
    if (w->uses[place] > 0 && !w->finished.slices[slice].won)
      bytes += word_slice_finished_bytes(&w->run->solving, slice);
  }
  return bytes;
}

static tauler_error do_own(words_level *l, size_t n, tauler_message *message) {
  bool complete = false;
  const tauler_error error = words_do_tasks(l->w, l->own, n, reserve_of(l), &complete, message);
  if (error || complete) return error;
  return tauler_fail(message, TAULER_STOPPED,
                     "stopped on request, all tables so far and the state of large slices under work are "
                     "kept: run the same command again to go on");
}

/* What others solve and nobody needs later has no more use for its needs here. */
static tauler_error do_first(words_level *l, tauler_message *message) {
  words_run *w = l->w;
  const int rank = team_rank(w->run->job->team);
  size_t n = 0;
  for (size_t i = 0; i < l->n; i++) {
    const size_t place = l->tasks[i].place;
    if (l->owner[i] == rank)
      l->own[n++] = l->tasks[i];
    else if (w->uses[place] == 0)
      words_release_needs(w, place);
  }
  return do_own(l, n, message);
}

static tauler_error load_others(words_level *l, tauler_message *message) {
  words_run *w = l->w;
  const int rank = team_rank(w->run->job->team);
  if (team_ranks(w->run->job->team) == 1) return TAULER_OK;
  size_t n = 0;
  for (size_t i = 0; i < l->n; i++) {
    if (l->owner[i] != rank && w->uses[l->tasks[i].place] > 0) l->own[n++] = l->tasks[i];
  }
  return do_own(l, n, message);
}

/* Every rank learns of all tables that were written. */
static tauler_error share_facts(words_level *l, tauler_message *message) {
  enum { NUMBERS = sizeof(words_fact) / sizeof(uint64_t) };
  words_run *w = l->w;
  uint64_t *numbers = calloc(l->n * NUMBERS + 1, sizeof *numbers);
  const tauler_error lost = numbers ? TAULER_OK : TAULER_NO_MEMORY;
  if (lost) tauler_fail(message, lost, "no memory for the list of tables");
  tauler_error error = team_agree(w->run->job->team, lost, message);
  for (size_t i = 0; numbers && i < l->n && !error; i++)
    memcpy(numbers + i * NUMBERS, &w->facts[l->tasks[i].place], sizeof(words_fact));
  if (!error) error = team_combine(w->run->job->team, TEAM_SUM, numbers, l->n * NUMBERS, message);
  for (size_t i = 0; numbers && i < l->n && !error; i++) {
    const size_t place = l->tasks[i].place;
    memcpy(&w->facts[place], numbers + i * NUMBERS, sizeof(words_fact));
    if (is_built(w, place)) w->run->cost->positions_solved += w->slices.slices[place].positions;
  }
  free(numbers);
  return error;
}

/* "4 pieces: 268 slices" where all of them stand in one folder. */
static void name_step(const words_level *l, char *step, size_t room) {
  const build_job *job = l->w->run->job;
  char folder[GAME_TEXT_BYTES] = "", other[GAME_TEXT_BYTES];
  for (size_t i = 0; i < l->n; i++) {
    build_subfolder(job->game, job->rules, l->w->slices.slices[l->tasks[i].place].slice, other);
    if (i == 0) memcpy(folder, other, sizeof folder);
    if (strcmp(folder, other) != 0) folder[0] = '\0';
  }
  const char *plural = l->missing == 1 ? "" : "s";
  if (folder[0])
    snprintf(step, room, "%.100s %s: %zu slice%s", folder, job->game->size_option, l->missing, plural);
  else
    snprintf(step, room, "level %u: %zu slice%s", l->level, l->missing, plural);
}

static tauler_error do_level(words_level *l, tauler_message *message) {
  progress *shown = l->missing ? l->w->run->job->shown : NULL;
  char step[256];
  name_step(l, step, sizeof step);
  l->w->others_shown = 0;
  if (shown) progress_start(shown, step, l->w->run->job->game->unit, l->positions, 0);
  tauler_error error = do_first(l, message);
  if (shown && error) progress_abandon(shown);
  if (shown && !error) progress_finish(shown);
  tauler_message cause = {""};
  const tauler_error lost =
      team_is_broken(l->w->run->job->team) ? TAULER_IO : share_facts(l, error ? &cause : message);
  if (!error) error = lost;
  report_built(l->w, error != TAULER_OK);
  return error ? error : load_others(l, message);
}

static void note_wall(build_run *run, const build_cost *before, double wall) {
  const build_cost *now = run->cost;
  const double solving = now->solving - before->solving;
  const double all = solving + now->writing - before->writing + now->loading - before->loading;
  if (all > 0) run->cost->solving_wall += (clock_wall() - wall) * solving / all;
}

static tauler_error build_level(words_run *w, uint32_t level, tauler_message *message) {
  build_run *run = w->run;
  memory_budget *memory = run->job->memory;
  const double wall = clock_wall();
  const uint64_t before = memory_taken(memory);
  const build_cost spent = *run->cost;
  words_level l;
  tauler_error error = team_agree(run->job->team, level_open(&l, w, level, message), message);
  if (!error && l.n > 0) error = do_level(&l, message);
  level_close(&l);
  if (memory_peak(memory) - before > run->cost->solving_peak)
    run->cost->solving_peak = memory_peak(memory) - before;
  note_wall(run, &spent, wall);
  return error;
}

/* Processor time of all ranks. */
static tauler_error sum_cost(build_run *run, tauler_message *message) {
  build_cost *cost = run->cost;
  double *const parts[] = {&cost->solving, &cost->writing, &cost->loading};
  enum { PARTS = sizeof parts / sizeof *parts };
  uint64_t sums[PARTS];
  for (int i = 0; i < PARTS; i++) sums[i] = (uint64_t)(*parts[i] * 1e9);
  const tauler_error error = team_combine(run->job->team, TEAM_SUM, sums, PARTS, message);
  for (int i = 0; i < PARTS && !error; i++) *parts[i] = (double)sums[i] / 1e9;
  return error;
}

static tauler_error go_through_words(build_run *run, tauler_message *message) {
  words_run *w = run->words;
  tauler_error error = TAULER_OK;
  for (uint32_t level = 1; level <= w->levels.levels && !error; level++)
    error = build_level(w, level, message);
  if (!error) report_built(w, true);
  return error ? error : sum_cost(run, message);
}

const build_way build_words = {.open = open_words, .go_through = go_through_words, .close = close_words};
