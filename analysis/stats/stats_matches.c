/* Prints the scores of matches between policies. */
#include "analysis/stats/stats.h"

#include <stdio.h>
#include <string.h>

#include "analysis/print/print.h"
#include "base/text.h"
#include "base/text_show.h"
#include "parallel/mail.h"

enum { MOST_POLICIES = SURVEY_MOST_POLICIES, BEST = 0, NAME_BYTES = 24 };
static const char *const best_name = "best";

/* Policies by number: the best one, those of the game, then the learned ones that are asked for. */
typedef struct {
  const stats_job *job;
  const reached *looked_at; /* positions to play from, or NULL for every stored position */
  const char *names[MOST_POLICIES + 1];
  size_t used, learned_from; /* learned_from is the number of the first learned policy */
  match_simple simple[MOST_POLICIES + 1];
  match_best best;
  learned_player learned[2];
  match_result found[(MOST_POLICIES + 1) * (MOST_POLICIES + 1)]; /* results of the pairs of policies that are
                                                                    asked for, in their order */
} table_of_matches;

bool stats_matches_need_tables(const char *first, const char *second) {
  return !first || !second || strcmp(first, best_name) == 0 || strcmp(second, best_name) == 0;
}

static void list_policies(table_of_matches *t) {
  const chance_policies *policies = t->job->game->chance->policies;
  t->names[t->used++] = best_name;
  for (size_t p = 0; p < MOST_POLICIES && policies->names[p]; p++) {
    t->simple[t->used] = (match_simple){policies, p};
    t->names[t->used++] = policies->names[p];
  }
  t->learned_from = t->used;
}

/* A policy that plays in both seats is opened once. */
static tauler_error add_learned(table_of_matches *t, const char *name, tauler_message *message) {
  const char *path = name ? learned_path(name) : NULL;
  const size_t place = t->used - t->learned_from;
  if (!path || (place && strcmp(t->names[t->learned_from], name) == 0)) return TAULER_OK;
  if (t->used > MOST_POLICIES) return tauler_fail(message, TAULER_INTERNAL, "too many policies");
  t->names[t->used++] = name;
  return learned_player_open(path, t->job->game, t->job->rules, &t->learned[place], message);
}

static simulate_policy policy_of(table_of_matches *t, size_t number) {
  if (number >= t->learned_from) return learned_player_policy(&t->learned[number - t->learned_from]);
  return number == BEST ? match_policy_best(&t->best) : match_policy(&t->simple[number]);
}

static bool is_wanted(const char *wanted, const char *name) {
  return !wanted || strcmp(wanted, name) == 0;
}

static bool is_asked(const table_of_matches *t, size_t first, size_t second) {
  return is_wanted(t->job->first, t->names[first]) && is_wanted(t->job->second, t->names[second]);
}

/* Returns the number of a pair among those asked for. */
static size_t number_of_pair(const table_of_matches *t, size_t first, size_t second) {
  size_t number = 0;
  for (size_t i = 0; i < first * t->used + second; i++) number += is_asked(t, i / t->used, i % t->used);
  return number;
}

static tauler_error check_name(const table_of_matches *t, const char *name, tauler_message *message) {
  char list[256] = "";
  for (size_t p = 0; p < t->used; p++) {
    if (is_wanted(name, t->names[p])) return TAULER_OK;
    text_add(list, sizeof list, "%s%s", p ? ", " : "", t->names[p]);
  }
  const char *nearest = text_nearest(name, t->names, t->used);
  return tauler_fail(message, TAULER_BAD_USAGE, "%s has no policy '%.40s'%s%s; there are %s",
                     t->job->game->name, name, nearest ? "; did you mean " : "", nearest ? nearest : "",
                     list);
}

static void print_csv(bool keys, const char *first, const char *second, const match_result *found) {
  stats_row(keys, JSON_TEXT("first", first), JSON_TEXT("second", second),
            JSON_BELOW("score_lower", found->lower[POLICY_SCORE]),
            JSON_TEXT("score_upper", text_above(found->upper[POLICY_SCORE]).text),
            JSON_BELOW("turns_lower", found->lower[POLICY_TURNS]),
            JSON_TEXT("turns_upper", text_above(found->upper[POLICY_TURNS]).text));
}

static void print_match_json(const table_of_matches *t, size_t first, size_t second) {
  const stats_job *job = t->job;
  const match_result *found = &t->found[number_of_pair(t, first, second)];
  json_line(stdout, JSON_TEXT("game", job->game->name), JSON_TEXT("rules", job->game->rules_text(job->rules)),
            JSON_TEXT("first", t->names[first]), JSON_TEXT("second", t->names[second]),
            JSON_OUTER("score", found->lower[POLICY_SCORE], found->upper[POLICY_SCORE]),
            JSON_OUTER("turns", found->lower[POLICY_TURNS], found->upper[POLICY_TURNS]),
            JSON_TEXT("counted", t->looked_at ? "reached" : "every"),
            JSON_COUNT("positions", found->positions), JSON_COUNT("endless", found->endless));
}

