#include "analysis/claims/goose/asesina_scores.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/probe/rounded.h"
#include "analysis/verify/verify.h"
#include "games/registry.h"

/* Of matches; figures of larger games, which take minutes, are shown to fewer decimals. */
enum { SMALL_GAME = 100000 };
static const double small_width = 5e-8, large_width = 2e-6;

/* --- bounds --- */

score_bounds score_less_from(double one, score_bounds b) {
  return (score_bounds){rounded_sum(one, -b.upper, ROUND_BELOW), rounded_sum(one, -b.lower, ROUND_ABOVE)};
}

score_bounds score_difference(score_bounds a, score_bounds b) {
  return (score_bounds){rounded_sum(a.lower, -b.upper, ROUND_BELOW),
                        rounded_sum(a.upper, -b.lower, ROUND_ABOVE)};
}

score_bounds score_mean(score_bounds a, score_bounds b) {
  return (score_bounds){rounded_sum(a.lower, b.lower, ROUND_BELOW) / 2,
                        rounded_sum(a.upper, b.upper, ROUND_ABOVE) / 2};
}

void report_score(report *out, score_bounds b) {
  report_bounds(out, b.lower, b.upper);
}

tauler_error asesina_open_board(const claim_job *job, const char *usual, const char *variant,
                                claim_tables *out, tauler_message *message) {
  char flag[GAME_TEXT_BYTES], rules[2 * GAME_TEXT_BYTES];
  snprintf(flag, sizeof flag, "%s", usual);
  const tauler_error error =
      job->board ? game_find("oca-asesina")->board_flag(job->board, flag, message) : TAULER_OK;
  if (error) return error;
  snprintf(rules, sizeof rules, "%s,%s", variant, flag);
  return claim_tables_open(job, "oca-asesina", rules, NULL, out, message);
}

int asesina_length(const claim_tables *t) {
  const char *rules = t->tables->game->rules_text(t->tables->rules);
  const char *named = strstr(rules, "board=20"), *written = strstr(rules, "board=length-");
  if (written) return atoi(written + strlen("board=length-"));
  return named ? 20 : 63;
}

/* --- positions --- */

/* "0,20": so many tokens, some of them home. */
static void write_tokens(int length, int tokens, int home, char text[32]) {
  size_t used = 0;
  for (int i = 0; i < tokens; i++)
    used += (size_t)snprintf(text + used, 32 - used, "%s%d", i ? "," : "", i < tokens - home ? 0 : length);
}

void asesina_write_position(int length, int tokens, const int home[2], int seat, char text[96]) {
  char first[32], second[32];
  write_tokens(length, tokens, home[0], first);
  write_tokens(length, tokens, home[1], second);
  snprintf(text, 96, "%s/%s lost=0,0 seat=%d", first, second, seat + 1);
}

tauler_error asesina_score(claim_tables *t, int length, int tokens, int own, int other, int seat, int turn,
                           score_bounds *out, tauler_message *message) {
  char text[96];
  int home[2];
  score_bounds first;
  home[seat] = own;
  home[1 - seat] = other;
  asesina_write_position(length, tokens, home, turn == ASESINA_ON_MOVE ? seat : 1 - seat, text);
  const tauler_error error = claim_tables_expect(t, text, 0, &first.lower, &first.upper, message);
  *out = seat == 0 ? first : score_less_from(1, first);
  return error;
}

tauler_error asesina_mean_score(claim_tables *t, int length, int tokens, int own, int other, int turn,
                                score_bounds *out, tauler_message *message) {
  score_bounds seats[2];
  tauler_error error = asesina_score(t, length, tokens, own, other, 0, turn, &seats[0], message);
  if (!error) error = asesina_score(t, length, tokens, own, other, 1, turn, &seats[1], message);
  if (!error) *out = score_mean(seats[0], seats[1]);
  return error;
}

tauler_error asesina_measure_lead(claim_tables *t, int length, int tokens, asesina_lead *out,
                                  tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (int turn = 0; turn < ASESINA_TURNS && !error; turn++) {
    score_bounds even = {0, 0};
    error = asesina_mean_score(t, length, tokens, 1, 0, turn, &out->leads[turn], message);
    if (!error) error = asesina_mean_score(t, length, tokens, 0, 0, turn, &even, message);
    if (!error) out->worth[turn] = score_difference(out->leads[turn], even);
  }
  if (!error) out->mean_worth = score_mean(out->worth[ASESINA_ON_MOVE], out->worth[ASESINA_OFF_MOVE]);
  return error;
}

/* --- matches --- */

tauler_error asesina_table_open(const claim_tables *t, int tokens, asesina_table *out,
                                tauler_message *message) {
  char largest[16];
  snprintf(largest, sizeof largest, "%d", tokens);
  *out = (asesina_table){.job = t->job, .game = t->tables->game, .rules = t->tables->rules};
  const tauler_error error =
      out->game->slices(out->rules, &(game_request){.largest = largest}, &out->slices, message);
  uint64_t positions = 0;
  for (size_t i = 0; i < out->slices.used; i++)
    positions += out->game->positions(out->rules, out->slices.slices[i].slice);
  out->width = positions < SMALL_GAME ? small_width : large_width;
  return error;
}

