#include "solver/build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

#include "base/clock.h"
#include "base/durable_file.h"
#include "base/text.h"
#include "databases/folder.h"
#include "solver/keeper.h"
#include "solver/slice_tables.h"

/* Bits a position of the larger tables at level 9, from the measurements in databases/README.md: a
 * little more than seen, since a build that is begun should not end on a full disk. */
static const double value_bits = 2.0, depth_bits = 4.5;

typedef struct {
  const build_job *job;
  solve_job solving;
  game_slices slices;
  finished_slices finished;
  void *grid_tables;
  bool *has_values, *has_depths; /* by place in slices */
  bool wants_depths;
  build_cost *cost;
  char tables_folder[FOLDER_PATH_BYTES]; /* where tables and checkpoints of this rule set stand */
  solve_checkpoints checkpoints;
} build;

static uint32_t largest_slice(const game_slices *slices) {
  uint32_t largest = 0;
  for (size_t i = 0; i < slices->used; i++) {
    if (slices->slices[i].slice > largest) largest = slices->slices[i].slice;
  }
  return largest;
}

/* Whether what converts counts on with the depth of where it leads. */
static bool keeps_depths(const build_job *job) {
  return job->game->kind(job->rules) == SOLVE_OUTCOMES;
}

static bool uses_grid(const build_job *job) {
  return job->game->grid && !job->general;
}

/* About what the tables of a slice take: values, depths or both. */
static uint64_t table_bytes(const build_job *job, const game_slice *slice, bool values, bool depths) {
  const uint64_t planes = (uint64_t)slice_streams_of(job->game, job->rules).planes;
  const double bits = (values ? value_bits : 0) + (depths ? depth_bits : 0);
  return planes * ((uint64_t)((double)slice->positions * bits / 8) + (uint64_t)(values + depths) * 4096);
}

void build_plan_for(const build_job *job, const game_slices *slices, build_plan *plan) {
  *plan = (build_plan){0};
  const bool depths = job->depths || job->game->kind(job->rules) == SOLVE_OUTCOMES;
  const uint64_t planes = (uint64_t)slice_streams_of(job->game, job->rules).planes;
  const int marker = 0; /* anything but NULL: the grid counts as prepared */
  const solve_job solving = {.game = job->game,
                             .rules = job->rules,
                             .threads = job->threads,
                             .general = job->general,
                             .grid_tables = uses_grid(job) ? &marker : NULL};
  uint64_t finished = 0;
  for (size_t i = 0; i < slices->used; i++) {
    const uint64_t n = slices->slices[i].positions;
    const uint64_t need = finished + solve_slice_bytes(&solving, slices->slices[i].slice, depths);
    if (need > plan->memory) plan->memory = need;
    if (n > plan->largest) plan->largest = n;
    finished += (planes + (keeps_depths(job) ? sizeof(uint16_t) : 0)) * n;
    plan->positions += n;
  }
  if (uses_grid(job)) plan->memory += job->game->grid->prepared_bytes(job->rules, largest_slice(slices));
  for (size_t i = 0; i < slices->used; i++) plan->disk += table_bytes(job, &slices->slices[i], true, depths);
}

static tauler_error check_disk(const build_job *job, uint64_t need, tauler_message *message) {
  struct statvfs room;
  if (statvfs(job->folder, &room) != 0) return TAULER_OK;
  const uint64_t free_bytes = (uint64_t)room.f_bavail * room.f_frsize;
  if (free_bytes >= need) return TAULER_OK;
  return tauler_fail(
      message, TAULER_NO_SPACE,
      "the tables need about %s in %.300s, which has %s free; make room, choose another folder "
      "with --db or ask for fewer slices",
      text_size(need).text, job->folder, text_size(free_bytes).text);
}

/* Whether all planes of values (first 0) or depths (first SOLVE_PLANES) of a slice are there. If they
 * are they are reported, so that a resumed build lists all that it stands on. */
static tauler_error find_streams(const build *b, size_t i, const slice_streams *streams, int first,
                                 bool *there, tauler_message *message) {
  const uint32_t slice = b->slices.slices[i].slice;
  table *found[SOLVE_PLANES] = {NULL};
  tauler_error error = TAULER_OK;
  *there = true;
  for (int plane = 0; plane < streams->planes && !error; plane++) {
    error = slice_table_find(b->job, slice, streams->names[first + plane], &found[plane], message);
    *there = *there && found[plane];
  }
  for (int plane = 0; plane < streams->planes; plane++) {
    if (!error && *there && b->job->report) {
      const table_header *header = table_get_header(found[plane]);
      const build_table about = {header->slice,        header->stream,       header->positions,
                                 header->stored_bytes, header->plain_digest, false};
      b->job->report(b->job->user, &about);
    }
    table_close(found[plane]);
  }
  return error;
}

