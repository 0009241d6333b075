/* Runs the part of the command stats about games of dice. */
#include "analysis/stats/stats.h"

#include <stdio.h>

#include "base/text.h"
#include "games/game_options.h"

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
const option_group command_stats_dice_group = OPTION_GROUP("Games of dice", dice_options);

/* --- combinations of options --- */

static tauler_error refuse_unfit_options(const options *parsed, const game *chosen, bool dice,
                                         tauler_message *message) {
  static const char *const of_others[] = {"depths", "boards", "plot", "plot-of"};
  const size_t n = dice ? sizeof of_others / sizeof *of_others : sizeof dice_options / sizeof *dice_options;
  for (size_t i = 0; i < n; i++) {
    const char *name = dice ? of_others[i] : dice_options[i].name;
    if (!options_has(parsed, name)) continue;
    return tauler_fail(message, TAULER_BAD_USAGE,
                       dice ? "%s is a game of dice, which has no --%s"
                            : "%s is no game of dice, and --%s is for games of dice",
                       chosen->name, name);
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

tauler_error command_stats_dice_check(const options *parsed, const game *chosen, bool dice,
                                      tauler_message *message) {
  tauler_error error = refuse_unfit_options(parsed, chosen, dice, message);
  if (!error) error = refuse_exclusive_options(parsed, message);
  return error ? error : refuse_incomplete_options(parsed, message);
}

/* --- answers --- */

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

tauler_error command_stats_dice(const options *parsed, stats_job *job, tauler_message *message) {
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

bool command_stats_dice_needs_tables(const options *parsed) {
  if (options_has(parsed, "exact")) return false;
  return !options_has(parsed, "matches") ||
         stats_matches_need_tables(options_get(parsed, "first"), options_get(parsed, "second"));
}

/* Half of the memory is left for surveys, which need a bit or two for each position. */
size_t command_stats_dice_cache_bytes(const options *parsed, const memory_budget *memory) {
  if (!options_has(parsed, "memory") || options_has(parsed, "matches")) return 0;
  const bool surveyed = options_has(parsed, "choices") || options_has(parsed, "policies");
  return surveyed && !options_has(parsed, "every") ? memory_left(memory) / 2 : memory_left(memory);
}
