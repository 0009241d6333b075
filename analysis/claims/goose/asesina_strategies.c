/* oca-asesina-strategies: are there good strategies in la oca asesina that are not obvious? How often it is
 * wrong to bring a token home, to capture, or to make a pair. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/claims/goose/asesina_scores.h"
#include "analysis/dice/survey.h"
#include "analysis/probe/chance_worth.h"

enum { USUAL_TOKENS = 2, TRAIT_COLUMNS = 9, ALL_COLUMNS = 6, TRAITS = 3, MOVES_SHOWN = 3, LOOKS = 2000000 };
enum { GAMES = 20000, SEED = 1 };

static const report_column trait_columns[] = {
    {"homes", "tokens home"},   {"move", "a move that"},    {"choices", "choices"},
    {"wrong", "it is wrong"},   {"wrong_share", "% wrong"}, {"right_share", "% right"},
    {"mean_cost", "mean cost"}, {"worst", "largest cost"},  {"stride", "one looked at of"}};
static const report_column all_columns[] = {{"move", "a move that"},    {"choices", "choices"},
                                            {"wrong", "it is wrong"},   {"wrong_share", "% wrong"},
                                            {"mean_cost", "mean cost"}, {"worst", "largest cost"}};
static const char *const sayings[TRAITS] = {"brings a token home", "captures", "makes a pair"};

/* The decision in which a trait costs most, over all slices. */
typedef struct {
  bool any;
  double cost;
  game_place place;
  size_t roll;
} costliest;

typedef struct {
  const claim_job *job;
  report *out;
  claim_tables *t;
  int tokens;
  uint64_t choices[TRAITS], wrong[TRAITS];
  double cost[TRAITS]; /* of all choices together */
  costliest worst[TRAITS];
} findings;

/* --- figures --- */

static void add_row(findings *f, const char *slice, const survey *s, int trait) {
  const survey_trait *of = &s->traits[trait];
  const double all = (double)of->choices;
  report_text(f->out, slice);
  report_text(f->out, sayings[trait]);
  report_number(f->out, (int64_t)of->choices);
  report_number(f->out, (int64_t)of->wrong);
  report_mean(f->out, 100.0 * (double)of->wrong / all, 2);
  report_mean(f->out, 100.0 * (double)of->right / all, 2);
  report_mean(f->out, survey_mean_cost(of), 6);
  report_mean(f->out, of->worst.regret, 6);
  report_number(f->out, (int64_t)s->stride);
}

static void add_up(findings *f, uint32_t slice, const survey *s, int trait) {
  const survey_trait *of = &s->traits[trait];
  f->choices[trait] += of->choices;
  f->wrong[trait] += of->wrong;
  f->cost[trait] += survey_mean_cost(of) * (double)of->choices;
  if (of->worst.regret <= f->worst[trait].cost) return;
  f->worst[trait] = (costliest){true, of->worst.regret, {slice, of->worst.index}, of->worst.roll};
}

static tauler_error look_at_slice(findings *f, uint32_t slice, tauler_message *message) {
  const game *g = f->t->tables->game;
  char name[GAME_TEXT_BYTES];
  survey found;
  const uint64_t positions = g->positions(f->t->tables->rules, slice);
  game_slice_title(g, f->t->tables->rules, slice, name);
  const tauler_error error = survey_slice(f->t->tables, slice, (positions + LOOKS - 1) / LOOKS,
                                          &(workspace){.threads = f->job->threads}, &found, message);
  for (int trait = 0; trait < TRAITS && !error; trait++) {
    if (found.traits[trait].choices == 0) continue;
    add_row(f, name, &found, trait);
    add_up(f, slice, &found, trait);
  }
  return error;
}

static double share(uint64_t part, uint64_t of) {
  return of ? 100.0 * (double)part / (double)of : 0;
}

static double mean_cost(const findings *f, int trait) {
  return f->choices[trait] ? f->cost[trait] / (double)f->choices[trait] : 0;
}

static void add_all(findings *f) {
  report_table_begin(f->out, "all", "All of these choices together:", all_columns, ALL_COLUMNS);
  for (int trait = 0; trait < TRAITS; trait++) {
    if (f->choices[trait] == 0) continue;
    report_text(f->out, sayings[trait]);
    report_number(f->out, (int64_t)f->choices[trait]);
    report_number(f->out, (int64_t)f->wrong[trait]);
    report_mean(f->out, share(f->wrong[trait], f->choices[trait]), 2);
    report_mean(f->out, mean_cost(f, trait), 6);
    report_mean(f->out, f->worst[trait].cost, 6);
  }
  report_plot_begin(f->out, "wrong", "How often the obvious move is wrong", PLOT_BARS, "move", "a move that",
                    "% of choices");
  report_plot_series(f->out, "wrong_share");
}