static tauler_error find_slice(build *b, size_t i, tauler_message *message) {
  const slice_streams streams = slice_streams_of(b->job->game, b->job->rules);
  tauler_error error = find_streams(b, i, &streams, 0, &b->has_values[i], message);
  if (!error && b->wants_depths) {
    error = find_streams(b, i, &streams, SOLVE_PLANES, &b->has_depths[i], message);
  }
  return error;
}

static bool is_whole(const build *b, size_t i) {
  return b->has_values[i] && (b->has_depths[i] || !b->wants_depths);
}

static tauler_error prepare_folder(build *b, tauler_message *message) {
  const build_job *job = b->job;
  table_header header;
  if (strlen(job->game->rules_text(job->rules)) >= sizeof header.rules) {
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "the rule set's name is too long for a table (%zu bytes at most)",
                       sizeof header.rules - 1);
  }
  build_header(job->game, job->rules, b->slices.slices[0].slice, "value", &header);
  tauler_error error = folder_table_path(job->folder, &header, b->tables_folder, message);
  if (error) return error;
  *strrchr(b->tables_folder, '/') = '\0';
  error = durable_folder_create(b->tables_folder, message);
  if (error) return error;
  b->checkpoints = (solve_checkpoints){
      .folder = b->tables_folder, .interval = job->checkpoint_interval, .stop = job->stop, .user = job->user};
  b->solving.checkpoints = &b->checkpoints;
  return durable_folder_clean(b->tables_folder, NULL, message);
}

static tauler_error prepare_grid(build *b, tauler_message *message) {
  if (!uses_grid(b->job)) return TAULER_OK;
  const double start = clock_process_cpu(), wall = clock_wall();
  const tauler_error error =
      b->job->game->grid->prepare(b->job->rules, largest_slice(&b->slices), &b->grid_tables);
  if (error)
    return tauler_fail(message, error, "no memory for the tables of moves of %s", b->job->game->name);
  b->solving.grid_tables = b->grid_tables;
  b->cost->setup += clock_process_cpu() - start;
  b->cost->solving_wall += clock_wall() - wall;
  return TAULER_OK;
}

static tauler_error load_slice(build *b, uint32_t slice, tauler_message *message) {
  const double start = clock_process_cpu();
  const tauler_error error = slice_values_load(b->job, &b->solving, slice, &b->finished.list[slice], message);
  b->cost->loading += clock_process_cpu() - start;
  return error;
}

static tauler_error solve_timed(build *b, uint32_t slice, bool depths, uint64_t *shown,
                                tauler_message *message) {
  const double start = clock_process_cpu(), wall = clock_wall();
  solve_effort effort = {.shown = *shown};
  const tauler_error error =
      solve_slice(&b->solving, slice, depths, &b->finished.list[slice], &effort, message);
  b->cost->solving += clock_process_cpu() - start;
  b->cost->solving_wall += clock_wall() - wall;
  *shown = effort.shown;
  return error;
}

static tauler_error write_timed(build *b, const solved_slice *solved, bool depths, tauler_message *message) {
  const double start = clock_process_cpu();
  const tauler_error error = depths ? slice_depths_write(b->job, solved, message)
                                    : slice_values_write(b->job, &b->solving, solved, message);
  b->cost->writing += clock_process_cpu() - start;
  return error;
}

/* Values are written before depths are begun where an engine works them out one after the other. */
static tauler_error solve_and_write(build *b, size_t i, tauler_message *message) {
  const uint32_t slice = b->slices.slices[i].slice;
  solved_slice *solved = &b->finished.list[slice];
  const bool at_once = b->wants_depths && (!uses_grid(b->job) || keeps_depths(b->job));
  tauler_error error = TAULER_OK;
  uint64_t shown = 0;
  if (b->has_values[i]) error = load_slice(b, slice, message);
  const uint64_t before = memory_taken(b->job->memory);
  if (!error && !b->has_values[i]) {
    error = solve_timed(b, slice, at_once, &shown, message);
    if (!error) error = write_timed(b, solved, false, message);
  }
  if (!error && b->wants_depths) {
    if (!at_once || b->has_values[i]) error = solve_timed(b, slice, true, &shown, message);
    if (!error) error = write_timed(b, solved, true, message);
  }
  if (error) return error;
  keeper_forget(&b->solving, slice);
  b->cost->positions_solved += solved->positions;
  if (memory_peak(b->job->memory) - before > b->cost->solving_peak) {
    b->cost->solving_peak = memory_peak(b->job->memory) - before;
  }
  for (int plane = 0; plane < SOLVE_PLANES && !keeps_depths(b->job); plane++) {
    memory_give(b->job->memory, solved->depths[plane]);
    solved->depths[plane] = NULL;
  }
  if (b->job->shown) progress_add(b->job->shown, solved->positions - shown);
  return TAULER_OK;
}

