/* Surveys the decisions of a slice: counts real ones and sums the regrets of policies. */
#include "analysis/dice/survey.h"

#include <stdlib.h>

#include "analysis/dice/dice_random.h"
#include "analysis/probe/rounded.h"
#include "parallel/mail.h"

enum { PIECE = 1 << 10, COST_BITS = 32 };

typedef struct {
  const survey_job *job;
  uint32_t slice;
  uint64_t positions;
  size_t rolls;
} task;

uint64_t survey_stride(uint64_t positions) {
  return positions / SURVEY_POSITIONS + (positions % SURVEY_POSITIONS != 0);
}

static double pick_upper_bound(const chance_move *ranked, size_t n, int pick) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) {
    const double upper = ranked[i].ranked.worth.upper;
    if (pick >= 0 && ranked[i].ranked.order == (size_t)pick) return upper;
    sum = rounded_sum(sum, upper, ROUND_ABOVE);
  }
  return rounded_quotient(sum, (double)n, ROUND_ABOVE);
}

double survey_regret(const chance_move *ranked, size_t n, int pick) {
  return fmax(0, rounded_sum(ranked[0].ranked.worth.lower, -pick_upper_bound(ranked, n, pick), ROUND_BELOW));
}

static bool is_worse(const survey_policy *found, double regret, uint64_t index, size_t roll) {
  if (!found->any || regret != found->regret) return !found->any || regret > found->regret;
  return index != found->index ? index < found->index : roll < found->roll;
}

static void note_regret(survey_policy *found, double regret, uint64_t index, size_t roll) {
  if (!is_worse(found, regret, index, roll)) return;
  found->any = true;
  found->regret = regret;
  found->index = index;
  found->roll = roll;
}

void survey_raise_best(survey_best *best, tauler_worth worth) {
  if (!best->any || worth.lower > best->lower) best->lower = worth.lower;
  if (!best->any || worth.upper > best->upper) best->upper = worth.upper;
  best->any = true;
}

void survey_compare(const survey_best *with, const survey_best *without, uint64_t index, size_t roll,
                    survey_trait *found) {
  if (!with->any || !without->any) return;
  const double cost = fmax(0, rounded_sum(without->lower, -with->upper, ROUND_BELOW));
  found->choices++;
  found->wrong += without->lower > with->upper;
  found->right += with->lower > without->upper;
  found->cost_2_32 += (uint64_t)ldexp(cost, COST_BITS);
  note_regret(&found->worst, cost, index, roll);
}

static tauler_error survey_traits(const task *t, uint64_t index, size_t roll, const game_position *position,
                                  const game_moves *moves, const chance_move *ranked, survey *found) {
  uint8_t *traits;
  if (found->traits_used == 0 || moves->used < 2) return TAULER_OK;
  if (!(traits = malloc(moves->used))) return TAULER_NO_MEMORY;
  t->job->tables->game->chance->traits->list(t->job->tables->rules, position, roll, moves, traits);
  for (size_t bit = 0; bit < found->traits_used; bit++) {
    survey_best best[2] = {{.any = false}};
    for (size_t i = 0; i < moves->used; i++)
      survey_raise_best(&best[traits[ranked[i].ranked.order] >> bit & 1], ranked[i].ranked.worth);
    survey_compare(&best[1], &best[0], index, roll, &found->traits[bit]);
  }
  free(traits);
  return TAULER_OK;
}

double survey_mean_cost(const survey_trait *trait) {
  return trait->choices ? ldexp((double)trait->cost_2_32, -COST_BITS) / (double)trait->choices : 0;
}

double survey_mean_regret(const survey *found, size_t policy) {
  const uint64_t decisions = found->decisions;
  return decisions ? ldexp((double)found->policies[policy].cost_2_32, -COST_BITS) / (double)decisions : 0;
}

static int pick_move(const task *t, const char *name, size_t policy, const game_position *position,
                     size_t roll, const game_moves *moves) {
  const game_rules *rules = t->job->tables->rules;
  if (t->job->more && name == t->job->more->name)
    return t->job->more->policy.pick(t->job->more->policy.user, rules, position, roll, moves);
  return t->job->tables->game->chance->policies->pick(rules, policy, position, roll, moves);
}

