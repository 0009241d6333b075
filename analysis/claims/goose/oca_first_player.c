/* oca-first-player: how much whoever begins is ahead, how long a game is, and what house rules change. */
#include <gmp.h>
#include <stdio.h>
#include <stdlib.h>

#include "analysis/claims/claim_tables.h"
#include "analysis/claims/goose/oca_house_rules.h"
#include "analysis/exact/exact_chain.h"
#include "analysis/probe/chance_worth.h"
#include "analysis/probe/rounded.h"

enum {
  LEAST_PLAYERS = 2,
  USUAL_PLAYERS = 4,
  MOST_PLAYERS = 4,
  CLOSE_PLAYERS = 3,
  PLAYER_COLUMNS = 7,
  RULE_COLUMNS = 6
};
enum { DECIMALS = 24 };
static const double wide = 1e-6; /* of bounds with more than CLOSE_PLAYERS, which take minutes */

static const report_column player_columns[] = {{"players", "players"},    {"seat_1", "seat 1 wins"},
                                               {"seat_2", "seat 2 wins"}, {"seat_3", "seat 3 wins"},
                                               {"seat_4", "seat 4 wins"}, {"turns", "turns"},
                                               {"rolls", "rolls"}};
static const report_column rule_columns[] = {{"rules", "rules"},        {"meaning", "which say that"},
                                             {"seat_1", "seat 1 wins"}, {"turns", "turns"},
                                             {"more_turns", "change"},  {"rolls", "rolls"}};

typedef struct {
  const claim_job *job;
  report *out;
  int players;        /* the most that were looked at */
  bool ordered;       /* every seat is ahead of those after it, everywhere */
  chance_values base; /* two players */
} findings;

/* What is expected from the start, by absolute seat: wins of each, turns, rolls. */
static tauler_error expect_start(claim_tables *t, int players, bool build, bool *have, chance_values *out,
                                 tauler_message *message) {
  char largest[16];
  snprintf(largest, sizeof largest, "%d", players);
  const game_request request = {.largest = largest};
  game_slices slices = {0};
  game_position start;
  *have = true;
  tauler_error error = build ? claim_tables_need(t, &request, message) : TAULER_OK;
  if (!error) error = t->tables->game->slices(t->tables->rules, &request, &slices, message);
  if (error) return error;
  const uint32_t slice = slices.slices[slices.used - 1].slice;
  free(slices.slices);
  error = claim_tables_have(t, slice, have, message);
  if (error || !*have) return error;
  t->tables->game->chance->start(t->tables->rules, slice, &start);
  return chance_values_of(t->tables, &start, out, message);
}

static void look_at_order(findings *f, int players, const chance_values *v) {
  for (int seat = 1; seat < players; seat++) f->ordered = f->ordered && v->lower[seat - 1] > v->upper[seat];
}

static void add_players_row(findings *f, int players, const chance_values *v) {
  report_number(f->out, players);
  for (int seat = 0; seat < MOST_PLAYERS; seat++) {
    if (seat < players) {
      report_bounds(f->out, v->lower[seat], v->upper[seat]);
    } else {
      report_none(f->out);
    }
  }
  report_bounds(f->out, v->lower[players], v->upper[players]);
  report_bounds(f->out, v->lower[players + 1], v->upper[players + 1]);
}

/* --- exact rationals --- */

/* Whether a fraction lies in the bounds: doubles are fractions themselves. */
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

static tauler_error recheck_exactly(findings *f, claim_tables *t, tauler_message *message) {
  const game *g = t->tables->game;
  char text[GAME_TEXT_BYTES], drawing[GAME_DRAWING_BYTES], decimals[3][DECIMALS + 32];
  game_position start;
  game_place from;
  mpq_t exact[CHANCE_MOST_QUANTITIES];
  g->chance->start(t->tables->rules, LEAST_PLAYERS, &start);
  g->print(t->tables->rules, &start, text);
  g->draw(t->tables->rules, &start, drawing);
  report_witness_begin(f->out, "The start with two players, seat 1 to roll.", text, drawing);
  if (!g->locate(t->tables->rules, &start, &from))
    return tauler_fail(message, TAULER_INTERNAL, "the start has no place in a table");
  for (int q = 0; q < f->base.used; q++) mpq_init(exact[q]);
  const tauler_error error =
      exact_chain_solve(g, t->tables->rules, from, t->job->memory, NULL, exact, message);
  bool within = !error;
  for (int q = 0; q < f->base.used && !error; q++) {
    within = within && is_within(exact[q], f->base.lower[q], f->base.upper[q]);
    if (q != 1) write_decimals(exact[q], decimals[q ? q - 1 : 0]);
  }
  if (!error) {
    report_add_recheck(
        f->out, "exact rationals", true, within,
        "The linear equations of the rules, solved in fractions without a table or a rounded number: seat "
        "1 wins with probability %s, a fraction whose denominator has %zu bits; a game takes %s turns and "
        "%s rolls. These %s between the bounds above.",
        decimals[0], mpz_sizeinbase(mpq_denref(exact[0]), 2), decimals[1], decimals[2],
        within ? "lie" : "do NOT lie");
  }
  for (int q = 0; q < f->base.used; q++) mpq_clear(exact[q]);
  return error;
}

