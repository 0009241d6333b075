/* oca-asesina-catch-up: is the catch-up of la oca asesina too strong, where does it come from, and what
 * repairs it? On the board of 20 squares. */
#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/claims/goose/asesina_scores.h"
#include "analysis/dice/survey.h"
#include "analysis/exact/exact_chain.h"

enum { USUAL_TOKENS = 2, MOST_TOKENS = 3 };
static const double wide = 1e-5; /* of bounds with three tokens each, which take minutes */

enum { BASE, NO_INTERACTION, IMMUNE, ONE_LEFT, FIRST_PART, LAST_PART = FIRST_PART + 3, RULES };
static const char *const variants[RULES] = {[BASE] = "base",
                                            [NO_INTERACTION] = "interaction=off",
                                            [IMMUNE] = "last-token=immune",
                                            [ONE_LEFT] = "home=one-left",
                                            [FIRST_PART] = "last-token=no-death",
                                            "last-token=no-lost-turns",
                                            "last-token=no-overshoot",
                                            "last-token=no-bounce"};

typedef struct {
  claim_base c;
  int length;                         /* of the board */
  bool known[RULES][MOST_TOKENS + 1]; /* by tokens */
  asesina_lead lead[RULES][MOST_TOKENS + 1];
  uint64_t decisions, real;
} findings;

/* --- the worth of a lead --- */

/* With one token a lead of one ends the game, and with one left of two so it does under home=one-left. */
static bool has_lead(int rule, int tokens) {
  return tokens > (rule == ONE_LEFT ? 2 : 1);
}

static void add_lead_row(findings *f, claim_tables *t, int rule, int tokens) {
  asesina_lead *lead = &f->lead[rule][tokens];
  const bool known = f->known[rule][tokens] = has_lead(rule, tokens), one = known && rule != ONE_LEFT;
  score_bounds one_each = {0, 0};
  if (known) *lead = asesina_measure_lead(t, tokens);
  if (one) one_each = asesina_score(t, tokens, (int[2]){tokens - 1, tokens - 1});
  REPORT_ADD(f->c.out, fig_text(t->game->rules_text(t->rules)), fig_number(tokens),
             fig_score(asesina_score(t, tokens, (int[2]){0, 0})));
  asesina_add_lead(f->c.out, known, lead);
  REPORT_ADD(f->c.out, fig_if(one, fig_score(one_each)));
}

static void add_worths(const findings *f) {
  report_table_begin(f->c.out, "worths");
  for (int rule = 0; rule < RULES; rule++) {
    const asesina_lead *lead = &f->lead[rule][f->c.limit];
    if (!f->known[rule][f->c.limit]) continue;
    REPORT_ADD(f->c.out, fig_text(variants[rule]), fig_score(lead->worth[ASESINA_ON_MOVE]),
               fig_score(lead->worth[ASESINA_OFF_MOVE]));
  }
}

/* --- choices --- */

static void add_survey(findings *f, claim_tables *t, uint32_t slice, survey *found) {
  char name[GAME_TEXT_BYTES];
  const uint64_t stride = survey_stride(t->game->positions(t->rules, slice));
  const workspace work = {.threads = t->job->threads};
  game_slice_title(t->game, t->rules, slice, name);
  if (REPORT_CATCH(t->out, survey_slice(t->tables, slice, stride, NULL, &work, found, &t->out->message)) ||
      found->decisions == 0)
    return;
  REPORT_ADD(t->out, fig_text(name), fig_count(found->positions), fig_count(found->decisions),
             fig_count(found->real_ones), fig_share(found->real_ones, found->decisions, 2),
             fig_count(found->stride));
  f->decisions += found->decisions;
  f->real += found->real_ones;
}

