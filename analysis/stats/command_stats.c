/* Runs the command stats. */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/print/open_folders.h"
#include "analysis/stats/stats.h"
#include "base/command/terminal.h"
#include "base/command/threads.h"
#include "base/text.h"
#include "games/game_options.h"
#include "solver/run/build.h"
#include "solver/run/command_ranks.h"

static const option own_options[] = {
    {"boards", "WHICH",
     "table (default): positions that tables hold; all: also those that no move leads to, valued by their "
     "moves",
     "all table"},
    {"depths", NULL, "count by depth as well; needs tables built with --depth", NULL},
    {"total", NULL, "also the sum of all that is printed; games of dice: the start of the game", NULL},
    {"csv", NULL,
     "rows slice,value,count; of bounds slice,lower,upper,count; with --depths a depth (of bounds two) "
     "before the count; of dice slice,quantity,lower,upper",
     NULL},
    {"json", NULL, "one JSON object per slice or material", NULL},
    TERMINAL_COLOR_OPTION,
    {"plot", "FILE", "also draw a picture, FILE.svg or FILE.png, by matplotlib", "@file"},
    {"plot-of", "WHAT",
     "what --plot shows: winners of every slice (default), values of the last slice, or depths (default with "
     "--depths)",
     "winners values depths"},
    {"threads", "N", "threads to work with; default: the processors this process may use", NULL},
    {"memory", "SIZE",
     "most memory for values, such as 512M; what does not fit is looked up one by one, slower", NULL},
    {"disk", "SIZE",
     "most disk beside the tables for values that do not fit in memory; default: none, see --memory", NULL},
    {"quiet", NULL, "no progress", NULL},
};
static const option_group own_group = OPTION_GROUP("Counting", own_options);
static const option dice_options[] = {
    {"choices", NULL, "also how many decisions are real choices; reads every position", NULL},
    {"policies", NULL, "the same, and the most that simple policies lose", NULL},
    {"sample", "N",
     "with --choices, --policies: look at one stored position in N; default: all up to ten million of a "
     "slice",
     NULL},
    {"every", NULL,
     "with --choices, --policies, --matches: every stored position; default: those that play from the start "
     "reaches",
     NULL},
    {"exact", NULL, "games without choices: exact rationals, without any table", NULL},
    {"matches", NULL, "scores of the best moves and of simple policies, each against each", NULL},
    {"first", "NAME",
     "with --matches: only those in which seat 1 plays so: best (by tables), a policy, or learned:FILE",
     NULL},
    {"second", "NAME", "with --matches: only those in which seat 2 plays so", NULL},
    {"width", "W", "with --matches: how far lower and upper bounds may lie apart (1e-9)", NULL},
    {"simulate", "N", "play N games from the start of every slice, and print their scores", NULL},
    {"seed", "S", "with --simulate: seed of the rolls; default: 1", NULL},
    {"play", "HOW",
     "with --simulate: best (default, by the tables), random, a policy, or learned:FILE by tauler learn; two "
     "with a comma: seat 1's, seat 2's. With --policies: learned:FILE",
     NULL},
    {"regrets", NULL, "with --simulate: what choices lose, by the tables", NULL},
    {"swap", NULL,
     "with --simulate: plays each game twice with the same dice and exchanged seats; the mean is the score "
     "of the first player of --play",
     NULL},
    {"start", NULL, "with --simulate: from the start of the game alone, not of every slice", NULL},
};
static const option_group dice_group = OPTION_GROUP("Games of dice", dice_options);
static const option ranks_options[] = {RANKS_FOLD_OPTION, RANKS_WATCHDOG_OPTION};
static const option_group ranks_group = OPTION_GROUP("Ranks", ranks_options);
static const option_group *const groups[] = {
    &game_options_group, &game_options_folders_group, &own_group, &dice_group, &ranks_group, NULL};

static tauler_error read_options(const options *parsed, stats_job *j, tauler_message *message) {
  int threads = 1;
  uint64_t bytes = 0, disk = 0;
  size_t boards = 1;
  tauler_error error = threads_option(parsed, &threads, message);
  if (!error) error = options_word(parsed, "boards", &boards, message);
  if (!error) error = options_size(parsed, "memory", &bytes, message);
  if (!error) error = options_size(parsed, "disk", &disk, message);
  if (!error) error = terminal_color_option(parsed, stdout, &j->colored, message);
  memory_budget_open(j->memory, bytes);
  if (disk) memory_use_disk(j->memory, game_options_folder(parsed), disk);
  j->settings = (tally_settings){
      .with_depths = options_has(parsed, "depths"), .outside = boards == 0, .threads = threads};
  j->with_total = options_has(parsed, "total");
  j->form = options_has(parsed, "csv") ? FORM_CSV : options_has(parsed, "json") ? FORM_JSON : FORM_TEXT;
  if (!error && options_has(parsed, "csv") && options_has(parsed, "json")) {
    error = tauler_fail(message, TAULER_BAD_USAGE, "--csv and --json exclude each other");
  }
  return error;
}