/* Prints a result with seven decimals if its bounds nearly meet, otherwise as dice_words_of writes it. */
static void print_cell(const match_result *found, int quantity) {
  char text[NAME_BYTES];
  snprintf(text, sizeof text, "%.*s", NAME_BYTES - 1,
           dice_words_of(true, found->lower[quantity], found->upper[quantity]).text);
  if (found->upper[quantity] - found->lower[quantity] < 1e-8)
    snprintf(text, sizeof text, "%.7f", (found->lower[quantity] + found->upper[quantity]) / 2);
  printf("  %14s", text);
}

static void print_matrix(const table_of_matches *t, const char *what, int quantity) {
  printf("%s\n%-16s", what, "");
  for (size_t second = 0; second < t->used; second++)
    if (is_wanted(t->job->second, t->names[second])) printf("  %14s", text_shown(t->names[second]).text);
  printf("\n");
  for (size_t first = 0; first < t->used; first++) {
    if (!is_wanted(t->job->first, t->names[first])) continue;
    printf("%-16s", text_shown(t->names[first]).text);
    for (size_t second = 0; second < t->used; second++)
      if (is_asked(t, first, second)) print_cell(&t->found[number_of_pair(t, first, second)], quantity);
    printf("\n");
  }
}

static tauler_error play_match(table_of_matches *t, size_t first, size_t second, tauler_message *message) {
  const stats_job *job = t->job;
  progress *shown = job->shown;
  char step[2 * NAME_BYTES + 16];
  const match_job match = {.game = job->game,
                           .rules = job->rules,
                           .slices = job->slices,
                           .reached = t->looked_at,
                           .raises = policy_of(t, first),
                           .lowers = policy_of(t, second),
                           .width = job->width,
                           .threads = job->settings.threads,
                           .memory = job->memory,
                           .shown = shown};
  snprintf(step, sizeof step, "%s against %s", t->names[first], t->names[second]);
  progress_start(shown, step, "positions", game_slices_positions(job->slices), 0);
  tauler_error error = match_solve(&match, &t->found[number_of_pair(t, first, second)], message);
  if (t->best.error) error = tauler_fail(message, (tauler_error)t->best.error, "%s", t->best.message.text);
  if (error) {
    progress_abandon(shown);
  } else {
    progress_finish(shown);
  }
  return error;
}

static void print_match(const table_of_matches *t, size_t first, size_t second) {
  if (t->job->form == FORM_CSV)
    print_csv(false, t->names[first], t->names[second], &t->found[number_of_pair(t, first, second)]);
  if (t->job->form == FORM_JSON) print_match_json(t, first, second);
  if (t->job->form != FORM_TEXT) fflush(stdout); /* a match may take minutes */
}

/* If there are several ranks, each plays some matches, and results are printed at the end. */
static tauler_error play_matches(table_of_matches *t, tauler_message *message) {
  const int form = t->job->form;
  comm *ranks = t->job->ranks;
  const size_t pairs = t->used * t->used, self = (size_t)comm_rank(ranks), others = (size_t)comm_ranks(ranks);
  tauler_error error = TAULER_OK;
  if (form == FORM_CSV) print_csv(true, "", "", t->found);
  for (size_t i = 0, n = 0; i < pairs && !error && !print_is_lost(ranks); i++) {
    const size_t first = i / t->used, second = i % t->used;
    if (!is_asked(t, first, second) || n++ % others != self) continue;
    error = play_match(t, first, second, message);
    if (!error && others == 1) print_match(t, first, second);
  }
  error = comm_agree(ranks, error, message);
  if (!error)
    error = mail_gather(ranks, t->job->memory, t->found, number_of_pair(t, t->used, 0), sizeof *t->found,
                        message);
  for (size_t i = 0; i < pairs && others > 1 && !error; i++)
    if (is_asked(t, i / t->used, i % t->used)) print_match(t, i / t->used, i % t->used);
  if (error || form != FORM_TEXT) return error;
  print_matrix(t, "score of seat 1, which plays by the policy of its row, against that of the column",
               POLICY_SCORE);
  print_matrix(t, "turns of both seats, lost ones included", POLICY_TURNS);
  return TAULER_OK;
}

static tauler_error find_reached_and_play(table_of_matches *t, tauler_message *message) {
  const stats_job *job = t->job;
  reached found;
  tauler_error error = stats_find_reached(job, &found, &t->looked_at, message);
  if (!error) error = play_matches(t, message);
  reached_close(&found);
  return error;
}

tauler_error stats_print_matches(const stats_job *job, tauler_message *message) {
  table_of_matches t = {.job = job};
  if (!job->game->chance->policies)
    return tauler_fail(message, TAULER_BAD_USAGE, "nobody chooses in %s, so there are no matches of policies",
                       job->game->name);
  list_policies(&t);
  tauler_error error = add_learned(&t, job->first, message);
  if (!error) error = add_learned(&t, job->second, message);
  if (!error && job->first) error = check_name(&t, job->first, message);
  if (!error && job->second) error = check_name(&t, job->second, message);
  if (!error && job->tables) {
    match_best_open(&t.best, job->tables);
    error = stats_open_dice_tables(job, true, message);
  }
  error = comm_agree(job->ranks, error, message);
  if (!error) error = find_reached_and_play(&t, message);
  for (int i = 0; i < 2; i++) learned_player_close(&t.learned[i]);
  return error;
}
