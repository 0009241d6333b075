/* Saves the state of a slice at work when a checkpoint is due or a stop is asked for, and resumes it. */
#include "solver/checkpoint/checkpointer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

static const struct {
  const char *name;
  bool of_depths;
} stages[] = {{"values", false},      {"depths", true},         {"waves", false},
              {"waves-depths", true}, {"words", true},          {KEEPER_CHANCE, false},
              {"own-row", false},     {"own-row-stages", true}, {"own-row-any", false}};

static void write_path(const solve_job *job, uint32_t slice, const char *stage,
                       char path[KEEPER_PATH_BYTES]) {
  char name[GAME_TEXT_BYTES];
  job->game->slice_name(job->rules, slice, name);
  snprintf(path, KEEPER_PATH_BYTES, "%s/%.64s.%s.checkpoint", job->checkpoints->folder, name, stage);
}

void keeper_name(const solve_job *job, uint32_t slice, const char *stage, char path[KEEPER_PATH_BYTES],
                 char identity[CHECKPOINT_IDENTITY_BYTES]) {
  const game *game = job->game;
  char name[GAME_TEXT_BYTES];
  game->slice_name(job->rules, slice, name);
  write_path(job, slice, stage, path);
  snprintf(identity, CHECKPOINT_IDENTITY_BYTES, "%s %.200s %.60s slice %.64s %s index %u", game->name,
           game->rules_text(job->rules), game->cycles_text(job->rules), name, stage, game->index_version);
}

tauler_error keeper_stopped(const char *path, tauler_message *message) {
  return tauler_fail(message, TAULER_STOPPED,
                     "stopped on request, all work is kept in %.300s: run the same command again to go on",
                     path);
}

void keeper_forget(const solve_job *job, uint32_t slice, bool depths) {
  if (!job->checkpoints || !team_leads(job->team)) return;
  for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
    char path[KEEPER_PATH_BYTES];
    if (stages[i].of_depths && !depths) continue;
    write_path(job, slice, stages[i].name, path);
    checkpoint_remove(path);
  }
}

static uint64_t share_tiles(const keeper *keeper, uint32_t share) {
  const keeper_units *units = keeper->units;
  return share < units->shares_here ? layout_share_size(units->layout, units->first_share + share).tiles : 0;
}

static size_t find_unit_room(const keeper *keeper) {
  const keeper_units *units = keeper->units;
  size_t room = 0;
  for (uint32_t share = 0; share < units->shares_here; share++) {
    const uint64_t tiles = share_tiles(keeper, share);
    for (uint64_t i = 0; i < tiles; i++) {
      const uint64_t tile = layout_tile(units->layout, units->first_share + share, i);
      const size_t bytes = units->unit_bytes(units->user, tile);
      if (bytes > room) room = bytes;
    }
  }
  return room;
}

void keeper_open(keeper *keeper, const solve_job *job, uint32_t slice, const char *stage,
                 const keeper_units *units) {
  memset(keeper, 0, sizeof *keeper);
  keeper->plan = job->checkpoints;
  if (!keeper->plan) return;
  keeper->team = job->team;
  keeper->threads = job->threads;
  keeper->units = units;
  keeper->unit_room = find_unit_room(keeper);
  keeper_name(job, slice, stage, keeper->path, keeper->identity);
  keeper->saved_at = clock_wall();
}

static checkpoint_plan plan_checkpoint(const keeper *keeper) {
  const keeper_units *units = keeper->units;
  return (checkpoint_plan){.team = keeper->team,
                           .path = keeper->path,
                           .identity = keeper->identity,
                           .units = units->layout->tiles,
                           .unit_room = keeper->unit_room,
                           .run = units->run,
                           .run_bytes = units->run_bytes,
                           .threads = keeper->threads};
}

static tauler_error visit_share(keeper *keeper, bool fresh, tauler_message *message) {
  const keeper_units *units = keeper->units;
  tauler_error error = TAULER_OK;
  if (units->visit) error = units->visit(units->user, units->first_share + keeper->share, fresh, message);
  keeper->visiting = !error;
  return error;
}

static tauler_error leave_share(keeper *keeper, bool changed, tauler_message *message) {
  const keeper_units *units = keeper->units;
  if (!keeper->visiting) return TAULER_OK;
  keeper->visiting = false;
  return units->leave ? units->leave(units->user, units->first_share + keeper->share, changed, message)
                      : TAULER_OK;
}

/* Shares are in memory one at a time, so each has its turn. */
static bool wants_unit(void *user, uint64_t tile, size_t *n, uint32_t *turn) {
  const keeper *keeper = user;
  const keeper_units *units = keeper->units;
  const uint32_t owner = layout_owner_of_tile(units->layout, tile);
  if (owner < units->first_share || owner - units->first_share >= units->shares_here) return false;
  *n = units->unit_bytes(units->user, tile);
  *turn = owner - units->first_share;
  return true;
}

/* A share is visited when the first of its units comes, so never for a checkpoint that is not sound. */
static tauler_error take_unit(void *user, uint64_t tile, const void *bytes, size_t n,
                              tauler_message *message) {
  keeper *keeper = user;
  const keeper_units *units = keeper->units;
  const uint32_t share = layout_owner_of_tile(units->layout, tile) - units->first_share;
  (void)n;
  tauler_error error = TAULER_OK;
  if (!keeper->visiting || keeper->share != share) {
    error = leave_share(keeper, true, message);
    keeper->share = share;
    if (!error) error = visit_share(keeper, true, message);
  }
  if (!error) units->unpack(units->user, tile, bytes);
  return error;
}

