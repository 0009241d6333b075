/* Chooses moves in games that are played for statistics, and adds up the regrets of choices. */
#include "analysis/stats/stats.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/dice/survey.h"
#include "base/text.h"

enum { BEST = -1, ANY = -2, LEARNED = -3, NAME_BYTES = 4096, COST_BITS = 40 };

/* --- choices --- */

static int pick_move(const stats_player *p, const game_rules *rules, const game_position *position,
                     size_t roll, const game_moves *moves) {
  if (p->policy == LEARNED) {
    const simulate_policy learned = learned_player_policy(&p->learned);
    return learned.pick(learned.user, rules, position, roll, moves);
  }
  const chance_policies *policies = p->tables->game->chance->policies;
  return p->policy == ANY ? -1 : policies->pick(rules, (size_t)p->policy, position, roll, moves);
}

static void note_regret(stats_player *p, double regret) {
  const uint64_t cost = (uint64_t)ldexp(regret, COST_BITS);
  uint64_t most = atomic_load(&p->most_2_40);
  atomic_fetch_add(&p->choices, 1);
  atomic_fetch_add(&p->cost_2_40, cost);
  while (cost > most && !atomic_compare_exchange_weak(&p->most_2_40, &most, cost)) continue;
}

static int pick_and_note_regret(const void *user, const game_rules *rules, const game_position *position,
                                size_t roll, const game_moves *moves) {
  stats_player *p = (stats_player *)(uintptr_t)user; /* not const, since regrets are added to it */
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

simulate_policy stats_player_policy(stats_player *player) {
  return (simulate_policy){pick_and_note_regret, player};
}

tauler_error stats_player_sum_regrets(stats_player *player, comm *ranks, regret_figures *out,
                                      tauler_message *message) {
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

/* --- names --- */

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

static tauler_error open_player(const char *name, const char *names, stats_player *out,
                                tauler_message *message) {
  const tauler_tables *tables = out->tables;
  const char *path = learned_path(name);
  if (path) {
    out->policy = LEARNED;
    return learned_player_open(path, tables->game, tables->rules, &out->learned, message);
  }
  return find_policy(tables->game, name, &out->policy) ? TAULER_OK
                                                       : refuse_name(tables->game, names, message);
}

tauler_error stats_players_open(tauler_tables *tables, const char *names, bool judged,
                                stats_player players[2], tauler_message *message) {
  const char *all = names ? names : "best", *comma = strchr(all, ',');
  char first[NAME_BYTES];
  memset(players, 0, 2 * sizeof *players);
  snprintf(first, sizeof first, "%.*s", comma ? (int)(comma - all) : (int)strlen(all), all);
  const char *const each[] = {first, comma ? comma + 1 : all};
  tauler_error error = TAULER_OK;
  for (int seat = 0; seat < 2 && !error; seat++) {
    players[seat].tables = tables;
    players[seat].judged = judged;
    error = open_player(each[seat], all, &players[seat], message);
  }
  if (error) stats_players_close(players);
  return error;
}

void stats_players_close(stats_player players[2]) {
  for (int seat = 0; seat < 2; seat++) learned_player_close(&players[seat].learned);
}

bool stats_players_need_tables(const stats_player players[2]) {
  return players[0].judged || players[0].policy == BEST || players[1].policy == BEST;
}
