/* oca-asesina-one-left: does home=one-left, a win with one token left, repair la oca asesina? */
#include "analysis/claims/goose/asesina_scores.h"

enum { USUAL_TOKENS = 3, BASE = 0, IMMUNE, ONE_LEFT, RULES };

static const char *const variants[RULES] = {
    [BASE] = "base", [IMMUNE] = "last-token=immune", [ONE_LEFT] = "home=one-left"};

typedef struct {
  claim_base c;
  bool known[RULES]; /* with that many tokens */
  asesina_lead found[RULES];
  score_bounds fewer; /* worth of a lead under the base rules with a token less */
} findings;

/* --- figures --- */

static void add_row(findings *f, claim_tables *t, int rule, int tokens) {
  const int needed = tokens - (rule == ONE_LEFT);
  const bool known = needed > 1, most = tokens == f->c.limit;
  asesina_lead lead = {.mean_worth = {0, 0}};
  if (known) lead = asesina_measure_lead(t, tokens);
  REPORT_ADD(f->c.out, fig_text(t->game->rules_text(t->rules)), fig_number(tokens), fig_number(needed),
             fig_score(asesina_score(t, tokens, (int[2]){0, 0})));
  asesina_add_lead(f->c.out, known, &lead);
  if (known && most) {
    f->known[rule] = true;
    f->found[rule] = lead;
  }
  if (rule == BASE && known && !most) f->fewer = lead.mean_worth;
}

static void look_at_rules(findings *f, int rule) {
  claim_tables t;
  if (!asesina_open_board(&t, &f->c, ASESINA_BOARD_12, variants[rule])) return;
  for (int tokens = f->c.limit - (rule == BASE); tokens <= f->c.limit; tokens++)
    if (claim_tables_need_up_to(&t, tokens)) add_row(f, &t, rule, tokens);
  claim_tables_close(&t);
}

/* --- witness --- */

static void show_lead(findings *f) {
  const int tokens = f->c.limit, home[2] = {tokens > 2, 0};
  claim_tables t;
  game_position position;
  if (!asesina_open_board(&t, &f->c, ASESINA_BOARD_12, variants[ONE_LEFT])) return;
  if (claim_tables_need_up_to(&t, tokens) &&
      claim_parse(&t, asesina_write_position(asesina_length(&t), tokens, home, 0).text, &position)) {
    claim_show(&t, &position, tokens > 2 ? "Seat 1 leads by one token, and is to roll." : "The start.");
    asesina_prove(&t, tokens);
  }
  claim_tables_close(&t);
}

/* --- the verdict --- */

static void judge(const findings *f) {
  const score_bounds base = f->found[BASE].mean_worth, left = f->found[ONE_LEFT].mean_worth,
                     immune = f->found[IMMUNE].mean_worth;
  if (!f->known[ONE_LEFT]) {
    REPORT_VERDICT(f->c.out, VERDICT_OPEN, "open");
  } else {
    REPORT_VERDICT(f->c.out, left.lower > 2 * base.upper ? VERDICT_HOLDS_FOR : VERDICT_OPEN, "verdict",
                   fig_number(f->c.limit), fig_mean(left.lower, 4), fig_mean(base.lower, 4),
                   fig_mean(f->fewer.lower, 4), fig_mean(immune.lower, 4),
                   fig_text(left.lower > 2 * base.upper ? "more than doubles what a lead is worth"
                            : left.lower > base.upper   ? "makes a lead worth more, but not twice as much"
                                                        : "does not make a lead worth more"));
  }
}

static void examine(void *user) {
  findings *f = user;
  if (f->c.limit < 2) {
    REPORT_VERDICT(f->c.out, VERDICT_OPEN, "open-2");
    return;
  }
  report_table_begin(f->c.out, "leads");
  for (int rule = 0; rule < RULES; rule++) look_at_rules(f, rule);
  show_lead(f);
  judge(f);
}

const claim_code claim_code_asesina_one_left = {sizeof(findings), examine, NULL};
