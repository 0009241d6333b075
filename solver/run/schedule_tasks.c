/* Solves or loads the slices of a level with the workers of a rank. Meanwhile the main threads of all ranks
 * tell each other whether any rank is at work and whether all must stop. */
#include <string.h>
#include <time.h>

#include "base/clock.h"
#include "parallel/workers.h"
#include "solver/checkpoint/checkpointer.h"
#include "solver/run/run.h"

/* Least positions of a slice whose state is saved. Solving a smaller slice takes less than a minute. */
static const uint64_t saved_from = UINT64_C(1) << 25;

typedef struct {
  schedule *s;
  const level_task *tasks;
  size_t n, alone;
} work;

static void note_failure(schedule *s, size_t place, tauler_error error, const tauler_message *message) {
  atomic_store(&s->halt, true);
  if (error == TAULER_STOPPED) return;
  pthread_mutex_lock(&s->lock);
  if (!s->failed || place < s->failed_place) {
    s->failed = error;
    s->failed_place = place;
    s->failure = *message;
  }
  pthread_mutex_unlock(&s->lock);
}

static void remove_checkpoint(const schedule *s, const solve_job *solving, size_t place) {
  solve_job alone_solving = *solving;
  alone_solving.work.comm = NULL; /* only this rank has solved the slice and saved its state */
  alone_solving.checkpoints = &s->checkpoints;
  checkpointer_remove(&alone_solving, s->slices.slices[place].slice, true);
}

static void run_task(schedule *s, const level_task *of, int threads, bool alone) {
  const bool solves = s->states[of->place].missing && !s->written[of->place].tables[0].bytes;
  solve_job solving = s->run->solving;
  solving.work.threads = threads;
  solving.room = s->room;
  solving.checkpoints = solves && of->positions >= saved_from ? &s->checkpoints : NULL;
  engine_task task = {.place = of->place, .solving = &solving, .alone = alone, .stores = true};
  tauler_message message = {""};
  const tauler_error error =
      solves ? engine_solve(s->run, &task, &message) : engine_load(s->run, &task, &message);
  comm_note_progress(s->run->job->work.comm);
  if (error) {
    note_failure(s, of->place, error, &message);
    return;
  }
  if (solves) remove_checkpoint(s, &solving, of->place);
  if (solves && s->run->job->work.shown) progress_add(s->run->job->work.shown, of->positions - task.shown);
  pthread_mutex_lock(&s->lock);
  schedule_end_task(s, &task);
  pthread_mutex_unlock(&s->lock);
  atomic_fetch_sub(&s->left, 1);
}

static void run_side_by_side(void *user, worker *self) {
  const work *all = user;
  uint64_t item;
  while (!atomic_load(&all->s->halt) && worker_next(self, all->n - all->alone, &item))
    run_task(all->s, &all->tasks[all->alone + item], 1, false);
}

static void *run_all_tasks(void *user) {
  const work *all = user;
  schedule *s = all->s;
  const int threads = s->run->job->work.threads;
  for (size_t i = 0; i < all->alone && !atomic_load(&s->halt); i++)
    run_task(s, &all->tasks[i], threads, true);
  const size_t rest = all->n - all->alone;
  if (rest)
    workers_run(rest < (size_t)threads ? (int)rest : threads, run_side_by_side, (void *)(uintptr_t)all);
  pthread_mutex_lock(&s->lock);
  s->done = true;
  pthread_cond_signal(&s->ended);
  pthread_mutex_unlock(&s->lock);
  return NULL;
}

/* Waits at most a tenth of a second. Returns true if the work is done. */
static bool wait_for_end(schedule *s) {
  enum { WHILE = 100000000 }; /* nanoseconds */
  struct timespec until;
  clock_gettime(CLOCK_REALTIME, &until);
  until.tv_nsec += WHILE;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  pthread_mutex_lock(&s->lock);
  int waited = 0;
  while (!s->done && waited == 0) waited = pthread_cond_timedwait(&s->ended, &s->lock, &until);
  const bool done = s->done;
  pthread_mutex_unlock(&s->lock);
  return done;
}

