/* Saves and resumes the arrays of a slice of chance between sweeps, in ranges of positions. */
#include "solver/engines/chance/checkpoints.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

void chance_checkpointer_open(chance_checkpointer *checkpointer, const chance_job *job, uint32_t slice,
                              const char *engine, const chance_kept *kept) {
  memset(checkpointer, 0, sizeof *checkpointer);
  checkpointer->plan = job->job->checkpoints;
  if (!checkpointer->plan) return;
  checkpointer->job = job->job;
  checkpointer->kept = kept;
  checkpointer_name(job->job, slice, CHECKPOINT_CHANCE, checkpointer->path, checkpointer->identity);
  job->job->problem.game->slice_name(job->job->problem.rules, slice, checkpointer->slice);
  const size_t used = strlen(checkpointer->identity);
  snprintf(checkpointer->identity + used, sizeof checkpointer->identity - used, " %.16s width %a", engine,
           job->width);
  checkpointer->saved_at = clock_wall();
}

static const char *array_at(const chance_kept *kept, size_t i) {
  const char *array;
  memcpy(&array, kept->list[i].slot, sizeof array);
  return array;
}

static uint64_t unit_count(const chance_kept *kept) {
  return (kept->positions + CHANCE_KEPT_POSITIONS - 1) / CHANCE_KEPT_POSITIONS;
}

static size_t unit_positions(const chance_kept *kept, uint64_t unit) {
  const uint64_t rest = kept->positions - unit * CHANCE_KEPT_POSITIONS;
  return rest < CHANCE_KEPT_POSITIONS ? (size_t)rest : CHANCE_KEPT_POSITIONS;
}

static size_t position_bytes(const chance_kept *kept) {
  size_t bytes = 0;
  for (size_t i = 0; i < kept->arrays; i++) bytes += kept->list[i].item_bytes;
  return bytes;
}

static checkpoint_plan plan_checkpoint(const chance_checkpointer *checkpointer) {
  const chance_kept *kept = checkpointer->kept;
  return (checkpoint_plan){.comm = checkpointer->job->work.comm,
                           .path = checkpointer->path,
                           .identity = checkpointer->identity,
                           .units = unit_count(kept),
                           .unit_room = CHANCE_KEPT_POSITIONS * position_bytes(kept),
                           .run = kept->run,
                           .run_bytes = kept->run_bytes,
                           .threads = checkpointer->job->work.threads,
                           .shown = checkpointer->job->work.shown,
                           .slice = checkpointer->slice,
                           .done = kept->done,
                           .positions = kept->positions};
}

/* --- taking up --- */

typedef struct {
  const chance_checkpointer *checkpointer;
  bool prepared;
} taking;

static bool wants_unit(void *user, uint64_t unit, size_t *n, uint32_t *turn) {
  const taking *t = user;
  *n = unit_positions(t->checkpointer->kept, unit) * position_bytes(t->checkpointer->kept);
  *turn = 0;
  return true;
}

static tauler_error take_unit(void *user, uint64_t unit, const void *bytes, size_t n,
                              tauler_message *message) {
  taking *t = user;
  const chance_kept *kept = t->checkpointer->kept;
  (void)n;
  if (!t->prepared && kept->prepare) {
    const tauler_error error = kept->prepare(kept->user, message);
    if (error) return error;
  }
  t->prepared = true;
  const char *from = bytes;
  for (size_t i = 0; i < kept->arrays; i++) {
    const size_t each = kept->list[i].item_bytes, part = unit_positions(kept, unit) * each;
    char *array = (char *)(uintptr_t)array_at(kept, i);
    if (array) memcpy(array + unit * CHANCE_KEPT_POSITIONS * each, from, part);
    from += part;
  }
  return TAULER_OK;
}