static tauler_error refuse_unfit_options(const options *parsed, const stats_job *j, tauler_message *message) {
  static const char *const of_others[] = {"depths", "boards", "plot", "plot-of"};
  const bool dice = j->game->kind(j->rules) == SOLVE_CHANCE;
  const size_t n = dice ? sizeof of_others / sizeof *of_others : sizeof dice_options / sizeof *dice_options;
  for (size_t i = 0; i < n; i++) {
    const char *name = dice ? of_others[i] : dice_options[i].name;
    if (!options_has(parsed, name)) continue;
    return tauler_fail(message, TAULER_BAD_USAGE,
                       dice ? "%s is a game of dice, which has no --%s"
                            : "%s is no game of dice, and --%s is for games of dice",
                       j->game->name, name);
  }
  return TAULER_OK;
}

static tauler_error refuse_exclusive_options(const options *parsed, tauler_message *message) {
  static const char *const kinds[] = {"exact", "matches", "simulate", "choices", "policies"};
  const char *chosen = NULL;
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (!options_has(parsed, kinds[i])) continue;
    if (chosen)
      return tauler_fail(message, TAULER_BAD_USAGE, "--%s and --%s exclude each other", chosen, kinds[i]);
    chosen = kinds[i];
  }
  if (options_has(parsed, "swap") && options_has(parsed, "regrets"))
    return tauler_fail(message, TAULER_BAD_USAGE, "--swap and --regrets exclude each other");
  if (options_has(parsed, "total") &&
      (options_has(parsed, "exact") || options_has(parsed, "matches") || options_has(parsed, "simulate")))
    return tauler_fail(message, TAULER_BAD_USAGE, "--%s and --total exclude each other", chosen);
  return TAULER_OK;
}

/* Refuses an option that needs one of others if none of them is given. */
static tauler_error refuse_incomplete_options(const options *parsed, tauler_message *message) {
  static const char *const belongs[][4] = {{"sample", "choices", "policies"},
                                           {"every", "choices", "policies", "matches"},
                                           {"first", "matches"},
                                           {"second", "matches"},
                                           {"width", "matches"},
                                           {"seed", "simulate"},
                                           {"play", "simulate", "policies"},
                                           {"regrets", "simulate"},
                                           {"start", "simulate"},
                                           {"swap", "simulate"}};
  for (size_t i = 0; i < sizeof belongs / sizeof *belongs; i++) {
    const char *const *of = belongs[i];
    char list[64] = "";
    bool goes = !options_has(parsed, of[0]);
    for (size_t j = 1; j < 4 && of[j]; j++) {
      const char *before = j == 1 ? "" : j == 3 || !of[j + 1] ? " or " : ", ";
      goes = goes || options_has(parsed, of[j]);
      text_add(list, sizeof list, "%s--%s", before, of[j]);
    }
    if (!goes) return tauler_fail(message, TAULER_BAD_USAGE, "--%s goes with %s", of[0], list);
  }
  return TAULER_OK;
}

static tauler_error print_expectations(const options *parsed, stats_job *job, tauler_message *message) {
  const char *name = options_get(parsed, "play"), *path = name ? learned_path(name) : NULL;
  learned_player learned = {.sketch = NULL};
  tauler_error error = options_number(parsed, "sample", 1, UINT64_MAX, &job->stride, message);
  if (!error && name && !path)
    error = tauler_fail(message, TAULER_BAD_USAGE,
                        "--policies always looks at '%.40s', or has no such policy; --play learned:FILE adds "
                        "a player that learned",
                        name);
  if (!error && path) error = learned_player_open(path, job->game, job->rules, &learned, message);
  const survey_player more = {name, learned_player_policy(&learned)};
  stats_job printed = *job;
  if (path) printed.more = &more;
  error = comm_agree(job->ranks, error, message);
  if (!error) error = stats_print_expectations(&printed, message);
  learned_player_close(&learned);
  return error;
}

static tauler_error answer_request(const options *parsed, stats_job *job, tauler_message *message) {
  if (job->game->kind(job->rules) != SOLVE_CHANCE) return stats_print_counts(job, message);
  job->survey = options_has(parsed, "policies")  ? SURVEY_POLICIES
                : options_has(parsed, "choices") ? SURVEY_CHOICES
                                                 : SURVEY_NONE;
  job->every = options_has(parsed, "every");
  job->first = options_get(parsed, "first");
  job->second = options_get(parsed, "second");
  job->width = 1e-9;
  job->policies = options_get(parsed, "play");
  job->swapped = options_has(parsed, "swap");
  job->regrets = options_has(parsed, "regrets");
  job->start = options_has(parsed, "start");
  job->seed = 1;
  tauler_error error = options_real(parsed, "width", 1e-14, 1, &job->width, message);
  if (!error) error = options_number(parsed, "simulate", 1, UINT64_MAX, &job->games, message);
  if (!error) error = options_number(parsed, "seed", 0, UINT64_MAX, &job->seed, message);
  if (error) return error;
  if (options_has(parsed, "exact")) return stats_print_exact(job, message);
  if (options_has(parsed, "matches")) return stats_print_matches(job, message);
  if (options_has(parsed, "simulate")) return stats_print_played(job, message);
  return print_expectations(parsed, job, message);
}

