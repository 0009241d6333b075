/* Runs the command build. */
#include <inttypes.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/command/command.h"
#include "base/command/signals.h"
#include "base/json.h"
#include "base/text.h"
#include "base/text_show.h"
#include "databases/names.h"
#include "games/game_options.h"
#include "parallel/exchange.h"
#include "solver/run/build.h"
#include "solver/run/command_ranks.h"
#include "solver/run/options.h"
#include "solver/run/run.h"

static const option own_options[] = {
    {"depth", NULL, "also build depths: plies until a result is made good; own-row: stages that prove it",
     NULL},
    BUILD_WIDTH_OPTION,
    {"lines-budget", "N",
     "own-row: positions that lines of play may look at to close one position (33554432)", NULL},
    {"level", "N", "zstd level 1-22: 9 while building (default), 19 for publication", NULL},
    NAMES_CODER_OPTION,
    {"checkpoint", "TIME", "keep the state of the slice under work every TIME (10m); 0s: only when stopped",
     NULL},
    BUILD_ENGINE_OPTION,
    RANKS_WATCHDOG_OPTION,
    {"buffer", "SIZE", "with several ranks: bytes of a packet, 1K to 256K", NULL},
    RANKS_FOLD_OPTION,
    {"yes", NULL, "build without a question, however long it takes", NULL},
    {"verbose", NULL, "also print the digest of every table, by which two builds can be compared", NULL},
    {"json", NULL, "one JSON object per table", NULL}};
static const option_group own_group = OPTION_GROUP("Building", own_options);
static const option_group *const groups[] = {&game_options_group, &game_options_folder_group, &own_group,
                                             &options_running, NULL};

typedef struct {
  bool as_json, verbose, log_json, may_ask;
  progress *shown;
  const ranks_run *ranks;
} build_run;

/* Leaves out the bits per position of a small table, which consists mostly of its header. */
static void print_line(const build_table *table, const char *digest, bool verbose) {
  const double each = table->positions ? 8.0 * (double)table->file_bytes / (double)table->positions : 0;
  char name[128], bits[32] = "";
  snprintf(name, sizeof name, "%-5s %s", table->slice, table->stream);
  if (table->positions >= 4096) snprintf(bits, sizeof bits, "%.*f bits", each < 9.995 ? 2 : 1, each);
  printf("%-5s %-17s %11llu positions  %8s", table->built ? "built" : "kept", name,
         (unsigned long long)table->positions, text_size(table->file_bytes).text);
  if (verbose || *bits) printf("  %9s", bits);
  printf(verbose ? "  %s\n" : "\n", digest);
  fflush(stdout);
}

static void print_table(void *user, const build_table *table) {
  const build_run *run = user;
  progress_hide(run->shown);
  char digest[TABLE_DIGEST_TEXT];
  table_digest_text(table->digest, digest);
  if (!run->as_json) {
    print_line(table, digest, run->verbose);
    return;
  }
  json_line(stdout, JSON_TEXT("slice", table->slice), JSON_TEXT("stream", table->stream),
            JSON_COUNT("positions", table->positions), JSON_COUNT("bytes", table->file_bytes),
            JSON_TEXT("table", digest), JSON_FLAG("built", table->built));
}

/* True if the user has asked this rank, or one that waits for it, to stop. Also notes progress. */
static bool was_stopped(void *user) {
  const build_run *run = user;
  comm_note_progress(run->ranks->comm);
  return signals_asked() || ranks_asked_to_stop(run->ranks);
}

static void print_event(const build_outlook *ahead) {
  json_writer json;
  json_open_buffer(&json);
  json_begin_object(&json);
  json_field_string(&json, "event", "plan");
  build_outlook_fields(&json, ahead);
  json_end_object(&json);
  size_t length;
  const char *text = json_text(&json, &length);
  fwrite(text, 1, length, stderr); /* one call, since other processes may write to the same stream */
  (void)json_close(&json, NULL);
}

static bool needs_confirmation(const build_outlook *ahead) {
  const double long_seconds = 3600;
  return ahead->seconds > long_seconds && build_memory_fits(ahead) && build_disk_fits(ahead) &&
         isatty(STDIN_FILENO) && isatty(STDERR_FILENO);
}

/* Returns false at the end of input or if the build is stopped. */
static bool read_answer(build_run *run, char *answer, size_t room) {
  enum { PERIOD = 200 }; /* milliseconds */
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  while (!was_stopped(run)) {
    if (poll(&input, 1, PERIOD) <= 0) continue;
    const ssize_t n = read(STDIN_FILENO, answer, room - 1);
    if (n <= 0) return false;
    answer[n] = '\0';
    return true;
  }
  return false;
}

/* Returns TAULER_STOPPED unless the answer is yes. */
static tauler_error ask_user(build_run *run, const build_outlook *ahead, tauler_message *message) {
  char answer[256] = "";
  fprintf(stderr, "Build for about %s? [y/N] ", text_duration(ahead->seconds).text);
  fflush(stderr);
  const bool answered = read_answer(run, answer, sizeof answer);
  if (!answered) fputc('\n', stderr);
  answer[strcspn(answer, " \t\r\n")] = '\0';
  if (answered && (strcasecmp(answer, "y") == 0 || strcasecmp(answer, "yes") == 0)) return TAULER_OK;
  return tauler_fail(message, TAULER_STOPPED,
                     "stopped before any work, as asked: run the same command again, with --yes to begin "
                     "without a question");
}

static tauler_error approve_build(void *user, const build_outlook *ahead, tauler_message *message) {
  build_run *run = user;
  if (run->log_json)
    print_event(ahead);
  else
    build_outlook_print(stderr, ahead);
  fflush(stderr);
  return run->may_ask && needs_confirmation(ahead) ? ask_user(run, ahead, message) : TAULER_OK;
}

