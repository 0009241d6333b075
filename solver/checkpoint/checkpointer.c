/* Saves the state of a slice when a checkpoint is due or a stop was requested, and resumes it. */
#include "solver/checkpoint/checkpointer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"

static const struct {
  const char *name;
  bool of_depths;
} stages[] = {{"values", false},      {"depths", true},         {"waves", false},
              {"waves-depths", true}, {"words", true},          {"chance", false},
              {"own-row", false},     {"own-row-stages", true}, {"own-row-any", false}};

static void format_path(const solve_job *job, uint32_t slice, const char *stage,
                        char path[CHECKPOINT_PATH_BYTES]) {
  char name[GAME_TEXT_BYTES];
  job->problem.game->slice_name(job->problem.rules, slice, name);
  snprintf(path, CHECKPOINT_PATH_BYTES, "%s/%.64s.%s.checkpoint", job->checkpoints->folder, name, stage);
}

void checkpointer_remove(const solve_job *job, uint32_t slice, bool depths) {
  if (!job->checkpoints || !comm_is_root(job->work.comm)) return;
  for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
    char path[CHECKPOINT_PATH_BYTES];
    if (stages[i].of_depths && !depths) continue;
    format_path(job, slice, stages[i].name, path);
    checkpoint_remove(path);
  }
}

static void format_identity(checkpointer *checkpointer, const solve_problem *problem, uint32_t slice,
                            const char *stage) {
  const game *game = problem->game;
  game->slice_name(problem->rules, slice, checkpointer->slice);
  snprintf(checkpointer->identity, CHECKPOINT_IDENTITY_BYTES, "%s %.200s %.60s slice %.64s %s index %u",
           game->name, game->rules_text(problem->rules), game->cycles_text(problem->rules),
           checkpointer->slice, stage, game_index_version(game));
}

static uint64_t count_tiles(const checkpointer *checkpointer, uint32_t shard) {
  const checkpoint_units *units = checkpointer->units;
  return shard < units->shards_here ? layout_shard_size(units->layout, units->first_shard + shard).tiles : 0;
}

static size_t find_largest_unit(const checkpointer *checkpointer) {
  const checkpoint_units *units = checkpointer->units;
  size_t room = 0;
  for (uint32_t shard = 0; shard < units->shards_here; shard++) {
    const uint64_t tiles = count_tiles(checkpointer, shard);
    for (uint64_t i = 0; i < tiles; i++) {
      const uint64_t tile = layout_tile(units->layout, units->first_shard + shard, i);
      const size_t bytes = units->unit_bytes(units->user, tile);
      if (bytes > room) room = bytes;
    }
  }
  return room;
}

void checkpointer_open(checkpointer *checkpointer, const solve_job *job, uint32_t slice, const char *stage,
                       const checkpoint_units *units) {
  memset(checkpointer, 0, sizeof *checkpointer);
  checkpointer->when = job->checkpoints;
  if (!checkpointer->when) return;
  checkpointer->units = units;
  format_path(job, slice, stage, checkpointer->path);
  format_identity(checkpointer, &job->problem, slice, stage);
  checkpointer->plan = (checkpoint_plan){.comm = job->work.comm,
                                         .path = checkpointer->path,
                                         .identity = checkpointer->identity,
                                         .units = units->layout->tiles,
                                         .unit_room = find_largest_unit(checkpointer),
                                         .run = units->run,
                                         .run_bytes = units->run_bytes,
                                         .threads = job->work.threads};
  checkpointer->shown = job->work.shown;
  checkpointer->positions = job->problem.game->positions(job->problem.rules, slice);
  checkpointer->saved_at = clock_wall();
}

static tauler_error load_shard(checkpointer *checkpointer, bool is_new, tauler_message *message) {
  const checkpoint_units *units = checkpointer->units;
  tauler_error error = TAULER_OK;
  if (units->load)
    error = units->load(units->user, units->first_shard + checkpointer->shard, is_new, message);
  checkpointer->is_loaded = !error;
  return error;
}

static tauler_error unload_shard(checkpointer *checkpointer, bool changed, tauler_message *message) {
  const checkpoint_units *units = checkpointer->units;
  if (!checkpointer->is_loaded) return TAULER_OK;
  checkpointer->is_loaded = false;
  return units->unload
             ? units->unload(units->user, units->first_shard + checkpointer->shard, changed, message)
             : TAULER_OK;
}

/* *pass becomes the number of the shard on this rank, since shards are loaded one at a time. */
static bool wants_unit(void *user, uint64_t tile, size_t *n, uint32_t *pass) {
  const checkpointer *checkpointer = user;
  const checkpoint_units *units = checkpointer->units;
  const uint32_t owner = layout_owner_of_tile(units->layout, tile);
  if (owner < units->first_shard || owner - units->first_shard >= units->shards_here) return false;
  *n = units->unit_bytes(units->user, tile);
  *pass = owner - units->first_shard;
  return true;
}