/* With more shares than tiles some have no unit that would come; their arrays are wanted all the same. */
static tauler_error visit_empty_shares(keeper *keeper, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (uint32_t share = 0; share < keeper->units->shares_here && !error; share++) {
    if (share_tiles(keeper, share)) continue;
    keeper->share = share;
    error = visit_share(keeper, true, message);
    if (!error) error = leave_share(keeper, true, message);
  }
  return error;
}

static tauler_error load_shares(keeper *keeper, tauler_message *message) {
  const checkpoint_plan plan = plan_checkpoint(keeper);
  const checkpoint_reader reader = {wants_unit, take_unit, keeper, keeper->units->shares_here};
  tauler_error error = checkpoint_load(&plan, &reader, message);
  if (!error) {
    error = leave_share(keeper, true, message);
    if (!error) error = visit_empty_shares(keeper, message);
    return team_agree(keeper->team, error, message);
  }
  leave_share(keeper, true, NULL);
  return error;
}

tauler_error keeper_resume(keeper *keeper, bool *resumed, tauler_message *message) {
  *resumed = false;
  if (!keeper->plan) return TAULER_OK;
  const tauler_error error = load_shares(keeper, message);
  if (error == TAULER_DAMAGED_FILE && team_leads(keeper->team)) checkpoint_remove(keeper->path);
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

/* The first failure counts, and its message. */
static void note_failure(keeper *keeper, tauler_error error, const tauler_message *message) {
  int none = TAULER_OK;
  if (error && atomic_compare_exchange_strong(&keeper->failed, &none, (int)error)) keeper->message = *message;
}

/* Whether all save now. A signal to stop may reach one rank only, and each has a clock of its own. */
static tauler_error agree_on_saving(keeper *keeper, tauler_message *message) {
  enum { STOP = 1, DUE = 2 };
  const solve_checkpoints *plan = keeper->plan;
  uint64_t wish = plan->stop && plan->stop(plan->user) ? STOP : 0;
  const bool due = plan->interval > 0 && clock_wall() - keeper->saved_at >= plan->interval;
  if (team_leads(keeper->team) && due) wish |= DUE;
  const tauler_error error = team_combine(keeper->team, TEAM_ANY, &wish, 1, message);
  keeper->stopping = !error && wish & STOP;
  keeper->saving = !error && wish;
  return error;
}

static void begin_saving(void *user) {
  const meeting *now = user;
  keeper *keeper = now->keeper;
  tauler_message message = {""};
  tauler_error error = agree_on_saving(keeper, &message);
  if (!error && keeper->saving) {
    if (now->prepare) now->prepare(now->user);
    const checkpoint_plan plan = plan_checkpoint(keeper);
    error = checkpoint_begin(&plan, &keeper->file, &message);
    keeper->saving = !error;
    keeper->share = 0;
    if (!error && keeper->units->shares_here) error = visit_share(keeper, false, &message);
  }
  note_failure(keeper, error, &message);
}

static void end_saving(keeper *keeper) {
  tauler_message message = keeper->message;
  const tauler_error error = checkpoint_commit(keeper->file, (tauler_error)keeper->failed, &message);
  note_failure(keeper, error, &message);
  keeper->file = NULL;
  keeper->saving = false;
  keeper->saved_at = clock_wall();
}

/* From one share to the next, and from the last to the marker. */
static void go_on_saving(void *user) {
  keeper *keeper = user;
  tauler_message message = {""};
  note_failure(keeper, leave_share(keeper, false, &message), &message);
  if (++keeper->share >= keeper->units->shares_here) {
    end_saving(keeper);
  } else {
    note_failure(keeper, visit_share(keeper, false, &message), &message);
  }
}

static void save_share(keeper *keeper, crew_member *member) {
  const keeper_units *units = keeper->units;
  const uint64_t tiles = share_tiles(keeper, keeper->share);
  const tauler_message none = {"no memory to save a checkpoint"};
  char *bytes = malloc(keeper->unit_room + 1);
  if (!bytes) note_failure(keeper, TAULER_NO_MEMORY, &none);
  uint64_t i;
  while (!keeper->failed && crew_next(member, tiles, &i)) {
    const uint64_t tile = layout_tile(units->layout, units->first_share + keeper->share, i);
    tauler_message message = {""};
    units->pack(units->user, tile, bytes);
    const tauler_error error =
        checkpoint_store(keeper->file, tile, bytes, units->unit_bytes(units->user, tile), &message);
    note_failure(keeper, error, &message);
  }
  free(bytes);
}

/* Messages are passed and shares visited by the thread that leads the crew; where there are none, whoever
 * comes last goes on. */
static void meet(const keeper *keeper, crew_member *member, void (*between)(void *user), void *user) {
  if (team_ranks(keeper->team) > 1 || keeper->units->visit) {
    crew_lead(member, between, user);
  } else {
    crew_meet(member, between, user);
  }
}

bool keeper_meet(keeper *keeper, crew_member *member, void (*prepare)(void *user), void *user) {
  if (!keeper->plan) return false;
  meeting now = {keeper, prepare, user};
  meet(keeper, member, begin_saving, &now);
  while (keeper->saving) {
    save_share(keeper, member);
    meet(keeper, member, go_on_saving, keeper);
  }
  return keeper->stopping || keeper->failed;
}

tauler_error keeper_outcome(const keeper *keeper, tauler_message *message) {
  if (keeper->failed) {
    if (message) *message = keeper->message;
    return (tauler_error)keeper->failed;
  }
  if (!keeper->stopping) return TAULER_OK;
  return keeper_stopped(keeper->path, message);
}
