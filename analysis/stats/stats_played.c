/* Plays games from the start of each slice, and lists what they come to. */
#include "analysis/stats/stats_played.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/dice/simulate.h"
#include "analysis/print/print_dice.h"
#include "analysis/probe/chance_worth.h"
#include "base/csv.h"
#include "base/text.h"

enum { BEST = -1, ANY = -2 }; /* in place of a policy of the game */

/* Who chooses how: by tables, with even odds, or by a policy of the game. */
typedef struct {
  tauler_tables *tables;
  int policy;
} player;

/* --- choices ----------------------------------------------------------------------------------------------
 */

static int pick_best(const player *p, const game_position *position, const game_moves *moves) {
  chance_move *ranked = malloc(moves->used * sizeof *ranked);
  if (!ranked) return -1 - TAULER_NO_MEMORY;
  const tauler_error error = chance_rank_moves(p->tables, position, moves, ranked, NULL);
  const int best = error ? -1 - (int)error : (int)ranked[0].ranked.order;
  free(ranked);
  return best;
}

static int pick(const void *user, const game_rules *rules, const game_position *position, size_t roll,
                const game_moves *moves) {
  const player *p = user;
  if (p->policy == BEST) return pick_best(p, position, moves);
  const chance_policies *policies = p->tables->game->chance->policies;
  return p->policy == ANY ? -1 : policies->pick(rules, (size_t)p->policy, position, roll, moves);
}

static bool find_policy(const game *game, const char *name, size_t n, int *out) {
  static const char best[] = "best", random[] = "random";
  *out = n == sizeof best - 1 && memcmp(name, best, n) == 0 ? BEST : ANY;
  if (*out == BEST || (n == sizeof random - 1 && memcmp(name, random, n) == 0)) return true;
  const chance_policies *policies = game->chance->policies;
  for (*out = 0; policies && policies->names[*out]; ++*out) {
    if (strlen(policies->names[*out]) == n && memcmp(name, policies->names[*out], n) == 0) return true;
  }
  return false;
}

static tauler_error read_players(const stats_played_job *job, player players[2], tauler_message *message) {
  const char *names = job->policies ? job->policies : "best", *comma = strchr(names, ',');
  const char *second = comma ? comma + 1 : names;
  const size_t n = comma ? (size_t)(comma - names) : strlen(names);
  const game *game = job->tables->game;
  players[0].tables = players[1].tables = job->tables;
  if (find_policy(game, names, n, &players[0].policy) &&
      find_policy(game, second, strlen(second), &players[1].policy))
    return TAULER_OK;
  const chance_policies *policies = game->chance->policies;
  const bool has_random = policies && policies->names[0] && strcmp(policies->names[0], "random") == 0;
  char known[GAME_TEXT_BYTES];
  snprintf(known, sizeof known, "best%s", has_random ? "" : ", random");
  for (size_t i = 0; policies && policies->names[i]; i++)
    snprintf(known + strlen(known), sizeof known - strlen(known), ", %s", policies->names[i]);
  return tauler_fail(message, TAULER_BAD_USAGE, "'%.60s' is no way to choose, or two of them; there are: %s",
                     names, known);
}

/* --- printing ---------------------------------------------------------------------------------------------
 */

typedef struct {
  char slice[GAME_TEXT_BYTES], position[GAME_TEXT_BYTES];
  simulate_result played;
  chance_values values; /* of the start, if tables are there */
  int first_seat;
} figures;

/* Values stand by absolute seat. */
static int value_of(const figures *f, int quantity) {
  const int seats = f->played.quantities.seats;
  return quantity < seats ? (quantity + f->first_seat) % seats : quantity;
}

static void print_text(const stats_played_job *job, const figures *f) {
  printf("slice %s, from %s: %" PRIu64 " games, seed %" PRIu64 "\n", f->slice, f->position, f->played.games,
         job->seed);
  for (int q = 0; q < f->played.quantities.used; q++) {
    const int value = value_of(f, q);
    printf("  %-12s  %.9g ± %.2g", f->played.quantities.list[q].name, f->played.mean[q], f->played.error[q]);
    if (f->values.known)
      printf("  tables: %s", dice_words_of(true, f->values.lower[value], f->values.upper[value]).text);
    printf("\n");
  }
  if (f->played.given_up)
    printf("  %" PRIu64 " more games were given up, for they did not end\n", f->played.given_up);
}

static void print_csv(const stats_played_job *job, const figures *f) {
  csv_writer csv;
  csv_open(&csv, stdout);
  for (int q = 0; q < f->played.quantities.used; q++) {
    csv_text(&csv, f->slice);
    csv_text(&csv, f->played.quantities.list[q].name);
    csv_text(&csv, text_real(f->played.mean[q]).text);
    csv_text(&csv, text_real(f->played.error[q]).text);
    csv_unsigned(&csv, f->played.games);
    csv_unsigned(&csv, job->seed);
    csv_end_row(&csv);
  }
}