/* Loads a shard when its first unit arrives. So no shard is loaded if the checkpoint is damaged, since no
 * unit arrives then. */
static tauler_error receive_unit(void *user, uint64_t tile, const void *bytes, size_t n,
                                 tauler_message *message) {
  checkpointer *checkpointer = user;
  const checkpoint_units *units = checkpointer->units;
  const uint32_t shard = layout_owner_of_tile(units->layout, tile) - units->first_shard;
  tauler_error error = TAULER_OK;
  if (!checkpointer->is_loaded || checkpointer->shard != shard) {
    error = unload_shard(checkpointer, true, message);
    checkpointer->shard = shard;
    if (!error) error = load_shard(checkpointer, true, message);
  }
  if (!error) units->unpack(units->user, tile, bytes);
  return error;
}

/* Loads the shards without tiles once, so that their arrays exist. Such shards occur if there are more shards
 * than tiles. */
static tauler_error load_empty_shards(checkpointer *checkpointer, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (uint32_t shard = 0; shard < checkpointer->units->shards_here && !error; shard++) {
    if (count_tiles(checkpointer, shard)) continue;
    checkpointer->shard = shard;
    error = load_shard(checkpointer, true, message);
    if (!error) error = unload_shard(checkpointer, true, message);
  }
  return error;
}

static void note_resumption(const checkpointer *checkpointer, const char *why_not) {
  const char *slice = checkpointer->slice;
  const uint64_t *done = checkpointer->units->done;
  if (why_not) {
    progress_note(checkpointer->shown, "%s: it is removed, and slice %s starts anew", why_not, slice);
  } else if (done && checkpointer->positions) {
    progress_note(checkpointer->shown, "slice %s goes on from a checkpoint, %.0f %% done", slice,
                  floor(100.0 * (double)*done / (double)checkpointer->positions));
  } else {
    progress_note(checkpointer->shown, "slice %s goes on from a checkpoint", slice);
  }
}

tauler_error checkpointer_resume(checkpointer *checkpointer, bool *resumed, tauler_message *message) {
  *resumed = false;
  if (!checkpointer->when) return TAULER_OK;
  const checkpoint_reader reader = {wants_unit, receive_unit, checkpointer, checkpointer->units->shards_here};
  tauler_message cause = {""};
  tauler_error error = checkpoint_load(&checkpointer->plan, &reader, &cause);
  *resumed = !error;
  if (error && error != TAULER_TABLE_MISSING && error != TAULER_DAMAGED_FILE) {
    (void)unload_shard(checkpointer, true, NULL);
    if (message) *message = cause;
    return error;
  }
  if (error != TAULER_TABLE_MISSING && comm_is_root(checkpointer->plan.comm)) {
    if (error) checkpoint_remove(checkpointer->path);
    if (checkpointer->shown) note_resumption(checkpointer, error ? cause.text : NULL);
  }
  if (error) return TAULER_OK;
  error = unload_shard(checkpointer, true, message);
  if (!error) error = load_empty_shards(checkpointer, message);
  return comm_agree(checkpointer->plan.comm, error, message);
}

typedef struct {
  checkpointer *checkpointer;
  void (*prepare)(void *user);
  void *user;
} save_request;

/* In a sum over ranks the high half counts the requests to stop, and the low half those to save. */
static const uint64_t request_save = 1, request_stop = UINT64_C(1) << 32;

uint64_t checkpointer_request(const checkpointer *checkpointer) {
  const solve_checkpoints *when = checkpointer->when;
  if (!when) return 0;
  if (when->stop && when->stop(when->user)) return request_stop;
  const bool due = when->interval > 0 && clock_wall() - checkpointer->saved_at >= when->interval;
  return comm_is_root(checkpointer->plan.comm) && due ? request_save : 0;
}

void checkpointer_set_requests(checkpointer *checkpointer, uint64_t requests) {
  checkpointer->has_requests = true;
  checkpointer->requests = requests;
}

/* Sets `saving` and `stopping`, the same on all ranks. The ranks add up their requests unless they have done
 * so (has_requests), since a signal to stop may reach only one rank, and only the leading rank's clock
 * counts. */
static tauler_error agree_on_saving(checkpointer *checkpointer, tauler_message *message) {
  uint64_t requests =
      checkpointer->has_requests ? checkpointer->requests : checkpointer_request(checkpointer);
  const tauler_error error = checkpointer->has_requests
                                 ? TAULER_OK
                                 : comm_allreduce(checkpointer->plan.comm, COMM_SUM, &requests, 1, message);
  checkpointer->has_requests = false;
  checkpointer->stopping = !error && requests >= request_stop;
  checkpointer->saving = !error && requests;
  return error;
}

