#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/command.h"
#include "base/json.h"
#include "base/text.h"
#include "games/game_options.h"
#include "solver/build.h"
#include "solver/build_options.h"

static const option own_options[] = {
    {"depth", NULL, "with depths", NULL},
    {"engine", "NAME", "grid (default where the game has one) or general", "grid general"},
    {"json", NULL, "one JSON object", NULL}};
static const option_group own_group = OPTION_GROUP("Planning", own_options);
static const option_group *const groups[] = {&game_options_group, &own_group, &options_running, NULL};

/* Positions per second of processor time, from solving small slices here and now. */
static double measure_rate(const build_job *job, const game_slices *slices) {
  enum { ENOUGH_POSITIONS = 2000000 };
  memory_budget memory;
  memory_budget_open(&memory, 0);
  finished_slices finished = {NULL, 1};
  uint64_t positions = 0;
  size_t n = 0;
  for (; n < slices->used && positions < ENOUGH_POSITIONS; n++) {
    positions += slices->slices[n].positions;
    if (slices->slices[n].slice >= finished.room) finished.room = slices->slices[n].slice + 1;
  }
  finished.list = calloc(finished.room, sizeof *finished.list);
  void *tables = NULL;
  solve_job solving = {.game = job->game,
                       .rules = job->rules,
                       .threads = 1,
                       .general = job->general,
                       .memory = &memory,
                       .finished = &finished};
  const double start = clock_process_cpu();
  bool well = finished.list != NULL;
  if (well && job->game->grid && !job->general) {
    well = job->game->grid->prepare(job->rules, finished.room - 1, &tables) == TAULER_OK;
    solving.grid_tables = tables;
  }
  for (size_t i = 0; i < n && well; i++) {
    const uint32_t slice = slices->slices[i].slice;
    solve_effort effort = {0};
    well = solve_slice(&solving, slice, job->depths, &finished.list[slice], &effort, NULL) == TAULER_OK;
  }
  const double seconds = clock_process_cpu() - start;
  for (uint32_t s = 0; finished.list && s < finished.room; s++) solved_slice_free(&memory, &finished.list[s]);
  if (tables) job->game->grid->release(tables);
  free(finished.list);
  return well && seconds > 0 ? (double)positions / seconds : 0;
}

static tauler_error print_json(const build_plan *plan, const build_job *job, double seconds,
                               uint64_t available, tauler_message *message) {
  json_writer json;
  json_open_file(&json, stdout, JSON_COMPACT);
  json_begin_object(&json);
  json_field_string(&json, "game", job->game->name);
  json_field_string(&json, "rules", job->game->rules_text(job->rules));
  json_field_unsigned(&json, "positions", plan->positions);
  json_field_unsigned(&json, "largest_slice", plan->largest);
  json_field_unsigned(&json, "memory", plan->memory);
  json_field_unsigned(&json, "memory_available", available);
  json_field_unsigned(&json, "disk", plan->disk);
  json_field_number(&json, "seconds", seconds);
  json_field_integer(&json, "threads", job->threads);
  json_field_bool(&json, "fits", plan->memory <= available);
  json_end_object(&json);
  return json_close(&json, message);
}

static void print_text(const build_plan *plan, const build_job *job, double seconds, uint64_t available) {
  printf("%s %s", job->game->name, job->game->rules_text(job->rules));
  if (*job->game->cycles_text(job->rules)) printf(", cycles %s", job->game->cycles_text(job->rules));
  printf("%s\n", job->depths ? ", with depths" : "");
  printf("  positions  %llu stored, %llu in the largest slice\n", (unsigned long long)plan->positions,
         (unsigned long long)plan->largest);
  printf("  memory     %s (%s)\n", text_size(plan->memory).text,
         plan->memory <= available ? "fits" : "does not fit");
  printf("  disk       about %s\n", text_size(plan->disk).text);
  printf("  time       about %s of solving with %d thread%s, at the rate of a small slice here and now\n",
         text_duration(seconds).text, job->threads, job->threads == 1 ? "" : "s");
  if (plan->memory > available) {
    printf("  available  %s of memory: ask for fewer slices, or raise --memory\n", text_size(available).text);
  }
}

static tauler_error run_plan(const options *parsed, tauler_message *message) {
  game_request request;
  build_job job = {.request = &request};
  game_rules *rules = NULL;
  tauler_error error = game_options_open(parsed, &job.game, &rules, &request, message);
  if (error) return error;
  job.rules = rules;
  memory_budget memory;
  game_slices slices = {0};
  build_plan plan;
  error = build_options_read(parsed, &job, &memory, message);
  if (!error) error = job.game->slices(rules, &request, &slices, message);
  if (!error) {
    build_plan_for(&job, &slices, &plan);
    const double rate = measure_rate(&job, &slices);
    const double seconds = rate > 0 ? (double)plan.positions / rate / job.threads : 0;
    if (options_has(parsed, "json")) {
      error = print_json(&plan, &job, seconds, memory.limit, message);
    } else {
      print_text(&plan, &job, seconds, memory.limit);
    }
  }
  free(slices.slices);
  job.game->close(rules);
  return error;
}

static const char *const examples[] = {"tauler plan auale --seeds 24",
                                       "tauler plan auale --rules abapa --seeds 20 --depth --json", NULL};

const command command_plan = {
    .name = "plan",
    .arguments = "GAME",
    .least_arguments = 1,
    .most_arguments = 1,
    .arguments_completion = GAME_OPTIONS_COMPLETION,
    .summary = "say what a build needs: positions, memory, disk, time",
    .details =
        "Nothing is built. Memory is what the build would take, disk is estimated from the bits per position "
        "of measured tables, and time from a small slice that is solved now.",
    .groups = groups,
    .examples = examples,
    .run = run_plan};
