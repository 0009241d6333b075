/* oca-first-player: how far the first player is ahead, how long a game is, and what house rules change. */
#include <gmp.h>
#include <stdio.h>

#include "analysis/claims/claim.h"
#include "analysis/claims/goose/oca_house_rules.h"
#include "analysis/exact/exact_chain.h"
#include "analysis/probe/rounded.h"

enum { LEAST_PLAYERS = 2, MOST_PLAYERS = 4, CLOSE_PLAYERS = 3, DECIMALS = 24 };
static const double wide = 1e-6; /* of bounds with more than CLOSE_PLAYERS, which take minutes */

typedef struct {
  claim_base c;
  int players;        /* the most that were looked at */
  bool ordered;       /* every seat is ahead of those after it, everywhere */
  chance_values base; /* two players */
} findings;

static void look_at_order(findings *f, int players, const chance_values *v) {
  for (int seat = 1; seat < players; seat++) f->ordered = f->ordered && v->lower[seat - 1] > v->upper[seat];
}

static report_figure fig_value(const chance_values *v, int quantity) {
  return fig_bounds(v->lower[quantity], v->upper[quantity]);
}

/* --- exact rationals --- */

/* True if a fraction lies in the bounds: doubles are fractions themselves. */
static bool is_within(const mpq_t exact, double lower, double upper) {
  mpq_t bound;
  mpq_init(bound);
  mpq_set_d(bound, lower);
  const bool above = mpq_cmp(bound, exact) <= 0;
  mpq_set_d(bound, upper);
  const bool below = mpq_cmp(exact, bound) <= 0;
  mpq_clear(bound);
  return above && below;
}

/* "0.511066874585…", cut off. */
static void write_decimals(const mpq_t exact, char text[DECIMALS + 32]) {
  mpz_t digits;
  mpz_init(digits);
  mpz_ui_pow_ui(digits, 10, DECIMALS);
  mpz_mul(digits, digits, mpq_numref(exact));
  mpz_tdiv_q(digits, digits, mpq_denref(exact));
  char all[2 * DECIMALS + 8];
  const int length = gmp_snprintf(all, sizeof all, "%0*Zd", DECIMALS + 1, digits);
  const int whole = length - DECIMALS;
  snprintf(text, DECIMALS + 32, "%.*s.%s…", whole, all, all + whole);
  mpz_clear(digits);
}

/* Adds to the last witness what the fractions are, and whether the bounds hold them. */
static void compare_exactly(findings *f, mpq_t exact[]) {
  const chance_values *v = &f->base;
  char decimals[3][DECIMALS + 32];
  bool within = true;
  for (int q = 0; q < v->used; q++) {
    within = within && is_within(exact[q], v->lower[q], v->upper[q]);
    if (q != 1) write_decimals(exact[q], decimals[q ? q - 1 : 0]);
  }
  REPORT_RECHECK(f->c.out, "exact rationals", true, within, "recheck-exact-rationals", fig_text(decimals[0]),
                 fig_count(mpz_sizeinbase(mpq_denref(exact[0]), 2)), fig_text(decimals[1]),
                 fig_text(decimals[2]), fig_text(within ? "lie" : "do NOT lie"));
}

static void recheck_exactly(findings *f) {
  const claim_tables *t = f->c.t;
  report *out = f->c.out;
  game_position start;
  game_place from;
  mpq_t exact[CHANCE_MOST_QUANTITIES];
  t->game->chance->start(t->rules, LEAST_PLAYERS, &start);
  CLAIM_SHOW(t, &start, "witness");
  if (!t->game->locate(t->rules, &start, &from))
    report_fail(out, TAULER_INTERNAL, "the start has no place in a table");
  for (int q = 0; q < f->base.used; q++) mpq_init(exact[q]);
  if (!REPORT_CATCH(out,
                    exact_chain_solve(t->game, t->rules, from, t->job->memory, NULL, exact, &out->message)))
    compare_exactly(f, exact);
  for (int q = 0; q < f->base.used; q++) mpq_clear(exact[q]);
}

/* --- figures --- */

static void look_at_players(findings *f) {
  claim_tables *t = f->c.t;
  report *out = f->c.out;
  report_table_begin(out, "players");
  for (int players = LEAST_PLAYERS; players <= f->c.limit; players++) {
    t->width = players > CLOSE_PLAYERS ? wide : 0;
    if (!claim_tables_need_up_to(t, players)) return;
    const chance_values values = oca_from_start(t, players);
    REPORT_ADD(out, fig_number(players));
    for (int seat = 0; seat < MOST_PLAYERS; seat++)
      REPORT_ADD(out, fig_if(seat < players, fig_value(&values, seat)));
    REPORT_ADD(out, fig_value(&values, players), fig_value(&values, players + 1));
    look_at_order(f, players, &values);
    if (players == LEAST_PLAYERS) f->base = values;
    f->players = players;
  }
  report_table_cut(out, SIZE_MAX, (size_t)f->players);
}

static void add_rule(findings *f, const oca_house_rule *rule, bool other) {
  report *out = f->c.out;
  claim_tables t;
  if (!claim_tables_open(&t, f->c.job, out, "oca", rule->rules, NULL)) return;
  if (claim_tables_need_up_to(&t, LEAST_PLAYERS)) {
    const chance_values v = oca_from_start(&t, LEAST_PLAYERS), *base = &f->base;
    const int turns = LEAST_PLAYERS;
    REPORT_ADD(out, fig_text(rule->rules), fig_text(rule->meaning), fig_value(&v, 0), fig_value(&v, turns),
               fig_if(other, fig_bounds(rounded_sum(v.lower[turns], -base->upper[turns], ROUND_BELOW),
                                        rounded_sum(v.upper[turns], -base->lower[turns], ROUND_ABOVE))),
               fig_value(&v, turns + 1));
    look_at_order(f, LEAST_PLAYERS, &v);
  }
  claim_tables_close(&t);
}

static void judge(const findings *f) {
  static const char *const numbers[] = {"two players", "two and three players",
                                        "two, three and four players"};
  const char *looked_at = numbers[f->players - LEAST_PLAYERS];
  if (!f->ordered) {
    REPORT_VERDICT(f->c.out, VERDICT_FAILS, "fails-2");
  } else {
    REPORT_VERDICT(f->c.out, f->players == MOST_PLAYERS ? VERDICT_HOLDS : VERDICT_HOLDS_FOR, "verdict",
                   fig_text(looked_at),
                   fig_text(f->players == MOST_PLAYERS ? "" : " More players were not looked at."));
  }
}

static void examine(void *user) {
  findings *f = user;
  f->players = LEAST_PLAYERS;
  f->ordered = true;
  look_at_players(f);
  if (f->c.out->error) return;
  recheck_exactly(f);
  claim_tables_close(f->c.t); /* sources of the base rules come first, and together */
  report_table_begin(f->c.out, "house_rules");
  for (size_t i = 0; oca_house_rules[i].rules; i++) add_rule(f, &oca_house_rules[i], i > 0);
  judge(f);
}

const claim_code claim_code_oca_first_player = {sizeof(findings), examine, NULL};