tauler_error chance_checkpointer_resume(chance_checkpointer *checkpointer, bool *resumed,
                                        tauler_message *message) {
  *resumed = false;
  if (!checkpointer->plan || !checkpointer->plan->folder) return TAULER_OK;
  const checkpoint_plan plan = plan_checkpoint(checkpointer);
  taking t = {checkpointer, false};
  const checkpoint_reader reader = {wants_unit, take_unit, &t, 1};
  return checkpoint_resume(&plan, &reader, resumed, message);
}

/* --- saving --- */

typedef struct {
  const chance_checkpointer *checkpointer;
  checkpoint_file *file;
  _Atomic int failed; /* a tauler_error */
  tauler_message message;
} saving;

/* The first failure counts, and its message. */
static void note_failure(saving *s, tauler_error error, const tauler_message *message) {
  int none = TAULER_OK;
  if (error && atomic_compare_exchange_strong(&s->failed, &none, (int)error)) s->message = *message;
}

static size_t pack_unit(const chance_kept *kept, uint64_t unit, char *to) {
  const char *const start = to;
  for (size_t i = 0; i < kept->arrays; i++) {
    const size_t each = kept->list[i].item_bytes, part = unit_positions(kept, unit) * each;
    const char *array = array_at(kept, i);
    if (array) {
      memcpy(to, array + unit * CHANCE_KEPT_POSITIONS * each, part);
    } else {
      memset(to, 0, part);
    }
    to += part;
  }
  return (size_t)(to - start);
}

static void save_units(void *user, worker *self) {
  saving *s = user;
  const chance_kept *kept = s->checkpointer->kept;
  const comm *comm = s->checkpointer->job->work.comm;
  const uint64_t ranks = (uint64_t)comm_ranks(comm), rank = (uint64_t)comm_rank(comm);
  const uint64_t units = unit_count(kept), own = units > rank ? (units - rank - 1) / ranks + 1 : 0;
  const tauler_message none = {"no memory to save a checkpoint"};
  char *bytes = malloc(CHANCE_KEPT_POSITIONS * position_bytes(kept));
  if (!bytes) note_failure(s, TAULER_NO_MEMORY, &none);
  uint64_t i;
  while (bytes && !s->failed && worker_next(self, own, &i)) {
    const uint64_t unit = i * ranks + rank;
    tauler_message message = {""};
    const size_t n = pack_unit(kept, unit, bytes);
    note_failure(s, checkpoint_store(s->file, unit, bytes, n, &message), &message);
  }
  free(bytes);
}

static tauler_error save(chance_checkpointer *checkpointer, tauler_message *message) {
  const checkpoint_plan plan = plan_checkpoint(checkpointer);
  saving s = {.checkpointer = checkpointer};
  const tauler_error error = checkpoint_begin(&plan, &s.file, message);
  if (error) return error;
  workers_run(checkpointer->job->work.threads, save_units, &s);
  if (s.failed && message) *message = s.message;
  checkpointer->saved_at = clock_wall();
  return checkpoint_commit(s.file, (tauler_error)s.failed, message);
}

/* A signal to stop may reach one rank only, and each has a clock of its own. */
tauler_error chance_checkpointer_barrier(chance_checkpointer *checkpointer, tauler_message *message) {
  enum { STOP = 1, DUE = 2 };
  const solve_checkpoints *plan = checkpointer->plan;
  if (!plan) return TAULER_OK;
  comm *comm = checkpointer->job->work.comm;
  uint64_t wish = plan->stop && plan->stop(plan->user) ? STOP : 0;
  if (comm_is_root(comm) && plan->interval > 0 && clock_wall() - checkpointer->saved_at >= plan->interval)
    wish |= DUE;
  tauler_error error = comm_allreduce(comm, COMM_OR, &wish, 1, message);
  if (error || !wish) return error;
  if (!plan->folder)
    return wish & STOP ? tauler_fail(message, TAULER_STOPPED, "stopped on request") : TAULER_OK;
  error = save(checkpointer, message);
  return error || !(wish & STOP) ? error : checkpointer_stopped(checkpointer->path, message);
}
