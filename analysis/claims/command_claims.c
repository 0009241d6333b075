/* Runs the command claims: checks its options, and starts Python, which runs the claims. */
#include <stdio.h>

#include "analysis/python/start_python.h"
#include "base/command/command.h"
#include "games/game_options.h"
#include "solver/run/options.h"

static const option own_options[] = {
    {"list", NULL, "a line for each claim, and no more", NULL},
    {"all", NULL, "all claims, as without a name", NULL},
    {"rules", "NAME[,FLAG…]", "another rule set than the claim's own, where it allows that", NULL},
    {"board", "7x3", "phutball: this board alone, rows x columns", NULL},
    {"book", "FILE", "auale-public-book: the endgame book to hold against the tables", "@file"},
    {"seeds", "N", "aualé: look at up to N seeds, 1-24; each claim has its own default", NULL},
    {"pieces", "K", "dou shou qi: look at materials of up to K pieces, 2-4; doushouqi-longest 2-5", NULL},
    {"players", "P", "oca: look at up to P players, 2-4; each claim has its own default", NULL},
    {"tokens", "K", "oca asesina: look at up to K tokens of each side, 1-3", NULL},
    {"every", NULL,
     "oca asesina: count every stored position; default: those that play from the start reaches", NULL},
    {"level", "N", "zstd level of tables that are built, 1-22; default 9", NULL},
    {"plots", "DIR",
     "draw the plots of each report as DIR/CLAIM-PLOT.svg and .png, by matplotlib; Markdown and JSON name "
     "them by the path given here",
     "@dir"},
    {"json", NULL, "one JSON object per claim", NULL},
    {"markdown", NULL,
     "a chapter of Markdown per claim, behind a table of the verdicts when there are several", NULL}};
static const option_group own_group = OPTION_GROUP("Claims", own_options);
static const option_group *const groups[] = {&game_options_folder_group, &own_group, &options_running, NULL};

enum { MOST_CLAIMS = 64 };

static tauler_error start_claims(const options *parsed, tauler_message *message) {
  enum { MOST_OPTIONS = 32 };
  static char words[MOST_OPTIONS][32];
  const char *list[2 + 2 * MOST_OPTIONS + MOST_CLAIMS + 2] = {"--db", game_options_folder(parsed)};
  size_t used = 2, spelt = 0;
  for (const option_group *const *group = groups + 1; *group; group++) {
    for (const option *o = (*group)->options; o < (*group)->options + (*group)->n; o++) {
      if (!options_has(parsed, o->name)) continue;
      snprintf(words[spelt], sizeof words[spelt], "--%s", o->name);
      list[used++] = words[spelt++];
      if (o->argument) list[used++] = options_get(parsed, o->name);
    }
  }
  list[used++] = "--";
  for (size_t i = 0; i < options_arguments(parsed); i++) list[used++] = options_argument(parsed, i);
  return start_python("tauler.claims.__main__", list, message);
}

static tauler_error run_claims(const options *parsed, tauler_message *message) {
  build_job settings = {.problem.game = NULL};
  memory_budget memory;
  uint64_t limit = 0;
  tauler_error error = TAULER_OK;
  if (options_has(parsed, "json") && options_has(parsed, "markdown"))
    error = tauler_fail(message, TAULER_BAD_USAGE, "--json and --markdown exclude each other");
  if (!error) error = options_number(parsed, "seeds", 1, 24, &limit, message);
  if (!error) error = options_number(parsed, "pieces", 2, 5, &limit, message);
  if (!error) error = options_number(parsed, "players", 2, 4, &limit, message);
  if (!error) error = options_number(parsed, "tokens", 1, 3, &limit, message);
  if (!error && options_arguments(parsed) && options_has(parsed, "all"))
    error = tauler_fail(message, TAULER_BAD_USAGE, "--all and the names of claims exclude each other");
  if (!error) error = build_options_read(parsed, &settings, &memory, message);
  return error ? error : start_claims(parsed, message);
}

const command command_claims = {.name = "claims",
                                .arguments = "[NAME…|FILE.py…]",
                                .most_arguments = MOST_CLAIMS,
                                .arguments_completion = TAULER_PYTHON_CLAIMS,
                                .groups = groups,
                                .stopped =
                                    "stopped; tables that were finished are kept: run the same command again",
                                .run = run_claims};