static tauler_error survey_decision(const task *t, uint64_t index, size_t roll, const game_position *position,
                                    const game_moves *moves, const chance_move *ranked, survey *found) {
  double least = ranked[0].ranked.worth.upper;
  const double best = ranked[0].ranked.worth.lower;
  for (size_t i = 1; i < moves->used; i++) least = fmin(least, ranked[i].ranked.worth.upper);
  found->decisions++;
  found->real_ones += best > least;
  for (size_t p = 0; p < found->policies_used; p++) {
    const int pick = pick_move(t, found->policies[p].policy, p, position, roll, moves);
    if (pick < -1) return (tauler_error)(-1 - pick);
    const double regret = survey_regret(ranked, moves->used, pick);
    found->policies[p].cost_2_32 += (uint64_t)ldexp(regret, COST_BITS);
    note_regret(&found->policies[p], regret, index, roll);
  }
  return TAULER_OK;
}

static tauler_error fail_survey(tauler_error error, tauler_message *message) {
  return tauler_fail(message, error,
                     error == TAULER_NO_MEMORY ? "no memory for the moves of a position"
                                               : "the moves of a position cannot be surveyed");
}

static tauler_error survey_roll(const task *t, uint64_t index, size_t roll, const game_position *position,
                                survey *found, tauler_message *message) {
  tauler_tables *tables = t->job->tables;
  game_moves moves = {0};
  chance_move *ranked = NULL;
  tauler_error error = tables->game->chance->moves(tables->rules, position, roll, &moves);
  if (!error && !(ranked = malloc((moves.used + 1) * sizeof *ranked))) error = TAULER_NO_MEMORY;
  if (error) {
    error = fail_survey(error, message);
  } else {
    error = chance_rank_moves(tables, position, &moves, ranked, message);
  }
  if (!error && moves.used) {
    error = survey_decision(t, index, roll, position, &moves, ranked, found);
    if (!error) error = survey_traits(t, index, roll, position, &moves, ranked, found);
    if (error) error = fail_survey(error, message);
  }
  free(ranked);
  game_moves_free(&moves);
  return error;
}

static tauler_error survey_position(const task *t, uint64_t index, survey *found, tauler_message *message) {
  const game *g = t->job->tables->game;
  const game_rules *rules = t->job->tables->rules;
  game_position position;
  uint8_t copies = 1;
  int value;
  if (t->job->reached && !reached_has(t->job->reached, (game_place){t->slice, index})) return TAULER_OK;
  if (g->copies) g->copies(rules, t->slice, index, 1, &copies);
  if (copies == 0) return TAULER_OK;
  g->position_at(rules, (game_place){t->slice, index}, &position);
  if (g->position_ended(rules, &position, &value) || g->chance->must_pass(rules, &position)) return TAULER_OK;
  if (g->chance->aim(rules, &position) == 0) return TAULER_OK;
  found->positions++;
  tauler_error error = TAULER_OK;
  for (size_t roll = 0; roll < t->rolls && !error; roll++)
    error = survey_roll(t, index, roll, &position, found, message);
  return error;
}

/* Surveys one of each `stride` neighbours: a random one, so that no digit of an index is preferred, but the
 * same in every run. */
static tauler_error survey_piece(const task *t, uint64_t piece, survey *found, tauler_message *message) {
  tauler_error error = TAULER_OK;
  for (uint64_t i = piece * PIECE; i < (piece + 1) * PIECE && !error; i++) {
    const uint64_t first = i * t->job->stride;
    if (first >= t->positions) break;
    const uint64_t left = t->positions - first;
    uint64_t seed = i;
    const uint64_t index = first + dice_random_mix(&seed) % (left < t->job->stride ? left : t->job->stride);
    error = survey_position(t, index, found, message);
  }
  return error;
}

void survey_merge_trait(const survey_trait *from, survey_trait *to) {
  to->choices += from->choices;
  to->wrong += from->wrong;
  to->right += from->right;
  to->cost_2_32 += from->cost_2_32;
  if (from->worst.any) note_regret(&to->worst, from->worst.regret, from->worst.index, from->worst.roll);
}

