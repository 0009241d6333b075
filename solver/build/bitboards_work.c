/* The slices of a level, done by the threads of a rank, while the team's own thread keeps up with other
 * ranks: it tells them that this one is at work, and that all are to stop. */
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "solver/build/bitboards.h"
#include "solver/checkpoint/checkpointer.h"
#include "solver/parallel/workers.h"

/* From here on solving takes seconds, and its state is worth keeping. */
static const uint64_t kept_from = UINT64_C(1) << 25;

typedef struct {
  words_run *w;
  const word_task *tasks;
  size_t n, alone;
} work;

static void note_failure(words_run *w, size_t place, tauler_error error, const tauler_message *message) {
  atomic_store(&w->halt, true);
  if (error == TAULER_STOPPED) return;
  pthread_mutex_lock(&w->lock);
  if (!w->failed || place < w->failed_place) {
    w->failed = error;
    w->failed_place = place;
    w->failure = *message;
  }
  pthread_mutex_unlock(&w->lock);
}

static void forget_slice(words_run *w, size_t place) {
  const uint32_t slice = w->slices.slices[place].slice;
  if (!w->finished.slices[slice].won) return;
  word_slice_close(w->run->job->memory, &w->finished.slices[slice]);
  w->finished.slices[slice] = (word_slice){.won = NULL};
  w->finished.cells[slice] = (game_words_finished){.won = NULL};
}

void words_release_needs(words_run *w, size_t place) {
  for (size_t k = w->levels.first_need[place]; k < w->levels.first_need[place + 1]; k++) {
    const size_t need = w->levels.need[k];
    if (--w->uses[need] == 0) forget_slice(w, need);
  }
}

/* Processor time of the calling thread, or of all of them where they work together. */
static double processor_time(bool alone) {
  return alone ? clock_process_cpu() : clock_thread_cpu();
}

typedef struct {
  double solving, writing, loading;
} spent_time;

static tauler_error write_tables(words_run *w, const solve_job *solving, size_t place,
                                 const word_slice *slice, tauler_message *message) {
  table_header written[WORD_TABLES];
  const tauler_error error = word_slice_write(w->run->job, solving, slice, written, message);
  for (int i = 0; i < WORD_TABLES && !error; i++) {
    w->facts[place].tables[i] =
        (words_table){written[i].stored_bytes, written[i].plain_digest.low, written[i].plain_digest.high};
  }
  return error;
}

static tauler_error solve_and_write(words_run *w, const solve_job *solving, size_t place, bool alone,
                                    spent_time *spent, tauler_message *message) {
  const game_slice *of = &w->slices.slices[place];
  word_slice *slice = &w->finished.slices[of->slice];
  solve_effort effort = {0};
  const double start = processor_time(alone);
  tauler_error error = word_slice_solve(solving, &w->finished, of->slice, slice, &effort, message);
  const double solved = processor_time(alone);
  spent->solving = solved - start;
  if (error) return error;
  error = write_tables(w, solving, place, slice, message);
  spent->writing = processor_time(alone) - solved;
  if (error) return error;
  solve_job forgetting = *solving;
  forgetting.team = NULL; /* whoever solved a slice has kept its state */
  forgetting.checkpoints = &w->checkpoints;
  keeper_forget(&forgetting, of->slice, true);
  if (w->run->job->shown) progress_add(w->run->job->shown, of->positions - effort.shown);
  return TAULER_OK;
}

static void add_cost(build_cost *cost, const spent_time *spent) {
  cost->solving += spent->solving;
  cost->writing += spent->writing;
  cost->loading += spent->loading;
}

static void end_task(words_run *w, size_t place, const spent_time *spent) {
  const uint32_t number = w->slices.slices[place].slice;
  const word_slice *slice = &w->finished.slices[number];
  pthread_mutex_lock(&w->lock);
  add_cost(w->run->cost, spent);
  w->finished.cells[number] = (game_words_finished){slice->won, slice->lost, slice->depth};
  words_release_needs(w, place);
  if (w->uses[place] == 0) forget_slice(w, place);
  pthread_mutex_unlock(&w->lock);
  atomic_fetch_sub(&w->left, 1);
}

static void do_task(words_run *w, const word_task *task, int threads, bool alone) {
  const uint32_t slice = w->slices.slices[task->place].slice;
  const bool solves = w->missing[task->place] && !w->facts[task->place].tables[WORD_DEPTHS].bytes;
  solve_job solving = w->run->solving;
  solving.threads = threads;
  solving.checkpoints = solves && task->positions >= kept_from ? &w->checkpoints : NULL;
  spent_time spent = {0};
  tauler_message message = {""};
  tauler_error error;
  if (solves) {
    error = solve_and_write(w, &solving, task->place, alone, &spent, &message);
  } else {
    const double start = processor_time(alone);
    error = word_slice_load(w->run->job, &solving, &w->finished, slice, &w->finished.slices[slice], &message);
    spent.loading = processor_time(alone) - start;
  }
  team_note_progress(w->run->job->team);
  if (error) {
    note_failure(w, task->place, error, &message);
    return;
  }
  end_task(w, task->place, &spent);
}