/* The last slice, from the start, has all tokens under way. */
static void add_policies(const claim_tables *t, uint32_t slice, const survey *found) {
  const chance_roll *rolls;
  if (found->policies_used == 0) return;
  t->game->chance->rolls(t->rules, &rolls);
  report_table_begin(t->out, "policies");
  for (size_t i = 0; i < found->policies_used; i++) {
    const survey_policy *policy = &found->policies[i];
    if (!policy->any) continue;
    const game_position position = claim_position_at(t, (game_place){slice, policy->index});
    REPORT_ADD(t->out, fig_text(policy->policy), fig_mean(policy->regret, 6),
               fig_text(rolls[policy->roll].name), fig_text(claim_print(t, &position).text));
  }
}

static void look_at_choices(findings *f, claim_tables *t) {
  char largest[16];
  game_slices slices = {0};
  survey found = {.stride = 0};
  uint32_t last = 0;
  snprintf(largest, sizeof largest, "%d", f->c.limit);
  const game_request request = {.largest = largest};
  REPORT_CATCH(t->out, t->game->slices(t->rules, &request, &slices, &t->out->message));
  report_table_begin(t->out, "choices");
  for (size_t i = 0; i < slices.used && !t->out->error; i++) {
    if (!slices.slices[i].asked) continue;
    last = slices.slices[i].slice;
    add_survey(f, t, last, &found);
  }
  free(slices.slices);
  if (!t->out->error) add_policies(t, last, &found);
}

/* --- rechecks --- */

static void recheck_exactly(claim_tables *t) {
  game_position start;
  game_place from;
  mpq_t exact, low, high;
  const score_bounds stored = asesina_score(t, 1, (int[2]){0, 0});
  if (!claim_parse(t, "0/0 lost=0,0 seat=1", &start)) return;
  if (!t->game->locate(t->rules, &start, &from)) {
    report_keep(t->out, TAULER_INTERNAL);
    return;
  }
  mpq_inits(exact, low, high, NULL);
  if (!REPORT_CATCH(t->out, exact_chain_solve(t->game, t->rules, from, t->job->memory, NULL, &exact,
                                              &t->out->message))) {
    mpq_set_d(low, stored.lower);
    mpq_set_d(high, stored.upper);
    const bool within = mpq_cmp(low, exact) <= 0 && mpq_cmp(exact, high) <= 0;
    REPORT_RECHECK(t->out, "exact rationals", true, within, "recheck-exact-rationals",
                   fig_mean(mpq_get_d(exact), 12), fig_text(within ? "lies" : "does NOT lie"));
  }
  mpq_clears(exact, low, high, NULL);
}

static void show_lead(findings *f, claim_tables *t) {
  const bool leads = f->c.limit > 1;
  const int home[2] = {leads, 0};
  game_position position;
  if (!claim_parse(t, asesina_write_position(f->length, f->c.limit, home, 0).text, &position)) return;
  claim_show(t, &position,
             leads ? "Seat 1 leads by one token, and is to roll." : "The start, seat 1 to roll.");
  recheck_exactly(t);
  asesina_prove(t, f->c.limit);
}

/* --- rule sets --- */

/* Tables that are not to be built are looked for. */
static bool have_tokens(claim_tables *t, int tokens, bool build) {
  char largest[16];
  game_slices slices = {0};
  bool have = !build;
  if (build) return claim_tables_need_up_to(t, tokens);
  snprintf(largest, sizeof largest, "%d", tokens);
  REPORT_CATCH(t->out,
               t->game->slices(t->rules, &(game_request){.largest = largest}, &slices, &t->out->message));
  for (size_t i = 0; i < slices.used && have; i++) have = claim_tables_have(t, slices.slices[i].slice);
  free(slices.slices);
  return have && !t->out->error;
}

