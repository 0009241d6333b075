/* Plays games from the start of each slice, and prints their results and the regrets of choices. */
#include "analysis/stats/stats.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/dice/survey.h"
#include "analysis/print/print.h"
#include "analysis/probe/chance_worth.h"
#include "base/text.h"

/* --- players --- */

enum { BEST = -1, ANY = -2, LEARNED = -3, NAME_BYTES = 4096, COST_BITS = 40 };

/* A player by tables, by learning, or by a policy of the game, and the regrets of its choices. */
typedef struct {
  tauler_tables *tables;
  int policy;
  bool judged; /* true if the regret of each choice is computed from tables */
  learned_player learned;
  /* Number of choices, and sum and greatest of the regrets in units of 2^-40, rounded down. Integers, so that
   * the order of threads does not matter. */
  _Atomic uint64_t choices, cost_2_40, most_2_40;
} player;

static int pick_move(const player *p, const game_rules *rules, const game_position *position, size_t roll,
                     const game_moves *moves) {
  if (p->policy == LEARNED) {
    const simulate_policy learned = learned_player_policy(&p->learned);
    return learned.pick(learned.user, rules, position, roll, moves);
  }
  const chance_policies *policies = p->tables->game->chance->policies;
  return p->policy == ANY ? -1 : policies->pick(rules, (size_t)p->policy, position, roll, moves);
}

static void note_regret(player *p, double regret) {
  const uint64_t cost = (uint64_t)ldexp(regret, COST_BITS);
  uint64_t most = atomic_load(&p->most_2_40);
  atomic_fetch_add(&p->choices, 1);
  atomic_fetch_add(&p->cost_2_40, cost);
  while (cost > most && !atomic_compare_exchange_weak(&p->most_2_40, &most, cost)) continue;
}

static int pick_and_note_regret(const void *user, const game_rules *rules, const game_position *position,
                                size_t roll, const game_moves *moves) {
  player *p = (player *)(uintptr_t)user; /* not const, since regrets are added to it */
  if (!p->judged && p->policy != BEST) return pick_move(p, rules, position, roll, moves);
  chance_move *ranked = malloc(moves->used * sizeof *ranked);
  if (!ranked) return -1 - TAULER_NO_MEMORY;
  const tauler_error error = chance_rank_moves(p->tables, position, moves, ranked, NULL);
  const int picked = error               ? -1 - (int)error
                     : p->policy == BEST ? (int)ranked[0].ranked.order
                                         : pick_move(p, rules, position, roll, moves);
  if (p->judged && picked >= -1) note_regret(p, survey_regret(ranked, moves->used, picked));
  free(ranked);
  return picked;
}

typedef struct {
  uint64_t choices;
  double mean, sum, most; /* regrets in games won, over all choices */
} regret_figures;

/* Collective: computes the regrets of a player since the last call, on all ranks. Errors: TAULER_IO. */
static tauler_error sum_regrets(player *player, comm *ranks, regret_figures *out, tauler_message *message) {
  uint64_t sums[] = {atomic_exchange(&player->choices, 0), atomic_exchange(&player->cost_2_40, 0)};
  uint64_t most = atomic_exchange(&player->most_2_40, 0);
  tauler_error error = comm_allreduce(ranks, COMM_SUM, sums, 2, message);
  if (!error) error = comm_allreduce(ranks, COMM_MAX, &most, 1, message);
  const double sum = ldexp((double)sums[1], -COST_BITS);
  *out = (regret_figures){.choices = sums[0],
                          .mean = sums[0] ? sum / (double)sums[0] : 0,
                          .sum = sum,
                          .most = ldexp((double)most, -COST_BITS)};
  return error;
}

static bool find_policy(const game *game, const char *name, int *out) {
  *out = strcmp(name, "best") == 0 ? BEST : ANY;
  if (*out == BEST || strcmp(name, "random") == 0) return true;
  const chance_policies *policies = game->chance->policies;
  for (*out = 0; policies && policies->names[*out]; ++*out)
    if (strcmp(policies->names[*out], name) == 0) return true;
  return false;
}

static tauler_error refuse_name(const game *game, const char *names, tauler_message *message) {
  const chance_policies *policies = game->chance->policies;
  const bool has_random = policies && policies->names[0] && strcmp(policies->names[0], "random") == 0;
  char known[GAME_TEXT_BYTES];
  snprintf(known, sizeof known, "best%s", has_random ? "" : ", random");
  for (size_t i = 0; policies && policies->names[i]; i++)
    text_add(known, sizeof known, ", %s", policies->names[i]);
  return tauler_fail(message, TAULER_BAD_USAGE, "'%.60s' is no policy, or more than one; there are: %s%s",
                     names, known, game->chance->features ? ", learned:FILE" : "");
}