static void begin_saving(void *user) {
  const save_request *now = user;
  checkpointer *checkpointer = now->checkpointer;
  tauler_message message = {""};
  tauler_error error = agree_on_saving(checkpointer, &message);
  if (!error && checkpointer->saving) {
    if (now->prepare) now->prepare(now->user);
    error = checkpoint_begin(&checkpointer->plan, &checkpointer->file, &message);
    checkpointer->saving = !error;
    checkpointer->shard = 0;
    if (!error) error = load_shard(checkpointer, false, &message);
  }
  failure_note(&checkpointer->failed, error, &message);
}

static void end_saving(checkpointer *checkpointer) {
  tauler_message message = checkpointer->failed.message;
  const tauler_error error =
      checkpoint_commit(checkpointer->file, (tauler_error)checkpointer->failed.error, &message);
  failure_note(&checkpointer->failed, error, &message);
  checkpointer->file = NULL;
  checkpointer->saving = false;
  checkpointer->saved_at = clock_wall();
}

static void save_next_shard(void *user) {
  checkpointer *checkpointer = user;
  tauler_message message = {""};
  failure_note(&checkpointer->failed, unload_shard(checkpointer, false, &message), &message);
  if (++checkpointer->shard >= checkpointer->units->shards_here) {
    end_saving(checkpointer);
  } else {
    failure_note(&checkpointer->failed, load_shard(checkpointer, false, &message), &message);
  }
}

static bool saves_tile(const checkpointer *checkpointer, uint64_t i, uint64_t tile) {
  const checkpoint_units *units = checkpointer->units;
  if (!units->everywhere) return true;
  if (units->saves) return units->saves(units->user, tile);
  return i % (uint64_t)comm_ranks(checkpointer->plan.comm) == (uint64_t)comm_rank(checkpointer->plan.comm);
}

static void save_shard(checkpointer *checkpointer, worker *self) {
  const checkpoint_units *units = checkpointer->units;
  const tauler_message none = {"no memory to save a checkpoint"};
  char *bytes = malloc(checkpointer->plan.unit_room + 1);
  if (!bytes) failure_note(&checkpointer->failed, TAULER_NO_MEMORY, &none);
  const uint64_t tiles = count_tiles(checkpointer, checkpointer->shard);
  uint64_t i;
  while (!checkpointer->failed.error && worker_next(self, tiles, &i)) {
    const uint64_t tile = layout_tile(units->layout, units->first_shard + checkpointer->shard, i);
    if (!saves_tile(checkpointer, i, tile)) continue;
    tauler_message message = {""};
    units->pack(units->user, tile, bytes);
    const tauler_error error =
        checkpoint_store(checkpointer->file, tile, bytes, units->unit_bytes(units->user, tile), &message);
    failure_note(&checkpointer->failed, error, &message);
  }
  free(bytes);
}

/* If the build has several ranks or shards must be loaded, the leading worker runs `between`, otherwise the
 * last to arrive. */
static void wait_for_all(const checkpointer *checkpointer, worker *self, void (*between)(void *user),
                         void *user) {
  if (comm_ranks(checkpointer->plan.comm) > 1 || checkpointer->units->load) {
    worker_barrier_main(self, between, user);
  } else {
    worker_barrier(self, between, user);
  }
}

static void save_shards(void *user, worker *self) {
  checkpointer *checkpointer = user;
  while (checkpointer->saving) {
    save_shard(checkpointer, self);
    wait_for_all(checkpointer, self, save_next_shard, checkpointer);
  }
}

bool checkpointer_pause(checkpointer *checkpointer) {
  if (!checkpointer->when) return false;
  begin_saving(&(save_request){checkpointer, NULL, NULL});
  if (checkpointer->saving) workers_run(checkpointer->plan.threads, save_shards, checkpointer);
  return checkpointer->stopping || checkpointer->failed.error;
}

bool checkpointer_barrier(checkpointer *checkpointer, worker *self, void (*prepare)(void *user), void *user) {
  if (!checkpointer->when) return false;
  save_request now = {checkpointer, prepare, user};
  wait_for_all(checkpointer, self, begin_saving, &now);
  save_shards(checkpointer, self);
  return checkpointer->stopping || checkpointer->failed.error;
}

tauler_error checkpointer_outcome(const checkpointer *checkpointer, tauler_message *message) {
  if (checkpointer->failed.error) return failure_outcome(&checkpointer->failed, message);
  if (!checkpointer->stopping) return TAULER_OK;
  return tauler_fail(message, TAULER_STOPPED,
                     "stopped on request, all work is kept in %.300s: run the same command again to go on",
                     checkpointer->path);
}
