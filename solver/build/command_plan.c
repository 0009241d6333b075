#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/command.h"
#include "base/json.h"
#include "base/text.h"
#include "games/game_options.h"
#include "solver/build/chance.h"
#include "solver/build/options.h"
#include "solver/build/run.h"
#include "solver/engines/bitboard/bitboard.h"

static const option own_options[] = {
    {"depth", NULL, "with depths", NULL},
    BUILD_WIDTH_OPTION,
    {"ranks", "N", "by N processes of message passing (1), each with its own --threads and --memory", NULL},
    {"engine", "NAME", "grid (default where the game has one) or general", "grid general"},
    {"json", NULL, "one JSON object", NULL}};
static const option_group own_group = OPTION_GROUP("Planning", own_options);
static const option_group *const groups[] = {&game_options_group, &own_group, &options_running, NULL};

/* A larger slice would take longer to measure than its user waits gladly. */
static bool is_measured(double start) {
  const double enough_seconds = 0.4;
  return clock_process_cpu() - start > enough_seconds;
}

/* The first slices, as many as might be needed to measure by. */
static game_slices small_slices(const game_slices *slices) {
  enum { ENOUGH_POSITIONS = 4000000 };
  uint64_t positions = 0;
  size_t n = 0;
  for (; n < slices->used && positions < ENOUGH_POSITIONS; n++) positions += slices->slices[n].positions;
  return (game_slices){slices->slices, n};
}

/* A game whose slices need no smaller ones names one that is like the first. */
static game_slices slices_to_measure(const build_job *job, const game_slices *slices, game_slice *alike) {
  if (!job->game->alike) return *slices;
  alike->slice = job->game->alike(job->rules, slices->slices[0].slice);
  alike->positions = job->game->positions(job->rules, alike->slice);
  return (game_slices){alike, 1};
}

static double measure_words(const build_job *job, const game_slices *slices) {
  memory_budget memory;
  memory_budget_open(&memory, 0);
  const game_slices small = small_slices(slices);
  uint64_t positions = 0;
  const uint32_t room = game_slices_largest(&small) + 1;
  word_slices finished = {calloc(room, sizeof *finished.cells), calloc(room, sizeof *finished.slices), room};
  bool well = finished.cells && finished.slices;
  const solve_job solving = {.game = job->game, .rules = job->rules, .threads = 1, .memory = &memory};
  const double start = clock_process_cpu();
  for (size_t i = 0; i < small.used && well && !is_measured(start); i++) {
    const uint32_t s = small.slices[i].slice;
    word_slice *slice = &finished.slices[s];
    solve_effort effort = {0};
    well = word_slice_solve(&solving, &finished, s, slice, &effort, NULL) == TAULER_OK;
    finished.cells[s] = (game_words_finished){slice->won, slice->lost, slice->depth};
    positions += small.slices[i].positions;
  }
  const double seconds = clock_process_cpu() - start;
  for (uint32_t s = 0; finished.slices && s < room; s++) {
    if (finished.slices[s].won) word_slice_close(&memory, &finished.slices[s]);
  }
  free(finished.cells);
  free(finished.slices);
  return well && seconds > 0 ? (double)positions / seconds : 0;
}

/* With fresh rules, whose tables are built first and stay. */
static bool solve_timed(const solve_job *solving, const game_rules *fresh, uint32_t slice, bool depths) {
  solved_slice *out = &solving->finished->list[slice];
  solve_effort effort = {0};
  if (solve_slice(solving, slice, depths, out, &effort, NULL)) return false;
  if (!fresh) return true;
  solve_job below = *solving;
  below.rules = fresh;
  solved_slice_free(solving->memory, out);
  return solve_slice(&below, slice, depths, out, &effort, NULL) == TAULER_OK;
}

/* Positions per second of processor time, from solving small slices here and now, as it would be for a
 * million positions. What is done once per build is left out. */
