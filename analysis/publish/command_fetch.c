/* Runs the command fetch: reads its options, and says what was fetched. */
#include <stdio.h>
#include <string.h>

#include "analysis/publish/fetch.h"
#include "base/command/command.h"
#include "base/json.h"
#include "base/text.h"
#include "games/game_options.h"

static const option own_options[] = {
    {"only", "GAME[/RULES[/CYCLES]]", "only tables in or below this folder of the published ones", NULL},
    {"timeout", "DURATION", "end when an address brings less than 1 kB a second for so long; default: 60s",
     NULL},
    {"quiet", NULL, "no progress, no summary, only errors", NULL},
    {"json", NULL, "the summary as one JSON object", NULL},
};
static const option_group own_group = OPTION_GROUP("Fetching", own_options);
static const option_group *const groups[] = {&game_options_folder_group, &own_group,
                                             &game_options_sizes_group, NULL};

static void print_figures(const fetch_job *job, const fetch_figures *figures, bool as_json) {
  if (!as_json) {
    printf("fetched %zu tables, %s, into %s; %zu were there\n", figures->fetched,
           text_size(figures->bytes).text, job->db, figures->kept);
    return;
  }
  json_line(stdout, JSON_TEXT("folder", job->db), JSON_COUNT("fetched", figures->fetched),
            JSON_COUNT("kept", figures->kept), JSON_COUNT("bytes", figures->bytes));
}

static bool has_size(const options *parsed) {
  for (size_t i = 0; i < game_options_sizes_group.n; i++)
    if (options_has(parsed, game_options_sizes_group.options[i].name)) return true;
  return false;
}

/* *choice is NULL if no option chooses. */
static tauler_error read_choice(const options *parsed, fetch_choice *own, game_request *request,
                                fetch_choice **choice, tauler_message *message) {
  char name[64];
  const game *chosen;
  own->below = options_get(parsed, "only");
  *choice = own->below || has_size(parsed) ? own : NULL;
  if (!own->below && *choice)
    return tauler_fail(message, TAULER_BAD_USAGE,
                       "a size needs --only, which names the game: --only auale/abapa --seeds 12");
  if (!*choice) return TAULER_OK;
  snprintf(name, sizeof name, "%.*s", (int)strcspn(own->below, "/"), own->below);
  tauler_error error = game_options_find(name, &chosen, message);
  if (error || !has_size(parsed)) return error;
  error = game_options_request(parsed, chosen, request, message);
  if (!error && options_has(parsed, "board") && chosen->board_flag)
    return tauler_fail(message, TAULER_BAD_USAGE, "a board of %s is part of its rules: name it in --only",
                       chosen->name);
  own->request = request;
  return error;
}

static tauler_error run_fetch(const options *parsed, tauler_message *message) {
  fetch_figures figures;
  fetch_choice choice = {.below = NULL};
  game_request request;
  progress shown;
  progress_open(&shown, stderr, progress_choose(options_has(parsed, "quiet"), false));
  fetch_job job = {.source = options_argument(parsed, 0),
                   .db = game_options_folder(parsed),
                   .timeout = 60,
                   .shown = &shown};
  tauler_error error = options_duration(parsed, "timeout", &job.timeout, message);
  if (!error && (job.timeout < 0.1 || job.timeout > 86400))
    error = tauler_fail(message, TAULER_BAD_USAGE, "--timeout is from a tenth of a second to one day");
  if (!error) error = read_choice(parsed, &choice, &request, &job.choice, message);
  if (!error) error = fetch_tables(&job, &figures, message);
  choice_free(&choice);
  progress_abandon(&shown);
  if (!error && (options_has(parsed, "json") || !options_has(parsed, "quiet")))
    print_figures(&job, &figures, options_has(parsed, "json"));
  return error;
}

const command command_fetch = {.name = "fetch",
                               .arguments = "DIR|URL",
                               .least_arguments = 1,
                               .most_arguments = 1,
                               .arguments_completion = "@dir",
                               .groups = groups,
                               .stopped = "stopped; what was fetched is kept: run the same command again",
                               .run = run_fetch};
