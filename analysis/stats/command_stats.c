/* Runs the command stats. */
#include <stdlib.h>

#include "analysis/print/open_folders.h"
#include "analysis/stats/stats.h"
#include "base/command/terminal.h"
#include "base/command/threads.h"
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
static const option ranks_options[] = {RANKS_FOLD_OPTION, RANKS_WATCHDOG_OPTION};
static const option_group ranks_group = OPTION_GROUP("Ranks", ranks_options);
static const option_group *const groups[] = {&game_options_group, &game_options_folders_group,
                                             &own_group,          &command_stats_dice_group,
                                             &ranks_group,        NULL};

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

static tauler_error answer_request(const options *parsed, stats_job *j, tauler_message *message) {
  if (j->game->kind(j->rules) != SOLVE_CHANCE) return stats_print_counts(j, message);
  return command_stats_dice(parsed, j, message);
}

/* Takes over the rules. */
static tauler_error answer_from_tables(const options *parsed, game_rules *rules, size_t cache_bytes,
                                       stats_job *j, tauler_message *message) {
  tauler *db;
  tauler_error error = open_folders(parsed, cache_bytes, &db, message);
  if (error) {
    j->game->close(rules);
    return error;
  }
  error = tables_select(db, j->game, rules, &j->tables, message);
  if (!error) {
    j->rules = j->tables->rules;
    error = answer_request(parsed, j, message);
  }
  tauler_close(db);
  return error;
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
  tauler_error error = comm_agree(j->ranks, open_plot(parsed, j, message), message);
  if (!error && (!dice || command_stats_dice_needs_tables(parsed))) {
    const size_t cache = dice ? command_stats_dice_cache_bytes(parsed, j->memory) : 0;
    return answer_from_tables(parsed, rules, cache, j, message);
  }
  if (!error) error = answer_request(parsed, j, message);
  j->game->close(rules);
  return error;
}

static tauler_error check_request(const options *parsed, stats_job *j, game_slices *slices,
                                  tauler_message *message) {
  tauler_error error = read_options(parsed, j, message);
  if (!error)
    error = command_stats_dice_check(parsed, j->game, j->game->kind(j->rules) == SOLVE_CHANCE, message);
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