static double measure_rate(const build_job *job, const game_slices *slices) {
  memory_budget memory;
  memory_budget_open(&memory, 0);
  const game_slices small = small_slices(slices);
  uint64_t positions = 0;
  const size_t n = small.used;
  finished_slices finished = {NULL, game_slices_largest(&small) + 1};
  finished.list = calloc(finished.room, sizeof *finished.list);
  void *tables = NULL;
  solve_job solving = {.game = job->game,
                       .rules = job->rules,
                       .threads = 1,
                       .general = job->general,
                       .memory = &memory,
                       .finished = &finished};
  bool well = finished.list != NULL;
  if (well && job->game->grid && !job->general) {
    well = job->game->grid->prepare(job->rules, finished.room - 1, &tables) == TAULER_OK;
    solving.grid_tables = tables;
  }
  game_rules *fresh = NULL;
  if (well && solve_is_own_row_any(job->game, job->rules))
    well = job->game->open(job->game->rules_text(job->rules), job->game->fresh_cycles(job->rules), &fresh,
                           NULL) == TAULER_OK;
  const double start = clock_process_cpu();
  for (size_t i = 0; i < n && well && !is_measured(start); i++) {
    well = solve_timed(&solving, fresh, slices->slices[i].slice, job->depths);
    positions += slices->slices[i].positions;
  }
  const double seconds = clock_process_cpu() - start;
  if (fresh) job->game->close(fresh);
  for (uint32_t s = 0; finished.list && s < finished.room; s++) solved_slice_free(&memory, &finished.list[s]);
  if (tables) job->game->grid->release(tables);
  free(finished.list);
  return well && seconds > 0 ? (double)positions / seconds * build_effort(job, positions) : 0;
}

/* What a build would need, and whether each rank can have it. */
typedef struct {
  const build_job *job;
  build_plan plan;
  uint64_t available; /* bytes of memory per rank */
  double seconds;     /* 0: not known */
} outlook;

static bool fits(const outlook *o) {
  return o->plan.memory <= o->available;
}

static tauler_error print_json(const outlook *o, tauler_message *message) {
  json_writer json;
  json_open_file(&json, stdout, JSON_COMPACT);
  json_begin_object(&json);
  json_field_string(&json, "game", o->job->game->name);
  json_field_string(&json, "rules", o->job->game->rules_text(o->job->rules));
  json_field_unsigned(&json, "positions", o->plan.positions);
  json_field_unsigned(&json, "largest_slice", o->plan.largest);
  json_field_integer(&json, "ranks", o->plan.ranks);
  json_field_integer(&json, "threads", o->job->threads);
  json_field_unsigned(&json, "shares_per_rank", o->plan.shares_per_rank);
  json_field_unsigned(&json, "memory", o->plan.memory);
  json_field_unsigned(&json, "memory_available", o->available);
  json_field_unsigned(&json, "disk", o->plan.disk);
  json_field_unsigned(&json, "on_disk", o->plan.waiting);
  json_field_unsigned(&json, "network", o->plan.network);
  json_field_number(&json, "seconds", o->seconds);
  json_field_bool(&json, "fits", fits(o));
  json_end_object(&json);
  return json_close(&json, message);
}

static void print_memory(const outlook *o) {
  const build_plan *plan = &o->plan;
  if (plan->in_chance && plan->ranks > 1) printf("  ranks      share the work; each holds whole slices\n");
  printf("  memory     %s%s (%s)\n", text_size(plan->memory).text, plan->ranks > 1 ? " per rank" : "",
         fits(o) ? "fits" : "does not fit");
  if (plan->shares_per_rank > 1)
    printf("  shares     %u per rank, one at a time in memory\n", plan->shares_per_rank);
  if (plan->waiting > 0)
    printf("  on disk    %s besides, of slices that do not fit into memory\n", text_size(plan->waiting).text);
}