static void print_json(const stats_played_job *job, const figures *f) {
  json_writer json;
  json_open_file(&json, stdout);
  json_begin_object(&json);
  json_field_string(&json, "game", job->tables->game->name);
  json_field_string(&json, "rules", job->tables->game->rules_text(job->tables->rules));
  json_field_string(&json, "slice", f->slice);
  json_field_string(&json, "position", f->position);
  json_field_unsigned(&json, "games", f->played.games);
  json_field_unsigned(&json, "given_up", f->played.given_up);
  json_field_unsigned(&json, "seed", job->seed);
  json_key(&json, "quantities");
  json_begin_object(&json);
  for (int q = 0; q < f->played.quantities.used; q++) {
    const int value = value_of(f, q);
    json_key(&json, f->played.quantities.list[q].name);
    json_begin_object(&json);
    json_field_number(&json, "mean", f->played.mean[q]);
    json_field_number(&json, "error", f->played.error[q]);
    json_key(&json, "bounds");
    dice_bounds_to_json(&json, f->values.known, f->values.lower[value], f->values.upper[value]);
    json_end_object(&json);
  }
  json_end_object(&json);
  json_end_object(&json);
  json_close(&json, NULL); /* a lost line is found when standard output is closed */
}

/* --- slices -----------------------------------------------------------------------------------------------
 */

/* Finds out that tables are missing before anything is played. */
static tauler_error open_all(const stats_played_job *job, tauler_message *message) {
  for (size_t i = 0; i < job->slices->used; i++) {
    const uint32_t slice = job->slices->slices[i].slice;
    slice_entry *entry = slice_entry_of(job->tables, slice, message);
    if (!entry) return TAULER_NO_MEMORY;
    const table *opened;
    tauler_error error = slice_table(job->tables, entry, STREAMS_LOWER, 0, &opened, message);
    if (!error) error = slice_table(job->tables, entry, STREAMS_UPPER, 0, &opened, message);
    if (error == TAULER_TABLE_MISSING)
      return slice_is_missing(job->tables, job->request, slice, false, message);
    if (error) return error;
  }
  return TAULER_OK;
}

static tauler_error play_slice(const stats_played_job *job, const player players[2], uint32_t slice,
                               figures *f, tauler_message *message) {
  const game *game = job->tables->game;
  const game_rules *rules = job->tables->rules;
  game_position start;
  game_slice_title(game, rules, slice, f->slice);
  game->chance->start(rules, slice, &start);
  game->print(rules, &start, f->position);
  const simulate_job played = {.game = game,
                               .rules = rules,
                               .start = &start,
                               .raises = {pick, &players[0]},
                               .lowers = {pick, &players[1]},
                               .games = job->games,
                               .seed = job->seed,
                               .threads = job->threads,
                               .ranks = job->ranks,
                               .memory = job->memory,
                               .shown = job->shown};
  progress_start(job->shown, f->slice, "games", job->games, 0);
  tauler_error error = simulate(&played, &f->played, message);
  progress_abandon(job->shown);
  if (error) return error;
  if (f->played.quantities.seats > 0) f->first_seat = game->chance->first_seat(rules, &start);
  error = chance_values_of(job->tables, &start, &f->values, message);
  return comm_agree(job->ranks, error == TAULER_TABLE_MISSING ? TAULER_OK : error, message);
}

tauler_error stats_played(const stats_played_job *job, tauler_message *message) {
  player players[2];
  tauler_error error = read_players(job, players, message);
  bool chosen = false;
  for (size_t i = 0; i < job->slices->used; i++) {
    chance_quantities quantities;
    job->tables->game->chance->quantities(job->tables->rules, job->slices->slices[i].slice, &quantities);
    chosen = chosen || quantities.chosen;
  }
  if (!error && chosen && (players[0].policy == BEST || players[1].policy == BEST))
    error = open_all(job, message);
  error = comm_agree(job->ranks, error, message);
  if (error) return error;
  csv_writer csv;
  csv_open(&csv, stdout);
  if (job->form == FORM_CSV) csv_row(&csv, "slice", "quantity", "mean", "error", "games", "seed");
  for (size_t i = 0; i < job->slices->used && !error && !print_is_lost(job->ranks); i++) {
    if (!job->slices->slices[i].asked) continue;
    figures f = {.first_seat = 0};
    error = play_slice(job, players, job->slices->slices[i].slice, &f, message);
    if (error) return error;
    if (job->form == FORM_CSV) {
      print_csv(job, &f);
    } else if (job->form == FORM_JSON) {
      print_json(job, &f);
    } else {
      print_text(job, &f);
    }
  }
  return error;
}