static bool needs_tables(const options *parsed) {
  if (options_has(parsed, "exact")) return false;
  return !options_has(parsed, "matches") ||
         stats_matches_need_tables(options_get(parsed, "first"), options_get(parsed, "second"));
}

/* Returns the size of the cache, or 0 for the default. Leaves half of the memory for a survey of reached
 * positions, which needs a bit or two for each position. */
static size_t cache_bytes(const options *parsed, const memory_budget *memory) {
  if (!options_has(parsed, "memory") || options_has(parsed, "matches")) return 0;
  const bool surveyed = options_has(parsed, "choices") || options_has(parsed, "policies");
  return surveyed && !options_has(parsed, "every") ? memory_left(memory) / 2 : memory_left(memory);
}

static tauler_error open_plot(const options *parsed, stats_job *j, tauler_message *message) {
  size_t subject = j->settings.with_depths ? PLOT_DEPTHS : PLOT_WINNERS;
  const tauler_error error = options_word(parsed, "plot-of", &subject, message);
  if (error) return error;
  if (options_has(parsed, "plot-of") && !options_has(parsed, "plot"))
    return tauler_fail(message, TAULER_BAD_USAGE, "--plot-of goes with --plot");
  if (subject == PLOT_DEPTHS && !j->settings.with_depths)
    return tauler_fail(message, TAULER_BAD_USAGE, "--plot-of depths goes with --depths");
  if (!options_has(parsed, "plot") || !comm_is_root(j->ranks)) return TAULER_OK;
  return stats_plot_open(options_get(parsed, "plot"), (plot_subject)subject, &j->plot, message);
}

/* Takes over the rules. */
static tauler_error count_on_rank(const options *parsed, game_rules *rules, stats_job *j,
                                  tauler_message *message) {
  const bool dice = j->game->kind(rules) == SOLVE_CHANCE;
  tauler *db = NULL;
  tauler_error error = comm_agree(j->ranks, open_plot(parsed, j, message), message);
  if (!error && (!dice || needs_tables(parsed))) {
    error = open_folders(parsed, dice ? cache_bytes(parsed, j->memory) : 0, &db, message);
    if (!error) {
      error = tables_select(db, j->game, rules, &j->tables, message);
      rules = NULL; /* the tables own them */
    }
    if (!error) j->rules = j->tables->rules;
  }
  if (!error) error = answer_request(parsed, j, message);
  if (rules) j->game->close(rules);
  tauler_close(db);
  return error;
}

static tauler_error check_request(const options *parsed, stats_job *j, game_slices *slices,
                                  tauler_message *message) {
  tauler_error error = read_options(parsed, j, message);
  if (!error) error = refuse_unfit_options(parsed, j, message);
  if (!error) error = refuse_exclusive_options(parsed, message);
  if (!error) error = refuse_incomplete_options(parsed, message);
  if (!error)
    error = build_check_depths(&(solve_problem){j->game, j->rules, NULL}, j->settings.with_depths, message);
  if (!error) error = j->game->slices(j->rules, j->request, slices, message);
  return error;
}

static tauler_error run_across_ranks(const options *parsed, ranks_run *ranks, tauler_message *message) {
  game_rules *rules = NULL;
  game_request request;
  game_slices slices = {0};
  memory_budget memory;
  progress shown;
  progress_open(&shown, stderr, progress_choose(options_has(parsed, "quiet"), false));
  stats_job j = {.request = &request, .slices = &slices, .memory = &memory, .shown = &shown};
  tauler_error error = game_options_open(parsed, &j.game, &rules, &request, message);
  j.rules = rules;
  if (!error) error = check_request(parsed, &j, &slices, message);
  workspace work = {.threads = j.settings.threads, .memory = &memory};
  error = ranks_fold(ranks, parsed, groups, error, &work, message);
  if (!error && !ranks->waits) {
    j.settings.threads = work.threads;
    j.ranks = work.comm;
    /* Ranks print to a pipe of the launcher, not to a terminal. */
    if (comm_ranks(ranks->all) > 1 && !options_has(parsed, "color")) j.colored = false;
    if (*ranks->folded) progress_note(&shown, "%s", ranks->folded);
    error = count_on_rank(parsed, rules, &j, message);
    rules = NULL;
  }
  if (rules) j.game->close(rules);
  stats_plot_close(j.plot);
  free(slices.slices);
  return error;
}

static tauler_error run_stats(const options *parsed, tauler_message *message) {
  return ranks_command(parsed, run_across_ranks, message);
}

const command command_stats = {.name = "stats",
                               .arguments = "GAME",
                               .arguments_completion = GAME_OPTIONS_COMPLETION,
                               .groups = groups,
                               .run = run_stats,
                               .refused = ranks_refuse,
                               .waits_to_speak = ranks_wait_to_speak};
