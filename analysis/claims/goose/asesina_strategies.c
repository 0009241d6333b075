/* oca-asesina-strategies: are there good strategies in la oca asesina that are not obvious? How often it is
 * wrong to bring a token home, to capture, or to make a pair. */
#include <stdio.h>
#include <stdlib.h>

#include "analysis/claims/goose/asesina_scores.h"
#include "analysis/dice/survey.h"
#include "analysis/probe/chance_worth.h"

enum { USUAL_TOKENS = 2, TRAITS = 3, LOOKS = 2000000 };

static const char *const sayings[TRAITS] = {"brings a token home", "captures", "makes a pair"};

/* The decision in which a trait costs most, over all slices. */
typedef struct {
  bool any;
  double cost;
  game_place place;
  size_t roll;
} costliest;

typedef struct {
  claim_base c;
  uint64_t choices[TRAITS], wrong[TRAITS];
  double cost[TRAITS]; /* of all choices together */
  costliest worst[TRAITS];
} findings;

/* --- figures --- */

static void add_row(findings *f, const char *slice, const survey *s, int trait) {
  const survey_trait *of = &s->traits[trait];
  REPORT_ADD(f->c.out, fig_text(slice), fig_text(sayings[trait]), fig_count(of->choices),
             fig_count(of->wrong), fig_share(of->wrong, of->choices, 2), fig_share(of->right, of->choices, 2),
             fig_mean(survey_mean_cost(of), 6), fig_mean(of->worst.regret, 6), fig_count(s->stride));
}

static void add_up(findings *f, uint32_t slice, const survey *s, int trait) {
  const survey_trait *of = &s->traits[trait];
  f->choices[trait] += of->choices;
  f->wrong[trait] += of->wrong;
  f->cost[trait] += survey_mean_cost(of) * (double)of->choices;
  if (of->worst.regret <= f->worst[trait].cost) return;
  f->worst[trait] = (costliest){true, of->worst.regret, {slice, of->worst.index}, of->worst.roll};
}

static void look_at_slice(findings *f, uint32_t slice) {
  claim_tables *t = f->c.t;
  char name[GAME_TEXT_BYTES];
  survey found;
  const uint64_t stride = (t->game->positions(t->rules, slice) + LOOKS - 1) / LOOKS;
  const workspace work = {.threads = f->c.job->threads};
  game_slice_title(t->game, t->rules, slice, name);
  if (REPORT_CATCH(t->out, survey_slice(t->tables, slice, stride, NULL, &work, &found, &t->out->message)))
    return;
  for (int trait = 0; trait < TRAITS; trait++) {
    if (found.traits[trait].choices == 0) continue;
    add_row(f, name, &found, trait);
    add_up(f, slice, &found, trait);
  }
}

static bool any_choices(const findings *f) {
  return f->choices[0] + f->choices[1] + f->choices[2] > 0;
}

static double mean_cost(const findings *f, int trait) {
  return f->choices[trait] ? f->cost[trait] / (double)f->choices[trait] : 0;
}

static void add_all(const findings *f) {
  report_table_begin(f->c.out, "all");
  for (int trait = 0; trait < TRAITS; trait++) {
    const uint64_t choices = f->choices[trait], wrong = f->wrong[trait];
    if (choices == 0) continue;
    REPORT_ADD(f->c.out, fig_text(sayings[trait]), fig_count(choices), fig_count(wrong),
               fig_share(wrong, choices, 2), fig_mean(mean_cost(f, trait), 6),
               fig_mean(f->worst[trait].cost, 6));
  }
}

static void look_at_choices(findings *f) {
  claim_tables *t = f->c.t;
  char largest[16];
  game_slices slices = {0};
  snprintf(largest, sizeof largest, "%d", f->c.limit);
  const game_request request = {.largest = largest};
  REPORT_CATCH(t->out, t->game->slices(t->rules, &request, &slices, &t->out->message));
  report_table_begin(t->out, "moves");
  for (size_t i = 0; i < slices.used && !t->out->error; i++)
    if (slices.slices[i].asked) look_at_slice(f, slices.slices[i].slice);
  free(slices.slices);
  if (any_choices(f)) add_all(f);
}

/* --- the costliest decision --- */

static void describe(const uint8_t *traits, const chance_move *move, char text[96]) {
  const uint8_t has = traits[move->ranked.order];
  size_t used = (size_t)snprintf(text, 96, "value %.6f", move->ranked.worth.lower);
  for (int trait = 0; trait < TRAITS; trait++)
    if (has >> trait & 1) used += (size_t)snprintf(text + used, 96 - used, ", %s", sayings[trait]);
}

/* The two sides of a decision: the best move of all, and the best of those with a trait. */
typedef struct {
  game_position position;
  game_moves moves;
  chance_move ranked[CHANCE_MOST_ROLLS];
  uint8_t traits[CHANCE_MOST_ROLLS];
  size_t best, with; /* in the order of worth */
} decision;

