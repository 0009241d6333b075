/* Runs the command export. */
#include <stdio.h>
#include <string.h>

#include "analysis/export/export.h"
#include "base/command/command.h"
#include "base/json.h"
#include "base/text.h"
#include "base/text_show.h"
#include "games/game_options.h"
#include "solver/run/build.h"

static const option own_options[] = {
    {"to", "DIR", "the folder that copies go to; it is made if it is missing", "@dir"},
    {"format", "NAME",
     "tables (default); npy: as --npy; aalina: one file oware-leaves.bin, the endgame book of the engine "
     "Aalina",
     "tables npy aalina"},
    {"npy", NULL, "arrays of numpy, not compressed, in place of tables", NULL},
    {"graph", "NAME",
     "the moves in place of the cells, for which no table is needed; csv: a list of edges; prism: of games "
     "of "
     "dice, explicit files of the model checker PRISM",
     "csv prism"},
    {"depth", NULL, "also depths (wins, draws and losses: always)", NULL},
    {"level", "N", "zstd level 1-22 (9)", NULL},
    {"threads", "N", "threads to work with; default: the processors this process may use", NULL},
    {"memory", "SIZE",
     "most memory for values, such as 512M; what does not fit is looked up one by one, slower", NULL},
    {"quiet", NULL, "no progress, no line for a copy, only errors", NULL},
    {"json", NULL, "one JSON object per copy", NULL},
};
static const option_group own_group = OPTION_GROUP("Copying", own_options);
static const option_group *const groups[] = {&game_options_group, &game_options_folders_group, &own_group,
                                             NULL};

typedef struct {
  bool as_json;
  size_t folder_bytes; /* bytes of the folder's path, which lines leave out */
} output;

static void print_line(const output *out, const export_copy *copy) {
  const char *path = copy->path + out->folder_bytes;
  while (*path == '/') path++;
  printf("%-4s  %11llu positions  %8s  %s\n", copy->made ? "made" : "kept",
         (unsigned long long)copy->positions, text_size(copy->file_bytes).text, text_shown(path).text);
  fflush(stdout);
}

static void print_copy(void *user, const export_copy *copy) {
  const output *out = user;
  char digest[TABLE_DIGEST_TEXT];
  if (!out->as_json) {
    print_line(out, copy);
    return;
  }
  table_digest_text(copy->digest, digest);
  json_line(stdout, JSON_TEXT("slice", copy->slice), JSON_TEXT("stream", copy->stream),
            JSON_COUNT("positions", copy->positions), JSON_COUNT("bytes", copy->file_bytes),
            JSON_TEXT("table", digest), JSON_TEXT("file", copy->path), JSON_FLAG("made", copy->made));
}

static tauler_error read_form(const options *parsed, export_form *out, tauler_message *message) {
  size_t form = EXPORT_TABLES, graph = 0; /* in the order of the words */
  const bool npy = options_has(parsed, "npy"), moves = options_has(parsed, "graph");
  tauler_error error = options_word(parsed, "format", &form, message);
  if (!error) error = options_word(parsed, "graph", &graph, message);
  if (!error && npy + moves + options_has(parsed, "format") > 1)
    error = tauler_fail(message, TAULER_BAD_USAGE, "--npy, --format and --graph exclude each other");
  *out = npy ? EXPORT_NUMPY : (export_form)(moves ? EXPORT_CSV + graph : form);
  return error;
}

static tauler_error read_options(const options *parsed, export_job *job, tauler_message *message) {
  uint64_t level = 9;
  tauler_error error = read_form(parsed, &job->form, message);
  if (error) return error;
  job->folder = options_get(parsed, "to");
  job->depths = options_has(parsed, "depth");
  if (!job->folder || !*job->folder)
    return tauler_fail(message, TAULER_BAD_USAGE, "tauler export needs --to DIR, the folder for the copies");
  if (job->form != EXPORT_TABLES && options_has(parsed, "level"))
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "--level is about compression, and only tables are compressed");
  if (job->form >= EXPORT_CSV && job->depths)
    return tauler_fail(message, TAULER_BAD_USAGE, "--depth is about tables, and --graph reads none");
  error = options_number(parsed, "level", 1, 22, &level, message);
  job->level = (int)level;
  return error;
}

static tauler_error run_export(const options *parsed, tauler_message *message) {
  export_sources sources;
  output out = {.as_json = options_has(parsed, "json")};
  const bool quiet = options_has(parsed, "quiet") && !out.as_json;
  export_job job = {.report = quiet ? NULL : print_copy, .user = &out};
  tauler_error error = export_sources_read(parsed, &sources, &job, message);
  if (!error) error = read_options(parsed, &job, message);
  if (!error)
    error = build_check_depths(&(solve_problem){sources.game, sources.rules, NULL}, job.depths, message);
  if (!error) error = export_sources_open(parsed, &sources, &job, message);
  if (!error) out.folder_bytes = strlen(job.folder);
  if (!error)
    error = (job.form >= EXPORT_CSV    ? export_graph
             : job.form == EXPORT_BOOK ? export_book
                                       : export_tables)(&job, message);
  export_sources_close(&sources);
  return error;
}

const command command_export = {.name = "export",
                                .arguments = "GAME",
                                .arguments_completion = GAME_OPTIONS_COMPLETION,
                                .groups = groups,
                                .run = run_export};
