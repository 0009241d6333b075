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
  if (REPORT_CATCH(t->out, survey_slice(t->tables, slice, stride, &work, &found, &t->out->message))) return;
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
  size_t used = (size_t)snprintf(text, 96, "worth %.6f", move->ranked.worth.lower);
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

/* What a move comes to for who makes it, both playing on by the tables, dice and rules alone deciding. */
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
  report_add_recheck(
      t->out, "games played out", true, near,
      "Each of the two moves, and then best play of both sides by the tables, played out %d times by the "
      "rules with dice: %s scores %.4f (standard error %.4f), %s %.4f (%.4f); the tables say %.4f and %.4f. "
      "An estimate, and no proof that nobody could choose better.",
      ASESINA_GAMES, moves[0]->name, played[0].mean, played[0].error, moves[1]->name, played[1].mean,
      played[1].error, solved[0], solved[1]);
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
    claim_show(t, &d.position,
               "Where a move that %s costs most: a %s is rolled. All moves, best first, and what they are "
               "worth to who rolls.",
               sayings[trait], roll);
    show_moves(t, &d, roll);
    recheck_by_play(t, &d);
    if (trait == 0) asesina_prove(t, f->c.limit);
  }
  game_moves_free(&d.moves);
}

/* --- the verdict --- */

static void judge(const findings *f) {
  const bool exist = f->wrong[0] > 0 || f->wrong[1] > 0;
  if (!report_is_sound(f->c.out)) {
    report_verdict(f->c.out, VERDICT_FAILS, "The tables do not stand up to being checked again.");
  } else if (!any_choices(f)) {
    report_verdict(f->c.out, VERDICT_OPEN,
                   "With %d token%s each there is nothing to choose; more tokens look further.", f->c.limit,
                   f->c.limit == 1 ? "" : "s");
  } else {
    report_verdict(
        f->c.out, exist ? VERDICT_HOLDS_FOR : VERDICT_OPEN,
        "With up to %d tokens each on this board, best play leaves a token that could be brought home where "
        "it is in %.2f %% of the choices to do so, and refuses to capture in %.2f %%, or to make a pair in "
        "%.2f "
        "%%. Always bringing home costs %.4f a choice on average and up to %.4f, always capturing %.4f and "
        "up to "
        "%.4f, always pairing %.4f and up to %.4f. Larger games were not looked at.",
        f->c.limit, percent(f->wrong[0], f->choices[0]), percent(f->wrong[1], f->choices[1]),
        percent(f->wrong[2], f->choices[2]), mean_cost(f, 0), f->worst[0].cost, mean_cost(f, 1),
        f->worst[1].cost, mean_cost(f, 2), f->worst[2].cost);
  }
}

static void look(void *user) {
  findings *f = user;
  if (!asesina_open_board(f->c.t, &f->c, ASESINA_BOARD_20, "base")) return;
  report_rules(f->c.out, f->c.t->game->rules_text(f->c.t->rules));
  if (!claim_tables_need_up_to(f->c.t, f->c.limit)) return;
  look_at_choices(f);
  for (int trait = 0; trait < TRAITS; trait++) show_worst(f, trait);
  judge(f);
}

const claim_code claim_code_asesina_strategies = {sizeof(findings), look, NULL};