static bool open_decision(claim_tables *t, const costliest *at, int trait, decision *d) {
  const game_chance *chance = t->game->chance;
  *d = (decision){.position = claim_position_at(t, at->place)};
  if (REPORT_CATCH(t->out, chance->moves(t->rules, &d->position, at->roll, &d->moves))) return false;
  if (d->moves.used > CHANCE_MOST_ROLLS) report_keep(t->out, TAULER_INTERNAL);
  if (REPORT_CATCH(t->out,
                   chance_rank_moves(t->tables, &d->position, &d->moves, d->ranked, &t->out->message)))
    return false;
  chance->traits->list(t->rules, &d->position, at->roll, &d->moves, d->traits);
  while (d->with < d->moves.used && !(d->traits[d->ranked[d->with].ranked.order] >> trait & 1)) d->with++;
  return d->with < d->moves.used || !report_keep(t->out, TAULER_INTERNAL);
}

static void show_moves(const claim_tables *t, const decision *d, const char *roll) {
  for (size_t i = 0; i < d->moves.used; i++) {
    const game_move *move = &d->moves.moves[d->ranked[i].ranked.order];
    char remark[96], turn[32];
    describe(d->traits, &d->ranked[i], remark);
    snprintf(turn, sizeof turn, "a %s", roll);
    report_add_step(t->out, turn, move->name, move->over ? NULL : claim_print(t, &move->child).text, remark);
  }
}

/* Estimates the mover's score after a move when both sides play on by the tables and only dice and rules
 * decide. */
static asesina_estimate play_out(claim_tables *t, const decision *d, const game_move *move, uint64_t seed) {
  simulate_result found = {.games = 0};
  match_best best;
  match_best_open(&best, t->tables);
  const simulate_job job = {.game = t->game,
                            .rules = t->rules,
                            .start = &move->child,
                            .raises = match_policy_best(&best),
                            .lowers = match_policy_best(&best),
                            .games = ASESINA_GAMES,
                            .seed = seed,
                            .threads = t->job->threads,
                            .memory = t->job->memory};
  REPORT_CATCH(t->out, simulate(&job, &found, &t->out->message));
  const bool raises = t->game->chance->aim(t->rules, &d->position) > 0;
  return (asesina_estimate){raises ? found.mean[0] : 1 - found.mean[0], found.error[0]};
}

static void recheck_by_play(claim_tables *t, const decision *d) {
  const size_t ranks[2] = {d->best, d->with};
  const game_move *moves[2];
  asesina_estimate played[2];
  double solved[2];
  bool near = true;
  for (int i = 0; i < 2; i++) {
    const ranked_move *move = &d->ranked[ranks[i]].ranked;
    moves[i] = &d->moves.moves[move->order];
    if (moves[i]->over) return;
    played[i] = play_out(t, d, moves[i], ASESINA_SEED + (uint64_t)i);
    solved[i] = move->worth.lower;
    near = near && asesina_is_near(played[i], (score_bounds){solved[i], solved[i]});
  }
  REPORT_RECHECK(t->out, "games played out", true, near, "recheck-games-played-out",
                 fig_number(ASESINA_GAMES), fig_text(moves[0]->name), fig_mean(played[0].mean, 4),
                 fig_mean(played[0].error, 4), fig_text(moves[1]->name), fig_mean(played[1].mean, 4),
                 fig_mean(played[1].error, 4), fig_mean(solved[0], 4), fig_mean(solved[1], 4));
}

static void show_worst(findings *f, int trait) {
  claim_tables *t = f->c.t;
  const costliest *at = &f->worst[trait];
  const chance_roll *rolls;
  decision d = {.best = 0};
  if (!at->any) return;
  t->game->chance->rolls(t->rules, &rolls);
  if (open_decision(t, at, trait, &d)) {
    const char *roll = rolls[at->roll].name;
    CLAIM_SHOW(t, &d.position, "witness", fig_text(sayings[trait]), fig_text(roll));
    show_moves(t, &d, roll);
    recheck_by_play(t, &d);
    if (trait == 0) asesina_prove(t, f->c.limit);
  }
  game_moves_free(&d.moves);
}

/* --- the verdict --- */

static void judge(const findings *f) {
  const bool exist = f->wrong[0] > 0 || f->wrong[1] > 0;
  if (!any_choices(f)) {
    REPORT_VERDICT(f->c.out, VERDICT_OPEN, "open", fig_number(f->c.limit),
                   fig_text(f->c.limit == 1 ? "" : "s"));
  } else {
    REPORT_VERDICT(f->c.out, exist ? VERDICT_HOLDS_FOR : VERDICT_OPEN, "verdict", fig_number(f->c.limit),
                   fig_share(f->wrong[0], f->choices[0], 2), fig_share(f->wrong[1], f->choices[1], 2),
                   fig_share(f->wrong[2], f->choices[2], 2), fig_mean(mean_cost(f, 0), 4),
                   fig_mean(f->worst[0].cost, 4), fig_mean(mean_cost(f, 1), 4), fig_mean(f->worst[1].cost, 4),
                   fig_mean(mean_cost(f, 2), 4), fig_mean(f->worst[2].cost, 4));
  }
}

static void examine(void *user) {
  findings *f = user;
  if (!asesina_open_board(f->c.t, &f->c, ASESINA_BOARD_20, "base")) return;
  report_rules(f->c.out, f->c.t->game->rules_text(f->c.t->rules));
  if (!claim_tables_need_up_to(f->c.t, f->c.limit)) return;
  look_at_choices(f);
  for (int trait = 0; trait < TRAITS; trait++) show_worst(f, trait);
  judge(f);
}

const claim_code claim_code_asesina_strategies = {sizeof(findings), examine, NULL};