static tauler_error look_at_choices(findings *f, const game_request *request, tauler_message *message) {
  game_slices slices = {0};
  tauler_error error = f->t->tables->game->slices(f->t->tables->rules, request, &slices, message);
  report_table_begin(
      f->out, "moves",
      "Choices, a position and a roll each, between a move of a kind and one of another kind; in how many of "
      "them "
      "every move of the kind is surely worse than the best one, or surely better than all others; and what "
      "the best move of the kind costs at least, in the mean of all these choices and at most (a game won is "
      "1; tokens home of seat 1 and seat 2):",
      trait_columns, TRAIT_COLUMNS);
  for (size_t i = 0; i < slices.used && !error; i++)
    if (slices.slices[i].asked) error = look_at_slice(f, slices.slices[i].slice, message);
  free(slices.slices);
  if (!error && f->choices[0] + f->choices[1] + f->choices[2] > 0) add_all(f);
  return error;
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

static tauler_error open_decision(findings *f, const costliest *at, int trait, decision *d,
                                  tauler_message *message) {
  const tauler_tables *tables = f->t->tables;
  *d = (decision){.best = 0};
  tables->game->position_at(tables->rules, at->place, &d->position);
  tauler_error error = tables->game->chance->moves(tables->rules, &d->position, at->roll, &d->moves);
  if (!error && d->moves.used > CHANCE_MOST_ROLLS) error = TAULER_INTERNAL;
  if (!error) error = chance_rank_moves(f->t->tables, &d->position, &d->moves, d->ranked, message);
  if (error) return error;
  tables->game->chance->traits->list(tables->rules, &d->position, at->roll, &d->moves, d->traits);
  while (d->with < d->moves.used && !(d->traits[d->ranked[d->with].ranked.order] >> trait & 1)) d->with++;
  return d->with < d->moves.used ? TAULER_OK : TAULER_INTERNAL;
}

static void show_moves(findings *f, const decision *d, const char *roll) {
  const tauler_tables *tables = f->t->tables;
  for (size_t i = 0; i < d->moves.used; i++) {
    const game_move *move = &d->moves.moves[d->ranked[i].ranked.order];
    char text[GAME_TEXT_BYTES], remark[96], turn[32];
    describe(d->traits, &d->ranked[i], remark);
    snprintf(turn, sizeof turn, "a %s", roll);
    if (!move->over) tables->game->print(tables->rules, &move->child, text);
    report_add_step(f->out, turn, move->name, move->over ? NULL : text, remark);
  }
}

/* What a move comes to for who makes it, both playing on by the tables, dice and rules alone deciding. */
static tauler_error play_out(findings *f, const decision *d, size_t rank, uint64_t seed, simulate_result *out,
                             tauler_message *message) {
  const tauler_tables *tables = f->t->tables;
  const game_move *move = &d->moves.moves[d->ranked[rank].ranked.order];
  match_best best;
  match_best_open(&best, f->t->tables);
  const simulate_job job = {.game = tables->game,
                            .rules = tables->rules,
                            .start = &move->child,
                            .raises = match_policy_best(&best),
                            .lowers = match_policy_best(&best),
                            .games = GAMES,
                            .seed = seed,
                            .threads = f->job->threads,
                            .memory = f->job->memory};
  return simulate(&job, out, message);
}

static tauler_error recheck_by_play(findings *f, const decision *d, tauler_message *message) {
  const tauler_tables *tables = f->t->tables;
  const size_t ranks[2] = {d->best, d->with};
  double means[2], errors[2], told[2];
  bool near = true;
  for (int i = 0; i < 2; i++) {
    const ranked_move *move = &d->ranked[ranks[i]].ranked;
    simulate_result found = {.games = 0};
    if (d->moves.moves[move->order].over) return TAULER_OK;
    const tauler_error error = play_out(f, d, ranks[i], SEED + (uint64_t)i, &found, message);
    if (error) return error;
    means[i] = tables->game->chance->aim(tables->rules, &d->position) > 0 ? found.mean[0] : 1 - found.mean[0];
    errors[i] = found.error[0];
    told[i] = move->worth.lower;
    near = near && fabs(means[i] - told[i]) <= 5 * errors[i];
  }
  report_add_recheck(
      f->out, "games played out", true, near,
      "Each of the two moves, and then best play of both sides by the tables, played out %d times by the "
      "rules "
      "with dice: %s scores %.4f (standard error %.4f), %s %.4f (%.4f); the tables say %.4f and %.4f. "
      "An estimate, and no proof that nobody could choose better.",
      GAMES, d->moves.moves[d->ranked[d->best].ranked.order].name, means[0], errors[0],
      d->moves.moves[d->ranked[d->with].ranked.order].name, means[1], errors[1], told[0], told[1]);
  return TAULER_OK;
}

static tauler_error show_worst(findings *f, int trait, bool prove, tauler_message *message) {
  const tauler_tables *tables = f->t->tables;
  const costliest *at = &f->worst[trait];
  const chance_roll *rolls;
  char text[GAME_TEXT_BYTES], drawing[GAME_DRAWING_BYTES], title[160];
  decision d = {.best = 0};
  if (!at->any) return TAULER_OK;
  tables->game->chance->rolls(tables->rules, &rolls);
  tauler_error error = open_decision(f, at, trait, &d, message);
  if (!error) {
    tables->game->print(tables->rules, &d.position, text);
    tables->game->draw(tables->rules, &d.position, drawing);
    snprintf(title, sizeof title,
             "Where a move that %s costs most: a %s is rolled. All moves, best first, and what they are "
             "worth to who "
             "rolls.",
             sayings[trait], rolls[at->roll].name);
    report_witness_begin(f->out, title, text, drawing);
    show_moves(f, &d, rolls[at->roll].name);
    error = recheck_by_play(f, &d, message);
  }
  if (!error && prove) error = asesina_prove(f->t, f->tokens, f->out, message);
  game_moves_free(&d.moves);
  return error;
}

/* --- the verdict --- */

static void judge(const findings *f) {
  const bool exist = f->wrong[0] > 0 || f->wrong[1] > 0;
  if (!report_is_sound(f->out)) {
    report_verdict(f->out, VERDICT_FAILS, "The tables do not stand up to being checked again.");
  } else if (f->choices[0] + f->choices[1] + f->choices[2] == 0) {
    report_verdict(f->out, VERDICT_OPEN,
                   "With %d token%s each there is nothing to choose; more tokens look further.", f->tokens,
                   f->tokens == 1 ? "" : "s");
  } else {
    report_verdict(
        f->out, exist ? VERDICT_HOLDS_FOR : VERDICT_OPEN,
        "With up to %d tokens each on this board, best play leaves a token that could be brought home where "
        "it is "
        "in %.2f %% of the choices to do so, and refuses to capture in %.2f %%, or to make a pair in %.2f "
        "%%. "
        "Always bringing home costs %.4f a choice on average and up to %.4f, always capturing %.4f and up to "
        "%.4f, always pairing %.4f and up to %.4f. Larger games were not looked at.",
        f->tokens, share(f->wrong[0], f->choices[0]), share(f->wrong[1], f->choices[1]),
        share(f->wrong[2], f->choices[2]), mean_cost(f, 0), f->worst[0].cost, mean_cost(f, 1),
        f->worst[1].cost, mean_cost(f, 2), f->worst[2].cost);
  }
}

static tauler_error look(findings *f, tauler_message *message) {
  char largest[16];
  snprintf(largest, sizeof largest, "%d", f->tokens);
  const game_request request = {.largest = largest};
  tauler_error error = claim_tables_need(f->t, &request, message);
  report_rules(f->out, f->t->tables->game->rules_text(f->t->tables->rules));
  if (!error) error = look_at_choices(f, &request, message);
  for (int trait = 0; trait < TRAITS && !error; trait++) {
    error = show_worst(f, trait, trait == 0, message);
  }
  if (!error) error = claim_tables_tell(f->t, f->out, message);
  if (!error) judge(f);
  return error;
}

static tauler_error run(const claim_job *job, report *out, tauler_message *message) {
  claim_tables t;
  tauler_error error = asesina_open_board(job, ASESINA_BOARD_20, "base", &t, message);
  if (error) return error;
  findings f = {.job = job, .out = out, .t = &t, .tokens = job->tokens ? job->tokens : USUAL_TOKENS};
  error = look(&f, message);
  claim_tables_close(&t);
  return error;
}

extern const claim_text claim_text_asesina_strategies;
extern const claim claim_oca_asesina_strategies;
const claim claim_oca_asesina_strategies = {.name = "oca-asesina-strategies",
                                            .game = "oca-asesina",
                                            .text = &claim_text_asesina_strategies,
                                            .options = "board tokens",
                                            .run = run};