static void look_at_rules(findings *f, int rule) {
  const claim_job *job = f->c.job;
  const int most = f->c.limited ? f->c.limit : MOST_TOKENS;
  /* Without a limit: three tokens under the base rules, which takes minutes. */
  const int built = f->c.limit + (!f->c.limited && !job->board && rule == BASE);
  claim_tables t;
  if (!asesina_open_board(&t, &f->c, ASESINA_BOARD_20, variants[rule])) return;
  f->length = asesina_length(&t);
  for (int tokens = rule == ONE_LEFT ? 2 : 1; tokens <= most; tokens++) {
    t.width = tokens > USUAL_TOKENS && !job->board ? wide : 0;
    if (!have_tokens(&t, tokens, tokens <= built)) break;
    add_lead_row(f, &t, rule, tokens);
  }
  claim_tables_close(&t);
}

static void look_at_base(findings *f) {
  claim_tables t;
  if (!asesina_open_board(&t, &f->c, ASESINA_BOARD_20, variants[BASE])) return;
  if (f->c.limit > 1) look_at_choices(f, &t);
  show_lead(f, &t);
  claim_tables_close(&t);
}

/* --- the verdict --- */

static score_bounds worth(const findings *f, int rule, int tokens) {
  return f->lead[rule][tokens].mean_worth;
}

/* The part of immunity under which a lead is worth most. */
static int best_part(const findings *f) {
  int best = FIRST_PART;
  for (int rule = FIRST_PART; rule <= LAST_PART; rule++)
    if (worth(f, rule, f->c.limit).lower > worth(f, best, f->c.limit).lower) best = rule;
  return best;
}

static bool is_weak(const findings *f, int tokens) {
  return 2 * worth(f, BASE, tokens).upper < worth(f, IMMUNE, tokens).lower;
}

static void judge_lead(const findings *f) {
  const int n = f->c.limit, part = best_part(f), more = n + 1;
  const asesina_lead *lead = &f->lead[BASE][n];
  const bool looked_further = n < MOST_TOKENS && f->known[BASE][more] && f->known[IMMUNE][more];
  const bool weak = is_weak(f, n) && (!looked_further || is_weak(f, more));
  const bool by_captures = worth(f, NO_INTERACTION, n).lower > 2 * worth(f, BASE, n).upper;
  char further[160] = "";
  if (n < MOST_TOKENS && f->known[BASE][more] && !looked_further)
    snprintf(further, sizeof further, " With %d tokens each the lead is worth %.4f.", more,
             worth(f, BASE, more).lower);
  if (looked_further)
    snprintf(further, sizeof further, " With %d tokens each the lead is worth %.4f, with immunity %.4f.",
             more, worth(f, BASE, more).lower, worth(f, IMMUNE, more).lower);
  REPORT_VERDICT(f->c.out, weak ? VERDICT_HOLDS_FOR : VERDICT_OPEN, "verdict", fig_number(f->length),
                 fig_number(n), fig_mean(lead->leads[ASESINA_ON_MOVE].lower, 4),
                 fig_mean(lead->leads[ASESINA_OFF_MOVE].lower, 4), fig_mean(worth(f, BASE, n).lower, 4),
                 fig_text(by_captures ? "the main" : "not the main"),
                 fig_mean(worth(f, NO_INTERACTION, n).lower, 4), fig_mean(worth(f, IMMUNE, n).lower, 4),
                 fig_text(variants[part]), fig_mean(worth(f, part, n).lower, 4),
                 fig_share(f->real, f->decisions, 1), fig_text(further));
}

static void judge(const findings *f) {
  if (f->c.limit == 1) {
    REPORT_VERDICT(f->c.out, VERDICT_OPEN, "open");
  } else {
    judge_lead(f);
  }
}

static void examine(void *user) {
  findings *f = user;
  report_table_begin(f->c.out, "leads");
  for (int rule = 0; rule < RULES; rule++)
    if (rule != ONE_LEFT || f->c.limit > 1) look_at_rules(f, rule);
  if (f->c.limit > 1) add_worths(f);
  look_at_base(f);
  judge(f);
}

const claim_code claim_code_asesina_catch_up = {sizeof(findings), examine, NULL};