void asesina_table_close(asesina_table *at) {
  free(at->slices.slices);
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

/* Trouble with tables is told by who reads them. */
static tauler_error error_of(asesina_player *one, asesina_player *other, tauler_error error,
                             tauler_message *message) {
  asesina_player *const both[2] = {one, other};
  for (int i = 0; i < 2; i++)
    if (both[i]->reads && both[i]->best.error)
      return tauler_fail(message, (tauler_error)both[i]->best.error, "%s", both[i]->best.message.text);
  return error;
}

static tauler_error play_match(const asesina_table *at, asesina_player *first, asesina_player *second,
                               match_result *out, tauler_message *message) {
  const match_job match = {.game = at->game,
                           .rules = at->rules,
                           .slices = &at->slices,
                           .raises = policy_of(first),
                           .lowers = policy_of(second),
                           .width = at->width,
                           .threads = at->job->threads,
                           .memory = at->job->memory};
  return error_of(first, second, match_solve(&match, out, message), message);
}

static score_bounds bounds_of(const match_result *found, int quantity) {
  return (score_bounds){found->lower[quantity], found->upper[quantity]};
}

tauler_error asesina_duel(const asesina_table *at, asesina_player *one, asesina_player *other,
                          asesina_duel_result *out, tauler_message *message) {
  match_result first, second;
  tauler_error error = play_match(at, one, other, &first, message);
  if (!error) error = play_match(at, other, one, &second, message);
  if (error) return error;
  out->seats[0] = bounds_of(&first, POLICY_SCORE);
  out->seats[1] = score_less_from(1, bounds_of(&second, POLICY_SCORE));
  out->mean = score_mean(out->seats[0], out->seats[1]);
  out->turns = score_mean(bounds_of(&first, POLICY_TURNS), bounds_of(&second, POLICY_TURNS));
  return TAULER_OK;
}

tauler_error asesina_simulate(const asesina_table *at, asesina_player *one, asesina_player *other,
                              uint64_t games, uint64_t seed, double *score, double *error_of_mean,
                              tauler_message *message) {
  asesina_player *const seats[2][2] = {{one, other}, {other, one}};
  double scores[2], errors[2];
  game_position start;
  at->game->chance->start(at->rules, at->slices.slices[at->slices.used - 1].slice, &start);
  for (int i = 0; i < 2; i++) {
    simulate_result found;
    const simulate_job job = {.game = at->game,
                              .rules = at->rules,
                              .start = &start,
                              .raises = policy_of(seats[i][0]),
                              .lowers = policy_of(seats[i][1]),
                              .games = games / 2,
                              .seed = seed + (uint64_t)i,
                              .threads = at->job->threads,
                              .memory = at->job->memory};
    const tauler_error error = error_of(one, other, simulate(&job, &found, message), message);
    if (error) return error;
    scores[i] = i == 0 ? found.mean[0] : 1 - found.mean[0];
    errors[i] = found.error[0];
  }
  *score = (scores[0] + scores[1]) / 2;
  *error_of_mean = sqrt(errors[0] * errors[0] + errors[1] * errors[1]) / 2;
  return TAULER_OK;
}

/* --- rechecks --- */

static void take_finding(void *user, const verify_finding *finding) {
  (void)user, (void)finding;
}

tauler_error asesina_prove(const claim_tables *t, int tokens, report *out, tauler_message *message) {
  char largest[16];
  snprintf(largest, sizeof largest, "%d", tokens);
  const game_request request = {.largest = largest};
  verify_summary summary = {.positions = 0};
  const verify_job job = {.folder = t->job->folder,
                          .game = t->tables->game,
                          .rules = t->tables->rules,
                          .request = &request,
                          .threads = t->job->threads,
                          .memory = t->job->memory,
                          .shown = t->job->shown,
                          .report = take_finding};
  const tauler_error error = verify_tables(&job, &summary, message);
  if (error) return error;
  uint64_t tables = 0;
  for (int verdict = 0; verdict < VERIFY_VERDICTS; verdict++) tables += summary.tables[verdict];
  report_add_recheck(out, "proof", true, verify_outcome(&summary) == TAULER_OK,
                     "All bounds of the rules %.200s with %d token%s each are held against the moves, one "
                     "position at a time and without rounding, and shown to follow from them: %" PRIu64
                     " positions, %" PRIu64 " of %" PRIu64 " tables proven.",
                     t->tables->game->rules_text(t->tables->rules), tokens, tokens == 1 ? "" : "s",
                     summary.positions / 2, summary.tables[VERIFY_PROVEN], tables);
  return TAULER_OK;
}
