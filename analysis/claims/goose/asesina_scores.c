/* Computes scores and matches of la oca asesina for claims. */
#include "analysis/claims/goose/asesina_scores.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/claims/recheck.h"
#include "analysis/probe/rounded.h"
#include "games/registry.h"

/* Of matches; figures of larger games, which take minutes, are shown to fewer decimals. */
enum { SMALL_GAME = 100000 };
static const double small_width = 5e-8, large_width = 2e-6;

/* --- bounds --- */

score_bounds score_less_from(double one, score_bounds b) {
  return (score_bounds){rounded_sum(one, -b.upper, ROUND_BELOW), rounded_sum(one, -b.lower, ROUND_ABOVE)};
}

static score_bounds score_mean(score_bounds a, score_bounds b) {
  return (score_bounds){rounded_sum(a.lower, b.lower, ROUND_BELOW) / 2,
                        rounded_sum(a.upper, b.upper, ROUND_ABOVE) / 2};
}

bool asesina_open_board(claim_tables *t, const claim_base *c, const char *usual, const char *variant) {
  char flag[GAME_TEXT_BYTES], rules[2 * GAME_TEXT_BYTES];
  snprintf(flag, sizeof flag, "%s", usual);
  if (c->job->board &&
      REPORT_CATCH(c->out, game_find("oca-asesina")->board_flag(c->job->board, flag, &c->out->message)))
    return false;
  snprintf(rules, sizeof rules, "%s,%s", variant, flag);
  return claim_tables_open(t, c->job, c->out, "oca-asesina", rules, NULL);
}

/* --- matches --- */

bool asesina_table_open(asesina_table *at, claim_tables *t, int tokens) {
  char largest[16];
  snprintf(largest, sizeof largest, "%d", tokens);
  *at = (asesina_table){.t = t};
  if (REPORT_CATCH(t->out, t->game->slices(t->rules, &(game_request){.largest = largest}, &at->slices,
                                           &t->out->message)))
    return false;
  uint64_t positions = 0;
  for (size_t i = 0; i < at->slices.used; i++)
    positions += t->game->positions(t->rules, at->slices.slices[i].slice);
  at->width = positions < SMALL_GAME ? small_width : large_width;
  return true;
}

void asesina_table_close(asesina_table *at) {
  free(at->slices.slices);
}

game_position asesina_start(const asesina_table *at) {
  game_position start;
  at->t->game->chance->start(at->t->rules, at->slices.slices[at->slices.used - 1].slice, &start);
  return start;
}

bool asesina_player_simple(const game *g, size_t number, asesina_player *out) {
  const chance_policies *policies = g->chance->policies;
  if (!policies->names[number]) return false;
  *out = (asesina_player){.name = policies->names[number], .simple = {policies, number}};
  return true;
}

void asesina_player_best(const char *name, tauler_tables *tables, asesina_player *out) {
  *out = (asesina_player){.name = name, .reads = true};
  match_best_open(&out->best, tables);
}

static simulate_policy policy_of(asesina_player *player) {
  return player->reads ? match_policy_best(&player->best) : match_policy(&player->simple);
}

/* Keeps the error of a call, or rather that of the tables that a player reads. */
static bool failed(const asesina_table *at, asesina_player *one, asesina_player *other, tauler_error error,
                   const tauler_message *why) {
  asesina_player *const both[2] = {one, other};
  for (int i = 0; i < 2; i++)
    if (both[i]->reads && both[i]->best.error)
      report_fail(at->t->out, (tauler_error)both[i]->best.error, "%s", both[i]->best.message.text);
  if (error) report_fail(at->t->out, error, "%s", why->text);
  return at->t->out->error != TAULER_OK;
}

static match_result play_match(const asesina_table *at, asesina_player *first, asesina_player *second) {
  const claim_tables *t = at->t;
  match_result found = {.lower = {0}};
  tauler_message why = {""};
  const match_job match = {.game = t->game,
                           .rules = t->rules,
                           .slices = &at->slices,
                           .raises = policy_of(first),
                           .lowers = policy_of(second),
                           .width = at->width,
                           .threads = t->job->threads,
                           .memory = t->job->memory};
  if (!t->out->error) failed(at, first, second, match_solve(&match, &found, &why), &why);
  return found;
}

static score_bounds bounds_of(const match_result *found, int quantity) {
  return (score_bounds){found->lower[quantity], found->upper[quantity]};
}

asesina_duel_result asesina_duel(const asesina_table *at, asesina_player *one, asesina_player *other) {
  const match_result first = play_match(at, one, other), second = play_match(at, other, one);
  asesina_duel_result out;
  out.seats[0] = bounds_of(&first, POLICY_SCORE);
  out.seats[1] = score_less_from(1, bounds_of(&second, POLICY_SCORE));
  out.mean = score_mean(out.seats[0], out.seats[1]);
  out.turns = score_mean(bounds_of(&first, POLICY_TURNS), bounds_of(&second, POLICY_TURNS));
  return out;
}

asesina_estimate asesina_simulate(const asesina_table *at, asesina_player *one, asesina_player *other) {
  const claim_tables *t = at->t;
  asesina_player *const seats[2][2] = {{one, other}, {other, one}};
  double scores[2] = {0, 0}, errors[2] = {0, 0};
  const game_position start = asesina_start(at);
  for (int i = 0; i < 2 && !t->out->error; i++) {
    simulate_result found;
    tauler_message why = {""};
    const simulate_job job = {.game = t->game,
                              .rules = t->rules,
                              .start = &start,
                              .raises = policy_of(seats[i][0]),
                              .lowers = policy_of(seats[i][1]),
                              .games = ASESINA_GAMES / 2,
                              .seed = ASESINA_SEED + (uint64_t)i,
                              .threads = t->job->threads,
                              .memory = t->job->memory};
    if (failed(at, one, other, simulate(&job, &found, &why), &why)) break;
    scores[i] = i == 0 ? found.mean[0] : 1 - found.mean[0];
    errors[i] = found.error[0];
  }
  return (asesina_estimate){(scores[0] + scores[1]) / 2,
                            sqrt(errors[0] * errors[0] + errors[1] * errors[1]) / 2};
}

/* --- rechecks --- */

bool asesina_is_near(asesina_estimate estimate, score_bounds bounds) {
  return estimate.mean >= bounds.lower - 5 * estimate.error &&
         estimate.mean <= bounds.upper + 5 * estimate.error;
}

void asesina_prove(const claim_tables *t, int tokens) {
  const recheck_tables found = recheck_proof(t, tokens);
  report_add_recheck(t->out, "proof", true, found.holds,
                     "All bounds of the rules %.200s with %d token%s each are held against the moves, one "
                     "position at a time and without rounding, and shown to follow from them: %" PRIu64
                     " positions, %" PRIu64 " of %" PRIu64 " tables proven.",
                     t->game->rules_text(t->rules), tokens, tokens == 1 ? "" : "s", found.positions / 2,
                     found.proven, found.tables);
}
