/* Runs the command publish: reads its options, and says what was published. */
#include <inttypes.h>
#include <stdio.h>

#include "analysis/publish/publish.h"
#include "analysis/serve/page_files.h"
#include "base/command/command.h"
#include "base/command/threads.h"
#include "base/json.h"
#include "base/text.h"
#include "databases/names.h"
#include "games/game_options.h"

static const option own_options[] = {
    {"title", "TEXT", "title of the card; default: Tauler tables", NULL},
    {"licence", "TEXT", "what the card says of the licence of the tables; default: MIT", NULL},
    {"no-page", NULL, "tables alone, without the page that shows them", NULL},
    {"module", "FILE",
     "tauler.wasm, the module that answers on the page; default: that beside this program (make wasm)",
     "@file"},
    NAMES_CODER_OPTION,
    {"threads", "N", "threads to check tables with; default: the processors this process may use", NULL},
    {"quiet", NULL, "no progress, no summary, only errors", NULL},
    {"json", NULL, "the summary as one JSON object", NULL},
};
static const option_group own_group = OPTION_GROUP("Publishing", own_options);
static const option_group *const groups[] = {&game_options_folder_group, &own_group, NULL};

static void print_figures(const publish_job *job, const publish_figures *figures, bool as_json) {
  if (!as_json) {
    printf("published %zu tables, %" PRIu64 " cells, %s, in %s\n", figures->tables, figures->cells,
           text_size(figures->bytes).text, job->folder);
    return;
  }
  json_line(stdout, JSON_TEXT("folder", job->folder), JSON_COUNT("tables", figures->tables),
            JSON_COUNT("cells", figures->cells), JSON_COUNT("bytes", figures->bytes));
}

static const char *text_option(const options *parsed, const char *name, const char *unsaid) {
  const char *text = options_get(parsed, name);
  return text && *text ? text : unsaid;
}

/* *with is NULL if no page is wanted, or if there is no module for it. */
static void choose_page(const options *parsed, char path[FOLDER_PATH_BYTES], page_source *page,
                        const page_source **with) {
  const char *module = options_get(parsed, "module");
  *with = NULL;
  if (options_has(parsed, "no-page")) return;
  if (!module && !page_find_module(path)) {
    if (!options_has(parsed, "quiet"))
      fputs("tauler publish: tables alone, without the page that shows them: tauler.wasm, the module that "
            "answers on it, is not beside the program (make wasm makes it, --module names one)\n",
            stderr);
    return;
  }
  *page = (page_source){.files = page_files, .files_used = page_files_used, .module = module ? module : path};
  *with = page;
}

static tauler_error run_publish(const options *parsed, tauler_message *message) {
  publish_figures figures;
  char module[FOLDER_PATH_BYTES];
  page_source page;
  progress shown;
  progress_open(&shown, stderr, progress_choose(options_has(parsed, "quiet"), false));
  publish_job job = {.db = game_options_folder(parsed),
                     .folder = options_argument(parsed, 0),
                     .title = text_option(parsed, "title", "Tauler tables"),
                     .licence = text_option(parsed, "licence", "MIT"),
                     .shown = &shown};
  size_t coder = 0;
  tauler_error error = threads_option(parsed, &job.threads, message);
  if (!error) error = options_word(parsed, "coder", &coder, message);
  job.adaptive = coder > 0;
  choose_page(parsed, module, &page, &job.page);
  if (!error) error = publish_folder(&job, &figures, message);
  progress_abandon(&shown);
  if (!error && (options_has(parsed, "json") || !options_has(parsed, "quiet")))
    print_figures(&job, &figures, options_has(parsed, "json"));
  return error;
}

const command command_publish = {.name = "publish",
                                 .arguments = "DIR",
                                 .least_arguments = 1,
                                 .most_arguments = 1,
                                 .arguments_completion = "@dir",
                                 .groups = groups,
                                 .run = run_publish};