enum { SUM_BUSY, SUM_STOP, SUM_FAILED, SUM_SHOWN, SUM_NUMBERS };

/* Returns the positions that this rank has done since the call before, and adds them to *reported. */
static uint64_t count_newly_shown(const schedule *s, uint64_t *reported) {
  progress *shown = s->run->job->work.shown;
  if (!shown) return 0;
  const uint64_t own = atomic_load(&shown->done) - s->others_shown, newly = own - *reported;
  *reported = own;
  return newly;
}

/* Adds up the numbers of all ranks, and halts this rank if any rank must stop or has failed. Before the call,
 * *busy is true if this rank is at work, and afterwards if any rank is. */
static tauler_error exchange_sums(schedule *s, bool *busy, uint64_t *reported, tauler_message *message) {
  const build_job *job = s->run->job;
  uint64_t sums[SUM_NUMBERS] = {[SUM_BUSY] = *busy,
                                [SUM_STOP] = job->stop && job->stop(job->user),
                                [SUM_FAILED] = s->failed != TAULER_OK,
                                [SUM_SHOWN] = count_newly_shown(s, reported)};
  const uint64_t own = sums[SUM_SHOWN];
  const tauler_error error = comm_allreduce(job->work.comm, COMM_SUM, sums, SUM_NUMBERS, message);
  if (error) {
    atomic_store(&s->halt, true);
    return error;
  }
  if (sums[SUM_STOP] || sums[SUM_FAILED]) atomic_store(&s->halt, true);
  *busy = sums[SUM_BUSY] > 0;
  if (job->work.shown && sums[SUM_SHOWN] > own) {
    s->others_shown += sums[SUM_SHOWN] - own;
    progress_add(job->work.shown, sums[SUM_SHOWN] - own);
  }
  return TAULER_OK;
}

/* Exchanges sums until all ranks are done. A rank that is at work without progress does not exchange sums, so
 * that the watchdogs of all ranks notice it. */
static tauler_error exchange_until_done(schedule *s, uint64_t *reported, tauler_message *message) {
  comm *comm = s->run->job->work.comm;
  uint64_t seen = comm_notes(comm);
  for (;;) {
    bool busy = !wait_for_end(s);
    if (busy && comm && comm_notes(comm) == seen) continue;
    const tauler_error error = exchange_sums(s, &busy, reported, message);
    if (error || !busy) return error;
    seen = comm_notes(comm);
  }
}

static tauler_error run_work(schedule *s, work *all, uint64_t *reported, tauler_message *message) {
  pthread_t thread;
  s->done = false;
  const bool starts = pthread_create(&thread, NULL, run_all_tasks, all) == 0;
  if (!starts) {
    const tauler_message none = {"no thread for the work on slices"};
    note_failure(s, 0, TAULER_NO_MEMORY, &none);
    s->done = true;
  }
  const tauler_error error = exchange_until_done(s, reported, message);
  if (starts) pthread_join(thread, NULL);
  return error;
}

tauler_error schedule_do_tasks(schedule *s, const level_task *tasks, size_t n, uint64_t reserve,
                               bool *complete, tauler_message *message) {
  const build_job *job = s->run->job;
  const uint64_t left_over = memory_left(job->work.memory),
                 room = left_over > reserve ? left_over - reserve : 0;
  uint64_t reported = job->work.shown ? atomic_load(&job->work.shown->done) - s->others_shown : 0;
  work all = {s, tasks, n, level_tasks_alone(tasks, n, job->work.threads, room)};
  bool busy = true; /* the first sum, before any task begins, tells all ranks whether a stop was requested */
  atomic_store(&s->left, n);
  tauler_error error = exchange_sums(s, &busy, &reported, message);
  if (!error) error = run_work(s, &all, &reported, message);
  if (error) return error;
  if (message && s->failed) *message = s->failure;
  error = comm_agree(job->work.comm, s->failed, message);
  uint64_t left = atomic_load(&s->left);
  if (!error) error = comm_allreduce(job->work.comm, COMM_SUM, &left, 1, message);
  *complete = left == 0;
  return error;
}