static void do_side_by_side(void *user, crew_member *member) {
  const work *all = user;
  uint64_t item;
  while (!atomic_load(&all->w->halt) && crew_next(member, all->n - all->alone, &item))
    do_task(all->w, &all->tasks[all->alone + item], 1, false);
}

static void *do_all(void *user) {
  const work *all = user;
  words_run *w = all->w;
  const int threads = w->run->job->threads;
  for (size_t i = 0; i < all->alone && !atomic_load(&w->halt); i++) do_task(w, &all->tasks[i], threads, true);
  const size_t rest = all->n - all->alone;
  if (rest) crew_run(rest < (size_t)threads ? (int)rest : threads, do_side_by_side, (void *)(uintptr_t)all);
  pthread_mutex_lock(&w->lock);
  w->done = true;
  pthread_cond_signal(&w->ended);
  pthread_mutex_unlock(&w->lock);
  return NULL;
}

/* Whether the work is done; waits a while for that. */
static bool wait_a_while(words_run *w) {
  enum { WHILE = 100000000 }; /* nanoseconds */
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += WHILE;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_mutex_lock(&w->lock);
  int waited = 0;
  while (!w->done && waited == 0) waited = pthread_cond_timedwait(&w->ended, &w->lock, &until);
  const bool done = w->done;
  pthread_mutex_unlock(&w->lock);
  return done;
}

/* What ranks tell each other, as sums over all of them. */
enum { TELL_BUSY, TELL_STOP, TELL_FAILED, TELL_SHOWN, TELL_NUMBERS };

/* Positions that this rank has done since it told the last time. */
static uint64_t newly_shown(const words_run *w, uint64_t *told) {
  progress *shown = w->run->job->shown;
  if (!shown) return 0;
  const uint64_t own = atomic_load(&shown->done) - w->others_shown, fresh = own - *told;
  *told = own;
  return fresh;
}

static bool has_failed(words_run *w) {
  pthread_mutex_lock(&w->lock);
  const bool failed = w->failed != TAULER_OK;
  pthread_mutex_unlock(&w->lock);
  return failed;
}

/* One exchange with the other ranks. *busy: whether this rank is; then whether any is. */
static tauler_error tell(words_run *w, bool *busy, uint64_t *told, tauler_message *message) {
  const build_job *job = w->run->job;
  uint64_t sums[TELL_NUMBERS] = {[TELL_BUSY] = *busy,
                                 [TELL_STOP] = job->stop && job->stop(job->user),
                                 [TELL_FAILED] = has_failed(w),
                                 [TELL_SHOWN] = newly_shown(w, told)};
  const uint64_t own = sums[TELL_SHOWN];
  const tauler_error error = team_combine(job->team, TEAM_SUM, sums, TELL_NUMBERS, message);
  if (error) {
    atomic_store(&w->halt, true);
    return error;
  }
  if (sums[TELL_STOP] || sums[TELL_FAILED]) atomic_store(&w->halt, true);
  *busy = sums[TELL_BUSY] > 0;
  if (job->shown && sums[TELL_SHOWN] > own) {
    w->others_shown += sums[TELL_SHOWN] - own;
    progress_add(job->shown, sums[TELL_SHOWN] - own);
  }
  return TAULER_OK;
}

/* Until all ranks are done. A rank in which nothing moves does not tell that it is at work, so that watchdogs
 * see it. */
static tauler_error keep_up(words_run *w, uint64_t *told, tauler_message *message) {
  team *team = w->run->job->team;
  uint64_t seen = team_notes(team);
  for (;;) {
    bool busy = !wait_a_while(w);
    if (busy && team && team_notes(team) == seen) continue;
    const tauler_error error = tell(w, &busy, told, message);
    if (error || !busy) return error;
    seen = team_notes(team);
  }
}

static tauler_error run_work(words_run *w, work *all, uint64_t *told, tauler_message *message) {
  pthread_t thread;
  w->done = false;
  const bool starts = pthread_create(&thread, NULL, do_all, all) == 0;
  if (!starts) {
    const tauler_message none = {"no thread for the work on slices"};
    note_failure(w, 0, TAULER_NO_MEMORY, &none);
    w->done = true;
  }
  const tauler_error error = keep_up(w, told, message);
  if (starts) pthread_join(thread, NULL);
  return error;
}

tauler_error words_do_tasks(words_run *w, const word_task *tasks, size_t n, uint64_t reserve, bool *complete,
                            tauler_message *message) {
  const build_job *job = w->run->job;
  const uint64_t left_over = memory_left(job->memory), room = left_over > reserve ? left_over - reserve : 0;
  uint64_t told = job->shown ? atomic_load(&job->shown->done) - w->others_shown : 0;
  work all = {w, tasks, n, word_tasks_alone(tasks, n, job->threads, room)};
  bool busy = true; /* asks whether to stop before anything is begun */
  atomic_store(&w->left, n);
  tauler_error error = tell(w, &busy, &told, message);
  if (!error) error = run_work(w, &all, &told, message);
  if (error) return error;
  if (message && w->failed) *message = w->failure;
  error = team_agree(job->team, w->failed, message);
  uint64_t left = atomic_load(&w->left);
  if (!error) error = team_combine(job->team, TEAM_SUM, &left, 1, message);
  *complete = left == 0;
  return error;
}
