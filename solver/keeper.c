#include "solver/keeper.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"

static const char *const stages[] = {"values", "depths", "waves", "waves-depths"};

static void write_path(const solve_job *job, uint32_t slice, const char *stage,
                       char path[KEEPER_PATH_BYTES]) {
  char name[GAME_TEXT_BYTES];
  job->game->slice_name(job->rules, slice, name);
  snprintf(path, KEEPER_PATH_BYTES, "%s/%.64s.%s.checkpoint", job->checkpoints->folder, name, stage);
}

void keeper_forget(const solve_job *job, uint32_t slice) {
  if (!job->checkpoints) return;
  for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
    char path[KEEPER_PATH_BYTES];
    write_path(job, slice, stages[i], path);
    unlink(path);
  }
}

void keeper_open(keeper *keeper, const solve_job *job, uint32_t slice, const char *stage) {
  memset(keeper, 0, sizeof *keeper);
  keeper->plan = job->checkpoints;
  if (!keeper->plan) return;
  const game *game = job->game;
  char name[GAME_TEXT_BYTES];
  game->slice_name(job->rules, slice, name);
  write_path(job, slice, stage, keeper->path);
  snprintf(keeper->identity, sizeof keeper->identity, "%s %.200s %.60s slice %.64s %s index %u", game->name,
           game->rules_text(job->rules), game->cycles_text(job->rules), name, stage, game->index_version);
  keeper->saved_at = clock_wall();
}

void keeper_add(keeper *keeper, void *bytes, uint64_t n) {
  if (n == 0 || !bytes || keeper->n == KEEPER_PARTS) return;
  keeper->parts[keeper->n++] = (checkpoint_part){bytes, n};
}

tauler_error keeper_resume(keeper *keeper, bool *resumed, tauler_message *message) {
  *resumed = false;
  if (!keeper->plan) return TAULER_OK;
  const tauler_error error =
      checkpoint_load(keeper->path, keeper->identity, keeper->parts, keeper->n, message);
  if (error == TAULER_DAMAGED_FILE) unlink(keeper->path);
  *resumed = error == TAULER_OK;
  if (error != TAULER_TABLE_MISSING && error != TAULER_DAMAGED_FILE) return error;
  if (message) message->text[0] = '\0';
  return TAULER_OK;
}

typedef struct {
  keeper *keeper;
  void (*prepare)(void *user);
  void *user;
} meeting;

static void note_failure(keeper *keeper, tauler_error error) {
  if (error) atomic_store(&keeper->failed, (int)error);
}

static void begin_saving(void *user) {
  const meeting *now = user;
  keeper *keeper = now->keeper;
  const solve_checkpoints *plan = keeper->plan;
  keeper->stopping = plan->stop && plan->stop(plan->user);
  const bool due = plan->interval > 0 && clock_wall() - keeper->saved_at >= plan->interval;
  keeper->saving = keeper->stopping || due;
  if (!keeper->saving) return;
  if (now->prepare) now->prepare(now->user);
  const tauler_error error = checkpoint_begin(keeper->path, keeper->identity, keeper->parts, keeper->n,
                                              &keeper->file, &keeper->message);
  note_failure(keeper, error);
}

static void end_saving(void *user) {
  keeper *keeper = user;
  if (keeper->failed) {
    checkpoint_abandon(keeper->file);
  } else {
    note_failure(keeper, checkpoint_commit(keeper->file, &keeper->message));
  }
  keeper->file = NULL;
  keeper->saved_at = clock_wall();
}

bool keeper_meet(keeper *keeper, crew_member *member, void (*prepare)(void *user), void *user) {
  if (!keeper->plan) return false;
  meeting now = {keeper, prepare, user};
  crew_meet(member, begin_saving, &now);
  if (keeper->saving) {
    uint64_t piece;
    while (!keeper->failed && crew_next(member, checkpoint_pieces(keeper->file), &piece)) {
      tauler_message message = {""};
      const tauler_error error = checkpoint_store(keeper->file, piece, &message);
      if (error && !atomic_exchange(&keeper->failed, (int)error)) keeper->message = message;
    }
    crew_meet(member, end_saving, keeper);
  }
  return keeper->stopping || keeper->failed;
}

tauler_error keeper_outcome(const keeper *keeper, tauler_message *message) {
  if (keeper->failed) {
    if (message) *message = keeper->message;
    return (tauler_error)keeper->failed;
  }
  if (!keeper->stopping) return TAULER_OK;
  return tauler_fail(message, TAULER_STOPPED,
                     "stopped on request, all work is kept in %.300s: run the same command again to go on",
                     keeper->path);
}
