#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/verify.h"
#include "base/clock.h"
#include "base/command.h"
#include "base/json.h"
#include "base/text.h"
#include "base/threads.h"
#include "databases/folder.h"
#include "databases/streams.h"
#include "games/game_chance.h"
#include "games/game_options.h"
#include "solver/tables/paths.h"

static const option own_options[] = {{"json", NULL, "one JSON object per table", NULL}};
static const option_group own_group = OPTION_GROUP("Output", own_options);
static const option_group *const groups[] = {&game_options_group, &game_options_folder_group, &own_group,
                                             &options_running, NULL};

typedef struct {
  bool as_json;
  size_t folder_bytes; /* of paths, that say the same on every line */
} output;

static void print_line(const output *out, const verify_finding *found) {
  const char *path = found->path + out->folder_bytes;
  while (*path == '/') path++;
  printf("%-10s  %s%s%s\n", verify_verdict_name(found->verdict), path, *found->reason ? ": " : "",
         found->reason);
  fflush(stdout);
}

static void print_header(json_writer *json, const table_header *header) {
  char digest[TABLE_DIGEST_TEXT];
  table_digest_text(header->plain_digest, digest);
  json_field_string(json, "game", header->game);
  json_field_string(json, "rules", header->rules);
  json_field_string(json, "cycles", header->cycles);
  json_field_string(json, "slice", header->slice);
  json_field_string(json, "stream", header->stream);
  json_field_unsigned(json, "positions", header->positions);
  json_field_string(json, "table", digest);
}

static void print_json(const verify_finding *found) {
  json_writer json;
  json_open_file(&json, stdout, JSON_COMPACT);
  json_begin_object(&json);
  json_field_string(&json, "path", found->path);
  if (found->header) print_header(&json, found->header);
  json_field_string(&json, "verdict", verify_verdict_name(found->verdict));
  if (*found->reason) json_field_string(&json, "reason", found->reason);
  if (found->position) {
    json_field_string(&json, "position", found->position);
    json_field_unsigned(&json, "index", found->index);
    json_field_number(&json, "stored", found->stored);
    if (found->expects) json_field_number(&json, "expected", found->expected);
  }
  json_end_object(&json);
  json_close(&json, NULL); /* a lost line is found when standard output is closed */
}

static void print_finding(void *user, const verify_finding *found) {
  const output *out = user;
  if (out->as_json) {
    print_json(found);
  } else {
    print_line(out, found);
  }
}

static tauler_error read_running(const options *parsed, verify_job *job, uint64_t *limit,
                                 tauler_message *message) {
  const tauler_error error = threads_option(parsed, &job->threads, message);
  return error ? error : options_size(parsed, "memory", limit, message);
}

/* Without a game there is nothing that its options could choose from. */
static tauler_error refuse_options(const options *parsed, tauler_message *message) {
  for (size_t i = 0; i < game_options_group.n; i++) {
    const char *name = game_options_group.options[i].name;
    if (options_has(parsed, name))
      return tauler_fail(message, TAULER_BAD_USAGE, "--%s needs the game: tauler verify GAME --%s …", name,
                         name);
  }
  return TAULER_OK;
}

static tauler_error conclude(const verify_summary *summary, double seconds, const output *out,
                             tauler_message *message) {
  const unsigned long long proven = summary->tables[VERIFY_PROVEN], wrong = summary->tables[VERIFY_WRONG];
  const unsigned long long damaged = summary->tables[VERIFY_DAMAGED],
                           files = summary->tables[VERIFY_FILES_ONLY],
                           consistent = summary->tables[VERIFY_CONSISTENT];
  if (!out->as_json) {
    printf("%llu proven (%s cells), ", proven, text_count((double)summary->positions).text);
    if (consistent) printf("%llu consistent, not proven, ", consistent);
    printf("%llu wrong, %llu damaged, %llu files only; %s\n", wrong, damaged, files,
           text_duration(seconds).text);
  }
  const tauler_error error = verify_outcome(summary);
  if (error == TAULER_DAMAGED_FILE)
    return tauler_fail(message, error,
                       "%llu of the tables are damaged; restore them from a copy or build them again",
                       damaged);
  if (error == TAULER_TABLE_MISSING)
    return tauler_fail(message, error,
                       "of %llu tables the files are whole, but what they rest on is not there to prove them",
                       files);
  return error; /* that a table is wrong, or not proven, was printed as the result */
}