static void merge_findings(const survey *from, survey *to) {
  to->positions += from->positions;
  to->decisions += from->decisions;
  to->real_ones += from->real_ones;
  for (size_t p = 0; p < to->policies_used; p++) {
    const survey_policy *found = &from->policies[p];
    to->policies[p].cost_2_32 += found->cost_2_32;
    if (found->any) note_regret(&to->policies[p], found->regret, found->index, found->roll);
  }
  for (size_t i = 0; i < to->traits_used; i++) survey_merge_trait(&from->traits[i], &to->traits[i]);
}

static survey empty_survey(const survey_job *job) {
  const chance_policies *policies = job->tables->game->chance->policies;
  const chance_traits *traits = job->tables->game->chance->traits;
  const survey_player *more = job->more;
  survey s = {.stride = job->stride, .every = !job->reached};
  while (policies && s.policies_used < SURVEY_MOST_POLICIES && policies->names[s.policies_used]) {
    s.policies[s.policies_used].policy = policies->names[s.policies_used];
    s.policies_used++;
  }
  if (more && s.policies_used < SURVEY_MOST_POLICIES) s.policies[s.policies_used++].policy = more->name;
  while (traits && s.traits_used < CHANCE_MOST_TRAITS && traits->names[s.traits_used]) {
    s.traits[s.traits_used].trait = s.traits[s.traits_used].worst.policy = traits->names[s.traits_used];
    s.traits_used++;
  }
  return s;
}

/* Merges the findings of all ranks into *found. Keeps the names of this rank, since pointers of another rank
 * are invalid here. */
static tauler_error merge_ranks(const survey_job *job, survey *found, tauler_message *message) {
  const workspace *work = job->work;
  const size_t n = (size_t)comm_ranks(work->comm);
  if (n == 1) return TAULER_OK;
  survey *all;
  tauler_error error = memory_allocate_array(work->memory, n, sizeof *all, "what ranks found", &all, message);
  if (all) all[comm_rank(work->comm)] = *found;
  error = comm_agree(work->comm, error, message);
  if (!error) error = mail_gather(work->comm, work->memory, all, n, sizeof *all, message);
  *found = empty_survey(job);
  for (size_t rank = 0; rank < n && all && !error; rank++) merge_findings(&all[rank], found);
  memory_free(work->memory, all);
  return error;
}

tauler_error survey_slice(const survey_job *job, uint32_t slice, survey *out, tauler_message *message) {
  const workspace *work = job->work;
  const uint64_t rank = (uint64_t)comm_rank(work->comm), ranks = (uint64_t)comm_ranks(work->comm);
  const chance_roll *rolls;
  const task t = {.job = job,
                  .slice = slice,
                  .positions = job->tables->game->positions(job->tables->rules, slice),
                  .rolls = job->tables->game->chance->rolls(job->tables->rules, &rolls)};
  const uint64_t looks = t.positions / job->stride + (t.positions % job->stride != 0);
  const uint64_t pieces = (looks + PIECE - 1) / PIECE;
  const int useful = pieces < (uint64_t)work->threads ? (int)pieces : work->threads;
  tauler_error result = TAULER_OK;
  *out = empty_survey(job);
#pragma omp parallel num_threads(useful > 0 ? useful : 1)
  {
    survey found = empty_survey(job);
    tauler_message why = {""};
    tauler_error error = TAULER_OK;
#pragma omp for schedule(dynamic, 1) nowait
    for (uint64_t piece = rank; piece < pieces; piece += ranks) {
      if (error) continue;
      error = survey_piece(&t, piece, &found, &why);
      comm_note_progress(work->comm);
      const uint64_t first = piece * PIECE * job->stride;
      const uint64_t looked_at = piece + 1 < pieces ? PIECE * job->stride : t.positions - first;
      if (work->shown) progress_add(work->shown, looked_at * ranks);
    }
#pragma omp critical(survey_merge)
    {
      merge_findings(&found, out);
      if (error && !result) result = tauler_fail(message, error, "%s", why.text);
    }
  }
  result = comm_agree(work->comm, result, message);
  return result ? result : merge_ranks(job, out, message);
}