static tauler_error open_player(const char *name, const char *names, player *out, tauler_message *message) {
  const tauler_tables *tables = out->tables;
  const char *path = learned_path(name);
  if (path) {
    out->policy = LEARNED;
    return learned_player_open(path, tables->game, tables->rules, &out->learned, message);
  }
  return find_policy(tables->game, name, &out->policy) ? TAULER_OK
                                                       : refuse_name(tables->game, names, message);
}

/* `names` is one policy, or those of seat 1 and seat 2 with a comma between them; NULL means best. */
static tauler_error open_players(const char *names, player players[2], tauler_message *message) {
  const char *all = names ? names : "best", *comma = strchr(all, ',');
  char first[NAME_BYTES];
  snprintf(first, sizeof first, "%.*s", comma ? (int)(comma - all) : (int)strlen(all), all);
  const tauler_error error = open_player(first, all, &players[0], message);
  return error ? error : open_player(comma ? comma + 1 : all, all, &players[1], message);
}

/* --- printing --- */

typedef struct {
  char slice[GAME_TEXT_BYTES], position[GAME_TEXT_BYTES];
  simulate_result played;
  chance_values values; /* values of the start by tables, if these are built */
  int first_seat;
  regret_figures regrets[2];
} figures;

/* Returns the place of a quantity in `values`, which are in the order of absolute seats. */
static int place_of_value(const figures *f, int quantity) {
  const int seats = f->played.quantities.seats;
  return quantity < seats ? (quantity + f->first_seat) % seats : quantity;
}

static double regret_per_game(const figures *f, int seat) {
  return f->played.games ? f->regrets[seat].sum / (double)f->played.games : 0;
}

static void print_text(const stats_job *job, const figures *f) {
  printf("slice %s, from %s: %" PRIu64 " games%s, seed %" PRIu64 "\n", f->slice, f->position, f->played.games,
         job->swapped ? ", each twice, seats swapped" : "", job->seed);
  for (int q = 0; q < f->played.quantities.used; q++) {
    const int value = place_of_value(f, q);
    printf("  %-12s  %.9g ± %.2g", f->played.quantities.list[q].name, f->played.mean[q], f->played.error[q]);
    if (f->values.known)
      printf("  tables: %s", dice_words_of(true, f->values.lower[value], f->values.upper[value]).text);
    printf("\n");
  }
  for (int seat = 0; seat < 2 && job->regrets; seat++)
    printf("  seat %d regrets %.6f a choice, %.6f a game, %.6f at most; %" PRIu64 " choices\n", seat + 1,
           f->regrets[seat].mean, regret_per_game(f, seat), f->regrets[seat].most, f->regrets[seat].choices);
  if (f->played.given_up)
    printf("  %" PRIu64 " more games were given up, for they did not end\n", f->played.given_up);
}

static void print_csv(const stats_job *job, bool keys, const figures *f) {
  for (int seat = 0; seat < (keys ? 1 : 2) && job->regrets; seat++)
    stats_row(keys, JSON_TEXT("slice", f->slice), JSON_COUNT("seat", (uint64_t)seat + 1),
              JSON_COUNT("choices", f->regrets[seat].choices), JSON_NUMBER("mean", f->regrets[seat].mean),
              JSON_NUMBER("largest", f->regrets[seat].most), JSON_NUMBER("game", regret_per_game(f, seat)),
              JSON_COUNT("games", f->played.games), JSON_COUNT("seed", job->seed));
  for (int q = 0; q < (keys ? 1 : f->played.quantities.used) && !job->regrets; q++)
    stats_row(keys, JSON_TEXT("slice", f->slice), JSON_TEXT("quantity", f->played.quantities.list[q].name),
              JSON_NUMBER("mean", f->played.mean[q]), JSON_NUMBER("error", f->played.error[q]),
              JSON_COUNT("games", f->played.games), JSON_COUNT("seed", job->seed));
}

static void regrets_to_json(json_writer *json, const figures *f) {
  json_field_array(json, "regrets");
  for (int seat = 0; seat < 2; seat++) {
    json_object(json, JSON_COUNT("seat", (uint64_t)seat + 1), JSON_COUNT("choices", f->regrets[seat].choices),
                JSON_NUMBER("mean", f->regrets[seat].mean), JSON_NUMBER("largest", f->regrets[seat].most),
                JSON_NUMBER("game", regret_per_game(f, seat)));
  }
  json_end_array(json);
}