static void print_text(const outlook *o) {
  const build_job *job = o->job;
  const build_plan *plan = &o->plan;
  printf("%s %s", job->game->name, job->game->rules_text(job->rules));
  if (*job->game->cycles_text(job->rules)) printf(", cycles %s", job->game->cycles_text(job->rules));
  printf("%s\n", job->depths ? ", with depths" : "");
  printf("  positions  %llu stored, %llu in the largest slice\n", (unsigned long long)plan->positions,
         (unsigned long long)plan->largest);
  print_memory(o);
  printf("  disk       about %s\n", text_size(plan->disk).text);
  if (plan->ranks > 1)
    printf("  network    about %s between ranks, %.2f bytes a position\n", text_size(plan->network).text,
           (double)plan->network / (double)plan->positions);
  printf("  time       about %s of solving with ", text_duration(o->seconds).text);
  if (plan->ranks > 1) printf("%d ranks of ", plan->ranks);
  printf("%d thread%s, at the rate of a small slice here and now\n", job->threads,
         job->threads == 1 ? "" : "s");
  if (!fits(o)) {
    printf("  available  %s of memory%s: ask for fewer slices, %sor raise --memory\n",
           text_size(o->available).text, plan->ranks > 1 ? " per rank" : "",
           plan->ranks > 1 && !plan->in_chance ? "take more ranks, " : "");
  }
}

/* Tables of moves that are small are made, so that what shares read is counted; a build with less memory than
 * they take does not get so far. */
static void *prepare_small(const build_job *job, const game_slices *slices) {
  enum { COUNTED_SLICE = 600000000 };
  const uint64_t small = UINT64_C(256) << 20;
  const uint32_t largest = game_slices_largest(slices);
  void *tables = NULL;
  if (!build_uses_grid(job) || job->game->positions(job->rules, largest) > COUNTED_SLICE ||
      build_overhead_bytes(job, slices, 1) > job->memory->limit ||
      job->game->grid->prepared_bytes(job->rules, largest) > small ||
      job->game->grid->prepare(job->rules, largest, &tables) != TAULER_OK)
    return NULL;
  return tables;
}

/* Time is for one thread after the other: that shares have more to do than a whole slice is counted, waiting
 * for the network is not. */
static void look_ahead(outlook *o, const game_slices *slices, int ranks) {
  const build_job *job = o->job;
  void *tables = prepare_small(job, slices);
  build_plan_for(job, slices, tables, ranks, &o->plan);
  if (tables) job->game->grid->release(tables);
  if (o->plan.in_chance) {
    o->seconds = build_chance_seconds(job, slices) / job->threads / ranks;
    return;
  }
  game_slice alike;
  const game_slices measured = slices_to_measure(job, slices, &alike);
  const double rate = o->plan.in_words ? measure_words(job, &measured) : measure_rate(job, &measured);
  if (rate > 0) o->seconds = (double)o->plan.positions * o->plan.effort / rate / job->threads / ranks;
}

static tauler_error run_plan(const options *parsed, tauler_message *message) {
  enum { MOST_RANKS = 100000 };
  game_request request;
  build_job job = {.request = &request};
  game_rules *rules = NULL;
  uint64_t ranks = 1;
  tauler_error error = game_options_open(parsed, &job.game, &rules, &request, message);
  if (error) return error;
  job.rules = rules;
  memory_budget memory;
  game_slices slices = {0};
  error = build_options_read(parsed, &job, &memory, message);
  if (!error) error = options_number(parsed, "ranks", 1, MOST_RANKS, &ranks, message);
  if (!error) error = build_check_ranks(&job, (int)ranks, message);
  if (!error) error = job.game->slices(rules, &request, &slices, message);
  if (!error) {
    outlook o = {.job = &job, .available = memory.limit};
    look_ahead(&o, &slices, (int)ranks);
    if (options_has(parsed, "json"))
      error = print_json(&o, message);
    else
      print_text(&o);
  }
  free(slices.slices);
  job.game->close(rules);
  return error;
}

static const char *const examples[] = {"tauler plan auale --seeds 24",
                                       "tauler plan auale --seeds 30 --ranks 16 --threads 8 --memory 60G",
                                       "tauler plan auale --rules abapa --seeds 20 --depth --json", NULL};

const command command_plan = {
    .name = "plan",
    .arguments = "GAME",
    .least_arguments = 1,
    .most_arguments = 1,
    .arguments_completion = GAME_OPTIONS_COMPLETION,
    .summary = "say what a build needs: positions, memory, disk, time",
    .details =
        "Nothing is built. Memory is what the build would take of each rank, and is judged by --memory or by "
        "what "
        "this machine has for one process. Disk is estimated from the bits per position of measured tables, "
        "traffic from measured builds, and time from a small slice that is solved now.",
    .groups = groups,
    .examples = examples,
    .run = run_plan};