/* An engine of sweeps computes a position many times, so its speed is updates per second. */
static void describe_rate(const build_cost *cost, char *text, size_t room) {
  const double seconds = cost->setup + cost->solving, positions = (double)cost->positions_solved;
  const double updates = (double)build_updates(cost->sweeps);
  if (updates > 0) {
    snprintf(text, room, "%s sweeps over each, %s updates/s", text_count(updates / positions).text,
             text_count(updates / seconds).text);
  } else {
    snprintf(text, room, "%s/s", text_count(positions / seconds).text);
  }
}

/* `bandwidth` is the number of bytes per second that a rank sends, or 0 if it was not measured. */
static void note_traffic(progress *shown, const build_cost *cost, double bandwidth) {
  char measured[64] = "";
  if (bandwidth > 0) snprintf(measured, sizeof measured, ", at up to %.0f MB/s", bandwidth / 1e6);
  progress_note(shown, "%s travelled between ranks, %.2f bytes a position%s",
                text_size(cost->bytes_sent).text, (double)cost->bytes_sent / (double)cost->positions_solved,
                measured);
}

static void note_cost(progress *shown, const build_cost *cost, double bandwidth, double seconds) {
  if (cost->positions_solved == 0) return;
  if (cost->bytes_sent > 0) note_traffic(shown, cost, bandwidth);
  char rate[128];
  describe_rate(cost, rate, sizeof rate);
  progress_note(
      shown, "solved %s positions in %s of processor time (%s), wrote in %s; %s in all, peak memory %s",
      text_count((double)cost->positions_solved).text, text_duration(cost->setup + cost->solving).text, rate,
      text_duration(cost->writing).text, text_duration(seconds).text, text_size(cost->peak_memory).text);
  if (cost->open > 0)
    progress_note(shown,
                  "%" PRIu64 " positions stay between two bounds: a larger --lines-budget may close them",
                  cost->open);
}

static tauler_error read_buffer_option(const options *parsed, size_t *bytes, tauler_message *message) {
  uint64_t given = 0;
  const tauler_error error = options_size(parsed, "buffer", &given, message);
  if (error || !options_has(parsed, "buffer")) return error;
  if (given < EXCHANGE_LEAST_PACKET || given > EXCHANGE_PACKET)
    return tauler_fail(message, TAULER_BAD_USAGE, "--buffer %s is not between 1K and 256K",
                       options_get(parsed, "buffer"));
  *bytes = (size_t)given;
  return TAULER_OK;
}

static tauler_error read_options(const options *parsed, build_job *job, memory_budget *memory,
                                 tauler_message *message) {
  job->checkpoint_interval = 600;
  tauler_error error = build_options_read(parsed, job, memory, message);
  if (!error) error = options_duration(parsed, "checkpoint", &job->checkpoint_interval, message);
  if (!error) error = read_buffer_option(parsed, &job->work.packet_bytes, message);
  return error;
}

static tauler_error build_and_report(build_run *run, build_job *job, progress_mode mode,
                                     tauler_message *message) {
  progress shown;
  progress_open(&shown, stderr, mode);
  job->work.shown = run->shown = &shown;
  if (*run->ranks->folded) progress_note(&shown, "%s", run->ranks->folded);
  const double start = clock_wall();
  build_cost cost;
  const tauler_error error = build_tables(job, &cost, message);
  if (!error) {
    note_cost(&shown, &cost, comm_bandwidth(run->ranks->comm), clock_wall() - start);
    if (!run->as_json) {
      progress_note(&shown, "the tables stand in %s", text_shown(job->folder).text);
      progress_note(&shown, "look at them: tauler serve --db %s", text_shown(job->folder).text);
    }
  }
  job->work.shown = run->shown = NULL;
  return error;
}

static tauler_error run_across_ranks(const options *parsed, ranks_run *ranks, tauler_message *message) {
  game_request request;
  const bool log_json = options_has(parsed, "log-json");
  build_run run = {.as_json = options_has(parsed, "json"),
                   .verbose = options_has(parsed, "verbose"),
                   .log_json = log_json,
                   .may_ask = !options_has(parsed, "yes") && !log_json,
                   .ranks = ranks};
  build_job job = {.request = &request, .report = print_table, .stop = was_stopped, .user = &run};
  game_rules *rules = NULL;
  memory_budget memory;
  /* This handler must be installed after MPI has started, since MPI installs one of its own. */
  signals_watch_disk(ranks->own_errors);
  tauler_error error = game_options_open(parsed, &job.problem.game, &rules, &request, message);
  job.problem.rules = rules;
  if (!error) error = read_options(parsed, &job, &memory, message);
  if (!options_has(parsed, "quiet")) job.approve = approve_build;
  error = ranks_fold(ranks, parsed, groups, error, &job.work, message);
  if (!error && !ranks->waits)
    error = build_and_report(&run, &job, progress_choose(options_has(parsed, "quiet"), log_json), message);
  if (rules) job.problem.game->close(rules);
  return error;
}

static tauler_error run_command(const options *parsed, tauler_message *message) {
  signals_hold();
  return ranks_command(parsed, run_across_ranks, message);
}

const command command_build = {
    .name = "build",
    .arguments = "GAME",
    .arguments_completion = GAME_OPTIONS_COMPLETION,
    .groups = groups,
    .stopped = "ended at once; all work up to the last checkpoint is kept: run the same command again",
    .run = run_command,
    .refused = ranks_refuse,
    .waits_to_speak = ranks_wait_to_speak};
