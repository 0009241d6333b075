#include <signal.h>
#include <stdio.h>
#include <time.h>

#include "base/clock.h"
#include "base/command.h"
#include "base/json.h"
#include "base/text.h"
#include "games/game_options.h"
#include "solver/build.h"
#include "solver/build_options.h"

static const option own_options[] = {
    {"depth", NULL, "also build depths: plies until a result is made good", NULL},
    {"level", "N", "zstd level 1-22: 9 while building (default), 19 for publication", NULL},
    {"checkpoint", "TIME", "keep the state of the slice under work every TIME (10m); 0s: only when stopped",
     NULL},
    {"engine", "NAME", "grid (default where the game has one) or general", "grid general"},
    {"json", NULL, "one JSON object per table", NULL}};
static const option_group own_group = OPTION_GROUP("Building", own_options);
static const option_group *const groups[] = {&game_options_group, &game_options_folder_group, &own_group,
                                             &options_running, NULL};

typedef struct {
  bool as_json;
  progress *shown;
  sigset_t held;
} build_run;

static void print_table(void *user, const build_table *table) {
  const build_run *run = user;
  progress_hide(run->shown);
  char digest[TABLE_DIGEST_TEXT];
  table_digest_text(table->digest, digest);
  if (!run->as_json) {
    /* In a table of a few boards it is the header that one would measure. */
    char bits[32] = "";
    if (table->positions >= 4096) {
      snprintf(bits, sizeof bits, "%.3f bits each",
               8.0 * (double)table->file_bytes / (double)table->positions);
    }
    printf("%-5s slice %-4s %-11s %15llu positions  %10s  %-15s  %s\n", table->built ? "built" : "kept",
           table->slice, table->stream, (unsigned long long)table->positions,
           text_size(table->file_bytes).text, bits, digest);
    fflush(stdout);
    return;
  }
  json_writer json;
  json_open_file(&json, stdout, JSON_COMPACT);
  json_begin_object(&json);
  json_field_string(&json, "slice", table->slice);
  json_field_string(&json, "stream", table->stream);
  json_field_unsigned(&json, "positions", table->positions);
  json_field_unsigned(&json, "bytes", table->file_bytes);
  json_field_string(&json, "table", digest);
  json_field_bool(&json, "built", table->built);
  json_end_object(&json);
  json_close(&json, NULL); /* a lost line is found when standard output is closed */
}

/* SIGTERM and SIGUSR1 are held back and asked for between rounds, where everything can be kept. */
static void hold_signals(sigset_t *held) {
  sigemptyset(held);
  sigaddset(held, SIGTERM);
  sigaddset(held, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, held, NULL);
}

static bool was_stopped(void *user) {
  const build_run *run = user;
  return sigtimedwait(&run->held, NULL, &(struct timespec){0, 0}) > 0;
}

static void note_cost(progress *shown, const build_cost *cost, double seconds) {
  if (cost->positions_solved == 0) return;
  progress_note(
      shown, "solved %s positions in %s of processor time (%s/s), wrote in %s; %s in all, peak memory %s",
      text_count((double)cost->positions_solved).text, text_duration(cost->setup + cost->solving).text,
      text_count((double)cost->positions_solved / (cost->setup + cost->solving)).text,
      text_duration(cost->writing).text, text_duration(seconds).text, text_size(cost->peak_memory).text);
}

static tauler_error run_build(const options *parsed, tauler_message *message) {
  game_request request;
  build_job job = {.request = &request, .report = print_table};
  game_rules *rules = NULL;
  tauler_error error = game_options_open(parsed, &job.game, &rules, &request, message);
  if (error) return error;
  job.rules = rules;
  memory_budget memory;
  progress shown;
  build_run run = {.as_json = options_has(parsed, "json")};
  job.checkpoint_interval = 600;
  error = build_options_read(parsed, &job, &memory, message);
  if (!error) error = options_duration(parsed, "checkpoint", &job.checkpoint_interval, message);
  if (!error) {
    progress_open(&shown, stderr,
                  progress_choose(options_has(parsed, "quiet"), options_has(parsed, "log-json")));
    job.shown = run.shown = &shown;
    job.user = &run;
    job.stop = was_stopped;
    hold_signals(&run.held);
    const double start = clock_wall();
    build_cost cost;
    error = build_tables(&job, &cost, message);
    if (!error) note_cost(&shown, &cost, clock_wall() - start);
  }
  job.game->close(rules);
  return error;
}

static const char *const examples[] = {
    "# all awari boards of up to 12 seeds, with depths, into ./tables",
    "tauler build auale --seeds 12 --depth", "# what each side can force under the tournament rules",
    "tauler build auale --rules abapa --cycles forced --seeds 14 --db /data/tables --threads 8", NULL};

const command command_build = {
    .name = "build",
    .arguments = "GAME",
    .least_arguments = 1,
    .most_arguments = 1,
    .arguments_completion = GAME_OPTIONS_COMPLETION,
    .summary = "build the tables that are missing, smallest first",
    .details =
        "Solves every slice that was asked for and all that it needs, and writes each as a table as soon as "
        "it is solved. A build that was stopped goes on after the last finished slice, or from the last "
        "checkpoint inside a slice, when the same command is run again; tables that are there are kept. "
        "SIGTERM and SIGUSR1 have the slice under work kept and end the build with exit code 75.\n\n"
        "Prints one line per table: slice, stream, positions, size and the digest of its plain values, by "
        "which two builds can be compared.",
    .groups = groups,
    .examples = examples,
    .run = run_build};