static tauler_error build_slices(build *b, size_t last_missing, tauler_message *message) {
  const build_job *job = b->job;
  for (size_t i = 0; i <= last_missing; i++) {
    const game_slice *slice = &b->slices.slices[i];
    char name[GAME_TEXT_BYTES], step[GAME_TEXT_BYTES + 16];
    job->game->slice_name(job->rules, slice->slice, name);
    snprintf(step, sizeof step, "slice %s", name);
    if (is_whole(b, i)) {
      tauler_error error = load_slice(b, slice->slice, message);
      if (!error && keeps_depths(job))
        error = slice_depths_load(job, &b->finished.list[slice->slice], message);
      if (error) return error;
      continue;
    }
    if (job->stop && job->stop(job->user)) {
      return tauler_fail(message, TAULER_STOPPED,
                         "stopped on request before slice %s, all tables before it are kept: run the same "
                         "command again to go on",
                         name);
    }
    if (job->shown) progress_start(job->shown, step, job->game->unit, slice->positions, 0);
    const tauler_error error = solve_and_write(b, i, message);
    if (job->shown && error) progress_abandon(job->shown);
    if (error) return error;
    if (job->shown) progress_finish(job->shown);
  }
  return TAULER_OK;
}

static tauler_error build_missing(build *b, tauler_message *message) {
  const build_job *job = b->job;
  size_t last_missing = SIZE_MAX;
  uint64_t disk = 0; /* tables that are there have their room */
  for (size_t i = 0; i < b->slices.used; i++) {
    const tauler_error error = find_slice(b, i, message);
    if (error) return error;
    if (!is_whole(b, i)) last_missing = i;
    disk += table_bytes(job, &b->slices.slices[i], !b->has_values[i], b->wants_depths && !b->has_depths[i]);
  }
  if (last_missing == SIZE_MAX) return TAULER_OK;
  game_slices needed = {b->slices.slices, last_missing + 1};
  build_plan plan;
  build_plan_for(job, &needed, &plan);
  tauler_error error = memory_plan(job->memory, plan.memory, "solving these slices", message);
  if (!error) error = check_disk(job, disk, message);
  if (!error) error = prepare_grid(b, message);
  return error ? error : build_slices(b, last_missing, message);
}

tauler_error build_tables(const build_job *job, build_cost *cost, tauler_message *message) {
  build b = {.job = job, .cost = cost};
  b.wants_depths = job->depths || job->game->kind(job->rules) == SOLVE_OUTCOMES;
  *cost = (build_cost){0};
  tauler_error error = job->game->slices(job->rules, job->request, &b.slices, message);
  if (error) return error;
  b.finished.room = largest_slice(&b.slices) + 1;
  b.finished.list = calloc(b.finished.room, sizeof *b.finished.list);
  b.has_values = calloc(b.slices.used, sizeof *b.has_values);
  b.has_depths = calloc(b.slices.used, sizeof *b.has_depths);
  if (!b.finished.list || !b.has_values || !b.has_depths) {
    error = tauler_fail(message, TAULER_NO_MEMORY, "no memory for the list of slices");
  }
  b.solving = (solve_job){.game = job->game,
                          .rules = job->rules,
                          .threads = job->threads,
                          .general = job->general,
                          .memory = job->memory,
                          .shown = job->shown,
                          .finished = &b.finished};
  if (!error) error = prepare_folder(&b, message);
  if (!error) error = build_missing(&b, message);
  cost->peak_memory = memory_peak(job->memory);
  for (uint32_t s = 0; b.finished.list && s < b.finished.room; s++) {
    solved_slice_free(job->memory, &b.finished.list[s]);
  }
  if (b.grid_tables) job->game->grid->release(b.grid_tables);
  free(b.finished.list);
  free(b.has_values);
  free(b.has_depths);
  free(b.slices.slices);
  return error;
}