/* --- figures --- */

static tauler_error look_at_players(findings *f, tauler_message *message) {
  claim_tables t;
  tauler_error error = claim_tables_open(f->job, "oca", NULL, NULL, &t, message);
  if (error) return error;
  report_rules(f->out, t.tables->game->rules_text(t.tables->rules));
  report_table_begin(f->out, "players",
                     "From the start: how likely each seat is to win, and how many turns (of all players "
                     "together, lost ones counted) and rolls a game takes on average:",
                     player_columns, PLAYER_COLUMNS);
  bool have = true;
  const int limit = f->job->players, built = limit ? limit : USUAL_PLAYERS;
  for (int players = LEAST_PLAYERS; players <= (limit ? limit : MOST_PLAYERS) && have && !error; players++) {
    chance_values values = {.known = false};
    t.width = players > CLOSE_PLAYERS ? wide : 0;
    error = expect_start(&t, players, players <= built, &have, &values, message);
    if (error || !have) break;
    add_players_row(f, players, &values);
    look_at_order(f, players, &values);
    if (players == LEAST_PLAYERS) f->base = values;
    f->players = players;
  }
  report_plot_begin(f->out, "seats", "The game of Oca: how often each seat wins", PLOT_BARS, "players",
                    "players", "probability to win");
  report_plot_series(f->out, "seat_1");
  report_plot_series(f->out, "seat_2");
  if (f->players > 2) report_plot_series(f->out, "seat_3");
  if (f->players > 3) report_plot_series(f->out, "seat_4");
  if (!error) error = recheck_exactly(f, &t, message);
  if (!error) error = claim_tables_tell(&t, f->out, message);
  claim_tables_close(&t);
  return error;
}

static void add_change(report *out, const chance_values *v, const chance_values *base, int q) {
  report_bounds(out, rounded_sum(v->lower[q], -base->upper[q], ROUND_BELOW),
                rounded_sum(v->upper[q], -base->lower[q], ROUND_ABOVE));
}

static tauler_error add_rule(findings *f, const oca_house_rule *rule, bool other, tauler_message *message) {
  claim_tables t;
  chance_values values = {.known = false};
  bool have = false;
  tauler_error error = claim_tables_open(f->job, "oca", rule->rules, NULL, &t, message);
  if (error) return error;
  error = expect_start(&t, LEAST_PLAYERS, true, &have, &values, message);
  if (!error) {
    report_text(f->out, rule->rules);
    report_text(f->out, rule->meaning);
    report_bounds(f->out, values.lower[0], values.upper[0]);
    report_bounds(f->out, values.lower[LEAST_PLAYERS], values.upper[LEAST_PLAYERS]);
    if (other) {
      add_change(f->out, &values, &f->base, LEAST_PLAYERS);
    } else {
      report_none(f->out);
    }
    report_bounds(f->out, values.lower[LEAST_PLAYERS + 1], values.upper[LEAST_PLAYERS + 1]);
    look_at_order(f, LEAST_PLAYERS, &values);
  }
  if (!error && other) error = claim_tables_tell(&t, f->out, message);
  claim_tables_close(&t);
  return error;
}

static void judge(const findings *f) {
  static const char *const numbers[] = {"two players", "two and three players",
                                        "two, three and four players"};
  const char *looked_at = numbers[f->players - LEAST_PLAYERS];
  if (!report_is_sound(f->out)) {
    report_verdict(f->out, VERDICT_FAILS, "The tables do not agree with the exact solution.");
  } else if (!f->ordered) {
    report_verdict(f->out, VERDICT_FAILS, "Some seat is not ahead of the one after it.");
  } else {
    report_verdict(
        f->out, f->players == MOST_PLAYERS ? VERDICT_HOLDS : VERDICT_HOLDS_FOR,
        "With %s each seat is ahead of those after it; with two it is so under every house rule.%s",
        looked_at, f->players == MOST_PLAYERS ? "" : " More players were not looked at.");
  }
}

static tauler_error run(const claim_job *job, report *out, tauler_message *message) {
  findings f = {.job = job, .out = out, .players = LEAST_PLAYERS, .ordered = true};
  tauler_error error = look_at_players(&f, message);
  if (error) return error;
  report_table_begin(out, "house_rules",
                     "House rules one by one, two players; turns against those of the first row:",
                     rule_columns, RULE_COLUMNS);
  for (size_t i = 0; oca_house_rules[i].rules && !error; i++)
    error = add_rule(&f, &oca_house_rules[i], i > 0, message);
  report_plot_begin(out, "turns", "How long a game of Oca for two takes, house rule by house rule", PLOT_BARS,
                    "rules", "", "turns of both, on average");
  report_plot_series(out, "turns");
  if (!error) judge(&f);
  return error;
}

extern const claim_text claim_text_oca_first_player;
extern const claim claim_oca_first_player;
const claim claim_oca_first_player = {.name = "oca-first-player",
                                      .game = "oca",
                                      .text = &claim_text_oca_first_player,
                                      .options = "players",
                                      .run = run};
