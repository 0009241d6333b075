/* Runs the command plan. */
#include <stdio.h>
#include <stdlib.h>

#include "base/command/command.h"
#include "base/json.h"
#include "games/game_options.h"
#include "solver/run/options.h"
#include "solver/run/run.h"

static const option own_options[] = {
    {"depth", NULL, "with depths", NULL},
    BUILD_WIDTH_OPTION,
    {"ranks", "N", "by N ranks that work (1), one a node, each with --threads and --memory", NULL},
    {"disk", "SIZE", "assume so much free disk, instead of what --db has", NULL},
    BUILD_ENGINE_OPTION,
    {"json", NULL, "one JSON object", NULL}};
static const option_group own_group = OPTION_GROUP("Planning", own_options);
static const option_group *const groups[] = {&game_options_group, &game_options_folder_group, &own_group,
                                             &options_running, NULL};

/* Returns the tables of moves if they are small and fit in memory, so that halos are computed instead of
 * estimated; otherwise NULL. */
static void *prepare_small_tables(const build_job *job, const game_slices *slices) {
  enum { COUNTED_SLICE = 600000000 };
  const uint64_t small = UINT64_C(256) << 20;
  const uint32_t largest = game_slices_largest(slices);
  void *tables = NULL;
  if (!engine_uses_move_tables(job, 1) ||
      job->problem.game->positions(job->problem.rules, largest) > COUNTED_SLICE ||
      build_overhead_bytes(job, slices, 1) > job->work.memory->limit ||
      job->problem.game->grid->prepared_bytes(job->problem.rules, largest) > small ||
      job->problem.game->grid->prepare(job->problem.rules, largest, &tables) != TAULER_OK)
    return NULL;
  return tables;
}

static tauler_error estimate_build(const build_job *job, const game_slices *slices, int ranks,
                                   build_outlook *ahead, tauler_message *message) {
  build_plan plan;
  void *tables = prepare_small_tables(job, slices);
  const tauler_error error = build_plan_for(job, slices, tables, ranks, &plan, message);
  if (!error) build_estimate(job, &plan, slices, plan.disk, ahead);
  if (!error) build_estimate_time(slices, slices, tables, false, ahead);
  if (tables) job->problem.game->grid->release(tables);
  return error;
}

/* Returns an error if the estimate does not fit, unless --ranks, --memory or --disk is given. */
static tauler_error print_plan(const options *parsed, const build_outlook *ahead, tauler_message *message) {
  if (options_has(parsed, "json")) {
    json_writer json;
    json_open_line(&json, stdout);
    build_outlook_fields(&json, ahead);
    json_end_object(&json);
    const tauler_error error = json_close(&json, message);
    if (error) return error;
  } else {
    build_outlook_print(stdout, ahead);
  }
  const bool elsewhere =
      options_has(parsed, "ranks") || options_has(parsed, "memory") || options_has(parsed, "disk");
  return elsewhere ? TAULER_OK : build_outlook_check(ahead, message);
}

static tauler_error run_command(const options *parsed, tauler_message *message) {
  enum { MOST_RANKS = 100000 };
  game_request request;
  progress shown;
  progress_open(&shown, stderr, PROGRESS_BAR);
  build_job job = {.request = &request, .work.shown = &shown};
  game_rules *rules = NULL;
  uint64_t ranks = 1;
  tauler_error error = game_options_open(parsed, &job.problem.game, &rules, &request, message);
  if (error) return error;
  job.problem.rules = rules;
  memory_budget memory;
  game_slices slices = {0};
  build_outlook ahead;
  error = build_options_read(parsed, &job, &memory, message);
  if (!error) error = options_number(parsed, "ranks", 1, MOST_RANKS, &ranks, message);
  if (!error) error = job.problem.game->slices(rules, &request, &slices, message);
  if (!error) error = estimate_build(&job, &slices, (int)ranks, &ahead, message);
  if (!error) error = options_size(parsed, "disk", &ahead.disk_available, message);
  if (!error) error = print_plan(parsed, &ahead, message);
  free(slices.slices);
  job.problem.game->close(rules);
  return error;
}

const command command_plan = {.name = "plan",
                              .arguments = "GAME",
                              .arguments_completion = GAME_OPTIONS_COMPLETION,
                              .groups = groups,
                              .run = run_command};