/* A stream that every slice has. */
static void name_first_stream(const verify_job *job, uint32_t slice, char name[CHANCE_STREAM_BYTES]) {
  const solve_kind kind = job->game->kind(job->rules);
  if (kind == SOLVE_CHANCE) {
    chance_quantities quantities;
    job->game->chance->quantities(job->rules, slice, &quantities);
    chance_stream_name(&quantities, 0, false, name);
  } else {
    snprintf(name, CHANCE_STREAM_BYTES, "%s", kind == SOLVE_GUARANTEES ? STREAM_LOWER : STREAM_VALUE);
  }
}

/* The first slice that was asked for by name and of which there is no table. */
static tauler_error find_missing(const verify_job *job, tauler_message *message) {
  const game_request *asked = job->request;
  if (!job->game || !(asked->largest || asked->material || asked->board)) return TAULER_OK;
  game_slices slices;
  tauler_error error = job->game->slices(job->rules, asked, &slices, message);
  for (size_t i = 0; i < slices.used && !error; i++) {
    if (!slices.slices[i].asked) continue;
    char path[FOLDER_PATH_BYTES];
    table_header header;
    char stream[CHANCE_STREAM_BYTES];
    name_first_stream(job, slices.slices[i].slice, stream);
    build_header(job->game, job->rules, slices.slices[i].slice, stream, &header);
    error =
        build_table_path(job->game, job->rules, job->folder, slices.slices[i].slice, &header, path, message);
    if (!error && access(path, F_OK) != 0) {
      error =
          tauler_fail(message, TAULER_TABLE_MISSING,
                      "slice %.60s was asked for, but there is no table of it: build it first", header.slice);
    }
  }
  free(slices.slices);
  return error;
}

static tauler_error check(const options *parsed, const verify_job *asked, tauler_message *message) {
  verify_job job = *asked;
  uint64_t limit = 0;
  tauler_error error = read_running(parsed, &job, &limit, message);
  if (error) return error;
  memory_budget memory;
  memory_budget_open(&memory, limit);
  progress shown;
  progress_open(&shown, stderr,
                progress_choose(options_has(parsed, "quiet"), options_has(parsed, "log-json")));
  output out = {options_has(parsed, "json"), strlen(job.folder)};
  verify_summary summary;
  job.memory = &memory;
  job.shown = &shown;
  job.report = print_finding;
  job.user = &out;
  const double start = clock_wall();
  error = verify_tables(&job, &summary, message);
  if (!error) error = conclude(&summary, clock_wall() - start, &out, message);
  return error ? error : find_missing(&job, message);
}

static tauler_error run_verify(const options *parsed, tauler_message *message) {
  game_request request = {NULL, NULL, NULL};
  game_rules *rules = NULL;
  verify_job job = {.folder = game_options_folder(parsed)};
  tauler_error error = options_arguments(parsed) == 0
                           ? refuse_options(parsed, message)
                           : game_options_open(parsed, &job.game, &rules, &request, message);
  if (error) return error;
  job.rules = rules;
  job.request = &request;
  error = check(parsed, &job, message);
  if (rules) job.game->close(rules);
  return error;
}

static const char *const examples[] = {
    "# every table below ./tables",
    "tauler verify",
    "# abapa's bounds of up to 10 seeds, as JSON lines",
    "tauler verify auale --rules abapa --seeds 10 --db /data/tables --json",
    "tauler verify doushouqi --pieces 3",
    NULL};

const command command_verify = {
    .name = "verify",
    .arguments = "[GAME]",
    .least_arguments = 0,
    .most_arguments = 1,
    .arguments_completion = GAME_OPTIONS_COMPLETION,
    .summary = "check files and logic of tables",
    .details =
        "Checks that every table is whole, and that what it says is true: each cell is held against the "
        "moves "
        "of its position by the plain rules, and whatever somebody is said to force is shown to be forced by "
        "play that ends. Nothing of the solver is used.\n\n"
        "Prints one line per table. proven: files and logic hold. wrong: the first position that does not "
        "hold "
        "is shown with what is stored and what its moves make of it. damaged: the file is not what it says. "
        "files only: the file is whole, but its logic rests on tables that are missing, damaged or wrong. "
        "consistent, not proven: bounds of a game of chance agree with its moves, but there are positions "
        "in which play that would make them good need not end.\n\n"
        "Exit code 0: all proven; 1: a table is wrong, or consistent and not proven; 65: a file is damaged; "
        "66: no such table, or files only.",
    .groups = groups,
    .examples = examples,
    .run = run_verify};
