/* Runs the command figures: prints figures of claims, which C computes, as JSON. */
#include <stdio.h>
#include <string.h>

#include "analysis/claims/figures.h"
#include "base/command/command.h"
#include "base/command/threads.h"
#include "base/text.h"
#include "games/game_options.h"
#include "solver/run/options.h"

typedef struct {
  const char *name, *game;
  figures *print;
} entry;

static const entry list[] = {
    {"animal-jumps", "doushouqi", figures_animal_jumps},
    {"animal-moves", "doushouqi", figures_animal_moves},
    {"animal-refuges", "doushouqi", figures_animal_refuges},
    {"animal-traps", "doushouqi", figures_animal_traps},
    {"asesina-blocked", "oca-asesina", figures_asesina_blocked},
    {"asesina-carried", "oca-asesina", figures_asesina_carried},
    {"asesina-choices", "oca-asesina", figures_asesina_choices},
    {"asesina-course", "oca-asesina", figures_asesina_course},
    {"asesina-course-learned", "oca-asesina", figures_asesina_course_learned},
    {"asesina-course-played", "oca-asesina", figures_asesina_course_played},
    {"asesina-duties", "oca-asesina", figures_asesina_duties},
    {"auale-histories", "auale", figures_auale_histories},
    {"oca-search", "oca", figures_oca_search},
    {"phutball-edge-block", "phutball", figures_phutball_edge_block},
    {"phutball-paths", "phutball", figures_phutball_paths},
    {"phutball-spoil", "phutball", figures_phutball_spoil},
    {"phutball-ways-back", "phutball", figures_phutball_ways_back},
};
enum { LISTED = sizeof list / sizeof *list };

static const option own_options[] = {{"rules", "NAME[,FLAG…]", "the rule set", NULL},
                                     {"cycles", "RULE", "aualé: the cycle rule", NULL},
                                     {"board", "7x3", "phutball and oca asesina: the board", NULL},
                                     {"seeds", "N", "aualé: up to N seeds", NULL},
                                     {"pieces", "K", "dou shou qi: materials of up to K pieces", NULL},
                                     {"tokens", "K", "oca asesina: K tokens of each side", NULL},
                                     {"every", NULL, "oca asesina: every stored position", NULL}};
static const option_group own_group = OPTION_GROUP("Figures", own_options);
static const option_group *const groups[] = {&game_options_folder_group, &own_group, &options_running, NULL};

static tauler_error find_figures(const char *name, const entry **out, tauler_message *message) {
  const char *names[LISTED];
  for (size_t i = 0; i < LISTED; i++) {
    if (strcmp(list[i].name, name) == 0) {
      *out = &list[i];
      return TAULER_OK;
    }
    names[i] = list[i].name;
  }
  const char *near = text_nearest(name, names, LISTED);
  return tauler_fail(message, TAULER_BAD_USAGE, "there are no figures called '%.60s'%s%s%s", name,
                     near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
}

static tauler_error print_figures(const entry *one, const claim_job *job, const char *cycles,
                                  tauler_message *message) {
  claim_error kept = {.error = TAULER_OK};
  claim_tables t;
  json_writer json;
  json_open_file(&json, stdout);
  if (claim_tables_open(&t, job, &kept, one->game, job->rules, cycles)) {
    json_begin_object(&json);
    one->print(&t, &json);
    json_end_object(&json);
    claim_tables_close(&t);
  }
  const tauler_error unprinted = json_close(&json, message), error = claim_error_of(&kept, message);
  return error ? error : unprinted;
}

static tauler_error run_figures(const options *parsed, tauler_message *message) {
  const entry *one = NULL;
  const char *more[FIGURES_MOST_RULES];
  memory_budget memory;
  int threads = 0, named = 0;
  uint64_t seeds = 0, pieces = 0, tokens = 0, limit = 0;
  tauler_error error = find_figures(options_argument(parsed, 0), &one, message);
  if (!error) error = options_number(parsed, "seeds", 1, 48, &seeds, message);
  if (!error) error = options_number(parsed, "pieces", 2, 5, &pieces, message);
  if (!error) error = options_number(parsed, "tokens", 1, 4, &tokens, message);
  if (!error) error = threads_option(parsed, &threads, message);
  if (!error) error = options_size(parsed, "memory", &limit, message);
  if (error) return error;
  memory_budget_open(&memory, limit);
  for (size_t i = 1; i < options_arguments(parsed); i++) more[named++] = options_argument(parsed, i);
  const claim_job job = {.folder = game_options_folder(parsed),
                         .rules = options_get(parsed, "rules"),
                         .board = options_get(parsed, "board"),
                         .more = more,
                         .more_used = named,
                         .seeds = (int)seeds,
                         .pieces = (int)pieces,
                         .tokens = (int)tokens,
                         .every = options_has(parsed, "every"),
                         .threads = threads,
                         .memory = &memory};
  return print_figures(one, &job, options_get(parsed, "cycles"), message);
}

const command command_figures = {.name = "figures",
                                 .arguments = "NAME [RULES…]",
                                 .most_arguments = 1 + FIGURES_MOST_RULES,
                                 .groups = groups,
                                 .run = run_figures};