static void print_played_json(const stats_job *job, const figures *f) {
  json_writer json;
  json_open_line(&json, stdout);
  json_fields(&json, JSON_TEXT("game", job->tables->game->name),
              JSON_TEXT("rules", job->tables->game->rules_text(job->tables->rules)),
              JSON_TEXT("slice", f->slice), JSON_TEXT("position", f->position),
              JSON_COUNT("games", f->played.games), JSON_COUNT("given_up", f->played.given_up),
              JSON_COUNT("seed", job->seed));
  json_field_object(&json, "quantities");
  for (int q = 0; q < f->played.quantities.used; q++) {
    const int value = place_of_value(f, q);
    json_object_at(
        &json, f->played.quantities.list[q].name, JSON_NUMBER("mean", f->played.mean[q]),
        JSON_NUMBER("error", f->played.error[q]),
        dice_bounds_field("bounds", f->values.known, f->values.lower[value], f->values.upper[value]));
  }
  json_end_object(&json);
  if (job->regrets) regrets_to_json(&json, f);
  json_close_line(&json);
}

/* --- slices --- */

static tauler_error play_slice(const stats_job *job, player players[2], uint32_t slice, figures *f,
                               tauler_message *message) {
  const game *game = job->tables->game;
  const game_rules *rules = job->tables->rules;
  game_position start;
  game_slice_title(game, rules, slice, f->slice);
  game->chance->start(rules, slice, &start);
  game->print(rules, &start, f->position);
  const simulate_job played = {.game = game,
                               .rules = rules,
                               .start = &start,
                               .raises = {pick_and_note_regret, &players[0]},
                               .lowers = {pick_and_note_regret, &players[1]},
                               .swapped = job->swapped,
                               .games = job->games,
                               .seed = job->seed,
                               .threads = job->settings.threads,
                               .ranks = job->ranks,
                               .memory = job->memory,
                               .shown = job->shown};
  progress_start(job->shown, f->slice, "games", job->games, 0);
  tauler_error error = simulate(&played, &f->played, message);
  progress_abandon(job->shown);
  for (int seat = 0; seat < 2 && !error && job->regrets; seat++)
    error = sum_regrets(&players[seat], job->ranks, &f->regrets[seat], message);
  if (error || job->swapped) return error;
  if (f->played.quantities.seats > 0) f->first_seat = game->chance->first_seat(rules, &start);
  error = chance_values_of(job->tables, &start, &f->values, message);
  return comm_agree(job->ranks, error == TAULER_TABLE_MISSING ? TAULER_OK : error, message);
}

bool stats_has_choices(const stats_job *job) {
  for (size_t i = 0; i < job->slices->used; i++) {
    chance_quantities quantities;
    job->tables->game->chance->quantities(job->tables->rules, job->slices->slices[i].slice, &quantities);
    if (quantities.chosen) return true;
  }
  return false;
}

static tauler_error play_slices(const stats_job *job, player players[2], tauler_message *message) {
  tauler_error error = TAULER_OK;
  if (job->form == FORM_CSV) print_csv(job, true, &(figures){.first_seat = 0});
  for (size_t i = job->start ? job->slices->used - 1 : 0;
       i < job->slices->used && !error && !print_is_lost(job->ranks); i++) {
    if (!job->slices->slices[i].asked) continue;
    figures f = {.first_seat = 0};
    error = play_slice(job, players, job->slices->slices[i].slice, &f, message);
    if (error) return error;
    if (job->form == FORM_CSV) {
      print_csv(job, false, &f);
    } else if (job->form == FORM_JSON) {
      print_played_json(job, &f);
    } else {
      print_text(job, &f);
    }
  }
  return error;
}

tauler_error stats_print_played(const stats_job *job, tauler_message *message) {
  player players[] = {{.tables = job->tables, .judged = job->regrets},
                      {.tables = job->tables, .judged = job->regrets}};
  tauler_error error = open_players(job->policies, players, message);
  const bool chosen = stats_has_choices(job);
  if (!error && job->regrets && !chosen)
    error = tauler_fail(message, TAULER_BAD_USAGE, "nobody chooses in %s, so there are no regrets",
                        job->tables->game->name);
  if (!error && chosen && (players[0].judged || players[0].policy == BEST || players[1].policy == BEST))
    error = stats_open_dice_tables(job, true, message);
  error = comm_agree(job->ranks, error, message);
  if (!error) error = play_slices(job, players, message);
  for (int seat = 0; seat < 2; seat++) learned_player_close(&players[seat].learned);
  return error;
}
